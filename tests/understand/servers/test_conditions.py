"""The words for when a tool is listed that a branch adds: the test as it is written, and what decides it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.understand.servers.test_decorated import servers

START = """
import os, sys
mcp = SERVER("demo")
def one() -> str:
    return ""
FLAG = os.getenv("FLAG")
"""
ADD = "mcp.add_tool(one)"
VARIABLE = "(the environment variable FLAG)"

WORDS = {
    "a name": (f"if FLAG:\n    {ADD}", f"only when FLAG {VARIABLE}"),
    "the other branch": (f"if FLAG:\n    pass\nelse:\n    {ADD}", f"only when not FLAG {VARIABLE}"),
    "a negation": (f"if not FLAG:\n    {ADD}", f"only when not FLAG {VARIABLE}"),
    "the other branch of a negation": (f"if not FLAG:\n    pass\nelse:\n    {ADD}", f"only when FLAG {VARIABLE}"),
    "two that leave": (
        f"def add():\n    if not FLAG:\n        return\n    if os.getenv('A'):\n        return\n    {ADD}\nadd()",
        f"depending on whether not FLAG {VARIABLE}",
    ),
    "an argument": (f"if len(sys.argv) > 1:\n    {ADD}", "only when len(sys.argv) > 1 (the command line)"),
}


@pytest.mark.parametrize("name", WORDS)
def test_a_condition_says_when_the_tool_is_listed(tmp_path: Path, name: str) -> None:
    code, words = WORDS[name]
    (server,) = servers(tmp_path, "mcp1-fastmcp", START + textwrap.dedent(code) + "\n")
    assert [tool.conditional for tool in server.tools] == [words]
