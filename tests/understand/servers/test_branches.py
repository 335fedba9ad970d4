"""A server that is made in one of several branches counts once; servers that may both be made do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

HEAD = "import sys\n\nfrom mcp.server.fastmcp import FastMCP\n\nSTDIO = '--http' not in sys.argv\n"
TOOL = '''

@server.tool()
def greet(who: str, greeting: str = "hello") -> str:
    """Greet a person. Give the name as the person writes it, and say nothing else."""
    return f"{greeting} {who}"


if __name__ == "__main__":
    server.run()
'''
GREET = '''
def greet(who: str, greeting: str = "hello") -> str:
    """Greet a person. Give the name as the person writes it, and say nothing else."""
    return f"{greeting} {who}"

'''
RUN = '\n\nif __name__ == "__main__":\n    make(STDIO).run()\n'
ONE = {
    "if and else": HEAD
    + 'if STDIO:\n    server = FastMCP("two")\nelse:\n    server = FastMCP("two", port=9000)\n'
    + TOOL,
    "elif": HEAD
    + 'if len(sys.argv) > 2:\n    server = FastMCP("two")\nelif STDIO:\n    server = FastMCP("two", port=9)\n'
    + 'else:\n    server = FastMCP("two", port=9000)\n'
    + TOOL,
    "an expression": HEAD + 'server = FastMCP("two") if STDIO else FastMCP("two", port=9000)\n' + TOOL,
    "a try": HEAD
    + 'try:\n    server = FastMCP("two", port=int(sys.argv[1]))\nexcept IndexError:\n    server = FastMCP("two")\n'
    + TOOL,
    "a match": HEAD
    + 'match sys.argv[1:]:\n    case ["a"]:\n        server = FastMCP("two")\n'
    + '    case _:\n        server = FastMCP("two", port=9000)\n'
    + TOOL,
    "a factory that returns early": HEAD
    + GREET
    + '\ndef make(stdio: bool) -> FastMCP:\n    if stdio:\n        server = FastMCP("two")\n'
    + '        server.tool()(greet)\n        return server\n    other = FastMCP("two", port=9000)\n'
    + "    other.tool()(greet)\n    return other\n"
    + RUN,
}
SEVERAL = {
    "one after the other": HEAD
    + 'other = FastMCP("two")\nserver = FastMCP("two")\n'
    + TOOL.replace("@server", "@other.tool()\n@server")
    + "\nBOTH = [server, other]\n",
    "two names": HEAD + 'if STDIO:\n    server = FastMCP("one")\nelse:\n    server = FastMCP("two")\n' + TOOL,
    "two functions": HEAD
    + GREET
    + '\ndef make(stdio: bool) -> FastMCP:\n    server = FastMCP("two") if stdio else second()\n'
    + "    server.tool()(greet)\n    return server\n"
    + '\n\ndef second() -> FastMCP:\n    return FastMCP("two", port=9000)\n'
    + RUN,
}


def extracted(root: Path) -> list[list[str]]:
    """The names of each server's tools."""
    ran = pdmigrate("extract", root, "--no-write", "--format", "json", *VERSIONS)
    return [[tool["definition"]["name"] for tool in server["tools"]] for server in json.loads(ran.stdout)["servers"]]


@pytest.mark.parametrize("name", ONE)
def test_a_server_that_is_made_in_one_of_several_branches_is_one(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": ONE[name]})
    assert extracted(root) == [["greet"]]
    ran = pdmigrate("apply", root, "--all", "--write", *VERSIONS)
    assert "found 1 = moved 0 + stubbed 1" in ran.stderr
    text = (root / "server.py").read_text()
    assert text.count("enable(") == ONE[name].count("FastMCP(")
    assert [path.name for path in (root / "tool_descriptions").iterdir()] == ["_server.json"]
    assert pdmigrate("check", root).status == 0
    assert pdmigrate("revert", root).status == 0
    assert (root / "server.py").read_text() == ONE[name]


@pytest.mark.parametrize("name", SEVERAL)
def test_servers_that_may_both_be_made_are_several(name: str, tmp_path: Path) -> None:
    assert len(extracted(write(tmp_path, {"server.py": SEVERAL[name]}))) == 2


def test_a_call_that_is_missing_in_one_branch_is_found(tmp_path: Path) -> None:
    root = write(tmp_path, {"server.py": ONE["if and else"]})
    pdmigrate("apply", root, "--all", "--write", *VERSIONS)
    text = (root / "server.py").read_text()
    last = text.rindex("    enable(")
    (root / "server.py").write_text(text[:last] + text[text.index("\n", last) + 1 :])
    ran = pdmigrate("check", root)
    assert (ran.status, "PD909" in ran.stdout + ran.stderr) == (1, True)
    assert pdmigrate("sync", root).status == 0
    assert (root / "server.py").read_text() == text
