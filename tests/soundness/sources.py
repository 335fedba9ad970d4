"""Small servers in the words of every SDK: ``SERVER`` is the class, ``HANDLED`` the module of its low-level server."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent

from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, MCP1, MCP2

PINS = {
    "mcp1-fastmcp": MCP1,
    "mcp2-mcpserver": MCP2,
    "fastmcp2": FASTMCP2,
    "fastmcp3": FASTMCP3,
    "fastmcp4": FASTMCP4,
    "mcp1-lowlevel": MCP1,
}
HOME = {
    "mcp1-fastmcp": ("mcp.server.fastmcp", "FastMCP", "_mcp_server"),
    "mcp2-mcpserver": ("mcp.server.mcpserver", "MCPServer", "_lowlevel_server"),
    "fastmcp2": ("fastmcp", "FastMCP", "_mcp_server"),
    "fastmcp3": ("fastmcp", "FastMCP", "_mcp_server"),
    "fastmcp4": ("fastmcp", "FastMCP", "_mcp_server"),
}
OFFICIAL = ("mcp1-fastmcp", "mcp2-mcpserver")
MANAGED = ("mcp1-fastmcp", "mcp2-mcpserver", "fastmcp2")
"""The SDKs whose servers keep their tools in a ``_tool_manager``."""
PROVIDED = ("fastmcp3", "fastmcp4")
FAST = ("fastmcp2", "fastmcp3", "fastmcp4")
DECORATED = (*OFFICIAL, *FAST)


@dataclass(frozen=True)
class Case:
    """One program: what is in its files, on which SDKs it is tried, how it is started."""

    families: tuple[str, ...]
    files: dict[str, str]
    start: tuple[str, ...] = ("server.py",)
    fresh: bool = False
    """Whether it has to import its SDK itself, because it sets what is read when that is imported."""
    settled: tuple[str, ...] = ()
    """The tools that still have to be claimed exactly, and as always listed."""

    def written_for(self, family: str) -> dict[str, str]:
        """The files in the words of one SDK."""
        return {path: in_words_of(family, text) for path, text in self.files.items()}


def in_words_of(family: str, text: str) -> str:
    """``text`` with the names that one SDK has for its parts."""
    if family not in HOME:
        return text
    module, name, inner = HOME[family]
    return text.replace("HOME", module).replace("SERVER", name).replace("INNER", inner)


def server(before: str = "", after: str = "", options: str = "", between: str = "") -> dict[str, str]:
    """A server of two tools, with code before it is made, between its making and its tools, and behind these."""
    return {
        "server.py": "\n".join(
            (
                "from HOME import SERVER",
                dedent(before),
                f'mcp = SERVER("m"{options})',
                dedent(between),
                _TOOLS,
                dedent(after),
                _END,
            )
        )
    }


def lowlevel(before: str = "", description: str = "D", options: str = "") -> dict[str, str]:
    """A low-level server of one tool, with code before it is made, which may set ``D``, the description."""
    return {
        "server.py": f"""
import asyncio, os, sys
import mcp.types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
D = "A"
{before}
server = Server("x"{options})
@server.list_tools()
async def tools():
    return [types.Tool(name="alpha", description={description}, inputSchema={{"type": "object"}})]
async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
if __name__ == "__main__":
    asyncio.run(main())
"""
    }


_TOOLS = """
@mcp.tool()
def alpha(x: int) -> str: "Alpha."


@mcp.tool()
def beta(y: str = "q") -> str: "Beta."
"""
_END = """
if __name__ == "__main__":
    mcp.run()
"""
