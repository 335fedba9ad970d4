"""Sources that cannot be read as they stand, odd ones that can, and versions of an SDK that nobody has measured."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.bad_input.cases import Bad, check_refused, check_said
from tests.layouts.living import migrated
from tests.layouts.servers import module
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import tree, write
from tests.support.sources import decorated

SERVER = module()
NONE_FOUND = (
    "no MCP server found below ROOT\n",
    "hint: servers are recognised by what they import from mcp or fastmcp",
)
UNREAD = ("1 error\n", "no MCP server found below ROOT\n", "hint: the reason why no server was seen is given above")
OLD = 'from mcp.server import Server\nserver = Server("x")\nprint "hello"\n'
TOOLLESS = (
    "from mcp.server import Server\n\nserver = Server('x')\n\n\n"
    "@server.list_tools()\nasync def list_tools():\n    return []\n"
)
GENERATED = "DATA = {\n" + "".join(f'    "key{n}": "{"v" * 60}",\n' for n in range(70_000)) + "}\n"

BAD = {
    "no Python at all": Bad({"README.md": "x"}, NONE_FOUND),
    "a server class that is handed to nobody who is known": Bad(
        {"server.py": "import os\nfrom mcp.server import Server\nfrom elsewhere import make\n\nmake(Server)\n"},
        (
            "server.py:2: PD202 warning: the SDK's server class is imported here, but no place was recognised where a ",
            "hint: call the class, or one derived from it, in the file that defines it\n",
            "hint: the reason why no server was seen is given above\n",
        ),
    ),
    "a class of another package": Bad(
        {
            "server.py": "from fastmcp import FastMCP\nfrom vendor.mcp import VendorServer\n\n\n"
            "class Notes(VendorServer):\n    pass\n\n\nmcp = Notes('x')\n\n\n@mcp.tool()\ndef find() -> str: ...\n"
        },
        (
            "server.py:12: PD203 warning: a function is made a tool of mcp here, but mcp was not ",
            "hint: make the server by calling the SDK's class, or one derived from it in this project\n",
            "hint: the reason why no server was seen is given above\n",
        ),
    ),
    "a server that is not made, as the program raises before": Bad(
        {"server.py": "from fastmcp import FastMCP\n\nport = {'a': 1}['b']\nFastMCP(f'x{port}').run()\n"},
        (
            "server.py:1: PD312 warning: the SDK's server class is imported here, and no server was seen to be made: ",
            "server.py:3 raises KeyError",
            "hint: check that the server starts\n",
            "no MCP server found below ROOT\n",
            "hint: the reason why no server was seen is given above\n",
        ),
    ),
    "a server of a program that may have changed any name": Bad(
        {
            "server.py": "from fastmcp import FastMCP\n\n\ndef start(text):\n    app = FastMCP('x')\n"
            "    exec(text, globals())\n    app.run()\n\n\nif __name__ == '__main__':\n    start(open('x').read())\n"
        },
        (
            "server.py:1: PD307 warning: the SDK's server class is imported here, and no server was seen to be made: ",
            "exec in server.py executes code that source does not show",
            "no MCP server found below ROOT\n",
            "hint: the reason why no server was seen is given above\n",
        ),
    ),
    "another Server": Bad({"server.py": "from http.server import HTTPServer as Server\nServer()\n"}, NONE_FOUND),
    "not valid Python": Bad(
        {"server.py": "from mcp.server import Server\ndef tools(:\n    pass\n"},
        (
            "server.py:2: PD101 error: server.py is not valid Python 3.",
            "hint: fix the syntax, or exclude the file; if it needs a newer Python, run pdmigrate under that Python\n",
            *UNREAD,
        ),
    ),
    "a merge conflict": Bad(
        {"server.py": "from mcp.server import Server\n<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> other\n"},
        (
            "server.py:2: PD101 error: server.py is not valid Python 3.",
            ": line 2 holds a merge-conflict marker\n",
            "hint: resolve the conflict, or exclude the file\n",
            *UNREAD,
        ),
    ),
    "Python 2": Bad(
        {"server.py": OLD},
        (
            "server.py:3: PD101 error: server.py is not valid Python 3.",
            ": Missing parentheses in call to 'print'",
            "hint: this looks like Python 2: bring it to Python 3 first, or exclude the file\n",
            *UNREAD,
        ),
    ),
    "not UTF-8": Bad(
        {"server.py": SERVER.encode() + b"# \xff\n"},
        (
            "server.py:1: PD103 error: server.py cannot be decoded: 'utf-8' codec can't decode byte 0xff",
            "hint: save the file as UTF-8, or declare its encoding in the first line\n",
            *UNREAD,
        ),
    ),
    "an encoding that does not exist": Bad(
        {"server.py": b"# -*- coding: klingon -*-\n" + SERVER.encode()},
        ("PD103 error: server.py cannot be decoded: unknown encoding: klingon\n", *UNREAD),
    ),
    "an encoding that is not one to one": Bad(
        {"server.py": b"# -*- coding: utf-7 -*-\n" + SERVER.encode() + b"# +AGE-\n"},
        ("PD104 error: server.py changes when decoded and re-encoded", "hint: save the file as UTF-8\n", *UNREAD),
    ),
    "5 MB of generated code": Bad(
        {"server.py": SERVER + GENERATED},
        ("server.py is larger than 4,000,000 bytes, and is not read\n", "hint: exclude it\n", *UNREAD),
    ),
    "nested too deeply": Bad(
        {"server.py": SERVER + "X = " + "(" * 5_000 + ")" * 5_000 + "\n"},
        ("server.py is nested too deeply to be parsed\n", "hint: exclude the file\n", *UNREAD),
    ),
    "a server without a list of tools": Bad(
        {"server.py": TOOLLESS},
        (
            "server.py:3: PD538 note: the server made at server.py:3 is left as it is: it lists no tools\n",
            "found 0 = moved 0 + ",
            "nothing to do: the server that was found has no tools\n",
        ),
        status=0,
    ),
    "a path that is not there": Bad(
        {}, ("error: ROOT/nowhere does not exist\n", "hint: give a folder or a Python file\n"), status=2, path="nowhere"
    ),
    "a file that is not Python": Bad(
        {"README.md": "", "server.py": SERVER},
        ("error: ROOT/README.md is not a Python file\n", "hint: give a folder or a Python file\n"),
        status=2,
        path="README.md",
    ),
}


NOT_REPRODUCED = {
    "carriage returns alone": SERVER.replace("\n", "\r"),
    "text that the parser loses": SERVER.rstrip("\n") + "\n\n  # c\n ",
}


@pytest.mark.parametrize("name", NOT_REPRODUCED)
def test_a_file_that_would_lose_bytes_is_read_and_not_edited(name: str, tmp_path: Path) -> None:
    said = (
        "PD102 error: the server made at server.py:",
        "server.py cannot be reproduced exactly by the parser\n",
        "hint: use LF or CRLF line endings, and remove trailing blanks and odd comments at the end\n",
        "found 2 = moved 0 + stubbed 0 + skipped 0 + failed 2\n",
    )
    check_refused(tmp_path, Bad({"server.py": NOT_REPRODUCED[name].encode()}, said))


@pytest.mark.parametrize("command", ["apply --write", "extract"])
@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_read_is_said_and_nothing_changes(name: str, command: str, tmp_path: Path) -> None:
    bad = BAD[name]
    if command == "extract" and bad.status == 0:
        pytest.skip("an extraction of no tools has nothing to say")
    said = tuple(part for part in bad.said if command != "extract" or part != "1 error\n")
    started = time.monotonic()
    check_refused(tmp_path, Bad(bad.files, said, bad.status, tuple(command.split()), bad.path))
    assert time.monotonic() - started < 30


FINE: dict[str, dict[str, str | bytes]] = {
    "latin-1 with a cookie": {"server.py": ("# -*- coding: latin-1 -*-\n# é\n" + SERVER).encode("latin-1")},
    "a byte order mark": {"server.py": b"\xef\xbb\xbf" + SERVER.encode()},
    "CRLF": {"server.py": SERVER.replace("\n", "\r\n")},
    "no newline at the end": {"server.py": SERVER.rstrip("\n")},
    "a form feed": {"server.py": SERVER.replace("\n\n\n", "\n\n\f\n", 1)},
    "a sibling that is broken": {"server.py": module("import sibling"), "sibling.py": "def f(:\n"},
    "a sibling that is not UTF-8": {"server.py": module("import sibling"), "sibling.py": b"# \xff\nX = 1\n"},
    "a sibling of 5 MB": {"server.py": module("from sibling import DATA"), "sibling.py": GENERATED},
    "a broken server beside it": {"server.py": SERVER, "old/server.py": OLD},
    "a link to itself": {"server.py": SERVER},
}


@pytest.mark.parametrize("name", FINE)
def test_what_is_only_odd_is_migrated_and_comes_back(name: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", **FINE[name]})
    if name == "a link to itself":
        (tmp_path / "loop").symlink_to(".")
        (tmp_path / "round.py").symlink_to("round.py")
    before = tree(tmp_path)
    started = time.monotonic()
    ran = migrated(tmp_path)
    assert "found 2 = moved 2 + stubbed 0 + skipped 0 + failed 0\n" in ran.stderr
    assert pdmigrate("apply", "--all", tmp_path, "--check", *VERSIONS).status == 0
    assert pdmigrate("revert", tmp_path).status == 0
    assert time.monotonic() - started < 60
    assert tree(tmp_path) == before


def test_a_path_that_is_a_loop_of_links_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    ran = pdmigrate("apply", "--all", tmp_path / "a", *VERSIONS)
    assert (ran.status, ran.stdout) == (2, "")
    check_said(ran, tmp_path, ("error: ROOT/a cannot be followed: ", "hint: give a folder or a Python file\n"))


FIND = {"find_note(text: str)": "Find notes by their text. The newest comes first."}
HINT = "  hint: give the right one with --sdk, or update the SDK\n"
OFFICIAL, SEPARATE = decorated("notes", FIND), decorated("notes", FIND, package="fastmcp")
MANY_LINES = OFFICIAL.replace("import FastMCP", "import (\n    Context,\n    FastMCP,\n)")

UNKNOWN = [
    pytest.param(SEPARATE, "fastmcp", "0.4.1", "2.0 to 4.x", id="the first fastmcp"),
    pytest.param(SEPARATE, "fastmcp", "5.0.0", "2.0 to 4.x", id="a fastmcp that is newer"),
    pytest.param(TOOLLESS, "mcp", "1.0.0", "1.1 to 2.x", id="the first mcp"),
    pytest.param(TOOLLESS, "mcp", "3.0.0", "1.1 to 2.x", id="an mcp that is newer"),
    pytest.param(MANY_LINES, "mcp", "3.0.0", "1.1 to 2.x", id="an import of several lines"),
]


@pytest.mark.parametrize("command", ["apply", "extract"])
@pytest.mark.parametrize(("source", "package", "version", "supported"), UNKNOWN)
def test_the_version_that_nobody_measured_is_named(
    tmp_path: Path, source: str, package: str, version: str, supported: str, command: str
) -> None:
    write(tmp_path, {"server.py": source, "requirements.txt": f"{package}=={version}\n"})
    ran = pdmigrate(command, tmp_path, *(("--write",) if command == "apply" else ()))
    line = source[: source.index("(")].count("\n") + 1 if source is not MANY_LINES else 6
    said = f"server.py:{line}: PD205 warning: servers of this file are left as they are: "
    said += f"this is {package} {version} (requirement), and {supported} are supported\n{HINT}"
    assert said in ran.stderr
    assert "PD202" not in ran.stderr
    assert "PD203" not in ran.stderr
    assert ran.status == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["requirements.txt", "server.py"]


@pytest.mark.parametrize(
    ("source", "package", "version"),
    [
        (OFFICIAL, "mcp", "1.2.0"),
        (OFFICIAL, "mcp", "1.99.0"),
        (SEPARATE, "fastmcp", "2.0.0"),
        (TOOLLESS, "mcp", "1.1.2"),
    ],
)
def test_others_are_looked_at(tmp_path: Path, source: str, package: str, version: str) -> None:
    write(tmp_path, {"server.py": source, "requirements.txt": f"{package}=={version}\n"})
    ran = pdmigrate("extract", tmp_path, "--no-write")
    assert "PD205" not in ran.stderr
    assert f"on {package} {version} (requirement)" in ran.stdout


def test_a_version_that_is_given_wins(tmp_path: Path) -> None:
    write(tmp_path, {"server.py": OFFICIAL, "requirements.txt": "mcp==1.0.0\n"})
    assert pdmigrate("extract", tmp_path, "--no-write", "--sdk", "mcp==1.30.0").status == 0


def test_a_server_of_another_file_is_no_reason_to_fail(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(SEPARATE)
    (tmp_path / "server.py").write_text(f"import old\n{OFFICIAL}")
    (tmp_path / "requirements.txt").write_text("mcp==1.30.0\nfastmcp==1.0\npydantic==2.14.3\n")
    ran = pdmigrate("extract", tmp_path, "--no-write")
    assert ran.status == 0, ran.stderr
    assert ran.stderr.count("PD205") == 1
    assert "old.py:3: PD205" in ran.stderr
    assert "1 server, 1 tool: 1 exact" in ran.stderr
