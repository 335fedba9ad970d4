# ruff: noqa: E501 - each program stands in one line
"""Code that no source shows is executed, or gets the server: it may list more than what was read, or something else."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from pdmigrate.model import Server
from tests.understand.sources import servers_in

TEXT = 'os.environ["CODE"]'
EXECUTED = {
    "exec": f"exec({TEXT})",
    "exec in a class": f"class Loaded:\n    exec({TEXT})",
    "eval": f"eval({TEXT})",
    "exec as a decorator": "@exec\ndef code(): ...",
    "exec by another name": f"run = exec\nrun({TEXT})",
    "exec in a table": f'RUN = {{"run": exec}}\nRUN["run"]({TEXT})',
    "exec through partial": f"functools.partial(exec, {TEXT})()",
    "exec handed to a library": f"import elsewhere\nelsewhere.later(exec, {TEXT})",
    "builtins asked for a name": f'getattr(builtins, "eval")({TEXT})',
    "__builtins__ as a dict": f'__builtins__["exec"]({TEXT})',
    "builtins.__import__": f"builtins.__import__({TEXT})",
    "__import__ by another name": f"load = __import__\nload({TEXT})",
    "a function of a module, by a name": f"import parts\ngetattr(parts, {TEXT})()",
    "a function of a module, by a name that its dict is asked": f"import parts\nparts.__dict__.get({TEXT}, print)()",
    "the functions of a module, of vars()": "import parts\nfor found in vars(parts).values():\n    callable(found) and found()",
    "entry points": 'for point in importlib.metadata.entry_points(group="parts"):\n    point.load()',
    "a name in a module": f"import pkgutil\npkgutil.resolve_name({TEXT})",
    "an archive": f'import zipimport\nzipimport.zipimporter({TEXT}).load_module("parts")',
    "a loader that is asked for": f'importlib.util.spec_from_file_location("p", {TEXT}).loader.load_module()',
}
HANDED_OVER = {
    "the server": "elsewhere.track(app)",
    "by keyword": "elsewhere.track(server=app)",
    "in a list": "elsewhere.track([app])",
    "to a class": "elsewhere.Tracker(app)",
    "to the method of an object": "elsewhere.Tracker().install(app)",
}
HEAD = "import asyncio, builtins, elsewhere, functools, importlib.metadata, importlib.util, os, threading\n"
DECORATED = f"""{HEAD}
from mcp.server.fastmcp import FastMCP
app = FastMCP("demo")
{{before}}
@app.tool()
def known() -> str: "Known."
{{first}}
if __name__ == "__main__":
{{main}}
    app.run()
"""
LOW_LEVEL = f"""{HEAD}
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import Tool
app = Server("demo")
TOOLS = [Tool(name="known", description="Known.", inputSchema={{{{"type": "object"}}}})]
{{before}}
@app.list_tools()
async def list_tools():
    return TOOLS
{{first}}
async def main():
    async with stdio_server() as (read, write):
        await app.run(read, write, app.create_initialization_options())
if __name__ == "__main__":
{{main}}
    asyncio.run(main())
"""
PROGRAMS = pytest.mark.parametrize("program", [DECORATED, LOW_LEVEL], ids=["decorated", "low-level"])
PARTS = "from server import app\n\ndef nothing(): ...\n"


def read(
    root: Path,
    program: str,
    *,
    before: str = "",
    first: str = "",
    main: str = "pass",
    files: dict[str, str] | None = None,
) -> Server:
    text = program.format(before=before, first=first, main=indent(main, "    "))
    (server,) = servers_in(root, {"server.py": text, "parts.py": PARTS, **(files or {})})
    return server


@PROGRAMS
@pytest.mark.parametrize("code", EXECUTED.values(), ids=EXECUTED)
def test_a_server_that_may_run_anything_is_never_complete(tmp_path: Path, program: str, code: str) -> None:
    assert read(tmp_path / "imported", program, first=code).incomplete is not None
    assert read(tmp_path / "started", program, main=code).incomplete is not None


@PROGRAMS
@pytest.mark.parametrize("place", ["before", "first"])
@pytest.mark.parametrize("call", HANDED_OVER.values(), ids=HANDED_OVER)
def test_of_a_server_that_is_handed_over_only_names_stay(tmp_path: Path, program: str, call: str, place: str) -> None:
    server = read(tmp_path, program, **{place: call})
    (tool,) = server.tools
    assert (tool.definition, "description" in tool.unknown) == ({"name": "known"}, True)
    assert tool.conditional is not None
    assert "elsewhere" in (server.incomplete or "")


@PROGRAMS
@pytest.mark.parametrize("call", ["elsewhere.track('demo')", "elsewhere.track(app.name)"])
def test_what_else_is_handed_over_changes_nothing(tmp_path: Path, program: str, call: str) -> None:
    server = read(tmp_path, program, before=call, first=call)
    (tool,) = server.tools
    assert (tool.definition["description"], tool.conditional, server.incomplete) == ("Known.", None, None)


@pytest.mark.parametrize("use", ["elsewhere.serve(web)", "web.add_middleware(elsewhere.Cors)", "web.routes.append(1)"])
def test_the_web_application_of_a_server_leads_to_none_of_its_tools(tmp_path: Path, use: str) -> None:
    server = read(tmp_path, DECORATED, first=f"web = app.streamable_http_app()\n{use}")
    assert (server.tools[0].definition["description"], server.incomplete) == ("Known.", None)


MORE = 'TOOLS.append(Tool(name="more", description="More.", inputSchema={"type": "object"}))'


def test_what_the_main_program_changes_before_it_starts_is_listed(tmp_path: Path) -> None:
    server = read(tmp_path, LOW_LEVEL, main=MORE)
    assert [(tool.name, tool.exact) for tool in server.tools] == [("known", True), ("more", True)]
    assert server.incomplete is None


@pytest.mark.parametrize("end", ["sys.exit(0)", 'raise SystemExit("over")', "os._exit(0)"])
def test_a_main_program_that_exits_is_read_as_it_started(tmp_path: Path, end: str) -> None:
    server = read(tmp_path, LOW_LEVEL + f"    import sys\n    {end}\n", main=MORE)
    assert [tool.name for tool in server.tools] == ["known", "more"]


def test_a_main_program_that_is_not_the_packaged_command_does_not_count(tmp_path: Path) -> None:
    project = {"pyproject.toml": '[project]\nname = "x"\nversion = "1"\n[project.scripts]\nx = "server:command"\n'}
    command = "def command():\n    asyncio.run(main())"
    server = read(tmp_path, LOW_LEVEL, first=command, main=MORE, files=project)
    assert [tool.name for tool in server.tools] == ["known"]
