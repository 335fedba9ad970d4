# ruff: noqa: E501 - each source stands in one line
"""Low-level servers of mcp 1.x: what is said of each tool, by the shape in which servers declare it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.extracted import only_server, tools

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}

EXACT = {
    "validated dict": """
        @server.list_tools()
        async def handle():
            return [Tool.model_validate({"name": "one", "description": "One.", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}})]
    """,
    "a model's schema without titles": """
        from pydantic import BaseModel
        class One(BaseModel):
            a: str = ""
        def strip(value):
            if isinstance(value, dict):
                return {k: strip(v) for k, v in value.items() if k not in ("title", "default")}
            return [strip(v) for v in value] if isinstance(value, list) else value
        @server.list_tools()
        async def handle():
            return [Tool(name="one", description="One.", inputSchema=strip(One.model_json_schema()))]
    """,
}


@pytest.mark.parametrize("source", EXACT.values(), ids=EXACT)
def test_a_tool_is_exact(tmp_path: Path, source: str) -> None:
    server = only_server(tmp_path, source)
    assert server.incomplete is None
    assert [(t.definition, dict(t.unknown), t.conditional) for t in server.tools] == [
        ({"name": "one", "description": "One.", "inputSchema": SCHEMA}, {}, None)
    ]


IN_FUNCTIONS = {
    "class": """
        import mcp.types
        from mcp.server.lowlevel import Server as LowServer
        class App:
            def __init__(self, path):
                self._path = path
                self._server: LowServer = LowServer("demo")
                self._setup()
            def _setup(self):
                self._server.list_tools()(self._tools)
            async def _tools(self):
                return [mcp.types.Tool(name="one", description="One.", inputSchema={"type": "object"}), mcp.types.Tool(name="two", description="In " + self._path, inputSchema={})]
    """,
}


@pytest.mark.parametrize("source", IN_FUNCTIONS.values(), ids=IN_FUNCTIONS)
def test_only_what_depends_on_an_argument_is_unknown(tmp_path: Path, source: str) -> None:
    server = only_server(tmp_path, {"pkg/__init__.py": "", "pkg/app.py": source})
    assert server.name == "demo"
    found = tools(server)
    assert found["one"].definition == {"name": "one", "description": "One.", "inputSchema": {"type": "object"}}
    assert found["one"].exact
    assert list(found["two"].unknown) == ["description"]
    assert found["two"].unknown["description"].code == "PD302"


def test_a_recursive_helper_over_an_unknown_leaf_leaves_the_rest_known(tmp_path: Path) -> None:
    server = only_server(
        tmp_path,
        """
        import os
        def strip(value):
            if isinstance(value, dict):
                return {k: strip(v) for k, v in value.items() if k != "title"}
            if isinstance(value, list):
                return [strip(v) for v in value]
            return value
        @server.list_tools()
        async def handle():
            return [
                Tool(name="one", description="One.", inputSchema=strip({"title": "x", "p": {"d": os.getenv("X")}})),
                Tool(name="two", description="Two.", inputSchema=strip({"title": "x", "p": [1]})),
            ]
        """,
    )
    found = tools(server)
    assert found["one"].unknown["inputSchema"].path == "p.d"
    assert found["two"].definition["inputSchema"] == {"p": [1]}


def test_what_changes_while_the_server_runs_is_unknown(tmp_path: Path) -> None:
    source = """
        class App:
            def __init__(self):
                self.text = "a"
            def change(self, text):
                self.text = text
        app = App()
        @server.list_tools()
        async def handle():
            return [Tool(name="one", description=app.text, inputSchema={})]
        @server.call_tool()
        async def call(name, arguments):
            app.change(name)
    """
    (tool,) = only_server(tmp_path, source).tools
    assert tool.unknown["description"].code == "PD309"


REFUSED = {
    "number as name": ("Tool(name=5, inputSchema={})", "name"),
    "no schema": ('Tool(name="x", inputSchema=None)', "inputSchema"),
    "number as key": ('Tool(name="x", inputSchema={1: 2})', "inputSchema"),
    "hint as text": ('Tool(name="x", inputSchema={}, annotations={"readOnlyHint": "yes"})', "annotations"),
    "class in a schema": ('Tool(name="x", inputSchema={"a": Tool})', "inputSchema"),
}


@pytest.mark.parametrize(("call", "field"), REFUSED.values(), ids=REFUSED)
def test_what_the_sdk_refuses_or_converts_is_unknown(tmp_path: Path, call: str, field: str) -> None:
    source = f"@server.list_tools()\nasync def handle():\n    return [{call}]\n"
    (tool,) = only_server(tmp_path, source).tools
    assert field in tool.unknown


ONE = 'Tool(name="one", description="One.", inputSchema={"type": "object"})'
HANDLED = f"@server.list_tools()\nasync def handle():\n    return [{ONE}]\n"
SDK = "from mcp.server import Server\nfrom mcp.types import Tool\n"
REACHED = {
    "by a class that another module derives": {
        "pkg/__init__.py": "",
        "pkg/base.py": SDK + "class Base(Server):\n    def __init__(self, name):\n        super().__init__(name)\n",
        "pkg/app.py": f"from mcp.types import Tool\nfrom .base import Base\nserver = Base('demo')\n{HANDLED}",
    },
}


@pytest.mark.parametrize("files", REACHED.values(), ids=REACHED)
def test_a_server_is_found_however_its_class_is_reached(tmp_path: Path, files: dict[str, str]) -> None:
    server = only_server(tmp_path, files)
    assert (server.name, server.incomplete) == ("demo", None)
    assert [(tool.name, tool.exact, tool.conditional) for tool in server.tools] == [("one", True, None)]
