"""A project whose names are made to mislead: every command says them, in every form, and none of them acts."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.test_terminal import on_terminal
from tests.report.test_escaping import assert_harmless
from tests.support.command_line import pdmigrate
from tests.support.files import write
from tests.support.repositories import committed, git, initialised

TOOL = "red\x1b[31m\n::error::tool ##[error]\u202e"
NAME = "srv\x1b]0;x\x07\r\n::error file=a::server"
PROSE = f"Do it.\n{TOOL}" + "\nThere is much to be said of it, so that a migration pays." * 200
FILE = "na\nme\x1b[31m ##[error]\u202e.py"
SERVER = f"""
from mcp.server import Server
from mcp.types import Tool
server = Server({NAME!r})
@server.list_tools()
async def tools():
    return [
        Tool(
            name={TOOL!r},
            description={PROSE!r},
            inputSchema={{"type": "object", "properties": {{{TOOL!r}: {{}}}}}},
        ),
        Tool(name="lone\\ud800", description="half \\ud800", inputSchema={{"type": "object", "\\udc80": 1}}),
        Tool(name="plain", description=open({TOOL!r}).read(), inputSchema={{"type": "object"}}),
    ]
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return committed(write(tmp_path / "project", {FILE: SERVER}))


GONE = "\x1b[31m\n::error::x"
COMMANDS = (
    *(["extract", "--no-write"], ["apply"], ["apply", "--write"], ["check"], ["sync"], ["explain", TOOL, "--path"]),
    *(["explain", GONE, "--path"], ["apply", "--select", GONE], ["extract", f"{GONE}/"]),
)


def test_every_command_says_the_names_without_being_driven_by_them(root: Path) -> None:
    for arguments in COMMANDS:
        ran = pdmigrate(*arguments, root)
        assert ran.status in (0, 1, 2), arguments
        assert "mistake in pdmigrate" not in ran.stderr, arguments
        assert_harmless(ran.stderr)
        if arguments != ["apply"]:
            assert_harmless(ran.stdout)


def test_the_patch_is_bytes_and_applies(root: Path, tmp_path: Path) -> None:
    """In a pipe it is what the files hold; a log that shows it shows them."""
    ran = pdmigrate("apply", "--all", root)
    clone = tmp_path / "clone"
    shutil.copytree(root, clone)
    git(clone, "apply", "-", given=ran.stdout.encode())
    assert pdmigrate("apply", "--all", "--write", root).status == 0
    git(root, "add")
    assert git(root, "write-tree") == git(clone, "write-tree")


def test_a_terminal_is_shown_the_patch_in_our_colours_alone(root: Path) -> None:
    shown = on_terminal("-m", "pdmigrate", "apply", str(root))
    assert "\x1b[32m+" in shown
    rest = re.sub(r"\x1b\[(?:0|1|2|31|32|33|36)m|\r\x1b\[K", "", shown)
    assert not [char for char in rest if char not in "\n\t" and not char.isprintable()], rest


def test_half_of_a_surrogate_pair_is_in_no_definition_and_no_file(root: Path) -> None:
    tools = json.loads(pdmigrate("extract", "--no-write", "--format", "json", root).stdout)["servers"][0]["tools"]
    broken = next(tool for tool in tools if "name" not in tool["definition"])
    assert {row["field"] for row in broken["unknown"]} == {"name", "description", "inputSchema"}
    assert pdmigrate("apply", "--all", "--write", root).status == 0
    for file in root.rglob("*.json"):
        json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["\udc80", "a(b", "[x", "a b", "x\\"])
def test_files_whose_names_are_no_text_and_no_identifier_are_read(name: str, tmp_path: Path) -> None:
    server = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool()\ndef add(): 'Add.'\nmcp.run()\n"
    derived = "from mcp.server import Server\nclass Own(Server): ...\nserver = Own('x')\n"
    test = f"import subprocess\nfrom {{}} import mcp\nsubprocess.run(['python', {name!a} + '.py'])\n"
    files = {
        f"{name}.py": server,
        f"{name}/__init__.py": "from .server import mcp\n",
        f"{name}/server.py": server,
        f"{name}/{name}.py": derived,
        "plain.py": "from helper import Own\nclass Other(Own): ...\nother = Other('x')\nimport mcp.server\n",
        f"tests/{name}/conftest.py": test.format("server"),
        f"tests/test_{name}.py": test.format("plain"),
    }
    initialised(write(tmp_path, files))
    for arguments in (["extract", "--no-write"], ["apply"], ["apply", "--write", "--all", "--allow-dirty"], ["check"]):
        ran = pdmigrate(*arguments, tmp_path)
        assert "mistake" not in ran.stderr, ran.stderr
        assert ran.status in (0, 1), ran
