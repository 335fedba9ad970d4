"""What hosts and providers refuse, and that a stub adds nothing to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.audit.hosts import refusals
from pdmigrate.runtime.stubs import stub_schema


def refused(schema: Any, name: str = "tool") -> list[tuple[str, str]]:
    return [(refusal.path, refusal.problem) for refusal in refusals({"name": name, "inputSchema": schema})]


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    "schema",
    [
        an_object(),
        an_object(a={}),
        an_object(a={"type": "string", "enum": ["x", "y"]}),
        an_object(**{"x-y.z_1": {"type": "array", "items": {}}}),
        an_object(a={"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}),
        {**an_object(a={"type": "object", "properties": {"b": {}}, "required": ["b"]}), "required": ["a"]},
        an_object(a={"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ],
)
def test_nothing_is_wrong_with(schema: dict[str, Any]) -> None:
    assert refused(schema) == []


@pytest.mark.parametrize(
    ("schema", "path", "problem"),
    [
        (None, "", "there is no input schema"),
        ({"properties": {}}, "", "its type is not object"),
        ({"type": "object"}, "", "it has no properties"),
        ({"type": "object", "additionalProperties": True}, "", "it has no properties"),
        ({**an_object(), "anyOf": [an_object()]}, "", "anyOf stands at the root"),
        ({**an_object(), "not": {}}, "", "not stands at the root"),
        ({**an_object(), "$schema": "x"}, "", "it uses $schema"),
        ({**an_object(), "additionalProperties": False}, "", "it uses additionalProperties"),
        ({**an_object(), "required": ["a"]}, "required", "'a' is required but not a property"),
        (an_object(**{"a b": {}}), "properties.a b", "the name of a property is not one of ^[a-zA-Z0-9_.-]{1,64}$"),
        (an_object(**{"a" * 65: {}}), f"properties.{'a' * 65}", "the name of a property is not one of"),
        (an_object(a=True), "properties.a", "a schema that is no object"),
        (an_object(a={"$ref": "#/$defs/A"}), "properties.a", "it uses $ref"),
        (an_object(a={"type": ["string", "null"]}), "properties.a", "several types in a list"),
        (an_object(a={"type": "date"}), "properties.a", "'date' is not a type"),
        (an_object(a={"type": "array"}), "properties.a", "an array that does not say what its items are"),
        (an_object(a={"type": "array", "items": True}), "properties.a", "an array that does not say"),
        (
            an_object(a={"type": "array", "items": {"type": "array"}}),
            "properties.a.items",
            "an array that does not say what its items are",
        ),
        (an_object(a={"type": "string", "required": []}), "properties.a", "properties of what is not an object"),
        (an_object(a={"type": "integer", "enum": [1, 2]}), "properties.a", "an enum of other values than strings"),
        (an_object(a={"type": "string", "enum": []}), "properties.a", "an enum of other values than strings"),
        (an_object(a={"type": "string", "enum": ["", "x"]}), "properties.a", "an enum with an empty string"),
        (an_object(a={"enum": ["x"]}), "properties.a", "an enum without the type string"),
        (an_object(a={"anyOf": [{"type": "array"}]}), "properties.a.anyOf.0", "an array that does not say"),
    ],
)
def test_is_refused(schema: Any, path: str, problem: str) -> None:
    found = refused(schema)
    assert any(where == path and what.startswith(problem) for where, what in found), found


@pytest.mark.parametrize("name", ["", "a b", "a/b", "größe", "a" * 65, "a.b"])
def test_a_name_that_providers_do_not_take(name: str) -> None:
    assert refused(an_object(), name) == [
        ("name", "a tool's name has letters, digits, _ and -, and at most 64 of them")
    ]


_LEAF = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "x", "string", "array", "null", "date"])
_KEYS = st.sampled_from(
    ["type", "properties", "items", "enum", "anyOf", "oneOf", "required", "$ref", "x-mcp-header", "a", "b c", "const"]
)
_JSON = st.recursive(
    _LEAF, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=25
)


@given(st.dictionaries(st.sampled_from(["a", "b c", "tags", "Ü", "x.y"]), _JSON, max_size=4), _JSON)
def test_a_stub_is_refused_for_nothing_that_its_server_did_not_send(properties: dict[str, Any], required: Any) -> None:
    schema = {"type": "object", "properties": properties, "required": required, "anyOf": [], "$defs": {}}
    # An object whose properties are left out says that it takes others: see the decision on pruned stubs.
    known = {problem for _, problem in refused(schema)} | {"it uses additionalProperties"}
    assert {problem for _, problem in refused(stub_schema("skeleton", schema))} <= known
    assert {problem for _, problem in refused(stub_schema("open", {**schema, "required": None}))} <= known
