# ruff: noqa: E501 - most sources stand in one line
"""What Python asks of classes, exceptions and tables behind the back of a program that only uses them."""

from __future__ import annotations

from tests.soundness.sources import MANAGED, OFFICIAL, Case, server

TWO = ("mcp1-fastmcp", "fastmcp3")


def _after(text: str, *settled: str, families: tuple[str, ...] = TWO, before: str = "", fresh: bool = False) -> Case:
    return Case(families, server(before=before, after=text), settled=("alpha", "beta", *settled), fresh=fresh)


def _named(expression: str) -> str:
    """A tool whose name says what an expression is."""
    return f"\n@mcp.tool(name={expression})\ndef _named(x: int) -> str:\n    'Named.'\n"


def _told(**expressions: str) -> str:
    """A tool for each expression, whose description says what the expression is."""
    return "".join(
        f'@mcp.tool(description=f"""{{{expression}}}""")\ndef {name}(x: int) -> str:\n    return \'x\'\n'
        for name, expression in expressions.items()
    )


def _tried(expression: str, *handlers: str) -> str:
    """A tool that is called after the first handler that catches what an expression raises."""
    caught = "".join(f"except {each}:\n    NAME = 'handler_{number}'\n" for number, each in enumerate(handlers))
    return f"try:\n    {expression}\n    NAME = 'fine'\n{caught}" + _named("NAME")


