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
    "what a pattern raises": _after(_tried("re.compile('(').match('x')", "ValueError", "re.error"), before="import re")
}
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
    "a descriptor read through its class": _after(
        "if Config.debug:\n" + "    @mcp.tool()\n    def dump(x: int) -> str:\n        return 'd'\n",
        before=_CLASS_PROPERTY,
    ),
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
CALLED = {
    "the docstring of an object that wraps a function": _after(
        "mcp.tool(name='search', description=search.__doc__)(search.fn)\n",
        families=(*OFFICIAL, "fastmcp3"),
        before=_LOGGED,
    ),
    "an object has not the name of its class": _after(_named("getattr(one, '__name__', 'nameless')"), before=_OBJECT),
    "a context variable that a task sets": _after(
        "asyncio.run(setup())\n" + _named("variable.get()"),
        before="import asyncio, contextvars\nvariable = contextvars.ContextVar('v', default='none')\nasync def setup():\n    variable.set('inside')\n",
        fresh=True,
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
}
_DICTS = "from collections import OrderedDict, defaultdict\nimport json\nTABLE = OrderedDict(a=1)\nLISTS = defaultdict(list)\nLISTS['a'].append(1)\n"
DERIVED = {
    **{
        f"the text of a dict of another class: {text}": _after(_told(said=text), before=_DICTS)
        for text in (
            *("(TABLE,)", "str([TABLE])", "repr(LISTS)", '"{}".format(TABLE)', '"{0[0]!r}".format((LISTS,))'),
            *('"%s" % TABLE', "format(TABLE)"),
        )
    },
    **{
        f"what a dict of another class holds: {text}": _after(_told(said=text), before=_DICTS)
        for text in (
            *("json.dumps(TABLE)", "json.dumps([LISTS, TABLE])", "dict(TABLE)", "list(LISTS.items())"),
            '"{a}".format(**TABLE)',
        )
    },
}
TABLES = {"raised": RAISED, "descriptors": DESCRIPTORS, "called": CALLED, "shown": SHOWN, "derived dicts": DERIVED}
