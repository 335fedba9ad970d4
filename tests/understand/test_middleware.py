"""Middleware of servers, and classes of tools of the program: what a list goes through before it is sent.

What each server sends was found by running it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import understood

HEAD = """
import os
import textwrap
from fastmcp import FastMCP
from fastmcp.server.middleware import Middleware
from fastmcp.server.middleware.logging import LoggingMiddleware
from fastmcp.tools import FunctionTool, Tool
def c(y: str = "k") -> str:
    "C c"
    return y
"""
TOOLS = """
@mcp.tool
def a(x: int) -> int: "A"
@mcp.tool
def b() -> None: "B"
"""
A, B = ("a", "A", False), ("b", "B", False)
SENT = {
    "derived logging": (
        """
class M(LoggingMiddleware):
    async def on_call_tool(self, context, call_next):
        return await call_next(context)
mcp = FastMCP('x', middleware=[M()])
""",
        [A, B],
    ),
    "call replaced": (
        """
class M(Middleware):
    async def __call__(self, context, call_next):
        return await call_next(context)
mcp = FastMCP('x', middleware=[M()])
""",
        [A, B],
    ),
    "add_tool overridden": (
        """
class S(FastMCP):
    def add_tool(self, tool):
        if tool.description:
            d = textwrap.dedent(tool.description).strip().upper()
            if d != tool.description:
                tool.description = d
        return super().add_tool(tool)
mcp = S('x')
mcp.add_tool(Tool.from_function(c))
""",
        [("c", "C C", False), ("a", "A", False), ("b", "B", False)],
    ),
    "tools option": (
        """
mcp = FastMCP('x', tools=[c, *([Tool.from_function(c, name='e')] if os.environ.get('EXTRA') else [])])
""",
        [("c", "C c", False), ("e", "C c", True), A, B],
    ),
}


@pytest.mark.parametrize(("source", "sent"), SENT.values(), ids=SENT)
def test_a_list_is_what_comes_out_of_the_middleware(tmp_path: Path, source: str, sent: list[object]) -> None:
    (server,) = understood(tmp_path, {"fastmcp": "3.4.10"}, server=HEAD + source + TOOLS)
    assert [(t.name, t.definition.get("description"), bool(t.conditional)) for t in server.tools] == sent
    assert all(tool.exact for tool in server.tools)
    assert server.incomplete is None


def test_what_may_change_a_list_leaves_it_open(tmp_path: Path) -> None:
    source = """
class M(Middleware):
    async def on_list_tools(self, context, call_next):
        return [t for t in await call_next(context) if t.name != 'b']
mcp = FastMCP('x', middleware=[M()] if os.environ.get('NOT_SET') else [])
"""
    (server,) = understood(tmp_path, {"fastmcp": "3.4.10"}, server=HEAD + source + TOOLS)
    assert server.incomplete
    assert "c" not in {tool.name for tool in server.tools if tool.exact}
