"""Checks of stage one: what ``tools/list`` says (sections 3.1 and 9.1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable

from pdmigrate.counting import some
from pdmigrate.describe.summaries import summaries
from pdmigrate.live.verify import schemas, wording
from pdmigrate.live.verify.answers import Broken, name_of, short, text_of
from pdmigrate.live.verify.interview import Interview
from pdmigrate.live.verify.model import CheckVerdict, Judge, failed, not_applicable, passed
from pdmigrate.model import DISCLOSED_FIELDS, JsonObject, JsonValue, mapping

_BARE = 200
"""How long a description may be that need not be shortened: the longest summary."""
_FEW = 2
"""How many tools may be listed with their whole short descriptions though none is listed otherwise."""
_LONGEST = 500
"""How long a stage-one description may be: two or three sentences."""


def _minimal(seen: Interview) -> CheckVerdict:
    """The list is smaller than the definitions, unless every description is short and no schema has prose."""
    if not seen.tools:
        return failed("the server lists no tools, so there is nothing to verify")
    entries = seen.entries
    compared = [tool for tool in seen.disclosed if name_of(tool) in entries]
    if not compared:
        size = _size(list(seen.tools))
        return failed(f"tools/list sends {size} bytes and no second stage was found to compare it with")
    listed = _size([{key: tool[key] for key in DISCLOSED_FIELDS if key in tool} for tool in compared])
    full = _size(
        [{key: entries[name_of(t)][key] for key in DISCLOSED_FIELDS if key in entries[name_of(t)]} for t in compared]
    )
    if listed < full:
        return passed(f"{listed} bytes of descriptions and schemas in the list, {full} in the definitions")
    if all(_bare(tool) for tool in compared):
        return passed("the list is short, and so are the definitions: see 9.4-fuller")
    return failed(f"tools/list sends {listed} bytes of descriptions and schemas, the full definitions are {full}")


def _described(_seen: Interview, tool: JsonObject) -> str | None:
    return None if any(map(str.isalnum, _text(tool))) else "no description to choose it by"


def _not_its_name(seen: Interview, tool: JsonObject) -> str | None:
    """A description that only repeats the name says nothing; it passes only if the definition has no other text."""
    name, text = name_of(tool), _text(tool).strip()
    full = text_of(seen.entries.get(name, {}).get("description")).strip()
    if not wording.only_names(text, name) or wording.only_names(full, name) or not any(map(str.isalnum, full)):
        return None
    # "Read note." may be the first sentence of a description; "read_note" cannot.
    own_words = text != name and full.startswith(text)
    return None if own_words else f"described as {short(text, 60)!r} and no more"


def _not_whole_text(seen: Interview) -> CheckVerdict:
    """No listed description is that of the definition, where it holds more than a summary could.

    A summary has at most ``_BARE`` characters.  A definition's description that is no longer may be its own summary,
    and a listed one that is no longer is a summary even of a text that is hardly longer; neither is compared.  A longer
    one must not hold the definition's description, nor nine tenths of it.  Short ones are whole texts where not a
    single one of several was shortened.
    """
    never_shortened = _never_shortened(seen)

    def problem(_seen: Interview, tool: JsonObject) -> str | None:
        listed = _one_line(_text(tool))
        full = _one_line(text_of(seen.entries.get(name_of(tool), {}).get("description")))
        if name_of(tool) in never_shortened:
            return f"the whole description, {len(listed)} characters, as with every tool that could be shortened"
        if min(len(listed), len(full)) <= _BARE:
            return None
        whole = full.casefold() in listed.casefold() or 10 * len(listed) >= 9 * len(full)
        return f"the whole description, {len(_text(tool))} characters" if whole else None

    return _each(problem)(seen)


def _never_shortened(seen: Interview) -> list[str]:
    """The tools whose descriptions could be shortened, if there are several and each is listed as it is served."""
    full = {name_of(tool): seen.entries.get(name_of(tool), {}).get("description") for tool in seen.disclosed}
    short = summaries(full)
    longer = [name for name in short if len(short[name]) < len(_one_line(text_of(full[name])))]
    listed = {name_of(tool): _one_line(_text(tool)) for tool in seen.disclosed}
    whole = len(longer) > _FEW and all(listed[name] == _one_line(text_of(full[name])) for name in longer)
    return longer if whole else []


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip(".")


def _brief(_seen: Interview, tool: JsonObject) -> str | None:
    length = len(_text(tool))
    return f"{length} characters" if length > _LONGEST else None


def _parameters(seen: Interview, tool: JsonObject) -> set[str]:
    """The names of a tool's parameters, as listed and as defined."""
    both = (tool, seen.entries.get(name_of(tool), {}))
    return {name for each in both for name in mapping(mapping(each.get("inputSchema")).get("properties"))}


