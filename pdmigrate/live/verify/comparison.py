"""Compare a migrated server with the same server before: what has to be equal on the wire, difference by difference."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import takewhile, zip_longest

from pdmigrate.errors import UsageError
from pdmigrate.live.verify import answers
from pdmigrate.live.verify.answers import Exchange, NotAsked, name_of, text_of
from pdmigrate.live.verify.model import CheckResult, Interview, Level, Status
from pdmigrate.live.verify.picks import fails_harmlessly, receipts
from pdmigrate.live.verify.script import Conversation
from pdmigrate.live.wire import Target, connect
from pdmigrate.live.wire.session import LISTS
from pdmigrate.model import DEFINING_FIELDS, DISCLOSED_FIELDS, JsonObject, JsonValue, mapping
from pdmigrate.source.documents import same_json


@dataclass(frozen=True, slots=True)
class Before:
    """The unmigrated server: its listings, and its answers to calls that lack their arguments."""

    server: JsonObject
    tools: tuple[JsonObject, ...]
    lists: Mapping[str, tuple[JsonObject, ...]]
    rehearsed: Mapping[str, Exchange | NotAsked]


def record(target: Target, *, timeout: float, protocol: str) -> Before:
    """Ask the unmigrated server for its lists, and call the tools that fail harmlessly without arguments.

    Raises WireError if the server does not start, or one of its lists has no answer; UsageError if the server is
    migrated, too.
    """
    with connect(target, timeout=timeout) as session:
        asked = Conversation("before", session, protocol)
        tools, lists = asked.tools(), asked.lists()
        if any(answers.base(text_of(resource.get("uri"))) == answers.DEFAULT for resource in lists["resources/list"]):
            raise UsageError(
                f"the server of --before is migrated, too: it lists {answers.DEFAULT}",
                hint="start it from a release or a checkout of before: `git worktree add ../before COMMIT`",
            )
        if asked.broken is not None:  # nothing can be compared with a list that did not come
            raise asked.broken
        calls = {name_of(tool): asked.call(name_of(tool), {}) for tool in tools if fails_harmlessly(tool)}
        return Before(asked.server, tools, lists, calls)


def compare(before: Before, seen: Interview) -> tuple[CheckResult, ...]:
    """A passed result for each aspect that is equal, and a failed result for each difference."""
    results = []
    for id_, (title, differing) in ASPECTS.items():
        if differing is _validation and not before.rehearsed:
            found = [(Status.SKIPPED, "no tool can be called wrongly without risk")]
        else:
            found = [(Status.FAILED, difference) for difference in differing(before, seen)]
        for status, detail in found or [(Status.PASSED, "")]:
            results.append(CheckResult(id_, "before", Level.MUST, title, status, detail))
    return tuple(results)


def _names(before: Before, seen: Interview) -> Iterator[str]:
    """The same names in the same order; only a bridge may be new, wherever the first page ends."""
    old = [name_of(tool) for tool in before.tools]
    new = [name for name in seen.names if name != seen.bridge or name in old]
    yield from differences([*old], [*new], "tools[*].name")


def _fields(before: Before, seen: Interview) -> Iterator[str]:
    after = {name_of(tool): tool for tool in seen.tools}
    for index, tool in enumerate(before.tools):
        if name_of(tool) in after:
            old, new = _kept(tool), _kept(after[name_of(tool)])
            if "outputSchema" not in new:
                old.pop("outputSchema", None)  # a server may choose to have output schemas in definitions alone
            yield from differences(old, new, f"tools[{index}]")


def _kept(tool: JsonObject) -> JsonObject:
    return {key: value for key, value in tool.items() if key not in DISCLOSED_FIELDS}


def _definitions(before: Before, seen: Interview) -> Iterator[str]:
    for tool in before.tools:
        entry = seen.entries.get(name_of(tool))
        if entry is None:
            yield _told(f"{name_of(tool)}", "a tool", "no definition is served")
            continue
        served = _without_receipts(entry, mapping(tool.get("inputSchema")))
        for field in DEFINING_FIELDS:
            yield from _field(tool, served, field, f"{name_of(tool)}.{field}")


def _without_receipts(entry: JsonObject, before: JsonObject) -> JsonObject:
    """A definition without the receipt that it asks for as a proof of reading; the gate strips receipts from calls."""
    schema = mapping(entry.get("inputSchema"))
    added = receipts(schema, before)
    required = schema.get("required")
    if not added or not isinstance(required, list):
        return entry
    plain: JsonObject = {
        **schema,
        "properties": {key: value for key, value in mapping(schema.get("properties")).items() if key not in added},
        "required": [name for name in required if name not in added],
    }
    if not plain["required"] and "required" not in before:
        del plain["required"]
    return {**entry, "inputSchema": plain}


def _field(old: JsonObject, new: JsonObject, field: str, path: str) -> Iterator[str]:
    if field in old and field in new:
        yield from differences(old[field], new[field], path)
    elif (old.get(field) or new.get(field)) is not None and old.get(field, "") != new.get(field, ""):
        yield _told(path, old.get(field), new.get(field))


def _lists(before: Before, seen: Interview, method: str) -> Iterator[str]:
    """The same entries in the same order but for the resource of tool descriptions and its template."""
    if method.partition("/")[0] not in mapping(before.server.get("capabilities")):
        return  # no client asks such a server, and what it has all the same is seen only now
    ours = f"{seen.resource}{{?tools"
    new = [
        entry
        for entry in seen.lists[method]
        if entry != seen.descriptor and not text_of(entry.get("uriTemplate")).startswith(ours)
    ]
    # A server that had no templates need not have answered for them either.
    old = [entry for entry in before.lists[method] if "error" not in entry or entry in new]
    yield from differences([*old], [*new], LISTS[method])


def _server(before: Before, seen: Interview) -> Iterator[str]:
    """The same answer to ``initialize``; only a resources capability and text after the instructions may be new."""
    old, new = dict(before.server), dict(seen.server)
    old_text, new_text = text_of(old.pop("instructions", "")), text_of(new.pop("instructions", ""))
    capabilities = dict(mapping(new.get("capabilities")))
    if "resources" not in mapping(old.get("capabilities")):
        capabilities.pop("resources", None)
    yield from differences(old, {**new, "capabilities": capabilities}, "")
    if not new_text.startswith(old_text):
        yield _told("instructions", old_text, new_text)


def _validation(before: Before, seen: Interview) -> Iterator[str]:
    """The same answers to calls without arguments; over HTTP, advice may follow the old blocks."""
    for name, old in before.rehearsed.items():
        new = seen.rehearsed.get(name, NotAsked("the tool is not listed any more"))
        left, right = _outcome(old), _outcome(new)
        if seen.transport == "http" and isinstance(left, dict) and isinstance(right, dict):
            right = _without_advice(left, right)
        yield from differences(left, right, name)


def _without_advice(old: JsonObject, new: JsonObject) -> JsonObject:
    blocks, more = old.get("content"), new.get("content")
    if isinstance(blocks, list) and isinstance(more, list) and len(more) > len(blocks):
        return {**new, "content": more[: len(blocks)]}
    return new


def _outcome(exchange: Exchange | NotAsked) -> JsonValue:
    """The answer; without the files and lines of a traceback in it: a migrated file has more lines elsewhere."""
    if isinstance(exchange, NotAsked):
        return {"none": exchange.reason}
    said = json.dumps(answers.result_of(exchange) or answers.as_json(exchange.answer))
    outcome: JsonValue = json.loads(re.sub(r'File \\"[^"]*\\", line \d+(?=, in )', 'File \\"…\\", line …', said))
    return outcome


ASPECTS: Mapping[str, tuple[str, Callable[[Before, Interview], Iterator[str]]]] = {
    "before-names": ("the same tools in the same order", _names),
    "before-fields": ("the same titles, annotations and other fields", _fields),
    "before-definitions": ("the fetched definitions are the old ones", _definitions),
    "before-resources": ("the server's own resources", partial(_lists, method="resources/list")),
    "before-templates": ("the server's own resource templates", partial(_lists, method="resources/templates/list")),
    "before-prompts": ("the server's prompts", partial(_lists, method="prompts/list")),
    "before-server": ("capabilities, server info and instructions", _server),
    "before-validation": ("wrong arguments have the same answer", _validation),
}
"""The aspects of a server that a migration leaves as they are, by check: the title, and what finds differences."""


def differences(before: JsonValue, after: JsonValue, path: str) -> Iterator[str]:
    """The deepest places where two values differ, each with its JSON path into the result of the request."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys([*before, *after]):
            inner = f"{path}.{key}" if path else key
            yield from differences(before.get(key, _ABSENT), after.get(key, _ABSENT), inner)
    elif isinstance(before, list) and isinstance(after, list):
        for index, (old, new) in enumerate(zip_longest(before, after, fillvalue=_ABSENT)):
            inner = path.replace("[*]", f"[{index}]") if "[*]" in path else f"{path}[{index}]"
            yield from differences(old, new, inner)
    elif (before is _ABSENT) is not (after is _ABSENT) or not same_json(before, after):  # somebody may send that text
        yield _told(path or "$", before, after)


_ABSENT = "(absent)"


def _told(path: str, before: JsonValue, after: JsonValue) -> str:
    if isinstance(before, str) and isinstance(after, str):  # or else two equal beginnings may be all that is shown
        same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False))]) - 60
        before, after = (f"…{text[same:]}" if same > 0 else text for text in (before, after))
    return f"{path}: before {_shown(before)}, after {_shown(after)}"


def _shown(value: JsonValue) -> str:
    return _ABSENT if value is _ABSENT else answers.short(json.dumps(value, ensure_ascii=False), 200)
