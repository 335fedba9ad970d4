"""A server of cloud resources, as the version of pdmigrate before left it."""

import asyncio
import os

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from progressive_disclosure import enable

server = Server("resources")
enable(server, stdio="enforce", http="advise")
ONE = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="describe_bucket",
            description="Describe one resource. Keywords: keeps.",
            inputSchema={
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
        ),
        types.Tool(
            name="describe_queue",
            description="Describe one resource. Keywords: messages.",
            inputSchema={
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
        ),
        types.Tool(
            name="describe_topic",
            description="Tell all about a topic.",
            inputSchema={
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
        ),
        types.Tool(
            name="describe_table",
            description="Describe one resource. Keywords: indexes.",
            inputSchema={
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
        ),
        types.Tool(name="describe_stream", description="Describe one resource. Shards of records in order of arrival.", inputSchema=ONE),
        types.Tool(name="describe_region", description=os.environ.get("REGION_TEXT", "?"), inputSchema=ONE),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=f"{name}: {arguments['name']}")]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
