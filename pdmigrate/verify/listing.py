"""Checks of stage one: what ``tools/list`` says (sections 3.1 and 9.1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from pdmigrate.model import DISCLOSED_FIELDS, JsonObject, JsonValue
from pdmigrate.verify import wording
from pdmigrate.verify.answers import mapping, name_of, objects, short, text_of
from pdmigrate.verify.interview import Interview
from pdmigrate.verify.model import Broken, Check, Level, Verdict, failed, not_applicable, passed, skipped

CUT = 2048
"""Characters of a tool's description, and of the instructions, that a widespread client keeps."""
_BARE = 200


def _minimal(seen: Interview) -> Verdict:
    """Less than the definitions; equal is right only where there is nothing to leave out."""
    if not seen.tools:
        return skipped("the server lists no tools")
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
        return passed("the definitions are so short that there is nothing to leave out")
    return failed(f"tools/list sends {listed} bytes of descriptions and schemas, the full definitions are {full}")


def _described(seen: Interview) -> Verdict:
    return _each(seen, lambda tool: None if any(map(str.isalnum, _text(tool))) else "no description to choose it by")


def _no_parameters(seen: Interview) -> Verdict:
    return _each(
        seen, lambda tool: _quoted("lists parameters", wording.parameter_list(text_of(tool.get("description"))))
    )


def _no_examples(seen: Interview) -> Verdict:
    return _each(seen, lambda tool: _quoted("holds examples", wording.example(_text(tool))))


def _simple_schema(seen: Interview) -> Verdict:
    return _each(seen, lambda tool: next((f"prose at {path}" for path in _prose(tool.get("inputSchema"))), None))


def _object_schema(seen: Interview) -> Verdict:
    """What providers reject: a schema that is no object, or an object without ``properties``."""

    def problem(tool: JsonObject) -> str | None:
        schema = mapping(tool.get("inputSchema"))
        if schema.get("type") != "object":
            return "inputSchema is not of type object"
        return None if isinstance(schema.get("properties"), dict) else "inputSchema has no properties"

    return _each(seen, problem)


def _array_items(seen: Interview) -> Verdict:
    return _each(seen, lambda tool: next((f"no items at {p}" for p in _open_arrays(tool.get("inputSchema"))), None))


def _length(seen: Interview) -> Verdict:
    long = [f"the description of {name_of(tool)}" for tool in seen.tools if len(_text(tool)) > CUT]
    if len(text_of(seen.server.get("instructions"))) > CUT:
        long.append("the instructions")
    if len(text_of((seen.descriptor or {}).get("description"))) > CUT:
        long.append("the description of the resource")
    return failed(f"longer than {CUT} characters: {', '.join(long)}") if long else passed()


def _constant(seen: Interview) -> Verdict:
    for listing, when in ((seen.relisted, "after the fetches"), (seen.second_listing, "on a second session")):
        if isinstance(listing, Broken):
            return failed(f"tools/list {when}: {short(listing.reason)}")
        if listing != seen.tools:
            return failed(f"tools/list {when} differs: {_difference(seen.tools, listing)}")
    return passed("the same on both sessions, before and after the fetches")


