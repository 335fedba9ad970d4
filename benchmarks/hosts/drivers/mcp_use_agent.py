"""mcp-use with its ``MCPAgent``."""

from __future__ import annotations

from langchain_openai import ChatOpenAI
from mcp_use import MCPAgent, MCPClient
from plan import Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    client = MCPClient.from_dict({"mcpServers": {"desk": {"command": plan.command, "args": plan.args}}})
    with scripted_model(plan) as (url, seen):
        model = ChatOpenAI(model=MODEL, base_url=url, api_key=KEY)
        await MCPAgent(llm=model, client=client, max_steps=50).run("begin")
        await client.close_all_sessions()
        return seen


if __name__ == "__main__":
    run_async(drive)
