"""The books of a reading room."""

import asyncio

from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool


async def list_tools(context, params):
    return ListToolsResult(
        tools=[
            Tool(
                name="find_book",
                description="Find a book by its title. Titles are matched as a whole, without regard to case.",
                input_schema={
                    "type": "object",
                    "properties": {
                        "title": {"type": "string", "description": "The title, or a part of it."},
                        "copies": {"type": "integer", "description": "At least so many.", "default": 1},
                    },
                    "required": ["title"],
                },
                output_schema={"type": "object", "properties": {"shelf": {"type": "string"}}, "required": ["shelf"]},
            ),
            Tool(
                name="lend_book",
                description="Lend a book to a reader. Who has five books already gets no sixth.",
                input_schema={
                    "type": "object",
                    "properties": {"title": {"type": "string", "description": "The title.", "maxLength": 200}},
                    "required": ["title"],
                },
            ),
        ]
    )


async def call_tool(context, params):
    title = (params.arguments or {}).get("title")
    if title is None:
        return CallToolResult(content=[TextContent(type="text", text="no title")], is_error=True)
    structured = {"shelf": "A"} if params.name == "find_book" else None
    return CallToolResult(content=[TextContent(type="text", text=title)], structured_content=structured)


server = Server("reading", on_list_tools=list_tools, on_call_tool=call_tool)


async def main() -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
