"""Servers of decorated functions that hide their tools behind a search already, and others that only look like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bad_input.cases import APPLY, Bad, check_refused
from tests.support.command_line import pdmigrate
from tests.support.environments import FASTMCP4
from tests.support.files import write

VERSIONS = tuple(word for pin in FASTMCP4 for word in ("--sdk", pin))
SERVER = 'mcp = FastMCP("notes")'
TOOLS = '''\
@mcp.tool()
def find_note(text: str) -> str:
    """Find notes by their text. The newest comes first."""
    return text


@mcp.tool()
def drop_note(id: str) -> str:
    """Remove a note for good. Nothing brings it back."""
    return id
'''
GUARD = 'if __name__ == "__main__":\n    mcp.run()\n'
BM25 = "from fastmcp.server.transforms.search import BM25SearchTransform\n"
REGEX = "from fastmcp.server.transforms import search\n"
CODE = "from fastmcp.experimental.transforms.code_mode import CodeMode\n"
SKIPPED = (
    "found 2 = moved 0 + stubbed 0 + skipped 2 + failed 0\n",
    "nothing to do: 2 tools found, and none can be migrated",
)


def module(imported: str = "", server: str = SERVER, end: str = "") -> str:
    return f"from fastmcp import FastMCP\n{imported}\n{server}\n\n\n{TOOLS}\n\n{end}{GUARD}"


HIDING = {
    "a search instead of the tools": (
        {"server.py": module(BM25, 'mcp = FastMCP("notes", transforms=[BM25SearchTransform()])')},
        (
            "server.py:4: PD533 warning: the server made at server.py:4 is left as it is: ",
            "BM25SearchTransform hides its tools behind a search already\n",
        ),
    ),
    "a search that is added": (
        {"server.py": module(REGEX, end="mcp.add_transform(search.RegexSearchTransform(max_results=3))\n\n")},
        ("PD533 warning: ", "RegexSearchTransform hides its tools behind a search already\n"),
    ),
    "a search that another module adds": (
        {
            "app.py": f"from fastmcp import FastMCP\n\n{SERVER}\n\n\n{TOOLS}",
            "main.py": f"{CODE}\nfrom app import mcp\n\nmcp.add_transform(CodeMode())\n\n{GUARD}",
        },
        ("main.py:5: PD533 warning: ", "CodeMode hides its tools behind a search already\n"),
    ),
}


@pytest.mark.parametrize(("files", "said"), HIDING.values(), ids=HIDING)
def test_a_server_that_hides_its_tools_is_left(files: dict[str, str], said: tuple[str, ...], tmp_path: Path) -> None:
    check_refused(tmp_path, Bad(files, (*said, *SKIPPED), 0, (*APPLY, *VERSIONS)))


NAMESPACE = "from fastmcp.server.transforms import Namespace\n"
LIKE_A_SEARCH = {
    "another transform": module(NAMESPACE, 'mcp = FastMCP("notes", transforms=[Namespace("a")])'),
    "a search that is only mentioned": module(server=f"# BM25SearchTransform() would hide them\n{SERVER}"),
    "a search for somebody else": module(BM25, f"SPARE = BM25SearchTransform()\n{SERVER}"),
}


@pytest.mark.parametrize("text", LIKE_A_SEARCH.values(), ids=LIKE_A_SEARCH)
def test_what_only_looks_like_a_search_is_migrated(text: str, tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "", "server.py": text})
    ran = pdmigrate("apply", "--all", tmp_path, *VERSIONS)
    assert (ran.status, "PD533" in ran.stderr) == (0, False)
    assert "stubbed 2 + skipped 0 + failed 0" in ran.stderr
