"""A migrated project for tests of agreement: of a low-level server, and of servers whose tools are functions."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.command_line import Ran, pdmigrate
from tests.support.files import write
from tests.support.repositories import commit, committed

PYPROJECT = """\
[build-system]
requires = ["setuptools>=75"]
build-backend = "setuptools.build_meta"

[project]
name = "notes"
version = "1"
dependencies = ["mcp==1.30.0", "pydantic==2.14.3"]

[tool.setuptools]
packages = ["notes"]

[tool.pdmigrate]
sdk = { mcp = "1.30.0", pydantic = "2.14.3" }
"""

LOWLEVEL_SERVER = '''\
"""Notes of a team."""

import mcp.types as types
from mcp.server.lowlevel import Server

from notes.shapes import EditNote, KINDS

server = Server("notes")
LIMIT = 20


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(
            name="find_note",
            title="Find notes",
            description="Find notes by their text. Returns the newest first, never more than the limit.",
            inputSchema={
                "type": "object",
                "properties": {
                    "text": {"type": "string", "description": "Words that the note holds, in any order."},
                    "limit": {"type": "integer", "description": "How many notes to return.", "default": 20},
                },
                "required": ["text"],
            },
            annotations=types.ToolAnnotations(readOnlyHint=True),
        ),
        types.Tool(
            name="share_note",
            description="Share a note with a colleague. The colleague is told by mail.",
            inputSchema={"type": "object", "properties": {"note": {"type": "integer"}}, "required": ["note"]},
        ),
        types.Tool(
            name="edit_note",
            description=f"Change a note. At most {LIMIT} changes a day are kept.",
            inputSchema=EditNote.model_json_schema(),
        ),
        types.Tool(
            name="list_notes",
            description=f"List the notes of one kind. Kinds are {', '.join(KINDS)}.",
            inputSchema={
                "type": "object",
                "properties": {"kind": {"type": "string", "enum": list(KINDS)}},
            },
        ),
    ]
'''

SHAPES = '''\
"""What the tools take."""

from pydantic import BaseModel, Field

KINDS = ("private", "shared")


class EditNote(BaseModel):
    """The change of a note."""

    note: int = Field(description="The number of the note.")
    text: str = Field(description="The new text.", max_length=2000)
    keep: bool = True
'''


FUNCTIONS = '''\
"""Notes of a team."""

from typing import Annotated

from mcp.server.fastmcp import FastMCP
from pydantic import Field

from notes.shapes import Kind, Order

mcp = FastMCP("notes")


@mcp.tool()
def find_note(
    text: Annotated[str, Field(description="Words that the note holds.", max_length=200)], limit: int = 20
) -> str:
    """Find notes by their text. Returns the newest first."""
    return ""


@mcp.tool()
def list_notes(kind: Kind = Kind.PRIVATE, order: Order | None = None) -> str:
    """List the notes of one kind. Slow."""
    return ""


if __name__ == "__main__":
    mcp.run()
'''

FUNCTION_SHAPES = '''\
"""What the tools take."""

from enum import Enum

from pydantic import BaseModel


class Kind(str, Enum):
    """The kinds of notes."""

    PRIVATE = "private"
    SHARED = "shared"


class Order(BaseModel):
    """How notes are put in order."""

    newest: bool = True
'''
NEW_FUNCTION = '''\
@mcp.tool()
def pin_note(note: int) -> str:
    """Pin a note to the top. It stays there until it is unpinned."""
    return ""


'''


NEW_TOOL = """\
        types.Tool(
            name="pin_note",
            description="Pin a note to the top. It stays there until it is unpinned.",
            inputSchema={"type": "object", "properties": {"note": {"type": "integer", "minimum": 1}}},
        ),
"""


@dataclass(frozen=True)
class Dialect:
    """A project in one dialect, and which tools of it play which part."""

    files: Mapping[str, str]
    server: str
    moved: str = ""
    """A tool whose definition its file owns."""
    owned: str = ""
    """A tool that the code owns, with its arguments in ``model``."""
    model: str = ""
    folder: str = "notes/tool_descriptions"
    module: str = "notes/progressive_disclosure.py"


DIALECTS = {
    "mcp1-fastmcp": Dialect(
        files={
            "pyproject.toml": PYPROJECT,
            "notes/__init__.py": "",
            "notes/server.py": FUNCTIONS,
            "notes/shapes.py": FUNCTION_SHAPES,
        },
        server="notes/server.py",
    ),
    "mcp1-lowlevel": Dialect(
        files={
            "pyproject.toml": PYPROJECT,
            "notes/__init__.py": "",
            "notes/server.py": LOWLEVEL_SERVER,
            "notes/shapes.py": SHAPES,
        },
        server="notes/server.py",
        moved="find_note",
        owned="edit_note",
        model="notes/shapes.py",
    ),
}


@dataclass(frozen=True)
class Desk:
    """A migrated project on disk."""

    root: Path
    dialect: Dialect

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode("utf-8")

    def write(self, path: str, text: str) -> None:
        write(self.root, {path: text})

    def replace(self, path: str, old: str, new: str) -> None:
        """Edit a file; the text to replace must be there once."""
        text = self.read(path)
        assert text.count(old) == 1, (path, old, text.count(old))
        self.write(path, text.replace(old, new))

    def drop(self, tool: str) -> None:
        """Take a tool out of the table of a low-level server: from its line to the end of its call."""
        text = self.read(self.dialect.server)
        start = text.index(f'        types.Tool(\n            name="{tool}"')
        end = text.index("\n        ),\n", start) + len("\n        ),\n")
        self.write(self.dialect.server, text[:start] + text[end:])

    def description(self, tool: str) -> str:
        return f"{self.dialect.folder}/{tool}.json"

    def content(self, tool: str) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.read(self.description(tool)))
        return loaded

    def edit(self, tool: str, change: Callable[[dict[str, Any]], object]) -> None:
        """Edit a description file as an editor would: one key, the rest as it was."""
        content = self.content(tool)
        change(content)
        self.write(self.description(tool), json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def line(self, path: str, text: str) -> int:
        """The line of a file that holds ``text``, which is in no other."""
        lines = [number for number, line in enumerate(self.read(path).splitlines(), 1) if text in line]
        assert len(lines) == 1, (path, text, lines)
        return lines[0]

    def tree(self) -> dict[str, bytes]:
        """Every file that belongs to the project."""
        skipped = (".git", "__pycache__")
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and not any(part in skipped for part in path.relative_to(self.root).parts)
        }

    def run(self, command: str, *arguments: object) -> Ran:
        paths = [argument for argument in arguments if not str(argument).startswith("-")]
        return pdmigrate(command, *arguments, *(() if paths else (self.root,)))

    def commit(self) -> None:
        commit(self.root)


def unmigrated(folder: Path, dialect: Dialect) -> Desk:
    return Desk(committed(write(folder, dialect.files)), dialect)


def migrated(folder: Path, dialect: Dialect, options: Sequence[str] = ("--copies",)) -> Desk:
    """A project that was migrated, with a description file for every tool; the migration is committed."""
    desk = unmigrated(folder, dialect)
    ran = pdmigrate("apply", "--all", folder, "--write", *options)
    assert ran.status == 0, ran.stderr
    commit(folder)
    return desk


def copied(desk: Desk, folder: Path) -> Desk:
    """A copy of a project, for one test to spoil."""
    shutil.copytree(desk.root, folder, symlinks=True)
    return Desk(folder, desk.dialect)
