"""Models of mcp 1.x that a program copies, dumps and changes: what is said of each tool is what the real SDK lists."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pdmigrate.understand.inventory.extract import extract
from tests.support.environments import MCP1
from tests.support.extracted import write_sources
from tests.support.sent import low_level, sent

VERSIONS = {"mcp": "1.30.0", "pydantic": "2.14.3"}
HEAD = """
import copy
import mcp.types as types
from mcp.server import Server
from mcp.types import ListToolsResult, Tool, ToolAnnotations
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
ONE = Tool(name="one", inputSchema=SCHEMA)
server = Server("demo")
"""
TAIL = """
@server.list_tools()
async def listed():
    return TOOLS
"""
TABLES = {
    "copies": """
        deep = copy.deepcopy(ONE)
        deep.name = "two"
        deep.inputSchema["properties"]["two"] = {}
        third = ONE.model_copy(update={"name": "three"}, deep=True)
        third.inputSchema["properties"]["three"] = {}
        fourth = ONE.model_copy(update={"name": "four", "inputSchema": {**ONE.inputSchema, "z": 1}})
        TOOLS = [ONE, deep, third, fourth]
    """,
    "an attribute of the program's own": """
        ONE._seen = True
        TOOLS = [ONE]
    """,
    "parts that were dicts": """
        ICONS = [{"src": "x"}]
        ONE = Tool(name="one", inputSchema=SCHEMA, icons=ICONS, annotations={"readOnlyHint": True, "title": "T"})
        ICONS.append({"src": "z"})
        ONE.icons[0].src = "y"
        ONE.annotations.destructiveHint = False
        ONE.description = ONE.annotations.title
        TOOLS = [ONE]
    """,
    "tools and dicts": """
        MIXED = [ONE, {"name": "two", "inputSchema": SCHEMA}]
        TOOLS = [each if isinstance(each, Tool) else Tool(**each) for each in MIXED]
    """,
    "either name of a field": """
        schema = ONE.input_schema if hasattr(ONE, "input_schema") else ONE.inputSchema
        TOOLS = [Tool(name="two", inputSchema={**schema, "title": str(getattr(ONE, "input_schema", None))})]
    """,
}


@pytest.fixture(scope="module")
def listed() -> dict[str, Any]:
    """What the real SDK lists for every source."""
    return sent(MCP1, {name: low_level(HEAD + dedent(text) + TAIL) for name, text in TABLES.items()})


@pytest.mark.parametrize("name", TABLES)
def test_what_is_said_is_what_the_sdk_lists(tmp_path: Path, name: str, listed: dict[str, Any]) -> None:
    root = write_sources(tmp_path, {"app.py": HEAD + dedent(TABLES[name]) + TAIL})
    (server,) = extract(root, sdk=VERSIONS).servers
    assert server.incomplete is None
    assert [tool.conditional for tool in server.tools] == [None] * len(server.tools)
    assert [tool.unknown for tool in server.tools] == [{}] * len(server.tools)
    assert [tool.definition for tool in server.tools] == listed[name]
