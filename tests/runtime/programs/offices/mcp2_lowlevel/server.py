"""The lost property office on the low-level server of mcp 2.x; it lists its tools in pages."""

from __future__ import annotations

import argparse
import asyncio
import os
from typing import Any

from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.subscriptions import ToolsListChanged

Context = ServerRequestContext[Any, Any]
PAGE = 3
TOPIC = {"type": "object", "properties": {"topic": {"type": "string", "minLength": 2}}, "required": ["topic"]}
TOOLS = [
    types.Tool(
        name="find_items",
        title="Find items",
        description="List what was found, by a word of its label. Only what was handed in this month is kept here.",
        input_schema={
            "type": "object",
            "properties": {
                "word": {"type": "string", "minLength": 2, "description": "A word of the label."},
                "shelf": {"type": "string", "enum": ["a", "b"], "default": "a", "description": "Where to look."},
            },
            "required": ["word"],
        },
        output_schema={
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
            "required": ["items"],
        },
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
        icons=[types.Icon(src="data:image/png;base64,AAAA", mime_type="image/png")],
        _meta={"office.example/rank": 3},
    ),
    types.Tool(
        name="hand_out",
        description="Give an item back to its owner. It is gone from the shelves then, so ask for a proof before.",
        input_schema={
            "type": "object",
            "properties": {"number": {"type": "integer", "minimum": 1, "description": "On the label."}},
            "required": ["number"],
        },
        annotations=types.ToolAnnotations(destructive_hint=True),
    ),
    types.Tool(
        name="lost_property_describe_tools",
        description="Say how the tools of the workshop are used. This is a tool of the office, not a bridge.",
        input_schema=TOPIC,
    ),
    types.Tool(
        name="lost_property_describe_tools_pd",
        description="The same for the staff, who alone see it. It names the keys as well.",
        input_schema=TOPIC,
    ),
    types.Tool(
        name="open_cellar",
        description="Open the cellar. From then on everybody may search it, until the office closes.",
        input_schema={"type": "object", "properties": {}},
    ),
]
CELLAR = types.Tool(
    name="search_cellar",
    description="Search a box in the cellar. There are nine; the ninth is empty.",
    input_schema={
        "type": "object",
        "properties": {"box": {"type": "integer", "maximum": 9, "description": "Which box."}},
        "required": ["box"],
    },
)
STAFF = {"lost_property_describe_tools_pd"}
bus = InMemorySubscriptionBus()
opened = False


def is_staff(context: Context) -> bool:
    """Over HTTP a header says so, over a pipe the environment."""
    request = context.request
    role = os.environ.get("OFFICE_ROLE") if request is None else request.headers.get("x-office-role")
    return role == "staff"


async def list_tools(context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    tools = [tool for tool in TOOLS if tool.name not in STAFF or is_staff(context)]
    if opened:
        tools.append(CELLAR)
    start = int(params.cursor) if params and params.cursor else 0
    end = start + PAGE
    return types.ListToolsResult(tools=tools[start:end], next_cursor=str(end) if end < len(tools) else None)


async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    global opened
    name, arguments = params.name, params.arguments or {}
    if name == "find_items":
        word = arguments.get("word")
        if not isinstance(word, str) or len(word) < 2:
            return say(f"{word!r} is no word", is_error=True)
        items = [f"{word} on {arguments.get('shelf', 'a')}"]
        return types.CallToolResult(content=say(items[0]).content, structured_content={"items": items})
    if name == "hand_out":
        number = arguments.get("number")
        if not isinstance(number, int) or not 1 <= number <= 99:
            return say(f"nothing has the number {number}", is_error=True)
        return types.CallToolResult(content=everything()) if number == 88 else say(f"{number} is handed out")
    if name == "open_cellar":
        opened = True
        await context.session.send_tool_list_changed()
        await bus.publish(ToolsListChanged())
        return say("open")
    if name == "search_cellar":
        return say(f"box {arguments.get('box')} holds an umbrella")
    if name in ("lost_property_describe_tools", *STAFF):
        return say(f"{name} about {arguments.get('topic')}")
    return say(f"unknown tool: {name}", is_error=True)


def say(text: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=is_error)


def everything() -> list[Any]:
    """Content of every kind."""
    resource = types.TextResourceContents(uri="office://hours", mime_type="text/plain", text="9 to 5")
    return [
        types.TextContent(type="text", text="a parcel"),
        types.ImageContent(type="image", data="AAAA", mime_type="image/png"),
        types.AudioContent(type="audio", data="AAAA", mime_type="audio/wav"),
        types.ResourceLink(type="resource_link", uri="office://hours", name="hours"),
        types.EmbeddedResource(type="resource", resource=resource),
    ]


async def list_resources(_context: Context, _params: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
    hours = types.Resource(uri="office://hours", name="hours", mime_type="text/plain")
    return types.ListResourcesResult(resources=[hours])


async def list_templates(
    _context: Context, _params: types.PaginatedRequestParams | None
) -> types.ListResourceTemplatesResult:
    shelf = types.ResourceTemplate(uri_template="office://shelves/{shelf}", name="shelf", mime_type="text/plain")
    return types.ListResourceTemplatesResult(resource_templates=[shelf])


async def read_resource(_context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
    known = {"office://hours": "9 to 5", "office://shelves/a": "shelf a", "office://shelves/b": "shelf b"}
    if params.uri not in known:
        raise ValueError(f"unknown resource: {params.uri}")
    contents = types.TextResourceContents(uri=params.uri, text=known[params.uri], mime_type="text/plain")
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


def over_sse(port: int) -> None:
    import uvicorn
    from mcp.server.sse import SseServerTransport
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Mount, Route

    transport = SseServerTransport("/messages/")

    async def connect(request: Any) -> Response:
        async with transport.connect_sse(request.scope, request.receive, request._send) as streams:
            await server.run(streams[0], streams[1], server.create_initialization_options())
        return Response()

    app = Starlette(routes=[Route("/sse", connect), Mount("/messages/", app=transport.handle_post_message)])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


def main() -> None:
    parser = argparse.ArgumentParser(description="A lost property office.")
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--stateless", action="store_true")
    parser.add_argument("--sse", action="store_true")
    options = parser.parse_args()
    if options.http is None:
        asyncio.run(over_stdio())
    elif options.sse:
        over_sse(options.http)
    else:
        import uvicorn

        app = server.streamable_http_app(stateless_http=options.stateless)
        uvicorn.run(app, host="127.0.0.1", port=options.http, log_level="error")


if __name__ == "__main__":
    main()
