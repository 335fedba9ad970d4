"""Low-level servers of mcp 2.x: what is said of each tool, against what the real SDK lists."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pdmigrate.model import Fixed, Movable, Server
from tests.support.environments import MCP2
from tests.support.sent import low_level, sent
from tests.understand.servers.mcp2_sources import EXACT, HEAD, REFUSED, UNSETTLED, one
from tests.understand.sources import servers_in

VERSIONS = {"mcp": "2.3.0", "pydantic": "2.14.3"}


@pytest.fixture(scope="module")
def listed() -> dict[str, Any]:
    """What the real SDK answers for every source of the tables, by its label."""
    tables = {"exact": EXACT, "refused": REFUSED, "unsettled": UNSETTLED}
    sources = {f"{table}: {name}": dedent(text) for table, rows in tables.items() for name, text in rows.items()}
    return sent(MCP2, {name: low_level(source) for name, source in sources.items()})


def found(root: Path, source: str) -> list[Server]:
    return servers_in(root, {"app.py": dedent(source)}, VERSIONS)


def server_of(root: Path, source: str) -> Server:
    (server,) = found(root, source)
    assert server.dialect == "mcp2-lowlevel"
    return server


@pytest.mark.parametrize("name", EXACT)
def test_what_is_called_exact_is_what_the_sdk_lists(tmp_path: Path, name: str, listed: dict[str, Any]) -> None:
    server = server_of(tmp_path, EXACT[name])
    assert server.incomplete is None
    assert [tool.conditional for tool in server.tools] == [None] * len(server.tools)
    assert [tool.unknown for tool in server.tools] == [{}] * len(server.tools)
    sent = listed[f"exact: {name}"]
    assert [tool.definition for tool in server.tools] == sent
    orders = [[json.dumps(one["inputSchema"]) for one in each] for each in ((t.definition for t in server.tools), sent)]
    assert orders[0] == orders[1]


@pytest.mark.parametrize("name", REFUSED)
def test_a_list_that_the_sdk_refuses_is_not_called_exact(tmp_path: Path, name: str, listed: dict[str, Any]) -> None:
    assert isinstance(listed[f"refused: {name}"], str) or not listed[f"refused: {name}"]
    for server in found(tmp_path, REFUSED[name]):
        assert server.incomplete is not None or not all(tool.exact for tool in server.tools)


@pytest.mark.parametrize("name", UNSETTLED)
def test_what_is_said_of_the_rest_is_true(tmp_path: Path, name: str, listed: dict[str, Any]) -> None:
    server = server_of(tmp_path, UNSETTLED[name])
    answer = listed[f"unsettled: {name}"]
    sent = {tool["name"]: tool for tool in answer} if isinstance(answer, list) else {}
    open_ends = [server.incomplete, *(t.conditional for t in server.tools), *(t.unknown for t in server.tools)]
    assert any(open_ends)
    for tool in server.tools:
        if tool.name in sent:
            assert {key: sent[tool.name].get(key) for key in tool.definition} == tool.definition
            assert sent[tool.name].keys() <= tool.fields.keys()
        else:
            assert tool.conditional is not None or tool.name is None


# --- which family it is -----------------------------------------------------------------------------------------------

OLD = """
    from mcp.server import Server
    from mcp.types import Tool
    server = Server("demo")
    @server.list_tools()
    async def listed():
        return [Tool(name="one", inputSchema={"type": "object"})]
"""
NEW = one("input_schema=SCHEMA")


@pytest.mark.parametrize(
    ("source", "project", "dialect", "count"),
    [
        (OLD, "", "mcp1-lowlevel", 1),
        (NEW, "", "mcp2-lowlevel", 1),
        (OLD, 'dependencies = ["mcp>=1.2"]', "mcp1-lowlevel", 1),
        (NEW, 'dependencies = ["mcp>=1.2"]', "mcp2-lowlevel", 1),
        (OLD, 'dependencies = ["mcp>=1.2,<2"]', "mcp1-lowlevel", 1),
        (NEW, 'dependencies = ["mcp>=2"]', "mcp2-lowlevel", 1),
        (NEW, 'dependencies = ["mcp<2"]', "mcp1-lowlevel", 0),
        (OLD, 'dependencies = ["mcp==2.3.0"]', "mcp2-lowlevel", 0),
        (OLD, 'dependencies = ["mcp==1.9.4"]', "mcp1-lowlevel", 1),
        (NEW, 'dependencies = ["mcp==2.0.1"]', "mcp2-lowlevel", 1),
    ],
)
def test_version_and_shape_decide_together(tmp_path: Path, source: str, project: str, dialect: str, count: int) -> None:
    pyproject = f'[project]\nname = "demo"\nversion = "1"\n{project}\n'
    servers = servers_in(tmp_path, {"pyproject.toml": pyproject, "app.py": dedent(source)}, {})
    assert [(server.dialect, len(server.tools)) for server in servers] == [(dialect, count)]
    assert (servers[0].incomplete is None) == (count == 1)


def test_a_server_is_not_recognised_by_spelling(tmp_path: Path) -> None:
    source = "from uvicorn import Server\nserver = Server('demo', on_list_tools=print)\n# mcp.server\n"
    assert found(tmp_path, source) == []


# --- moving -----------------------------------------------------------------------------------------------------------

LITERAL = """Tool(name="one", description="One.", input_schema={"type": "object", "properties": {}})"""


def listing(body: str) -> str:
    return f'{HEAD}async def listed(ctx, params):\n    return {body}\nserver = Server("demo", on_list_tools=listed)\n'


KEPT = {
    "handler looked up": listing(f"ListToolsResult(tools=[{LITERAL}])")
    + "entry = server.get_request_handler('tools/list')\n",
    "both spellings": listing(f"ListToolsResult(tools=[{LITERAL[:-1]}, inputSchema={{'type': 'object'}})])"),
}


def test_literals_in_camel_case_can_move(tmp_path: Path) -> None:
    source = listing(f"ListToolsResult(tools=[{LITERAL.replace('input_schema', 'inputSchema')}])")
    (tool,) = server_of(tmp_path, source).tools
    assert isinstance(tool.declaration, Movable)
    assert tool.declaration.literals.keys() == {"description", "inputSchema"}


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT)
def test_what_other_code_reads_or_computes_stays(tmp_path: Path, source: str) -> None:
    assert all(isinstance(tool.declaration, Fixed) for tool in server_of(tmp_path, source).tools)
