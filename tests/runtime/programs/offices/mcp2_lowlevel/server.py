"""The lost property office on the low-level server of mcp 2.x; it lists its tools in pages."""

from __future__ import annotations

import asyncio
from typing import Any

import office
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ToolsListChanged

Context = ServerRequestContext[Any, Any]
PAGE = 3
bus = InMemorySubscriptionBus()
opened = False
TOPIC = {"type": "object", "properties": {"topic": {"type": "string", "minLength": 2}}, "required": ["topic"]}
TOOLS = [
    types.Tool(
        name="find_items",
        title="Find items",
        description="List what was found, by a word of its label. Only what was handed in this month is kept here.",
        inputSchema={
            "type": "object",
            "properties": {
                "word": {"type": "string", "minLength": 2, "description": "A word of the label."},
                "shelf": {"type": "string", "enum": ["a", "b"], "default": "a", "description": "Where to look."},
            },
            "required": ["word"],
        },
        outputSchema={
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
            "required": ["items"],
        },
        annotations=types.ToolAnnotations(readOnlyHint=True, openWorldHint=False),
        icons=[types.Icon(src="data:image/png;base64,AAAA", mimeType="image/png")],
        _meta={"office.example/rank": 3},
    ),
    types.Tool(
        name="hand_out",
        description="Give an item back to its owner. It is gone from the shelves then, so ask for a proof before.",
        inputSchema={
            "type": "object",
            "properties": {"number": {"type": "integer", "minimum": 1, "description": "On the label."}},
            "required": ["number"],
        },
        annotations=types.ToolAnnotations(destructiveHint=True),
    ),
    types.Tool(
        name="lost_property_describe_tools",
        description="Say how the tools of the workshop are used. This is a tool of the office, not a bridge.",
        inputSchema=TOPIC,
    ),
    types.Tool(
        name="lost_property_describe_tools_pd",
        description="The same for the staff, who alone see it. It names the keys as well.",
        inputSchema=TOPIC,
    ),
    types.Tool(
        name="open_cellar",
        description="Open the cellar. From then on everybody may search it, until the office closes.",
        inputSchema={"type": "object", "properties": {}},
    ),
]
CELLAR = types.Tool(
    name="search_cellar",
    description="Search a box in the cellar. There are nine; the ninth is empty.",
    inputSchema={
        "type": "object",
        "properties": {"box": {"type": "integer", "maximum": 9, "description": "Which box."}},
        "required": ["box"],
    },
)


async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    is_staff = office.is_staff(context.request and context.request.headers)
    tools = [tool for tool in TOOLS if tool.name not in office.STAFF or is_staff]
    if opened:
        tools.append(CELLAR)
    start = int(params.cursor) if params and params.cursor else 0
    end = start + PAGE
    return types.ListToolsResult(tools=tools[start:end], next_cursor=str(end) if end < len(tools) else None)


async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    global opened
    if params.name == "open_cellar":
        opened = True
        await context.session.send_tool_list_changed()
        await bus.publish(ToolsListChanged())
        return say("open")
    try:
        said = office.called(params.name, params.arguments or {})
    except ValueError as error:
        return say(str(error), is_error=True)
    if isinstance(said, office.Found):
        return types.CallToolResult(content=say(said.items[0]).content, structured_content=said.model_dump())
    return say(said) if isinstance(said, str) else types.CallToolResult(content=said)


def say(text: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)


async def list_resources(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    hours = types.Resource(uri="office://hours", name="hours", mime_type="text/plain")
    return types.ListResourcesResult(resources=[hours])


async def list_templates(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    shelf = types.ResourceTemplate(uri_template="office://shelves/{shelf}", name="shelf", mime_type="text/plain")
    return types.ListResourceTemplatesResult(resource_templates=[shelf])


async def read_resource(_context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    if params.uri not in office.CONTENTS:
        raise ValueError(f"unknown resource: {params.uri}")
    contents = types.TextResourceContents(uri=params.uri, text=office.CONTENTS[params.uri], mime_type="text/plain")
    return types.ReadResourceResult(contents=[contents])


async def list_prompts(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    item = types.PromptArgument(name="item", required=True)
    notice = types.Prompt(name="notice", description="A notice for the board.", arguments=[item])
    return types.ListPromptsResult(prompts=[notice])


async def get_prompt(_context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    content = types.TextContent(type="text", text=f"Write a notice about {(params.arguments or {}).get('item')}.")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])


server = Server(
    "lost-property",
    version="1.0.0",
    instructions="Items are known by number.",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_list_resource_templates=list_templates,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
    on_subscriptions_listen=ListenHandler(bus),
)


async def over_stdio() -> None:
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


def main() -> None:
    options = office.options()
    if options.http is None:
        asyncio.run(over_stdio())
    else:
        import uvicorn

        app = server.streamable_http_app(stateless_http=options.stateless)
        uvicorn.run(app, host="127.0.0.1", port=options.http, log_level="error")


if __name__ == "__main__":
    main()
