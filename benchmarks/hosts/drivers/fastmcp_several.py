"""The ``Client`` of fastmcp for several servers at once, which routes addresses of resources by their templates."""

from __future__ import annotations

from fastmcp import Client
from fastmcp_client import schema_of, taken
from plan import Plan, Seen, Step, run_async

ONE, OTHER = "desk", "spare"


async def drive(plan: Plan) -> Seen:
    command = {"command": plan.command, "args": plan.args}
    async with Client({"mcpServers": {ONE: command, OTHER: command}}) as client:
        listed = [tool for tool in await client.list_tools() if tool.name.startswith(f"{ONE}_")]
        tools = [{"name": tool.name.removeprefix(f"{ONE}_"), "parameters": schema_of(tool)} for tool in listed]
        templates = [template_of(each) for each in await client.list_resource_templates()]
        return Seen(tools, [await taken(client, routed(step, templates)) for step in plan.steps])


def template_of(listed: object) -> str:
    return str(getattr(listed, "uriTemplate", None) or getattr(listed, "uri_template", ""))


def routed(step: Step, templates: list[str]) -> Step:
    """The step with the names by which the client knows the tool and the resource of the first server."""
    tool = f"{ONE}_{step.tool}"
    if not step.uri:
        return Step(tool, step.arguments)
    (ours,) = (each for each in templates if ONE in each and each.endswith("tool_descriptions{?tools}"))
    return Step(tool, step.arguments, ours.replace("{?tools}", "?" + step.uri.partition("?")[2]))


if __name__ == "__main__":
    run_async(drive)
