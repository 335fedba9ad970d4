"""Stubs in the code of servers on mcp 2.x, whose keywords are in snake case or as on the wire."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.migrate.plan.code import edited
from pdmigrate.model import JsonObject, Movable
from pdmigrate.project.rewrite import stub_edits
from pdmigrate.source.source import read_source
from pdmigrate.understand.inventory.extract import extract

HEAD = "from mcp.server import Server\nfrom mcp.types import ListToolsResult, Tool\n\n\n"
HANDLER = (
    "async def listed(ctx, params):\n    return ListToolsResult(tools=[\n        Tool(\n{}        ),\n    ])\n\n\n"
)
TAIL = 'server = Server("demo", on_list_tools=listed)\n'
FULL = '"type": "object", "properties": {"q": {"type": "string", "description": "Words."}}'
STUB: JsonObject = {"description": "Short.", "inputSchema": {"type": "object", "properties": {"q": {"type": "string"}}}}
SHORT = '{"type": "object", "properties": {"q": {"type": "string"}}}'

CASES = {
    "as on the wire": (
        f'name="a",\ndescription="Long text.",\ninputSchema={{{FULL}}},\n',
        STUB,
        f'name="a",\ndescription="Short.",\ninputSchema={SHORT},\n',
    ),
    "other keywords stay": (
        f'name="a",\nmeta={{"x": 1}},\ndescription="Long.",\ninput_schema={{{FULL}}},\ntitle="A",\n',
        STUB,
        f'name="a",\nmeta={{"x": 1}},\ndescription="Short.",\ninput_schema={SHORT},\ntitle="A",\n',
    ),
}


def module(arguments: str) -> str:
    lines = "".join(f"            {line}\n" for line in arguments.splitlines())
    return HEAD + HANDLER.replace("{}", lines) + TAIL


@pytest.mark.parametrize(("before", "stub", "after"), CASES.values(), ids=CASES)
def test_a_stub_in_place(tmp_path: Path, before: str, stub: JsonObject, after: str) -> None:
    assert stubbed(tmp_path, module(before), stub) == module(after)
    assert stubbed(tmp_path, module(after), stub) == module(after), "a second run changes nothing"


def stubbed(folder: Path, text: str, stub: JsonObject) -> str:
    (folder / "app.py").write_text(text, encoding="utf-8")
    (server,) = extract(folder, sdk={"mcp": "2.3.0", "pydantic": "2.14.3"}).servers
    (tool,) = server.tools
    assert isinstance(tool.declaration, Movable), tool.declaration
    source = read_source("app.py", text.encode())
    return edited(source, stub_edits(tool, stub, {"app.py": source})).decode()
