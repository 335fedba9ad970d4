"""The ``ClientSession`` of mcp 1.x."""

from __future__ import annotations

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from plan import Plan, Seen, Step, run_async
from pydantic import AnyUrl


async def drive(plan: Plan) -> Seen:
    server = StdioServerParameters(command=plan.command, args=plan.args)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        listed = await session.list_tools()
        tools = [{"name": tool.name, "parameters": tool.inputSchema} for tool in listed.tools]
        return Seen(tools, [await taken(session, step) for step in plan.steps])


async def taken(session: ClientSession, step: Step) -> str:
    if step.uri:
        read = await session.read_resource(AnyUrl(step.uri))
        return "\n".join(getattr(content, "text", "") for content in read.contents)
    result = await session.call_tool(step.tool, step.arguments)
    return "\n".join(getattr(block, "text", "") for block in result.content)


if __name__ == "__main__":
    run_async(drive)
