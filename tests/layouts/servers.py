"""Pieces of source that the projects of these tests are put together from, and what their servers list."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

SDK = """\
import asyncio

import mcp.types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
"""

FIND = """\
types.Tool(
    name="find_note",
    description="Find notes by their text. Returns at most `limit` notes, the newest first, each with its id.",
    inputSchema={
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "Words that the note holds, in any order."},
            "limit": {"type": "integer", "description": "How many notes to return.", "minimum": 1},
        },
        "required": ["text"],
    },
),
"""
DROP = """\
types.Tool(
    name="drop_note",
    description="Remove a note for good. Nothing brings it back, so ask the person before you do this.",
    inputSchema={
        "type": "object",
        "properties": {"id": {"type": "string", "description": "What find_note said of the note."}},
        "required": ["id"],
    },
),
"""


def _definition(literal: str) -> dict[str, Any]:
    """What ``tools/list`` sends of a tool that is written so."""
    (call,) = ast.parse(f"[{literal}]", mode="eval").body.elts
    return {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}


FULL = {"find_note": _definition(FIND), "drop_note": _definition(DROP)}
"""What ``tools/list`` of every server here sends before its migration."""

ARGUMENTS = {"find_note": {"text": "tides"}, "drop_note": {"id": "7"}}


def indented(text: str, levels: int) -> str:
    return textwrap.indent(text, "    " * levels)


def listing(tools: str = FIND + DROP) -> str:
    """The body of a list handler."""
    return f"    return [\n{indented(tools, 2)}    ]\n"


def handlers(server: str = "server", tools: str = FIND + DROP) -> str:
    """A server's two handlers, registered with its decorators."""
    return f"""\
@{server}.list_tools()
async def list_tools() -> list[types.Tool]:
{listing(tools)}

@{server}.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    return [types.TextContent(type="text", text=f"{{name}} {{arguments}}")]
"""


def run(server: str = "server") -> str:
    """A coroutine that speaks over stdio."""
    return f"""\
async def main() -> None:
    async with stdio_server() as (read, write):
        await {server}.run(read, write, {server}.create_initialization_options())
"""


GUARD = """\
if __name__ == "__main__":
    asyncio.run(main())
"""


def joined(*parts: str) -> str:
    """The parts of a module, two blank lines apart."""
    return "\n\n".join(parts)


def module(*more_imports: str, name: str = "notes", guard: str = GUARD) -> str:
    """A whole server in one module."""
    head = SDK + "".join(f"\n{line}\n" for line in more_imports) + f'\nserver = Server("{name}")'
    parts = (head, handlers(), run(), guard) if guard else (head, handlers(), run())
    return joined(*parts)
