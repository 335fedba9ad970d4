"""The import of a server that is run in two ways: in both branches of the file's own, or as a statement of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.errors import SourceError
from pdmigrate.migrate.plan.code import edited
from pdmigrate.migrate.plan.importing import Around, import_of
from pdmigrate.model import Anchor, Span
from pdmigrate.project.rewrite.enabling import Enable, enable_edits
from pdmigrate.source.outline import parse
from pdmigrate.source.source import read_source
from pdmigrate.source.style import style_of
from tests.rewrite.marked import PATH, anchored, table
from tests.support.environments import mypy_cache
from tests.support.files import write
from tests.support.processes import run

HOME = Home("pkg/progressive_disclosure.py", "pkg/tool_descriptions")
TREE = ("pkg/__init__.py", "pkg/a.py", "pkg/db.py", PATH)
CASES = table("two_ways.txt")


def enabled(text: str) -> str:
    """``text`` with its marked server enabled in the way that its imports ask for."""
    parsed, anchor = anchored(text, "server")
    how = import_of(HOME, parsed, Around(TREE, {"package", "script"}))
    return edited(parsed.source, enable_edits(parsed, [Enable(anchor, how)])).decode()


@pytest.mark.parametrize(("before", "expected"), CASES.values(), ids=CASES)
def test_two_ways(before: str, expected: str) -> None:
    assert enabled(before) == expected


def test_the_statement_has_the_indentation_and_the_newlines_of_its_file() -> None:
    text = "from mcp.server import Server\r\n\r\n⟦server = Server()⟧\r\ndef f():\r\n\tpass\r\n"
    assert enabled(text) == (
        "from mcp.server import Server\r\n\r\ntry:\r\n\tfrom .progressive_disclosure import enable\r\n"
        "except ImportError:\r\n\tfrom progressive_disclosure import enable\r\n\r\n"
        "server = Server()\r\nenable(server)\r\ndef f():\r\n\tpass\r\n"
    )


def test_a_function_on_one_line_has_no_room() -> None:
    with pytest.raises(SourceError, match="no place for an import of several lines"):
        enabled("def f(): from mcp.server import Server; ⟦server = Server()⟧\n")


GENERATED = """\
from typing import TypeVar

ServerT = TypeVar("ServerT")


def enable(server: ServerT) -> ServerT:
    return server
"""


@pytest.mark.parametrize("folder", ["pkg", "scripts"])
@pytest.mark.parametrize("first", ["", "import db", "from . import db"])
@pytest.mark.parametrize("config", ["strict = true", "strict = true\nignore_missing_imports = true"])
def test_mypy_finds_nothing_in_the_import(config: str, first: str, folder: str, tmp_path: Path) -> None:
    settings = f"[tool.mypy]\n{config}\n"
    names = ("server.py", "db.py", *(["__init__.py"] if folder == "pkg" else []))
    files = {**{f"{folder}/{name}": "" for name in names}, f"{folder}/progressive_disclosure.py": GENERATED}
    write(tmp_path, {"pyproject.toml": settings, **files})
    style = style_of([(".", {"pyproject.toml": settings.encode()})], lambda _: ())
    path = f"{folder}/server.py"
    (second,) = {"import db", "from . import db"} - {first} if first else ("",)
    tries = f"try:\n    {first}\nexcept ImportError:\n    {second}\n" if first else ""
    text = f"{tries}server = 1\nif __name__ == '__main__':\n    print(server)\n"
    parsed = parse(read_source(path, text.encode(), style))
    start = text.index("server = 1")
    home = Home(f"{folder}/progressive_disclosure.py", f"{folder}/tool_descriptions")
    how = import_of(home, parsed, Around(files, {"package", "script"}))
    assert len(how.names) == 2
    anchor = Anchor(Span(path, start, start + len("server = 1")), "server")
    result = edited(parsed.source, enable_edits(parsed, [Enable(anchor, how)])).decode()
    write(tmp_path, {path: result.replace(tries, "")})
    with mypy_cache("two ways") as kept:
        run(sys.executable, "-m", "mypy", "--cache-dir", kept, folder, cwd=tmp_path)
