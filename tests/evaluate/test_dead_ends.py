"""Sides of conditions that end the program: what is left of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.recognise.test_decorated import servers

MAIN = """
    import os, sys
    from app import mcp
    def main():
        if os.environ.get("DOCS"):
            {before}
            raise SystemExit(0)
        import tools
        mcp.run()
    if __name__ == "__main__":
        main()
"""
APP = {
    "app.py": "mcp = SERVER('demo')\n",
    "tools.py": "from app import mcp\n@mcp.tool()\ndef one() -> str:\n    return ''\n",
}


@pytest.mark.parametrize(
    ("before", "complete"),
    [
        ("pass", True),
        ("import tools", True),
        ("import tools; print(sum(n for n in range(9)))", True),
        ("import tools; print(sum(m for n in range(900) for m in range(900)))", False),
    ],
)
def test_what_is_imported_before_an_exit_is_imported_again(tmp_path: Path, before: str, complete: bool) -> None:
    source = {**APP, "main.py": dedent(MAIN).format(before=before)}
    (server,) = servers(tmp_path, "mcp1-fastmcp", source)
    assert [(tool.name, tool.conditional) for tool in server.tools] == [("one", None)]
    assert (server.incomplete is None) is complete


def test_a_server_that_is_started_before_an_exit_is_seen(tmp_path: Path) -> None:
    main = dedent(MAIN).format(before="import tools; mcp.run()")
    (server,) = servers(tmp_path, "mcp1-fastmcp", {**APP, "main.py": main})
    assert [tool.name for tool in server.tools] == ["one"]
