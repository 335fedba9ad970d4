"""The crates of a warehouse."""

import asyncio

import mcp.server.stdio
import mcp.types as types
from mcp.server.lowlevel import Server

server = Server("warehouse", instructions="Crates are counted once a day.")
KINDS = ["dry", "cold"]


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="find_crates",
            title="Find crates",
            description="Find crates by what they hold. The newest come first, and never more than the limit.",
            inputSchema={
                "type": "object",
                "properties": {
                    "words": {"type": "string", "description": "Words on the label, in any order."},
                    "limit": {"type": "integer", "description": "How many to return.", "default": 20},
                    "since": {
                        "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}],
                        "description": "Not before this day.",
                    },
                    "place": {"$ref": "#/$defs/Place"},
                },
                "required": ["words"],
                "$defs": {
                    "Place": {
                        "type": "object",
                        "properties": {"aisle": {"type": "integer"}, "shelf": {"type": "integer"}},
                    }
                },
            },
            outputSchema={
                "type": "object",
                "properties": {"crates": {"type": "array", "items": {"type": "string"}}},
                "required": ["crates"],
            },
            annotations=types.ToolAnnotations(readOnlyHint=True),
        ),
        types.Tool(
            name="move_crate",
            description="Move a crate to another hall. It is weighed on the way, which takes a minute.",
            inputSchema={
                "type": "object",
                "properties": {
                    "crate": {"type": "string", "description": "The number on the crate.", "minLength": 4},
                    "hall": {"type": ["string", "null"], "description": "Where to; null is the yard."},
                },
                "required": ["crate", "hall"],
            },
        ),
        types.Tool(
            name="count_crates",
            description="Count the crates of a kind. Broken ones count half, and empty ones not at all.",
            inputSchema={
                "type": "object",
                "properties": {"kind": {"type": "string", "enum": KINDS, "description": "Which kind."}},
                "required": ["kind"],
            },
            outputSchema={"type": "object", "properties": {"count": {"type": "number"}}, "required": ["count"]},
        ),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict):
    if name == "find_crates":
        return {"crates": [f"{arguments['words']} {n}" for n in range(min(arguments.get("limit", 20), 2))]}
    if name == "count_crates":
        return {"count": 7}
    if name == "move_crate":
        return [types.TextContent(type="text", text=f"{arguments['crate']} is in {arguments['hall']}")]
    raise ValueError(f"no tool {name}")


async def main() -> None:
    async with mcp.server.stdio.stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
