"""Judging two recordings: what differs that should not.  Pure, and with as little of pdmigrate in it as can be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from benchmarks.migrate.recording import Migrated, Recording
from pdmigrate.model import DEFINING_FIELDS, DISCLOSED_FIELDS, TOOL_FIELDS, JsonObject, JsonValue
from pdmigrate.runtime.stubs import skeleton_schema

OURS = "tool_descriptions"
REFUSAL = "TOOL_DESCRIPTION_REQUIRED"

NO_SUCH_METHOD = -32601
_TRACEBACK = re.compile(r"(?<=, line )\d+")
PARTS = ("resources", "templates", "prompts", "server", "unknown")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Counts, and a sentence for each difference."""

    tools: int
    stubbed: int
    definitions: int
    """Fetched definitions that are those of before."""
    invalid: int
    """Calls without arguments, before the migration."""
    invalid_equal: int
    """Those with the same answer straight after the fetch, in both sessions."""
    bytes_before: int
    """What ``tools/list`` sends, as compact JSON."""
    bytes_after: int
    problems: tuple[str, ...]
    unsettled: tuple[str, ...]
    """What two starts of the unmigrated server disagree on, or do not answer at all; not compared."""


def compare(before: Recording, again: Recording, after: Migrated) -> Comparison:
    """``before`` and ``again`` are two starts of the unmigrated server: where they differ, nothing can be compared."""
    unsettled = set(_unsettled(before, again))
    truth = {_name(tool): tool for tool in before.tools}
    listing = {_name(tool): tool for tool in after.listed.tools}
    shared = [name for name in truth if name in listing]
    definitions = {name: tuple(_definition(truth[name], after.entries.get(name), unsettled)) for name in truth}
    answers = {name: tuple(_answers(name, before, after)) for name in before.answers if f"call {name}" not in unsettled}
    stubs = {name: tuple(_stub(truth[name], listing[name])) for name in shared}
    problems = [
        *_names(before, after.listed),
        *(problem for name in shared for problem in _kept(truth[name], listing[name])),
        *(problem for group in (stubs, definitions, answers) for found in group.values() for problem in found),
        *(problem for name in truth for problem in _gate(name, after)),
        *(p for p in _around(before, after.listed) if p.partition(":")[0] not in unsettled),
    ]
    return Comparison(
        tools=len(truth),
        stubbed=sum(not found for found in stubs.values()),
        definitions=sum(not found for found in definitions.values()),
        invalid=len(answers),
        invalid_equal=sum(not found for found in answers.values()),
        bytes_before=_size(before.tools),
        bytes_after=_size(after.listed.tools),
        problems=tuple(problems),
        unsettled=tuple(sorted(unsettled)),
    )


def copies(before: Recording, again: Recording, files: Iterable[JsonObject]) -> tuple[dict[str, int], tuple[str, ...]]:
    """What description files say of the listed tools, counted, and a sentence for each that says something else.

    A field that source does not settle is not in the file; the running server is the only one who knows it.
    """
    unsettled = set(_unsettled(before, again))
    counts = {"whole": 0, "part": 0, "none": 0}
    problems: list[str] = []
    described = [*files]
    for tool in before.tools:
        # Two servers of one tree may have a tool of one name; the file that says the same is this one's.
        own = [
            (tuple(_copy(tool, file, unsettled)), file) for file in described if file.get("name") == tool.get("name")
        ]
        found, file = min(own, key=lambda pair: len(pair[0]), default=((), {}))
        counts["whole" if all(key in file for key in tool) else "part" if file else "none"] += 1
        problems += found
    return counts, tuple(problems)


# --- parts ------------------------------------------------------------------------------------------------------------


