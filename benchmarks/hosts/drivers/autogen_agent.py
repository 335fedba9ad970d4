"""autogen-ext: the tools of ``mcp_server_tools``, or an ``McpWorkbench``."""

from __future__ import annotations

from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient
from autogen_ext.tools.mcp import McpWorkbench, StdioServerParams, mcp_server_tools
from plan import SECONDS, Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    server = StdioServerParams(command=plan.command, args=plan.args, read_timeout_seconds=SECONDS)
    with scripted_model(plan) as (url, seen):
        model = OpenAIChatCompletionClient(model=MODEL, base_url=url, api_key=KEY)
        many = {"model_client": model, "max_tool_iterations": 50}
        if plan.mode == "workbench":
            async with McpWorkbench(server) as workbench:
                await AssistantAgent("clerk", workbench=workbench, **many).run(task="begin")
        else:
            await AssistantAgent("clerk", tools=await mcp_server_tools(server), **many).run(task="begin")
        return seen


if __name__ == "__main__":
    run_async(drive)
