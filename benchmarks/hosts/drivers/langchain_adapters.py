"""langchain-mcp-adapters: ``client.get_tools()``, or the tools of one ``client.session()``."""

from __future__ import annotations

from langchain.agents import create_agent
from langchain_core.tools import BaseTool
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from langchain_openai import ChatOpenAI
from plan import Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    connection = {"transport": "stdio", "command": plan.command, "args": plan.args}
    client = MultiServerMCPClient({"desk": connection})
    with scripted_model(plan) as (url, seen):
        if plan.mode == "session":
            async with client.session("desk") as session:
                await converse(url, await load_mcp_tools(session))
        else:
            await converse(url, await client.get_tools())
        return seen


async def converse(url: str, tools: list[BaseTool]) -> None:
    for tool in tools:
        tool.handle_tool_error = True
    agent = create_agent(ChatOpenAI(model=MODEL, base_url=url, api_key=KEY), tools)
    await agent.ainvoke({"messages": [("user", "begin")]}, {"recursion_limit": 100})


if __name__ == "__main__":
    run_async(drive)