def _unsettled(before: Recording, again: Recording) -> Iterator[str]:
    """The names of what is not the same at every start, as the other parts begin their sentences."""
    later = {_name(tool): tool for tool in again.tools}
    for tool in before.tools:
        other = later.get(_name(tool), {})
        yield from (f"{_name(tool)}.{key}" for key in tool if not same(tool[key], other.get(key)))
    for name, answer in before.answers.items():
        unanswered = isinstance(answer, dict) and "no answer" in answer
        if unanswered or not same(answer, again.answers.get(name)):
            yield f"call {name}"
    yield from (part for part, _, _ in _parts(before, again))


def _names(before: Recording, after: Recording) -> Iterator[str]:
    """The same order, and one more tool at the end."""
    old, new = [_name(tool) for tool in before.tools], [_name(tool) for tool in after.tools]
    if new[:-1] != old or not new[-1].endswith("_describe_tools"):
        yield f"names: {old} became {new}"


def _kept(old: JsonObject, new: JsonObject) -> Iterator[str]:
    for key in (*old, *(key for key in new if key not in old)):
        if key not in DISCLOSED_FIELDS and not same(old.get(key), new.get(key)):
            yield f"{_name(old)}.{key}: {_short(old.get(key))} is listed as {_short(new.get(key))}"


def _stub(old: JsonObject, new: JsonObject) -> Iterator[str]:
    """The listing says less, or the same where there was nothing to shorten."""
    schema = old.get("inputSchema")
    if isinstance(schema, dict) and not same(new.get("inputSchema"), skeleton_schema(schema)):
        yield f"{_name(old)}.inputSchema: listed as {_short(new.get('inputSchema'))}, which is not its stub"
    text, full = new.get("description"), old.get("description")
    if not str(full or "").strip():
        if not same(text, full):
            yield f"{_name(old)}.description: {_short(full)} is listed as {_short(text)}"
    elif not isinstance(text, str) or not text.strip():
        yield f"{_name(old)}.description: the stub has none"
    elif len(text) > len(str(full)):
        yield f"{_name(old)}.description: the stub's is longer than it was"


def _definition(old: JsonObject, entry: JsonValue, unsettled: set[str]) -> Iterator[str]:
    """Every field of before is in the fetched entry, and no other field of a tool."""
    if not isinstance(entry, dict) or "error" in entry or "name" not in entry:
        yield f"{_name(old)}: fetched {_short(entry)}"
        return
    for key in TOOL_FIELDS:
        needed = key in old if key in (*DEFINING_FIELDS, "name") else key in old and key in entry
        if f"{_name(old)}.{key}" in unsettled or not (needed or key in entry):
            continue
        if key == "description" and not str(old.get(key) or "").strip():
            continue  # section 4.4 wants one all the same, and gets what the stub says; verify sees to it
        if not same(old.get(key), entry.get(key)):
            yield f"{_name(old)}.{key}: {first_difference(old.get(key), entry.get(key))} in the definition"


def _copy(tool: JsonObject, file: JsonObject, unsettled: set[str]) -> Iterator[str]:
    """What a description file says otherwise than the server did."""
    for key in TOOL_FIELDS:
        if key in file and f"{_name(tool)}.{key}" not in unsettled and not same(tool.get(key), file[key]):
            yield f"{_name(tool)}.{key}: {first_difference(tool.get(key), file[key])} in the file"


def _answers(name: str, before: Recording, after: Migrated) -> Iterator[str]:
    for session, answers in (("fetched", after.listed.answers), ("fetched without a listing", after.unlisted)):
        if not same(_without_lines(before.answers[name]), _without_lines(answers.get(name))):
            difference = first_difference(before.answers[name], answers.get(name))
            yield f"call {name}: {difference} when called without arguments, {session}"


def _without_lines(answer: JsonValue) -> JsonValue:
    """An answer without the line numbers of a traceback in it: a file with three more lines has other ones."""
    text = json.dumps(answer)
    return answer if "Traceback" not in text else _TRACEBACK.sub("?", text)


