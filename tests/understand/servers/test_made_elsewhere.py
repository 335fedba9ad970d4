"""Servers made where nothing calls their class by its name: a function returns it, or finds it by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.understand.inventory.extract import extract

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
    (tmp_path / "server.py").write_text(source + TOOL, encoding="utf-8")
    (server,) = extract(tmp_path, sdk={"mcp": version, "pydantic": "2.14.3"}).servers
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
    (tmp_path / "server.py").write_text(source, encoding="utf-8")
    assert extract(tmp_path, sdk={"mcp": "1.30.0", "pydantic": "2.14.3"}).servers == ()


def test_a_server_of_what_lies_elsewhere_is_named(tmp_path: Path) -> None:
    source = "from fastmcp import FastMCP\nFastMCP.as_proxy('http://a/mcp', name='desk').run()\n"
    (tmp_path / "server.py").write_text(source, encoding="utf-8")
    (server,) = extract(tmp_path, sdk={"fastmcp": "2.14.7", "mcp": "1.30.0", "pydantic": "2.14.3"}).servers
    assert (server.name, server.tools) == ("desk", ())
    assert "takes tools from elsewhere" in str(server.incomplete)
