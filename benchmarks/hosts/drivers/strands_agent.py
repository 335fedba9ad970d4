"""strands-agents with its ``MCPClient``."""

from __future__ import annotations

from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from plan import SECONDS, Plan, Seen, run
from scripted import KEY, MODEL, scripted_model
from strands import Agent
from strands.models.openai import OpenAIModel
from strands.tools.mcp import MCPClient


def drive(plan: Plan) -> Seen:
    server = StdioServerParameters(command=plan.command, args=plan.args)
    with (
        scripted_model(plan) as (url, seen),
        MCPClient(lambda: stdio_client(server), startup_timeout=SECONDS) as client,
    ):
        model = OpenAIModel(client_args={"base_url": url, "api_key": KEY}, model_id=MODEL)
        Agent(model=model, tools=client.list_tools_sync(), callback_handler=None)("begin")
        return seen


if __name__ == "__main__":
    run(drive)
