"""What is lifted from docstrings, descriptions and schemas, and what stays where it is."""

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


def lift(text: str, schema: dict[str, Any] = SCHEMA, **more: Any) -> dict[str, Any]:
    return lifted(
        {
            "name": "search",
            "description": text if text.startswith("Search") else f"Search.\n\n{text}",
            "inputSchema": schema,
            **more,
        }
    )


GOOGLE = """Search the notes.

    Args:
        query: Words.

    Raises:
        ValueError: The query is too
            short.
        TimeoutError: Try again.

    Examples:
        search(query="tides", limit=5)
    """
NUMPY = """Search the notes.

Raises
------
ValueError
    The query is too short.
TimeoutError
    Try again.

Examples
--------
The first five:

>>> search("tides", 5)
"""
SPHINX = """Search the notes.

:param query: Words.
:raises ValueError: The query is too short.
:raises TimeoutError: Try again.

Example:
>>> await client.search(query="tides", limit=5)
"""
MARKDOWN = """Search the notes.

## Errors

- `ValueError`: The query is too short.
- `TimeoutError`: Try again.

**Example:**

```python
# The first five
result = await search(ctx, query="tides", limit=5)
print(result)
```

## Output

Text.
"""
ERRORS = {
    "common_errors": [
        {"error": "ValueError", "cause": "The query is too short."},
        {"error": "TimeoutError", "cause": "Try again."},
    ]
}


@pytest.mark.parametrize(
    ("text", "said"), [(GOOGLE, None), (NUMPY, "The first five"), (SPHINX, None), (MARKDOWN, "The first five")]
)
def test_each_style_of_docstring_gives_its_examples_and_errors(text: str, said: str | None) -> None:
    described = {"description": said} if said else {}
    assert lift(text) == {
        "examples": [{**described, "input": {"query": "tides", "limit": 5}}],
        "error_guidance": ERRORS,
    }


def test_a_section_for_type_parameters_hides_no_other() -> None:
    types = "Type Parameters\n---------------\nT\n    Of a note.\n\n"
    assert lift(NUMPY.replace("Raises\n", f"{types}Raises\n")) == lift(NUMPY) != {}


EXAMPLES = {
    "JSON in a list": ('Examples:\n- The first page: {"query": "tides"}\n- Few: {"query": "a tide", "limit": 1}.', 2),
    "JSON in a fence": ('Example:\n```json\n{"query": "tides"}\n```', 1),
    "JSON of a whole call": ('Example:\n```\n{"name": "search", "arguments": {"query": "tides"}}\n```', 1),
    "arguments alone": ('EXAMPLES:\n- By tag: query="tides", tags=["sea"]', 1),
    "in a line": ('Search.\nExample: search(query="tides") -> two notes', 1),
    "in quotes": ("Examples:\n- `search(query='tides')`: everything about tides", 1),
    "two calls of one block": ('Usage:\n\nExample usage:\n    search("tides")\n    search("tides", 5)', 2),
    "positions": ('Example:\n    search("tides", 5, ["sea"])', 1),
}


@pytest.mark.parametrize("case", EXAMPLES)
def test_calls_are_found_as_people_write_them(case: str) -> None:
    text, count = EXAMPLES[case]
    examples = lift(text)["examples"]
    assert len(examples) == count
    assert all(example["input"]["query"] in ("tides", "a tide") for example in examples)


NOTHING = {
    "no section": 'Search. For tides, call search(query="tides").',
    "another tool": 'Example:\n    find(query="tides")',
    "a name": "Example:\n    search(query=words)",
    "a call in it": "Example:\n    search(query=str(5))",
    "a placeholder": 'Example:\n    search(query="...")',
    "a place to fill in": 'Example:\n```json\n{"query": "<words>"}\n```',
    "refused by the schema": 'Example:\n    search(query="t")\n',
    "too many": 'Example:\n    search(query="tides", limit=51)\n',
    "not a parameter": 'Example:\n```json\n{"query": "tides", "page": 1}\n```',
    "what it answers": 'Example:\nIt returns:\n```json\n{"query": "tides"}\n```',
    "what people say": 'Examples:\n- User: "Find the note about tides"\n  → First list the notes',
    "a text of its own": "Example file name: tides_2025.mp3",
    "without what is required": "Example:\n    search(limit=5)",
    "JSON of another kind": 'Example:\n```json\n[{"query": "tides"}]\n```',
    "broken": 'Example:\n    search(query="tides"',
    "an unpacked value": "Example:\n    search(**arguments)",
}


