"""``explain``: pages of codes, and the way of every field of a tool."""

from __future__ import annotations

import dataclasses

import pytest

from pdmigrate.errors import UsageError
from pdmigrate.model import Inventory, Known
from pdmigrate.report.explain import code_page, is_code, tool_text, tools_named
from tests.report.samples import EXACT, INVENTORY, SERVER, UNSETTLED


def test_a_page_is_found_in_small_letters_too() -> None:
    assert code_page("pd101") == code_page("PD101")
    assert code_page("PD101").startswith("# PD101: ")


@pytest.mark.parametrize(("word", "hint"), [("PD1010", "did you mean PD101?"), ("pd999", "")])
def test_a_code_that_does_not_exist_is_refused(word: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"there is no finding {word.upper()}") as raised:
        code_page(word)
    assert raised.value.hint.startswith(hint)


@pytest.mark.parametrize(
    ("word", "code"), [("PD101", True), ("pd7", True), ("PD", False), ("pd101_tool", False), ("read", False)]
)
def test_codes_are_told_from_tools(word: str, code: bool) -> None:
    assert is_code(word) is code


def test_a_tool_is_found_in_every_server_that_has_it() -> None:
    other = dataclasses.replace(SERVER, name="other")
    found = tools_named(Inventory((SERVER, other), ()), "read_query")
    assert [server.name for server, _ in found] == ["sqlite", "other"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [("read_qery", "did you mean 'read_query'?"), ("zzz", "`pdmigrate extract --no-write` lists the tools")],
)
def test_a_tool_that_is_not_there_is_refused(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match="no server here has a tool") as raised:
        tools_named(INVENTORY, name)
    assert raised.value.hint == hint


def test_every_field_is_shown_with_the_steps_that_led_to_it() -> None:
    assert tool_text(SERVER, EXACT).splitlines() == [
        "read_query",
        "  server    sqlite, mcp1-lowlevel on mcp 1.30.0 (lock)  pkg/server.py:31",
        "  declared  pkg/server.py:40",
        "  listed    always",
        "  owner     code",
        "  can move  yes: literals that only the list handler reads (description)",
        "",
        "name  exact",
        '  "read_query"',
        "",
        "description  exact",
        '  "Run a SELECT."',
        "  1. literal  pkg/server.py:41",
        "  2. dedented by textwrap.dedent  pkg/server.py:40",
        "",
        "inputSchema  exact",
        '  {"type": "object", "properties": {"query": {"type": "string"}}}',
        "  1. literal  pkg/server.py:42",
        "",
        "x-extra  exact",
        "  true",
        "",
        "not sent  title, outputSchema, annotations, icons, _meta, execution",
    ]


def test_a_tool_that_has_moved_says_where_it_is_edited() -> None:
    moved = dataclasses.replace(EXACT, owner="file")
    assert "  owner     file\n  can move  it has moved: " in tool_text(SERVER, moved)


def test_what_is_not_settled_says_why_and_where() -> None:
    text = tool_text(SERVER, UNSETTLED)
    assert "  can move  no: its description is computed (PD101)  pkg/server.py:51\n" in text
    assert "  listed    may be absent: listed only when DEBUG is set\n" in text
    assert "description  not settled: read from a file (PD101)  pkg/server.py:51\n" in text
    assert "inputSchema  not settled at properties.tz.default: depends on the platform (PD102)\n" in text


def test_a_long_value_is_cut_and_says_how_long_it_is() -> None:
    long = dataclasses.replace(EXACT, fields={"description": Known("x" * 5000)})
    line = next(line for line in tool_text(SERVER, long).splitlines() if "xxx" in line)
    assert len(line) < 350
    assert line.endswith("... (5,002 characters)")
