"""A server is handed to code that source does not show: of tools that it lists no more than the name is certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Server, Unknown
from tests.understand.sources import servers_in

DECORATED = """
from mcp.server.fastmcp import FastMCP
import elsewhere
app = FastMCP("demo")
{before}
@app.tool()
def known() -> str: "Known."
{after}
"""
LOW_LEVEL = """
from mcp.server import Server
from mcp.types import Tool
import elsewhere
app = Server("demo")
{before}
@app.list_tools()
async def list_tools():
    return [Tool(name="known", description="Known.", inputSchema={{"type": "object"}})]
{after}
"""
PROGRAMS = {"decorated": DECORATED, "low-level": LOW_LEVEL}
HANDED_OVER = {
    "the server": "elsewhere.track(app)",
    "by keyword": "elsewhere.track(server=app)",
    "in a list": "elsewhere.track([app])",
    "to a class": "elsewhere.Tracker(app)",
    "to the method of an object": "elsewhere.Tracker().install(app)",
}


def _server(tmp_path: Path, source: str) -> Server:
    (server,) = servers_in(tmp_path, {"server.py": source})
    return server


@pytest.mark.parametrize("place", ["before", "after"])
@pytest.mark.parametrize("call", HANDED_OVER.values(), ids=HANDED_OVER)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_only_names_stay(tmp_path: Path, program: str, call: str, place: str) -> None:
    server = _server(tmp_path, program.format(**{"before": "", "after": "", place: call}))
    (tool,) = server.tools
    assert tool.definition == {"name": "known"}
    assert isinstance(tool.fields["description"], Unknown)
    assert tool.conditional is not None
    assert "elsewhere" in (server.incomplete or "")


@pytest.mark.parametrize("call", ["elsewhere.track('demo')", "elsewhere.track(app.name)"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_what_else_is_handed_over_changes_nothing(tmp_path: Path, program: str, call: str) -> None:
    server = _server(tmp_path, program.format(before=call, after=call))
    (tool,) = server.tools
    assert tool.definition["description"] == "Known."
    assert tool.conditional is None
    assert server.incomplete is None


@pytest.mark.parametrize(
    "use", ["elsewhere.serve(web)", "web.add_middleware(elsewhere.Cors)", "web.routes.append(elsewhere)"]
)
def test_the_web_application_of_a_server_leads_to_none_of_its_tools(tmp_path: Path, use: str) -> None:
    server = _server(tmp_path, DECORATED.format(before="", after=f"web = app.streamable_http_app()\n{use}"))
    (tool,) = server.tools
    assert tool.definition["description"] == "Known."
    assert server.incomplete is None
