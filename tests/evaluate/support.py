"""Small packages on disk, and what extraction says of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from pdmigrate.inventory.extract import extract
from pdmigrate.model import Inventory, Server, Tool

VERSIONS = {"mcp": "1.30.0", "pydantic": "2.14.3"}

HEAD = """
from mcp.server import Server
from mcp.types import Tool, ToolAnnotations
import mcp.types as types
server = Server("demo")
"""


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    return root


def evaluate_handler(root: Path, files: dict[str, str]) -> Inventory:
    """What is extracted from a tree of ``files``."""
    return extract(write(root, files), sdk=VERSIONS)


def only_server(root: Path, files: dict[str, str] | str) -> Server:
    inventory = evaluate_handler(root, {"server.py": HEAD + dedent(files)} if isinstance(files, str) else files)
    assert len(inventory.servers) == 1, inventory
    return inventory.servers[0]


def tools(server: Server) -> dict[str | None, Tool]:
    return {tool.name: tool for tool in server.tools}
