"""A seed exchange that lists its tools in pages of two, as a server of the low level."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

server: Server[Any, Any] = Server("seed-exchange", version="1.0.0")
SEED = {"seed": {"type": "string", "description": "Its name in any language.", "minLength": 2}}
TOOLS = [
    types.Tool(name=name, description=text, inputSchema={"type": "object", "properties": SEED, "required": ["seed"]})
    for name, text in (
        ("offer_seed", "Offer seed to others. It has to be of this year, dry and named; who asks first gets it."),
        ("find_seed", "Find seed that is offered. Names are matched in all languages, and old offers are left out."),
        ("keep_seed", "Keep seed back for a year. It has to be offered again after that, or it is sown by the house."),
        ("sow_seed", "Sow seed in the garden of the house. It cannot be taken back, so ask whoever offered it."),
    )
]


@server.list_tools()
async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
    start = int(request.params.cursor) if request.params and request.params.cursor else 0
    more = str(start + 2) if start + 2 < len(TOOLS) else None
    return types.ListToolsResult(tools=TOOLS[start : start + 2], nextCursor=more)


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=f"{name}: {arguments['seed']}")]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
