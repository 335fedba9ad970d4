"""Times calls of several servers in turn, by the official client, in whose environment it is run."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from contextlib import AsyncExitStack
from typing import Any


async def main(given: dict[str, Any]) -> list[list[float]]:
    """The seconds of each call, by server; the first calls, which start things up, are not counted."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client
    from mcp.shared.exceptions import McpError
    from pydantic import AnyUrl

    name, arguments = given["call"]
    async with AsyncExitStack() as stack:
        sessions = []
        for program, *rest in given["commands"]:
            parameters = StdioServerParameters(command=program, args=rest, env={**os.environ})
            streams = await stack.enter_async_context(stdio_client(parameters, errlog=sys.stderr))
            session = await stack.enter_async_context(ClientSession(*streams))
            await session.initialize()
            await session.list_tools()
            with contextlib.suppress(McpError):  # a server that discloses nothing has no such resource
                await session.read_resource(AnyUrl(f"resource:///tool_descriptions?tools={name}"))
            sessions.append(session)
        times: list[list[float]] = [[] for _ in sessions]
        for turn in range(given["calls"] + 5):
            for session, taken in zip(sessions, times, strict=True):
                started = time.perf_counter()
                with contextlib.suppress(McpError):  # the refusal of wrong arguments is an answer, too
                    await session.call_tool(name, arguments)
                if turn >= 5:
                    taken.append(time.perf_counter() - started)
        return times


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
