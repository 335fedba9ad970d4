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
OTHERS = {"texts.py": "TEXT = 'A'\n", "other.py": "import texts\n\ndef change(name):\n    setattr(texts, name, 'B')\n"}


SET = {
    "in another module": f"import texts\nsetattr(texts, 'TEXT', 'B')\nfrom texts import TEXT\n{FAST}",
    "in a function": f"import texts\ndef put():\n    setattr(texts, 'TEXT', 'B')\nput()\nTEXT = texts.TEXT\n{FAST}",
}


@pytest.mark.parametrize("source", SET.values(), ids=SET)
def test_a_name_that_is_set_under_a_text_is_known(source: str, tmp_path: Path) -> None:
    (server,) = servers_in(tmp_path, {"server.py": source + TOOL, **OTHERS})
    (tool,) = server.tools
    assert tool.definition["description"] == "B"
