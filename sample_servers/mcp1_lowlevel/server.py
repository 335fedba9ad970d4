# /// script
# requires-python = ">=3.10"
# dependencies = ["mcp>=1.10,<2"]
# ///
"""The loans desk of a small public library, as an MCP server.

    uv run sample_servers/mcp1_lowlevel/server.py                  over stdio
    uv run sample_servers/mcp1_lowlevel/server.py --http 8000      at http://127.0.0.1:8000/mcp

It is written as most low-level servers are: every tool is a literal ``types.Tool`` in one list handler, and one call
handler dispatches by name.  The catalogue lives in memory, so it starts afresh every time.
"""

from __future__ import annotations

import argparse
import asyncio
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from mcp import types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.models import InitializationOptions
from mcp.server.stdio import stdio_server
from pydantic import AnyUrl


class DeskTool(str, Enum):
    """The tools that the self-service terminals in the branches call by name as well."""

    RETURN = "return_copy"
    RENEW = "renew_loan"


@dataclass
class Copy:
    """One physical copy of a title."""

    barcode: str
    title: str
    author: str
    kind: str
    branch: str
    borrower: str | None = None
    renewals: int = 0
    holds: list[str] = field(default_factory=list)


COPIES = {
    copy.barcode: copy
    for copy in (
        Copy("30001", "The Tidal Atlas", "Mira Oduya", "book", "harbour"),
        Copy("30002", "The Tidal Atlas", "Mira Oduya", "audiobook", "old-town"),
        Copy("30003", "Bread Before Dawn", "Jonas Feld", "book", "old-town", borrower="M10001"),
        Copy("30004", "A Field Guide to Roofs", "Ines Calder", "book", "harbour"),
        Copy("30005", "Night Trains of the North", "Ola Brandt", "film", "hilltop"),
    )
}
MEMBERS = {"M10001": "Ada Lindqvist", "M10002": "Tomas Reyes", "M10003": "Wen Zhao"}
LOAN_DAYS = {"book": 28, "audiobook": 14, "film": 7}

# Returning and renewing take the same thing: what the scanner at the desk reads.
SCANNED_COPY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "barcode": {
            "type": "string",
            "pattern": "^3[0-9]{4}$",
            "description": "The barcode on the back cover, five digits that begin with 3, as the scanner reads it.",
        },
        "branch": {
            "type": "string",
            "enum": ["harbour", "old-town", "hilltop"],
            "description": "The branch where the copy is now; it need not be the one that it belongs to.",
        },
    },
    "required": ["barcode"],
}

