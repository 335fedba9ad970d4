# ruff: noqa: E501 - each source stands in one line
"""Small servers of the decorator families; ``SERVER`` is the class, ``mcp`` the server of ``server.py``."""

from __future__ import annotations

from textwrap import dedent

HEAD = {
    "mcp1-fastmcp": "from mcp.server.fastmcp import FastMCP as SERVER\nfrom mcp.server.fastmcp.tools import Tool\nfrom mcp.types import ToolAnnotations\n",
    "mcp2-mcpserver": "from mcp.server.mcpserver import MCPServer as SERVER\nfrom mcp.server.mcpserver.tools import Tool\nfrom mcp.types import ToolAnnotations\n",
    "fastmcp2": "from fastmcp import FastMCP as SERVER\nfrom fastmcp.tools import Tool\nfrom mcp.types import ToolAnnotations\n",
    "fastmcp3": "from fastmcp import FastMCP as SERVER\nfrom fastmcp.tools import Tool\nfrom mcp.types import ToolAnnotations\n",
    "fastmcp4": "from fastmcp import FastMCP as SERVER\nfrom fastmcp.tools import Tool\nfrom mcp.types import ToolAnnotations\n",
}
ALL = tuple(HEAD)
OFFICIAL = ("mcp1-fastmcp", "mcp2-mcpserver")
FAST = ("fastmcp2", "fastmcp3", "fastmcp4")
PROVIDERS = ("fastmcp3", "fastmcp4")


def _headed(family: str, text: str) -> str:
    """A source with the imports of its family, behind those of the future."""
    body = dedent(text)
    future = "from __future__ import annotations\n"
    start = future if future in body else ""
    return start + HEAD[family] + body.replace(future, "")


def files(family: str, source: str | dict[str, str]) -> dict[str, str]:
    """The files of a case in the words of one family."""
    parts = {"server.py": source} if isinstance(source, str) else source
    return {
        path: _headed(family, text) if "SERVER" in text or "Tool" in text else dedent(text)
        for path, text in parts.items()
    }


