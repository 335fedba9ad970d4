"""Projects that the command line tests run on: a server in a repository."""

from __future__ import annotations

from pathlib import Path

from tests.layouts.servers import FIND, indented
from tests.support.files import write
from tests.support.repositories import committed

SERVER = f"""\
import os

import mcp.types as types
from mcp.server import Server

server = Server("notes")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    tools = [
{indented(FIND, 2)}        types.Tool(
            name="edit_note",
            description=os.environ["EDIT_HELP"],
            inputSchema={{"type": "object", "properties": {{"id": {{"type": "string"}}}}}},
        ),
    ]
    return tools
"""
BROKEN = "from mcp.server import Server\n\ndef tools(:\n    return []\n"
UNRELATED = "print('no server here')\n"


def project(folder: Path, **files: str) -> Path:
    """A repository below ``folder`` whose modules, by name, are committed."""
    sources = files or {"server": SERVER}
    return committed(write(folder / "project", {f"{name}.py": text for name, text in sources.items()}))
