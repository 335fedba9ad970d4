"""Tools that are registered in a loop over a set, whose order differs from run to run.

The list is never said to be complete, because its order is not known."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Server
from tests.understand.sources import understood

HEAD = """\
from mcp.server.fastmcp import FastMCP

server = FastMCP("desk")

def first(about=""):
    @server.tool(description="First." + about)
    def one(number: int) -> str: ...

def second(about=""):
    @server.tool(description="Second." + about)
    def two(number: int) -> str: ...

def again(about=""):
    @server.tool(name="two", description="Again." + about)
    def three(number: int) -> str: ...

GROUPS = {"first": first, "second": second, "again": again}
"""


def tools_of(root: Path, loop: str) -> Server:
    (server,) = understood(root, server=f"{HEAD}\n{loop}\nserver.run()\n")
    return server


KNOWN = {
    "called": "for name in {'first', 'second'}:\n    GROUPS[name]()",
    "made of keys": "for name in set(GROUPS) - {'again'}:\n    register = GROUPS.get(name)\n    register()",
}


@pytest.mark.parametrize("loop", KNOWN)
def test_what_each_element_registers_is_known_but_not_in_which_order(loop: str, tmp_path: Path) -> None:
    server = tools_of(tmp_path, KNOWN[loop])
    found = {tool.name: (tool.definition["description"], dict(tool.unknown)) for tool in server.tools}
    assert found == {"one": ("First.", {}), "two": ("Second.", {})}
    assert server.incomplete is not None


@pytest.mark.parametrize(
    "loop",
    [
        "for name in {'second', 'again'}:\n    GROUPS[name]()",
        "for name in {'first', 'second'}:\n    GROUPS[name]()\n    break",
        "seen = set()\nfor name in {'first', 'second'}:\n    if not seen:\n        GROUPS[name]()\n    seen.add(name)",
        "import os\nfor name in set(os.environ['N']) if 'N' in os.environ else {'first', 'second'}: GROUPS[name]()",
    ],
    ids=["one name twice", "left early", "only the first", "some or all"],
)
def test_no_tool_is_certain_where_the_order_decides(loop: str, tmp_path: Path) -> None:
    server = tools_of(tmp_path, loop)
    assert server.incomplete is not None
    assert [tool.name for tool in server.tools if tool.conditional is None] == []
