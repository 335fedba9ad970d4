"""Modules of a package that import their siblings as a script does: by their names alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

CONFIG = 'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("chron")\n'
NOTE = '''

@mcp.tool()
def note(text: str) -> str:
    """Note a text."""
    return text


if __name__ == "__main__":
    mcp.run()
'''
PROJECT = '[project]\nname = "chron"\nversion = "1"\ndependencies = ["mcp==1.30.0"{more}]\n'
FOUND = {
    "the server is a sibling's": {"app/config.py": CONFIG, "app/server.py": f"from config import mcp\n{NOTE}"},
    "deeper": {
        "src/org/__init__.py": "",
        "src/org/app/__init__.py": "",
        "src/org/app/config.py": CONFIG,
        "src/org/app/server.py": f"from config import mcp\n{NOTE}",
    },
    "a sibling that is a package": {
        "app/config/__init__.py": "from .base import mcp\n",
        "app/config/base.py": CONFIG,
        "app/server.py": f"from config import mcp\n{NOTE}",
    },
    "a folder that is called like the SDK": {
        "mcp/server.py": f"from mcp.server import FastMCP\n\nmcp = FastMCP('chron')\n{NOTE}"
    },
    "a sibling of a sibling": {
        "app/config.py": CONFIG,
        "app/tools.py": "from config import mcp\n" + NOTE.partition("\n\nif")[0],
        "app/server.py": "import tools\nfrom config import mcp\n\nmcp.run()\n",
    },
}


def listed(root: Path) -> list[tuple[str, bool]]:
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *VERSIONS)
    servers = json.loads(ran.stdout)["servers"]
    return [(tool["definition"].get("name"), not tool["unknown"]) for server in servers for tool in server["tools"]]


@pytest.mark.parametrize("name", FOUND)
def test_a_sibling_is_found(name: str, tmp_path: Path) -> None:
    files = {"pyproject.toml": PROJECT.format(more=""), "app/__init__.py": "", **FOUND[name]}
    assert listed(write(tmp_path, files)) == [("note", True)]


USING = f"from mcp.server.fastmcp import FastMCP\nimport redis\n\nmcp = FastMCP(redis.NAME)\n{NOTE}"
LIBRARIES = {
    "it is required": {"pyproject.toml": PROJECT.format(more=', "redis>=5"'), "app/redis.py": 'NAME = "x"\n'},
    "it is required by a file": {"requirements.txt": "mcp==1.30.0\nredis\n", "app/redis.py": 'NAME = "x"\n'},
    "the sibling is about it": {"app/redis.py": 'import redis\n\nNAME = "x"\n'},
}


@pytest.mark.parametrize("name", LIBRARIES)
def test_a_library_is_not_taken_for_a_sibling_of_its_name(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {"app/__init__.py": "", "app/server.py": USING, **LIBRARIES[name]})
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *VERSIONS)
    [server] = json.loads(ran.stdout)["servers"]
    assert server["name"] is None
