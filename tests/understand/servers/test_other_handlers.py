"""Handlers that a server keeps, taken out or replaced by hand: those of other methods change no tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import servers_in

VERSIONS = {"mcp": "2.3.0", "pydantic": "2.14.4", "python": "3.11"}
SERVER = """
from mcp.server import MCPServer
mcp = MCPServer("x")

@mcp.tool()
def a(n: int) -> str: "A."

"""
HANDLERS = "mcp._lowlevel_server._request_handlers"
MAY_CHANGE_TOOLS = {
    "all": f"{HANDLERS}.clear()",
    "all middleware": "mcp.middleware.clear()",
    "updated": f"{HANDLERS}.update({{'tools/list': None}})",
}


def test_a_handler_of_another_method_changes_no_tool(tmp_path: Path) -> None:
    change = "async def on(context, call_next):\n    return await call_next(context)\nmcp.middleware.append(on)"
    (server,) = servers_in(tmp_path, {"server.py": f"{SERVER}{change}\n"}, VERSIONS)
    assert server.incomplete is None
    assert [(tool.definition["name"], tool.exact, tool.conditional) for tool in server.tools] == [("a", True, None)]


@pytest.mark.parametrize("change", MAY_CHANGE_TOOLS.values(), ids=MAY_CHANGE_TOOLS)
def test_the_handler_of_the_list_may_be_another(tmp_path: Path, change: str) -> None:
    for server in servers_in(tmp_path, {"server.py": f"{SERVER}{change}\n"}, VERSIONS):
        assert server.incomplete is not None
        assert not [tool for tool in server.tools if tool.exact]


@pytest.mark.parametrize("known", [False, True], ids=["alone", "behind one that is known"])
def test_the_handler_of_a_method_that_is_not_known_may_be_that_of_the_list(tmp_path: Path, known: bool) -> None:
    own = "server.add_request_handler('tools/list', PaginatedRequestParams, own)\n" if known else ""
    source = (
        "import os\nfrom mcp.server import Server\n"
        "from mcp.types import ListToolsResult, PaginatedRequestParams, Tool\nserver = Server('x')\n"
        "async def own(context, params):\n    return ListToolsResult(tools=[Tool(name='a', input_schema={})])\n"
        f"async def listed(context, params): ...\n{own}"
        "server.add_request_handler(os.environ['METHOD'], PaginatedRequestParams, listed)\n"
    )
    (server,) = servers_in(tmp_path, {"server.py": source}, VERSIONS)
    assert server.incomplete == "a handler is added for a method that is not known"
    assert not [tool for tool in server.tools if tool.exact]
