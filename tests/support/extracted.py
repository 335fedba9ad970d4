"""Small packages on disk, and what extraction says of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from pdmigrate.model import Inventory, Server, Tool
from pdmigrate.understand.inventory.extract import extract
from tests.support.files import write

VERSIONS = {"mcp": "1.30.0", "pydantic": "2.14.3"}

HEAD = """
from mcp.server import Server
from mcp.types import Tool, ToolAnnotations
import mcp.types as types
server = Server("demo")
"""


def write_sources(root: Path, files: dict[str, str]) -> Path:
    """The folder, after ``files`` were written below it, which may be indented like the test that they stand in."""
    return write(root, {path: dedent(text).lstrip("\n") for path, text in files.items()})


def evaluate_handler(root: Path, files: dict[str, str]) -> Inventory:
    """What is extracted from a tree of ``files``."""
    return extract(write_sources(root, files), sdk=VERSIONS)


def only_server(root: Path, files: dict[str, str] | str) -> Server:
    inventory = evaluate_handler(root, {"server.py": HEAD + dedent(files)} if isinstance(files, str) else files)
    assert len(inventory.servers) == 1, inventory
    return inventory.servers[0]


def tools(server: Server) -> dict[str | None, Tool]:
    return {tool.name: tool for tool in server.tools}
