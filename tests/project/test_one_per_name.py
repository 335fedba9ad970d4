"""Declarations of one name are one tool, which claims only what they agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.project.loading import load_project
from pdmigrate.settings import Settings

SERVER = """
import os
from mcp.server.lowlevel import Server
from mcp.types import Tool
app = Server("demo")
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


@pytest.mark.parametrize(("added", "is_conditional"), [(HOSTED + OTHERWISE, True), (LOCAL + HOSTED, False)])
def test_what_declarations_of_one_name_differ_in_is_not_claimed(
    tmp_path: Path, added: str, is_conditional: bool
) -> None:
    (tmp_path / "server.py").write_text(f"{SERVER}{added}    return tools\n", encoding="utf-8")
    (server,) = load_project(tmp_path, ".", Settings(sdk={"mcp": "1.30.0"})).inventory.servers
    one, both = server.tools
    assert one.name == "a"
    assert one.exact
    assert both.definition == {"name": "b", "inputSchema": {"type": "object"}}
    assert {key: unknown.code for key, unknown in both.unknown.items()} == {"description": "PD515", "title": "PD515"}
    assert ("; or " in (both.conditional or "")) is is_conditional
    assert is_conditional or both.conditional is None


@pytest.mark.parametrize(("one", "other", "is_claimed"), [("1", "1", True), ("1", "True", False), ("1", "1.0", False)])
def test_what_only_python_takes_for_equal_is_not_claimed(
    tmp_path: Path, one: str, other: str, *, is_claimed: bool
) -> None:
    text = f"""
import os
from mcp.server.lowlevel import Server
from mcp.types import Tool
app = Server("demo")
def made(default):
    return Tool(name="a", description="A.", inputSchema={{"properties": {{"x": {{"default": default}}}}}})
@app.list_tools()
async def list_tools():
    if os.environ.get("HOSTED"):
        return [made({one})]
    return [made({other})]
"""
    (tmp_path / "server.py").write_text(text, encoding="utf-8")
    (server,) = load_project(tmp_path, ".", Settings(sdk={"mcp": "1.30.0"})).inventory.servers
    (tool,) = server.tools
    assert ("inputSchema" in tool.definition) is is_claimed
