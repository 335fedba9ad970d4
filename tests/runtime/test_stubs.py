"""What a stub keeps of an input schema, and that it forbids nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from pdmigrate.runtime.stubs import open_schema, skeleton_schema, stub_schema

STRING, NULL, OBJECT = {"type": "string"}, {"type": "null"}, {"type": "object"}
LOOSE, EMPTY = {"type": "object", "additionalProperties": True}, {"type": "object", "properties": {}}


def kept(schema: Any, **root: Any) -> Any:
    """The stub of a property; ``root`` is what stands beside the properties."""
    return skeleton_schema({"type": "object", "properties": {"p": schema}, **root})["properties"]["p"]


# --- property by property ---------------------------------------------------------------------------------------------

SAME: dict[str, Any] = {
    "a type that is none": {"type": "date"},
    "a default": {"type": "integer", "default": 10},
    "a default of forty characters": {"type": "string", "default": "x" * 38},
    "an enum": {"type": "string", "enum": ["a", "b"]},
    "an enum with null and no type": {"enum": ["a", None]},
    "a const": {"const": "a", "type": "string"},
    "items": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    "a union with null": {"anyOf": [STRING, NULL]},
    "a union with anything": {"anyOf": [STRING, {}]},
    "a default in a branch": {"anyOf": [{"type": "string", "default": "a"}, NULL], "default": "b"},
    "a map": LOOSE,
    "a header": {"type": "string", "x-mcp-header": "Region"},
    "true and 1, which are not alike": {"anyOf": [{"const": 1}, {"const": True}, {"const": 1.5}]},
    "nothing": {},
}


PRUNED: dict[str, tuple[Any, Any]] = {
    **{case: (schema, schema) for case, schema in SAME.items()},
    "prose, titles and examples": ({"type": "string", "title": "T", "description": "D.", "examples": ["x"]}, STRING),
    "bounds, patterns and formats": ({"type": "string", "maxLength": 3, "pattern": "x", "format": "date"}, STRING),
    "a long enum": ({"type": "string", "enum": ["x" * 60, "y" * 60]}, STRING),
    "a long default": ({"type": "string", "default": "x" * 39}, STRING),
    "a default of null, which says nothing": ({"anyOf": [STRING, NULL], "default": None}, {"anyOf": [STRING, NULL]}),
    "nested properties": ({"type": "object", "properties": {"a": STRING}, "required": ["a"]}, LOOSE),
    "nested properties of items": ({"items": {"type": "object", "properties": {"a": STRING}}}, {"items": LOOSE}),
    "a closed object": ({"type": "object", "additionalProperties": False}, OBJECT),
    "a map of something": ({"type": "object", "additionalProperties": STRING}, LOOSE),
    "oneOf, whose branches may be alike": (
        {"oneOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "time"}, NULL]},
        {"anyOf": [STRING, NULL]},
    ),
    "branches that are alike": (
        {"anyOf": [{"type": "object", "properties": {"a": {}}}, {"type": "object", "properties": {"b": {}}}, NULL]},
        {"anyOf": [LOOSE, NULL]},
    ),
    "branches that differ in nothing that stays": ({"type": "string", "anyOf": [{"minLength": 1}, {}]}, STRING),
    "items behind a tuple": ({"type": "array", "prefixItems": [STRING], "items": NULL}, {"type": "array"}),
    "a tuple of earlier drafts": ({"type": "array", "items": [STRING, NULL]}, {"type": "array"}),
    "a single allOf": ({"allOf": [{**STRING, "title": "T"}], "default": "x"}, {**STRING, "default": "x"}),
    "parts of allOf": (
        {"allOf": [{"type": "string", "title": "T"}, {"minLength": 1}], "default": "x"},
        {"allOf": [STRING, {}], "default": "x"},
    ),
    "true": (True, {}),
    "not": ({"not": STRING}, {}),
    "what is no schema": (7, {}),
}


@pytest.mark.parametrize("case", PRUNED)
def test_is_pruned(case: str) -> None:
    full, stub = PRUNED[case]
    assert kept(full) == stub


DEFS: dict[str, Any] = {
    "Colour": {"type": "string", "enum": ["red", "blue"], "title": "Colour"},
    "Node": {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}},
    "Json": {"anyOf": [STRING, {"type": "array", "items": {"$ref": "#/$defs/Json"}}]},
    "Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    "Self": {"$ref": "#/$defs/Self"},
    "a/b~c d": {"type": "boolean"},
    "Alias": {"$ref": "#/$defs/Colour"},
}
REFERENCES = {
    "to a definition": ("#/$defs/Colour", {"type": "string", "enum": ["red", "blue"]}),
    "to a reference": ("#/$defs/Alias", {"type": "string", "enum": ["red", "blue"]}),
    "with escapes": ("#/$defs/a~1b~0c%20d", {"type": "boolean"}),
    "to a property": ("#/properties/q", {"type": "number"}),
    "to an object that holds itself": ("#/$defs/Node", LOOSE),
    "to an array of itself": ("#/$defs/Tree", {"type": "array", "items": {"type": "array"}}),
    "to a union with itself": ("#/$defs/Json", {"anyOf": [STRING, {"type": "array", "items": {}}]}),
    "to itself": ("#/$defs/Self", {}),
    "to the whole": ("#", LOOSE),
    "to nowhere": ("#/$defs/Missing", {}),
    "to an anchor": ("#colour", {}),
    "to another document": ("https://example.org/schema.json#/$defs/Colour", {}),
}


@pytest.mark.parametrize("case", REFERENCES)
def test_a_reference(case: str) -> None:
    ref, stub = REFERENCES[case]
    root = {"type": "object", "properties": {"p": {"$ref": ref}, "q": {"type": "number"}}, "$defs": DEFS}
    assert skeleton_schema(root)["properties"]["p"] == stub


def test_what_stands_beside_a_reference_counts() -> None:
    stub = {"type": "string", "enum": ["red", "blue"], "default": "red"}
    assert kept({"$ref": "#/$defs/Colour", "default": "red", "title": "T"}, **{"$defs": DEFS}) == stub


# --- the whole --------------------------------------------------------------------------------------------------------

ONE_OF_TWO = {**EMPTY, "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
BOTH = [{**OBJECT, "properties": {"a": STRING}, "required": ["a"]}, {"properties": {"b": STRING}, "required": ["b"]}]
WHOLE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nothing": ({}, EMPTY),
    "names and required": (
        {"type": "object", "properties": {"a b": STRING, "ü": {}}, "required": ["a b"], "$schema": "x", "title": "T"},
        {"type": "object", "properties": {"a b": STRING, "ü": {}}, "required": ["a b"]},
    ),
    "free form": (LOOSE, {**EMPTY, "additionalProperties": True}),
    "closed": ({**EMPTY, "additionalProperties": False}, EMPTY),
    "a reference": (
        {"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {"a": STRING}, "required": ["a"]}}},
        {"type": "object", "properties": {"a": STRING}, "required": ["a"]},
    ),
    "allOf": ({"allOf": BOTH, "properties": {"c": NULL}}, {"type": "object", "properties": {"c": NULL}, "allOf": BOTH}),
    "a union": (
        {"type": "object", "oneOf": [{"properties": {"a": {"type": "string", "title": "T"}}, "required": ["a"]}, NULL]},
        {"type": "object", "properties": {}, "anyOf": [{"properties": {"a": STRING}, "required": ["a"]}, NULL]},
    ),
    "one of two is required": (ONE_OF_TWO, ONE_OF_TWO),
}


@pytest.mark.parametrize("case", WHOLE)
def test_a_whole_schema(case: str) -> None:
    full, stub = WHOLE[case]
    assert skeleton_schema(full) == stub


def test_what_travels_as_a_header_stays_with_the_way_to_it() -> None:
    region = {"type": "string", "x-mcp-header": "Region"}
    inner = {"tenant": region, "note": {"type": "string", "description": "x-mcp-header"}}
    full = {"region": {**region, "description": "Where."}, "auth": {"type": "object", "properties": inner}, "q": STRING}
    kept = {"region": region, "auth": {**LOOSE, "properties": {"tenant": region}}}
    assert skeleton_schema({"type": "object", "properties": full})["properties"] == {**kept, "q": STRING}
    assert open_schema({"type": "object", "properties": full}) == {"type": "object", "properties": kept}


# --- any schema -------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.sampled_from(
    [None, True, False, 0, 1, 1.5, "", "a", "b", "ab", [], ["a"], [1, "a"], {}, {"a": 1}, {"b": "a"}]
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
LONG = [str(n) * 30 for n in range(8)]


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Objects of keywords, the pruned ones and the others, with ``inner`` for what is nested."""
    several = st.lists(inner, min_size=1, max_size=6)
    optional: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "enum": st.lists(VALUES, min_size=1, max_size=4) | st.just(["a", *LONG]),
        "const": VALUES,
        "default": VALUES | st.just(LONG),
        "title": st.just("x-mcp-header"),
        "x-mcp-header": st.just("Region"),
        "minLength": st.integers(0, 2),
        "maximum": st.integers(0, 2),
        "minItems": st.integers(0, 1),
        "items": inner,
        "prefixItems": several,
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=2),
        "additionalProperties": inner,
        "required": st.lists(NAMES, max_size=2, unique=True),
        "anyOf": several,
        "oneOf": several,
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "not": inner,
        "$ref": st.sampled_from(["#", "#/$defs/A", "#/$defs/B", "#/properties/a", "#/$defs/missing"]),
    }
    return st.lists(st.sampled_from(sorted(optional)), min_size=1, max_size=4, unique=True).flatmap(
        lambda keys: st.fixed_dictionaries({key: optional[key] for key in keys})
    )


