"""Tools that are listed only where a setting has another value than its default."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.understand.servers.test_decorated import servers

PROGRAM = """
    import argparse, os, sys
    def always() -> str:
        return ""
    def more() -> str:
        return ""
    def main():
        parser = argparse.ArgumentParser()
        {options}
        args = parser.parse_args()
        mcp = SERVER("demo")
        mcp.add_tool(always)
        if {condition}:
            mcp.add_tool(more)
        mcp.run()
    if __name__ == "__main__":
        main()
"""

ON = {
    "a switch that turns off": ('parser.add_argument("--read", dest="write", action="store_false")', "args.write"),
    "a choice that is the default": ('parser.add_argument("--mode", default="write")', 'args.mode == "write"'),
    "an option that is converted": ('parser.add_argument("--level", type=int, default="0")', "args.level"),
    "one option twice": (
        'parser.add_argument("--a", dest="on", default=0); parser.add_argument("--b", dest="on", default=1)',
        "args.on",
    ),
    "another action": ('parser.add_argument("--write", action=argparse.BooleanOptionalAction)', "args.write"),
}

WHOLE = {
    "options of a module": """
        import argparse
        parser = argparse.ArgumentParser()
        parser.add_mutually_exclusive_group().add_argument("--write", action="store_true")
        args, rest = parser.parse_known_args()
        if args.write:
            mcp.add_tool(more)
    """,
    "a switch of a command that is a function": """
        import click
        @click.command()
        @click.option("--write", is_flag=True, help="Let tools write.")
        @click.option("--key")
        def main(write, key):
            if write:
                mcp.add_tool(more)
            mcp.run()
        if __name__ == "__main__":
            main()
    """,
    "a class of settings": """
        from pydantic_settings import BaseSettings
        class Settings(BaseSettings):
            write: bool = False
            token: str
        if Settings().write:
            mcp.add_tool(more)
    """,
}


def optional(folder: Path, options: str, condition: str) -> list[tuple[str | None, bool, bool]]:
    return listed(folder, PROGRAM.format(options=options, condition=condition))


def listed(folder: Path, source: str) -> list[tuple[str | None, bool, bool]]:
    (server,) = servers(folder, "mcp1-fastmcp", source)
    return [(tool.name, tool.optional, tool.conditional is not None) for tool in server.tools]


def test_what_the_defaults_turn_off_is_optional(tmp_path: Path) -> None:
    found = optional(tmp_path, 'parser.add_argument("--write", action="store_true")', "args.write")
    assert found == [("always", False, False), ("more", True, True)]


@pytest.mark.parametrize("name", WHOLE)
def test_the_defaults_are_found_where_the_program_gives_them(tmp_path: Path, name: str) -> None:
    tools = (
        'mcp = SERVER("demo")\ndef more() -> str:\n    return ""\n@mcp.tool()\ndef always() -> str:\n    return ""\n'
    )
    source = tools + textwrap.dedent(WHOLE[name])
    assert listed(tmp_path, source) == [("always", False, False), ("more", True, True)]


@pytest.mark.parametrize("name", ON)
def test_what_may_be_listed_without_a_change_is_only_conditional(tmp_path: Path, name: str) -> None:
    assert optional(tmp_path, *ON[name]) == [("always", False, False), ("more", False, True)]
