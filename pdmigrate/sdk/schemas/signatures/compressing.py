"""What fastmcp changes in a schema that pydantic made: titles, closed objects, unused definitions, references."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from pdmigrate.sdk.schemas.signatures.rules import Rules
from pdmigrate.sdk.schemas.unsettled import UnsettledError

PREFIX = "#/$defs/"
STRUCTURE = frozenset({"type", "properties", "$ref", "items", "allOf", "oneOf", "anyOf", "required"})
METADATA = frozenset({"title", "description", "deprecated", "readOnly", "writeOnly"})
NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"})
SINGLE = frozenset(
    {
        *("additionalItems", "additionalProperties", "contains", "contentSchema", "items", "propertyNames"),
        *("unevaluatedItems", "unevaluatedProperties", "if", "then", "else", "not"),
    }
)
LISTED = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
DEPTH = 50
"""The depth to which fastmcp traverses a schema."""


def compressed(schema: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """A copy of ``schema`` without titles and unused definitions.

    Only real schemas lose their titles, and closed objects stay closed (fastmcp 3 and 4), or every dict that looks like
    a schema loses its title, if any (until fastmcp 3.2.3), and closed objects are opened (fastmcp 2).
    """
    done = copy.deepcopy(schema)
    if _depth(done) > DEPTH - 2:
        raise UnsettledError("the schema is nested too deep for the SDK to look through")
    alike = rules.titles in ("like schemas", "texts") or not rules.closed
    for node in list(_dicts(done) if alike else _schemas(done)):
        title = node.get("title")
        if not alike:
            goes = isinstance(title, str) and (STRUCTURE & node.keys() or node.keys() <= METADATA)
        else:
            kept = rules.titles in ("all", "names") or (rules.titles == "texts" and not isinstance(title, str))
            goes = STRUCTURE & node.keys() and not kept
        if goes:
            node.pop("title", None)
        if not rules.closed and node.get("additionalProperties") is False:
            del node["additionalProperties"]
    _drop_unused(done)
    return done


def _inner(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        yield from node.values()
    elif isinstance(node, list):
        yield from node


def _depth(node: Any) -> int:
    return 1 + max(map(_depth, _inner(node)), default=0)


def _dicts(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
    for item in _inner(node):
        yield from _dicts(item)


def _schemas(node: Any) -> Iterator[dict[str, Any]]:
    """A schema and the schemas nested in it, found by the keywords whose values are schemas."""
    if isinstance(node, list):
        for item in node:
            yield from _schemas(item)
    if not isinstance(node, dict):
        return
    yield node
    for key, value in node.items():
        if key in NAMED and isinstance(value, dict):
            for item in value.values():
                yield from _schemas(item)
        elif key in SINGLE or (key in LISTED and isinstance(value, list)):
            yield from _schemas(value)


def _drop_unused(schema: dict[str, Any]) -> None:
    definitions = schema.get("$defs")
    if not definitions:
        return
    used: set[str] = set()
    waiting = [_references({key: value for key, value in schema.items() if key != "$defs"})]
    while waiting:
        for name in waiting.pop() - used:
            used.add(name)
            waiting.append(_references(definitions.get(name)))
    for name in set(definitions) - used:
        del definitions[name]
    if not definitions:
        del schema["$defs"]


def _references(node: Any) -> set[str]:
    found = (item.get("$ref") for item in _dicts(node))
    return {text.removeprefix(PREFIX) for text in found if isinstance(text, str) and text.startswith(PREFIX)}


def check_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Refuse a result that is only a reference to a definition, which each release writes in its own way."""
    if "$ref" in schema:
        raise UnsettledError("the schema of the result is a reference to a definition")
    return schema


NODES = 20_000
"""Fewer nodes than fastmcp would inline (100,000), so that its own way of counting does not matter."""


def inlined(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with its references replaced by definitions.

    Raises UnsettledError if the schema is too large, has tagged unions, which each release writes in its own way, or
    its references are not those that pydantic makes.
    """
    definitions = schema.get("$defs", {})
    for node in _dicts(schema):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.removeprefix(PREFIX) not in definitions:
            raise UnsettledError(f"the schema refers to {reference}")
    if any("discriminator" in node for node in _dicts(schema)):
        raise UnsettledError("how the SDK writes a tagged union without references is not followed")
    body = {key: value for key, value in schema.items() if key != "$defs"}
    try:
        done: dict[str, Any] = _inline(body, definitions, [NODES])
    except RecursionError:
        raise UnsettledError("the schema refers to itself", endless=True) from None
    return done


def _inline(node: Any, definitions: Mapping[str, Any], budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0:
        raise UnsettledError("the schema is too large to be written without references")
    if isinstance(node, list):
        return [_inline(item, definitions, budget) for item in node]
    if not isinstance(node, dict):
        return node
    if isinstance(node.get("$ref"), str):
        target = _inline(definitions[node["$ref"].removeprefix(PREFIX)], definitions, budget)
        return {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return {key: _inline(value, definitions, budget) for key, value in node.items()}
