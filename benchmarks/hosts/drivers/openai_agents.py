"""openai-agents; in the mode ``strict`` with ``convert_schemas_to_strict=True``."""

from __future__ import annotations

from agents import Agent, OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from agents.mcp import MCPServerStdio
from openai import AsyncOpenAI
from plan import SECONDS, Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    set_tracing_disabled(True)
    with scripted_model(plan) as (url, seen):
        model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI(base_url=url, api_key=KEY))
        parameters = {"command": plan.command, "args": plan.args}
        async with MCPServerStdio(parameters, client_session_timeout_seconds=SECONDS) as server:
            config = {"convert_schemas_to_strict": plan.mode == "strict"}
            agent = Agent(name="clerk", model=model, mcp_servers=[server], mcp_config=config)
            await Runner.run(agent, "begin", max_turns=30)
        return seen


if __name__ == "__main__":
    run_async(drive)
