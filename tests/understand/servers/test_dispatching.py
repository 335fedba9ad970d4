# ruff: noqa: E501 - each source stands in one line
"""Programs that choose what to do out of a table, by a key that only whoever starts them knows."""

from __future__ import annotations

from pathlib import Path

import pytest

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
MANY = "{**{str(n): version for n in range(20)}, 'serve': serve}"
OTHERS = ", ".join(f"'{n}': lambda args: {n}" for n in range(8))

FOLLOWED = {
    "get": 'handler = {"version": version, "serve": serve}.get(args.command)\n        if handler:\n            sys.exit(handler(args))',
    "get with another function": '{"serve": serve}.get(args.command, version)(args)',
    "get with None": '{"serve": serve}.get(args.command, None)(args)',
    "a subscript": '{"version": version, "serve": serve}[args.command](args)',
    "a subscript of a table with one": '{"serve": serve}[args.command](args)',
    "a lambda": '{"version": version, "serve": lambda args: serve(args)}[args.command](args)',
    "a class": '{"version": version, "serve": Serving}[args.command](args)',
    "a variable of the environment": '{"a": version, "b": serve}.get(os.environ["MODE"], version)(args)',
    "two functions under many keys": f"({MANY}).get(args.command)(args)",
    "one of two names": 'handler = serve if args.command == "serve" else version\n        handler(args)',
    "one of two that are bound": "handler = version\n        if args.command:\n            handler = serve\n        handler(args)",
    "a class or a function": "print((Serving if args.command else version)(args))",
    "guarded by itself": 'table = {"serve": serve}\n        if args.command in table:\n            table[args.command](args)',
}
NOT_FOLLOWED = {
    "nine functions": f"{{{OTHERS}, 'serve': serve}}[args.command](args)",
    "a table that has more": 'table = {"serve": serve}\n        table.update(os.environ)\n        table[args.command](args)',
    "names of functions": 'globals()[{"a": "version", "b": "serve"}[args.command]](args)',
    "keys that are not known": '{os.environ["A"]: version, os.environ["B"]: serve}[args.command](args)',
    "functions from outside": "import elsewhere\n        {'a': elsewhere.serve, 'b': serve}[args.command](args)",
    "a default that is not known": '{"a": version}.get(args.command, os.environ.get("X"))(mcp)',
}


def served(folder: Path, start: str) -> Server:
    (server,) = servers(folder, "fastmcp4", PROGRAM.replace("{start}", start))
    return server


@pytest.mark.parametrize("start", FOLLOWED.values(), ids=FOLLOWED)
def test_each_function_of_a_table_is_followed(tmp_path: Path, start: str) -> None:
    server = served(tmp_path, start)
    assert server.incomplete is None
    assert [(tool.name, tool.exact, tool.conditional) for tool in server.tools] == [
        ("always", True, None),
        ("served", True, None),
    ]


@pytest.mark.parametrize("start", NOT_FOLLOWED.values(), ids=NOT_FOLLOWED)
def test_what_is_no_table_of_known_functions_settles_nothing(tmp_path: Path, start: str) -> None:
    server = served(tmp_path, start)
    assert server.incomplete or any(tool.conditional for tool in server.tools)


def test_what_only_one_of_the_functions_registers_is_conditional(tmp_path: Path) -> None:
    start = '{"a": version, "b": more}.get(os.environ.get("MODE", "a"))(args)\n        mcp.run()'
    more = "def more(args):\n        mcp.tool()(always_more)\n    def always_more() -> str:\n        return ''\n    def main():"
    source = PROGRAM.replace("def main():", more).replace("{start}", start)
    (server,) = servers(tmp_path, "fastmcp4", source)
    assert [(tool.name, bool(tool.conditional)) for tool in server.tools] == [("always", False), ("always_more", True)]
    assert "MODE" in str(server.tools[1].conditional)
