"""Checks of stage two: what the resource answers (sections 4.3, 4.4, 6.1, 6.3, 9.3 to 9.5)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from pdmigrate.counting import some
from pdmigrate.live.verify import answers, schemas
from pdmigrate.live.verify.answers import MISSING, Exchange, NotAsked, name_of, read, says, text_of
from pdmigrate.live.verify.model import CheckVerdict, Interview, Judge, failed, not_applicable, passed, skipped
from pdmigrate.live.verify.script import UNKNOWN_TOOL
from pdmigrate.model import JsonObject, mapping

_SETTLE = "compare with the server before the migration: --before CMD"
MISSING_TEXT = "You must specify one or more tool names in the 'tools' parameter."


def _one(seen: Interview) -> CheckVerdict:
    single = seen.asked["single"]
    if not seen.names:
        return skipped("the server lists no tools")
    return failed("no entry for a tool", single) if isinstance(single, NotAsked) else _all_there(single)


def _both(seen: Interview) -> CheckVerdict:
    exchange = seen.asked["comma"]
    if isinstance(exchange, NotAsked):
        return not_applicable(exchange.reason) if seen.other is None else skipped(exchange.reason)
    return _all_there(exchange)


def _all_there(exchange: Exchange) -> CheckVerdict:
    missing = [name for name in _selection(exchange) if not answers.serves(exchange, name)]
    return failed(f"no entry for {', '.join(missing)}", exchange) if missing else passed()


def _exact(seen: Interview) -> CheckVerdict:
    """A name in another case is no tool's name."""
    exchange = seen.asked["case"]
    if isinstance(exchange, NotAsked):
        return not_applicable(exchange.reason)
    if not exchange.is_answered:
        return failed("no answer", exchange)
    served = [name for name in (*seen.names, *_selection(exchange)) if answers.serves(exchange, name)]
    if len(served) > 1:
        return skipped("more is answered than was asked for, see 9.4-only")
    return failed(f"the definition of {', '.join(served)} is served", exchange) if served else passed()


def _full(seen: Interview) -> CheckVerdict:
    """Every listed tool has an entry with the fields that section 4.4 asks for."""
    problems = []
    for name in map(name_of, seen.disclosed):
        entry = seen.entries.get(name)
        if entry is None:
            problems.append(f"{name} is not served")
            continue
        good = {
            "name": entry.get("name") == name,
            "description": text_of(entry.get("description")).strip(),
            "inputSchema": mapping(entry.get("inputSchema")).get("type") == "object",
        }
        if wrong := [field for field in good if not good[field]]:
            problems.append(f"{name} has no proper {' and '.join(wrong)}")
    return _all_served(seen, problems)


def _complete(seen: Interview) -> CheckVerdict:
    """A definition has at least what its stub has; whether it has more is for 9.1 and 9.4-fuller."""
    problems = []
    for tool in seen.disclosed:
        name, stub = name_of(tool), mapping(tool.get("inputSchema"))
        entry = seen.entries.get(name, {})
        full = mapping(entry.get("inputSchema"))
        open_ended = full.get("additionalProperties") is True and not full.get("properties")
        if open_ended and stub == full:
            problems.append(f"{name} is served with the placeholder of the list")
        elif lost := schemas.lost(stub, full):
            problems.append(f"{name} lacks {', '.join(lost)}")
        elif schemas.only_names(full) and not _as_before(seen, name, entry):
            problems.append(f"{name} has names of parameters, and says nothing of any")
    return _all_served(seen, problems)


def _fuller(seen: Interview) -> CheckVerdict:
    """Whether a tool that nobody described has nothing more to say, only a comparison with before can tell."""
    judged = [*_comparable(seen)]
    if not judged:
        return not_applicable("no tool with parameters has a short stub and a definition to compare it with")
    fuller = [name_of(tool) for tool, entry in judged if _more_schema(tool, entry)]
    longer = [name_of(tool) for tool, entry in judged if _longer(tool, entry)]
    doubtful = [name_of(tool) for tool, entry in judged if not _as_before(seen, name_of(tool), entry)]
    same = [name for name in doubtful if name not in (*fuller, *longer)]
    if fuller and not same:
        return passed(f"of {len(judged)} tools with parameters and a short stub, {len(fuller)} have a fuller schema")
    if not doubtful:
        return passed("the definitions are those of before the migration")
    if not fuller and not longer:
        counted = f"no definition of {len(judged)} tools with parameters says more than its stub"
        return failed(f"{counted}: these are the stubs again", *seen.fetches[:1], hint=_SETTLE)
    if not fuller:
        return skipped(f"{_SETTLE}; no schema says more than its stub, and nothing shows that the schemas are complete")
    return skipped(f"{_SETTLE}; {len(same)} of {len(judged)} definitions say no more than their stubs: {some(same, 5)}")


def _comparable(seen: Interview) -> Iterator[tuple[JsonObject, JsonObject]]:
    """The tools with parameters and a stub without details, each with its definition."""
    for tool in seen.disclosed:
        if (entry := seen.entries.get(name_of(tool))) is not None:
            stub, full = tool.get("inputSchema"), entry.get("inputSchema")
            detailed = any(schemas.prose(stub)) or any(schemas.nested(stub))
            if not detailed and (schemas.takes_arguments(stub) or schemas.takes_arguments(full)):
                yield tool, entry


