"""What can be trimmed by hand, and that every figure is what the listing has less afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from pdmigrate.audit.trimming import Trims, carried_out, parameter_sections, trims
from tests.audit.listings import Characters, compact

PAGING = "Where the page begins, as the last answer gave it."
LIMITS = "At most a thousand rows are returned."


def tool(name: str, description: str | None = None, **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    return {"name": name, **({} if description is None else {"description": description}), "inputSchema": schema}


def text(description: str, **more: Any) -> dict[str, Any]:
    return {"type": "string", "description": description, **more}


def found(*tools: dict[str, Any]) -> Trims:
    return trims(tools, Characters())


def after(trimmed: Trims, *tools: dict[str, Any]) -> list[dict[str, Any]]:
    return carried_out(tools, [edit for row in trimmed.rows for edit in row.edits])


REPEATED = [
    (
        "a sentence of three descriptions",
        [tool(name, f"Find {name}. {LIMITS}") for name in ("loans", "books", "shelves")],
        "the same sentence in 3 tools",
        2 * len(f" {LIMITS}"),
    ),
    (
        "a sentence that is laid out in another way",
        [tool("loans", f"Find.\n\n{LIMITS}"), tool("books", f"List. {LIMITS}"), tool("shelves", f"Show.\n- {LIMITS}")],
        "the same sentence in 3 tools",
        None,
    ),
    (
        "the text of a parameter",
        [tool(name, "Find it.", cursor=text(PAGING)) for name in ("loans", "books", "shelves")],
        "the same parameter text in 3 tools",
        2 * len(f',"description":"{PAGING}"'),
    ),
    (
        "the text of a nested parameter",
        [
            tool(name, "Find it.", page={"type": "object", "properties": {"cursor": text(PAGING)}})
            for name in ("loans", "books", "shelves")
        ],
        "the same parameter text in 3 tools",
        2 * len(f',"description":"{PAGING}"'),
    ),
    (
        "a title that repeats the parameter",
        [tool("loans", "Find it.", last_day={"type": "string", "title": "Last Day"})],
        "1 title",
        len(',"title":"Last Day"'),
    ),
    (
        "the title of the arguments",
        [{"name": "loans", "inputSchema": {"type": "object", "properties": {}, "title": "loansArguments"}}],
        "1 title",
        len(',"title":"loansArguments"'),
    ),
    (
        "a text that repeats the name",
        [tool("loans", "Find it.", member_id=text("The ID of the member"))],
        "1 text of parameters",
        len(',"description":"The ID of the member"'),
    ),
    (
        "a section that the schema says again",
        [tool("loans", "Find it.\n\nArgs:\n    day: The last day.\n\nReturns:\n    loans", day=text("The last day."))],
        "parameters that 1 description and the schema describe",
        len("Args:\\n    day: The last day.\\n\\n"),
    ),
    (
        "types in a section",
        [tool("loans", "Find it.\n\nArgs:\n    day (str, optional): The last day.", day={"type": "string"})],
        "types of parameters that 1 description and the schema name",
        len(" (str, optional)"),
    ),
    (
        "long choices in three tools",
        [
            tool(name, "Find it.", kind={"anyOf": [{"type": "string", "enum": [f"kind number {n}" for n in range(9)]}]})
            for name in ("loans", "books", "shelves")
        ],
        "choices written out 3 times",
        2 * len(f',"enum":{compact([f"kind number {n}" for n in range(9)])}'),
    ),
]


@pytest.mark.parametrize(("tools", "what", "saved"), [row[1:] for row in REPEATED], ids=[row[0] for row in REPEATED])
def test_what_says_nothing_new_is_found_and_its_figure_is_true(
    tools: list[dict[str, Any]], what: str, saved: int | None
) -> None:
    trimmed = found(*tools)
    (row,) = trimmed.rows
    assert what in row.what
    assert saved is None or row.tokens == saved
    left = after(trimmed, *tools)
    assert (
        trimmed.tokens == row.tokens == sum(len(compact(one)) for one in tools) - sum(len(compact(one)) for one in left)
    )


NOTHING = [
    ("two tools share a sentence", [tool("loans", f"Find it. {LIMITS}"), tool("books", f"List. {LIMITS}")]),
    ("the shared sentence is short", [tool(name, f"Do {name}. Use it.") for name in ("loans", "books", "shelves")]),
    ("the shared sentence is all there is", [tool(name, LIMITS) for name in ("loans", "books", "shelves")]),
    ("a title that says more", [tool("loans", "Find it.", day={"type": "string", "title": "Last day of the loan"})]),
    ("a text that says more", [tool("loans", "Find it.", member=text("Five digits that begin with 3"))]),
    (
        "a section that says what the schema does not",
        [tool("loans", "Args:\n    day: The last.", day={"type": "string"})],
    ),
    ("no schema", [{"name": "loans", "description": "Find it."}]),
    (
        "schemas that are no objects",
        [{"name": "loans", "inputSchema": {"properties": [1], "anyOf": {}, "items": True}}],
    ),
]


@pytest.mark.parametrize("tools", [row[1] for row in NOTHING], ids=[row[0] for row in NOTHING])
def test_what_says_something_stays(tools: list[dict[str, Any]]) -> None:
    assert found(*tools) == Trims((), 0)


def test_the_first_place_of_a_repeated_text_stays_and_the_tools_given_are_not_changed() -> None:
    tools = [tool(name, "Find it.", cursor=text(PAGING)) for name in ("loans", "books", "shelves")]
    before = compact(tools)
    left = after(found(*tools), *tools)
    said = [one["inputSchema"]["properties"]["cursor"].get("description") for one in left]
    assert said == [PAGING, None, None]
    assert compact(tools) == before


def test_words_that_two_trims_concern_are_counted_once_in_the_whole() -> None:
    same = text("The ID of the member of the lending library")
    tools = [tool(f"find_{name}", "Find it.", lending_library_member_id=same) for name in ("loans", "books", "shelves")]
    trimmed = found(*tools)
    assert [row.kind for row in trimmed.rows] == ["restated name", "repeated parameter text"]
    assert trimmed.tokens == trimmed.rows[0].tokens < sum(row.tokens for row in trimmed.rows)


SECTIONS = [
    ("google", "Do.\n\nArgs:\n    a (int): One.\n    b: Two,\n        more.\n\nReturns:\n    x", ["a", "b"]),
    ("flush list", "Do.\n\nParameters:\n- a: One.\n- b (str): Two.\n\nMore text.", ["a", "b"]),
    ("markdown", "Do.\n\n## Parameters\n- `a`: One.\n- **b**: Two.", ["a", "b"]),
    ("followed by text", "Args:\n  a: One.\nThat is all.", ["a"]),
    ("followed by a section at the same depth", "Args:\n  a: One.\n  Returns:\n  x", ["a"]),
    ("a title without entries", "Do.\n\nArguments:\n\nnone at all", None),
    ("a word in a sentence", "Takes Args: a and b.", None),
]


@pytest.mark.parametrize(("description", "names"), [row[1:] for row in SECTIONS], ids=[row[0] for row in SECTIONS])
def test_sections_of_parameters_end_where_they_end(description: str, names: list[str] | None) -> None:
    sections = list(parameter_sections(description))
    assert [[entry.name for entry in section.entries] for section in sections] == ([] if names is None else [names])
    assert all(section.text in description for section in sections)
    assert all("Returns" not in section.text and "all" not in section.text for section in sections)
