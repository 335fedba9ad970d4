"""The server that is migrated is the one that the project serves; what only looks like one, or a test makes, stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.layouts.test_layouts import PROJECT as NOTES
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.support.sources import decorated

SDK = "from mcp.server.fastmcp import FastMCP\n"
TOOLS = '''\
def register(server):
    @server.tool()
    def price(item: str, currency: str = "EUR") -> str:
        """Price of an item. Give the item's number, not its name. The currency is an ISO code."""
        return item
'''
SERVER = f"""\
{SDK}
from shop.tools import register

mcp = FastMCP("shop")
register(mcp)


def main():
    mcp.run()


if __name__ == "__main__":
    main()
"""
PROJECT = """\
[project]
name = "shop"
version = "1"
dependencies = ["mcp==1.30.0"]
[project.scripts]
shop = "shop.{}:main"
"""
SHOP = {
    "pyproject.toml": PROJECT.format("server"),
    "shop/__init__.py": "",
    "shop/tools.py": TOOLS,
    "shop/server.py": SERVER,
}
HEAD = f"{SDK}\nfrom shop.tools import register\n\n\n"
SCRATCH = {
    "listed": "async def names():\n    scratch = FastMCP('x')\n    register(scratch)\n"
    "    return [t.name for t in await scratch.list_tools()]\n",
    "asked for its manager": "def names():\n    scratch = FastMCP('x')\n    register(scratch)\n"
    "    return scratch._tool_manager.list_tools()\n",
    "decorated": "async def names():\n    scratch = FastMCP('x')\n\n    @scratch.tool()\n    def a(b: str) -> str:\n"
    "        return b\n\n    return await scratch.list_tools()\n",
}
RUN = {
    "returned": "def make():\n    server = FastMCP('x')\n    register(server)\n    return server\n",
    "run": "def go():\n    server = FastMCP('x')\n    register(server)\n    server.run()\n",
    "handed to a function that runs it": "def serve(server):\n    server.run()\n\n\ndef go():\n"
    "    server = FastMCP('x')\n    register(server)\n    serve(server)\n",
    "handed to a library": "import anyio\n\n\ndef go():\n    server = FastMCP('x')\n    register(server)\n"
    "    anyio.run(server)\n",
    "kept": "class App:\n    def __init__(self):\n        self.server = FastMCP('x')\n        register(self.server)\n",
    "kept by another name": "def go():\n    global mcp\n    mcp = FastMCP('x')\n    register(mcp)\n",
}


def applied(root: Path, part: str = "") -> tuple[set[str], str]:
    """The files in which ``enable`` is called after ``apply --all --write``, and what was said."""
    ran = pdmigrate("apply", root / part, "--all", "--write", *VERSIONS)
    files = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.py")}
    return {path for path, text in files.items() if "import enable" in text}, ran.stderr


@pytest.mark.parametrize("name", SCRATCH)
def test_a_server_that_nothing_runs_is_left_as_it_is(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "shop/catalogue.py": HEAD + SCRATCH[name]})
    enabled, said = applied(root)
    assert enabled == {"shop/server.py"}
    assert said.count("PD207") == 1
    assert pdmigrate("check", root).status == 0


def test_a_server_is_migrated_where_its_file_is_named_or_it_is_the_only_one(tmp_path: Path) -> None:
    files = {**SHOP, "shop/catalogue.py": HEAD + SCRATCH["listed"]}
    enabled, said = applied(write(tmp_path / "named", files), "shop/catalogue.py")
    assert (enabled, "PD207" in said) == ({"shop/catalogue.py"}, False)
    del files["shop/server.py"]
    enabled, said = applied(write(tmp_path / "only", files))
    assert (enabled, "PD207" in said) == ({"shop/catalogue.py"}, False)


ALONE = decorated("x", {"a(b: str)": "Do a."}, run=True)


@pytest.mark.parametrize("path", ["examples/first.py", "shop/selftest.py", "scripts/smoke_test_x.py"])
def test_examples_and_checks_are_left_as_they_are(path: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, path: ALONE})
    for _ in range(2):
        enabled, said = applied(root)
        assert (enabled, f"{path}:3: PD20" in said) == ({"shop/server.py"}, True)
    assert "nothing to do" in said
    assert pdmigrate("check", root).status == 0
    enabled, said = applied(root, path)
    assert (path in enabled, "PD20" in said) == (True, False)


BY_HAND = """\
import json
import sys


def answer(message):
    if message["method"] == "tools/list":
        return {"tools": []}
    return {"protocolVersion": "2025-06-18", "serverInfo": {}}


def main():
    for line in sys.stdin:
        print(json.dumps({"jsonrpc": "2.0", "result": answer(json.loads(line))}), flush=True)


if __name__ == "__main__":
    main()
"""
DOOR = HEAD + 'mcp = FastMCP("door")\nregister(mcp)\n\n\ndef serve():\n    mcp.run("sse")\n'


NO_SERVERS = {
    "a client": {"shop/__main__.py": BY_HAND.replace("serverInfo", "clientInfo")},
    "a middleware": {"shop/__main__.py": f"from fastmcp.server.middleware import Middleware\n{BY_HAND}"},
    "one that no command starts": {"tools/fake.py": BY_HAND},
    "a test": {"tests/test_notes.py": BY_HAND},
}


NOTHING_SAID = {
    **{name: {**SHOP, "shop/other.py": HEAD + text} for name, text in RUN.items()},
    **{name: {**SHOP, **files} for name, files in NO_SERVERS.items()},
    "other names than an example's": {**SHOP, "exemplary.py": ALONE, "democracy/server.py": ALONE},
    "nothing but examples": {"examples/one.py": ALONE, "examples/two.py": ALONE},
}


@pytest.mark.parametrize("name", NOTHING_SAID)
def test_what_may_be_run_is_migrated_and_what_is_no_server_is_no_reason(name: str, tmp_path: Path) -> None:
    files = NOTHING_SAID[name]
    made = {path for path, text in files.items() if text in (ALONE, SERVER) or path == "shop/other.py"}
    enabled, said = applied(write(tmp_path, files))
    assert (enabled, "PD20" in said) == (made, False)


LEFT = {
    "an example beside it": {"examples/first.py": ALONE},
    "one that nothing runs": {"shop/catalogue.py": HEAD + SCRATCH["listed"]},
    "both": {"demo.py": ALONE, "shop/server.py": f"{SERVER}\n\n{SCRATCH['listed']}"},
}


@pytest.mark.parametrize("name", LEFT)
def test_extract_and_audit_name_what_they_leave_and_count_the_rest(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, **LEFT[name]})
    ran = pdmigrate("extract", root, *VERSIONS)
    left = len(LEFT[name])
    assert (ran.status, ran.stderr.count("PD207 warning")) == (0, left)
    assert "1 server, 1 tool: 1 exact" in ran.stderr
    assert [path.relative_to(root).as_posix() for path in root.rglob("price.json")] == [
        "shop/tool_descriptions/price.json"
    ]
    assert pdmigrate("extract", root, "--check", *VERSIONS).status == 0
    audited = pdmigrate("audit", root, "--format", "json", *VERSIONS)
    assert [server["file"] for server in json.loads(audited.stdout)["servers"]] == ["shop/server.py"]
    assert audited.stderr.count("PD207 warning") == left


@pytest.mark.parametrize("path", ["", "shop", "shop/server.py"])
def test_what_is_left_changes_no_name_whichever_path_is_given(path: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "shop/selftest.py": ALONE})
    assert pdmigrate("extract", root / path, *VERSIONS).status == 0
    assert (root / "shop/tool_descriptions/price.json").exists()


def test_a_described_example_stays_what_it_was(tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "examples/first.py": ALONE})
    assert pdmigrate("extract", root / "examples/first.py", *VERSIONS).status == 0
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    assert (root / "examples/tool_descriptions/a.json").exists()
    assert pdmigrate("check", root).status == 0


@pytest.mark.parametrize("command", ["apply", "extract", "audit"])
def test_a_server_by_hand_is_named_and_no_side_door_is_taken_instead(command: str, tmp_path: Path) -> None:
    files = {**SHOP, "pyproject.toml": PROJECT.format("hand"), "shop/hand.py": BY_HAND, "shop/http.py": DOOR}
    del files["shop/server.py"]
    ran = pdmigrate(command, write(tmp_path, files), *VERSIONS)
    assert (ran.status, "PD206" in ran.stderr, "PD207" in ran.stderr) == (1, True, True)
    assert "shop/hand.py:6: PD206 note: MCP is spoken here without an SDK, which is out of reach\n" in ran.stderr
    assert "no MCP server found" in ran.stderr
    assert "the reason why no server was seen is given above" in ran.stderr


PROGRAM = {"shop/__main__.py": "from shop.hand import main\n\nmain()\n"}
SETTINGS = '{"mcpServers": {"shop": {"command": "python", "args": ["-m", "shop"]}}}'
BY_HAND_STARTED = {
    "by a console script": ({"pyproject.toml": PROJECT.format("hand")}, True),
    "by the README": ({"README.md": f"```json\n{SETTINGS}\n```\n", **PROGRAM}, True),
    "as a program": (PROGRAM, True),
    "as the Dockerfile says": ({"Dockerfile": 'FROM python\nCMD ["python", "shop/hand.py"]\n'}, True),
    "as a script, like the other": ({}, False),
}


@pytest.mark.parametrize("name", BY_HAND_STARTED)
def test_the_command_that_is_most_certain_says_which_server_is_the_projects(name: str, tmp_path: Path) -> None:
    files, is_aside = BY_HAND_STARTED[name]
    bare = {"pyproject.toml": PROJECT.partition("[project.scripts]")[0]}
    door = f'{DOOR}\n\nif __name__ == "__main__":\n    serve()\n'
    shop = {**SHOP, **bare, "shop/hand.py": BY_HAND, "shop/http.py": door, **files}
    del shop["shop/server.py"]
    enabled, said = applied(write(tmp_path, shop))
    assert (enabled, "PD207" in said) == (set() if is_aside else {"shop/http.py"}, is_aside)


BLIND = (
    "import sys\n\nfrom mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP('notes')\n"
    "for name in sys.argv[1:]:\n    mcp.add_tool(print, name=name)\nmcp.run()\n"
)


def test_a_server_whose_tools_are_not_known_meets_no_criteria(tmp_path: Path) -> None:
    root = write(tmp_path, {"notes.py": BLIND})
    preview = pdmigrate("apply", root, *VERSIONS)
    assert (preview.status, "criteria of the specification hold" in preview.stderr) == (1, False)
    assert "no tool was found in source, so nothing is said of the specification's criteria" in preview.stderr
    assert "pdmigrate apply --live 'python notes.py' (notes.py is a script)" in preview.stderr
    assert pdmigrate("apply", root, "--write", *VERSIONS).status == 0
    assert pdmigrate("apply", root, "--check", *VERSIONS).status == 0
    ran = pdmigrate("extract", "--no-write", root, *VERSIONS)
    assert ran.status == 1
    assert ran.stderr.endswith("pdmigrate extract --live 'python notes.py' (notes.py is a script)\n")


REAL = decorated("notes", {"find_note(text: str)": "Find notes by their text. The newest comes first."}, run=True)
STAND_IN = (
    f"{SDK}\n\ndef test_a_tool() -> None:\n    toy = FastMCP('toy')\n\n    @toy.tool()\n    def fail() -> str:\n"
    '        """Fail at once. Nothing comes back."""\n        raise ValueError\n'
)
ASKING = "from notes import mcp\n\n\nasync def test_it() -> None:\n    assert await mcp.list_tools()\n"
PATHS = ("tests/test_toy.py", "toy_test.py", "pkg/testing/toy.py", "conftest.py")
FILES = {"pyproject.toml": NOTES, "notes.py": REAL}


def servers(root: Path, *parts: str) -> list[str]:
    ran = pdmigrate("extract", root.joinpath(*parts), "--no-write", "--format", "json", *VERSIONS)
    return sorted(server["file"] for server in json.loads(ran.stdout)["servers"])


@pytest.mark.parametrize("path", PATHS)
def test_only_the_server_is_migrated(tmp_path: Path, path: str) -> None:
    root = write(tmp_path, {**FILES, path: STAND_IN})
    ran = pdmigrate("apply", "--all", root, "--write", *VERSIONS)
    assert (ran.status, ran.stderr.count("PD204")) == (0, 1)
    assert f"{path}:5: PD204 note: servers that tests make are left as they are: {path}\n" in ran.stderr
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
    root = write(tmp_path, {"pyproject.toml": NOTES, "notes/__init__.py": "", "speed_test.py": REAL})
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
