"""The lost property office on fastmcp 2, 3 and 4; from 3 on it lists its tools in pages."""

from __future__ import annotations

from typing import Any

import fastmcp
import office
from fastmcp import Context, FastMCP
from fastmcp.server.dependencies import get_http_headers
from fastmcp.server.middleware import Middleware
from mcp.types import Icon


class Visitors(Middleware):
    """Guests do not see the tools of the staff."""

    async def on_list_tools(self, context: Any, call_next: Any) -> Any:
        is_staff = office.is_staff(get_http_headers())
        return [tool for tool in await call_next(context) if tool.name not in office.STAFF or is_staff]


PAGES: dict[str, Any] = {} if fastmcp.__version__.startswith("2.") else {"list_page_size": 3}
mcp = FastMCP("lost-property", instructions="Items are known by number.", middleware=[Visitors()], **PAGES)


mcp.tool(
    title="Find items",
    annotations={"readOnlyHint": True, "openWorldHint": False},
    icons=[Icon(src="data:image/png;base64,AAAA")],
    meta={"office.example/rank": 3},
)(office.find_items)
mcp.tool(annotations={"destructiveHint": True})(office.hand_out)
mcp.tool(office.lost_property_describe_tools)
mcp.tool(office.lost_property_describe_tools_pd)


@mcp.tool
async def open_cellar(ctx: Context) -> str:
    """Open the cellar. From then on everybody may search it, until the office closes."""
    mcp.tool(office.search_cellar)
    await ctx.session.send_tool_list_changed()
    return "open"


mcp.resource("office://hours", mime_type="text/plain")(office.hours)
mcp.resource("office://shelves/{shelf}", mime_type="text/plain")(office.shelf)
mcp.prompt(office.notice)


def main() -> None:
    options = office.options()
    if options.http is None:
        mcp.run(show_banner=False)
    elif options.sse:
        mcp.run(transport="sse", port=options.http, log_level="error", show_banner=False)
    else:
        mcp.run(
            transport="http", port=options.http, stateless_http=options.stateless, log_level="error", show_banner=False
        )


if __name__ == "__main__":
    main()