server = Server("library-loans", instructions="The loans desk of the city library. Members are known by number.")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="find_copies",
            title="Find copies",
            description=(
                "Search the catalogue for copies by words of title or author. Use it first whenever a member names a "
                "book: every other tool wants a barcode, and only this one turns a title into barcodes.\n\n"
                "All words must occur, in any order and in any case; a word matches anywhere in title or author, so "
                "'feld' finds Jonas Feld. The result is a list of copies with barcode, title, author, kind, branch and "
                "whether the copy is on the shelf. A title of which the library holds five copies appears five times, "
                "once for each, because members borrow copies and not titles. Copies on loan are left out unless "
                "include_lent is true. An empty list means that nothing matched: try fewer words before you tell the "
                "member that the library does not have it."
            ),
            inputSchema={
                "type": "object",
                "properties": {
                    "words": {
                        "type": "string",
                        "minLength": 2,
                        "description": "Words of the title or of the author's name, separated by blanks. At least two "
                        "characters. Leave out 'the' and 'a'; they match nearly everything.",
                    },
                    "kind": {
                        "type": "string",
                        "enum": ["book", "audiobook", "film"],
                        "description": "Only copies of this kind. Left out: all kinds.",
                    },
                    "include_lent": {
                        "type": "boolean",
                        "default": False,
                        "description": "Whether to list copies that are on loan, too; useful before placing a hold.",
                    },
                    "limit": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 50,
                        "default": 10,
                        "description": "The most copies to return. Raise it only when the member wants to browse.",
                    },
                },
                "required": ["words"],
                "additionalProperties": False,
                "examples": [{"words": "tidal"}, {"words": "feld", "include_lent": True}],
            },
            annotations=types.ToolAnnotations(readOnlyHint=True, openWorldHint=False),
        ),
        types.Tool(
            name="check_out",
            title="Check out a copy",
            description=(
                "Lend a copy to a member. The copy must be on the shelf and not held for somebody else; find its "
                "barcode with find_copies.\n\n"
                "How long the loan lasts depends on the kind: 28 days for books, 14 for audiobooks, 7 for films. A "
                "member may have at most five copies at a time. When the copy is held for another member the loan is "
                "refused with the text 'held for another member'; when this member is the first in the queue the hold "
                "is used up by the loan. The answer states the number of days; read it out to the member, since no "
                "receipt is printed. This changes the catalogue at once and cannot be undone except by return_copy.\n\n"
                "Errors:\n"
                "    held for another member: place a hold, and lend another copy if there is one.\n"
                "    is on loan: the copy was not returned; find_copies shows those on the shelf."
            ),
            inputSchema={
                "type": "object",
                "properties": {
                    "barcode": {
                        "type": "string",
                        "pattern": "^3[0-9]{4}$",
                        "description": "The barcode of the copy, five digits that begin with 3.",
                    },
                    "member": {
                        "type": "string",
                        "pattern": "^M[0-9]{5}$",
                        "description": "The member's number as printed on the card: M and five digits. Never guess it "
                        "from a name; ask for the card.",
                    },
                },
                "required": ["barcode", "member"],
                "additionalProperties": False,
            },
            annotations=types.ToolAnnotations(readOnlyHint=False, destructiveHint=False, idempotentHint=False),
        ),
        types.Tool(
            name=DeskTool.RETURN,
            description=(
                "Take back a copy that was lent. Works at every branch: a copy that belongs elsewhere is marked for "
                "transfer, and the answer says where to. Returning a copy that is not on loan is an error and usually "
                "means that the barcode was misread. When somebody holds the copy, the answer names the member for "
                "whom to put it aside; do that before you shelve it."
            ),
            inputSchema=SCANNED_COPY,
            annotations=types.ToolAnnotations(readOnlyHint=False, destructiveHint=False, idempotentHint=True),
        ),
        types.Tool(
            name=DeskTool.RENEW,
            description=(
                "Extend the loan of a copy by its full period, counted from today. A loan can be renewed twice, and "
                "not at all while another member holds the copy. The member need not be present. The answer states the "
                "new number of days and how many renewals are left."
            ),
            inputSchema=SCANNED_COPY,
            annotations=types.ToolAnnotations(readOnlyHint=False, destructiveHint=False, idempotentHint=False),
        ),
        types.Tool(
            name="place_hold",
            description=(
                "Put a member in the queue for a copy that is on loan, so that it is kept for them when it comes "
                "back.\n\n"
                "Holds are for copies, not titles: when several copies of a title are on loan, choose the one whose "
                "branch suits the member. A copy on the shelf cannot be held, check it out instead. Each member can be "
                "in the queue of a copy once; asking again changes nothing. The answer states the place in the queue. "
                "pickup_note is shown to the staff who put the copy aside and is the right home for wishes such as "
                "large print sleeves or a phone call instead of a letter."
            ),
            inputSchema={
                "type": "object",
                "properties": {
                    "barcode": {"type": "string", "pattern": "^3[0-9]{4}$", "description": "The copy to wait for."},
                    "member": {"type": "string", "pattern": "^M[0-9]{5}$", "description": "Who waits for it."},
                    "pickup_note": {
                        "anyOf": [{"type": "string", "maxLength": 200}, {"type": "null"}],
                        "default": None,
                        "description": "A wish for the staff, at most 200 characters, or null.",
                    },
                },
                "required": ["barcode", "member"],
            },
        ),
        types.Tool(
            name="member_account",
            title="Member account",
            description=(
                "Show what a member has borrowed and is waiting for. Use it to answer 'when is my book due', to see "
                "whether the limit of five loans is reached, and before a renewal to learn the barcode.\n\n"
                "The result is structured: the member's name, the loans with barcode, title, and renewals used, and "
                "the barcodes of the copies held. An unknown number is an error; it is not the same as a member with "
                "no loans, whose lists are empty. Names are personal data: do not repeat them to anybody but the "
                "member."
            ),
            inputSchema={
                "type": "object",
                "properties": {
                    "member": {
                        "type": "string",
                        "pattern": "^M[0-9]{5}$",
                        "description": "The member's number: M and five digits.",
                    }
                },
                "required": ["member"],
            },
            outputSchema={
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "loans": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {
                                "barcode": {"type": "string"},
                                "title": {"type": "string"},
                                "renewals": {"type": "integer", "minimum": 0, "maximum": 2},
                            },
                            "required": ["barcode", "title", "renewals"],
                        },
                    },
                    "holds": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["name", "loans", "holds"],
            },
            annotations=types.ToolAnnotations(readOnlyHint=True, openWorldHint=False),
        ),
    ]


@server.call_tool()
async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.TextContent] | dict[str, Any]:
    if name == "find_copies":
        return say("\n".join(find_copies(**arguments)) or "nothing found")
    if name == "member_account":
        return member_account(arguments["member"])
    if name == "check_out":
        return say(check_out(copy_with(arguments["barcode"]), arguments["member"]))
    if name == DeskTool.RETURN:
        return say(return_copy(copy_with(arguments["barcode"]), arguments.get("branch")))
    if name == DeskTool.RENEW:
        return say(renew_loan(copy_with(arguments["barcode"])))
    if name == "place_hold":
        return say(place_hold(copy_with(arguments["barcode"]), arguments["member"]))
    raise ValueError(f"unknown tool: {name}")


