"""Which tests of a project come to the server that is migrated, and which seem to be about something else."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pdmigrate.source.reaching import Texts, reaching
from tests.bad_input.cases import check_said
from tests.layouts.servers import module
from tests.layouts.trees import PROJECT
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

ASKS = "async def test_it(session):\n    assert await session.list_tools()\n"
TEST = "tests/test_it.py"
OTHER = {"other/__init__.py": "", "other/work.py": "X = 1\n"}

COMES: dict[str, tuple[str, dict[str, str]]] = {
    "imports the module": ("notes/server.py", {TEST: "from notes.server import server\n"}),
    "imports it in a function": ("notes/server.py", {TEST: "def test():\n    import notes.server as s\n"}),
    "imports the package": ("src/notes/server.py", {TEST: "import os, notes\n"}),
    "imports by what is on the path": ("servers/notes/server.py", {TEST: "from server import server\n"}),
    "imports an inner folder": ("servers/notes/server.py", {TEST: "import notes\n"}),
    "imports several lines": ("a/notes.py", {TEST: "from a import (\n    x,\n    notes,\n)\n"}),
    "stands in the package": ("notes/server.py", {"notes/tests/test_it.py": ""}),
    "starts the module": ("src/notes/server.py", {TEST: 'COMMAND = ["python", "-m", "notes.server"]\n'}),
    "starts the file": ("servers/notes/server.py", {TEST: 'HERE.parent / "servers" / NAME / "server.py"\n'}),
    "starts a console script": (
        "notes/server.py",
        {TEST: 'run(["jot"])\n', "pyproject.toml": '[project.scripts]\njot = "notes.server:main"\n'},
    ),
    "starts the script of a module that starts it": (
        "notes/server.py",
        {
            TEST: 'run(["jot-all"])\n',
            "other/cli.py": "from notes import server\n",
            "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    jot-all = other.cli:main\n",
        },
    ),
    "runs a module that starts it": (
        "notes/server.py",
        {TEST: '["-m", "other.cli"]\n', "other/cli.py": "from notes import server\n"},
    ),
    "runs a program that starts it": ("notes/server.py", {TEST: '["run.py"]\n', "run.py": "import notes\n"}),
    "patches it": ("notes/server.py", {TEST: '@patch("notes.server.find")\ndef test(found): ...\n'}),
    "has a conftest that does": ("notes/server.py", {TEST: ASKS, "tests/conftest.py": "import notes\n"}),
    "has a conftest above that does": ("notes/server.py", {TEST: ASKS, "conftest.py": '"notes"\n'}),
    "has a plugin that does": (
        "notes/server.py",
        {
            TEST: ASKS,
            "tests/conftest.py": 'pytest_plugins = [\n    "tests.plugs.client",\n]\n',
            "tests/plugs/client.py": "import notes\n",
        },
    ),
    "imports a module of the project that does": (
        "notes/server.py",
        {TEST: "from other.app import app\n", "other/app.py": "from notes.server import server\n"},
    ),
    "is a helper of one that does": (
        "notes/server.py",
        {"tests/help.py": ASKS, "tests/test_one.py": "import notes\nfrom tests.help import ask\n"},
    ),
    "is the conftest of one that does": (
        "notes/server.py",
        {"tests/conftest.py": ASKS, "tests/unit/test_one.py": "import notes\n"},
    ),
    "is a program of one that does": (
        "notes/server.py",
        {"tests/programs/client.py": ASKS, "tests/test_one.py": 'import notes\nrun(HERE / "programs" / "client.py")\n'},
    ),
    "whatever it is, for a server at the top": ("server.py", {TEST: ASKS}),
}

STAYS_AWAY: dict[str, tuple[str, dict[str, str]]] = {
    "imports something else": ("notes/server.py", {TEST: "from other.work import X\n" + ASKS}),
    "imports nothing": ("notes/server.py", {TEST: ASKS}),
    "says a longer word": ("notes/server.py", {TEST: "keynotes = 'notes2'\n" + ASKS}),
    "imports another server": ("a/notes/server.py", {TEST: "from other.server import server\n" + ASKS}),
    "has a name of the server in a text": ("demo/notes/server.py", {TEST: 'FILES = {"server.py": ""}\n' + ASKS}),
    "has a conftest elsewhere that does": ("notes/server.py", {TEST: ASKS, "tests/unit/conftest.py": "import notes\n"}),
}


def _reached(server: str, files: Mapping[str, str]) -> frozenset[str]:
    everything = {server: "", **OTHER, **files}
    texts = {path: text.encode() for path, text in everything.items() if path.endswith(".py")}
    builds = [text.encode() for path, text in everything.items() if not path.endswith(".py")]
    return reaching(server, Texts(texts, builds))


@pytest.mark.parametrize("name", COMES)
def test_a_file_that_comes_to_the_server(name: str) -> None:
    server, files = COMES[name]
    assert next(iter(files)) in _reached(server, files)


@pytest.mark.parametrize("name", STAYS_AWAY)
def test_a_file_that_does_not(name: str) -> None:
    server, files = STAYS_AWAY[name]
    assert next(iter(files)) not in _reached(server, files)


def test_where_there_is_nothing_else_every_test_is_about_the_server() -> None:
    texts = {"src/notes/server.py": b"", "src/notes/__init__.py": b"", TEST: ASKS.encode(), "setup.py": b""}
    assert reaching("src/notes/server.py", Texts(texts, ())) == frozenset(texts)


def test_the_tests_of_another_server_are_told_once(tmp_path: Path) -> None:
    server = {"pyproject.toml": PROJECT, "demo/notes/server.py": module(), "pkg/__init__.py": "", "pkg/a.py": ""}
    tests = {f"tests/test_{name}.py": "import pkg\n" + ASKS for name in "abcde"}
    root = write(tmp_path, {**server, **tests, "tests/test_demo.py": "import demo\n" + ASKS + ASKS})
    ran = pdmigrate("apply", "--all", root, *VERSIONS)
    said = (
        "tests/test_a.py:3: PD539 note: 5 test files ask a server and, as far as imports and names tell, none that ",
        "is migrated here: tests/test_a.py, tests/test_b.py, tests/test_c.py and 2 more\n",
        "tests/test_demo.py:3: PD534 warning: a test asks a server (the first of 2 lines that do in this file)",
    )
    check_said(ran, root, said)
    assert (ran.stderr.count("PD534"), ran.stderr.count("PD539")) == (1, 1)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (1, "tests/test_a.py:3: PD534 warning: a test asks a server\n"),
        (2, "2 test files ask a server, in 2 lines: tests/test_a.py:3, tests/test_b.py:3\n"),
        (
            4,
            "4 test files ask a server, in 4 lines: tests/test_a.py:3, tests/test_b.py:3, tests/test_c.py:3 and 1 more",
        ),
        (12, "12 test files ask a server, in 12 lines: tests/test_a.py:3, "),
    ],
)
def test_all_files_that_ask_are_one_warning(tmp_path: Path, files: int, said: str) -> None:
    tests = {f"tests/test_{name}.py": "import demo\n" + ASKS for name in "abcdefghijkl"[:files]}
    root = write(tmp_path, {"pyproject.toml": PROJECT, "demo/notes/server.py": module(), **tests})
    ran = pdmigrate("apply", "--all", root, *VERSIONS)
    check_said(ran, root, (said,))
    assert ran.stderr.count("PD534") == 1


def test_a_test_of_a_server_that_is_not_asked_for_is_not_named(tmp_path: Path) -> None:
    files = {"pyproject.toml": PROJECT, "find/server.py": module(), "drop/server.py": module()}
    root = write(tmp_path, {**files, TEST: "import drop\n" + ASKS})
    assert "PD534" in pdmigrate("apply", "--all", root, *VERSIONS).stderr
    assert "PD534" not in pdmigrate("apply", "--all", root / "find", *VERSIONS).stderr


@pytest.mark.parametrize(
    "line",
    [
        "@server.list_tools()",
        "    @self.server.call_tool()",
        "call_tool = 1",
        "tools.list_toolsets()",
        "# x.list_tools()",
    ],
)
def test_what_makes_a_server_asks_none(line: str, tmp_path: Path) -> None:
    root = write(tmp_path, {"pyproject.toml": PROJECT, "notes/server.py": module(), TEST: f"import notes\n{line}\n"})
    assert "PD534" not in pdmigrate("apply", "--all", root, *VERSIONS).stderr
