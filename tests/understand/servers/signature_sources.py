"""Servers that make the signatures of their tools themselves, from the fields of models, from tables, from others."""

from __future__ import annotations

from tests.understand.servers.decorated_sources import ALL, FAST

BRIDGE = """
import inspect
from typing import Annotated, Any, Literal, Optional
from pydantic import BaseModel, Field
mcp = SERVER("demo")
class Search(BaseModel):
    "Search notes."
    text: Annotated[str, Field(description="What to look for.", min_length=2)]
    limit: int = 10
    kind: Literal["a", "b"] = "a"
    tags: Optional[list[str]] = Field(default=None, description="Any of these.")
def bridge(model, name):
    parameters, annotations = [], {}
    for key, field in model.model_fields.items():
        annotations[key] = field.annotation
        more = {} if field.is_required() else {"default": field.default}
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter(key, keyword, annotation=field.annotation, **more))
    def call(**values: Any) -> Any:
        return model.model_validate(values)
    call.__name__ = name
    call.__doc__ = model.__doc__
    call.__signature__ = inspect.Signature(parameters, return_annotation=Any)
    call.__annotations__ = {**annotations, "return": Any}
    return call
"""
_SETTER = """
        import inspect
        from typing import Any, Optional
        mcp = SERVER("demo")
        def one(a: int, b: str = "x") -> str: "One."
        KEYWORD = inspect.Parameter.KEYWORD_ONLY
"""

WRAPPED = """
import functools, inspect
from typing import Annotated, NewType, Optional, get_type_hints
from pydantic import BaseModel, Field
mcp = SERVER("demo")
Key = KEY
class Row(BaseModel):
    n: int
class Page(BaseModel):
    rows: list[Row]
    first: Row | None = None
    key: Optional[Key] = None
def safe(function):
    @functools.wraps(function)
    async def wrapper(*args, **kwargs):
        return await function(*args, **kwargs)
    wrapper.__annotations__ = HINTS
    return wrapper
@mcp.tool()
@safe
async def one(a: Annotated[int, Field(ge=1)], b: Optional[str] = None) -> Page: "One."
"""
"""A wrapper whose annotations are set, of a function that returns a model with a union."""


def _wrapped(hints: str, before: str = "", key: str = "int") -> str:
    return before + WRAPPED.replace("HINTS", hints).replace("KEY", key)


DECORATED_METHOD = """
import functools
mcp = SERVER("demo")
def passing(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)
    return inner
class Notes:
    @passing
    def decorated(self, text: str) -> str: "Decorated."
mcp.tool(name="d")(passing(Notes().decorated))
"""


def _set(text: str) -> str:
    return _SETTER + "\n".join(f"        {line}" for line in text.strip().splitlines()) + "\n        mcp.tool()(one)\n"


EXACT: dict[str, tuple[tuple[str, ...], str]] = {
    "annotations of what is wrapped, with a new type": (
        ALL,
        _wrapped("function.__annotations__", key="NewType('Key', int)"),
    ),
    "fields of a model that are changed": (
        ALL,
        BRIDGE + 'Search.model_fields.pop("limit")\nmcp.tool()(bridge(Search, "search"))\n',
    ),
    "a module that registers on a side that ends the program": (
        ALL,
        """
        import os, sys
        mcp = SERVER("demo")
        @mcp.tool()
        def one() -> str: "One."
        if os.environ.get("MODE"):
            @mcp.tool()
            def two() -> str: "Two."
            sys.exit(0)
        """,
    ),
    "types of another function without their metadata": (
        ALL,
        _set(
            "from typing import Annotated, get_type_hints\nfrom pydantic import Field\n"
            "def base(a: Annotated[int, Field(ge=1)], b: list[Annotated[str, Field(min_length=1)]]): pass\n"
            "one.__annotations__ = get_type_hints(base)"
        ),
    ),
}

DOUBTFUL: dict[str, tuple[tuple[str, ...], str]] = {
    "an object as a default": (
        ALL,
        """
from pydantic import BaseModel
mcp = SERVER("demo")
class View(BaseModel):
    zoom: int = 100
@mcp.tool()
def show(view: View = View()) -> View: "Show."
""",
    ),
    "an annotation in a signature that is text": (
        ALL,
        _set("one.__signature__ = inspect.Signature([inspect.Parameter('z', KEYWORD, annotation='int')])"),
    ),
    "a parameter that the annotations do not have": (
        FAST,
        _set("one.__signature__ = inspect.Signature([inspect.Parameter('z', KEYWORD, annotation=int)])"),
    ),
    "a wrapper of a method that is decorated": (ALL, DECORATED_METHOD),
    "annotations on a wrapper without their metadata": (ALL, _wrapped("get_type_hints(function)")),
    "a field of a model that is set later": (
        ALL,
        BRIDGE + 'Search.model_fields["limit"].default = 20\nmcp.tool()(bridge(Search, "search"))\n',
    ),
    "a field that refers forward": (
        ALL,
        BRIDGE
        + """
class Node(BaseModel):
    "A node."
    next: Optional["Node"] = None
mcp.tool()(bridge(Node, "node"))
""",
    ),
}
