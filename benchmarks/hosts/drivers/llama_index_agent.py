"""llama-index with the ``McpToolSpec`` of llama-index-tools-mcp; in the mode ``resources`` these are tools as well."""

from __future__ import annotations

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai_like import OpenAILike
from llama_index.tools.mcp import BasicMCPClient, McpToolSpec
from plan import SECONDS, Plan, Seen, run_async
from scripted import KEY, MODEL, scripted_model


async def drive(plan: Plan) -> Seen:
    with scripted_model(plan) as (url, seen):
        model = OpenAILike(
            model=MODEL, api_base=url, api_key=KEY, is_chat_model=True, is_function_calling_model=True, max_retries=0
        )
        tools = await McpToolSpec(
            client=BasicMCPClient(plan.command, args=plan.args, timeout=SECONDS),
            include_resources=plan.mode == "resources",
        ).to_tool_list_async()
        agent = FunctionAgent(tools=tools, llm=model)
        await agent.run("begin", max_iterations=50)
        return seen


if __name__ == "__main__":
    run_async(drive)
