"""Middleware of servers, and classes of tools of the program: what a list goes through before it is sent.

What each server sends was found by running it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Server
from tests.understand.sources import understood

HEAD = """
import os
import textwrap
from fastmcp import FastMCP
from fastmcp.server.middleware import Middleware
from fastmcp.server.middleware.logging import LoggingMiddleware
from fastmcp.tools import FunctionTool, Tool
def c(y: str = "k") -> str: "C c"
"""
TOOLS = "".join(f'@mcp.tool\ndef {name}(x: int) -> int: "{name.upper()}"\n' for name in "abd")


def server_of(root: Path, source: str) -> Server:
    (server,) = understood(root, {"fastmcp": "3.4.10"}, server=HEAD + source + TOOLS)
    return server


SENT = {
    "derived logging": """
class M(LoggingMiddleware):
    async def on_call_tool(self, context, call_next):
        return await call_next(context)
mcp = FastMCP('x', middleware=[M()])
""",
    "call replaced": """
class M(Middleware):
    async def __call__(self, context, call_next):
        return await call_next(context)
mcp = FastMCP('x', middleware=[M()])
""",
    "add_tool overridden": """
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
    "tools option": """
mcp = FastMCP('x', tools=[c, *([Tool.from_function(c, name='e')] if os.environ.get('EXTRA') else [])])
""",
}
MORE = {"add_tool overridden": [("c", "C C", False)], "tools option": [("c", "C c", False), ("e", "C c", True)]}


@pytest.mark.parametrize("name", SENT)
def test_a_list_is_what_comes_out_of_the_middleware(tmp_path: Path, name: str) -> None:
    server = server_of(tmp_path, SENT[name])
    sent = [*MORE.get(name, ()), ("a", "A", False), ("b", "B", False), ("d", "D", False)]
    assert [(t.name, t.definition.get("description"), bool(t.conditional)) for t in server.tools] == sent
    assert (all(tool.exact for tool in server.tools), server.incomplete) == (True, None)


CHANGING = """
class Scoped(Middleware):
    "Adds a parameter where the session asks for it."
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        if context.fastmcp_context.session.state.get("plain"):
            return tools
        patched = []
        for tool in tools:
            properties = dict(tool.parameters.get("properties") or {})
            properties["scope"] = {"type": "string"}
            parameters = {**tool.parameters, "properties": properties}
            patched.append(tool.model_copy(update={"parameters": parameters}))
        return patched
class Hiding(Middleware):
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        hidden = "b" if os.environ.get("READ_ONLY") else "d"
        return [tool for tool in tools if tool.name != hidden]
class Renaming(Middleware):
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        if os.environ.get("PLAIN"):
            return tools
        return [tool.model_copy(update={"description": "Another."}) for tool in tools]
"""
CASES = {
    "filtered and changed": ("Hiding(), Scoped()", {"inputSchema"}),
    "many of them": (
        "Scoped(), Hiding(), Renaming(), Hiding(), Scoped(), Hiding(), Renaming(), Scoped(), Hiding()",
        {"inputSchema", "description"},
    ),
}


@pytest.mark.parametrize(("middleware", "lost"), CASES.values(), ids=CASES)
def test_only_what_a_middleware_may_change_is_not_known(middleware: str, lost: set[str], tmp_path: Path) -> None:
    server = server_of(tmp_path, f"{CHANGING}mcp = FastMCP('x', middleware=[{middleware}])\n")
    assert sorted(str(tool.name) for tool in server.tools) == ["a", "b", "d"]
    assert all(tool.unknown.keys() >= lost for tool in server.tools)
    assert {tool.name for tool in server.tools if tool.conditional} >= {"b", "d"}
    if server.incomplete is None:
        assert all(tool.unknown.keys() == lost for tool in server.tools)
    else:
        assert all(tool.conditional for tool in server.tools)
        assert "middleware" in server.incomplete


def test_what_may_change_a_list_leaves_it_open(tmp_path: Path) -> None:
    source = """
class M(Middleware):
    async def on_list_tools(self, context, call_next):
        return [t for t in await call_next(context) if t.name != 'b']
mcp = FastMCP('x', middleware=[M()] if os.environ.get('NOT_SET') else [])
"""
    server = server_of(tmp_path, source)
    assert server.incomplete
    assert "c" not in {tool.name for tool in server.tools if tool.exact}
