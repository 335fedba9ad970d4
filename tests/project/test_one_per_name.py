"""Declarations of one name are one tool, which claims only what they agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Tool
from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings
from tests.support.files import write

SERVER = """
import os
from mcp.server.lowlevel import Server
from mcp.types import Tool
app = Server("demo")
def made(default):
    return Tool(name="b", description="B.", inputSchema={"properties": {"x": {"default": default}}})
@app.list_tools()
async def list_tools():
    tools = [Tool(name="a", description="A.", inputSchema={"type": "object"})]
"""
LOCAL = """    tools.append(Tool(name="b", description="Local.", title="B", inputSchema={"type": "object"}))
"""
HOSTED = """    if os.environ.get("HOSTED"):
        tools.append(Tool(name="b", description="Hosted.", inputSchema={"type": "object"}))
"""
OTHERWISE = "    else:\n    " + LOCAL


def merged(root: Path, added: str) -> Tool:
    """The tool ``b`` of a server that declares it twice."""
    write(root, {"server.py": f"{SERVER}{added}    return tools\n"})
    (server,) = load_project(root, ".", Settings(sdk={"mcp": "1.30.0"})).inventory.servers
    one, both = server.tools
    assert (one.name, one.exact) == ("a", True)
    return both


@pytest.mark.parametrize(("added", "is_conditional"), [(HOSTED + OTHERWISE, True), (LOCAL + HOSTED, False)])
def test_what_declarations_of_one_name_differ_in_is_not_claimed(
    tmp_path: Path, added: str, is_conditional: bool
) -> None:
    both = merged(tmp_path, added)
    assert both.definition == {"name": "b", "inputSchema": {"type": "object"}}
    assert {key: unknown.code for key, unknown in both.unknown.items()} == {"description": "PD515", "title": "PD515"}
    assert ("; or " in (both.conditional or "")) is is_conditional
    assert is_conditional or both.conditional is None


@pytest.mark.parametrize(("other", "is_claimed"), [("1", True), ("True", False), ("1.0", False)])
def test_what_only_python_takes_for_equal_is_not_claimed(tmp_path: Path, other: str, *, is_claimed: bool) -> None:
    way = '    if os.environ.get("HOSTED"):\n        tools.append(made(1))\n    else:\n        tools.append(made({}))\n'
    both = merged(tmp_path, way.format(other))
    assert ("inputSchema" in both.definition) is is_claimed
