"""A lost property office on fastmcp 2, 3 and 4; from 3 on it lists its tools in pages."""

from __future__ import annotations

import argparse
import os
from typing import Annotated, Any, Literal

import fastmcp
from fastmcp import Context, FastMCP
from fastmcp.server.dependencies import get_http_headers
from fastmcp.server.middleware import Middleware
from mcp import types
from pydantic import BaseModel, Field

STAFF = {"lost_property_describe_tools_pd"}
"""What guests do not see."""


class Visitors(Middleware):
    """Guests do not see the tools of the staff: over HTTP a header says who that is, over a pipe the environment."""

    async def on_list_tools(self, context: Any, call_next: Any) -> Any:
        headers = get_http_headers()
        is_staff = (headers.get("x-office-role") if headers else os.environ.get("OFFICE_ROLE")) == "staff"
        return [tool for tool in await call_next(context) if tool.name not in STAFF or is_staff]


PAGES: dict[str, Any] = {} if fastmcp.__version__.startswith("2.") else {"list_page_size": 3}
mcp = FastMCP("lost-property", instructions="Items are known by number.", middleware=[Visitors()], **PAGES)
Topic = Annotated[str, Field(min_length=2)]


class Found(BaseModel):
    """What lies on a shelf."""

    items: list[str]


@mcp.tool(
    title="Find items",
    annotations={"readOnlyHint": True, "openWorldHint": False},
    icons=[types.Icon(src="data:image/png;base64,AAAA")],
    meta={"office.example/rank": 3},
)
def find_items(
    word: Annotated[str, Field(min_length=2, description="A word of the label.")],
    shelf: Annotated[Literal["a", "b"], Field(description="Where to look.")] = "a",
) -> Found:
    """List what was found, by a word of its label. Only what was handed in this month is kept here."""
    return Found(items=[f"{word} on {shelf}"])


@mcp.tool(annotations={"destructiveHint": True})
def hand_out(number: Annotated[int, Field(ge=1, description="On the label.")]) -> Any:
    """Give an item back to its owner. It is gone from the shelves then, so ask for a proof before."""
    if number > 99:
        raise ValueError(f"nothing has the number {number}")
    return everything() if number == 88 else f"{number} is handed out"


def everything() -> list[Any]:
    """Content of every kind."""
    hours = {"uri": "office://hours", "mimeType": "text/plain"}
    return [
        types.TextContent(type="text", text="a parcel"),
        types.ImageContent.model_validate({"type": "image", "data": "AAAA", "mimeType": "image/png"}),
        types.AudioContent.model_validate({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}),
        types.ResourceLink.model_validate({"type": "resource_link", "name": "hours", **hours}),
        types.EmbeddedResource.model_validate({"type": "resource", "resource": {**hours, "text": "9 to 5"}}),
    ]


@mcp.tool
def lost_property_describe_tools(topic: Topic) -> str:
    """Say how the tools of the workshop are used. This is a tool of the office, not a bridge."""
    return f"lost_property_describe_tools about {topic}"


@mcp.tool
def lost_property_describe_tools_pd(topic: Topic) -> str:
    """The same for the staff, who alone see it. It names the keys as well."""
    return f"lost_property_describe_tools_pd about {topic}"


def search_cellar(box: Annotated[int, Field(le=9, description="Which box.")]) -> str:
    """Search a box in the cellar. There are nine; the ninth is empty."""
    return f"box {box} holds an umbrella"


@mcp.tool
async def open_cellar(ctx: Context) -> str:
    """Open the cellar. From then on everybody may search it, until the office closes."""
    mcp.tool(search_cellar)
    await ctx.session.send_tool_list_changed()
    return "open"


@mcp.resource("office://hours", mime_type="text/plain")
def hours() -> str:
    """When the office is open."""
    return "9 to 5"


@mcp.resource("office://shelves/{shelf}", mime_type="text/plain")
def shelf(shelf: str) -> str:
    """What a shelf is for."""
    return f"shelf {shelf}"


@mcp.prompt
def notice(item: str) -> str:
    """A notice for the board."""
    return f"Write a notice about {item}."


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", type=int, metavar="PORT")
    parser.add_argument("--stateless", action="store_true")
    parser.add_argument("--sse", action="store_true")
    options = parser.parse_args()
    over_http: dict[str, Any] = {"port": options.http, "log_level": "error", "show_banner": False}
    if options.http is None:
        mcp.run(show_banner=False)
    elif options.sse:
        mcp.run(transport="sse", **over_http)
    else:
        mcp.run(transport="http", stateless_http=options.stateless, **over_http)


if __name__ == "__main__":
    main()
