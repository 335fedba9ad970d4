"""Tools of fastmcp's servers that a program takes out of their components and changes.

What each server sends was found by running it, with fastmcp 3.4.10 and 4.2.3.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import understood

RELEASES = ({"fastmcp": "3.4.10", "mcp": "1.30.0"}, {"fastmcp": "4.2.3", "mcp": "2.3.0"})
HEAD = """
from enum import Enum
from pydantic import BaseModel
from fastmcp import FastMCP
from fastmcp.tools import Tool
mcp = FastMCP('x')
@mcp.tool
def a(x: int | None = None, *, y: list[str]) -> dict: 'A'
@mcp.tool
def b(z: str = 'q') -> str: 'B'
@mcp.resource('r://x')
def res() -> str: ...
"""
SIMPLIFIED = """
def simplify(s):
    for p in s.get('properties', {}).values():
        if 'anyOf' in p:
            rest = [q for q in p['anyOf'] if q.get('type') != 'null']
            if len(rest) == 1:
                p.clear()
                p.update(rest[0])
src = getattr(mcp, '_local_provider', None)
for t in [v for v in src._components.values() if isinstance(v, Tool)]:
    simplify(t.parameters)
    t.description = t.description + '!'
"""
PROPERTIES = [
    {"x": {"type": "integer"}, "y": {"items": {"type": "string"}, "type": "array"}},
    {"z": {"default": "q", "type": "string"}},
]
REFERENCES = """
class M(BaseModel):
    k: int
class C(Enum):
    R = 'r'
@mcp.tool
def c(m: M, k: C) -> None: 'C'
for t in mcp._local_provider._components.values():
    if isinstance(t, Tool):
        t.parameters['title'] = 'T'
"""


@pytest.mark.parametrize("versions", RELEASES, ids=lambda each: each["fastmcp"])
def test_tools_among_the_components_are_those_that_are_listed(tmp_path: Path, versions: dict[str, str]) -> None:
    (server,) = understood(tmp_path, versions, server=HEAD + SIMPLIFIED)
    assert [tool.definition["description"] for tool in server.tools] == ["A!", "B!"]
    assert [tool.definition["inputSchema"]["properties"] for tool in server.tools] == PROPERTIES
    assert ([tool.exact for tool in server.tools], server.incomplete) == ([True, True], None)


def test_a_schema_with_references_that_is_used_early_is_left_open(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, RELEASES[0], server=HEAD + REFERENCES)
    assert [(tool.name, list(tool.unknown)) for tool in server.tools] == [("a", []), ("b", []), ("c", ["inputSchema"])]
