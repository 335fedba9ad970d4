"""Modules of a package that import their siblings as a script does: by their names alone."""

from __future__ import annotations

import json
from pathlib import Path

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


def test_a_library_is_not_taken_for_a_sibling_of_its_name(tmp_path: Path) -> None:
    using = f"from mcp.server.fastmcp import FastMCP\nimport redis\n\nmcp = FastMCP(redis.NAME)\n{NOTE}"
    about = {"app/redis.py": 'import redis\n\nNAME = "x"\n'}
    root = write(tmp_path, {"app/__init__.py": "", "app/server.py": using, **about})
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *VERSIONS)
    [server] = json.loads(ran.stdout)["servers"]
    assert server["name"] is None
