"""Projects of which nothing can be understood: one clear line says so, and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.layouts.test_serving import ALONE, BY_HAND
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

CLIENT = BY_HAND.replace("serverInfo", "clientInfo")
BLIND = """\
import sys

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")
for name in sys.argv[1:]:
    mcp.add_tool(print, name=name)
mcp.run()
"""


@pytest.mark.parametrize("command", ["apply", "extract"])
def test_a_server_that_speaks_by_hand_is_named_as_out_of_reach(tmp_path: Path, command: str) -> None:
    root = write(tmp_path, {"notes.py": BY_HAND, "client.py": CLIENT})
    ran = pdmigrate(command, root, *VERSIONS)
    assert ran.status == 1
    assert ran.stderr.count("PD206") == 1
    assert "notes.py:6: PD206 note: MCP is spoken here without an SDK, which is out of reach\n" in ran.stderr
    assert "hint: the reason why no server was seen is given above\n" in ran.stderr


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"client.py": CLIENT}, id="a client"),
        pytest.param({"tests/test_notes.py": BY_HAND}, id="a test"),
        pytest.param({"notes.py": ALONE, "old.py": BY_HAND}, id="beside a server"),
    ],
)
def test_what_is_no_such_server_is_not_named(tmp_path: Path, files: dict[str, str]) -> None:
    assert "PD206" not in pdmigrate("extract", "--no-write", write(tmp_path, files), *VERSIONS).stderr


def test_a_server_whose_tools_are_not_known_meets_no_criteria(tmp_path: Path) -> None:
    root = write(tmp_path, {"notes.py": BLIND})
    preview = pdmigrate("apply", root, *VERSIONS)
    assert (preview.status, "criteria of the specification hold" in preview.stderr) == (1, False)
    assert "no tool was found in source, so nothing is said of the specification's criteria" in preview.stderr
    assert "pdmigrate apply --live 'python notes.py' (notes.py is a script)" in preview.stderr
    assert pdmigrate("apply", root, "--write", *VERSIONS).status == 0
    assert pdmigrate("apply", root, "--check", *VERSIONS).status == 0


def test_an_extraction_that_shows_no_tool_is_not_done(tmp_path: Path) -> None:
    ran = pdmigrate("extract", "--no-write", write(tmp_path, {"notes.py": BLIND}), *VERSIONS)
    assert ran.status == 1
    assert ran.stderr.endswith("pdmigrate extract --live 'python notes.py' (notes.py is a script)\n")
