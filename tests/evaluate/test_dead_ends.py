"""Sides of conditions that end the program: which they are, and what is left of them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import libcst as cst
import pytest

from pdmigrate.evaluate.language.dead_ends import ends_program
from tests.recognise.test_decorated import servers

ENDS = [
    "raise SystemExit",
    "raise SystemExit(0)",
    "print(1); sys.exit(2)",
    "work()\n    exit()",
    "os._exit(1)",
    "for x in y:\n        work(x)\n    quit()",
    "def inner():\n        return 1\n    sys.exit()",
]
GOES_ON = [
    "pass",
    "raise ValueError",
    "raise",
    "sys.exit",
    "sys.exit()\n    work()",
    "other.exit()",
    "return sys.exit()",
    "if a:\n        return\n    sys.exit()",
    "for x in y:\n        break\n    sys.exit()",
    "yield 1\n    sys.exit()",
    "try:\n        sys.exit()\n    except SystemExit:\n        pass",
    "raise SystemExitError",
    "value = sys.exit()",
    "lambda: sys.exit()",
]


def block(body: str) -> cst.BaseSuite:
    tree = cst.parse_module(f"def f():\n  if x:\n    {body}\n")
    function = cst.ensure_type(tree.body[0], cst.FunctionDef)
    return cst.ensure_type(function.body.body[0], cst.If).body


@pytest.mark.parametrize("body", ENDS)
def test_a_block_ends_the_program(body: str) -> None:
    assert ends_program(block(body))


@pytest.mark.parametrize("body", GOES_ON)
def test_a_block_may_go_on(body: str) -> None:
    assert not ends_program(block(body))


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
