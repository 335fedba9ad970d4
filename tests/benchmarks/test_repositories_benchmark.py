"""What a repository registers, counted by its syntax alone."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from benchmarks.repositories import Registration, Result, in_tests, registrations, table, unmatched
from tests.support.files import write

SOURCE = """
    from mcp.server.fastmcp import FastMCP
    from mcp.types import Tool
    server = FastMCP("x")
    @server.tool()
    @quiet
    async def one(): ...
    @server.tool
    def two(): ...
    @server.resource("a://b")
    def three(): ...
    server.add_tool(four)
    TOOLS = [Tool(name="five", description="")]
    def six(): ...
    Tool("seven")
"""


def test_what_is_registered_has_the_lines_that_belong_to_it(tmp_path: Path) -> None:
    write(tmp_path, {"server.py": dedent(SOURCE), "other.py": "@bot.tool\ndef f(): ...\n", "broken.py": "mcp tool (\n"})
    found = sorted(registrations(tmp_path), key=lambda each: each.first)
    assert [(each.what, each.first, each.last) for each in found] == [
        ("one", 5, 7),
        ("two", 8, 9),
        ("four", 12, 12),
        ("'five'", 13, 13),
    ]


def test_a_registration_is_found_where_a_tool_stands_in_its_lines() -> None:
    found = [Registration("a.py", 5, 7, "one"), Registration("a.py", 8, 9, "two"), Registration("b.py", 5, 7, "x")]
    report = {"servers": [{"tools": [{"site": {"file": "a.py", "line": 6}}]}]}
    assert [each.what for each in unmatched(found, report)] == ["two", "x"]


def test_tests_are_told_by_their_place_or_name() -> None:
    assert all(map(in_tests, ("tests/server.py", "src/a/tests/x.py", "test_server.py", "conftest.py")))
    assert not any(map(in_tests, ("src/server.py", "latest/server.py", "contest.py")))


def test_a_row_says_how_many_registrations_were_found() -> None:
    result = Result(
        "me+mine", "abc", 3, 1, 2, 2, registered=3, not_found=["a.py:1 x"], patch="applies", reverted="exact"
    )
    assert "| me/mine | abc | 3 | 1 | 2 | 2 | 3 | 2 |" in table([result])
