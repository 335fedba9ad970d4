"""Files that make servers of classes derived elsewhere, found by their bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.sdk.families import gates
from pdmigrate.source.deriving import making, registrations
from pdmigrate.source.discover import gated, python_files
from tests.support.files import write

BASE = "from fastmcp import FastMCP\n\n\nclass Notes(FastMCP):\n    pass\n"
MAKES = 'from base import Notes\n\nmcp = Notes("notes")\n'

FOUND = {
    "a call": ({"base.py": BASE, "server.py": MAKES}, ["base.py", "server.py"]),
    "two steps": (
        {
            "base.py": BASE,
            "middle.py": "import base\n\n\nclass More(base.Notes): ...\n",
            "server.py": "from middle import More\n\nmcp = More ()\n",
        },
        ["base.py", "middle.py", "server.py"],
    ),
    "another name": (
        {"base.py": "from fastmcp import FastMCP as F\n\n\nclass Notes(Mixin, F):\n    pass\n", "server.py": MAKES},
        ["base.py", "server.py"],
    ),
    "bases on lines of their own": (
        {"base.py": "from fastmcp import FastMCP\n\n\nclass Notes(\n    FastMCP,\n):\n    pass\n", "server.py": MAKES},
        ["base.py", "server.py"],
    ),
    "a longer name": ({"base.py": BASE, "other.py": "MyNotes()\nNotesOf()\n"}, ["base.py"]),
    "another server": (
        {"web.py": "from http.server import HTTPServer\n\n\nclass Web(HTTPServer): ...\n", "run.py": "Web()\n"},
        [],
    ),
    "a class that only holds a server": (
        {"base.py": "from fastmcp import FastMCP\n\n\nclass Notes:\n    mcp = FastMCP()\n", "run.py": "Notes()\n"},
        ["base.py"],
    ),
    "a circle": (
        {
            "a.py": "from fastmcp import FastMCP\nfrom b import B\n\n\nclass A(FastMCP, B): ...\n",
            "b.py": "from a import A\n\n\nclass B(A): ...\n",
        },
        ["a.py", "b.py"],
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_files_that_make_servers(name: str, tmp_path: Path) -> None:
    files, expected = FOUND[name]
    paths = python_files(write(tmp_path, files))
    assert [*making(tmp_path, paths, gated(tmp_path, paths, gates()))] == expected


def test_a_file_that_cannot_be_read_is_kept_for_whoever_says_so(tmp_path: Path) -> None:
    assert making(tmp_path, ("gone.py",), ("gone.py",)) == ("gone.py",)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1\n\n@app.tool()\ndef f(): ...\n\n@app.tool\ndef g(): ...\n", [("a.py", 3, "app")]),
        ("class A:\n    def r(self):\n        @self.tool\n        def f(): ...\n", [("a.py", 3, "self")]),
        ("app.tool()(f)\n", []),
        ("# @app.tool()\n", []),
        ("@app.tools()\ndef f(): ...\n", []),
        ("@tool\ndef f(): ...\n", []),
    ],
)
def test_places_where_functions_become_tools(source: str, expected: list[object], tmp_path: Path) -> None:
    write(tmp_path, {"a.py": source})
    assert [*registrations(tmp_path, ("a.py",))] == expected
