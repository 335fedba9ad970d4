"""What a JSON Schema holds beyond the names and types that a first call needs."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.live.verify.answers import objects
from pdmigrate.model import JsonObject, JsonValue, mapping

_PROSE = ("description", "examples", "$comment")
_UNIONS = ("anyOf", "oneOf", "allOf")
_KINDS = frozenset({"type", "$ref", "enum", "const", *_UNIONS})


def parts(schema: JsonValue, path: str = "inputSchema", depth: int = 0) -> Iterator[tuple[str, int, JsonObject]]:
    """A schema and the schemas inside it, each with its path and its depth.

    The branches of a union are as deep as the union: they describe the same value.
    """
    if not isinstance(schema, dict):
        return
    yield path, depth, schema
    for key in ("properties", "patternProperties", "$defs", "definitions"):
        for name, value in mapping(schema.get(key)).items():
            yield from parts(value, f"{path}.{key}.{name}", depth + 1)
    for key in ("items", "additionalProperties", "contains", "not"):
        yield from parts(schema.get(key), f"{path}.{key}", depth + 1)
    for index, value in enumerate(objects(schema.get("prefixItems"))):
        yield from parts(value, f"{path}.prefixItems[{index}]", depth + 1)
    for key in _UNIONS:
        for index, value in enumerate(objects(schema.get(key))):
            yield from parts(value, f"{path}.{key}[{index}]", depth)


def prose(schema: JsonValue) -> Iterator[str]:
    """The paths of descriptions and examples."""
    return (f"{path}.{key}" for path, _, part in parts(schema) for key in _PROSE if part.get(key))


def nested(schema: JsonValue) -> Iterator[str]:
    """The paths of properties inside properties, except for those that a client has to send as HTTP headers."""
    for path, depth, part in parts(schema):
        inner = mapping(part.get("properties"))
        headers = (any("x-mcp-header" in each for _, _, each in parts(value)) for value in inner.values())
        if depth and inner and not all(headers):
            yield f"{path}.properties"


def takes_arguments(schema: JsonValue) -> bool:
    """Whether a schema names any parameter."""
    return any(mapping(part.get("properties")) for _, depth, part in parts(schema) if not depth)


def lost(stub: JsonObject, full: JsonObject) -> list[str]:
    """What a stub says of its parameters and the full schema does not: a parameter, its type, that it is required."""
    if not full or "$ref" in full:
        return []
    old, new = mapping(stub.get("properties")), mapping(full.get("properties"))
    untyped = (name for name in old if name in new and _KINDS & set(mapping(old[name])))
    demanded = full.get("required")
    required = [str(name) for name in demanded] if isinstance(demanded, list) else []
    optional = stub.get("required")
    return [
        *sorted(set(old) - set(new)),
        *(f"the type of {name}" for name in untyped if not _KINDS & set(mapping(new[name]))),
        *(f"{name} in required" for name in (optional if isinstance(optional, list) else []) if name not in required),
    ]


def only_names(schema: JsonObject) -> bool:
    """Whether a schema has parameters and says nothing of any of them."""
    properties = mapping(schema.get("properties"))
    return bool(properties) and not any(mapping(value) for value in properties.values())


def keywords(schema: JsonValue) -> set[str]:
    """All keywords that occur anywhere in a schema."""
    return {key for _, _, part in parts(schema) for key in part}
