"""google-adk with its ``McpToolset``, and a model object of its own kind: its models speak another API."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import InMemoryRunner
from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
from google.genai import types
from mcp import StdioServerParameters
from plan import SECONDS, Plan, Seen, run_async
from scripted import ScriptedModel


class Scripted(BaseLlm):
    """Answers with what the scripted model says to the same request."""

    script: ScriptedModel

    async def generate_content_async(self, llm_request: LlmRequest, **_: bool) -> AsyncGenerator[LlmResponse, None]:
        message = self.script.answer(as_chat(llm_request))
        part = types.Part(text=message["content"]) if message["content"] else None
        for call in message.get("tool_calls", ()):
            function = call["function"]
            arguments = json.loads(function["arguments"])
            part = types.Part(function_call=types.FunctionCall(id=call["id"], name=function["name"], args=arguments))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def as_chat(request: LlmRequest) -> dict[str, Any]:
    """The request in the words of chat completions."""
    declared = [one for tool in request.config.tools or () for one in tool.function_declarations or ()]
    tools = [
        {"type": "function", "function": {"name": one.name, "description": one.description, "parameters": schema(one)}}
        for one in declared
    ]
    answers = [part.function_response for content in request.contents for part in content.parts or ()]
    messages = [{"tool_call_id": one.id, "content": json.dumps(one.response)} for one in answers if one]
    return {"tools": tools, "messages": messages}


def schema(declared: types.FunctionDeclaration) -> Any:
    if declared.parameters_json_schema is not None:
        return declared.parameters_json_schema
    return declared.parameters.model_dump(mode="json", exclude_none=True) if declared.parameters else {}


async def drive(plan: Plan) -> Seen:
    server = StdioServerParameters(command=plan.command, args=plan.args)
    toolset = McpToolset(connection_params=StdioConnectionParams(server_params=server, timeout=SECONDS))
    script = ScriptedModel(plan)
    agent = LlmAgent(name="clerk", model=Scripted(model="scripted", script=script), tools=[toolset])
    runner = InMemoryRunner(agent=agent, app_name="desk")
    session = await runner.session_service.create_session(app_name="desk", user_id="ada")
    begin = types.Content(role="user", parts=[types.Part(text="begin")])
    async for _ in runner.run_async(user_id="ada", session_id=session.id, new_message=begin):
        pass
    await toolset.close()
    return script.seen


if __name__ == "__main__":
    run_async(drive)
