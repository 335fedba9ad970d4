# ruff: noqa: E501 - most sources stand in one line
"""Programs that the SDK refuses, and corners of Python in which a text is another one than it seems."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, FAST, MANAGED, OFFICIAL, Case, lowlevel, server

FM2 = ("fastmcp2",)
FM3 = ("fastmcp3",)
MCP1 = ("mcp1-fastmcp",)
LOW = ("mcp1-lowlevel",)
TWO = ("mcp1-fastmcp", "fastmcp3")

REFUSED = {
    "a removal of what is not there": Case(MANAGED, server(after="mcp.remove_tool('gamma')")),
    "a keyword of a class of the program": Case(TWO, server(before="class Own(SERVER):\n    def __init__(self, name):\n        super().__init__(name, colour=1)", between="mcp = Own('m')")),
    "a keyword that a low-level server does not take": Case(LOW, lowlevel(options=', title="X"')),
}  # fmt: skip
TAKEN = {
    "for another release alone": Case(FM3, {"server.py": server(before="import fastmcp")["server.py"].replace(
        'mcp = SERVER("m")',
        "if fastmcp.__version__ < '3':\n    mcp = SERVER('m', port=1)\nelse:\n    mcp = SERVER('m')",
    )}, settled=("alpha", "beta")),
}  # fmt: skip

_TOLD = "import json, os\ntold = json.loads(os.environ.get('O', '{\"annotations\": {\"readOnlyHint\": true}}'))\n"
_ASKS = "\nif tool.annotations is None:\n    mcp.remove_tool('alpha')"
_SOME = "({'title': 'T'} if os.environ.get('T') else {})"
KEYWORDS = {
    "of a registrar on some paths": Case(DECORATED, server(
        before="import os",
        after="def add(fn, **given):\n    given.setdefault('title', 'Z')\n    mcp.tool(**given)(fn)\n"
        f"def gamma(): 'Gamma.'\ndef delta(): 'Delta.'\nadd(gamma)\nadd(delta, **{_SOME})",
    ), settled=("alpha", "beta", "gamma")),
    "of a tool that a text gives": Case(
        FM2, server(before=f"{_TOLD}def gamma(): 'Gamma.'", after="tool = mcp.tool(**told)(gamma)" + _ASKS), settled=("beta",)
    ),
    "of a tool that a class makes": Case(("mcp1-fastmcp",), server(
        before=f"from mcp.server.fastmcp.tools import Tool\n{_TOLD}def gamma(): 'Gamma.'",
        after="tool = Tool.from_function(gamma, **told)" + _ASKS,
    ), settled=("beta",)),
    "of a middleware on some paths": Case(FAST, server(
        before="import os\nfrom fastmcp.server.middleware import Middleware\nclass Fewer(Middleware):\n"
        "    async def on_list_tools(self, context, call_next):\n        return (await call_next(context))[:1]",
        options=", **({} if os.environ.get('ALL') else {'middleware': [Fewer()]})",
    )),
}  # fmt: skip

# --- Python itself ----------------------------------------------------------------------------------------------------


LANGUAGE = {
    "setattr on this module": Case(LOW, lowlevel("setattr(sys.modules[__name__], 'D', 'B')")),
    "exec": Case(LOW, lowlevel("exec('D = \"B\"')")),
    "a module object by importlib": Case(LOW, {"texts.py": "D = 'A'\n", **lowlevel("import texts, importlib\nimportlib.import_module('texts').D = 'B'", "texts.D")}),
    "an assertion that fails": Case(LOW, lowlevel("try:\n    assert not D\n    D = 'C'\nexcept AssertionError:\n    D = 'B'")),
    "a text in ASCII": Case(LOW, lowlevel("D = f'{chr(233)!a}'")),
    "a name that a function deletes": Case(LOW, lowlevel("def forget():\n    global D\n    del D\nforget()\ntry:\n    D\nexcept NameError:\n    D = 'B'")),
    "more rounds than can be counted": Case(LOW, lowlevel("for number in range(10 ** 30):\n    D = 'B'\n    break")),
    "a number whose bits are inverted": Case(LOW, lowlevel("D = str(~5)")),
    "an attribute of a text": Case(LOW, lowlevel("try:\n    D.more = 1\nexcept AttributeError:\n    D = 'B'")),
    "an attribute of a list": Case(LOW, lowlevel("try:\n    [].more = 1\nexcept AttributeError:\n    D = 'B'")),
    "an attribute of a class of Python": Case(LOW, lowlevel("try:\n    int.more = 1\nexcept TypeError:\n    D = 'B'")),
    "super() in a function of a method": Case(LOW, lowlevel("class Base:\n    def text(self):\n        return 'B'\nclass Part(Base):\n    def text(self):\n        return (lambda: super().text())()\ntry:\n    D = Part().text()\nexcept RuntimeError:\n    D = 'C'")),
    "a decorator that raises in an import": Case(LOW, {"texts.py": "def needs(function):\n    raise ImportError\n@needs\ndef act(): pass\n", **lowlevel("try:\n    import texts\nexcept ImportError:\n    D = 'B'")}),
} | {
    name: Case(LOW, {**files, **lowlevel(code)}, settled=("alpha",))
    for name, code, files in (
        ("super() of no base", "class Part:\n    def __init__(self):\n        super().__init__()\ntry:\n    Part()\n    D = 'B'\nexcept TypeError:\n    D = 'C'", {}),
        ("a generator that is joined at once", "mark = 'C'\nmark = 'B'\nD = ''.join(mark for _ in 'a')", {}),
        ("a name for an element of a comprehension", "[D := each for each in 'AB']", {}),
        ("two calls with what is not known", "import json\nasked = json.loads(os.environ.get('O', '1'))\ndef show(it):\n    return 'B'\nshow(asked)\nD = show(asked)", {}),
        ("an import in a function", "def get():\n    from texts import D\n    return D\nD = get()", {"texts.py": "D = 'B'\n"}),
        ("an import of Python in a try", "try:\n    from json import dumps\n    D = 'B'\nexcept ImportError:\n    D = 'C'", {}),
        ("an attribute that a class method adds", "class Part:\n    @classmethod\n    def fill(cls):\n        cls.late = 'B'\nPart.fill()\nD = getattr(Part, 'late', 'C')", {}),
        ("an object that counts as true", "class Part: pass\nD = 'B' if Part() else 'C'", {}),
        ("an order that is refused", "try:\n    D = 'B' if 1 < 'a' else 'C'\nexcept TypeError:\n    D = 'D'", {}),
        ("a list that is put into a module", "import texts\ndef fill():\n    texts.D.append('B')\ntexts.D = []\nfill()\nD = str(texts.D)", {"texts.py": "D = None\n"}),
        ("a list that an import puts into a module", "import texts\ntexts.fill()\ntry:\n    import late\nexcept ImportError:\n    pass\nD = str(texts.D)", {"texts.py": "D = None\ndef fill():\n    if D is not None:\n        D.append('B')\n", "late.py": "import texts\ntexts.D = []\ntexts.fill()\n"}),
        ("a name of Python that * imports", "from texts import *\nD = dedent('  B')", {"texts.py": "from textwrap import dedent\n"}),
    )
}  # fmt: skip


UNASKED = {
    name: Case(MCP1, server(after=f"def gamma():\n    return 'c'\n{code}"))
    for name, code in {
        "a name that a function binds": "def make():\n    global other\n    other = mcp\nmake()\nother.add_tool(gamma)",
        "local names": "locals()['mcp'].add_tool(gamma)",
        "a decorator of local names": "@locals()['mcp'].tool()\ndef delta():\n    return 'd'",
    }.items()
}  # fmt: skip
OTHERS = {
    "a library's object": Case(MCP1, server(before="import string", after="agent = string.Template('x')\nif hasattr(agent, 'tool'):\n    agent.tool(str)"), settled=("alpha", "beta")),
    "a setting of the SDK": Case(FM3, server(before="import fastmcp", after="if fastmcp.settings.test_mode:\n    @mcp.tool\n    def gamma():\n        return 'c'"), settled=("alpha", "beta")),
}  # fmt: skip

_SET = "        gamma.__doc__ = 'New.'\n        return "
_DEFINED = "def gamma(x: int = 1) -> str:\n    'Gamma.'\n    return 'c'\n"
CHANGED = {
    name: Case(MCP1, server(after=f"{_DEFINED}{code}\nmcp.tool()(gamma)"))
    for name, code in {
        "a text by __hash__: {Part(): 1}": f"class Part:\n    def __hash__(self, *given):\n{_SET}1\n{{Part(): 1}}",
        "a text by __index__: [1][Part()]": f"class Part:\n    def __index__(self, *given):\n{_SET}0\n[1][Part()]",
        "a text by __class_getitem__: Part['a']": f"class Part:\n    def __class_getitem__(self, *given):\n{_SET}1\nPart['a']",
        "code of another function": "def other(y: int) -> str:\n    'Other.'\n    return ''\ngamma.__code__ = other.__code__",
        "defaults of keywords": "def gamma(*, x: int = 1) -> str:\n    'Gamma.'\n    return 'c'\ngamma.__kwdefaults__['x'] = 5",
        "a wrapper of some attributes": "import functools\ndef wrapped(function):\n    @functools.wraps(function, assigned=('__name__',))\n    def wrapper(z: int):\n        'Wrapper.'\n    return wrapper\ngamma = wrapped(gamma)",
    }.items()
}  # fmt: skip


_NOTED = "D = []\ndef note(*_, **__):\n    D.append('x')\n    return ''\n"
CALLBACKS = {
    name: Case(LOW, lowlevel(_NOTED + code, "str(D)"))
    for name, code in {
        "a deep copy": "import copy\nclass Item:\n    def __deepcopy__(self, known):\n        return note()\ncopy.deepcopy(Item())",
        "a member that is missing": "from enum import Enum\nclass Kind(Enum):\n    A = 1\n    @classmethod\n    def _missing_(cls, value):\n        note()\n        return cls.A\nKind(5)",
        "calls until a value comes": "def act():\n    note()\n    return len(D)\nlist(iter(act, 3))",
    }.items()
}  # fmt: skip

_GAMMA = "\n        @mcp.tool()\n        def gamma():\n            return 'c'\n"
SPECIAL = {
    f"{method}: {use}": Case(MCP1, server(after=f"class Part:\n    def {method}(self, *given):{_GAMMA}        return {result}\n{use}"))
    for method, result, use in (
        ("__hash__", "1", "{Part(): 1}"),
        ("__len__", "1", "len(Part())"),
        ("__eq__", "True", "match Part():\n    case 1:\n        pass"),
        ("__del__", "None", "part = Part()\ndel part"),
        ("__delete__", "None", "class Whole:\n    part = Part()\ndel Whole().part"),
        ("__set_name__", "None", "class Whole:\n    part = Part()"),
        ("__missing__", "1", "class Table(Part, dict):\n    pass\nTable()['a']"),
    )
}  # fmt: skip
RETURNED = {
    name: Case(MCP1, server(after=f"{code}\n@part.tool()\ndef gamma():\n    return 'c'"))
    for name, code in {
        "the result of Part() + 1": "class Part:\n    def __add__(self, *given):\n        return mcp\npart = Part() + 1",
        "the result of Part() | Part()": "class Part:\n    def __or__(self, *given):\n        return mcp\npart = Part() | Part()",
        "the result of Part['a']": "class Part:\n    def __class_getitem__(self, *given):\n        return mcp\npart = Part['a']",
        "added in place": "class Part:\n    def __iadd__(self, given):\n        return mcp\npart = Part()\npart += 1",
    }.items()
}  # fmt: skip

_SIGNING = """
import functools, inspect
from typing import Annotated
from mcp.types import CallToolResult
from pydantic import BaseModel
class Answer(BaseModel):
    count: int
