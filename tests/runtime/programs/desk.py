"""The test server: ``desk.py TRANSPORT``, migrated when MIGRATED holds the arguments of ``enable`` as JSON.

TRANSPORT is ``stdio``, ``http`` or ``stateless``; those over HTTP print their port as the first line.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from typing import Any

import anyio
from definitions import listed
from mcp import types
from mcp.server import NotificationOptions, Server
from mcp.server.models import InitializationOptions

MIGRATED = os.environ.get("MIGRATED")

server: Server = Server("desk")
if MIGRATED is not None:
    from progressive_disclosure import enable

    enable(server, **json.loads(MIGRATED))


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool.model_validate(tool) for tool in listed(MIGRATED is not None)]


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
    if arguments.get("fail"):
        raise ValueError("it broke")
    answers = {"lend": {"days": 28}, "faulty": {"days": "many"}, "plain": {"ok": True}}
    text = [types.TextContent(type="text", text=json.dumps([name, arguments]))]
    if name in answers and "outputSchema" in types.Tool.model_fields:
        return text, answers[name]
    return text


@server.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource.model_validate({"uri": "desk://hours", "name": "Hours"})]


@server.read_resource()
async def read_resource(uri: Any) -> Any:
    if str(uri) != "desk://hours":
        raise ValueError(f"no resource {uri}")
    try:
        from mcp.server.lowlevel.helper_types import ReadResourceContents
    except ImportError:  # mcp 1.2
        return "9 to 5"
    return [ReadResourceContents(content="9 to 5", mime_type="text/plain")]


@server.list_prompts()
async def list_prompts() -> list[types.Prompt]:
    return [types.Prompt(name="greet", description="Greets.")]


def options() -> InitializationOptions:
    """By hand, as many servers do, and without instructions."""
    capabilities = server.get_capabilities(NotificationOptions(), {})
    return InitializationOptions(server_name="desk", server_version="1", capabilities=capabilities)


async def run_stdio() -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read_stream=read, write_stream=write, initialization_options=options())


def http_app(stateless: bool) -> Any:
    from contextlib import asynccontextmanager

    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Mount

    manager = StreamableHTTPSessionManager(app=server, stateless=stateless, json_response=True)

    @asynccontextmanager
    async def lifespan(_app: Any) -> Any:
        async with manager.run():
            yield

    return Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=lifespan)


def serve(app: Any) -> None:
    import uvicorn

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    sys.stdout.write(f"{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


if __name__ == "__main__":
    transport = sys.argv[1]
    if transport == "stdio":
        anyio.run(run_stdio)
    else:
        serve(http_app(transport == "stateless"))
