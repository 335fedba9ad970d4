"""A server that is made in one of several branches, through a migration: it counts once, and is enabled in each.

Which constructors are one server is asserted in ``test_places.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

HEAD = "import sys\n\nfrom mcp.server.fastmcp import FastMCP\n\n"
TOOL = '''

@server.tool()
def greet(who: str, greeting: str = "hello") -> str:
    """Greet a person. Give the name as the person writes it, and say nothing else."""
    return f"{greeting} {who}"


if __name__ == "__main__":
    server.run()
'''
STATEMENTS = 'if sys.argv[1:]:\n    server = FastMCP("two")\nelse:\n    server = FastMCP("two", port=9000)\n'
EXPRESSION = 'server = FastMCP("two") if sys.argv[1:] else FastMCP("two", port=9000)\n'


@pytest.mark.parametrize("made", [STATEMENTS, EXPRESSION])
def test_a_server_that_is_made_in_one_of_several_branches_is_one(made: str, tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": HEAD + made + TOOL})
    ran = pdmigrate("apply", root, "--all", "--write", *VERSIONS)
    assert "found 1 = moved 0 + stubbed 1" in ran.stderr
    assert (root / "server.py").read_text().count("enable(") == 2
    assert [path.name for path in (root / "tool_descriptions").iterdir()] == ["_server.json"]
    assert pdmigrate("check", root).status == 0
    assert pdmigrate("revert", root).status == 0
    assert (root / "server.py").read_text() == HEAD + made + TOOL


def test_a_call_that_is_missing_in_one_branch_is_found(tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": HEAD + STATEMENTS + TOOL})
    pdmigrate("apply", root, "--all", "--write", *VERSIONS)
    text = (root / "server.py").read_text()
    last = text.rindex("    enable(")
    (root / "server.py").write_text(text[:last] + text[text.index("\n", last) + 1 :])
    ran = pdmigrate("check", root)
    assert (ran.status, "PD909" in ran.stdout + ran.stderr) == (1, True)
    assert pdmigrate("sync", root).status == 0
    assert (root / "server.py").read_text() == text
