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


def test_nothing_is_wrong_with_a_plain_schema() -> None:
    nested = {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}}
    inner = {"type": "object", "properties": {"b": {}}, "required": ["b"]}
    texts = [{"type": "string", "enum": ["x", "y"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}]
    properties = {"a": {}, "x-y.z_1": {"type": "array", "items": {}}, "c": nested, "d": inner}
    assert refused({**an_object(**properties, e=texts[0], f=texts[1]), "required": ["a"]}) == []
    assert refused(an_object()) == []


ITEMS = "an array that does not say what its items are"


@pytest.mark.parametrize(
    ("schema", "path", "problem"),
    [
        (None, "", "there is no input schema"),
        ({"properties": {}}, "", "its type is not object"),
        ({"type": "object", "additionalProperties": True}, "", "it has no properties"),
        *(({**an_object(), word: {}}, "", f"{word} stands at the root") for word in ("anyOf", "not")),
        *(({**an_object(), word: "x"}, "", f"it uses {word}") for word in ("$schema", "additionalProperties")),
        ({**an_object(), "required": ["a"]}, "required", "'a' is required but not a property"),
        (an_object(**{"a b": {}}), "properties.a b", "the name of a property is not one of ^[a-zA-Z0-9_.-]{1,64}$"),
        (an_object(**{"a" * 65: {}}), f"properties.{'a' * 65}", "the name of a property is not one of"),
    ],
)
def test_a_whole_schema_is_refused(schema: Any, path: str, problem: str) -> None:
    assert any(where == path and what.startswith(problem) for where, what in refused(schema))


@pytest.mark.parametrize(
    ("schema", "path", "problem"),
    [
        (True, "", "a schema that is no object"),
        ({"$ref": "#/$defs/A"}, "", "it uses $ref"),
        ({"type": ["string", "null"]}, "", "several types in a list"),
        ({"type": "date"}, "", "'date' is not a type"),
        ({"type": "array"}, "", ITEMS),
        ({"type": "array", "items": True}, "", ITEMS),
        ({"type": "array", "items": {"type": "array"}}, ".items", ITEMS),
        ({"anyOf": [{"type": "array"}]}, ".anyOf.0", ITEMS),
        ({"type": "string", "required": []}, "", "properties of what is not an object"),
        ({"type": "integer", "enum": [1, 2]}, "", "an enum of other values than strings"),
        ({"type": "string", "enum": []}, "", "an enum of other values than strings"),
        ({"type": "string", "enum": ["", "x"]}, "", "an enum with an empty string"),
        ({"enum": ["x"]}, "", "an enum without the type string"),
    ],
)
def test_a_property_is_refused(schema: Any, path: str, problem: str) -> None:
    assert (f"properties.a{path}", problem) in refused(an_object(a=schema))


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
