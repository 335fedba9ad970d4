"""``enable``: one import, or one in each of two branches, one call, in the right scope, and nothing else."""

from __future__ import annotations

import ast

import pytest

from pdmigrate.describe.homes import Home
from pdmigrate.migrate.plan.code import edited
from pdmigrate.migrate.plan.importing import Around, imports_of
from pdmigrate.model import Anchor, Span
from pdmigrate.project.rewrite.enabling import Enable, called_elsewhere, enable_edits
from pdmigrate.project.rewrite.import_place import Import
from pdmigrate.source.outline import parse
from pdmigrate.source.source import read_source
from tests.rewrite.marked import PATH, after, anchored, marked, only_these_changed, source, table

MODULE = ".progressive_disclosure"
IMPORT = f"from {MODULE} import enable"
CALL = 'enable(server, stdio="enforce")'
IMPORTS = table("imports.txt")
WITHOUT_NAME = table("without_name.txt")


def enabled(text: str, target: str = "server") -> str:
    parsed, anchor = anchored(text, target)
    edits = enable_edits(parsed, [Enable(anchor, (Import(MODULE),), {"stdio": "enforce"})])
    result = after(parsed, edits)
    assert only_these_changed(parsed.source.text, result, edits)
    return result


CALLS = table("calls.txt") | {
    "tabs": ("def main():\n\t⟦server = Server()⟧\n\trun()\n", f"def main():\n\tserver = Server()\n\t{CALL}\n\trun()\n"),
    "the end of a file without a newline stays without one": ("⟦server = Server()⟧", f"server = Server()\n{CALL}"),
    "the end of a file with a comment and no newline": ("⟦server = Server()⟧  # x", f"server = Server()  # x\n{CALL}"),
}


@pytest.mark.parametrize("title", [*CALLS, *WITHOUT_NAME])
def test_the_call(title: str) -> None:
    """The import is there already, so only the call is added."""
    before, expected = CALLS.get(title) or WITHOUT_NAME[title]
    assert enabled(f"{IMPORT}\n{before}", "server" if title in CALLS else "") == f"{IMPORT}\n{expected}"


def test_an_attribute_is_enabled_by_its_own_name() -> None:
    text = f"{IMPORT}\nclass A:\n    def __init__(self):\n        ⟦self._server = Server()⟧\n"
    assert enabled(text, "self._server").endswith(
        '        self._server = Server()\n        enable(self._server, stdio="enforce")\n'
    )


@pytest.mark.parametrize(("before", "expected"), IMPORTS.values(), ids=IMPORTS)
def test_the_import(before: str, expected: str) -> None:
    assert enabled(before) == expected


@pytest.mark.parametrize(
    ("statement", "policies", "part"),
    [("", {}, f"import x\r\n\r\n{IMPORT}\r\n"), ("if x: ", {"descriptions": "notes" * 16}, "; enable(\r\n")],
)
def test_crlf_survives(statement: str, policies: dict[str, str], part: str) -> None:
    parsed, anchor = anchored(f"import x\r\n{statement}⟦server = x.Server()⟧\r\nrun()\r\n")
    result = after(parsed, enable_edits(parsed, [Enable(anchor, (Import(MODULE),), policies)]))
    assert part in result
    assert "\n" not in result.replace("\r\n", "")


LONG = "from .progressive_disclosure import enable as enable_progressive_disclosure"


@pytest.mark.parametrize(
    "binding",
    [
        "from faulthandler import enable",
        "import enable",
        "def enable(): ...",
        "x, (enable, *y) = z",
        "def f():\n    global enable\n    enable = 1",
        "try: ...\nexcept E as enable: ...",
        "match x:\n    case {'a': enable}: ...",
        "del enable",
        "from .tools import *",
    ],
)
def test_a_name_in_use_is_not_taken(binding: str) -> None:
    result = enabled(f"from mcp.server import Server\n\n{binding}\n⟦server = Server()⟧\n")
    assert LONG in result
    assert "enable_progressive_disclosure(server, stdio=" in result


