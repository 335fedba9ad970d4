"""Tools that a program takes out of its server and changes, and calls that end for want of knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, fields_in, said, servers_in

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