def _longer(tool: JsonObject, entry: JsonObject) -> bool:
    return len(text_of(entry.get("description")).strip()) > len(text_of(tool.get("description")).strip())


def _more_schema(tool: JsonObject, entry: JsonObject) -> bool:
    """Whether the definition says more; references may be resolved in a stub, which can make it the longer one."""
    stub, full = tool.get("inputSchema"), entry.get("inputSchema")
    longer = len(json.dumps(full)) > len(json.dumps(stub))
    return stub != full and (longer or bool(schemas.keywords(full) - schemas.keywords(stub)))


def _as_before(seen: Interview, name: str, entry: JsonObject) -> bool:
    old = seen.originals.get(name)
    return old is not None and all(old.get(key) == entry.get(key) for key in ("description", "inputSchema"))


def _all_served(seen: Interview, problems: list[str]) -> CheckVerdict:
    if not seen.disclosed:
        return skipped("the server lists no tools")
    if not seen.entries:
        return failed("no definition was served", seen.asked["single"])
    return failed(some(problems, 5, between="; ", last=", and "), *seen.fetches[:1]) if problems else passed()


def _no_preamble(seen: Interview) -> CheckVerdict:
    single = seen.asked["single"]
    reading = read(single)
    if reading.body is not None and reading.around:
        return failed(f"text around the JSON: {answers.short(reading.around, 120)!r}", single)
    if reading.parts > 1:
        return failed(f"{reading.parts} contents instead of one", single)
    return _nothing_else(seen, listed=False)


def _nothing_else(seen: Interview, *, listed: bool) -> CheckVerdict:
    """Only tools that were asked for are served: no other tool that is ``listed``, and no key that is none."""
    single = seen.asked["single"]
    body = read(single).body
    if body is None or answers.error_code(single) is not None:
        return skipped("no definition was served")
    found = [key for key in body if key not in _selection(single) and (key in seen.names) is listed]
    return failed(f"the answer also holds {', '.join(found)}", single) if found else passed()


def _carries(field: str) -> Judge:

    def judge(seen: Interview) -> CheckVerdict:
        entries = seen.entries
        without = [name for name, entry in entries.items() if not entry.get(field)]
        if not entries:
            return skipped("no definition was served")
        return failed(f"{len(without)} of {len(entries)} definitions have none") if without else passed()

    return judge


def _missing_body(seen: Interview) -> CheckVerdict:
    """The body of section 6.1: its message is fixed, its examples may name this server's tools, fields may be added."""
    base = seen.asked["base"]
    if not says(base, MISSING):
        return skipped("the answer is another one, see 9.5")
    error = mapping((read(base).body or {}).get("error"))
    examples = error.get("examples")
    problems = ["not the contents of a read"] if answers.result_of(base) is None else []
    if error.get("message") != MISSING_TEXT:
        problems.append(f"message is {error.get('message')!r}")
    listed = examples if isinstance(examples, list) else []
    if not listed or not all(isinstance(item, str) and answers.selected(item) for item in listed):
        problems.append(f"examples is {answers.short(str(examples), 100)}")
    return failed("; ".join(problems), base) if problems else passed()


def _unknown(seen: Interview) -> CheckVerdict:
    exchange = seen.asked["unknown"]
    if isinstance(exchange, NotAsked) or not exchange.is_answered:
        return failed("no answer", exchange)
    body = read(exchange).body or {}
    entry = mapping(body.get(UNKNOWN_TOOL))
    problems = []
    if entry.get("error") != f"Tool '{UNKNOWN_TOOL}' not found":
        problems.append(f"the entry is {answers.short(str(body.get(UNKNOWN_TOOL, 'not there')), 160)}")
    elif not isinstance(entry.get("available_tools"), list):
        problems.append("the entry has no available_tools")
    if seen.other is not None and not answers.serves(exchange, seen.other):
        problems.append(f"the known tool {seen.other}, asked for beside it, is not served")
    return failed("; ".join(problems), exchange) if problems else passed()


def _available(seen: Interview) -> CheckVerdict:
    body = read(seen.asked["unknown"]).body or {}
    available = mapping(body.get(UNKNOWN_TOOL)).get("available_tools")
    if not isinstance(available, list):
        return skipped("the answer has no available_tools, see 6.3")
    if hidden := [str(name) for name in available if name not in seen.names]:
        return failed(f"it names what is not in tools/list: {', '.join(hidden)}", seen.asked["unknown"])
    return passed()


def _selection(exchange: Exchange | NotAsked) -> list[str]:
    return answers.selected(text_of(exchange.params.get("uri"))) if isinstance(exchange, Exchange) else []


JUDGES: dict[str, Judge] = {
    "9.3": _one,
    "9.3-comma": _both,
    "9.3-exact": _exact,
    "9.4": _full,
    "9.4-schema": _complete,
    "9.4-fuller": _fuller,
    "9.4-only": partial(_nothing_else, listed=True),
    "9.4-preamble": _no_preamble,
    "3.2-examples": _carries("examples"),
    "3.2-errors": _carries("error_guidance"),
    "9.5": lambda seen: passed() if says(seen.asked["base"], MISSING) else failed("another answer", seen.asked["base"]),
    "9.5-body": _missing_body,
    "6.3": _unknown,
    "6.3-available": _available,
}
