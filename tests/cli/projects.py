"""Projects that the command line tests run on: a server in a repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

SERVER = """\
import os

import mcp.types as types
from mcp.server import Server

server = Server("notes")


@server.list_tools()
async def list_tools() -> list[types.Tool]:
    tools = [
        types.Tool(
            name="find_note",
            description="Find notes by their text. Returns at most `limit` notes, the newest first.",
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
            name="edit_note",
            description=os.environ["EDIT_HELP"],
            inputSchema={"type": "object", "properties": {"id": {"type": "string"}}},
        ),
    ]
    return tools
"""
BROKEN = "from mcp.server import Server\n\ndef tools(:\n    return []\n"
UNRELATED = "print('no server here')\n"


def project(folder: Path, **files: str) -> Path:
    """A repository below ``folder`` whose files are committed; ``_`` in a name stands for nothing but itself."""
    root = folder / "project"
    root.mkdir()
    for name, text in (files or {"server": SERVER}).items():
        (root / f"{name}.py").write_text(text, encoding="utf-8")
    git(root, "init", "--quiet")
    commit(root)
    return root


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "--message", "x")


def git(root: Path, *arguments: str, given: str | None = None) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, input=given, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def tree(root: Path) -> dict[str, bytes]:
    """Every file of the project with its bytes, but for those of git."""
    files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}
