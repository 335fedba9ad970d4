"""Servers that change what they list in ways that are easy to overlook: a claim must equal what each really sends.

What each one sends was found by running it.  ``SETTLED`` are followed to the end; of ``OPEN`` nothing wrong is claimed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import LOW, SAYS, understood

LISTS = '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n    return TOOLS\n'
SCHEMA = LOW + 'SCHEMA = {"type": "object", "properties": {}}\n'
SHOWS = (
    '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n'
    '    return [types.Tool(name="a", description="A", inputSchema=SCHEMA)]\n'
)
FUNCTION = 'def a(x: int) -> str:\n    "A"\n'
CLASS = LOW + (
    'class Maker:\n    text = "A"\n    def made(self):\n'
    '        return types.Tool(name="a", description=self.text, inputSchema={"type": "object"})\n'
)
MAKES = '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n    return [Maker().made()]\n'

CHANGED_SCHEMA = {"type": "object", "properties": {"k": {"type": "string"}}}
OPEN = {
    "bound in branches, and anew": (
        LOW
        + "import os\nif os.environ.get('M'):\n    TEXT = 'A'\nelse:\n    TEXT = 'B'\nSHOWN = TEXT\nTEXT = 'C'"
        + SAYS.replace("=TEXT", "=(TEXT, SHOWN)[1]")
    ),
    "attributes intercepted": CLASS
    + "class Other(Maker):\n    def __getattribute__(self, n):\n"
    + "        return 'B' if n == 'text' else object.__getattribute__(self, n)\n"
    + MAKES.replace("Maker()", "Other()"),
}


def test_a_changed_schema_is_the_one_that_is_sent(tmp_path: Path) -> None:
    change = "def add(s):\n    s['properties']['k'] = {'type': 'string'}\nadd(SCHEMA)"
    (server,) = understood(tmp_path, server=SCHEMA + change + SHOWS)
    assert [tool.definition["inputSchema"] for tool in server.tools] == [CHANGED_SCHEMA]


@pytest.mark.parametrize("source", OPEN.values(), ids=OPEN)
def test_what_is_not_followed_is_not_claimed(tmp_path: Path, source: str) -> None:
    for server in understood(tmp_path, server=source):
        assert not [tool for tool in server.tools if "description" not in tool.unknown]
        assert server.tools or server.incomplete
