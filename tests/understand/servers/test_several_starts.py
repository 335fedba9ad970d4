"""One call that makes a server, and a program that comes to it in several ways: only what all of them share is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Known, Server, Unknown
from pdmigrate.understand import programs
from tests.understand.sources import servers_in

SDK = {"mcp": "1.30.0", "pydantic": "2.14.3"}
LOW_LEVEL = """\
import argparse, asyncio
from mcp.server import Server
from mcp.types import Tool

def create(remote=False):
    server = Server("desk")
    @server.list_tools()
    async def list_tools():
        tools = [
            Tool(name="look", description="Far." if remote else "Near.", inputSchema={"type": "object"}),
            Tool(name="same", description="Same.", inputSchema={"type": "object"}),
        ]
        if remote:
            tools.append(Tool(name="ask", inputSchema={"type": "object"}))
        return tools
    return server

def serve(server):
    async def run():
        await server.run(None, None, server.create_initialization_options())
    asyncio.run(run())
"""
DECORATED = """\
import argparse
from mcp.server.fastmcp import FastMCP

def create(remote=False):
    server = FastMCP("desk")
    @server.tool(description="Far." if remote else "Near.")
    def look(): ...
    @server.tool(description="Same.")
    def same(): ...
    if remote:
        @server.tool()
        def ask(): ...
    return server

def serve(server):
    server.run()
"""
BRANCHES = """
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", action="store_true")
    if parser.parse_args().http:
        serve(create(remote=True))
    else:
        serve(create())

if __name__ == "__main__":
    main()
"""
COMMANDS = """
def far():
    serve(create(remote=True))

def near():
    serve(create())
"""
SCRIPTS = "[project]\nname = 'desk'\nversion = '1'\n[project.scripts]\n{}"
FAR_FIRST, NEAR_FIRST = "a = 'server:far'\nb = 'server:near'\n", "a = 'server:near'\nb = 'server:far'\n"


def server_of(root: Path, source: str, scripts: str = "", **more: str) -> Server:
    files = {"server.py": source, **{f"{name}.py": text for name, text in more.items()}}
    project = {"pyproject.toml": SCRIPTS.format(scripts)} if scripts else {}
    (server,) = servers_in(root, {**files, **project}, SDK)
    return server


@pytest.mark.parametrize("scripts", ["", FAR_FIRST, NEAR_FIRST], ids=["branches", "far first", "near first"])
@pytest.mark.parametrize("source", [LOW_LEVEL, DECORATED], ids=["low level", "decorated"])
def test_what_differs_is_not_known_and_what_is_missing_may_be_absent(source: str, scripts: str, tmp_path: Path) -> None:
    server = server_of(tmp_path, source + (COMMANDS if scripts else BRANCHES), scripts)
    look, same, ask = sorted(server.tools, key=lambda tool: ("look", "same", "ask").index(str(tool.name)))
    assert isinstance(look.fields["description"], Unknown)
    assert isinstance(look.fields["inputSchema"], Known)
    assert look.conditional is same.conditional is None
    assert same.definition["description"] == "Same."
    assert ask.conditional is not None


@pytest.mark.parametrize("source", [LOW_LEVEL, DECORATED], ids=["low level", "decorated"])
def test_ways_that_make_the_same_leave_everything_known(source: str, tmp_path: Path) -> None:
    commands = COMMANDS.replace("remote=True", "")
    server = server_of(tmp_path, source + commands, FAR_FIRST)
    assert server.incomplete is None
    assert {tool.name: tool.definition["description"] for tool in server.tools} == {"look": "Near.", "same": "Same."}
    assert all(tool.exact and tool.conditional is None for tool in server.tools)


def test_a_command_counts_that_hands_the_server_to_a_transport(tmp_path: Path) -> None:
    transport = COMMANDS.replace(
        "    serve(create(remote=True))",
        "    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager\n"
        "    StreamableHTTPSessionManager(app=create(remote=True))",
    )
    server = server_of(tmp_path, LOW_LEVEL + transport, NEAR_FIRST)
    found = {tool.name: tool for tool in server.tools}
    assert isinstance(found["look"].fields["description"], Unknown)
    assert found["ask"].conditional is not None


def test_scripts_count_that_make_the_server_with_other_arguments(tmp_path: Path) -> None:
    script = "from server import create\n\nif __name__ == '__main__':\n    create({}).run()\n"
    server = server_of(tmp_path, DECORATED, far=script.format("remote=True"), near=script.format(""))
    assert [(tool.name, tool.conditional is None, set(tool.unknown)) for tool in server.tools] == [
        *(("look", True, {"description"}), ("same", True, set()), ("ask", False, set()))
    ]


def test_every_command_has_its_server(tmp_path: Path) -> None:
    commands = "\n".join(
        f"def {name}():\n    server = FastMCP('{name}')\n    server.add_tool(print, name='{name}')\n    server.run()\n"
        for name in ("far", "near")
    )
    source = f"from mcp.server.fastmcp import FastMCP\n\n{commands}"
    files = {"server.py": source, "pyproject.toml": SCRIPTS.format(NEAR_FIRST)}
    found = {server.name: [tool.name for tool in server.tools] for server in servers_in(tmp_path, files, SDK)}
    assert found == {"far": ["far"], "near": ["near"]}


@pytest.mark.parametrize(
    ("done", "counts"),
    [
        ("near()", False),
        ("import sys\n    sys.exit(near())", False),
        ("raise SystemExit(near())", False),
        ("near(1)", True),
        ("print(near())", True),
        ("near.remote = True\n    near()", True),
        ("far()", True),
        ("near()\nelse:\n    far()", True),
        ("near()\nMODE = __name__", True),
        ("near()\nlog = logging.getLogger(__name__)", False),
    ],
)
def test_a_module_that_only_calls_what_a_script_calls_is_no_other_start(
    done: str, counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, starts = [], programs.starts
    monkeypatch.setattr(programs, "starts", lambda *given: found.extend(starts(*given)) or found)
    run = f"from server import far, near\n\nif __name__ == '__main__':\n    {done}\n"
    server_of(tmp_path, DECORATED + COMMANDS, "a = 'server:near'\n", run=run)
    assert ("run.py" in {start.path for start in found}) is counts
