"""The SDK's own client, told what to do by JSON on stdin: answers go to stdout, in order.

{"sessions": {"a": {"stdio": [...], "env": {...}}, "b": {"http": URL, "headers": {...}}, "c": {"sse": URL}},
 "steps": [["a", "tools"], ["a", "call", NAME, ARGUMENTS], ["b", "read", URI], ...]}

Each session lists the tools before its first step, as hosts do that keep theirs, unless it has "lists": false.
"""

from __future__ import annotations

import json
import sys
from contextlib import AsyncExitStack
from typing import Any

import anyio
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client


async def connect(stack: AsyncExitStack, how: dict[str, Any]) -> tuple[ClientSession, Any]:
    if "stdio" in how:
        command, *arguments = how["stdio"]
        parameters = StdioServerParameters(command=command, args=arguments, env=how.get("env"))
        streams: Any = await stack.enter_async_context(stdio_client(parameters))
    elif "sse" in how:
        from mcp.client.sse import sse_client

        streams = await stack.enter_async_context(sse_client(how["sse"], headers=how.get("headers")))
    else:
        from mcp.client.streamable_http import streamablehttp_client

        streams = await stack.enter_async_context(streamablehttp_client(how["http"], headers=how.get("headers")))
    session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
    initialized = await session.initialize()
    if how.get("lists", True):
        await session.list_tools()
    return session, initialized


async def ask(session: ClientSession, verb: str, arguments: list[Any]) -> Any:
    if verb == "tools":
        return await session.list_tools(*arguments)
    if verb == "call":
        from mcp import types

        # Not session.call_tool(): that one validates the result by the listed output schema, on the client's side.
        parameters = types.CallToolRequestParams(name=arguments[0], arguments=arguments[1])
        request = types.CallToolRequest(method="tools/call", params=parameters)
        return await session.send_request(types.ClientRequest(request), types.CallToolResult)
    verbs = {"resources": session.list_resources, "prompts": session.list_prompts, "read": session.read_resource}
    return await verbs[verb](*arguments)


async def main() -> None:
    script = json.loads(sys.stdin.read())
    answers: list[Any] = []
    async with AsyncExitStack() as stack:
        sessions: dict[str, tuple[ClientSession, Any]] = {}
        for name, verb, *arguments in script["steps"]:
            if name not in sessions:
                sessions[name] = await connect(stack, script["sessions"][name])
            session, initialized = sessions[name]
            try:
                result = initialized if verb == "initialize" else await ask(session, verb, arguments)
                answers.append(result.model_dump(mode="json", by_alias=True, exclude_none=True))
            except McpError as error:
                answers.append({"raised": error.error.model_dump(mode="json", exclude_none=True)})
        sys.stdout.write(json.dumps(answers))


anyio.run(main)
