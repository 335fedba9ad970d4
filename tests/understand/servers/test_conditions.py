"""When a tool is listed: the words for it, what the defaults of settings turn off, and paths that lead no further."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from pdmigrate.model import Tool
from tests.understand.servers.test_decorated import servers

START = """
import argparse, os, sys
mcp = SERVER("demo")
@mcp.tool()
def one() -> str: ...
def two() -> str: ...
FLAG = os.getenv("FLAG")
"""
ADD = "mcp.add_tool(two)"
VARIABLE = "(the environment variable FLAG)"
GUARD = "if __name__ == '__main__':\n    main()\n"


def tools_of(folder: Path, code: str) -> tuple[Tool, Tool]:
    """The tools of a server, of which the first is listed in any case."""
    (server,) = servers(folder, "mcp1-fastmcp", START + dedent(code) + "\n")
    assert server.incomplete is None
    one, two = server.tools
    assert (one.name, one.optional, one.conditional, two.name) == ("one", False, None, "two")
    return one, two


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
    "a path that runs the server": (
        f"""def main():
    try:
        if FLAG:
            {ADD}
            sys.exit(0)
    finally:
        mcp.run()
{GUARD}""",
        "it depends on how the program runs the server",
    ),
    "wherever the server runs": (f"{ADD}\nif FLAG:\n    mcp.run()\n    sys.exit(0)\nmcp.run('sse')", None),
    "a function out of a table": (
        f"def more():\n    {ADD}\n{{'a': lambda: None, 'b': more}}.get(os.environ.get('FLAG', 'a'))()",
        "it depends on the environment variable FLAG",
    ),
}


@pytest.mark.parametrize(("code", "words"), WORDS.values(), ids=WORDS)
def test_a_condition_says_when_the_tool_is_listed(tmp_path: Path, code: str, words: str | None) -> None:
    assert tools_of(tmp_path, code)[1].conditional == words


def test_what_is_no_table_of_known_functions_settles_nothing(tmp_path: Path) -> None:
    start = f"def a(): ...\ndef b():\n    {ADD}\nglobals()[{{'x': 'a', 'y': 'b'}}[sys.argv[1]]]()\n"
    (server,) = servers(tmp_path, "mcp1-fastmcp", START + start)
    assert server.incomplete or any(tool.conditional for tool in server.tools)


# --- settings ---------------------------------------------------------------------------------------------------------

PARSED = f"""
def main():
    parser = argparse.ArgumentParser()
    OPTIONS
    args = parser.parse_args()
    if CONDITION:
        {ADD}
    mcp.run()
{GUARD}"""
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
OFF = {
    "options of a function": PARSED.replace("OPTIONS", "parser.add_argument('--write', action='store_true')").replace(
        "CONDITION", "args.write"
    ),
    "options of a module": f"""
        parser = argparse.ArgumentParser()
        parser.add_mutually_exclusive_group().add_argument("--write", action="store_true")
        args, rest = parser.parse_known_args()
        if args.write:
            {ADD}
    """,
    "a switch of a command that is a function": f"""
        import click
        @click.command()
        @click.option("--write", is_flag=True, help="Let tools write.")
        @click.option("--key")
        def main(write, key):
            if write:
                {ADD}
            mcp.run()
        if __name__ == "__main__":
            main()
    """,
    "a class of settings": f"""
        from pydantic_settings import BaseSettings
        class Settings(BaseSettings):
            write: bool = False
            token: str
        if Settings().write:
            {ADD}
    """,
}


@pytest.mark.parametrize("code", OFF.values(), ids=OFF)
def test_what_the_defaults_turn_off_is_optional(tmp_path: Path, code: str) -> None:
    _, two = tools_of(tmp_path, code)
    assert (two.optional, two.conditional is None) == (True, False)


@pytest.mark.parametrize(("options", "condition"), ON.values(), ids=ON)
def test_what_may_be_listed_without_a_change_is_only_conditional(tmp_path: Path, options: str, condition: str) -> None:
    _, two = tools_of(tmp_path, PARSED.replace("OPTIONS", options).replace("CONDITION", condition))
    assert (two.optional, two.conditional is None) == (False, False)


# --- beside the server that runs --------------------------------------------------------------------------------------

BESIDE = {
    "a factory": "def make(name):\n    other = SERVER('other')\n    other.add_tool(two)\n    return other\n",
    "a method": "class A:\n    def __init__(self):\n        self.s = SERVER('other')\n        self.s.add_tool(two)\n",
}


@pytest.mark.parametrize("code", BESIDE.values(), ids=BESIDE)
def test_a_server_that_only_others_ask_for_is_found_beside_the_one_that_runs(tmp_path: Path, code: str) -> None:
    found = servers(tmp_path, "mcp1-fastmcp", f"{START}{code}mcp.run()\n")
    assert {str(each.name): [tool.name for tool in each.tools] for each in found} == {"demo": ["one"], "other": ["two"]}
