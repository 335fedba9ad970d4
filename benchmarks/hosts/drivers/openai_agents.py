"""openai-agents; in the mode ``strict`` with ``convert_schemas_to_strict=True``.

In the mode ``allowed`` a static filter lets through what the plan calls, and in the mode ``two`` the run has another
server beside the one that is asked.
"""

from __future__ import annotations

from contextlib import AsyncExitStack

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio, create_static_tool_filter
from openai import AsyncOpenAI
from plan import SECONDS, Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model

NEIGHBOUR = "neighbour"


async def drive(plan: Plan) -> Seen:
    set_tracing_disabled(True)
    with scripted_model(plan) as (url, seen):
        model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI(base_url=url, api_key=KEY))
        allowed = [step.tool for step in plan.steps] if plan.mode == "allowed" else None
        commands = (plan.command, NEIGHBOUR) if plan.mode == "two" else (plan.command,)
        async with AsyncExitStack() as stack:
            servers = [
                await stack.enter_async_context(
                    MCPServerStdio(
                        {"command": command, "args": plan.args},
                        client_session_timeout_seconds=SECONDS,
                        tool_filter=create_static_tool_filter(allowed),
                    )
                )
                for command in commands
            ]
            config = {"convert_schemas_to_strict": plan.mode == "strict"}
            agent = Agent(name="clerk", model=model, mcp_servers=servers, mcp_config=config)
            await Runner.run(agent, "begin", max_turns=30)
        return seen


if __name__ == "__main__":
    run_async(drive)