CHECKS = (
    Check(
        "9.1",
        "3.1",
        Level.MUST,
        "tools/list sends less than the definitions",
        "minimal descriptions in tools/list",
        _minimal,
    ),
    Check(
        "9.1-described",
        "3.1",
        Level.MUST,
        "every tool has a description",
        "each description complete enough to select the tool",
        _described,
    ),
    Check(
        "9.1-parameters",
        "3.1",
        Level.MUST,
        "no parameter lists in stage-1 descriptions",
        "descriptions without detailed parameter schemas",
        _no_parameters,
        "move what describes parameters to the full definition",
    ),
    Check(
        "9.1-examples",
        "3.1",
        Level.MUST,
        "no examples in stage-1 descriptions",
        "descriptions without examples or usage instructions",
        _no_examples,
        "move the example to the full definition",
    ),
    Check(
        "3.1-prose",
        "3.1",
        Level.SHOULD,
        "listed input schemas are simplified",
        "input schemas in tools/list omitted or simplified",
        _simple_schema,
    ),
    Check(
        "3.1-properties",
        "3.1",
        Level.ADVICE,
        "listed input schemas are safe for model providers",
        "an inputSchema of type object with properties: some providers and clients reject a tool without them",
        _object_schema,
    ),
    Check(
        "3.1-items",
        "3.1",
        Level.ADVICE,
        "listed arrays say what they hold",
        "items with a type in every array: some clients reject the whole server otherwise",
        _array_items,
    ),
    Check(
        "3.1-length",
        "3.1",
        Level.ADVICE,
        f"no text is longer than {CUT} characters",
        "texts that clients do not cut",
        _length,
    ),
    Check(
        "3.1-constant",
        "3.1",
        Level.MUST,
        "tools/list never changes by fetching",
        "one list, in one order, for everyone and at any time: clients and models cache it",
        _constant,
        "never replace a stub by its definition after a fetch",
    ),
)


# --- helpers ----------------------------------------------------------------------------------------------------------


def _each(seen: Interview, problem: Callable[[JsonObject], str | None]) -> Verdict:
    """One verdict on all the listed tools, but for the bridge, which is not disclosed in stages."""
    if not seen.disclosed:
        return not_applicable("the server lists no tools")
    found = [f"{name_of(tool)}: {text}" for tool in seen.disclosed if (text := problem(tool)) is not None]
    more = f", and {len(found) - 5} more" if len(found) > 5 else ""
    return failed(f"{len(found)} of {len(seen.disclosed)} tools: {'; '.join(found[:5])}{more}") if found else passed()


def _quoted(what: str, place: str | None) -> str | None:
    return None if place is None else f"{what} ({short(place, 60)!r})"


def _text(tool: JsonObject) -> str:
    return text_of(tool.get("description"))


def _size(value: JsonValue) -> int:
    return len(json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _disclosed_size(tool: JsonObject) -> int:
    return _size({key: tool[key] for key in DISCLOSED_FIELDS if key in tool})


def _bare(tool: JsonObject) -> bool:
    return len(_text(tool)) <= _BARE and not any(_prose(tool.get("inputSchema")))


def _schemas(schema: JsonValue, path: str = "inputSchema") -> Iterator[tuple[str, JsonObject]]:
    """A schema and those inside it, with the path to each."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for key in ("properties", "$defs", "definitions"):
        for name, value in mapping(schema.get(key)).items():
            yield from _schemas(value, f"{path}.{key}.{name}")
    for key in ("items", "additionalProperties", "not"):
        yield from _schemas(schema.get(key), f"{path}.{key}")
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for index, value in enumerate(objects(schema.get(key))):
            yield from _schemas(value, f"{path}.{key}[{index}]")


def _prose(schema: JsonValue) -> Iterator[str]:
    return (path for path, part in _schemas(schema) if "description" in part or "examples" in part)


def _open_arrays(schema: JsonValue) -> Iterator[str]:
    for path, part in _schemas(schema):
        if part.get("type") == "array" and "prefixItems" not in part:
            items = mapping(part.get("items"))
            if not {"type", "anyOf", "oneOf", "allOf", "$ref", "enum", "const"} & set(items):
                yield path


def _difference(before: tuple[JsonObject, ...], after: tuple[JsonObject, ...]) -> str:
    old, new = [name_of(tool) for tool in before], [name_of(tool) for tool in after]
    if sorted(old) == sorted(new) and old != new:
        return "another order"
    if old != new:
        return f"other tools ({', '.join(sorted(set(old) ^ set(new)))})"
    return f"other text or schema for {', '.join(n for n, a, b in zip(old, before, after, strict=True) if a != b)}"
