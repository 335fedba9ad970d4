"""The ``Client`` of fastmcp 2 and 4."""

from __future__ import annotations

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from plan import Plan, Seen, Step, run_async


async def drive(plan: Plan) -> Seen:
    async with Client(StdioTransport(plan.command, plan.args)) as client:
        listed = await client.list_tools()
        tools = [{"name": tool.name, "parameters": schema_of(tool)} for tool in listed]
        return Seen(tools, [await taken(client, step) for step in plan.steps])


def schema_of(tool: object) -> object:
    return getattr(tool, "inputSchema", None) or getattr(tool, "input_schema", None)


async def taken(client: Client, step: Step) -> str:
    if step.uri:
        return "\n".join(getattr(content, "text", "") for content in await client.read_resource(step.uri))
    result = await client.call_tool(step.tool, step.arguments, raise_on_error=False)
    return "\n".join([*(getattr(block, "text", "") for block in result.content), f"data: {result.data!r}"])


if __name__ == "__main__":
    run_async(drive)
