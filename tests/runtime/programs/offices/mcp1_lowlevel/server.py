"""The lost property office on the low-level server of mcp 1.x; it lists its tools in pages."""

from __future__ import annotations

import asyncio
from typing import Any

import office
from listed import CELLAR, TOOLS
from mcp import types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.stdio import stdio_server
from pydantic import AnyUrl

PAGE = 3
opened = False

server: Server = Server("lost-property", version="1.0.0", instructions="Items are known by number.")


@server.list_tools()
async def list_tools(request: types.ListToolsRequest) -> types.ListToolsResult:
    asked = getattr(server.request_context, "request", None)
    is_staff = office.is_staff(asked and asked.headers)
    tools = [tool for tool in TOOLS if tool.name not in office.STAFF or is_staff]
    if opened:
        tools.append(CELLAR)
    start = int(request.params.cursor) if request is not None and request.params and request.params.cursor else 0
    end = start + PAGE
    return types.ListToolsResult(tools=tools[start:end], nextCursor=str(end) if end < len(tools) else None)


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
    global opened
    if name == "open_cellar":
        opened = True
        await server.request_context.session.send_tool_list_changed()
        return [types.TextContent(type="text", text="open")]
    said = office.called(name, arguments)
    if isinstance(said, office.Found):
        return said.model_dump()
    return [types.TextContent(type="text", text=said)] if isinstance(said, str) else said


@server.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource(uri=AnyUrl("office://hours"), name="hours", mimeType="text/plain")]


@server.list_resource_templates()
async def list_resource_templates() -> list[types.ResourceTemplate]:
    return [types.ResourceTemplate(uriTemplate="office://shelves/{shelf}", name="shelf", mimeType="text/plain")]


@server.read_resource()
async def read_resource(uri: AnyUrl) -> list[ReadResourceContents]:
    if str(uri) not in office.CONTENTS:
        raise ValueError(f"unknown resource: {uri}")
    return [ReadResourceContents(content=office.CONTENTS[str(uri)], mime_type="text/plain")]


@server.list_prompts()
async def list_prompts() -> list[types.Prompt]:
    topic = types.PromptArgument(name="item", required=True)
    return [types.Prompt(name="notice", description="A notice for the board.", arguments=[topic])]


@server.get_prompt()
async def get_prompt(_name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
    content = types.TextContent(type="text", text=f"Write a notice about {(arguments or {}).get('item')}.")
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])


OPTIONS = server.create_initialization_options(NotificationOptions(tools_changed=True))


async def over_stdio() -> None:
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, OPTIONS)


def over_http(port: int, *, stateless: bool) -> None:
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Mount

    sessions = StreamableHTTPSessionManager(server, stateless=stateless)
    app = Starlette(routes=[Mount("/", sessions.handle_request)], lifespan=lambda _app: sessions.run())
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


def main() -> None:
    options = office.options()
    if options.http is None:
        asyncio.run(over_stdio())
    else:
        over_http(options.http, stateless=options.stateless)


if __name__ == "__main__":
    main()
