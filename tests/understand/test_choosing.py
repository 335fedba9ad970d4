"""Names that may mean one of several servers: a tool that is registered through them is listed by each, or in doubt."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Server
from tests.understand.test_places import servers

HEAD = "import sys\nfrom mcp.server.fastmcp import FastMCP\nC = sys.argv[1:]\n"
TOOL = "@mcp.tool()\ndef a(x: int) -> int:\n    return x\n"
EITHER = "mcp = FastMCP('x') if C else FastMCP('x', port=1)\n"
IN_DOUBT = {
    "private parts": EITHER + TOOL + "mcp._tool_manager._tools.clear()\n",
    "the list is replaced": EITHER + "mcp.list_tools = lambda: []\n" + TOOL,
}


def certain(server: Server) -> bool:
    """Whether the server is said to list exactly the tools that are named, always."""
    return server.incomplete is None and all(tool.conditional is None for tool in server.tools)


@pytest.mark.parametrize("text", IN_DOUBT.values(), ids=IN_DOUBT)
def test_a_server_that_may_be_lost_is_in_doubt(tmp_path: Path, text: str) -> None:
    found = servers(tmp_path, HEAD + text)
    assert found
    assert not any(certain(server) for server in found)