def copy_with(barcode: str) -> Copy:
    if barcode not in COPIES:
        raise ValueError(f"no copy has the barcode {barcode}")
    return COPIES[barcode]


def say(text: str) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=text)]


def find_copies(words: str, kind: str | None = None, include_lent: bool = False, limit: int = 10) -> list[str]:
    found = []
    for copy in COPIES.values():
        haystack = f"{copy.title} {copy.author}".lower()
        wanted = kind in (None, copy.kind) and (include_lent or copy.borrower is None)
        if wanted and all(word in haystack for word in words.lower().split()):
            place = "on loan" if copy.borrower else "on the shelf"
            found.append(f"{copy.barcode}  {copy.title}, {copy.author} ({copy.kind}, {copy.branch}, {place})")
    return found[:limit]


def check_out(copy: Copy, member: str) -> str:
    if member not in MEMBERS:
        raise ValueError(f"no member has the number {member}")
    if copy.borrower is not None:
        raise ValueError(f"{copy.barcode} is on loan")
    if copy.holds and copy.holds[0] != member:
        raise ValueError(f"{copy.barcode} is held for another member")
    if sum(other.borrower == member for other in COPIES.values()) >= 5:
        raise ValueError(f"{member} has five copies already")
    copy.borrower, copy.renewals, copy.holds = member, 0, copy.holds[1:]
    return f"{copy.title} is lent to {member} for {LOAN_DAYS[copy.kind]} days"


def return_copy(copy: Copy, branch: str | None = None) -> str:
    if copy.borrower is None:
        raise ValueError(f"{copy.barcode} is not on loan")
    copy.borrower = None
    if copy.holds:
        return f"{copy.title} is back: put it aside for {copy.holds[0]}"
    return f"{copy.title} is back" + ("" if branch in (None, copy.branch) else f": send it to {copy.branch}")


def renew_loan(copy: Copy) -> str:
    if copy.borrower is None or copy.renewals >= 2 or copy.holds:
        raise ValueError(f"{copy.barcode} cannot be renewed")
    copy.renewals += 1
    return f"{copy.title}: another {LOAN_DAYS[copy.kind]} days, {2 - copy.renewals} renewals left"


def place_hold(copy: Copy, member: str) -> str:
    if copy.borrower is None:
        raise ValueError(f"{copy.barcode} is on the shelf: check it out instead")
    if member not in copy.holds:
        copy.holds.append(member)
    return f"{member} is number {copy.holds.index(member) + 1} in the queue for {copy.title}"


def member_account(member: str) -> dict[str, Any]:
    if member not in MEMBERS:
        raise ValueError(f"no member has the number {member}")
    loans = [
        {"barcode": copy.barcode, "title": copy.title, "renewals": copy.renewals}
        for copy in COPIES.values()
        if copy.borrower == member
    ]
    holds = [copy.barcode for copy in COPIES.values() if member in copy.holds]
    return {"name": MEMBERS[member], "loans": loans, "holds": holds}


@server.list_resources()
async def list_resources() -> list[types.Resource]:
    return [
        types.Resource(
            uri=AnyUrl("loans://opening-hours"),
            name="Opening hours",
            description="When the branches are open.",
            mimeType="text/plain",
        )
    ]


@server.read_resource()
async def read_resource(uri: AnyUrl) -> list[ReadResourceContents]:
    if str(uri) != "loans://opening-hours":
        raise ValueError(f"unknown resource: {uri}")
    return [ReadResourceContents(content="Harbour 9-18, Old Town 10-20, Hilltop 9-13", mime_type="text/plain")]


@server.list_prompts()
async def list_prompts() -> list[types.Prompt]:
    return [
        types.Prompt(
            name="overdue_reminder",
            description="A friendly reminder that a loan is overdue.",
            arguments=[types.PromptArgument(name="title", description="What is overdue", required=True)],
        )
    ]


@server.get_prompt()
async def get_prompt(name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
    if name != "overdue_reminder":
        raise ValueError(f"unknown prompt: {name}")
    text = f"Write two friendly sentences that remind a member to bring back '{(arguments or {}).get('title')}'."
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(messages=[message])


async def over_stdio() -> None:
    options = InitializationOptions(
        server_name="library-loans",
        server_version="1.0.0",
        capabilities=server.get_capabilities(NotificationOptions(), {}),
        instructions=server.instructions,
    )
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, options)


def over_http(port: int, *, stateless: bool) -> None:
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Mount

    sessions = StreamableHTTPSessionManager(server, stateless=stateless)
    app = Starlette(routes=[Mount("/", sessions.handle_request)], lifespan=lambda _app: sessions.run())
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")


def main() -> None:
    parser = argparse.ArgumentParser(description="The loans desk of a library.")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve at http://127.0.0.1:PORT/mcp")
    parser.add_argument("--stateless", action="store_true", help="over HTTP without sessions")
    options = parser.parse_args()
    if options.http is None:
        asyncio.run(over_stdio())
    else:
        over_http(options.http, stateless=options.stateless)


if __name__ == "__main__":
    main()
