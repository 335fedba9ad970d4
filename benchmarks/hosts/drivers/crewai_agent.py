"""crewai: its own ``MCPServerStdio``, or the ``MCPServerAdapter`` of crewai-tools."""

from __future__ import annotations

import os
from typing import Any

os.environ.update(CREWAI_DISABLE_TELEMETRY="true", OTEL_SDK_DISABLED="true", CREWAI_TRACING_ENABLED="false")

from crewai import LLM, Agent, Crew, Task
from crewai.mcp import MCPServerStdio
from crewai_tools import MCPServerAdapter
from mcp import StdioServerParameters
from plan import SECONDS, Plan, Seen, run
from scripted import KEY, MODEL, scripted_model


def drive(plan: Plan) -> Seen:
    with scripted_model(plan) as (url, seen):
        model = LLM(model=f"openai/{MODEL}", base_url=url, api_key=KEY)
        if plan.mode == "native":
            work(model, mcps=[MCPServerStdio(command=plan.command, args=plan.args)])
        else:
            server = StdioServerParameters(command=plan.command, args=plan.args)
            with MCPServerAdapter(server, connect_timeout=SECONDS) as tools:
                work(model, tools=tools)
        return seen


def work(model: LLM, **given: Any) -> None:
    agent = Agent(role="clerk", goal="answer", backstory="at the desk", llm=model, max_iter=50, **given)
    task = Task(description="begin", expected_output="an answer", agent=agent)
    Crew(agents=[agent], tasks=[task], cache=False).kickoff()


if __name__ == "__main__":
    run(drive)
