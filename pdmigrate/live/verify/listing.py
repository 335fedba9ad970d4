"""Checks of stage one: what ``tools/list`` says (sections 3.1 and 9.1).

Prose is judged by signs of detail that need no reader, in doubt in the server's favour.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable

from pdmigrate.counting import some
from pdmigrate.describe.details import Details
from pdmigrate.live.verify import schemas
from pdmigrate.live.verify.answers import name_of, short, text_of
from pdmigrate.live.verify.comparison import differences
from pdmigrate.live.verify.model import CheckVerdict, Interview, Judge, failed, not_applicable, passed
from pdmigrate.live.wire import WireError
from pdmigrate.model import DISCLOSED_FIELDS, JsonObject, JsonValue

_BARE = 200
"""How long a description may be that need not be shortened: the longest summary."""
_RETURNS = re.compile(r"(?im)(?:^|[.;:]\s)[ \t]*returns[ \t]*:|\"(?:type|properties|inputSchema)\"\s*:")
"""What only a docstring's sections or a JSON Schema in prose hold."""
_WHEN = re.compile(r"(?i)\b(?:call|use) (?:this|it)\b")
"""A sentence that says when a tool is the right one, which is what stage one is for."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|,? (?:and )?then (?=[a-z])")


def _minimal(seen: Interview) -> CheckVerdict:
    """The list is smaller than the definitions, unless every description is short and no schema has prose."""
    if not seen.tools:
        return failed("the server lists no tools, so there is nothing to verify")
    entries = seen.entries
    compared = [tool for tool in seen.disclosed if name_of(tool) in entries]
    if not compared:
        size = _size(seen.tools)
        return failed(f"tools/list sends {size} bytes and no second stage was found to compare it with")
    listed, full = _size(map(_disclosed, compared)), _size(_disclosed(entries[name_of(tool)]) for tool in compared)
    if listed < full:
        return passed(f"{listed} bytes of descriptions and schemas in the list, {full} in the definitions")
    if all(len(_text(tool)) <= _BARE and not any(schemas.prose(tool.get("inputSchema"))) for tool in compared):
        return passed("the list is short, and so are the definitions: see 9.4-fuller")
    return failed(f"tools/list sends {listed} bytes of descriptions and schemas, the full definitions are {full}")


def _described(seen: Interview, tool: JsonObject) -> str | None:
    """A name is no description, unless the definition has no other either."""
    name, text = name_of(tool), _text(tool).strip()
    full = text_of(seen.entries.get(name, {}).get("description")).strip()
    if not any(map(str.isalnum, text)):
        return "no description to choose it by"
    return "described by its name alone" if text == name and full not in ("", name) else None


def _not_whole_text(seen: Interview, tool: JsonObject) -> str | None:
    """A description that is longer than a summary may be does not hold that of the definition."""
    listed, full = _one_line(_text(tool)), _one_line(text_of(seen.entries.get(name_of(tool), {}).get("description")))
    return f"the whole description, {len(listed)} characters" if len(full) > _BARE and full in listed else None


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _constant(seen: Interview) -> CheckVerdict:
    for listing, when in ((seen.relisted, "after the fetches"), (seen.second_listing, "on a second session")):
        if isinstance(listing, WireError):
            return failed(f"tools/list {when}: {short(listing.message)}")
        if differs := next(differences([*seen.tools], [*listing], "tools"), None):
            return failed(f"tools/list {when} differs: {differs}")
    return passed("the same on both sessions, before and after the fetches")


# --- prose ------------------------------------------------------------------------------------------------------------


def parameter_list(text: str) -> str | None:
    """The first place where a text describes parameters rather than a purpose; ``None`` if there is none."""
    return _details(text, _PARAMETER_KINDS) or _around(_RETURNS.search(text), text)


def example(text: str) -> str | None:
    """The first place where a text shows a call, its arguments or an example; ``None`` if there is none."""
    return _details(text, _EXAMPLE_KINDS)


def usage(text: str) -> str | None:
    """The first sentence of a text that gives an order of steps or a rule for the call; ``None`` if there is none."""
    steps = (each for each in _SENTENCE.split(text) if Details().is_step(each) and not _WHEN.search(each))
    return next((" ".join(step.split()) for step in steps), None)


_PARAMETER_KINDS = frozenset({"list", "needs", "field", "parameters", None})
_EXAMPLE_KINDS = frozenset({"call", "quoted", "quoted_value", "set", "json", "code", "examples"})


def _details(text: str, kinds: frozenset[str | None]) -> str | None:
    for match in Details().every(text):
        kind = match.lastgroup
        if kind == "label":
            kind = "examples" if re.match(r"(?i)usage|example|sample", match["label"]) else "parameters"
        if kind in kinds:
            return _around(match, text)
    return None


def _around(match: re.Match[str] | None, text: str) -> str | None:
    return " ".join(text[match.start() : match.end() + 20].split()) if match else None


def _each(problem: Callable[[Interview, JsonObject], str | None]) -> Judge:
    """Make one verdict on all listed tools except the bridge, which is not disclosed in stages."""

    def judge(seen: Interview) -> CheckVerdict:
        if not seen.disclosed:
            return not_applicable("the server lists no tools")
        found = [f"{name_of(tool)}: {text}" for tool in seen.disclosed if (text := problem(seen, tool)) is not None]
        named = some(found, 5, between="; ", last=", and ")
        return failed(f"{len(found)} of {len(seen.disclosed)} tools: {named}") if found else passed()

    return judge


def _no_text(what: str, find: Callable[[str], str | None]) -> Judge:

    def problem(_seen: Interview, tool: JsonObject) -> str | None:
        place = find(_text(tool))
        return None if place is None else f"{what} ({short(place, 60)!r})"

    return _each(problem)


def _no_schema(what: str, find: Callable[[JsonValue], Iterable[str]]) -> Judge:
    return _each(lambda _seen, tool: next((f"{what} {place}" for place in find(tool.get("inputSchema"))), None))


def _text(tool: JsonObject) -> str:
    return text_of(tool.get("description"))


def _disclosed(tool: JsonObject) -> JsonObject:
    return {key: tool[key] for key in DISCLOSED_FIELDS if key in tool}


def _size(tools: Iterable[JsonObject]) -> int:
    return len(json.dumps([*tools], separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass"))


JUDGES: dict[str, Judge] = {
    "9.1": _minimal,
    "9.1-described": _each(_described),
    "9.1-parameters": _no_text("describes parameters", parameter_list),
    "9.1-examples": _no_text("holds examples", example),
    "9.1-usage": _no_text("instructs", usage),
    "9.1-text": _each(_not_whole_text),
    "9.1-prose": _no_schema("prose at", schemas.prose),
    "9.1-nested": _no_schema("properties inside properties at", schemas.nested),
    "3.1-constant": _constant,
}
