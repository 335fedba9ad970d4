"""The import of a server that is run in two ways: in both branches of the file's own, or as a statement of its own."""

from __future__ import annotations

import pytest

from pdmigrate.errors import SourceError
from pdmigrate.homes import Home
from pdmigrate.importing import import_of
from pdmigrate.rewrite.enabling import Enable, enable_edits
from pdmigrate.rewrite.proof import edited
from tests.rewrite.marked import PATH, anchored, table

HOME = Home("pkg/progressive_disclosure.py", "pkg/tool_descriptions")
TREE = ("pkg/__init__.py", "pkg/a.py", "pkg/db.py", PATH)
CASES = table("two_ways.txt")


def enabled(text: str) -> str:
    """``text`` with its marked server enabled in the way that its imports ask for."""
    parsed, anchor = anchored(text, "server")
    how = import_of(HOME, parsed, TREE, {"package", "script"})
    return edited(parsed.source, enable_edits(parsed, [Enable(anchor, how.names, {}, how.after)])).decode()


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