def _not_whole(seen: Interview, tool: JsonObject) -> str | None:
    """No listed schema equals the definition's, unless the definition's holds nothing but names and types."""
    schema = tool.get("inputSchema")
    if schema != seen.entries.get(name_of(tool), {}).get("inputSchema"):
        return None
    kinds = (schemas.prose, schemas.nested, schemas.rules)
    return _first("the schema of the definition, with", (place for kind in kinds for place in kind(schema)))


def _constant(seen: Interview) -> CheckVerdict:
    for listing, when in ((seen.relisted, "after the fetches"), (seen.second_listing, "on a second session")):
        if isinstance(listing, Broken):
            return failed(f"tools/list {when}: {short(listing.reason)}")
        if listing != seen.tools:
            return failed(f"tools/list {when} differs: {_difference(seen.tools, listing)}")
    return passed("the same on both sessions, before and after the fetches")


# --- helpers ----------------------------------------------------------------------------------------------------------


def _each(problem: Callable[[Interview, JsonObject], str | None]) -> Judge:
    """Make one verdict on all listed tools except the bridge, which is not disclosed in stages."""

    def judge(seen: Interview) -> CheckVerdict:
        if not seen.disclosed:
            return not_applicable("the server lists no tools")
        found = [f"{name_of(tool)}: {text}" for tool in seen.disclosed if (text := problem(seen, tool)) is not None]
        named = some(found, 5, between="; ", last=", and ")
        return failed(f"{len(found)} of {len(seen.disclosed)} tools: {named}") if found else passed()

    return judge


def _no_text(what: str, find: Callable[[str, Collection[str]], str | None]) -> Judge:
    """Judge by what is found in the text of a tool with these parameters."""

    def problem(seen: Interview, tool: JsonObject) -> str | None:
        place = find(_text(tool), _parameters(seen, tool))
        return None if place is None else f"{what} ({short(place, 60)!r})"

    return _each(problem)


def _no_schema(what: str, find: Callable[[JsonValue], Iterable[str]]) -> Judge:
    """Judge by the places that are found in the input schema of a tool."""
    return _each(lambda _seen, tool: _first(what, find(tool.get("inputSchema"))))


def _first(what: str, places: Iterable[str]) -> str | None:
    return next((f"{what} {place}" for place in places), None)


def _text(tool: JsonObject) -> str:
    return text_of(tool.get("description"))


def _size(value: JsonValue) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _bare(tool: JsonObject) -> bool:
    return len(_text(tool)) <= _BARE and not any(schemas.prose(tool.get("inputSchema")))


def _difference(before: tuple[JsonObject, ...], after: tuple[JsonObject, ...]) -> str:
    old, new = [name_of(tool) for tool in before], [name_of(tool) for tool in after]
    if sorted(old) == sorted(new) and old != new:
        return "another order"
    if old != new:
        return f"other tools ({', '.join(sorted(set(old) ^ set(new)))})"
    return f"other text or schema for {', '.join(n for n, a, b in zip(old, before, after, strict=True) if a != b)}"


JUDGES: dict[str, Judge] = {
    "9.1": _minimal,
    "9.1-described": _each(_described),
    "9.1-name": _each(_not_its_name),
    "9.1-parameters": _no_text("describes parameters", wording.parameter_list),
    "9.1-examples": _no_text("holds examples", lambda text, _: wording.example(text)),
    "9.1-usage": _no_text("instructs", wording.usage),
    "9.1-text": _not_whole_text,
    "9.1-length": _each(_brief),
    "9.1-prose": _no_schema("prose at", schemas.prose),
    "9.1-nested": _no_schema("properties inside properties at", schemas.nested),
    "9.1-whole": _each(_not_whole),
    "3.1-constant": _constant,
}
