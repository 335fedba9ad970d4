"""Servers that tests make: left as they are, said once, and migrated only where their file is asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.layouts.trees import PROJECT
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write

REAL = '''\
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("notes")


@mcp.tool()
def find_note(text: str) -> str:
    """Find notes by their text. The newest comes first."""
    return text


if __name__ == "__main__":
    mcp.run()
'''
STAND_IN = '''\
import pytest
from mcp.server.fastmcp import FastMCP


def test_a_tool_that_fails() -> None:
    toy = FastMCP("toy")

    @toy.tool()
    def fail() -> str:
        """Fail at once. Nothing comes back."""
        raise ValueError

    with pytest.raises(ValueError):
        fail()
'''
ASKING = "from notes import mcp\n\n\nasync def test_it() -> None:\n    assert await mcp.list_tools()\n"
PATHS = ("tests/test_toy.py", "toy_test.py", "pkg/testing/toy.py", "conftest.py")
FILES = {"pyproject.toml": PROJECT, "notes.py": REAL}


def servers(root: Path, *parts: str) -> list[str]:
    ran = pdmigrate("extract", root.joinpath(*parts), "--no-write", "--format", "json", *VERSIONS)
    return sorted(server["file"] for server in json.loads(ran.stdout)["servers"])


@pytest.mark.parametrize("path", PATHS)
def test_only_the_server_is_migrated(tmp_path: Path, path: str) -> None:
    root = write(tmp_path, {**FILES, path: STAND_IN})
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stderr.count("PD204")) == (0, 1)
    assert f"{path}:6: PD204 note: servers that tests make are left as they are: {path}\n" in ran.stderr
    assert "found 1 = moved 0 + stubbed 1" in ran.stderr
    assert tree(root)[path] == STAND_IN.encode()
    assert not [name for name in tree(root) if name.startswith("progressive_disclosure_")]


def test_many_servers_of_tests_are_one_note(tmp_path: Path) -> None:
    root = write(tmp_path, {**FILES, **{f"tests/test_{number}.py": STAND_IN for number in range(9)}})
    ran = pdmigrate("apply", "--all", root, *VERSIONS)
    assert ran.stderr.count("PD204") == 1
    assert "tests/test_0.py, tests/test_1.py, tests/test_2.py and 6 more\n" in ran.stderr


def test_one_that_is_asked_for_is_migrated_and_kept_so(tmp_path: Path) -> None:
    path = "tests/test_toy.py"
    root = write(tmp_path, {**FILES, path: STAND_IN})
    assert servers(root, path) == [path]
    assert pdmigrate("apply", "--all", root / path, "--write", *VERSIONS).status == 0
    assert b"enable(toy" in tree(root)[path]
    assert tree(root)["notes.py"] == REAL.encode()
    assert servers(root) == sorted(("notes.py", path))
    assert pdmigrate("check", root).status == 0
    write(root, {path: tree(root)[path].decode().replace("Fail at once", "Fail now")})
    assert "PD901" in pdmigrate("check", root).stdout
    assert pdmigrate("sync", root).status == 0
    assert pdmigrate("revert", root).status == 0


def test_a_folder_of_tests_can_be_asked_for_and_one_that_has_tests_is_none(tmp_path: Path) -> None:
    files = {"test/toys/helper.py": STAND_IN, "src/notes.py": REAL, "src/tests/test_toy.py": STAND_IN}
    root = write(tmp_path, {**FILES, **files})
    assert servers(root, "test") == ["test/toys/helper.py"]
    assert servers(root, "src") == ["src/notes.py"]


@pytest.mark.parametrize("command", ["apply", "extract"])
def test_a_project_with_no_server_of_its_own_says_where_its_tests_make_some(tmp_path: Path, command: str) -> None:
    root = write(tmp_path, {"pyproject.toml": PROJECT, "notes/__init__.py": "", "speed_test.py": REAL})
    ran = pdmigrate(command, root, *VERSIONS)
    assert ran.status == 1
    assert "speed_test.py:3: PD204 note: servers that tests make are left as they are: speed_test.py\n" in ran.stderr
    assert ran.stderr.endswith("hint: the reason why no server was seen is given above\n")
    assert "PD202" not in ran.stderr


def test_a_check_says_nothing_of_them_and_apply_still_names_tests_that_ask(tmp_path: Path) -> None:
    root = write(tmp_path, {**FILES, "tests/test_it.py": ASKING, "tests/test_toy.py": STAND_IN})
    ran = pdmigrate("apply", "--all", root, "--copies", "--write", *VERSIONS)
    assert (ran.status, "tests/test_it.py:5: PD534" in ran.stderr) == (0, True)
    write(root, {"notes.py": tree(root)["notes.py"].decode().replace("The newest comes first.", "The oldest does.")})
    ran = pdmigrate("check", root)
    assert (ran.status, "PD204" in ran.stdout + ran.stderr) == (1, False)


GIVEN = "from mcp.server.fastmcp import FastMCP\nresults = FastMCP()\ndef give() -> FastMCP:\n    return results\n"
NOT_MADE = {
    "a comment": {"tests/test_it.py": "from mcp.server.fastmcp import FastMCP\n\n# FastMCP() is made elsewhere\n"},
    "another class": {"tests/test_it.py": "class Server:\n    pass\n\n\nserver = Server()\n"},
    "a part of the server, whatever its name is": {
        "notes.py": REAL.replace("FastMCP\n\nmcp", "FastMCP\nfrom test_results import give\n\nmcp"),
        "test_results.py": GIVEN,
    },
}


@pytest.mark.parametrize("name", NOT_MADE)
def test_what_makes_no_server_of_a_test_is_not_mentioned(tmp_path: Path, name: str) -> None:
    root = write(tmp_path, {**FILES, **NOT_MADE[name]})
    assert "PD204" not in pdmigrate("apply", "--all", root, *VERSIONS).stderr
