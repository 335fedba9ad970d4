"""Servers from factories, registries in base classes, starred names and noted functions, as real programs have them.

What each server sends was found by running it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.source.whole import Whole
from pdmigrate.understand import programs
from tests.understand.sources import VERSIONS, servers_in, understood

HEAD = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n"
A = "def a(x: int) -> int: 'A'\n"
PROGRAMS = {
    "abstract properties": (
        {
            "base": """
from abc import ABC, abstractmethod
class Tool(ABC):
    @property
    @abstractmethod
    def name(self) -> str: ...
    @property
    def description(self) -> str:
        return self.__class__.__doc__
    @abstractmethod
    def run(self, text: str) -> str: ...
    def register(self, server):
        server.add_tool(self.run, name=self.name, description=self.description)
""",
            "server": f"""
from base import Tool
{HEAD}
class A(Tool):
    'A tool.'
    name = 'a'
    def run(self, text: str, n: int = 3) -> str: ...
class B(Tool):
    'B tool.'
    @property
    def name(self):
        return 'b'
    def run(self, text: str) -> str: ...
for t in [A(), B()]:
    t.register(mcp)
""",
        },
        {"a": "A tool.", "b": "B tool."},
    ),
    "all without underscore": (
        {
            "inner": f"""
__all__ = []
def export(f):
    __all__.append(f.__name__)
    return f
@export
{A}
@export
def _b() -> str: '_B'
""",
            "tools": """
from inner import *
from inner import __all__ as inner_all
__all__ = list(inner_all) + ['own']
def own() -> str: 'OWN'
""",
            "server": f"""
from tools import *
{HEAD}
mcp.tool()(a)
mcp.tool()(own)
from inner import *
mcp.tool()(_b)
""",
        },
        {"a": "A", "own": "OWN", "_b": "_B"},
    ),
    "folders without a file of their own": (
        {
            "parts/deep/texts": "TEXT = 'A!'\n",
            "server": f"""
from parts.deep import texts
{HEAD}
@mcp.tool(description=texts.TEXT)
{A}
""",
        },
        {"a": "A!"},
    ),
}
MAIN = "def main():\n    mcp.run()\nif __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(("files", "sent"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_server_is_known_wherever_it_is_made(tmp_path: Path, files: dict[str, str], sent: dict[str, str]) -> None:
    (server,) = understood(tmp_path, **{**files, "server": files["server"] + MAIN})
    assert {tool.name: tool.definition.get("description") for tool in server.tools} == sent
    assert all(tool.exact and tool.conditional is None for tool in server.tools)
    assert server.incomplete is None


BASE = """
from mcp.server.fastmcp import FastMCP
class Base(FastMCP):
    def __init__(self, name):
        super().__init__(name)
        self.add_tool(self.a)
    def a(self) -> str: 'A'
"""


@pytest.mark.parametrize("made", ["mcp = Base('x')", "class Own(Base): pass\nmcp = Own('x')"])
def test_a_server_is_answered_for_once_with_the_file_that_makes_it(made: str, tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"base.py": BASE, "maker.py": f"from base import Base\n{made}"})
    assert [tool.definition["name"] for tool in server.tools] == ["a"]
    files = ("base.py", "maker.py")
    whole = Whole(tmp_path, files)
    counts = {path: len(programs.understood(path, whole, VERSIONS).servers) for path in files}
    assert counts == {"base.py": 0, "maker.py": 1}