EXACT: dict[str, tuple[tuple[str, ...], str | dict[str, str]]] = {
    "decorator with a call": (ALL, """
        mcp = SERVER("demo")
        @mcp.tool()
        def one(a: int, b: str = "x") -> str: "One."
        @mcp.tool()
        async def two() -> None: "Two."
    """),
    "types that are new": (ALL, """
        import typing_extensions
        from typing import NewType, Optional
        from pydantic import BaseModel
        mcp = SERVER("demo")
        Key = NewType("Key", str)
        Count = typing_extensions.NewType("Count", int)
        class Row(BaseModel):
            key: Key
            counts: dict[str, Count] = {}
        Rows = NewType("Rows", list[Row])
        @mcp.tool()
        def one(key: Key, row: Row, rows: Rows, other: Optional[Key] = None) -> Key: ...
        @mcp.tool()
        def two() -> Rows: ...
    """),
    "results of the SDK's own that say what they hold": (OFFICIAL, """
        from __future__ import annotations
        from typing import Annotated, Any, Optional, TypedDict
        from pydantic import BaseModel, Field
        from mcp.types import CallToolResult, TextContent
        mcp = SERVER("demo")
        class Row(BaseModel):
            n: int = Field(description="How many.")
        class Typed(TypedDict):
            n: int
        Counted = Annotated[CallToolResult, Row]
        @mcp.tool()
        def model() -> Counted: ...
        @mcp.tool()
        def anything() -> Annotated[CallToolResult, dict[str, Any]]: ...
        @mcp.tool()
        def typed() -> Annotated[CallToolResult, Typed]: ...
        @mcp.tool()
        def rows() -> Annotated[CallToolResult, list[Row]]: ...
        @mcp.tool()
        def bounded() -> Annotated[CallToolResult, int, Field(ge=1)]: ...
        @mcp.tool()
        def perhaps() -> Annotated[CallToolResult, Optional[Row]]: ...
        @mcp.tool()
        def bare() -> CallToolResult: ...
        @mcp.tool(structured_output=False)
        def none() -> Counted: ...
    """),
    "a server with the type of its state": (ALL, """
        class State: pass
        mcp = SERVER[State]("demo")
        @mcp.tool()
        def one(a: str) -> str: "One."
    """),
    "the tool method wrapped": (ALL, """
        mcp = SERVER("demo")
        original = mcp.tool
        def tool(*args, **kwargs):
            kwargs.setdefault("description", "Given.")
            return original(*args, **kwargs)
        mcp.tool = tool
        @mcp.tool()
        def one(a: int) -> str: "One."
    """),
    "functions that are changed when they are tools": (ALL, """
        import functools
        mcp = SERVER("demo")
        TABLE = {"a": 1}
        NAMES = ["x"]
        def note(functions):
            for function in functions:
                function.__doc__ = f"{function.__doc__} Note."
        @mcp.tool()
        def one(table: dict = TABLE, names: list = NAMES) -> str: "One."
        TABLE["b"] = 2
        NAMES.append("y")
        def two(a: int) -> str:
            "Two."
            return ""
        note([two])
        mcp.tool()(two)
        note([two])
        two.__name__ = "late"
        mcp.tool()(two)
        class Kit:
            def three(self, a: int) -> str:
                "Three."
                return ""
        mcp.tool()(Kit().three)
        Kit.three.__doc__ = "Changed."
        def registered(function):
            @functools.wraps(function)
            def inner(*args, **kwargs):
                return function(*args, **kwargs)
            mcp.tool(name="four")(inner)
            inner.__doc__ = "Changed."
            return inner
        @registered
        def four(a: int) -> str:
            "Four."
            return ""
    """),
    "served by a web application": (ALL, """
        from starlette.applications import Starlette
        from starlette.routing import Mount
        mcp = SERVER("demo")
        def build(server):
            app = Starlette(routes=[Mount("/x", app=server)])
            app.mount("/mcp", server)
            app.add_middleware(object, server=server)
            app.mount(f"/{len(server.name)}", server)
            return app
        app = build(mcp)
        @mcp.tool()
        def one(a: int) -> str: "One."
    """),
    "changed by the program": (OFFICIAL, """
        mcp = SERVER("demo")
        @mcp.tool()
        def one(a: int) -> str: "One."
        @mcp.tool()
        def two(a: int) -> str: "Two."
        for tool in mcp._tool_manager.list_tools():
            tool.parameters.pop("title", None)
            tool.description = tool.description.upper()
        mcp._tool_manager.get_tool("two").parameters["additionalProperties"] = False
    """),
    "types of texts that a wrapper of another module evaluates": (OFFICIAL, {
        "server.py": """
            from __future__ import annotations
            from typing import Annotated, Optional
            from pydantic import BaseModel, Field
            from kit import apart, listed
            mcp = SERVER("demo")
            class Place(BaseModel):
                city: str
            @mcp.tool()
            @apart
            def one(place: Place, limit: Annotated[int, Field(ge=1)] = 5, note: Optional[str] = None) -> Place: ...
            @mcp.tool()
            @listed
            def two(places: list[Place]) -> str: ...
        """,
        "kit.py": """
            import functools, inspect, typing
            def apart(fn):
                @functools.wraps(fn)
                async def wrapper(*args, **kwargs):
                    return fn(*args, **kwargs)
                wrapper.__signature__ = inspect.signature(fn, eval_str=True)
                wrapper.__annotations__ = typing.get_type_hints(fn, include_extras=True)
                return wrapper
            def listed(fn):
                signature = inspect.signature(fn, eval_str=True)
                async def wrapper(**kwargs):
                    return fn(**kwargs)
                wrapper.__name__ = fn.__name__
                wrapper.__signature__ = signature.replace(parameters=[*signature.parameters.values()])
                wrapper.__annotations__ = {name: p.annotation for name, p in signature.parameters.items()}
                return wrapper
        """,
    }),
    "modules of one import, one after the other": (("mcp2-mcpserver", "fastmcp4"), {
        "server.py": """
            from kit import greeting, tools
            from kit.app import mcp
        """,
        "kit/__init__.py": "",
        "kit/app.py": """
            mcp = SERVER("demo")
            def first() -> str:
                return "first"
            def last() -> str:
                return "last"
        """,
        "kit/greeting.py": "from .app import mcp",
        "kit/tools/__init__.py": "from . import one, two",
        "kit/tools/one.py": """
            from ..app import last, mcp
            @mcp.tool(name=last())
            def tool(a: int) -> str: ...
        """,
        "kit/tools/two.py": """
            from ..app import first, mcp
            @mcp.tool(name=first())
            def tool(a: str) -> str: ...
        """,
    }),
}  # fmt: skip
"""What the SDK lists is said exactly: every tool, in order, complete and without a condition."""

