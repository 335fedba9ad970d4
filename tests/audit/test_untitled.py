"""``docs/audit.md``: the code that leaves titles out of schemas, run with each SDK over stdio."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pdmigrate.live.asking import ask
from pdmigrate.live.wire import StdioTarget
from pdmigrate.model import JsonObject
from tests.support.environments import FASTMCP2, FASTMCP3, FASTMCP4, MCP1, MCP2, environment

PAGE = (Path(__file__).parents[2] / "docs" / "audit.md").read_text(encoding="utf-8")
SECTION = re.split(r"^## ", PAGE.partition("\n### Leave titles out\n")[2], flags=re.MULTILINE)[0]
UNTITLED, ON_MCP1, ON_MCP2, ON_FASTMCP = re.findall(r"^```python\n(.*?)^```", SECTION, re.DOTALL | re.MULTILINE)

TOOLS = '''
from pydantic import BaseModel


class Page(BaseModel):
    title: str
    number_of_lines: int = 3


@mcp.tool()
def find(title: str, page: Page, words: dict[str, str] = {"title": "kept"}) -> str:
    """Find a page."""
    return title


mcp.run()
'''

FASTMCP2_10 = ("fastmcp==2.10.6", "mcp==1.30.0", "pydantic==2.11.10")
TITLE = r"'title': '(?!kept)[^']*'"
"""A title in the text of a schema: not the name of a parameter, nor a value."""


def listed(folder: Path, pins: tuple[str, ...], code: str) -> JsonObject:
    server = folder / "server.py"
    server.write_text(code + TOOLS, encoding="utf-8")
    (tool,) = ask(StdioTarget((str(environment(pins)), str(server))), timeout=60).tools
    schema = tool["inputSchema"]
    assert isinstance(schema, dict)
    return schema


@pytest.mark.parametrize(
    ("pins", "code"),
    [(MCP1, ON_MCP1), (MCP2, ON_MCP2), (FASTMCP2_10, ON_FASTMCP)],
    ids=["mcp 1", "mcp 2", "fastmcp 2.10"],
)
def test_titles_are_left_out_and_nothing_else(tmp_path: Path, pins: tuple[str, ...], code: str) -> None:
    plain = code.replace("untitled(one", "dict(one")
    whole, trimmed = str(listed(tmp_path, pins, plain)), str(listed(tmp_path, pins, UNTITLED + code))
    assert re.search(TITLE, whole)
    assert not re.search(TITLE, trimmed)
    assert "'title': {'type': 'string'}" in trimmed
    assert "'default': {'title': 'kept'}" in trimmed
    assert re.sub(rf"(, )?{TITLE}", "", whole).replace("{, ", "{") == trimmed


@pytest.mark.parametrize("pins", [FASTMCP2, FASTMCP3, FASTMCP4], ids=["2", "3", "4"])
def test_newer_versions_of_fastmcp_leave_them_out_themselves(tmp_path: Path, pins: tuple[str, ...]) -> None:
    whole = str(listed(tmp_path, pins, 'from fastmcp import FastMCP\n\nmcp = FastMCP("pages")\n'))
    assert "'title': {'type': 'string'}" in whole
    assert not re.search(TITLE, whole)
