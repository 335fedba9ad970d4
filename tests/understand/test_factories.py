"""Servers from factories, registries in base classes, starred names and noted functions, as real programs have them.

What each server sends was found by running it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.source.whole import Whole
from pdmigrate.understand import programs
from tests.understand.sources import VERSIONS, servers_in, understood

REPEATED = {
    "$mcp": "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')",
    "$fastmcp": "from mcp.server.fastmcp import FastMCP",
    "$a": "def a(x: int) -> int:\n    'A'\n    return x",
    "$b": "def b(x: int) -> int:\n    'B'\n    return x",
    "$c": "def b() -> str:\n    'B'\n    return ''",
    "$main": "def main():\n    mcp.run()",
    "$note": "from deco import tool",
    "$noting": "REG = {}\ndef tool(f):\n    REG[f.__name__] = f\n    return f",
}
"""What stands in several programs, by the line that stands for it, at any depth."""
CASES = {
    "lru_cache factory": """
== core
$fastmcp
from functools import lru_cache
@lru_cache(maxsize=1)
def get_server():
    return FastMCP('x')
== tools
from core import get_server
@get_server().tool()
$a
== server
from core import get_server
import tools
def main():
    get_server().run()
== sent
a: A
""",
    "abstract properties": """
== base
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
== server
$fastmcp
from base import Tool
class A(Tool):
    'A tool.'
    name = 'a'
    def run(self, text: str, n: int = 3) -> str:
        return text
class B(Tool):
    'B tool.'
    @property
    def name(self):
        return 'b'
    def run(self, text: str) -> str:
        return text
mcp = FastMCP('x')
for t in [A(), B()]:
    t.register(mcp)
$main
== sent
a: A tool.; b: B tool.
""",
    "computed all": """
== pkg/__init__
from . import one, two
from .one import *
from .two import *
__all__ = one.__all__ + two.__all__
== pkg/one
__all__ = ['a']
$a
def hidden(): pass
== pkg/two
__all__ = ['b', 'TEXT']
TEXT = 'B!'
$b
== server
$fastmcp
from pkg import *
mcp = FastMCP('x')
mcp.tool()(a)
mcp.tool(description=TEXT)(b)
$main
== sent
a: A; b: B!
""",
    "all by comprehension": """
== tools
import os
$a
$c
__all__ = [n for n in dir() if not n.startswith('_') and n != 'os']
== server
$fastmcp
from tools import *
mcp = FastMCP('x')
for f in (a, b):
    mcp.tool()(f)
$main
== sent
a: A; b: B
""",
    "all without underscore": """
== tools
from inner import *
from inner import __all__ as inner_all
__all__ = list(inner_all) + ['own']
def own() -> str:
    'OWN'
    return ''
== inner
__all__ = []
def export(f):
    __all__.append(f.__name__)
    return f
@export
$a
@export
def _b() -> str:
    '_B'
    return ''
== server
$fastmcp
from tools import *
mcp = FastMCP('x')
mcp.tool()(a)
mcp.tool()(own)
from inner import *
mcp.tool()(_b)
$main
== sent
a: A; own: OWN; _b: _B
""",
    "folders without a file of their own": """
== parts/deep/texts
TEXT = 'A!'
== server
$fastmcp
import parts.deep.texts
import parts as p
mcp = FastMCP('x')
@mcp.tool(description=parts.deep.texts.TEXT + p.deep.texts.TEXT)
$a
$main
== sent
a: A!A!
""",
}
"""Programs: each file behind ``==`` and its name; the last part says which tools are sent, and described how."""
GUARD = 'if __name__ == "__main__":\n    main()\n'


def _parts(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split("== ")[1:]:
        name, *lines = part.splitlines()
        depths = [line[: len(line) - len(line.lstrip())] for line in lines]
        whole = [REPEATED.get(line.strip(), line.strip()).splitlines() for line in lines]
        written = (depth + line for depth, inner in zip(depths, whole, strict=True) for line in inner)
        found[name] = "".join(f"{line}\n" for line in written)
    return found


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_a_server_is_known_wherever_it_is_made(tmp_path: Path, text: str) -> None:
    files = _parts(text)
    sent = [tuple(entry.split(": ")) for entry in files.pop("sent").strip().split("; ")]
    (server,) = understood(tmp_path, **{**files, "server": files["server"] + GUARD})
    assert [(tool.name, tool.definition.get("description")) for tool in server.tools] == sent
    assert all(tool.exact and tool.conditional is None for tool in server.tools)
    assert server.incomplete is None


BASE = """
from mcp.server.fastmcp import FastMCP
class Base(FastMCP):
    def __init__(self, name):
        super().__init__(name)
        self.add_tool(self.a)
    def a(self) -> str:
        'A'
        return ''
"""
MAKERS = {
    "a call": "from base import Base\nmcp = Base('x')",
    "a function": "from base import Base\ndef make():\n    return Base('x')\nmcp = make()",
    "a class of its own": "from base import Base\nclass Own(Base):\n    pass\nmcp = Own('x')",
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_server_is_answered_for_once_with_the_file_that_makes_it(name: str, tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"base.py": BASE, "maker.py": MAKERS[name]})
    assert [tool.definition["name"] for tool in server.tools] == ["a"]
    files = ("base.py", "maker.py")
    whole = Whole(tmp_path, files)
    counts = {path: len(programs.understood(path, whole, VERSIONS).servers) for path in files}
    assert counts == {"base.py": 0, "maker.py": 1}
