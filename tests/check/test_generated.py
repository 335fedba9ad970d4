"""Generated modules name the classes of SDKs, and make no servers: no command looks for any in them."""

from __future__ import annotations

import pytest

from pdmigrate.understand.inventory.extract import extract
from tests.check.desk import Desk

NAMED_ALIKE = '''\
"""{}"""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def find_note(text: str) -> str:
    """Find notes."""
    return text
'''


@pytest.mark.parametrize(
    ("name", "text"),
    [("progressive_disclosure.py", "Notes."), ("notes.py", "Made by pdmigrate, says its author.")],
    ids=["the name alone", "the words alone"],
)
def test_a_server_that_only_looks_like_one_is_found(desk: Desk, name: str, text: str) -> None:
    desk.write(f"apart/{name}", NAMED_ALIKE.format(text))
    (server,) = (server for server in extract(desk.root).servers if server.site.file == f"apart/{name}")
    assert [tool.name for tool in server.tools] == ["find_note"]
