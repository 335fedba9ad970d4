"""The lost property office on the FastMCP of mcp 1.x; what it lists depends on who asks."""

from __future__ import annotations

import os

import office
from mcp import types
from mcp.server.fastmcp import Context, FastMCP
from mcp.types import Icon, ToolAnnotations


class Office(FastMCP):
    """Guests do not see the tools of the staff."""

    async def list_tools(self) -> list[types.Tool]:
        return [tool for tool in await super().list_tools() if tool.name not in office.STAFF or self.is_staff()]

    def is_staff(self) -> bool:
        """Over HTTP a header says so, over a pipe the environment."""
        request = self.get_context().request_context.request
        role = os.environ.get("OFFICE_ROLE") if request is None else request.headers.get("x-office-role")
        return bool(role == "staff")


mcp = Office("lost-property", instructions="Items are known by number.")


mcp.tool(
    title="Find items",
    annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False),
    icons=[Icon(src="data:image/png;base64,AAAA", mimeType="image/png")],
    meta={"office.example/rank": 3},
)(office.find_items)
mcp.tool(annotations=ToolAnnotations(destructiveHint=True))(office.hand_out)
mcp.tool()(office.lost_property_describe_tools)
mcp.tool()(office.lost_property_describe_tools_pd)


@mcp.tool()
async def open_cellar(ctx: Context) -> str:
    """Open the cellar. From then on everybody may search it, until the office closes."""
    mcp.add_tool(office.search_cellar)
    await ctx.session.send_tool_list_changed()
    return "open"


mcp.resource("office://hours", mime_type="text/plain")(office.hours)
mcp.resource("office://shelves/{shelf}", mime_type="text/plain")(office.shelf)
mcp.prompt()(office.notice)


def main() -> None:
    options = office.options()
    if options.http is None:
        mcp.run()
        return
    mcp.settings.port = options.http
    mcp.settings.stateless_http = options.stateless
    mcp.settings.log_level = "ERROR"
    mcp.run("sse" if options.sse else "streamable-http")


if __name__ == "__main__":
    main()
