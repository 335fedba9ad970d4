"""The ``Client`` of mcp 2.x, in the era of the protocol that the mode names."""

from __future__ import annotations

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from plan import Plan, Seen, Step, run_async


async def drive(plan: Plan) -> Seen:
    server = stdio_client(StdioServerParameters(command=plan.command, args=plan.args))
    async with Client(server, mode=plan.mode) as client:
        listed = await client.list_tools()
        tools = [{"name": tool.name, "parameters": tool.input_schema} for tool in listed.tools]
        return Seen(tools, [await taken(client, step) for step in plan.steps])


async def taken(client: Client, step: Step) -> str:
    if step.uri:
        read = await client.read_resource(step.uri)
        return "\n".join(getattr(content, "text", "") for content in read.contents)
    result = await client.call_tool(step.tool, step.arguments)
    return "\n".join(getattr(block, "text", "") for block in result.content)


if __name__ == "__main__":
    run_async(drive)
