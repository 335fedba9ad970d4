"""Shapes of programs that published servers have: each is settled to the end, or open for a reason that is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.test_soundness import FAST, FUNCTION, understood

NEVER_CALLED = "def set_for_tests(k, v):\n    globals()[k] = v\n"
CALLED_SOMEWHERE = {
    "by name": "set_for_tests('TEXT', 'B')\n",
    "handed on": "HOOK = set_for_tests\n",
    "by text": "NAME = 'set_for_tests'\n",
    "by an attribute": "import server\nserver.set_for_tests('TEXT', 'B')\n",
}


def test_a_function_that_nobody_names_changes_no_globals(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, server=NEVER_CALLED + FAST + "@mcp.tool()\n" + FUNCTION)
    assert [tool.exact for tool in server.tools] == [True]


@pytest.mark.parametrize("use", CALLED_SOMEWHERE.values(), ids=CALLED_SOMEWHERE)
def test_a_function_that_somebody_names_may_change_globals(tmp_path: Path, use: str) -> None:
    source = NEVER_CALLED + "TEXT = 'A'\n" + use + FAST + "@mcp.tool(description=TEXT)\n" + FUNCTION
    for server in understood(tmp_path, server=source):
        assert not [tool for tool in server.tools if "description" not in tool.unknown]