KINDS = [{"type": kind} for kind in ("string", "integer", "null", "array", "object")]
BOUNDED = [{"type": "string", "minLength": 2}, {"type": "integer", "minimum": 1}]
SIMPLE = st.sampled_from(
    [True, {}, *KINDS, *BOUNDED, {"const": 1}, {"const": True}, {"enum": ["a", 1]}, {"$ref": "#/$defs/A"}]
)
NESTED = SIMPLE | schemas(SIMPLE)
ANY = NESTED | schemas(NESTED)
ROOTS = st.builds(
    lambda properties, rest, definitions: {**rest, "type": "object", "properties": properties, "$defs": definitions},
    st.dictionaries(NAMES, ANY, max_size=3),
    schemas(ANY),
    st.fixed_dictionaries({"A": ANY, "B": ANY}),
)
INSTANCES = st.dictionaries(
    NAMES,
    st.recursive(VALUES, lambda part: st.lists(part, max_size=3) | st.dictionaries(NAMES, part, max_size=3)),
    max_size=3,
)


def is_valid(instance: Any, schema: Any) -> bool | None:
    """None where a validator comes to no end, or to no target of a reference."""
    from referencing.exceptions import Unresolvable

    try:
        return Draft202012Validator(schema).is_valid(instance)
    except (RecursionError, Unresolvable):
        return None


@settings(max_examples=200)
@given(ROOTS, st.lists(INSTANCES, min_size=1, max_size=8))
def test_nothing_is_forbidden_that_was_allowed(schema: dict[str, Any], instances: list[Any]) -> None:
    allowed = [instance for instance in instances if is_valid(instance, schema)]
    event("some are allowed" if allowed else "none is allowed")
    for kind in ("skeleton", "open"):
        stub = stub_schema(kind, schema)
        Draft202012Validator.check_schema(stub)
        for instance in allowed:
            assert is_valid(instance, stub), (kind, stub, instance)


KEYS = ["type", "properties", "items", "enum", "anyOf", "allOf", "oneOf", "required", "$ref", "x-mcp-header", "a"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["", "object", "#/a", "#/properties/a", "a"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=25,
)


@given(st.dictionaries(st.sampled_from(KEYS), JSON, max_size=5))
def test_what_is_no_schema_does_no_harm(schema: dict[str, Any]) -> None:
    for kind in ("skeleton", "open"):
        assert isinstance(stub_schema(kind, schema)["properties"], dict)
