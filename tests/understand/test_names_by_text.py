"""Modules whose names are set by text: their servers and tools stay, and only what may have been replaced is open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, servers_in

TOOL = """
@mcp.tool(description=TEXT)
def look(name: str) -> str:
    "Look."
    return name

mcp.run()
"""
HELPER = (
    "def load(values):\n    for key, value in values.items():\n        globals()[key] = value\n\nload({'TEXT': 'B'})\n"
)
OPEN = {
    "before the server": f"TEXT = 'A'\nglobals()['TEXT'] = 'B'\n{FAST}",
    "after the server": f"TEXT = 'A'\n{FAST}globals()['TEXT'] = 'B'\n",
    "an attribute of the module": f"import sys\nTEXT = 'A'\nsetattr(sys.modules[__name__], 'TEXT', 'B')\n{FAST}",
    "many names": f"TEXT = 'A'\nglobals().update(TEXT='B')\n{FAST}",
    "in a function": f"TEXT = 'A'\n{HELPER}{FAST}",
    "in a function, then bound": f"{HELPER}TEXT = 'A'\n{FAST}",
    "executed": f"TEXT = 'A'\nexec('TEXT = chr(66)')\n{FAST}",
    "in another module": f"import texts\nsetattr(texts, input(), 'B')\nfrom texts import TEXT\n{FAST}",
    "from another module": f"import texts, other\n{FAST}other.change(input())\nTEXT = texts.TEXT\n",
}
OTHERS = {"texts.py": "TEXT = 'A'\n", "other.py": "import texts\n\ndef change(name):\n    setattr(texts, name, 'B')\n"}


@pytest.mark.parametrize("source", OPEN.values(), ids=OPEN)
def test_a_name_that_may_have_been_set_is_open(source: str, tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"server.py": source + TOOL, **OTHERS})
    (tool,) = server.tools
    assert tool.name == "look"
    assert (list(tool.unknown), set(tool.definition["inputSchema"]["properties"])) == (["description"], {"name"})


SET = {
    "in another module": f"import texts\nsetattr(texts, 'TEXT', 'B')\nfrom texts import TEXT\n{FAST}",
    "in a function": f"import texts\ndef put():\n    setattr(texts, 'TEXT', 'B')\nput()\nTEXT = texts.TEXT\n{FAST}",
}


@pytest.mark.parametrize("source", SET.values(), ids=SET)
def test_a_name_that_is_set_under_a_text_is_known(source: str, tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"server.py": source + TOOL, **OTHERS})
    (tool,) = server.tools
    assert tool.definition["description"] == "B"


KNOWN = {
    "bound after it": f"globals()['TEXT'] = 'B'\nTEXT = 'A'\n{FAST}",
    "bound after the code": f"exec('TEXT = chr(66)')\n{FAST}TEXT = 'A'\n",
}


@pytest.mark.parametrize("source", KNOWN.values(), ids=KNOWN)
def test_a_name_that_is_bound_afterwards_is_known(source: str, tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"server.py": source + TOOL})
    (tool,) = server.tools
    assert tool.definition["description"] == "A"
