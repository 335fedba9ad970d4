"""agent-framework with its ``MCPStdioTool``; in the mode ``detailed`` the model is told what errors say."""

from __future__ import annotations

from agent_framework import Agent, MCPStdioTool
from agent_framework.openai import OpenAIChatCompletionClient
from plan import Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    with scripted_model(plan) as (url, seen):
        told = {"include_detailed_errors": plan.mode == "detailed"}
        client = OpenAIChatCompletionClient(
            model=MODEL, base_url=url, api_key=KEY, function_invocation_configuration=told
        )
        async with MCPStdioTool(name="desk", command=plan.command, args=plan.args) as tool:
            await Agent(client=client, name="clerk", tools=tool).run("begin")
        return seen


if __name__ == "__main__":
    run_async(drive)
