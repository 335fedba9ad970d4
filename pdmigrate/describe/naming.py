"""Names in a description file that name nothing: misspelt fields, placeholders that are no parameter, absent tools."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches

from pdmigrate.describe.json_lines import Path
from pdmigrate.model import JsonObject, JsonValue, mapping

_PLACEHOLDER = re.compile(r"\{([A-Za-z_][\w.-]*)\}")
_EQUIVALENTS = ("cliEquivalent", "apiEquivalent")


def misnamed(content: JsonObject, schema: JsonObject, tools: Collection[str] | None) -> Iterator[tuple[Path, str]]:
    """The places of names that name nothing, and what is wrong with each.

    ``schema`` is the JSON Schema of description files, ``tools`` are all tools of the server; ``None`` if more may be
    listed than are known.
    """
    yield from _misspelt(content, schema, schema, ())
    own = content.get("dashdash")
    if not isinstance(own, dict):
        return
    full = content.get("inputSchema")
    parameters = full.get("properties", {}) if isinstance(full, dict) else None
    for field in _EQUIVALENTS if isinstance(parameters, dict) else ():
        for name in dict.fromkeys(_PLACEHOLDER.findall(str(own.get(field, "")))):
            if name not in mapping(parameters):
                yield ("dashdash", field), f"{{{name}}} of dashdash.{field} is not a parameter of the tool"
    reverse = own.get("reverseMethod")
    if tools is not None and isinstance(reverse, str) and reverse not in tools:
        yield ("dashdash", "reverseMethod"), f'dashdash.reverseMethod "{reverse}" is no tool of the server'


def _misspelt(value: JsonValue, schema: JsonValue, root: JsonObject, place: Path) -> Iterator[tuple[Path, str]]:
    """Fields that are not in the schema but nearly; others are allowed, and passed on."""
    known = _resolved(schema, root)
    if isinstance(value, list):
        for number, part in enumerate(value):
            yield from _misspelt(part, known.get("items"), root, (*place, number))
    fields = known.get("properties")
    if not isinstance(value, dict) or not isinstance(fields, dict):
        return
    small = {field.lower(): field for field in fields}
    for key, part in value.items():
        if key in fields:
            yield from _misspelt(part, fields[key], root, (*place, key))
        elif near := get_close_matches(key.lower(), small, n=1, cutoff=0.8):
            where = ".".join(map(str, (*place, key)))
            yield (*place, key), f'{where} is not a known field: is "{small[near[0]]}" meant?'


def _resolved(schema: JsonValue, root: Mapping[str, JsonValue]) -> JsonObject:
    found = mapping(schema)
    if isinstance(name := found.get("$ref"), str):
        return mapping(mapping(root.get("$defs")).get(name.rpartition("/")[2]))
    return found
