"""A migrated project for tests of agreement: of a low-level server, or of one whose tools are functions."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.command_line import Ran, pdmigrate
from tests.support.files import tree, write
from tests.support.repositories import commit, committed
from tests.support.sources import decorated

SERVER, MODEL, MODULE = "notes/server.py", "notes/shapes.py", "notes/progressive_disclosure.py"
FOLDER = "notes/tool_descriptions"
LOCK, ABOUT = ".pdmigrate/lock.json", f"{FOLDER}/_server.json"
MOVED, OWNED = f"{FOLDER}/find_note.json", f"{FOLDER}/edit_note.json"
"""The files of a tool whose definition has moved there, and of one that the code owns, with its arguments in MODEL."""

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
            inputSchema={"type": "object", "properties": {"kind": {"type": "string", "enum": list(KINDS)}}},
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


FUNCTIONS = decorated(
    "notes",
    {
        "find_note(text: str, limit: int = 20)": "Find notes by their text. Returns the newest first.",
        "list_notes(kind: Kind = Kind.PRIVATE)": "List the notes of one kind. Slow.",
    },
    run=True,
).replace("FastMCP\n", "FastMCP\n\nfrom notes.shapes import Kind\n", 1)

FUNCTION_SHAPES = 'from enum import Enum\n\n\nclass Kind(str, Enum):\n    PRIVATE = "private"\n    SHARED = "shared"\n'
PINNING = {"pin_note(note: int)": "Pin a note to the top. It stays there until it is unpinned."}
NEW_FUNCTION = decorated("notes", PINNING).split("\n\n\n", 1)[1] + "\n\n"
NEW_TOOL = """\
        types.Tool(
            name="pin_note",
            description="Pin a note to the top. It stays there until it is unpinned.",
            inputSchema={"type": "object", "properties": {"note": {"type": "integer", "minimum": 1}}},
        ),
"""


def _files(server: str, shapes: str) -> Mapping[str, str]:
    return {"pyproject.toml": PYPROJECT, "notes/__init__.py": "", SERVER: server, MODEL: shapes}


DIALECTS = {"mcp1-fastmcp": _files(FUNCTIONS, FUNCTION_SHAPES), "mcp1-lowlevel": _files(LOWLEVEL_SERVER, SHAPES)}
"""The files of a project in each dialect."""


@dataclass(frozen=True)
class Desk:
    """A project on disk, and its files as they were before the migration."""

    root: Path
    files: Mapping[str, str]

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
        text = self.read(SERVER)
        start = text.index(f'        types.Tool(\n            name="{tool}"')
        end = text.index("\n        ),\n", start) + len("\n        ),\n")
        self.write(SERVER, text[:start] + text[end:])

    def content(self, tool: str) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.read(f"{FOLDER}/{tool}.json"))
        return loaded

    def edit(self, tool: str, change: Callable[[dict[str, Any]], object]) -> None:
        """Edit a description file as an editor would: one key, the rest as it was."""
        content = self.content(tool)
        change(content)
        self.write(f"{FOLDER}/{tool}.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")

    def summarise(self, text: str, tool: str = "find_note") -> None:
        self.edit(tool, lambda content: content.update(summary=text))

    def tree(self) -> dict[str, bytes]:
        return tree(self.root)

    def run(self, command: str, *arguments: object) -> Ran:
        paths = [argument for argument in arguments if not str(argument).startswith("-")]
        return pdmigrate(command, *arguments, *(() if paths else (self.root,)))

    def said(self, command: str, *options: str) -> tuple[int, list[dict[str, Any]]]:
        """The exit status of a command, and what it finds."""
        ran = self.run(command, "--format", "json", *options)
        said = json.loads(ran.stdout)
        assert said["agrees"] is (ran.status == 0)
        return ran.status, said["findings"]

    def settled(self, *codes: str) -> None:
        """The check names exactly these codes, ``sync`` settles them, and nothing is left to do."""
        status, found = self.said("check")
        assert (status, sorted(one["code"] for one in found)) == (1 if codes else 0, sorted(codes))
        for command in (("sync",), ("check",), ("apply", "--check", "--allow-dirty")):
            ran = self.run(*command)
            assert ran.status == 0, (command, ran)

    def commit(self) -> None:
        commit(self.root)


def unmigrated(folder: Path, dialect: str) -> Desk:
    return Desk(committed(write(folder, DIALECTS[dialect])), DIALECTS[dialect])


def migrated(folder: Path, dialect: str, options: Sequence[str]) -> Desk:
    """A project that was migrated; the migration is committed."""
    desk = unmigrated(folder, dialect)
    ran = desk.run("apply", "--all", "--write", *options)
    assert ran.status == 0, ran.stderr
    desk.commit()
    return desk
