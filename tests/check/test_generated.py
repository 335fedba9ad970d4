"""Generated modules name the classes of SDKs, and make no servers: no command looks for any in them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pdmigrate.names import is_generated
from pdmigrate.understand.inventory.extract import extract
from tests.check.desk import DIALECTS, Desk

NAMED_ALIKE = '''\
"""{}"""

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def find_note(text: str) -> str:
    """Find notes."""
    return text
'''


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_generated_module_is_no_candidate(templates: Callable[[str], Desk], dialect: str) -> None:
    desk = templates(dialect)
    module = desk.dialect.module
    assert is_generated(module, (desk.root / module).read_bytes())
    found = extract(desk.root)
    assert module not in {said.site.file for said in (*found.servers, *found.findings) if said.site is not None}


@pytest.mark.parametrize(
    ("name", "text"),
    [("progressive_disclosure.py", "Notes."), ("notes.py", "Made by pdmigrate, says its author.")],
    ids=["the name alone", "the words alone"],
)
def test_a_server_that_only_looks_like_one_is_found(desk: Desk, name: str, text: str) -> None:
    desk.write(f"apart/{name}", NAMED_ALIKE.format(text))
    (server,) = (server for server in extract(desk.root).servers if server.site.file == f"apart/{name}")
    assert [tool.name for tool in server.tools] == ["find_note"]
