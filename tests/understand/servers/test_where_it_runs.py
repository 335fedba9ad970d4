"""Tools of a server as it is where the program runs it, on paths that lead no further."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.understand.servers.test_decorated import servers

START = """
import os, sys
mcp = SERVER("demo")
@mcp.tool()
def one() -> str:
    return ""
def two() -> str:
    return ""
"""


def conditions(folder: Path, code: str) -> dict[str | None, str | None]:
    (server,) = servers(folder, "mcp1-fastmcp", START + textwrap.dedent(code))
    assert server.incomplete is None
    return {tool.name: tool.conditional for tool in server.tools}


def test_a_tool_of_a_path_that_runs_the_server_is_conditional(tmp_path: Path) -> None:
    found = conditions(
        tmp_path,
        """
        def main():
            try:
                if os.environ.get("MODE"):
                    mcp.add_tool(two)
                    sys.exit(0)
            finally:
                mcp.run()
        if __name__ == "__main__":
            main()
    """,
    )
    assert found.keys() == {"one", "two"}
    assert found["one"] is None
    assert found["two"] in (
        "it depends on how the program runs the server",
        "depending on whether os.environ.get('MODE') (the environment variable MODE)",
    )


def test_a_tool_that_is_there_wherever_the_server_runs_is_certain(tmp_path: Path) -> None:
    assert conditions(
        tmp_path,
        """
        mcp.add_tool(two)
        if os.environ.get("MODE"):
            mcp.run()
            sys.exit(0)
        mcp.run("sse")
    """,
    ) == {"one": None, "two": None}


BESIDE = {
    "a factory": "def make(name):\n    other = FastMCP('other')\n    other.add_tool(two)\n    return other\n",
    "a method": (
        "class App:\n    def __init__(self):\n        self.other = FastMCP('other')\n        self.other.add_tool(two)\n"
    ),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_server_that_only_others_ask_for_is_found_beside_the_one_that_runs(tmp_path: Path, name: str) -> None:
    code = START.replace("SERVER", "FastMCP") + BESIDE[name]
    code = code.replace("import os, sys\n", "import os, sys\nfrom mcp.server.fastmcp import FastMCP\n") + "mcp.run()\n"
    found = servers(tmp_path, "mcp1-fastmcp", code)
    assert {server.name: [tool.name for tool in server.tools] for server in found} == {
        "demo": ["one"],
        "other": ["two"],
    }
