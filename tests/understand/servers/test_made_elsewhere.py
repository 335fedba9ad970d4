"""Servers made where nothing calls their class by its name: a function returns it, or finds it by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.understand.inventory.extract import extract
from tests.support.files import write

MCP1 = {"mcp": "1.30.0", "pydantic": "2.14.3"}
TOOL = '\n@server.tool()\ndef look(name: str) -> str:\n    "Look."\n    return name\n\nserver.run()\n'
MADE = {
    "returned": "def load():\n    from {module} import {name}\n    return {name}\n\nserver = load()('desk')\n",
    "returned, under another name": (
        "def load():\n    from {module} import {name} as Base\n    return Base\n\nmake = load()\nserver = make('a')\n"
    ),
    "by its name": (
        "import importlib\n\ndef load():\n"
        "    for module, name in (('mcp.server.fastmcp', 'FastMCP'), ('mcp.server.mcpserver', 'MCPServer')):\n"
        "        try:\n            return getattr(importlib.import_module(module), name)\n"
        "        except ImportError:\n            continue\n    raise ImportError\n\nserver = load()('desk')\n"
    ),
}


@pytest.mark.parametrize("how", MADE)
@pytest.mark.parametrize(
    ("version", "module", "name"),
    [("1.30.0", "mcp.server.fastmcp", "FastMCP"), ("2.3.0", "mcp.server.mcpserver", "MCPServer")],
)
def test_the_server_and_its_tools_are_found(how: str, version: str, module: str, name: str, tmp_path: Path) -> None:
    source = MADE[how].format(module=module, name=name)
    (server,) = extract(write(tmp_path, {"server.py": source + TOOL}), sdk={**MCP1, "mcp": version}).servers
    (tool,) = server.tools
    assert (server.incomplete, tool.conditional, dict(tool.unknown)) == (None, None, {})
    assert tool.definition["description"] == "Look."


@pytest.mark.parametrize(
    "source",
    [
        "def load():\n    from shop import FastMCP\n    return FastMCP\n\nserver = load()('desk')\n",
        "from mcp.types import Tool\n\nNAMES = ['FastMCP']\nserver = print\n",
        "import uvicorn\nimport mcp.types\n\nclass Host:\n    def start(self):\n        uvicorn.Server(self)\n",
    ],
    ids=["of another library", "only its name", "another library's, in a method"],
)
def test_what_is_no_server_is_none(source: str, tmp_path: Path) -> None:
    assert extract(write(tmp_path, {"server.py": source}), sdk=MCP1).servers == ()


def test_a_server_of_what_lies_elsewhere_is_named(tmp_path: Path) -> None:
    source = "from fastmcp import FastMCP\nFastMCP.as_proxy('http://a/mcp', name='desk').run()\n"
    (server,) = extract(write(tmp_path, {"server.py": source}), sdk={**MCP1, "fastmcp": "2.14.7"}).servers
    assert (server.name, server.tools) == ("desk", ())
    assert "takes tools from elsewhere" in str(server.incomplete)


def test_a_library_is_not_taken_for_a_module_of_its_name_beside_the_server(tmp_path: Path) -> None:
    server = "from mcp.server.fastmcp import FastMCP\nimport redis\nmcp = FastMCP(redis.NAME)\nmcp.run()\n"
    files = {"app/__init__.py": "", "app/server.py": server, "app/redis.py": "import redis\nNAME = 'x'\n"}
    (found,) = extract(write(tmp_path, files), sdk=MCP1).servers
    assert found.name is None