def signed(fn, result):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        return fn(*args, **kwargs)
    wrapper.__signature__ = inspect.signature(fn).replace(return_annotation=result)
    return wrapper
def gamma(z: int) -> dict:
    "Gamma."
    return {"count": z}
"""
_ANSWER = server(before=_SIGNING, after="mcp.tool()(signed(gamma, Answer))")
_EMPTY = server(before=_SIGNING, after="mcp.tool()(signed(gamma, inspect.Signature.empty))")
SIGNED = {
    "a signature that returns a model": Case(OFFICIAL, _ANSWER, settled=("alpha", "beta", "gamma")),
    "a signature that returns a model, beside the annotations": Case(FAST, _ANSWER, settled=("alpha", "beta")),
    "a signature that returns nothing": Case(DECORATED, _EMPTY),
}
_GAMMA = "    @mcp.tool()\n    def gamma(z: int) -> str:\n        return 'c'\n"
_TOLD_OF_B = "@mcp.tool(description=','.join(sorted(b)))\ndef gamma(z: int) -> str:\n    return 'c'"
GROWN = {
    f"a set with two names, {how}": Case(
        TWO, server(before=f"import os\n{code}", between=_TOLD_OF_B), settled=(*("alpha", "beta"), *settled)
    )
    for how, code, settled in (
        ("one of which is frozen and grows", "a = b = frozenset({'x'})\na |= {'y'}", ("gamma",)),
        ("a frozen copy and a union", "a = b = frozenset({'x'}).copy().union({'z'})\na |= {'y'}", ()),
        ("a frozen deep copy", "import copy\na = b = copy.deepcopy(frozenset({'x'}))\na |= {'y'}", ()),
        ("that grows", "a = b = {'x'}\na |= {'y'}", ("gamma",)),
        ("that grows by what is not known", "a = b = {'x'}\na |= os.environ.keys() & {'HOME'}", ()),
        ("that shrinks by what is not known", "a = b = {'x', 'HOME'}\na -= os.environ.keys() & {'HOME'}", ()),
        ("frozen, by what is not known", "a = b = frozenset({'x'})\na |= os.environ.keys() & {'HOME'}", ("gamma",)),
    )
}
TABLES: dict[str, dict[str, Case]] = {
    "grown": GROWN,
    "signed": SIGNED,
    "refused": REFUSED,
    "taken": TAKEN,
    "keywords": KEYWORDS,
    "language": LANGUAGE,
    "callbacks": CALLBACKS,
    "unasked": UNASKED,
    "others": OTHERS,
    "changed": CHANGED,
    "special methods": SPECIAL,
    "values of special methods": RETURNED,
}
