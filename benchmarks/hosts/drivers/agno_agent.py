"""agno with its ``MCPTools``."""

from __future__ import annotations

from agno.agent import Agent
from agno.models.openai import OpenAIChat
from agno.tools.mcp import MCPTools
from mcp import StdioServerParameters
from plan import SECONDS, Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    server = StdioServerParameters(command=plan.command, args=plan.args)
    with scripted_model(plan) as (url, seen):
        async with MCPTools(server_params=server, timeout_seconds=SECONDS) as tools:
            model = OpenAIChat(id=MODEL, base_url=url, api_key=KEY)
            await Agent(model=model, tools=[tools], telemetry=False).arun("begin")
        return seen


if __name__ == "__main__":
    run_async(drive)
