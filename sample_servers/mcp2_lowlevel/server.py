# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=2.0,<3", "uvicorn"]
# ///
"""The plots of an allotment garden and the rota of its water pump, as an MCP server.

    uv run sample_servers/mcp2_lowlevel/server.py                  over stdio
    uv run sample_servers/mcp2_lowlevel/server.py --http 8000      at http://127.0.0.1:8000/mcp

It is written for the low-level server of mcp 2.x: handlers are arguments of the constructor, they check what they are
given themselves, and what is listed depends on who asks.  The garden lives in memory, so it starts afresh every time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
from dataclasses import dataclass
from typing import Any

from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
REGIONS = ("north", "river", "hill")


@dataclass
class Plot:
    """One numbered plot."""

    number: int
    region: str
    square_metres: int
    holder: str | None = None


PLOTS = {
    plot.number: plot
    for plot in (
        Plot(1, "north", 180, "Odile Marchetti"),
        Plot(2, "north", 210),
        Plot(7, "river", 150, "Kwame Boateng"),
        Plot(8, "river", 150),
        Plot(12, "hill", 320),
    )
}
ROTA: dict[str, list[int]] = {day: [] for day in WEEKDAYS}

FIND_PLOTS = types.Tool(
    name="find_plots",
    title="Find plots",
    description=(
        "List the plots of a part of the garden, with their size and who holds them. Use it first: every other tool "
        "wants the number of a plot, and only this one gives numbers.\n\n"
        "The garden has three parts. The northern plots are the sunniest, those by the river flood in spring, and "
        "those on the hill are large and a long way from the pump. Free plots come without a holder. An empty list "
        "means that no plot of the part is large enough: ask again with a smaller size before you say that there is "
        "none."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "region": {
                "type": "string",
                "enum": list(REGIONS),
                "description": "The part of the garden.",
                "x-mcp-header": "Region",
            },
            "min_size": {
                "type": "integer",
                "minimum": 0,
                "maximum": 1000,
                "default": 0,
                "description": "The smallest size in square metres that will do.",
            },
        },
        "required": ["region"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {
            "plots": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "number": {"type": "integer"},
                        "square_metres": {"type": "integer"},
                        "holder": {"type": ["string", "null"]},
                    },
                    "required": ["number", "square_metres"],
                },
            }
        },
        "required": ["plots"],
    },
    annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
)
BOOK_PUMP = types.Tool(
    name="book_pump",
    title="Book the pump",
    description=(
        "Reserve an hour at the water pump for a plot, on one day of the week. The booking is for every week until it "
        "is given up.\n\n"
        "At most three plots can have the pump on one day, and no plot may have it on more than two days. A plot that "
        "nobody holds needs no water and is refused. The answer says how many hours are left on that day; tell the "
        "gardener, because a day that is full in spring stays full until autumn.\n\n"
        'Example:\n    book_pump(plot=7, day="thu")\n\n'
        "Errors:\n    no hour is left: offer another day.\n    is free and needs no water: nobody holds the plot."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "plot": {"type": "integer", "description": "The number of the plot, as find_plots gives it."},
            "day": {"type": "string", "enum": list(WEEKDAYS), "description": "The day, as its first three letters."},
        },
        "required": ["plot", "day"],
    },
    annotations=types.ToolAnnotations(destructive_hint=False, idempotent_hint=True),
)
ASSIGN_PLOT = types.Tool(
    name="assign_plot",
    description=(
        "Give a free plot to a gardener, or take it back when no holder is given. Only stewards see this tool.\n\n"
        "Taking a plot back also gives up its hours at the pump. The waiting list is kept on paper: ask the steward "
        "whether its first name was asked before you assign anything."
    ),
    input_schema={
        "type": "object",
        "properties": {
            "plot": {"type": "integer", "description": "The number of the plot."},
            "holder": {"type": ["string", "null"], "minLength": 2, "description": "Full name; null takes it back."},
        },
        "required": ["plot"],
    },
    annotations=types.ToolAnnotations(destructive_hint=True),
    _meta={"garden.example/role": "steward"},
)


def is_steward(context: ServerRequestContext[Any, Any]) -> bool:
    """Over HTTP a header says so, which the gate of the garden's network sets; a terminal belongs to one person."""
    if context.request is None:
        return os.environ.get("GARDEN_ROLE") == "steward"
    return bool(context.request.headers.get("x-garden-role") == "steward")


async def list_tools(
    context: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[FIND_PLOTS, BOOK_PUMP, *([ASSIGN_PLOT] if is_steward(context) else [])])


