"""Middleware that changes the list of tools in one case and leaves it in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Known, Server, Tool, Unknown
from pdmigrate.understand.inventory.extract import extract

SDK = {"fastmcp": "4.0.11", "mcp": "2.3.0", "pydantic": "2.13.5"}

HEAD = '''
import os
from fastmcp import FastMCP
from fastmcp.server.middleware import Middleware

class Scoped(Middleware):
    """Adds a parameter where the session asks for it."""
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        if context.fastmcp_context.session.state.get("plain"):
            return tools
        patched = []
        for tool in tools:
            properties = dict(tool.parameters.get("properties") or {})
            properties["scope"] = {"type": "string"}
            parameters = {**tool.parameters, "properties": properties}
            patched.append(tool.model_copy(update={"parameters": parameters}))
        return patched

class Hiding(Middleware):
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        if os.environ.get("READ_ONLY"):
            tools = [tool for tool in tools if tool.name != "write"]
        else:
            tools = [tool for tool in tools if tool.name != "peek"]
        if os.environ.get("QUIET"):
            tools = [tool for tool in tools if tool.name != "shout"]
        return tools

class Renaming(Middleware):
    async def on_list_tools(self, context, call_next):
        tools = await call_next(context)
        if os.environ.get("PLAIN"):
            return tools
        return [tool.model_copy(update={"description": "Another."}) for tool in tools]
'''
TOOLS = "".join(
    f'\n@server.tool\ndef {name}(a: int) -> str:\n    """{name.title()}."""\n    return ""\n'
    for name in ("read", "write", "peek", "shout")
)


def server_with(root: Path, middleware: str) -> Server:
    source = f'{HEAD}\nserver = FastMCP("desk", middleware=[{middleware}])\n{TOOLS}\nserver.run()\n'
    (root / "server.py").write_text(source, encoding="utf-8")
    inventory = extract(root, sdk=SDK)
    assert not [one for one in inventory.all_findings() if one.code == "PD201"]
    (server,) = inventory.servers
    return server


def unknown(tool: Tool) -> set[str]:
    return {name for name, field in tool.fields.items() if isinstance(field, Unknown)}


CASES = {
    "filtered and changed": ("Hiding(), Scoped()", {"inputSchema"}, {"write", "peek", "shout"}),
    "many of them": (
        "Scoped(), Hiding(), Renaming(), Hiding(), Scoped(), Hiding(), Renaming(), Scoped(), Hiding()",
        {"inputSchema", "description"},
        {"write", "peek", "shout"},
    ),
}


@pytest.mark.parametrize(("middleware", "lost", "conditional"), CASES.values(), ids=CASES)
def test_what_a_middleware_may_change_is_not_known_and_the_rest_is(
    middleware: str, lost: set[str], conditional: set[str], tmp_path: Path
) -> None:
    server = server_with(tmp_path, middleware)
    assert sorted(str(tool.name) for tool in server.tools) == ["peek", "read", "shout", "write"]
    assert all(unknown(tool) >= lost for tool in server.tools)
    assert {tool.name for tool in server.tools if tool.conditional} >= conditional
    if server.incomplete is None:
        assert all(unknown(tool) == lost for tool in server.tools)
        assert "description" in lost or server.tools[0].fields["description"] == Known("Read.")
    else:
        assert all(tool.conditional for tool in server.tools)
        assert "middleware" in server.incomplete
