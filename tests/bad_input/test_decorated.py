"""What may be wrong with projects whose tools are decorated functions; the table of the other tests, where it differs.

Each case is tried in one family, by turns, or in those that can do it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.bad_input.cases import check_said
from tests.layouts.decorated import FAMILIES, GUARD, HEAD, SERVER, Family, decorated, module
from tests.layouts.servers import joined
from tests.support.command_line import Ran, pdmigrate
from tests.support.files import tree, write

Files = Mapping[str, str | bytes]
ONE = module()
NONE_FOUND = ("no MCP server found below ROOT\n", "hint: servers are recognised by what they import")
SKIPPED = (
    "found 2 = moved 0 + stubbed 0 + skipped 2 + failed 0\n",
    "nothing to do: 2 tools found, and none can be migrated",
)
EVERY = tuple(family.id for family in FAMILIES)
TRANSFORMING = ("fastmcp3", "fastmcp4")
BM25 = "from fastmcp.server.transforms.search import BM25SearchTransform"
REGEX = "from fastmcp.server.transforms import search"
CODE = "from fastmcp.experimental.transforms.code_mode import CodeMode"


@dataclass(frozen=True)
class Bad:
    """``said`` are parts of standard error, in order; ``only`` are the families that can have this."""

    files: Files
    said: tuple[str, ...]
    status: int = 1
    only: tuple[str, ...] = EVERY


BAD = {
    "the class for annotations only": Bad(
        {"server.py": "@IMPORT@\n\n\ndef f(server: @CLASS@) -> None:\n    pass\n"}, NONE_FOUND
    ),
    "a class of another package": Bad(
        {
            "server.py": "@IMPORT@\nfrom vendor.mcp import VendorServer\n\n\nclass Notes(VendorServer):\n    pass\n\n\n"
            f'mcp = Notes("notes")\n\n\n{decorated()}\n\n{GUARD}'
        },
        (
            "server.py:12: PD203 warning: a function is made a tool of mcp here, but mcp was not ",
            "hint: make the server by calling the SDK's class, or one derived from it in this project\n",
            *NONE_FOUND,
        ),
    ),
    "a search instead of the tools": Bad(
        {"server.py": module(BM25, server='mcp = @CLASS@("notes", transforms=[BM25SearchTransform()])')},
        (
            "server.py:7: PD533 warning: the server made at server.py:7 is left as it is: ",
            "BM25SearchTransform hides its tools behind a search already\n",
            *SKIPPED,
        ),
        0,
        TRANSFORMING,
    ),
    "a search that is added": Bad(
        {
            "server.py": module(REGEX, end=f"mcp.add_transform(search.RegexSearchTransform(max_results=3))\n\n{GUARD}"),
        },
        ("PD533 warning: ", "RegexSearchTransform hides its tools behind a search already\n", *SKIPPED),
        0,
        TRANSFORMING,
    ),
    "a search that another module adds": Bad(
        {
            "app.py": joined(f"{HEAD}\n{SERVER}", decorated()),
            "main.py": f"{CODE}\n\nfrom app import mcp\n\nmcp.add_transform(CodeMode())\n\n{GUARD}",
        },
        ("main.py:5: PD533 warning: ", "CodeMode hides its tools behind a search already\n", *SKIPPED),
        0,
        TRANSFORMING,
    ),
}


def _cases(table: Mapping[str, Bad]) -> list[tuple[str, Family]]:
    cases: list[tuple[str, Family]] = []
    for number, (name, bad) in enumerate(table.items()):
        able = [family for family in FAMILIES if family.id in bad.only]
        cases += [(name, family) for family in (able if bad.only != EVERY else [able[number % len(able)]])]
    return cases


def _project(root: Path, family: Family, files: Files) -> Path:
    texts = {path: family.text(text) if isinstance(text, str) else text for path, text in files.items()}
    return write(root, {"pyproject.toml": "", **texts})


def _apply(root: Path, family: Family, *options: str) -> Ran:
    return pdmigrate("apply", "--all", root, *options, *family.versions)


@pytest.mark.parametrize(("name", "family"), _cases(BAD), ids=lambda value: getattr(value, "id", value))
def test_what_cannot_be_migrated_is_said_and_stays(name: str, family: Family, tmp_path: Path) -> None:
    bad = BAD[name]
    root = _project(tmp_path, family, bad.files)
    before = tree(root)
    ran = _apply(root, family, "--write")
    assert tree(root) == before
    assert (ran.status, ran.stdout) == (bad.status, ""), ran
    check_said(ran, root, bad.said)


LIKE_A_SEARCH = {
    "another transform": module(
        "from fastmcp.server.transforms import Namespace",
        server='mcp = @CLASS@("notes", transforms=[Namespace("a")])',
    ),
    "a search that is only mentioned": module(server=f"# BM25SearchTransform() would hide them\n{SERVER}"),
    "a search for somebody else": module(BM25, server=f'SPARE = BM25SearchTransform()\n{SERVER}'),
}  # fmt: skip


@pytest.mark.parametrize("family", [f for f in FAMILIES if f.id in TRANSFORMING], ids=lambda family: family.id)
@pytest.mark.parametrize("name", LIKE_A_SEARCH)
def test_what_only_looks_like_a_search_is_migrated(name: str, family: Family, tmp_path: Path) -> None:
    root = _project(tmp_path, family, {"server.py": LIKE_A_SEARCH[name]})
    ran = _apply(root, family)
    assert ran.status == 0
    assert "PD533" not in ran.stderr
    assert "stubbed 2 + skipped 0 + failed 0" in ran.stderr