@pytest.mark.parametrize(
    "text", ["# enable", "x = 'enable'", "x.enable", "f(enable=1)", "import x.enable", "enabled = 1", "re_enable = 1"]
)
def test_what_only_looks_like_the_name_does_not_count(text: str) -> None:
    assert IMPORT + "\n" in enabled(f"from mcp.server import Server\n\n{text}\n⟦server = Server()⟧\n")


NAMES = {
    "the longer name may be taken too": (
        "enable = enable_progressive_disclosure = 1\n⟦server = Server()⟧\n",
        "enable as enable_progressive_disclosure_2\n",
    ),
    "an import that is there is used by the name it has": (
        f"{IMPORT} as on\n⟦server = Server()⟧\n",
        f'{IMPORT} as on\nserver = Server()\non(server, stdio="enforce")\n',
    ),
    "an import in another function is not seen": (
        f"import os\n\n\ndef a():\n    {IMPORT}\n\n\ndef b():\n    ⟦server = Server()⟧\n",
        f"import os\n\n{IMPORT}\n\n\ndef a():",
    ),
}


@pytest.mark.parametrize(("before", "part"), NAMES.values(), ids=NAMES)
def test_the_name_of_the_function(before: str, part: str) -> None:
    assert part in enabled(before)


def test_a_server_that_is_enabled_is_left_alone() -> None:
    parsed, span = marked(f"{IMPORT}\n⟦server = Server()⟧\nenable(server)\n")
    anchor = Anchor(span, "server", enabled=Span(PATH, span.end + 1, span.end + 15))
    assert enable_edits(parsed, [Enable(anchor, (Import(MODULE),))]) == ()


def test_two_servers_of_one_module_share_the_import() -> None:
    parsed = parse(source("from mcp.server import Server\n\na = Server()\nb = Server()\n"))
    first, second = (Span(PATH, o, o + 12) for o in (parsed.source.text.index("a ="), parsed.source.text.index("b =")))
    wanted = [Enable(Anchor(span, name), (Import(MODULE),)) for span, name in ((first, "a"), (second, "b"))]
    assert after(parsed, enable_edits(parsed, wanted)) == (
        f"from mcp.server import Server\n\n{IMPORT}\n\na = Server()\nenable(a)\nb = Server()\nenable(b)\n"
    )


def test_bytes_of_another_encoding_survive() -> None:
    raw = "# coding: latin-1\n# é\nserver = x()\n".encode("latin-1")
    parsed = parse(read_source(PATH, raw))
    start = parsed.source.text.index("server")
    wanted = Enable(Anchor(Span(PATH, start, start + 12), "server"), (Import("m"),))
    result = edited(parsed.source, enable_edits(parsed, [wanted]))
    assert "# é".encode("latin-1") in result
    ast.parse(result)


ELSEWHERE = {
    "a call that nobody knows": ("enable(one)\n", [], "enable(one)"),
    "a call that is known": ("enable(one)\n", [PATH], None),
    "a call at the place of a known one in another file": ("enable(one)\n", ["pkg/other.py"], "enable(one)"),
    "a call of another function": ("print(one)\n", [], None),
    "a method of that name": ("faulthandler.enable()\n", [], None),
}


@pytest.mark.parametrize(("call", "files", "found"), ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_call_that_a_person_has_put_elsewhere(call: str, files: list[str], found: str | None) -> None:
    text = f"{IMPORT}\n{call}"
    known = [Span(file, len(IMPORT) + 1, len(text) - 1) for file in files]
    span = called_elsewhere(parse(source(text)), "progressive_disclosure", known)
    assert (text[span.start : span.end] if span else None) == found


HOME = Home("pkg/progressive_disclosure.py", "pkg/tool_descriptions")
TREE = ("pkg/__init__.py", "pkg/a.py", "pkg/db.py", PATH)
TWO_WAYS = table("two_ways.txt")


@pytest.mark.parametrize(("before", "expected"), TWO_WAYS.values(), ids=TWO_WAYS)
def test_two_ways(before: str, expected: str) -> None:
    parsed, anchor = anchored(before, "server")
    how = imports_of(HOME, parsed, Around(TREE, {"package", "script"}), anchor.span.start)
    assert edited(parsed.source, enable_edits(parsed, [Enable(anchor, how)])).decode() == expected