async def call_tool(
    context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams
) -> types.CallToolResult:
    arguments = params.arguments or {}
    try:
        if params.name == "find_plots":
            found = find_plots(str(arguments.get("region")), arguments.get("min_size", 0))
            text = "\n".join(f"{plot['number']}: {plot['holder'] or 'free'}" for plot in found) or "no such plot"
            return types.CallToolResult(content=say(text), structured_content={"plots": found})
        if params.name == "book_pump":
            return types.CallToolResult(content=say(book_pump(arguments.get("plot"), str(arguments.get("day")))))
        if params.name == "assign_plot" and is_steward(context):
            return types.CallToolResult(content=say(assign_plot(arguments.get("plot"), arguments.get("holder"))))
        raise ValueError(f"unknown tool: {params.name}")
    except ValueError as error:
        return types.CallToolResult(content=say(str(error)), is_error=True)


def say(text: str) -> list[Any]:
    return [types.TextContent(type="text", text=text)]


def find_plots(region: str, min_size: Any) -> list[dict[str, Any]]:
    if region not in REGIONS:
        raise ValueError(f"region is one of {', '.join(REGIONS)}")
    if not isinstance(min_size, int) or not 0 <= min_size <= 1000:
        raise ValueError("min_size is a number from 0 to 1000")
    plots = (plot for plot in PLOTS.values() if plot.region == region and plot.square_metres >= min_size)
    return [{"number": plot.number, "square_metres": plot.square_metres, "holder": plot.holder} for plot in plots]


def plot_of(number: Any) -> Plot:
    if number not in PLOTS:
        raise ValueError(f"no plot has the number {number}")
    return PLOTS[number]


def book_pump(number: Any, day: str) -> str:
    plot = plot_of(number)
    if day not in ROTA:
        raise ValueError(f"day is one of {', '.join(WEEKDAYS)}")
    if plot.holder is None:
        raise ValueError(f"plot {plot.number} is free and needs no water")
    if plot.number not in ROTA[day]:
        if len(ROTA[day]) >= 3 or sum(plot.number in plots for plots in ROTA.values()) >= 2:
            raise ValueError(f"no hour is left on {day} for plot {plot.number}")
        ROTA[day].append(plot.number)
    return f"plot {plot.number} has the pump on {day}, {3 - len(ROTA[day])} hours left"


def assign_plot(number: Any, holder: str | None) -> str:
    plot = plot_of(number)
    if holder is not None and plot.holder is not None:
        raise ValueError(f"plot {plot.number} is held by {plot.holder}")
    plot.holder = holder
    if holder is None:
        for plots in ROTA.values():
            plots[:] = [other for other in plots if other != plot.number]
    return f"plot {plot.number} is held by {holder}" if holder else f"plot {plot.number} is free"


async def list_resources(
    _context: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    rules = types.Resource(
        uri="garden://rules", name="Rules", description="What holds for all.", mime_type="text/plain"
    )
    return types.ListResourcesResult(resources=[rules])


async def read_resource(
    _context: ServerRequestContext[Any, Any], params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    if params.uri != "garden://rules":
        raise ValueError(f"unknown resource: {params.uri}")
    text = "No bonfires before six. Dogs on the lead. Hoses are rolled up after use."
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=params.uri, text=text, mime_type="text/plain")]
    )


async def list_prompts(
    _context: ServerRequestContext[Any, Any], _params: types.PaginatedRequestParams | None
) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[types.Prompt(name="season_letter", description="News for all gardeners.")])


async def get_prompt(
    _context: ServerRequestContext[Any, Any], params: types.GetPromptRequestParams
) -> types.GetPromptResult:
    if params.name != "season_letter":
        raise ValueError(f"unknown prompt: {params.name}")
    text = "Write a short letter to the gardeners about the rota of the pump and the free plots."
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])


server = Server(
    "garden-plots",
    version="1.0.0",
    instructions="The allotment garden behind the old gasworks. Plots are known by number.",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
)


async def over_stdio() -> None:
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, server.create_initialization_options())


def main() -> None:
    parser = argparse.ArgumentParser(description="The plots of an allotment garden.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve at http://127.0.0.1:PORT/mcp")
    parser.add_argument("--stateless", action="store_true", help="over HTTP without sessions")
    options = parser.parse_args()
    if options.http is None:
        asyncio.run(over_stdio())
    else:
        import uvicorn

        app = server.streamable_http_app(stateless_http=options.stateless)
        uvicorn.run(app, host="127.0.0.1", port=options.http, log_level="error")


if __name__ == "__main__":
    main()
