"""smolagents with its ``MCPClient``."""

from __future__ import annotations

from mcp import StdioServerParameters
from plan import SECONDS, Plan, Seen, run
from scripted import KEY, MODEL, scripted_model
from smolagents import MCPClient, OpenAIModel, ToolCallingAgent


def drive(plan: Plan) -> Seen:
    with scripted_model(plan) as (url, seen):
        model = OpenAIModel(MODEL, api_base=url, api_key=KEY)
        server = StdioServerParameters(command=plan.command, args=plan.args)
        patient = {"connect_timeout": SECONDS, "client_session_timeout_seconds": float(SECONDS)}
        with MCPClient(server, patient, structured_output=False) as tools:
            ToolCallingAgent(tools=tools, model=model, max_steps=30, verbosity_level=0).run("begin")
        return seen


if __name__ == "__main__":
    run(drive)
