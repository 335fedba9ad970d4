"""Find what was handed in: a low-level server, run with ``python -m desk.find``."""

import asyncio
import json
from typing import Any

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

try:
    from .progressive_disclosure_find_desk import enable
except ImportError:
    from progressive_disclosure_find_desk import enable

server = Server("find-desk")
enable(server, stdio="enforce", http="advise")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="find_item",
            description="Find an item that was handed in.",
            inputSchema={
                "type": "object",
                "properties": {
                    "words": {"type": "string"},
                    "days": {"type": "integer"},
                },
                "required": ["words"],
            },
        ),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=json.dumps([name, arguments]))]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
