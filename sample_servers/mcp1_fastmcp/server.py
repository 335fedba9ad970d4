# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=1.10,<2"]
# ///
"""Timetable and bookings of a small ferry line, as an MCP server.

    uv run sample_servers/mcp1_fastmcp/server.py                  over stdio
    uv run sample_servers/mcp1_fastmcp/server.py --http 8000      at http://127.0.0.1:8000/mcp

It is written with the FastMCP that is part of mcp 1.x: decorated functions whose signatures become schemas, a result
with fields of its own, and a loop that makes one tool for each harbour.  Bookings live in memory.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from enum import Enum
from typing import Annotated, Literal

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field


class Vehicle(str, Enum):
    """What travels on the car deck, with the space it takes in metres."""

    BICYCLE = "bicycle"
    CAR = "car"
    VAN = "van"


METRES = {Vehicle.BICYCLE: 1, Vehicle.CAR: 5, Vehicle.VAN: 8}
DECK = 24
HARBOURS = {
    "skarven": "The office is in the red house behind the pier; tickets are checked on board.",
    "ormsund": "No office. The waiting room has no heating, and the pier is closed above eight metres of wind.",
}
SAILINGS = {
    "0640": ("skarven", "ormsund"),
    "0910": ("ormsund", "skarven"),
    "1530": ("skarven", "ormsund"),
    "1805": ("ormsund", "skarven"),
}

mcp = FastMCP(
    "ferry-line",
    instructions="The ferry between Skarven and Ormsund. Sailings are named by their time of departure, without colon.",
)


class Booking(BaseModel):
    """What the purser sees."""

    code: str = Field(description="What the passenger shows at the ramp.")
    sailing: str
    passengers: int
    deck_metres: int = Field(description="Space taken on the car deck.")
    warnings: list[str] = Field(default_factory=list)


BOOKINGS: dict[str, Booking] = {}


@mcp.tool(annotations=ToolAnnotations(title="Find sailings", readOnlyHint=True))
def find_sailings(
    departs_from: Annotated[Literal["skarven", "ormsund"], Field(description="The harbour to leave from.")],
    not_before: Annotated[str, Field(pattern="^[0-2][0-9][0-5][0-9]$", description="Earliest time, as 0640.")] = "0000",
) -> list[str]:
    """List the sailings of a day from one harbour, with the free space on the car deck.

    Use it before book_crossing, which wants the time of a sailing. Times are local and have no colon. The line sails
    four times on every day of the year; in a storm sailings are cancelled by the harbours, and only there.

    Example:
        find_sailings(departs_from="ormsund", not_before="1200")
    """
    times = [time for time, (start, _) in SAILINGS.items() if start == departs_from and time >= not_before]
    return [f"{time} to {SAILINGS[time][1]}, {DECK - taken(time)} m free" for time in times]


@mcp.tool(title="Book a crossing")
async def book_crossing(
    sailing: Annotated[str, Field(pattern="^[0-2][0-9][0-5][0-9]$", description="The departure, as 0910.")],
    passengers: Annotated[int, Field(ge=1, le=12, description="How many people, children included.")],
    ctx: Context,
    vehicles: Annotated[list[Vehicle] | None, Field(description="What they bring onto the car deck.")] = None,
    note: str | None = None,
) -> Booking:
    """Book people and their vehicles onto one sailing.

    The car deck has 24 metres: a bicycle takes one, a car five and a van eight. A booking that does not fit is refused
    as a whole; offer the next sailing then, or fewer vehicles. Passengers without vehicles always find room, up to
    twelve in one booking. The code in the answer is all that the passenger needs, so read it out.

    Raises:
        ValueError: No ferry leaves at that time, or the deck has not enough metres left.
    """
    if sailing not in SAILINGS:
        raise ValueError(f"no ferry leaves at {sailing}")
    metres = sum(METRES[vehicle] for vehicle in vehicles or ())
    if metres > DECK - taken(sailing):
        raise ValueError(f"the deck of {sailing} has only {DECK - taken(sailing)} m left")
    await ctx.info(f"{passengers} passengers on {sailing}")
    booking = Booking(code=f"F{len(BOOKINGS) + 1:04}", sailing=sailing, passengers=passengers, deck_metres=metres)
    if note:
        booking.warnings.append("notes are read at the ramp, not before")
    BOOKINGS[booking.code] = booking
    return booking


@mcp.tool(annotations=ToolAnnotations(destructiveHint=True, idempotentHint=True))
def cancel_booking(code: Annotated[str, Field(pattern="^F[0-9]{4}$", description="As on the ticket.")]) -> str:
    """Cancel a booking and give its space on the deck back. There is no way back, so ask the passenger before.

    A booking that was cancelled already is no error: the answer is the same.
    """
    BOOKINGS.pop(code, None)
    return f"{code} is cancelled"


def taken(sailing: str) -> int:
    return sum(booking.deck_metres for booking in BOOKINGS.values() if booking.sailing == sailing)


def notice_of(harbour: str) -> Callable[[], str]:
    def notice() -> str:
        return HARBOURS[harbour]

    return notice


for harbour in HARBOURS:
    mcp.add_tool(
        notice_of(harbour),
        name=f"{harbour}_notice",
        description=(
            f"Tell what travellers have to know about the harbour of {harbour.capitalize()}: where tickets are "
            "checked, what is closed, and from which wind on the ferry does not call there. Read it out before the "
            "first booking of somebody who has not sailed from there before."
        ),
        annotations=ToolAnnotations(readOnlyHint=True),
    )


@mcp.resource("ferry://fares", mime_type="text/plain")
def fares() -> str:
    """What a crossing costs."""
    return "Adults 6, children 3, bicycles 2, cars 15, vans 24"


@mcp.prompt()
def delay_notice(sailing: str) -> str:
    """A polite notice about a delayed sailing."""
    return f"Write two polite sentences that tell the passengers of the {sailing} ferry that it is late."


def main() -> None:
    parser = argparse.ArgumentParser(description="A small ferry line.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve at http://127.0.0.1:PORT/mcp")
    parser.add_argument("--stateless", action="store_true", help="over HTTP without sessions")
    options = parser.parse_args()
    if options.http is None:
        mcp.run()
    else:
        mcp.settings.port = options.http
        mcp.settings.stateless_http = options.stateless
        mcp.settings.log_level = "ERROR"
        mcp.run("streamable-http")


if __name__ == "__main__":
    main()
