"""What is said to be on the list for certain: tools of the module itself, however the server is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Server
from tests.understand.sources import servers_in, understood

SDK = {"mcp": "1.29.1", "pydantic": "2.14.3"}
SERVER = """\
from mcp.server.fastmcp import FastMCP

mcp = FastMCP("desk")

@mcp.tool()
def look(name: str) -> str: "Look."
"""
LATER = 'def more():\n    @mcp.tool()\n    def extra() -> str:\n        "More."\n        return ""\n    mcp.run()\n'


REGISTER = '    @mcp.tool()\n    def extra() -> str:\n        "More."\n        return ""\n    mcp.run()\n'
BY_COMMAND = {
    "typer": f"import typer\napp = typer.Typer()\n@app.command()\ndef go(port: int = 1):\n{REGISTER}",
    "typer, its only command": f"import typer\ndef go(port: int = 1):\n{REGISTER}\ntyper.run(go)\n",
    "typer, before a command": (
        "import typer\napp = typer.Typer()\n@app.callback(invoke_without_command=True)\n"
        f"def go(port: int = 1):\n{REGISTER}"
    ),
    "click": f"import click\n@click.command()\n@click.option('--port')\ndef go(port):\n{REGISTER}\ngo()\n",
    "click, in a group": (
        "import click\n@click.group()\ndef app():\n    pass\n@app.command()\n"
        f"def other():\n    print()\n@app.command()\ndef go():\n{REGISTER}"
    ),
    "fire": f"import fire\ndef go(port=1):\n{REGISTER}\nif __name__ == '__main__':\n    fire.Fire(go)\n",
}


def conditions(folder: Path, files: dict[str, str]) -> dict[str, bool]:
    """Whether each tool may be absent."""
    (server,) = servers_in(folder, files, SDK)
    return {str(tool.name): tool.conditional is not None for tool in server.tools}


def test_what_a_function_registers_that_nothing_calls_may_be_absent(tmp_path: Path) -> None:
    assert conditions(tmp_path, {"server.py": f"{SERVER}\n{LATER}"}) == {"look": False, "extra": True}


@pytest.mark.parametrize("code", BY_COMMAND.values(), ids=BY_COMMAND)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["beside the server", "in another file"])
def test_what_a_command_registers_before_it_starts_is_there(code: str, elsewhere: bool, tmp_path: Path) -> None:
    files = {"server.py": f"{SERVER}\n{code}"}
    if elsewhere:
        files = {"server.py": SERVER, "cli.py": f"from server import mcp\n{code}"}
    assert conditions(tmp_path, files) == {"look": False, "extra": False}


SOMETIMES = "    if ro:\n        mcp.remove_tool('look')\n    mcp.run()\n"
MAIN = "if __name__ == '__main__':\n    app()\n"
TAKEN = {
    "an option": f"import typer\napp = typer.Typer()\n@app.command()\ndef go(ro: bool = False):\n{SOMETIMES}{MAIN}",
    "a function of a parser": (
        "import argparse\ndef go(args):\n    ro = args.ro\n" + SOMETIMES + "def app():\n"
        "    parser = argparse.ArgumentParser()\n    serve = parser.add_subparsers().add_parser('serve')\n"
        f"    serve.set_defaults(func=go)\n    args = parser.parse_args()\n    args.func(args)\n{MAIN}"
    ),
    "what comes before a command": (
        "import typer\napp = typer.Typer()\nRO = False\n@app.callback()\ndef first(ro: bool = False):\n    global RO\n"
        f"    RO = ro\n@app.command()\ndef go():\n    ro = RO\n{SOMETIMES}{MAIN}"
    ),
    "the context of a command": (
        "import click\n@click.group()\n@click.option('--ro', is_flag=True)\n@click.pass_context\ndef app(ctx, ro):\n"
        "    ctx.obj = {'ro': ro}\n@app.command()\n@click.pass_context\ndef go(ctx):\n    ro = ctx.obj['ro']\n"
        f"{SOMETIMES}{MAIN}"
    ),
    "one of two runs": (
        "import sys\nif __name__ == '__main__':\n    match sys.argv[1]:\n        case 'go':\n"
        "            mcp.remove_tool('look')\n            mcp.run()\n        case _:\n            mcp.run('sse')\n"
    ),
}


@pytest.mark.parametrize("code", TAKEN.values(), ids=TAKEN)
def test_what_one_way_to_start_takes_out_may_be_absent(code: str, tmp_path: Path) -> None:
    other = '@mcp.tool()\ndef stays() -> str:\n    "Stays."\n    return ""\n'
    assert conditions(tmp_path, {"server.py": f"{SERVER}\n{other}\n{code}"}) == {"look": True, "stays": False}


def test_what_the_chosen_code_may_take_out_may_be_absent(tmp_path: Path) -> None:
    code = (
        "import sys\nclass A:\n    def go(self): mcp.remove_tool('look')\nclass B:\n    def go(self): pass\n"
        "x = A() if len(sys.argv) > 1 else B()\nx.go()\n"
    )
    assert conditions(tmp_path, {"server.py": f"{SERVER}\n{code}"}) == {"look": True}


EXTRA = REGISTER.replace("    mcp.run()\n", "")


def test_what_is_registered_while_the_server_runs_may_be_there(tmp_path: Path) -> None:
    code = f"async def more():\n{EXTRA}async def main():\n    await asyncio.gather(mcp.run_stdio_async(), more())\n"
    main = "if __name__ == '__main__':\n    asyncio.run(main())\n"
    files = {"server.py": f"{SERVER}\nimport asyncio\n{code}{main}"}
    assert conditions(tmp_path, files) == {"look": False, "extra": True}


# --- a loop over a set, whose order differs from run to run: the list is never complete -------------------------------

HEAD = """\
from mcp.server.fastmcp import FastMCP

