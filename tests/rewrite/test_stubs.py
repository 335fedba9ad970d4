"""Stubs in place: two arguments change, and nothing else by a byte."""

from __future__ import annotations

import ast
import string
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pdmigrate.errors import SourceError
from pdmigrate.migrate.plan.code import edited
from pdmigrate.model import Edit, Fixed, JsonValue, Known, Movable, Site, Span, Tool
from pdmigrate.project.rewrite.literals import LiteralLayout, python_literal
from pdmigrate.project.rewrite.stubbing import stub_edits, stub_findings
from pdmigrate.source.outline import Outline, parse
from pdmigrate.source.source import read_source
from tests.rewrite.marked import PATH, only_these_changed, source, table
from tests.support.processes import run

STUB: dict[str, JsonValue] = {
    "description": "Short.",
    "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}},
}
SCHEMA = '{"type": "object", "properties": {"q": {"type": "string"}}}'


def declared(outline: Outline) -> Tool:
    """The one call of ``Tool`` in a file as a movable declaration; constants that it names are followed."""
    assigned = [node for node in outline.parents if isinstance(node, ast.Assign)]
    constants = {target.id: node.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}
    (call,) = (node for node in outline.parents if isinstance(node, ast.Call) and ast.unparse(node.func) == "Tool")
    values = {str(word.arg): word.value for word in call.keywords}
    values = {name: constants.get(ast.unparse(value), value) for name, value in values.items()}
    return Tool({"name": Known("a")}, Site(PATH, 1), Movable({n: outline.span(value) for n, value in values.items()}))


def stubbed(text: str, stub: Mapping[str, JsonValue] = STUB) -> str:
    original = source(text)
    edits = stub_edits(declared(parse(original)), stub, {PATH: original})
    result = edited(original, edits).decode()
    assert only_these_changed(original.text, result, edits)
    again = source(result)
    assert stub_edits(declared(parse(again)), stub, {PATH: again}) == ()
    return result


CASES = table("stubs.txt")


@pytest.mark.parametrize(("before", "expected"), CASES.values(), ids=CASES)
def test_a_stub_in_place(before: str, expected: str) -> None:
    assert stubbed(before) == expected


@pytest.mark.parametrize("title", ["each argument on its line", "a constant"])
def test_the_newlines_of_windows_stay(title: str) -> None:
    before, expected = (text.replace("\n", "\r\n") for text in CASES[title])
    assert stubbed(before) == expected


@pytest.mark.parametrize(("step", "start"), [("\t", "\t\t"), ("  ", "      "), ("    ", "        ")])
def test_a_wide_schema_is_broken_at_the_indentation_of_the_file(step: str, start: str) -> None:
    wide: dict[str, JsonValue] = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["query_text"]}
    before = f'def f():\n{step}return Tool(\n{start}description="Short.",\n{start}inputSchema={{}},  # x\n{step})\n'
    entries = ('"type": "object"', '"properties": {"q": {"type": "string"}}', '"required": ["query_text"]')
    broken = "{\n" + "".join(f"{start}{step}{entry},\n" for entry in entries) + start + "}"
    assert stubbed(before, {**STUB, "inputSchema": wide}) == before.replace("{}", broken)


def test_a_long_summary_is_broken_into_pieces() -> None:
    summary = "Reads rows from a table, and is what to use before write_query; see list_tables for the names of tables."
    text = f'Tool(\n    description="b",\n    inputSchema={SCHEMA},\n)\n'
    assert stubbed(text, {**STUB, "description": summary}) == (
        "Tool(\n    description=(\n"
        '        "Reads rows from a table, and is what to use before write_query; see "\n'
        '        "list_tables for the names of tables."\n'
        f"    ),\n    inputSchema={SCHEMA},\n)\n"
    )


def test_a_long_summary_between_other_arguments_stays_on_the_line() -> None:
    summary = "word " * 30 + "end"
    assert f'Tool(name="a", description="{summary}", inputSchema' in stubbed(
        f'Tool(name="a", description="b", inputSchema={SCHEMA})\n', {**STUB, "description": summary}
    )


@pytest.mark.parametrize("summary", ["Short.", "word " * 25 + "end", 'says "no" to ' * 10, "é" * 100])
@pytest.mark.parametrize("properties", [1, 2, 12])
def test_a_formatted_file_stays_formatted(summary: str, properties: int) -> None:
    schema = {
        "type": "object",
        "properties": {f"property_{n}": {"type": "string", "enum": ["a", "b"]} for n in range(properties)},
        "required": [f"property_{n}" for n in range(properties)],
    }
    before = (
        'def tools():\n    return [\n        Tool(\n            name="a",\n            description="Long.",\n'
        "            inputSchema={},\n            outputSchema={},\n        ),\n    ]\n"
    )
    after = stubbed(before, {"description": summary, "inputSchema": schema})
    assert run(Path(sys.executable).with_name("ruff"), "format", "--isolated", "-", given=after) == after


