# /// script
# requires-python = ">=3.10"
# dependencies = ["fastmcp>=3,<4"]
# ///
"""The dispensary of a plant clinic, as an MCP server.

    uv run sample_servers/fastmcp3/server.py                  over stdio
    uv run sample_servers/fastmcp3/server.py --http 8000      at http://127.0.0.1:8000/mcp

It is written with fastmcp 3: docstrings in Google style become descriptions of parameters, the herbarium is mounted
under a namespace, and what may do harm is hidden until a session has asked for it.  Cases live in memory.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import Annotated, Literal

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from pydantic import Field

clinic = FastMCP(
    "plant-clinic",
    instructions="Advice for house plants, given at the market on Fridays. Cases are numbered.",
    strict_input_validation=True,
)
herbarium: FastMCP = FastMCP("herbarium")


@dataclass
class Case:
    """One sick plant."""

    number: int
    plant: str
    signs: list[str] = field(default_factory=list)
    treated: bool = False


CASES: dict[int, Case] = {}
REMEDIES = {"aphids": "soapy water", "mildew": "milk and water, one to nine", "root rot": "dry soil and a smaller pot"}


@clinic.tool(title="Open a case")
def open_case(plant: str, signs: list[str] | None = None) -> Case:
    """Take in a plant and open a case for it, so that everybody at the stall works from the same notes.

    Args:
        plant: What it is, as its owner calls it; the herbarium knows the botanical names.
        signs: What is wrong with it, one observation each: "leaves curl", "white dust".

    Returns:
        The case with its number, which all other tools want.

    Examples:
        A plant with two signs:

        >>> open_case(plant="ivy", signs=["leaves curl", "white dust"])
    """
    case = Case(len(CASES) + 1, plant, signs or [])
    CASES[case.number] = case
    return case


@clinic.tool(annotations={"readOnlyHint": True})
def diagnose(
    case: Annotated[int, Field(ge=1, description="The number of the case.")],
    guess: Annotated[Literal["aphids", "mildew", "root rot"], Field(description="What it looks like.")],
) -> str:
    """Weigh a guess against the signs that were noted, and name the mildest remedy.

    Use it after open_case. The remedy is always one that does no harm if the guess is wrong; what kills something is
    prescribed by another tool, which a session sees only after call_specialist.

    Raises:
        ToolError: No case has this number.
    """
    noted = known(case).signs
    return f"{REMEDIES[guess]} ({len(noted)} signs noted)"


@clinic.tool(tags={"specialist"}, annotations={"destructiveHint": True})
def prescribe_poison(case: int, grams: Annotated[float, Field(gt=0, le=5)]) -> str:
    """Prescribe a systemic insecticide. It kills bees as well, so never for a plant that stands outside.

    Args:
        case: The number of the case.
        grams: The dose for one litre of water, five grams at most.

    Raises:
        ToolError: No case has this number.
    """
    known(case).treated = True
    return f"{grams} g for case {case}"


@clinic.tool
async def call_specialist(ctx: Context) -> str:
    """Ask the specialist over. From then on this session also sees what only specialists may prescribe.

    Do so when a remedy has been tried for two weeks without success, and not before.
    """
    await ctx.enable_components(tags={"specialist"})
    return "the specialist is here"


def known(number: int) -> Case:
    if number not in CASES:
        raise ToolError(f"no case has the number {number}")
    return CASES[number]


@herbarium.tool
def look_up(name: str) -> str:
    """Find the botanical name of a plant, and where it grows without help.

    Args:
        name: The common name, in the singular.
    """
    return {"ivy": "Hedera helix, shade", "basil": "Ocimum basilicum, sun"}.get(name.lower(), "not in the herbarium")


clinic.mount(herbarium, namespace="herbarium")
clinic.disable(tags={"specialist"})


@clinic.resource("clinic://hours", mime_type="text/plain")
def hours() -> str:
    """When the stall is open."""
    return "Fridays from eight to one"


@clinic.prompt
def leaflet(plant: str) -> str:
    """A leaflet about the care of a plant."""
    return f"Write five lines about the care of {plant}."


def main() -> None:
    parser = argparse.ArgumentParser(description="A plant clinic.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve at http://127.0.0.1:PORT/mcp")
    parser.add_argument("--stateless", action="store_true", help="over HTTP without sessions")
    options = parser.parse_args()
    if options.http is None:
        clinic.run(show_banner=False)
    else:
        clinic.run(
            transport="http",
            port=options.http,
            stateless_http=options.stateless,
            log_level="error",
            show_banner=False,
        )


if __name__ == "__main__":
    main()
