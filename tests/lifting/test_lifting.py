"""What is lifted from docstrings, descriptions and schemas."""

from __future__ import annotations

from inspect import cleandoc
from typing import Any

import pytest

from pdmigrate.describe.lifting import lifted

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 2},
        "limit": {"type": "integer", "maximum": 50},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["query"],
}


def lift(text: str, schema: dict[str, Any] = SCHEMA) -> dict[str, Any]:
    return lifted({"name": "search", "description": f"Search.\n\n{text}", "inputSchema": schema})


DOCSTRING = """Search the notes.

    Args:
        query: Words.

    Raises:
        ValueError: The query is too
            short.
        TimeoutError: Try again.

    Examples:
        search(query="tides", limit=5)
    """
ERRORS = {
    "common_errors": [
        {"error": "ValueError", "cause": "The query is too short."},
        {"error": "TimeoutError", "cause": "Try again."},
    ]
}


def test_a_docstring_gives_its_examples_and_errors() -> None:
    examples = [{"input": {"query": "tides", "limit": 5}}]
    assert lift(cleandoc(DOCSTRING)) == {"examples": examples, "error_guidance": ERRORS}


EXAMPLES: list[tuple[str, list[dict[str, Any]]]] = [
    ('search("tides", 5, ["sea"])', [{"query": "tides", "limit": 5, "tags": ["sea"]}]),
    ('search("tides")\n    search("tides", 5)', [{"query": "tides"}, {"query": "tides", "limit": 5}]),
    ('search("tides", 5)\n    search(limit=5, query="tides")', [{"query": "tides", "limit": 5}]),  # one call twice
    ('>>> found = await client.search(\n    ...     query="tides",\n    ... )\n    [note 7]', [{"query": "tides"}]),
    ('# The first\n    print(search("tides"))', [{"query": "tides"}]),
]


@pytest.mark.parametrize(("text", "calls"), EXAMPLES)
def test_calls_are_found_in_source_and_in_doctests(text: str, calls: list[dict[str, Any]]) -> None:
    assert lift(f"Example:\n    {text}") == {"examples": [{"input": call} for call in calls]}


NOTHING = {
    "not indented": 'Example:\nsearch(query="tides")',
    "another tool": 'Example:\n    find(query="tides")',
    "a name": "Example:\n    search(query=words)",
    "a value that JSON lacks": "Example:\n    search(query='tides', tags={'sea'})",
    "refused by the schema": 'Example:\n    search(query="t")',
    "not a parameter": 'Example:\n    search(query="tides", page=1)',
    "more than there are parameters": 'Example:\n    search("tides", 5, ["sea"], 1)',
    "what people say": 'Examples:\n    User: "Find the note about tides"',
    "what it answers": "Example:\n    >>> answer\n    search('tides')",
    "without what is required": "Example:\n    search(limit=5)",
    "broken": 'Example:\n    search(query="tides"',
}


@pytest.mark.parametrize("case", NOTHING)
def test_what_is_not_plainly_a_call_stays_where_it_is(case: str) -> None:
    assert lift(NOTHING[case]) == {}


def test_when_to_use_and_when_not_are_kept_apart() -> None:
    text = "WHEN TO USE:\n    - You know a word\n      of it.\n    - Or two.\n\nDO NOT USE THIS TOOL FOR:\n    Lists."
    usage = {"when_to_use": ["You know a word of it.", "Or two."], "when_not_to_use": ["Lists."]}
    assert lift(text) == {"usage_guidance": usage}


def test_errors_that_are_not_a_list_of_names_are_kept_as_they_are() -> None:
    text = "Errors:\n    - fails now and then\n    - TimeoutError: try again"
    assert lift(text) == {"error_guidance": "- fails now and then\n- TimeoutError: try again"}


def test_examples_of_the_schema_and_of_its_one_required_property_are_calls() -> None:
    schema = {**SCHEMA, "examples": [{"query": "tides"}, {"query": 5}, "tides"]}
    assert lift("", schema) == {"examples": [{"input": {"query": "tides"}}]}
    properties = {**SCHEMA["properties"], "query": {"type": "string", "examples": ["tides", "moon"]}}
    calls = [{"input": {"query": "tides"}}, {"input": {"query": "moon"}}]
    assert lift("", {**SCHEMA, "properties": properties}) == {"examples": calls}


@pytest.mark.parametrize("required", [[], ["query", "limit"]])
def test_examples_of_properties_are_not_put_together(required: list[str]) -> None:
    properties = {"query": {"type": "string", "examples": ["tides"]}, "limit": {"type": "integer", "examples": [5]}}
    assert lift("", {"type": "object", "properties": properties, "required": required}) == {}


def test_a_docstring_counts_as_far_as_the_description_comes_from_it() -> None:
    definition: dict[str, Any] = {"name": "search", "inputSchema": SCHEMA}
    assert lifted({**definition, "description": "Search the notes."}, DOCSTRING)["error_guidance"] == ERRORS
    assert lifted({**definition, "description": "Another text."}, DOCSTRING) == {}
    assert lifted(definition, DOCSTRING) == {}
    # A schema that is not settled gives no examples.
    assert lifted({"name": "search", "description": cleandoc(DOCSTRING)}) == {"error_guidance": ERRORS}


@pytest.mark.parametrize("text", [DOCSTRING, "Search.\n\n    Errors:\n        nothing is found\n    "])
def test_a_docstring_that_is_the_description_counts_once(text: str) -> None:
    definition: dict[str, Any] = {"name": "search", "inputSchema": SCHEMA, "description": cleandoc(text)}
    assert lifted(definition, text) == lifted(definition) != {}


def test_a_schema_with_a_type_that_is_none_has_no_examples() -> None:
    assert lift("Find.", {"type": "objekt", "properties": {"a": {}}, "examples": [{"a": 1}]}) == {}
