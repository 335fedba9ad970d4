# ruff: noqa: E501 - each source stands in one line
"""Programs that choose what to do out of a table, by a key that only whoever starts them knows."""

from __future__ import annotations

from pathlib import Path

from pdmigrate.model import Server
from tests.understand.servers.test_decorated import servers

PROGRAM = """
    import argparse, os, sys
    mcp = SERVER("demo")
    @mcp.tool()
    def always() -> str:
        return ""
    def version(args):
        print("1.0")
        return 0
    def serve(args):
        @mcp.tool()
        def served(text: str) -> str:
            return text
        mcp.run()
        return 0
    class Serving:
        def __init__(self, args):
            serve(args)
    def main():
        parser = argparse.ArgumentParser()
        parser.add_argument("command")
        args = parser.parse_args()
        {start}
    if __name__ == "__main__":
        main()
"""


def served(folder: Path, start: str) -> Server:
    (server,) = servers(folder, "fastmcp4", PROGRAM.replace("{start}", start))
    return server


def test_what_is_no_table_of_known_functions_settles_nothing(tmp_path: Path) -> None:
    start = 'globals()[{"a": "version", "b": "serve"}[args.command]](args)'
    server = served(tmp_path, start)
    assert server.incomplete or any(tool.conditional for tool in server.tools)


def test_what_only_one_of_the_functions_registers_is_conditional(tmp_path: Path) -> None:
    start = '{"a": version, "b": more}.get(os.environ.get("MODE", "a"))(args)\n        mcp.run()'
    more = "def more(args):\n        mcp.tool()(always_more)\n    def always_more() -> str:\n        return ''\n    def main():"
    source = PROGRAM.replace("def main():", more).replace("{start}", start)
    (server,) = servers(tmp_path, "fastmcp4", source)
    assert [(tool.name, bool(tool.conditional)) for tool in server.tools] == [("always", False), ("always_more", True)]
    assert "MODE" in str(server.tools[1].conditional)
