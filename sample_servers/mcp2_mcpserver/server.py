# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=2.0,<3", "uvicorn"]
# ///
"""The berths of a yacht harbour, as an MCP server.

    uv run sample_servers/mcp2_mcpserver/server.py                  over stdio
    uv run sample_servers/mcp2_mcpserver/server.py --http 8000      at http://127.0.0.1:8000/mcp

It is written with the MCPServer of mcp 2.x.  A middleware of its own keeps a log of calls, and turns away names of
tools that it does not know before anything else is done.  Berths live in memory, so it starts afresh every time.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

logger = logging.getLogger(__name__)


class Berth(BaseModel):
    """One berth and what lies in it."""

    number: str = Field(description="Pier and place, as B4.")
    length: float = Field(description="The longest boat that fits, in metres.")
    depth: float = Field(description="The depth at low water, in metres.")
    boat: str | None = None


@dataclass(frozen=True)
class Tide:
    """High water, as the table on the wall has it."""

    time: str
    metres: float


BERTHS = {
    berth.number: berth
    for berth in (
        Berth(number="A1", length=8, depth=1.4, boat="Puffin"),
        Berth(number="A2", length=8, depth=1.6),
        Berth(number="B1", length=12, depth=2.2),
        Berth(number="B4", length=15, depth=2.8),
    )
}
TIDES = (Tide("04:12", 3.9), Tide("16:40", 4.1))
KNOWN = {"find_berth", "moor", "cast_off", "high_water"}


async def only_known_tools(request: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Log calls, and refuse names that are not ours: scanners try many."""
    if request.method == "tools/call":
        name = (request.params or {}).get("name")
        if name not in KNOWN:
            logger.warning("a call to %r was turned away", name)
            return {"content": [{"type": "text", "text": f"there is no {name} in this harbour"}], "isError": True}
    return await call_next(request)


mcp = MCPServer(
    "harbour-master",
    version="1.0.0",
    instructions="The yacht harbour of Brinsea. Lengths and depths are in metres.",
    middleware=[only_known_tools],
)


@mcp.tool(annotations=ToolAnnotations(read_only_hint=True))
def find_berth(
    length: Annotated[float, Field(gt=0, le=30, description="Length of the boat over all, in metres.")],
    draught: Annotated[float, Field(gt=0, le=5, description="How deep the boat goes, in metres.")],
    pier: Annotated[
        Literal["A", "B"],
        Field(description="The pier, if it matters.", json_schema_extra={"x-mcp-header": "Pier"}),
    ] = "B",
) -> list[Berth]:
    """Find free berths that a boat fits into, the tightest first.

    A boat needs half a metre of water under the keel at low tide, which is already counted: give the draught as it is
    in the papers. Pier A is cheaper and dries out at the inner end; pier B has water and power. When nothing is found,
    ask for the other pier before you send a boat away.
    """
    fitting = [
        berth
        for berth in BERTHS.values()
        if berth.boat is None and berth.number.startswith(pier) and berth.length >= length
    ]
    return sorted((b for b in fitting if b.depth >= draught + 0.5), key=lambda berth: berth.length)


@mcp.tool(title="Moor a boat", annotations=ToolAnnotations(destructive_hint=False))
async def moor(
    berth: Annotated[str, Field(pattern="^[AB][0-9]$", description="The berth, as find_berth gives it.")],
    boat: Annotated[str, Field(min_length=2, max_length=40, description="The name on the stern.")],
    context: Context,
) -> Berth:
    """Put a boat into a berth. The berth must be free; two boats never share one.

    The harbour counts a stay from the moment of this call, and bills every night that begins. Say the number of the
    berth to the skipper twice, because the signs on the piers are faded.

    Raises:
        ValueError: There is no such berth, or a boat lies in it.
    """
    if berth not in BERTHS:
        raise ValueError(f"there is no berth {berth}")
    if BERTHS[berth].boat is not None:
        raise ValueError(f"{BERTHS[berth].boat} lies in {berth}")
    await context.report_progress(1, 1)
    BERTHS[berth].boat = boat
    return BERTHS[berth]


@mcp.tool()
def cast_off(
    berth: Annotated[str, Field(pattern="^[AB][0-9]$", description="The berth that becomes free.", examples=["B4"])],
) -> str:
    """Let a boat go and free its berth. An empty berth is no error: the answer says that nothing lay there.

    Ask whether the bill is paid before you do this; the harbour has no other record of who lay where.
    """
    if berth not in BERTHS:
        raise ValueError(f"there is no berth {berth}")
    boat, BERTHS[berth].boat = BERTHS[berth].boat, None
    return f"{boat or 'nothing'} left {berth}"


@mcp.tool(structured_output=False)
def high_water() -> str:
    """Tell the times and heights of high water today.

    Boats that go deeper than two metres leave and enter within two hours of it. The times are those of the table on
    the wall of the office and are not corrected for wind.
    """
    return ", ".join(f"{tide.time} {tide.metres} m" for tide in TIDES)


@mcp.resource("harbour://fees", mime_type="text/plain")
def fees() -> str:
    """What a night costs."""
    return "Pier A 12 a night, pier B 19, power 3"


@mcp.prompt()
def welcome(boat: str) -> str:
    """A welcome for a visiting boat."""
    return f"Write a short welcome to the crew of {boat}, with the times of high water."


def main() -> None:
    parser = argparse.ArgumentParser(description="The berths of a yacht harbour.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve at http://127.0.0.1:PORT/mcp")
    parser.add_argument("--stateless", action="store_true", help="over HTTP without sessions")
    options = parser.parse_args()
    if options.http is None:
        mcp.run()
    else:
        mcp.settings.log_level = "ERROR"
        mcp.run("streamable-http", port=options.http, stateless_http=options.stateless)


if __name__ == "__main__":
    main()
