"""The lost property office on the MCPServer of mcp 2.x; what it lists depends on who asks."""

from __future__ import annotations

import os

import office
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import Icon, ToolAnnotations


async def visitors(request: ServerRequestContext, call_next: CallNext) -> HandlerResult:
    """Guests do not see the tools of the staff: over HTTP a header says who is who, over a pipe the environment."""
    result = await call_next(request)
    asked = request.request
    role = os.environ.get("OFFICE_ROLE") if asked is None else asked.headers.get("x-office-role")
    if request.method != "tools/list" or role == "staff":
        return result
    page = dict(result)
    return {**page, "tools": [tool for tool in page["tools"] if tool["name"] not in office.STAFF]}


mcp = MCPServer("lost-property", version="1.0.0", instructions="Items are known by number.", middleware=[visitors])


mcp.tool(
    title="Find items",
    annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False),
    icons=[Icon(src="data:image/png;base64,AAAA", mime_type="image/png")],
    meta={"office.example/rank": 3},
)(office.find_items)
mcp.tool(annotations=ToolAnnotations(destructive_hint=True))(office.hand_out)
mcp.tool()(office.lost_property_describe_tools)
mcp.tool()(office.lost_property_describe_tools_pd)


@mcp.tool()
async def open_cellar(ctx: Context) -> str:
    """Open the cellar. From then on everybody may search it, until the office closes."""
    mcp.add_tool(office.search_cellar)
    await ctx.session.send_tool_list_changed()
    await ctx.notify_tools_changed()
    return "open"


mcp.resource("office://hours", mime_type="text/plain")(office.hours)
mcp.resource("office://shelves/{shelf}", mime_type="text/plain")(office.shelf)
mcp.prompt()(office.notice)


def main() -> None:
    options = office.options()
    mcp.settings.log_level = "ERROR"
    if options.http is None:
        mcp.run()
    elif options.sse:
        mcp.run("sse", port=options.http)
    else:
        mcp.run("streamable-http", port=options.http, stateless_http=options.stateless)


if __name__ == "__main__":
    main()
