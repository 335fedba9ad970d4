# /// script
# requires-python = ">=3.10"
# dependencies = ["fastmcp>=4,<5"]
# ///
"""The depot of a local museum, as an MCP server.

    uv run sample_servers/fastmcp4/server.py                  over stdio
    uv run sample_servers/fastmcp4/server.py --http 8000      at http://127.0.0.1:8000/mcp

It is written with fastmcp 4: tools are registered by a function for each department, a middleware hides what is not for
visitors, and the archive is mounted under a namespace.  The depot lives in memory, so it starts afresh every time.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from datetime import date
from typing import Annotated, Any, Literal

from fastmcp import FastMCP
from fastmcp.exceptions import NotFoundError, ToolError
from fastmcp.server.dependencies import get_http_headers
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool
from pydantic import BaseModel, Field


class Piece(BaseModel):
    """One object of the collection."""

    number: str
    title: str
    shelf: str
    lent_to: str | None = None


PIECES = {
    piece.number: piece
    for piece in (
        Piece(number="1911-04", title="Tram conductor's whistle", shelf="C2"),
        Piece(number="1934-17", title="Butter churn", shelf="A1"),
        Piece(number="1958-02", title="Shop sign of the cobbler Reinholt", shelf="F9", lent_to="town hall"),
    )
}


class StaffOnly(Middleware):
    """Hides the tools that are tagged for staff from everybody else."""

    async def on_list_tools(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any]) -> Sequence[Tool]:
        tools: Sequence[Tool] = await call_next(context)
        return [tool for tool in tools if "staff" not in tool.tags or is_staff()]

    async def on_call_tool(self, context: MiddlewareContext[Any], call_next: CallNext[Any, Any]) -> Any:
        if context.message.name in ("lend_piece",) and not is_staff():
            raise NotFoundError(f"Unknown tool: {context.message.name}")
        return await call_next(context)


def is_staff() -> bool:
    return "staff" in (os.environ.get("DEPOT_ROLE"), get_http_headers().get("x-depot-role"))


depot = FastMCP(
    "museum-depot",
    instructions="The depot of the museum of local history. Pieces are known by year of arrival and number.",
    middleware=[StaffOnly()],
)
archive: FastMCP = FastMCP("archive")


def piece_of(number: str) -> Piece:
    if number not in PIECES:
        raise ToolError(f"no piece has the number {number}")
    return PIECES[number]


def register_collection(server: FastMCP) -> None:
    @server.tool(annotations={"readOnlyHint": True})
    def find_pieces(
        words: Annotated[str, Field(min_length=2)], limit: Annotated[int, Field(ge=1, le=20)] = 5
    ) -> list[Piece]:
        """Search the collection by words of the title.

        All words must occur, in any order and in any case. A piece that is lent is found too, and the answer says to
        whom. When nothing is found, try the material or the trade instead of the name of the thing.

        Args:
            words: Words of the title, separated by blanks.
            limit: The most pieces to return.

        Examples:
            >>> find_pieces(words="whistle")
        """
        wanted = words.lower().split()
        found = [piece for piece in PIECES.values() if all(word in piece.title.lower() for word in wanted)]
        return found[:limit]

    @server.tool
    def move_piece(number: str, shelf: Annotated[str, Field(pattern="^[A-F][1-9]$")]) -> Piece:
        """Note that a piece stands on another shelf now. Shelves run from A to F and from 1 to 9.

        Nothing is moved by this: it writes down what somebody has done. A piece that is lent cannot be moved.

        Raises:
            ToolError: No piece has this number, or the piece is lent.
        """
        piece = piece_of(number)
        if piece.lent_to is not None:
            raise ToolError(f"{number} is at the {piece.lent_to}")
        piece.shelf = shelf
        return piece


def register_loans(server: FastMCP) -> None:
    @server.tool(tags={"staff"}, annotations={"destructiveHint": False})
    def lend_piece(number: str, borrower: str, until: date, insured: Literal["yes", "no"] = "yes") -> str:
        """Lend a piece to another house. Only for the staff of the museum.

        The contract is written elsewhere; this notes who has the piece, and until when. A piece that is lent already is
        refused, and so is one without insurance that leaves the town.
        """
        piece = piece_of(number)
        if piece.lent_to is not None:
            raise ToolError(f"{number} is at the {piece.lent_to}")
        if insured == "no":
            raise ToolError("nothing leaves without insurance")
        piece.lent_to = borrower
        return f"{piece.title} goes to {borrower} until {until.isoformat()}"


@archive.tool
def opening_year(street: str) -> str:
    """Tell in which year a street of the town got its name, from the register of 1950.

    Streets that were named later are not in it: the answer says so, and then the town hall knows.
    """
    return {"mill lane": "1782", "station road": "1869"}.get(street.lower(), "not in the register of 1950")


register_collection(depot)
register_loans(depot)
depot.mount(archive, namespace="archive")


@depot.resource("depot://climate", mime_type="text/plain")
def climate() -> str:
    """What the air in the depot has to be."""
    return "18 degrees, 50 percent humidity, no daylight"


@depot.prompt
def label(number: str) -> str:
    """A label for the exhibition."""
    return f"Write a label of forty words for the piece {number}."


def main() -> None:
    parser = argparse.ArgumentParser(description="The depot of a museum.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve at http://127.0.0.1:PORT/mcp")
    parser.add_argument("--stateless", action="store_true", help="over HTTP without sessions")
    options = parser.parse_args()
    if options.http is None:
        depot.run(show_banner=False)
    else:
        depot.run(
            transport="http",
            port=options.http,
            stateless_http=options.stateless,
            log_level="error",
            show_banner=False,
        )


if __name__ == "__main__":
    main()
