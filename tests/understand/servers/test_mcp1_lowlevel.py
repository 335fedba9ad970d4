"""Low-level servers of mcp 1.x: what is said of each tool is what the real SDK lists, or that it is not known."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.support.environments import MCP1
from tests.support.sent import low_level, sent
from tests.understand.sources import servers_in

HEAD = """
import os
import mcp.types as types
from mcp.server import Server
from mcp.types import ListToolsResult, Tool, ToolAnnotations
from pydantic import BaseModel
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
ONE = Tool(name="one", inputSchema=SCHEMA)
server = Server("demo")
"""
TAIL = """
@server.list_tools()
async def listed():
    return TOOLS
"""
STRIP = """
    def strip(value):
        if isinstance(value, dict):
            return {k: strip(v) for k, v in value.items() if k not in ("title", "default")}
        return [strip(v) for v in value] if isinstance(value, list) else value
"""
TABLES = {
    "copies": """
        fourth = ONE.model_copy(update={"name": "four", "inputSchema": {**ONE.inputSchema, "z": 1}})
        TOOLS = [ONE, fourth]
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
    "a validated dict": "TOOLS = [Tool.model_validate({'name': 'one', 'description': 'One.', 'inputSchema': SCHEMA})]",
    "a model's schema without titles": f"""{STRIP}
    class One(BaseModel):
        a: str = ""
    TOOLS = [Tool(name="one", inputSchema=strip(One.model_json_schema()))]
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
    (server,) = servers_in(tmp_path, {"app.py": HEAD + dedent(TABLES[name]) + TAIL})
    assert server.incomplete is None
    assert [tool.definition for tool in server.tools] == listed[name]
    assert not any(tool.unknown or tool.conditional for tool in server.tools)


def test_only_what_depends_on_an_argument_is_unknown(tmp_path: Path) -> None:
    source = """
from mcp.server.lowlevel import Server
from mcp.types import Tool
class App:
    def __init__(self, path):
        self._path = path
        self._server = Server("demo")
        self._setup()
    def _setup(self):
        self._server.list_tools()(self._tools)
    async def _tools(self):
        return [Tool(name="one", inputSchema={}), Tool(name="two", description=self._path, inputSchema={})]
"""
    (server,) = servers_in(tmp_path, {"pkg/__init__.py": "", "pkg/app.py": source})
    one, two = server.tools
    assert (server.name, one.exact, two.definition["name"]) == ("demo", True, "two")
    assert {name: unknown.code for name, unknown in two.unknown.items()} == {"description": "PD302"}


def test_a_recursive_helper_over_an_unknown_leaf_leaves_the_rest_known(tmp_path: Path) -> None:
    schemas = ({"title": "x", "p": {"d": "LEAF"}}, {"title": "x", "p": [1]})
    made = ", ".join(f"Tool(name='{n}', inputSchema=strip({schema}))" for n, schema in enumerate(schemas))
    source = f"{dedent(STRIP)}TOOLS = [{made.replace(repr('LEAF'), 'os.getenv(repr(1))')}]\n"
    (server,) = servers_in(tmp_path, {"app.py": HEAD + source + TAIL})
    one, two = server.tools
    assert one.unknown["inputSchema"].path == "p.d"
    assert two.definition["inputSchema"] == {"p": [1]}


@pytest.mark.parametrize("first", ['def __init__(self):\n        self.text = "a"', 'text = "a"'], ids=["own", "shared"])
def test_what_changes_while_the_server_runs_is_unknown(tmp_path: Path, first: str) -> None:
    source = """
class App:
    FIRST
    def change(self, text):
        self.text = text
app = App()
@server.list_tools()
async def handle():
    return [Tool(name="one", description=app.text, inputSchema={})]
@server.call_tool()
async def call(name, arguments):
    app.change(name)
"""
    (server,) = servers_in(tmp_path, {"app.py": HEAD + source.replace("FIRST", first)})
    assert server.tools[0].unknown["description"].code == "PD309"


REFUSED = {
    "number as name": ("Tool(name=5, inputSchema={})", "name"),
    "no schema": ('Tool(name="x", inputSchema=None)', "inputSchema"),
    "number as key": ('Tool(name="x", inputSchema={1: 2})', "inputSchema"),
    "hint as text": ('Tool(name="x", inputSchema={}, annotations={"readOnlyHint": "yes"})', "annotations"),
    "class in a schema": ('Tool(name="x", inputSchema={"a": Tool})', "inputSchema"),
}


@pytest.mark.parametrize(("call", "field"), REFUSED.values(), ids=REFUSED)
def test_what_the_sdk_refuses_or_converts_is_unknown(tmp_path: Path, call: str, field: str) -> None:
    (server,) = servers_in(tmp_path, {"app.py": f"{HEAD}TOOLS = [{call}]\n{TAIL}"})
    assert field in server.tools[0].unknown


def test_a_server_is_found_whose_class_another_module_derives(tmp_path: Path) -> None:
    files = {
        "pkg/__init__.py": "",
        "pkg/base.py": "from mcp.server import Server\nclass Base(Server):\n    def __init__(self, name):\n"
        "        super().__init__(name)\n",
        "pkg/app.py": f"{HEAD}from .base import Base\nTOOLS = [ONE]\nserver = Base('other')\n{TAIL}",
    }
    assert [(each.name, [tool.exact for tool in each.tools]) for each in servers_in(tmp_path, files)] == [
        ("demo", []),
        ("other", [True]),
    ]