def _gate(name: str, after: Migrated) -> Iterator[str]:
    answer = after.refusals.get(name)
    refused = isinstance(answer, dict) and answer.get("isError") is True and REFUSAL in json.dumps(answer)
    if name in after.refusals and not refused:
        yield f"gate {name}: {_short(answer)} before the fetch"


def _around(before: Recording, after: Recording) -> Iterator[str]:
    """Everything that is not a tool."""
    yield from (f"{part}: {first_difference(old, new)}" for part, old, new in _parts(before, after))
    text, longer = before.server.get("instructions") or "", after.server.get("instructions") or ""
    if not str(longer).startswith(str(text)):
        yield f"instructions: {_short(longer)} does not begin with {_short(text)}"


def _parts(before: Recording, after: Recording) -> Iterator[tuple[str, JsonValue, JsonValue]]:
    """The parts that differ."""
    had_resources = _has_resources(before)
    for part in PARTS:
        old = _part(before, part, had_resources=had_resources)
        new = _part(after, part, had_resources=had_resources)
        if not same(old, new):
            yield part, old, new


def _part(recording: Recording, part: str, *, had_resources: bool) -> JsonValue:
    """One part without what a migration adds to it."""
    value: dict[str, JsonValue] = {
        "resources": [one for one in _entries(recording.resources) if OURS not in str(one.get("uri"))],
        "templates": [one for one in _entries(recording.templates) if OURS not in str(one.get("uriTemplate"))],
        "prompts": [*_entries(recording.prompts)],
        "server": _server(recording.server, had_resources=had_resources),
        "unknown": recording.unknown,
    }
    return value[part]


def fails(listed: tuple[JsonObject, ...]) -> bool:
    """Whether a list was answered with an error other than that there is no such list."""
    return any("error" in one for one in _entries(listed))


def _entries(listed: tuple[JsonObject, ...]) -> tuple[JsonObject, ...]:
    """A list; one that the server does not have at all is empty, and any other error stays what it is."""
    return tuple(one for one in listed if not _is_missing(one.get("error")))


def _is_missing(error: JsonValue) -> bool:
    return isinstance(error, dict) and error.get("code") == NO_SUCH_METHOD


def _server(server: JsonObject, *, had_resources: bool) -> JsonObject:
    """What ``initialize`` says, but for the end of the instructions and a capability that was not there before."""
    kept = {key: value for key, value in server.items() if key != "instructions"}
    capabilities = kept.get("capabilities")
    if isinstance(capabilities, dict) and not had_resources:
        kept["capabilities"] = {key: value for key, value in capabilities.items() if key != "resources"}
    return kept


def _has_resources(recording: Recording) -> bool:
    capabilities = recording.server.get("capabilities")
    return isinstance(capabilities, dict) and "resources" in capabilities


# --- values -----------------------------------------------------------------------------------------------------------


def same(left: JsonValue, right: JsonValue) -> bool:
    """Equality of JSON as it is written: ``true`` is not ``1``; the order of keys means nothing."""
    return _canonical(left) == _canonical(right)


def first_difference(left: JsonValue, right: JsonValue, path: str = "") -> str:
    """Where two values part, and how."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in (*left, *(key for key in right if key not in left)):
            if not same(left.get(key), right.get(key)) or (key in left) is not (key in right):
                return first_difference(left.get(key), right.get(key), f"{path}.{key}".lstrip("."))
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            if not same(one, other):
                return first_difference(one, other, f"{path}[{index}]")
    where = f"{path} was " if path else ""
    return f"{where}{_short(left)}, is {_short(right)}"


def _size(tools: tuple[JsonObject, ...]) -> int:
    return len(json.dumps(tools, separators=(",", ":"), ensure_ascii=False).encode())


def _canonical(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _name(tool: JsonObject) -> str:
    return str(tool.get("name"))


def _short(value: JsonValue) -> str:
    text = _canonical(value)
    return text if len(text) <= 120 else f"{text[:80]} ... {text[-30:]}"
