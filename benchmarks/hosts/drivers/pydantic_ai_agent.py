"""pydantic-ai with its ``MCPToolset``; in the mode ``filtered`` only with the tools that the plan calls."""

from __future__ import annotations

from fastmcp.client.transports import StdioTransport
from plan import SECONDS, Plan, Seen, run_async
from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    with scripted_model(plan) as (url, seen):
        model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=url, api_key=KEY))
        toolset = MCPToolset(StdioTransport(plan.command, plan.args), init_timeout=SECONDS)
        allowed = {step.tool for step in plan.steps}
        some = toolset.filtered(lambda _context, tool: tool.name in allowed)
        agent = Agent(model, toolsets=[some if plan.mode == "filtered" else toolset], retries=5)
        async with agent:
            await agent.run("begin")
        return seen


if __name__ == "__main__":
    run_async(drive)