RAISED = {
    "what json raises is a ValueError": _after(
        _tried("json.loads('')", "ValueError", "Exception"), "handler_0", before="import json"
    ),
    "what json raises is no KeyError": _after(
        _tried("json.loads('{')", "KeyError", "json.JSONDecodeError"), "handler_1", before="import json"
    ),
    "what json raises, and a class of the program": _after(
        "class Mine(Exception):\n    pass\n" + _tried("json.loads('')", "Mine", "ValueError"), before="import json"
    ),
    "what a text cannot be encoded to is a ValueError": _after(
        _tried("'é'.encode('ascii')", "OSError", "ValueError", "Exception"), "handler_1"
    ),
    "what a pattern raises": _after(_tried("re.compile('(').match('x')", "ValueError", "re.error"), before="import re"),
}
_REGISTRY = """
REGISTRY = []
class tool:
    def __init__(self, fn):
        self.fn = fn
    def __set_name__(self, owner, name):
        REGISTRY.append((name, self.fn))
        setattr(owner, name, self.fn)
class Tools:
    @tool
    def search(self, q: str) -> str:
        "Search."
        return q
    @tool
    def fetch(self, url: str) -> str:
        "Fetch."
        return url
"""
_CLASS_PROPERTY = """
class classproperty:
    def __init__(self, fget):
        self.fget = fget
    def __get__(self, obj, owner):
        return self.fget(owner)
class Config:
    level = 0
    @classproperty
    def debug(cls):
        return cls.level > 1
"""
_FIELD = """
class Doubled:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.name)
    def __set__(self, obj, value):
        setattr(obj, self.name, value * 2)
class Sized:
    size = Doubled()
    def __init__(self, size):
        self.size = size
"""
DESCRIPTORS = {
    "a class of decorators that is told its name": _after(
        "tools = Tools()\nfor name, fn in REGISTRY:\n    mcp.tool(name=name)(getattr(tools, name))\n",
        "search",
        "fetch",
        before=_REGISTRY,
    ),
    "a descriptor read through its class": _after(
        "if Config.debug:\n" + "    @mcp.tool()\n    def dump(x: int) -> str:\n        return 'd'\n",
        before=_CLASS_PROPERTY,
    ),
    "a descriptor read through an object": _after(
        "if Config().debug:\n" + "    @mcp.tool()\n    def dump(x: int) -> str:\n        return 'd'\n",
        before=_CLASS_PROPERTY,
    ),
    "a descriptor that is set": _after(_named("f'size_{Sized(4).size}'"), "size_8", before=_FIELD),
    "a descriptor beside what an object has": _after(
        "one = Sized(4)\none.__dict__['size'] = 1\n" + _named("f'size_{one.size}'"), before=_FIELD
    ),
}
_LOGGED = """
import functools
class Logged:
    "A function that logs its calls."
    def __init__(self, fn):
        functools.update_wrapper(self, fn)
        self.fn = fn
    def __call__(self, *args, **kwargs):
        return self.fn(*args, **kwargs)
@Logged
def search(q: str) -> str:
    "Search."
    return q
"""
_OBJECT = """
class Search:
    "Searches."
    def run(self, q: str) -> str:
        "Run."
        return q
one = Search()
"""
_CACHED = """
import inspect
from functools import lru_cache
@lru_cache(maxsize=1)
def load(path: str = "x") -> str:
    "Load."
    return path
def search(q: str) -> str:
    "Search."
    return q
class Home:
    @lru_cache
    def find(self, q: str) -> str:
        "Find."
        return q
"""
CALLED = {
    "the docstring of an object that wraps a function": _after(
        "mcp.tool(name='search', description=search.__doc__)(search.fn)\n",
        "search",
        families=(*OFFICIAL, "fastmcp3"),
        before=_LOGGED,
    ),
    "the name of an object that wraps a function": _after(
        "mcp.tool(name=getattr(search, '__name__', 'tool') + '_2')(search.fn)\n", "search_2", before=_LOGGED
    ),
    "an object that wraps a function is a tool": _after(
        "try:\n    mcp.tool()(search)\nexcept TypeError:\n    pass\n", families=OFFICIAL, before=_LOGGED
    ),
    "an object has not the name of its class": _after(_named("getattr(one, '__name__', 'nameless')"), before=_OBJECT),
    "an object whose class has a name": _after(
        _told(named="type(one).__name__ + one.__class__.__qualname__ + str(one.__doc__)"), "named", before=_OBJECT
    ),
    "an object that is given a name": _after(
        "one.__name__ = 'given'\n" + _named("one.__name__"), "given", before=_OBJECT
    ),
    "a function behind a cache is no function": _after(
        "for fn in (load, search):\n    if inspect.isfunction(fn):\n        mcp.tool()(fn)\n", "search", before=_CACHED
    ),
    "what inspect says of a method behind a cache": _after(
        _told(said="[inspect.ismethod(Home().find), inspect.isfunction(Home.find), inspect.iscoroutinefunction(load)]"),
        "said",
        before=_CACHED,
    ),
    "a context variable that a task sets": _after(
        "asyncio.run(setup())\n" + _named("variable.get()"),
        before="import asyncio, contextvars\nvariable = contextvars.ContextVar('v', default='none')\nasync def setup():\n    variable.set('inside')\n",
        fresh=True,
    ),
    "a context variable that is set": _after(
        "variable.set('outside')\n" + _named("variable.get()"),
        "outside",
        before="import contextvars\nvariable = contextvars.ContextVar('v', default='none')\n",
    ),
}
SHOWN = {
    **{
        f"{part} of the SDK's table, kept": Case(
            MANAGED,
            server(between=f"KEPT = mcp._tool_manager._tools.{part}()", after=_told(said=said)),
            settled=("alpha", "beta", "said"),
        )
        for part, said in {
            "values": "[tool.name for tool in KEPT]",
            "keys": "list(KEPT)",
            "items": "[name for name, tool in KEPT]",
        }.items()
    },
    **{
        f"tools are removed while {part} of the SDK's table are gone through": Case(
            MANAGED[:1],
            server(
                after=f"try:\n    for each in mcp._tool_manager._tools{part}:\n        mcp.remove_tool({name})\nexcept RuntimeError:\n    pass\n"
            ),
        )
        for part, name in {"": "each", ".values()": "each.name", ".items()": "each[0]", ".keys()": "each"}.items()
    },
    "tools are removed behind a copy of the SDK's table": Case(
        MANAGED[:1],
        server(
            after="for name, tool in list(mcp._tool_manager._tools.items()):\n    if name == 'alpha':\n        mcp.remove_tool(name)\n"
        ),
        settled=("beta",),
    ),
}
_DICTS = "from collections import OrderedDict, defaultdict\nimport json\nTABLE = OrderedDict(a=1)\nLISTS = defaultdict(list)\nLISTS['a'].append(1)\n"
DERIVED = {
    **{
        f"the text of a dict of another class: {text}": _after(_told(said=text), before=_DICTS)
        for text in (
            "(TABLE,)",
            "str([TABLE])",
            "repr(LISTS)",
            '"{}".format(TABLE)',
            '"{0[0]!r}".format((LISTS,))',
            '"%s" % TABLE',
            "format(TABLE)",
        )
    },
    **{
        f"what a dict of another class holds: {text}": _after(_told(said=text), "said", before=_DICTS)
        for text in (
            "json.dumps(TABLE)",
            "json.dumps([LISTS, TABLE])",
            "dict(TABLE)",
            "list(LISTS.items())",
            '"{a}".format(**TABLE)',
        )
    },
}
TABLES = {
    "raised": RAISED,
    "descriptors": DESCRIPTORS,
    "called": CALLED,
    "shown": SHOWN,
    "derived dicts": DERIVED,
}
