# ruff: noqa: E501 - each source stands in one line
"""Low-level servers of mcp 1.x: what is said of each tool, by the shape in which servers declare it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.model import Anchor
from tests.support.extracted import only_server, tools

SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}

EXACT = {
    "validated dict": """
        @server.list_tools()
        async def handle():
            return [Tool.model_validate({"name": "one", "description": "One.", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}})]
    """,
    "plain enum values in a schema": """
        from enum import Enum
        class Kind(Enum):
            STRING = "string"
        @server.list_tools()
        async def handle():
            return [Tool(name="one", description="One.", inputSchema={"type": "object", "properties": {"a": {"type": Kind.STRING}}})]
    """,
    "handler classes": """
        class ToolHandler:
            def __init__(self, name):
                self.name = name
            def get_tool_description(self):
                raise NotImplementedError
        class One(ToolHandler):
            def __init__(self):
                super().__init__("one")
            def get_tool_description(self):
                return Tool(name=self.name, description="One.", inputSchema={"type": "object", "properties": {"a": {"type": "string"}}})
        handlers = {}
        def add(handler):
            global handlers
            handlers[handler.name] = handler
        add(One())
        @server.list_tools()
        async def handle():
            return [h.get_tool_description() for h in handlers.values()]
    """,
    "request_handlers": """
        async def handle(request):
            return types.ServerResult(types.ListToolsResult(tools=[Tool(name="one", description="One.", inputSchema={"type": "object", "properties": {"a": {"type": "string"}}})]))
        server.request_handlers[types.ListToolsRequest] = handle
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
    "replaced copies": """
        from dataclasses import dataclass, replace
        @dataclass(frozen=True)
        class Spec:
            name: str
            text: str = ""
        SPECS = tuple(replace(s, text="One.") for s in (Spec("one"),))
        @server.list_tools()
        async def handle():
            return [Tool(name=s.name, description=s.text, inputSchema={"type": "object", "properties": {"a": {"type": "string"}}}) for s in SPECS]
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
    "subclass": """
        from mcp.server import Server
        from mcp.types import Tool
        class Mine(Server):
            def __init__(self, path):
                super().__init__("demo")
                self.path = path
                self.list_tools()(self.tools)
            async def tools(self):
                return [Tool(name="one", description="One.", inputSchema={"type": "object"}), Tool(name="two", description=self.path, inputSchema={})]
        def main(argv):
            Mine(argv[1])
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


def test_a_tool_behind_an_unknown_condition_is_conditional(tmp_path: Path) -> None:
    source = """
        import os
        EXTRA = [Tool(name="maybe", description="", inputSchema={})]
        @server.list_tools()
        async def handle():
            return [Tool(name="always", description="", inputSchema={})] + (EXTRA if os.getenv("X") else [])
    """
    server = only_server(tmp_path, source)
    found = tools(server)
    assert server.incomplete is None
    assert set(found) == {"always", "maybe"}
    assert found["always"].conditional is None
    assert found["maybe"].conditional
    assert found["maybe"].exact


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


@pytest.mark.parametrize(
    "bind", ["server = enable(Server('demo'))", "server = Server('demo')\nenable(server, http='off')"]
)
def test_a_migrated_server_lists_what_its_code_lists(tmp_path: Path, bind: str) -> None:
    source = f"""
from mcp.server import Server
from mcp.types import Tool
from .progressive_disclosure import enable
{bind}
@server.list_tools()
async def handle():
    return [Tool(name="one", description="One.", inputSchema={{}})]
"""
    module = (
        '"""Made by pdmigrate."""\n'
        "def enable(server, stdio='enforce', http='advise'):\n    server.request_handlers.clear()\n    return server\n"
    )
    files = {"pkg/__init__.py": "", "pkg/progressive_disclosure.py": module, "pkg/server.py": source}
    server = only_server(tmp_path, files)
    assert server.incomplete is None
    assert [t.definition["description"] for t in server.tools] == ["One."]
    assert isinstance(server.anchor, Anchor)
    assert server.anchor.enabled is not None


def test_the_wire_form_is_the_sdks(tmp_path: Path) -> None:
    call = 'Tool(name="x", description=None, title=None, inputSchema={}, extra=None)'
    (tool,) = only_server(tmp_path, f"@server.list_tools()\nasync def handle():\n    return [{call}]\n").tools
    assert (tool.definition, dict(tool.unknown)) == ({"name": "x", "inputSchema": {}}, {})


REFUSED = {
    "number as description": ('Tool(name="x", description=5, inputSchema={})', "description"),
    "number as name": ("Tool(name=5, inputSchema={})", "name"),
    "missing schema": ('Tool(name="x")', "inputSchema"),
    "no schema": ('Tool(name="x", inputSchema=None)', "inputSchema"),
    "number as key": ('Tool(name="x", inputSchema={1: 2})', "inputSchema"),
    "infinite number": ('Tool(name="x", inputSchema={"a": float("inf")})', "inputSchema"),
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
    "under another name, in a class": {
        "app.py": f"{SDK}Low = Server\nclass App:\n    def __init__(self):\n        self.server: Server = Low('demo')\n"
        f"        @self.server.list_tools()\n        async def handle():\n            return [{ONE}]\n"
        "def main():\n    App().server.run()\n",
    },
    "with everything that a module has": {
        "sdk.py": SDK,
        "app.py": f"from sdk import *\nserver = Server('demo')\n{HANDLED}",
    },
}


@pytest.mark.parametrize("files", REACHED.values(), ids=REACHED)
def test_a_server_is_found_however_its_class_is_reached(tmp_path: Path, files: dict[str, str]) -> None:
    server = only_server(tmp_path, files)
    assert (server.name, server.incomplete) == ("demo", None)
    assert [(tool.name, tool.exact, tool.conditional) for tool in server.tools] == [("one", True, None)]
