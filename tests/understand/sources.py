"""Small programs for the tests of the understanding: written to a folder, understood, compared."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pdmigrate.model import Server
from pdmigrate.understand.inventory.extract import extract
from tests.support.files import write

VERSIONS = {"mcp": "1.30.0", "pydantic": "2.14.3", "python": "3.11"}
LOW = "from mcp.server import Server\nimport mcp.types as types\n"
SAYS = (
    '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n'
    '    return [types.Tool(name="a", description=TEXT, inputSchema={"type": "object"})]\n'
)
FAST = 'from mcp.server.fastmcp import FastMCP\nmcp = FastMCP("x")\n'


def servers_in(root: Path, files: Mapping[str, str], versions: Mapping[str, str] = VERSIONS) -> list[Server]:
    """The servers that the program of these files makes."""
    return list(extract(write(root, files), sdk=versions).servers)


def understood(root: Path, versions: Mapping[str, str] = MappingProxyType({}), **modules: str) -> list[Server]:
    """The servers that a program of these modules makes, on other versions of what is named."""
    return servers_in(root, {f"{name}.py": text for name, text in modules.items()}, {**VERSIONS, **versions})


def fields_in(root: Path, files: Mapping[str, str], name: str) -> dict[str, Any]:
    """One field of each tool of the only server of a program, by the tools' names; ``None`` where it is not known."""
    (server,) = servers_in(root, files)
    assert server.incomplete is None
    return {tool.definition["name"]: tool.definition.get(name) for tool in server.tools}


def said(root: Path, source: str, others: Mapping[str, str] = MappingProxyType({})) -> str | None:
    """What a program says of its only tool: the value of ``TEXT``; ``None`` if it is not known."""
    (server,) = servers_in(root, {**others, "server.py": LOW + source + SAYS})
    (tool,) = server.tools
    assert server.incomplete is None
    assert "description" in {*tool.definition, *tool.unknown}
    text: str | None = tool.definition.get("description")
    return text
