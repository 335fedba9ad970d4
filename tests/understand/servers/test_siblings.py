"""Modules of a package that import their siblings as a script does: by their names alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

NOTE = '''

@mcp.tool()
def note(text: str) -> str:
    """Note a text."""
    return text


if __name__ == "__main__":
    mcp.run()
'''
PROJECT = '[project]\nname = "chron"\nversion = "1"\ndependencies = ["mcp==1.30.0"{more}]\n'


def listed(root: Path) -> list[tuple[str, bool]]:
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *VERSIONS)
    servers = json.loads(ran.stdout)["servers"]
    return [(tool["definition"].get("name"), not tool["unknown"]) for server in servers for tool in server["tools"]]


USING = f"from mcp.server.fastmcp import FastMCP\nimport redis\n\nmcp = FastMCP(redis.NAME)\n{NOTE}"
LIBRARIES = {
    "the sibling is about it": {"app/redis.py": 'import redis\n\nNAME = "x"\n'},
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_is_not_taken_for_a_sibling_of_its_name(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {"app/__init__.py": "", "app/server.py": USING, **LIBRARIES[name]})
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *VERSIONS)
    [server] = json.loads(ran.stdout)["servers"]
    assert server["name"] is None