@pytest.mark.parametrize("case", NOTHING)
def test_what_is_not_plainly_a_call_stays_where_it_is(case: str) -> None:
    assert lift(NOTHING[case]) == {}


def test_when_to_use_and_when_not_are_kept_apart() -> None:
    text = (
        "Search.\n\nWHEN TO USE:\n- You know a word\n  of the note.\n- Or two.\n\nWHEN NOT TO USE:\n- Use list instead."
    )
    assert lift(text)["usage_guidance"] == {
        "when_to_use": ["You know a word of the note.", "Or two."],
        "when_not_to_use": ["Use list instead."],
    }


def test_a_tool_may_only_say_when_not_to_use_it() -> None:
    text = "Lists notes.\n\nDO NOT USE THIS TOOL FOR:\n- Reading one, which is read_note"
    assert lifted({"name": "list_notes", "description": text}) == {
        "usage_guidance": {"when_not_to_use": ["Reading one, which is read_note"]}
    }


def test_errors_that_are_not_a_list_of_names_are_kept_as_they_are() -> None:
    text = "Search.\n\nErrors:\n- fails now and then\n- TimeoutError: try again"
    assert lift(text) == {"error_guidance": "- fails now and then\n- TimeoutError: try again"}


def test_examples_of_the_schema_are_calls() -> None:
    schema = {**SCHEMA, "examples": [{"query": "tides"}, {"query": 5}, "tides"]}
    assert lift("Search.", schema) == {"examples": [{"input": {"query": "tides"}}]}


def test_examples_of_the_one_required_property_are_calls() -> None:
    properties = {**SCHEMA["properties"], "query": {"type": "string", "examples": ["tides", "moon"]}}
    assert lift("Search.", {**SCHEMA, "properties": properties}) == {
        "examples": [{"input": {"query": "tides"}}, {"input": {"query": "moon"}}]
    }


@pytest.mark.parametrize("required", [[], ["query", "limit"]])
def test_examples_of_properties_are_not_put_together(required: list[str]) -> None:
    properties = {"query": {"type": "string", "examples": ["tides"]}, "limit": {"type": "integer", "examples": [5]}}
    assert lift("Search.", {"type": "object", "properties": properties, "required": required}) == {}


def test_one_call_is_one_example() -> None:
    assert len(lift(f"{GOOGLE.rstrip()}\n        >>> search(limit=5, query='tides')\n")["examples"]) == 1


def test_a_docstring_counts_as_far_as_the_description_comes_from_it() -> None:
    definition: dict[str, Any] = {"name": "search", "inputSchema": SCHEMA}
    assert lifted({**definition, "description": "Search the notes."}, GOOGLE)["error_guidance"] == ERRORS
    assert lifted({**definition, "description": "Another text."}, GOOGLE) == {}
    assert lifted(definition, GOOGLE) == {}


@pytest.mark.parametrize("text", [GOOGLE, "Search.\n\n    Errors:\n    - nothing is found\n    "])
def test_a_docstring_that_is_the_description_counts_once(text: str) -> None:
    definition: dict[str, Any] = {"name": "search", "inputSchema": SCHEMA, "description": cleandoc(text)}
    assert lifted(definition, text) == lifted(definition) != {}


def test_a_schema_that_is_not_settled_gives_no_examples() -> None:
    assert lifted({"name": "search", "description": GOOGLE}) == {"error_guidance": ERRORS}
