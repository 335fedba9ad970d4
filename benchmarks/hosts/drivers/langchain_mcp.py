"""The ``MCPAdapter`` of langchain itself."""

from __future__ import annotations

from fastmcp.client.transports import StdioTransport
from langchain.agents import create_agent
from langchain.mcp import MCPAdapter
from langchain_openai import ChatOpenAI
from plan import Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    with scripted_model(plan) as (url, seen):
        async with MCPAdapter(StdioTransport(plan.command, plan.args)) as adapter:
            agent = create_agent(ChatOpenAI(model=MODEL, base_url=url, api_key=KEY), await adapter.list_tools())
            await agent.ainvoke({"messages": [("user", "begin")]}, {"recursion_limit": 100})
        return seen


if __name__ == "__main__":
    run_async(drive)
