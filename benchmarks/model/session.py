"""A session of the official client, in an environment of the SDK: a line of JSON in, a line out.

``{"list": true}`` answers with instructions and tools, ``{"call": name, "arguments": {...}}`` with the text of a
result.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError


async def main(program: str, *arguments: str) -> None:
    parameters = StdioServerParameters(
        command=program, args=list(arguments), env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}
    )
    async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
        about = await session.initialize()
        lines = asyncio.get_running_loop()
        while line := await lines.run_in_executor(None, sys.stdin.readline):
            asked: dict[str, Any] = json.loads(line)
            if "list" in asked:
                tools, cursor = [], None
                while True:
                    page = await session.list_tools(cursor)
                    tools += [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in page.tools]
                    if not (cursor := page.nextCursor):
                        break
                answer: dict[str, Any] = {"instructions": about.instructions or "", "tools": tools}
            else:
                answer = await called(session, asked["call"], asked["arguments"])
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


async def called(session: ClientSession, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        result = await session.call_tool(name, arguments)
    except McpError as error:
        return {"text": f"Error: {error.error.message}", "error": True}
    except RuntimeError as error:  # the client refuses a result that does not fit its schema
        return {"text": f"Error: {error}", "error": True}
    text = "\n".join(part.text for part in result.content if part.type == "text")
    return {"text": text, "error": bool(result.isError)}


asyncio.run(main(*sys.argv[1:]))
