"""Find what was handed in: a low-level server, run with ``python -m desk.find``."""

import asyncio
import json
from typing import Any

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server = Server("find-desk")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="find_item",
            description="Find an item that was handed in. The words must all occur in its description, in any order.",
            inputSchema={
                "type": "object",
                "properties": {
                    "words": {"type": "string", "minLength": 2, "description": "Words of the description."},
                    "days": {"type": "integer", "default": 30, "description": "How many days to look back."},
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
