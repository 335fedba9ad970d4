# /// script
# requires-python = ">=3.10"
# dependencies = ["fastmcp>=2.13,<3"]
# ///
"""The bookings of a repair café, as an MCP server.

    uv run sample_servers/fastmcp2/server.py                  over stdio
    uv run sample_servers/fastmcp2/server.py --http 8000      at http://127.0.0.1:8000/mcp

It is written with fastmcp 2: the tool crib is a server of its own that is mounted under a prefix, tags keep what is for
volunteers away from guests, and one tool is a variant of another.  Bookings live in memory.
"""

from __future__ import annotations

import argparse
import os
from typing import Annotated, Literal

from fastmcp import FastMCP
from fastmcp.server.dependencies import get_context
from fastmcp.tools import Tool
from fastmcp.tools.tool_transform import ArgTransform
from pydantic import BaseModel, Field

cafe = FastMCP(
    "repair-cafe",
    instructions="The repair café of the Elmside district, open on Saturdays. Benches are numbered from 1 to 6.",
    exclude_tags=set() if os.environ.get("CAFE_VOLUNTEER") else {"volunteers"},
)
crib: FastMCP = FastMCP("tool-crib")


class Slot(BaseModel):
    """One visit to the café."""

    bench: int
    hour: int
    item: str


SLOTS: list[Slot] = []
TOOLS = {"soldering iron": 2, "torx set": 4, "darning needle": 9, "multimeter": 1}
LENT: dict[str, int] = {}


@cafe.tool(annotations={"title": "Book a bench", "idempotentHint": False})
async def book_bench(
    item: Annotated[str, Field(min_length=3, description="What is broken, in a few words.")],
    hour: Annotated[int, Field(ge=10, le=16, description="The hour at which the visit begins.")],
    trade: Annotated[Literal["electric", "textile", "wood"], Field(description="Who has to be there.")] = "electric",
) -> Slot:
    """Book a place at a workbench for one hour on the coming Saturday.

    Electric repairs happen at benches 1 and 2, textile ones at 3 and 4, wood at 5 and 6. When both benches of a trade
    are taken at that hour the booking is refused: offer the hour before or after. The café repairs nothing that runs on
    petrol, and nothing that the visitor cannot carry.

    Raises:
        ValueError: Both benches of the trade are taken at that hour.

    Examples:
        >>> book_bench(item="toaster that stays cold", hour=11)
        >>> book_bench(item="torn jacket", hour=14, trade="textile")
    """
    benches = {"electric": (1, 2), "textile": (3, 4), "wood": (5, 6)}[trade]
    taken = {slot.bench for slot in SLOTS if slot.hour == hour}
    free = [bench for bench in benches if bench not in taken]
    if not free:
        raise ValueError(f"both benches for {trade} are taken at {hour}")
    await get_context().info(f"bench {free[0]} at {hour}")
    SLOTS.append(Slot(bench=free[0], hour=hour, item=item))
    return SLOTS[-1]


@cafe.tool
def list_bookings(hour: int | None = None) -> list[str]:
    """List what is booked for the coming Saturday, by hour and bench.

    Names are not kept, so this is safe to read out. Without an hour the whole day is listed; an empty list means that
    nothing is booked, not that the café is closed.
    """
    slots = sorted(SLOTS, key=lambda slot: (slot.hour, slot.bench))
    return [f"{slot.hour}: bench {slot.bench}, {slot.item}" for slot in slots if hour in (None, slot.hour)]


@cafe.tool(tags={"volunteers"}, annotations={"destructiveHint": True})
def clear_day() -> str:
    """Remove every booking of the coming Saturday. Only for volunteers, and only after the last visitor has left.

    The statistics of the day are gone with it; write them down first.
    """
    count = len(SLOTS)
    SLOTS.clear()
    return f"{count} bookings removed"


@crib.tool(output_schema=None)
def lend(tool: Annotated[str, Field(description="Its name, as the list has it.")], count: int = 1) -> str:
    """Hand out tools from the crib. Everything is to be back by six in the evening of the same day.

    What is not in the crib is refused, and so is more than there is. Needles are not counted back.
    """
    if tool not in TOOLS:
        raise ValueError(f"the crib has no {tool}")
    if count > TOOLS[tool] - LENT.get(tool, 0):
        raise ValueError(f"only {TOOLS[tool] - LENT.get(tool, 0)} of {tool} left")
    LENT[tool] = LENT.get(tool, 0) + count
    return f"{count} x {tool}"


cafe.mount(crib, prefix="crib")
cafe.add_tool(
    Tool.from_tool(
        list_bookings,
        name="bookings_at",
        description="List what is booked for one hour of the coming Saturday. Use it while you look for a free hour: "
        "the answer is shorter than that of list_bookings, and an empty one means that every bench is free.",
        transform_args={"hour": ArgTransform(required=True)},
    )
)


@cafe.resource("cafe://house-rules", mime_type="text/plain")
def house_rules() -> str:
    """What visitors have to know."""
    return "You repair, we help. Coffee is free, cake is not."


@cafe.prompt
def poster(item: str) -> str:
    """A line for the poster at the door."""
    return f"Write one line for a poster about a repaired {item}."


def main() -> None:
    parser = argparse.ArgumentParser(description="A repair café.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve at http://127.0.0.1:PORT/mcp")
    parser.add_argument("--stateless", action="store_true", help="over HTTP without sessions")
    options = parser.parse_args()
    if options.http is None:
        cafe.run(show_banner=False)
    else:
        cafe.run(
            transport="http",
            port=options.http,
            stateless_http=options.stateless,
            log_level="error",
            show_banner=False,
        )


if __name__ == "__main__":
    main()
