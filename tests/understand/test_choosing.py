"""Names that may mean one of several servers: a tool that is registered through them is listed by each, or in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Server
from tests.understand.test_places import servers

HEAD = "import sys\nfrom mcp.server.fastmcp import FastMCP\nC = sys.argv[1:]\n"
TOOL = "@mcp.tool()\ndef a(x: int) -> int:\n    return x\n"
INSIDE = "".join(f"    {line}\n" for line in TOOL.splitlines())
EITHER = "mcp = FastMCP('x') if C else FastMCP('x', port=1)\n"
LISTING = {
    "a branch": "if C:\n    mcp = FastMCP('x')\n" + TOOL,
    "a branch after None": "mcp = None\nif C:\n    mcp = FastMCP('x')\n" + TOOL,
    "two branches": "if C:\n    mcp = FastMCP('x')\nelse:\n    mcp = FastMCP('x', port=1)\n" + TOOL,
    "two names of servers": "mcp = FastMCP('x') if C else FastMCP('y')\n" + TOOL,
    "bound again": "mcp = FastMCP('x')\nif C:\n    mcp = FastMCP('x', port=1)\n" + TOOL,
    "made when asked for": "_s = None\ndef get():\n    global _s\n    if _s is None:\n        _s = FastMCP('x')\n"
    "    return _s\nmcp = get()\n" + TOOL + "get().run()\n",
    "made when an object is asked": "class A:\n    _s = None\n    def get(self):\n        if self._s is None:\n"
    "            self._s = FastMCP('x')\n        return self._s\nk = A()\nmcp = k.get()\n" + TOOL,
    "handed to a function": EITHER + "def reg(mcp):\n" + INSIDE + "reg(mcp)\n",
    "kept in a dict": EITHER + "d = {'m': mcp}\nmcp = d['m']\n" + TOOL,
    "a class and one derived from it": "class S(FastMCP):\n    pass\n"
    "mcp = S('x') if C else FastMCP('x', port=1)\n" + TOOL,
    "added by a method": EITHER + "def a(x: int) -> int:\n    return x\nmcp.add_tool(a)\n",
    "servers of two objects": "class A:\n    def __init__(self, n):\n        self.mcp = FastMCP(n)\n"
    "k = A('x') if C else A('y')\nmcp = k.mcp\n" + TOOL,
}  # fmt: skip
IN_DOUBT = {
    "another object": "mcp = FastMCP('x') if C else object()\n" + TOOL,
    "another module": "import other\nmcp = FastMCP('x') if C else other.server\n" + TOOL,
    "handed on": EITHER + "import other\nother.register(mcp)\n" + TOOL,
    "private parts": EITHER + TOOL + "mcp._tool_manager._tools.clear()\n",
    "the list is replaced": EITHER + "mcp.list_tools = lambda: []\n" + TOOL,
    "a test for None": "mcp = None\nif C:\n    mcp = FastMCP('x')\nif mcp is not None:\n" + INSIDE,
}


def certain(server: Server) -> bool:
    """Whether the server is said to list exactly the tools that are named, always."""
    return server.incomplete is None and all(tool.conditional is None for tool in server.tools)


@pytest.mark.parametrize("text", LISTING.values(), ids=LISTING)
def test_every_server_lists_the_tool(tmp_path: Path, text: str) -> None:
    found = servers(tmp_path, HEAD + text)
    assert found
    for server in found:
        assert [tool.name for tool in server.tools] == ["a"]
        assert certain(server)
        assert server.tools[0].exact


@pytest.mark.parametrize("text", IN_DOUBT.values(), ids=IN_DOUBT)
def test_a_server_that_may_be_lost_is_in_doubt(tmp_path: Path, text: str) -> None:
    found = servers(tmp_path, HEAD + text)
    assert found
    assert not any(certain(server) for server in found)


def test_what_is_removed_is_removed_from_each(tmp_path: Path) -> None:
    found = servers(tmp_path, HEAD + EITHER + TOOL + "mcp.remove_tool('a')\n")
    assert [(server.tools, server.incomplete) for server in found] == [((), None)]
