# ruff: noqa: E501 - each source stands in few lines
"""Sources of low-level servers of mcp 2.x, by the shape in which they declare their tools."""

from __future__ import annotations

from textwrap import dedent

HEAD = """
import mcp.types as types
from mcp.server import Server
from mcp.types import ListToolsResult, PaginatedRequestParams, Tool, ToolAnnotations
SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}}
"""
TAIL = """
async def list_tools(ctx, params):
    return ListToolsResult(tools=TOOLS)
server = Server("demo", on_list_tools=list_tools)
"""


def with_tools(expression: str) -> str:
    """A server whose list is ``expression``."""
    return f"{HEAD}TOOLS = {expression}\n{TAIL}"


def one(keywords: str) -> str:
    return with_tools(f'[Tool(name="one", {keywords})]')


def whole(text: str) -> str:
    return HEAD + dedent(text)


EXACT = {
    "both spellings": one('inputSchema={"type": "object", "x": 1}, input_schema={"type": "object", "x": 2}'),
    "description None": one("description=None, input_schema=SCHEMA"),
    "tuple in a schema": one('input_schema={"type": "object", "properties": {"x": {"enum": (1, 2)}}, "required": ()}'),
    "enum names": whole("""
        from enum import Enum
        class Names(str, Enum):
            ONE = "one"
        TOOLS = [Tool(name=Names.ONE, description=f"{Names.ONE.value}.", input_schema={"type": "object", "properties": {"k": {"enum": [n.value for n in Names]}}})]
    """)
    + TAIL,
    "partial": whole("""
        import functools
        async def listed(tools, ctx, params):
            return ListToolsResult(tools=tools)
        server = Server("demo", on_list_tools=functools.partial(listed, [Tool(name="one", input_schema=SCHEMA)]))
    """),
    "frozen dataclasses rewritten": whole("""
        import copy
        from dataclasses import dataclass
        @dataclass(frozen=True)
        class Definition:
            name: str
            description: str
            input_schema: dict
            def parts(self):
                return {"name": self.name, "description": self.description, "input_schema": copy.deepcopy(self.input_schema)}
        STATES = {"one": ["beta"], "two": []}
        def catalogue():
            found = []
            for item in [Definition("one", "One.", SCHEMA), Definition("two", "Two.", {"type": "object"})]:
                if STATES[item.name]:
                    text = f"{item.description} [{', '.join(STATES[item.name])}]"
                    item = Definition(item.name, text, input_schema=item.input_schema)
                found.append(item)
            return found
        TOOLS = [Tool(**item.parts()) for item in catalogue()]
    """)
    + TAIL,
    "handler objects": whole("""
        from abc import ABC, abstractmethod
        class Handler(ABC):
            name = ""
            def __init__(self, name):
                self.name = name
            @abstractmethod
            def describe(self): ...
        class One(Handler):
            def __init__(self):
                super().__init__("one")
            def describe(self):
                return Tool(name=self.name, description="One.", inputSchema=SCHEMA)
        HANDLERS = {}
        for item in (One(),):
            HANDLERS[item.name] = item
        async def listed(ctx, params):
            return ListToolsResult(tools=[h.describe() for h in HANDLERS.values()])
        server = Server("demo", on_list_tools=listed)
    """),
}
"""Sources of which everything is known: the answer must be the SDK's own."""

REFUSED = {
    "enum member for the type": "from enum import Enum\nclass K(Enum):\n    O = 'thing'\n"
    + one('input_schema={"type": K.O}'),
    "no schema": one('description="x"'),
    "None": with_tools("[]").replace("ListToolsResult(tools=TOOLS)", "None"),
    "positional result": with_tools('[Tool(name="one", input_schema=SCHEMA)]').replace("tools=TOOLS", "TOOLS"),
    "attribute in camel case": one("input_schema=SCHEMA") + 'TOOLS[0].inputSchema = {"type": "object"}\n',
    "reading in camel case": one('input_schema=Tool(name="x", input_schema=SCHEMA).inputSchema'),
    "handlers by request type": whole("""
        async def listed(request):
            return ListToolsResult(tools=[Tool(name="one", input_schema=SCHEMA)])
        server = Server("demo")
        server.request_handlers[types.ListToolsRequest] = listed
    """),
    "a handler without parameters": whole("""
        async def listed():
            return ListToolsResult(tools=[Tool(name="one", input_schema=SCHEMA)])
        server = Server("demo", on_list_tools=listed)
    """),
}
"""Sources with which the SDK lists nothing: no tool of them may be called exact in a complete server."""

UNSETTLED = {
    "boolean property": one('input_schema={"type": "object", "properties": {"x": True}}'),
    "execution": one('input_schema=SCHEMA, execution=types.ToolExecution(task_support="optional")'),
    "copies that share nothing": whole("""
        import copy
        FIRST = Tool(name="one", input_schema=SCHEMA, icons=[{"src": "x"}])
        deep = FIRST.model_copy(deep=True, update={"name": "two"})
        deep.input_schema["properties"]["deep"] = {}
        other = copy.deepcopy(FIRST)
        other.name = "three"
        other.input_schema["properties"]["other"] = {}
        dumped = FIRST.model_dump(exclude_none=True)
        dumped["name"] = "four"
        dumped["input_schema"]["properties"]["dumped"] = {}
        dumped["icons"][0]["src"] = "y"
        TOOLS = [FIRST, deep, other, Tool(**dumped)]
    """)
    + TAIL,
    "pages by a cursor of JSON": whole("""
        import json
        ALL = [Tool(name=f"t{i}", input_schema=SCHEMA) for i in range(5)]
        async def listed(ctx, params):
            start = 0 if params is None or params.cursor is None else json.loads(params.cursor)["start"]
            more = json.dumps({"start": start + 2}) if start + 2 < len(ALL) else None
            return ListToolsResult(tools=ALL[start:start + 2], next_cursor=more)
        server = Server("demo", on_list_tools=listed)
    """),
    "a handler around the old one": whole("""
        async def first(ctx, params):
            return ListToolsResult(tools=[Tool(name="one", input_schema=SCHEMA)])
        server = Server("demo", on_list_tools=first)
        entry = server.get_request_handler("tools/list")
        async def around(ctx, params):
            inner = await entry.handler(ctx, params)
            return ListToolsResult(tools=[*inner.tools, Tool(name="two", input_schema=SCHEMA)])
        server.add_request_handler("tools/list", PaginatedRequestParams, around)
    """),
    "middleware that changes": whole("""
        async def change(ctx, call_next):
            answer = await call_next(ctx)
            if ctx.method == "tools/list":
                answer["tools"][0]["description"] = "Changed."
            return answer
    """)
    + one('description="One.", input_schema=SCHEMA')
    + "server.middleware.append(change)\n",
    "a filter from the request": one("input_schema=SCHEMA").replace("=TOOLS", "=TOOLS if ctx.session is None else []"),
    "a set in a schema": one('input_schema={"type": "object", "properties": {"x": {"enum": {"a", "b", "c"}}}}'),
    "infinity": one('input_schema={"type": "object", "properties": {"x": {"maximum": float("inf")}}}'),
    "a tool of a class of its own": f"""{HEAD}
class Mine(Tool): pass
TOOLS = [Mine(name="one", input_schema=SCHEMA)]
{TAIL}""",
}
"""Sources of which something is not known: whatever is said must be true, and something must be left open."""
