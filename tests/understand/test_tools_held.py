"""Tools that a program takes out of its server and changes, and calls that end for want of knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, fields_in, said, servers_in, understood

TOOL = "@mcp.tool()\ndef a(n: int, tag: str = ''):\n    'Does.'\n"
OPEN = {
    "a tool of a copy is found by an unknown name": TOOL
    + "import os\ntools = dict(mcp._tool_manager._tools)\ntools[os.environ['N']].parameters.clear()",
    "a tool is found by an unknown name": TOOL
    + "import os\nt = mcp._tool_manager.get_tool(os.environ['N'])\nt.parameters.clear()",
}


def test_the_model_of_arguments_may_be_replaced(tmp_path: Path) -> None:
    source = (
        f"{FAST}{TOOL}t = mcp._tool_manager.get_tool('a')\n"
        "t.fn_metadata.arg_model = type('M', (t.fn_metadata.arg_model,), {})"
    )
    properties = {"n": {"type": "integer", "title": "N"}, "tag": {"type": "string", "default": "", "title": "Tag"}}
    schema = {"properties": properties, "required": ["n"], "title": "aArguments", "type": "object"}
    assert fields_in(tmp_path, {"server.py": source}, "inputSchema") == {"a": schema}


@pytest.mark.parametrize("source", OPEN.values(), ids=OPEN)
def test_a_tool_that_may_be_changed_is_not_claimed(tmp_path: Path, source: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": FAST + source})
    assert all(tool.unknown for tool in server.tools)


TWO = TOOL + "@mcp.tool()\ndef b(n: int):\n    'Does.'\nTABLE = mcp._tool_manager._tools\n"
LEFT = {
    "the keys": "for name in tuple(TABLE.keys()):\n    if name.startswith('b'):\n        mcp.remove_tool(name)",
    "the manager's list": "for tool in mcp._tool_manager.list_tools():\n"
    "    if tool.name != 'a':\n        mcp.remove_tool(tool.name)",
}
NOT_LEFT = {
    "a tool has another name since": "mcp._tool_manager.get_tool('b').name = 'c'\nfor name in list(TABLE):\n"
    "    if name != 'a':\n        mcp.remove_tool(name)",
    "the table is emptied": "TABLE.clear()",
}


@pytest.mark.parametrize("source", LEFT.values(), ids=LEFT)
def test_tools_are_taken_out_by_the_names_of_the_table(tmp_path: Path, source: str) -> None:
    found = servers_in(tmp_path, {"server.py": f"{FAST}{TWO}{source}\nmcp.run()\n"})
    assert [(tool.name, tool.exact, tool.conditional) for each in found for tool in each.tools] == [("a", True, None)]


@pytest.mark.parametrize("source", NOT_LEFT.values(), ids=NOT_LEFT)
def test_a_table_that_may_be_another_is_not_claimed(tmp_path: Path, source: str) -> None:
    for server in servers_in(tmp_path, {"server.py": f"{FAST}{TWO}{source}\nmcp.run()\n"}):
        assert not [tool for tool in server.tools if tool.name == "b" and tool.exact and tool.conditional is None]
        assert server.incomplete is not None


def test_a_walk_through_something_unknown_ends(tmp_path: Path) -> None:
    source = "def walk(node):\n    for child in node.children:\n        walk(child)\n    walk(node.next)\n"
    walked = "def start():\n    import settings\n    walk(settings.tree())\nstart()\n"
    assert said(tmp_path, f"{source}{walked}TEXT = 'A'") == "A"


# --- the components of fastmcp's servers, as 3.4.10 and 4.2.3 were seen to send them ----------------------------------

RELEASES = ({"fastmcp": "3.4.10", "mcp": "1.30.0"}, {"fastmcp": "4.2.3", "mcp": "2.3.0"})
HEAD = """
from enum import Enum
from pydantic import BaseModel
from fastmcp import FastMCP
from fastmcp.tools import Tool
mcp = FastMCP('x')
@mcp.tool
def a(x: int | None = None, *, y: list[str]) -> dict: 'A'
@mcp.tool
def b(z: str = 'q') -> str: 'B'
@mcp.resource('r://x')
def res() -> str: ...
"""
SIMPLIFIED = """
def simplify(s):
    for p in s.get('properties', {}).values():
        if 'anyOf' in p:
            rest = [q for q in p['anyOf'] if q.get('type') != 'null']
            if len(rest) == 1:
                p.clear()
                p.update(rest[0])
src = getattr(mcp, '_local_provider', None)
for t in [v for v in src._components.values() if isinstance(v, Tool)]:
    simplify(t.parameters)
    t.description = t.description + '!'
"""
PROPERTIES = [
    {"x": {"type": "integer"}, "y": {"items": {"type": "string"}, "type": "array"}},
    {"z": {"default": "q", "type": "string"}},
]
REFERENCES = """
class M(BaseModel):
    k: int
class C(Enum):
    R = 'r'
@mcp.tool
def c(m: M, k: C) -> None: 'C'
for t in mcp._local_provider._components.values():
    if isinstance(t, Tool):
        t.parameters['title'] = 'T'
"""


@pytest.mark.parametrize("versions", RELEASES, ids=lambda each: each["fastmcp"])
def test_tools_among_the_components_are_those_that_are_listed(tmp_path: Path, versions: dict[str, str]) -> None:
    (server,) = understood(tmp_path, versions, server=HEAD + SIMPLIFIED)
    assert [tool.definition["description"] for tool in server.tools] == ["A!", "B!"]
    assert [tool.definition["inputSchema"]["properties"] for tool in server.tools] == PROPERTIES
    assert ([tool.exact for tool in server.tools], server.incomplete) == ([True, True], None)


def test_a_schema_with_references_that_is_used_early_is_left_open(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, RELEASES[0], server=HEAD + REFERENCES)
    assert [(tool.name, list(tool.unknown)) for tool in server.tools] == [("a", []), ("b", []), ("c", ["inputSchema"])]


REACHED = {
    "through the script": "import sys\ngetattr(sys.modules['__main__'], 'mcp')",
    "imported": "import __main__\n__main__.mcp",
    "as an object of any module": "import sys\nnext(m for m in sys.modules.values() if hasattr(m, 'mcp')).mcp",
}


@pytest.mark.parametrize("done", ["_tools.clear()", "_tools = {}"])
@pytest.mark.parametrize("way", REACHED.values(), ids=REACHED)
def test_a_server_that_another_module_gets_hold_of_may_list_anything(tmp_path: Path, way: str, done: str) -> None:
    files = {"server.py": f"{FAST}{TOOL}import helper\nmcp.run()\n", "helper.py": f"{way}._tool_manager.{done}\n"}
    (server,) = servers_in(tmp_path, files)
    assert server.incomplete is not None
    assert all(tool.conditional for tool in server.tools)