DOUBTFUL: dict[str, tuple[tuple[str, ...], str | dict[str, str]]] = {
    "duplicates ignored": (PROVIDERS, """
        mcp = SERVER("demo", on_duplicate="ignore")
        @mcp.tool(name="x")
        def one(a: int) -> str: "One."
        @mcp.tool(name="x")
        def two(b: str) -> str: "Two."
    """),
    "disabled": (("fastmcp2",), """
        mcp = SERVER("demo", exclude_tags={"internal"})
        @mcp.tool(enabled=False)
        def one() -> str: ...
        @mcp.tool(tags={"internal"})
        def two() -> str: ...
        @mcp.tool
        def three() -> str: ...
        @mcp.tool
        def four() -> str: ...
        four.disable()
    """),
    "hidden by tags and names": (PROVIDERS, """
        mcp = SERVER("demo")
        @mcp.tool(tags={"internal"})
        def one() -> str: ...
        @mcp.tool(tags={"internal", "safe"})
        def two() -> str: ...
        @mcp.tool
        def three() -> str: ...
        mcp.disable(tags={"internal"})
        mcp.enable(names={"two"})
        mcp.disable(names={"three"}, components={"prompt"})
    """),
    "renamed when it is mounted": (PROVIDERS, """
        mcp, middle, inner = SERVER("demo"), SERVER("middle"), SERVER("inner")
        @inner.tool
        def one() -> str: ...
        middle.mount(inner, namespace="b")
        mcp.mount(middle, namespace="a", tool_names={"b_one": "first"})
    """),
    "a mounted server that lists in another way": (PROVIDERS, """
        mcp, inner = SERVER("demo"), SERVER("inner", dereference_schemas=False)
        @inner.tool
        def one() -> str: ...
        mcp.mount(inner)
    """),
    "a listing replaced by a library's": (("mcp1-fastmcp",), """
        from elsewhere import lister
        mcp = SERVER("demo")
        @mcp.tool()
        def one() -> str: ...
        mcp._mcp_server.list_tools()(lister)
    """),
    "middleware from outside": (("fastmcp2", "fastmcp3", "fastmcp4", "mcp2-mcpserver"), """
        from elsewhere import Hiding
        mcp = SERVER("demo", middleware=[Hiding()])
        @mcp.tool()
        def one() -> str: ...
    """),
    "tools from a specification": (FAST, """
        import json
        mcp = SERVER.from_openapi(json.load(open("api.json")), client=None)
    """),
    "a mounted proxy": (FAST, """
        mcp = SERVER("demo")
        mcp.mount(SERVER.as_proxy("https://example.invalid/mcp"))
        @mcp.tool
        def one() -> str: ...
    """),
    "mounted under a name that is not known": (FAST, """
        import os
        mcp, child = SERVER("demo"), SERVER("child")
        @child.tool
        def one() -> str: ...
        mcp.mount(child, os.environ["PREFIX"])
    """),
}  # fmt: skip
"""Something about the listing is said not to be certain: a condition, an unknown field, or that there may be more."""

NONE: dict[str, tuple[tuple[str, ...], str]] = {
    "a class of the program of that name": (ALL, """
        class FastMCP:
            def __init__(self, name): ...
            def tool(self): return lambda function: function
        mcp = FastMCP("demo")
        @mcp.tool()
        def one() -> str: ...
    """),
    "another name for the class, and for another one": (ALL, """
        Base = SERVER
        Base = dict
        def create():
            return Base(name="demo")
        mcp = create()
    """),
    "in a text": (ALL, 'TEXT = "mcp = FastMCP(1)"\n'),
}  # fmt: skip
"""There is no server of the family."""