def test_true_is_not_one() -> None:
    text = 'Tool(description="Short.", inputSchema={"x": 1})\n'
    assert stubbed(text, {"description": "Short.", "inputSchema": {"x": True}}) == text.replace("1}", "True}")


def test_a_tool_that_code_keeps_has_no_edits() -> None:
    tool = Tool({}, Site(PATH, 1), Fixed("made from types", "PD203"))
    assert stub_edits(tool, STUB, {}) == ()


def test_letters_outside_the_encoding_are_escaped() -> None:
    raw = '# coding: latin-1\nTool(description="é", inputSchema={})\n'.encode("latin-1")
    original = read_source(PATH, raw)
    edits = stub_edits(declared(parse(original)), {"description": "é…", "inputSchema": {}}, {PATH: original})
    assert edited(original, edits) == b'# coding: latin-1\nTool(description="\xe9\\u2026", inputSchema={})\n'


def test_comments_that_go_are_reported_and_pragmas_are_not() -> None:
    schema = '{\n        "a": 1,  # why one\n        "b": 2,  # noqa: E501\n    }'
    text = f'T = Tool(\n    description="b",\n    inputSchema={schema},\n)\n'
    original = source(text)
    tool = declared(parse(original))
    found = stub_findings(tool, stub_edits(tool, STUB, {PATH: original}), {PATH: original})
    assert [(f.code, f.site) for f in found] == [("PD504", Site(PATH, 4))]
    assert "why one" in found[0].message


TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60) | st.text(string.printable, max_size=300)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
LAYOUTS = st.builds(
    LiteralLayout,
    indent=st.sampled_from(["", "    ", "\t\t", " " * 40]),
    column=st.integers(0, 120),
    tail=st.integers(0, 30),
    unit=st.sampled_from(["    ", "  ", "\t"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    encoding=st.sampled_from(["utf-8", "latin-1", "ascii"]),
    breakable=st.booleans(),
)


@given(JSON, LAYOUTS)
def test_a_literal_evaluates_to_its_value_in_every_layout(value: JsonValue, layout: LiteralLayout) -> None:
    text = python_literal(value, layout)
    assert ast.literal_eval(text) == value
    assert text.encode(layout.encoding).decode(layout.encoding) == text
    assert len(text.splitlines()) == text.count("\n") + 1


@pytest.mark.parametrize("value", [float("nan"), float("inf"), [float("-inf")]])
def test_what_has_no_literal_is_refused(value: JsonValue) -> None:
    with pytest.raises(ValueError, match="literal"):
        python_literal(value, LiteralLayout())


ARGUMENTS = st.permutations(["description", "inputSchema", "outputSchema", "annotations"])
GAPS = st.sampled_from(["", " ", "\n    ", "\n\n    ", "  # c\n    ", "  # a, (\n    ", "\t"])


@settings(max_examples=300)
@given(ARGUMENTS, st.lists(GAPS, min_size=13, max_size=13), st.booleans(), TEXT, JSON)
def test_any_layout_of_a_call_gets_its_stub(
    names: list[str], gaps: list[str], comma: bool, summary: str, schema: JsonValue
) -> None:
    """Whatever white space and comments stand between the arguments: the result parses and holds the stub."""
    values = {"description": '("x" "y")', "inputSchema": '{"a": [1]}', "outputSchema": "{}", "annotations": "A"}
    gap = iter(gaps)
    parts = [f"{next(gap)}{name}={values[name]}{next(gap)}" for name in names]
    text = f"T = Tool(name='a',{','.join(parts)}{',' if comma else ''}{next(gap)})  # end\n"
    stub: dict[str, JsonValue] = {"description": summary, "inputSchema": schema if schema is not None else {}}
    call = ast.parse(stubbed(text, stub)).body[0].value  # type: ignore[attr-defined]
    found = {k.arg: k.value for k in call.keywords}
    assert set(found) == {"name", "description", "inputSchema", "outputSchema", "annotations"}
    assert ast.literal_eval(found["description"]) == stub["description"]
    assert ast.literal_eval(found["inputSchema"]) == stub["inputSchema"]


def test_an_edit_that_breaks_the_file_is_refused() -> None:
    original = source("x = (1)\n")
    with pytest.raises(SourceError) as error:
        edited(original, (Edit(Span(PATH, 6, 7), "", "test"),))
    assert error.value.code == "PD501"


@pytest.mark.parametrize(
    ("before", "after"), [("abcd", "aXd"), ("abcd", "aXbcd"), ("abcd", "Xaxd"), ("abcd", "aXd "), ("abcd", "aX")]
)
def test_changes_outside_the_edits_are_seen(before: str, after: str) -> None:
    expected = after == "aXd"
    assert only_these_changed(before, after, [Edit(Span("f", 1, 3), "X", "")]) is expected