server = FastMCP("desk")

def first(about=""):
    @server.tool(description="First." + about)
    def one(number: int) -> str: ...

def second(about=""):
    @server.tool(description="Second." + about)
    def two(number: int) -> str: ...

def again(about=""):
    @server.tool(name="two", description="Again." + about)
    def three(number: int) -> str: ...

GROUPS = {"first": first, "second": second, "again": again}
"""


def tools_of(root: Path, loop: str) -> Server:
    (server,) = understood(root, server=f"{HEAD}\n{loop}\nserver.run()\n")
    return server


KNOWN = {
    "called": "for name in {'first', 'second'}:\n    GROUPS[name]()",
    "made of keys": "for name in set(GROUPS) - {'again'}:\n    register = GROUPS.get(name)\n    register()",
}


@pytest.mark.parametrize("loop", KNOWN)
def test_what_each_element_registers_is_known_but_not_in_which_order(loop: str, tmp_path: Path) -> None:
    server = tools_of(tmp_path, KNOWN[loop])
    found = {tool.name: (tool.definition["description"], dict(tool.unknown)) for tool in server.tools}
    assert found == {"one": ("First.", {}), "two": ("Second.", {})}
    assert server.incomplete is not None


@pytest.mark.parametrize(
    "loop",
    [
        "for name in {'second', 'again'}:\n    GROUPS[name]()",
        "for name in {'first', 'second'}:\n    GROUPS[name]()\n    break",
        "seen = set()\nfor name in {'first', 'second'}:\n    if not seen:\n        GROUPS[name]()\n    seen.add(name)",
        "import os\nfor name in set(os.environ['N']) if 'N' in os.environ else {'first', 'second'}: GROUPS[name]()",
    ],
    ids=["one name twice", "left early", "only the first", "some or all"],
)
def test_no_tool_is_certain_where_the_order_decides(loop: str, tmp_path: Path) -> None:
    server = tools_of(tmp_path, loop)
    assert server.incomplete is not None
    assert [tool.name for tool in server.tools if tool.conditional is None] == []


def test_what_a_function_raises_before_the_server_runs_is_named(tmp_path: Path) -> None:
    source = f"{SERVER}\ndef start():\n    mcp.add_tool(1 / 0)\nstart()\nmcp.run()\n"
    (server,) = servers_in(tmp_path, {"server.py": source}, SDK)
    assert server.incomplete == "server.py:9 raises ZeroDivisionError: division by zero"
