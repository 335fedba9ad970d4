"""Servers of decorated functions that hide their tools behind a search already, and others that only look like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_input.cases import APPLY, Bad, check_refused
from tests.layouts.decorated import FAMILIES, GUARD, HEAD, SERVER, decorated, module
from tests.layouts.servers import joined
from tests.support.command_line import pdmigrate
from tests.support.files import write

(FAMILY,) = (family for family in FAMILIES if family.id == "fastmcp4")
SKIPPED = (
    "found 2 = moved 0 + stubbed 0 + skipped 2 + failed 0\n",
    "nothing to do: 2 tools found, and none can be migrated",
)
BM25 = "from fastmcp.server.transforms.search import BM25SearchTransform"
REGEX = "from fastmcp.server.transforms import search"
CODE = "from fastmcp.experimental.transforms.code_mode import CodeMode"

HIDING = {
    "a search instead of the tools": (
        {"server.py": module(BM25, server='mcp = @CLASS@("notes", transforms=[BM25SearchTransform()])')},
        (
            "server.py:7: PD533 warning: the server made at server.py:7 is left as it is: ",
            "BM25SearchTransform hides its tools behind a search already\n",
        ),
    ),
    "a search that is added": (
        {"server.py": module(REGEX, end=f"mcp.add_transform(search.RegexSearchTransform(max_results=3))\n\n{GUARD}")},
        ("PD533 warning: ", "RegexSearchTransform hides its tools behind a search already\n"),
    ),
    "a search that another module adds": (
        {
            "app.py": joined(f"{HEAD}\n{SERVER}", decorated()),
            "main.py": f"{CODE}\n\nfrom app import mcp\n\nmcp.add_transform(CodeMode())\n\n{GUARD}",
        },
        ("main.py:5: PD533 warning: ", "CodeMode hides its tools behind a search already\n"),
    ),
}


@pytest.mark.parametrize(("files", "said"), HIDING.values(), ids=HIDING)
def test_a_server_that_hides_its_tools_is_left(files: dict[str, str], said: tuple[str, ...], tmp_path: Path) -> None:
    texts = {path: FAMILY.text(text) for path, text in files.items()}
    check_refused(tmp_path, Bad(texts, (*said, *SKIPPED), 0, (*APPLY, *FAMILY.versions)))


LIKE_A_SEARCH = {
    "another transform": module(
        "from fastmcp.server.transforms import Namespace", server='mcp = @CLASS@("notes", transforms=[Namespace("a")])'
    ),
    "a search that is only mentioned": module(server=f"# BM25SearchTransform() would hide them\n{SERVER}"),
    "a search for somebody else": module(BM25, server=f"SPARE = BM25SearchTransform()\n{SERVER}"),
}


@pytest.mark.parametrize("text", LIKE_A_SEARCH.values(), ids=LIKE_A_SEARCH)
def test_what_only_looks_like_a_search_is_migrated(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "server.py": FAMILY.text(text)})
    ran = pdmigrate("apply", "--all", tmp_path, *FAMILY.versions)
    assert (ran.status, "PD533" in ran.stderr, "stubbed 2 + skipped 0 + failed 0" in ran.stderr) == (0, False, True)
