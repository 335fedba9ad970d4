# ruff: noqa: E501 - most sources stand in one line
"""Programs that the SDK refuses, and corners of Python in which a text is another one than it seems."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, FAST, MANAGED, OFFICIAL, Case, server

FM2 = ("fastmcp2",)
FM3 = ("fastmcp3",)
MCP1 = ("mcp1-fastmcp",)
LOW = ("mcp1-lowlevel",)
TWO = ("mcp1-fastmcp", "fastmcp3")
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"

REFUSED = {
    "an instance": Case(FM2, server(before="class Box:\n    def __call__(self, q: str) -> str:\n        return q", after="mcp.tool(Box(), name='box')")),
    "a class": Case(FM2, server(before="class Box:\n    def __init__(self, q: str) -> None:\n        pass", after="mcp.tool(Box)")),
    "arguments of any number": Case(FAST, server(after="@mcp.tool\ndef gamma(*args):\n    return 'c'")),
    "a parameter of a private name": Case(OFFICIAL, server(after="@mcp.tool()\ndef gamma(_x: int):\n    return 'c'")),
    "a nameless function": Case(DECORATED, server(after="mcp.tool()(lambda x: x)")),
    "a decorator that is not called": Case(OFFICIAL, server(after="@mcp.tool\ndef gamma(x: int):\n    return 'c'")),
    "a duplicate that is an error": Case(FM3, server(options=", on_duplicate='error'", after="@mcp.tool(name='beta')\ndef gamma(x: int):\n    return 'c'")),
    "a type without a schema": Case(TWO, server(before="class Strange:\n    pass", after="@mcp.tool()\ndef gamma(x: Strange) -> str:\n    return 'c'")),
    "an unknown keyword": Case(OFFICIAL, server(after="@mcp.tool(colour='red')\ndef gamma(x: int):\n    return 'c'")),
    "a removal of what is not there": Case(MANAGED, server(after="mcp.remove_tool('gamma')")),
    "tags without a key": Case(("fastmcp3", "fastmcp4"), server(options=", include_fastmcp_meta=False")),
    "a port": Case(("fastmcp3", "fastmcp4", "mcp2-mcpserver"), server(options=", port=8000")),
    "a serializer by keywords": Case(FM3, {"server.py": server()["server.py"].replace('("m")', '("m", **{"tool_serializer": str})')}),
    "tags that are left out": Case(("fastmcp3", "fastmcp4"), server(options=", exclude_tags={'x'}")),
    "how many to list at once": Case(("fastmcp2", "mcp1-fastmcp"), server(options=", list_page_size=10")),
    "a keyword of the low-level server": Case(OFFICIAL, server(options=", on_list_tools=None")),
    "a keyword of no release": Case(DECORATED, server(options=", colour='red'")),
    "a keyword of a class of the program": Case(TWO, server(before="class Own(SERVER):\n    def __init__(self, name):\n        super().__init__(name, colour=1)", between="mcp = Own('m')")),
    "a keyword that a low-level server does not take": Case(LOW, {"server.py": """
import asyncio
import mcp.types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
server = Server("x", title="X")
@server.list_tools()
async def tools():
    return [types.Tool(name="alpha", description="A", inputSchema={"type": "object"})]
async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
if __name__ == "__main__":
    asyncio.run(main())
"""}),
}  # fmt: skip
TAKEN = {
    "tags without a key": Case(FM2, server(options=", include_fastmcp_meta=False"), settled=("alpha",)),
    "a port": Case(("mcp1-fastmcp", "fastmcp2"), server(options=", port=8000"), settled=("alpha", "beta")),
    "in a try, for another release": Case(TWO, {"server.py": server()["server.py"].replace(
        'mcp = SERVER("m")', "try:\n    mcp = SERVER('m', colour=1)\nexcept TypeError:\n    mcp = SERVER('m')"
    )}, settled=("alpha", "beta")),
    "if a condition gives it": Case(FM3, {"server.py": server(
        before="import fastmcp\nold = {'port': 1} if fastmcp.__version__.startswith('2.') else {}", options=", **old"
    )["server.py"]}, settled=("alpha", "beta")),
    "for another release alone": Case(FM3, {"server.py": server(before="import fastmcp")["server.py"].replace(
        'mcp = SERVER("m")',
        "if fastmcp.__version__ < '3':\n    mcp = SERVER('m', port=1)\nelse:\n    mcp = SERVER('m')",
    )}, settled=("alpha", "beta")),
    "what a duplicate does": Case(("fastmcp3", "fastmcp4"), server(options=", on_duplicate='warn'"), settled=("alpha",)),
    "if the SDK takes it": Case(FM3, server(before="import fastmcp\nold = {'port': 1} if fastmcp.__version__ < '3' else {}", options=", **old")),
}  # fmt: skip

_BOX = "from pydantic import BaseModel, field_validator\ndef clean(v):\n    return v\nclass Box(BaseModel):\n    q: str\n    n: int = 1\n"
_TAKES = "\n@mcp.tool()\ndef gamma(box: Box) -> str:\n    'Gamma.'\n    return 'c'\n"
SHARED = {
    "validators": Case(
        DECORATED,
        server(before=f"{_BOX}    _q = field_validator('q')(clean)\n    number = field_validator('n', mode='before')(clean)", after=_TAKES),
        settled=("alpha", "beta", "gamma"),
    ),
    "validators that take anything": Case(
        DECORATED, server(before=f"{_BOX}    _n = field_validator('n', mode='plain')(clean)", after=_TAKES), settled=("alpha", "beta")
    ),
    "validators of a mode that is not known": Case(
        DECORATED,
        server(before=f"import os\n{_BOX}    _n = field_validator('n', mode=os.environ.get('M', 'plain'))(clean)", after=_TAKES),
        settled=("alpha", "beta"),
    ),
}  # fmt: skip
_TOLD = "import json, os\ntold = json.loads(os.environ.get('O', '{\"annotations\": {\"readOnlyHint\": true}}'))\n"
_ASKS = "\nif tool.annotations is None:\n    mcp.remove_tool('alpha')"
_SOME = "({'title': 'T'} if os.environ.get('T') else {})"
_GIVEN = "\n@mcp.tool(**SOME)\ndef gamma(x: int = 1) -> str:\n    'Gamma.'\n    return 'c'\n"
KEYWORDS = {
    "of a tool on some paths": Case(DECORATED, server(before="import os", after=_GIVEN.replace("SOME", _SOME)), settled=("alpha", "beta")),
    "of the server on some paths": Case(
        DECORATED, server(before="import os", options=", **({'instructions': 'I'} if os.environ.get('I') else {})"), settled=("alpha", "beta")
    ),
    "of a registrar on some paths": Case(
        DECORATED,
        server(
            before="import os",
            after="def add(fn, **given):\n    given.setdefault('title', 'Z')\n    mcp.tool(**given)(fn)\n"
            f"def gamma(): 'Gamma.'\ndef delta(): 'Delta.'\nadd(gamma)\nadd(delta, **{_SOME})",
        ),
        settled=("alpha", "beta", "gamma"),
    ),
    "of a dict on some paths": Case(
        TWO, server(before="import os", after=f"if 'title' in dict(**{_SOME}):\n    mcp.remove_tool('alpha')"), settled=("beta",)
    ),
    "of a dict that a text gives": Case(
        TWO,
        server(
            before="import json, os",
            after="told = dict([('less', False)], **json.loads(os.environ.get('O', '{\"less\": true}')))\n"
            "if told['less']:\n    mcp.remove_tool('alpha')",
        ),
        settled=("beta",),
    ),
    "of a tool that a text gives": Case(
        FM2, server(before=f"{_TOLD}def gamma(): 'Gamma.'", after="tool = mcp.tool(**told)(gamma)" + _ASKS), settled=("beta",)
    ),
    "of a tool that a class makes": Case(
        ("mcp1-fastmcp",),
        server(
            before=f"from mcp.server.fastmcp.tools import Tool\n{_TOLD}def gamma(): 'Gamma.'",
            after="tool = Tool.from_function(gamma, **told)" + _ASKS,
        ),
        settled=("beta",),
    ),
    "of a middleware on some paths": Case(
        FAST,
        server(
            before="import os\nfrom fastmcp.server.middleware import Middleware\nclass Fewer(Middleware):\n"
            "    async def on_list_tools(self, context, call_next):\n        return (await call_next(context))[:1]",
            options=", **({} if os.environ.get('ALL') else {'middleware': [Fewer()]})",
        ),
    ),
    "of tools of the server on some paths": Case(
        FAST, server(before="import os\ndef gamma(): 'Gamma.'", options=", **({} if os.environ.get('LESS') else {'tools': [gamma]})")
    ),
}  # fmt: skip

# --- Python itself ----------------------------------------------------------------------------------------------------


def _lowlevel(before: str, description: str = "D") -> dict[str, str]:
    return {
        "server.py": f"""
import asyncio, os, sys
import mcp.types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
D = "A"
{before}
server = Server("x")
@server.list_tools()
async def tools():
    return [types.Tool(name="alpha", description={description}, inputSchema={{"type": "object"}})]
async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
if __name__ == "__main__":
    asyncio.run(main())
"""
    }


LANGUAGE = {
    "a constructor by its class": Case(
        LOW,
        _lowlevel("class Part:\n    def __init__(self):\n        self.text = 'B'\n        object.__init__(self)\nD = Part().text"),
        settled=("alpha",),
    ),
    "setattr on this module": Case(LOW, _lowlevel("setattr(sys.modules[__name__], 'D', 'B')")),
    "globals": Case(LOW, _lowlevel("globals()['D'] = 'B'")),
    "__dict__ of this module": Case(LOW, _lowlevel("sys.modules[__name__].__dict__['D'] = 'B'")),
    "exec": Case(LOW, _lowlevel("exec('D = \"B\"')")),
    "setattr on another module": Case(LOW, {"texts.py": "D = 'A'\n", **_lowlevel("import texts\nsetattr(sys.modules['texts'], 'D', 'B')", "texts.D")}),
    "a module object by importlib": Case(LOW, {"texts.py": "D = 'A'\n", **_lowlevel("import texts, importlib\nimportlib.import_module('texts').D = 'B'", "texts.D")}),
    "a value set in a try": Case(LOW, _lowlevel("try:\n    D = os.environ['NOT_THERE']\n    D = 'C'\nexcept KeyError:\n    D = 'B'")),
    "a value set before a call that may raise": Case(LOW, _lowlevel("try:\n    D = 'C'\n    int(os.environ.get('NOT_THERE', 'x'))\nexcept ValueError:\n    D = 'B'")),
    "a value set after a call that may raise": Case(LOW, _lowlevel("try:\n    open('not there').read()\n    D = 'C'\nexcept OSError:\n    pass")),
    "a value set in try and finally": Case(LOW, _lowlevel("try:\n    try:\n        os.environ['NOT_THERE']\n        D = 'C'\n    finally:\n        D = D + 'F'\nexcept KeyError:\n    D = D + 'B'")),
    "an import that may fail": Case(LOW, _lowlevel("try:\n    import not_there_at_all\n    D = 'C'\nexcept ImportError:\n    D = 'B'")),
    "a conversion that fails": Case(LOW, _lowlevel("try:\n    int(os.environ.get('HOME', '/'))\n    D = 'C'\nexcept ValueError:\n    D = 'B'")),
    "a lookup of a dict that may fail": Case(LOW, _lowlevel("try:\n    {'a': 1}[os.environ.get('NOT_THERE', 'b')]\n    D = 'C'\nexcept KeyError:\n    D = 'B'")),
    "suppressed": Case(LOW, _lowlevel("import contextlib\nwith contextlib.suppress(KeyError):\n    os.environ['NOT_THERE']\n    D = 'C'")),
    "in a function": Case(LOW, _lowlevel("def choose():\n    try:\n        value = os.environ['NOT_THERE']\n        return 'C'\n    except KeyError:\n        return 'B'\nD = choose()")),
    "an assertion that fails": Case(LOW, _lowlevel("try:\n    assert not D\n    D = 'C'\nexcept AssertionError:\n    D = 'B'")),
    "a text in ASCII": Case(LOW, _lowlevel("D = f'{chr(233)!a}'")),
    "one of equals in a set": Case(LOW, _lowlevel("D = max({'ab', 'cd', 'ef', 'gh'}, key=len)")),
    "a name that a function deletes": Case(LOW, _lowlevel("def forget():\n    global D\n    del D\nforget()\ntry:\n    D\nexcept NameError:\n    D = 'B'")),
    "more rounds than can be counted": Case(LOW, _lowlevel("for number in range(10 ** 30):\n    D = 'B'\n    break")),
    "an expression of the environment": Case(LOW, _lowlevel("try:\n    os.environ['NOT_THERE'].strip()\n    D = 'C'\nexcept Exception:\n    D = 'B'\nelse:\n    D = 'E'")),
}  # fmt: skip

FORMS = {
    "a form feed before a line": Case(MCP1, {"server.py": "\f" + server()["server.py"].replace("@mcp.tool()\ndef beta", "\f@mcp.tool()\ndef beta")}, settled=("alpha", "beta")),
    "everything of typing": Case(OFFICIAL, {"server.py": "from typing import *\n" + server()["server.py"]}, settled=("alpha", "beta")),
    "everything of the standard library": Case(MCP1, {"server.py": "from os.path import *\nfrom datetime import *\nfrom enum import *\nfrom dataclasses import *\n" + server()["server.py"]}, settled=("alpha", "beta")),
    "a byte order mark": Case(MCP1, {"server.py": "\ufeff" + server()["server.py"]}, settled=("alpha", "beta")),
    "utf-8-sig": Case(MCP1, {"server.py": "\ufeff# -*- coding: utf-8-sig -*-\n" + server()["server.py"]}, settled=("alpha", "beta")),
    "__all__ by an expression": Case(MCP1, {"server.py": "from more import *\n" + server()["server.py"], "more.py": "LIMIT = 3\n__all__ = [name for name in globals() if name.isupper()]\n"}, settled=("alpha", "beta")),
    "__all__ by an expression, used": Case(MCP1, {"server.py": "from more import *\n" + _RUN, "more.py": server()["server.py"].rpartition("if __name__")[0] + "__all__ = [name for name in dir() if not name.startswith('_')]\n"}),
    "__all__ of several modules": Case(MCP1, {"server.py": "from more import *\n" + server()["server.py"], "more.py": "import base\nfrom base import *\n__all__ = base.__all__ + ['LIMIT']\nLIMIT = 3\n", "base.py": "__all__ = ['LOW']\nLOW = 1\n"}, settled=("alpha", "beta")),
}  # fmt: skip

UNASKED = {
    name: Case(MCP1, server(after=f"def gamma():\n    return 'c'\n{code}"))
    for name, code in {
        "a name that a function binds": "def make():\n    global other\n    other = mcp\nmake()\nother.add_tool(gamma)",
        "local names": "locals()['mcp'].add_tool(gamma)",
        "names of this module": "vars()['mcp'].add_tool(gamma)",
        "a decorator of local names": "@locals()['mcp'].tool()\ndef delta():\n    return 'd'",
        "this module": "import sys\nsys.modules[__name__].mcp.add_tool(gamma)",
        "names of a function's module": "gamma.__globals__['mcp'].add_tool(gamma)",
        "an attribute of a function": "gamma.server = mcp\ngamma.server.add_tool(gamma)",
        "a name of all modules": "import builtins\nbuiltins.other = mcp\nother.add_tool(gamma)",
        "all objects": "import gc\n[each for each in gc.get_objects() if isinstance(each, SERVER)][0].add_tool(gamma)",
        "an attribute by text": "mcp.__getattribute__('add_tool')(gamma)",
        "an attribute as any object has it": "object.__getattribute__(mcp, 'add_tool')(gamma)",
    }.items()
}  # fmt: skip
OTHERS = {
    "what is no server": Case(MCP1, server(after="class Agent:\n    def tool(self, function):\n        return function\nagent = Agent()\n@agent.tool\ndef gamma():\n    return 'c'"), settled=("alpha", "beta")),
    "a library's object": Case(MCP1, server(before="import string", after="agent = string.Template('x')\nif hasattr(agent, 'tool'):\n    agent.tool(str)"), settled=("alpha", "beta")),
    "a setting of the SDK": Case(FM3, server(before="import fastmcp", after="if fastmcp.settings.test_mode:\n    @mcp.tool\n    def gamma():\n        return 'c'"), settled=("alpha", "beta")),
}  # fmt: skip

_SET = "        gamma.__doc__ = 'New.'\n        return "
_DEFINED = "def gamma(x: int = 1) -> str:\n    'Gamma.'\n    return 'c'\n"
CHANGED = {
    name: Case(MCP1, server(after=f"{_DEFINED}{code}\nmcp.tool()(gamma)"))
    for name, code in {
        **{
            f"a text by {method}: {use}": f"class Part:\n    def {method}(self, *given):\n{_SET}{result}\n{use}"
            for method, result, use in (
                ("__hash__", "1", "{Part(): 1}"),
                ("__len__", "1", "len(Part())"),
                ("__lt__", "True", "sorted([Part(), Part()])"),
                ("__index__", "0", "[1][Part()]"),
                ("__repr__", "''", "'%r' % Part()"),
                ("__next__", "1", "next(Part())"),
                ("__del__", "None", "part = Part()\ndel part"),
                ("__get__", "1", "class Whole:\n    part = Part()\nWhole().part"),
                ("__set_name__", "None", "class Whole:\n    part = Part()"),
                ("__class_getitem__", "1", "Part['a']"),
            )
        },
        "code of another function": "def other(y: int) -> str:\n    'Other.'\n    return ''\ngamma.__code__ = other.__code__",
        "defaults of keywords": "def gamma(*, x: int = 1) -> str:\n    'Gamma.'\n    return 'c'\ngamma.__kwdefaults__['x'] = 5",
        "a wrapper of some attributes": "import functools\ndef wrapped(function):\n    @functools.wraps(function, assigned=('__name__',))\n    def wrapper(z: int):\n        'Wrapper.'\n    return wrapper\ngamma = wrapped(gamma)",
        "a name in a text that is bound again": "Kind = int\ndef gamma(x: 'Kind') -> str:\n    'Gamma.'\n    return ''\nKind = str",
    }.items()
}  # fmt: skip


_NOTED = "D = []\ndef note(*_, **__):\n    D.append('x')\n    return ''\n"
CALLBACKS = {
    name: Case(LOW, _lowlevel(_NOTED + code, "str(D)"))
    for name, code in {
        "a substitution": "import re\nre.sub('a', note, 'a')",
        "a substitution of a pattern": "import re\nre.compile('a').sub(lambda match: note(), 'a')",
        "a hook of a parser": "import json\njson.loads('{}', object_hook=note)",
        "a class of a writer": "import json\nclass Writer(json.JSONEncoder):\n    def default(self, item):\n        return note()\njson.dumps({'a': object()}, cls=Writer)",
        "a comparison of two": "import functools\nsorted([2, 1], key=functools.cmp_to_key(lambda a, b: len(note())))",
        "a method of a list's class": "list.append(D, 1)",
        "an operator of a list's class": "D.append(0)\nlist.__setitem__(D, 0, 'b')",
        "a deep copy": "import copy\nclass Item:\n    def __deepcopy__(self, known):\n        return note()\ncopy.deepcopy(Item())",
        "what is closed at the end": "import contextlib\nclass Item:\n    def close(self):\n        note()\nwith contextlib.closing(Item()):\n    pass",
        "what is printed to": "class Item:\n    def write(self, text):\n        note()\nprint('x', file=Item())",
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
        ("__lt__", "True", "sorted([Part(), Part()])"),
        ("__eq__", "True", "match Part():\n    case 1:\n        pass"),
        ("__index__", "0", "[1][Part()]"),
        ("__int__", "0", "int(Part())"),
        ("__float__", "0.0", "float(Part())"),
        ("__bytes__", "b''", "bytes(Part())"),
        ("__repr__", "''", "'%r' % Part()"),
        ("__fspath__", "''", "import os\nos.fspath(Part())"),
        ("__sizeof__", "1", "import sys\nsys.getsizeof(Part())"),
        ("__ceil__", "1", "import math\nmath.ceil(Part())"),
        ("__del__", "None", "part = Part()\ndel part"),
        ("__next__", "1", "next(Part())"),
        ("__get__", "1", "class Whole:\n    part = Part()\nWhole().part"),
        ("__set__", "None", "class Whole:\n    part = Part()\nWhole().part = 1"),
        ("__delete__", "None", "class Whole:\n    part = Part()\ndel Whole().part"),
        ("__set_name__", "None", "class Whole:\n    part = Part()"),
        ("__missing__", "1", "class Table(Part, dict):\n    pass\nTable()['a']"),
        ("__await__", "iter(())", "import asyncio\nasync def wait():\n    await Part()\nasyncio.run(wait())"),
    )
}  # fmt: skip
RETURNED = {
    name: Case(MCP1, server(after=f"{code}\n@part.tool()\ndef gamma():\n    return 'c'"))
    for name, code in {
        **{
            f"the result of {use}": f"class Part:\n    def {method}(self, *given):\n        return mcp\npart = {use}"
            for method, use in (
                ("__add__", "Part() + 1"),
                ("__radd__", "1 + Part()"),
                ("__matmul__", "Part() @ 1"),
                ("__or__", "Part() | Part()"),
                ("__rshift__", "Part() >> 1"),
                ("__floordiv__", "Part() // 1"),
                ("__pow__", "Part() ** 2"),
                ("__next__", "next(Part())"),
                ("__class_getitem__", "Part['a']"),
            )
        },
        "added in place": "class Part:\n    def __iadd__(self, given):\n        return mcp\npart = Part()\npart += 1",
        "an entry that is missing": "class Part(dict):\n    def __missing__(self, key):\n        return mcp\npart = Part()['a']",
        "an entry of a table of the library": "from collections import UserDict\nall_of_them = UserDict()\nall_of_them['s'] = mcp\npart = all_of_them['s']",
        "an entry of a class of the program": "from collections import UserDict\nclass All(UserDict):\n    pass\nall_of_them = All()\nall_of_them['s'] = mcp\npart = all_of_them['s']",
        "an entry that may end": "import weakref\nall_of_them = weakref.WeakValueDictionary()\nall_of_them['s'] = mcp\npart = all_of_them['s']",
    }.items()
}  # fmt: skip

_ASKS = """
import asyncio
def loop_runs():
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    else:
        return True
"""
LOOPS = {
    "outside of coroutines": Case(
        TWO, server(before=_ASKS, after="if loop_runs():\n    mcp.remove_tool('alpha')"), settled=("alpha", "beta")
    ),
    "in a coroutine": Case(
        TWO,
        server(
            before=_ASKS,
            after="async def main():\n    if not loop_runs():\n        mcp.remove_tool('alpha')\nasyncio.run(main())",
        ),
        settled=("beta",),
    ),
    "after a coroutine": Case(
        TWO,
        server(
            before=_ASKS,
            after="async def main():\n    return loop_runs()\nasyncio.run(main())\nif loop_runs():\n    mcp.remove_tool('alpha')",
        ),
        settled=("alpha", "beta"),
    ),
    "in a function that a coroutine hands on": Case(
        TWO,
        server(
            before=_ASKS,
            after="def trim():\n    if loop_runs():\n        mcp.remove_tool('alpha')\nasync def main():\n    await asyncio.to_thread(trim)\n    list(map(lambda call: call(), [trim]))\nasyncio.run(main())",
        ),
    ),
    "in a module that is imported": Case(
        TWO,
        {
            **server(before="import sys\nsys.modules.setdefault('server', sys.modules[__name__])", after="import trim"),
            "trim.py": _ASKS + "from server import mcp\nif loop_runs():\n    mcp.remove_tool('alpha')\n",
        },
    ),
    "in a thread": Case(
        TWO,
        server(
            before="import threading" + _ASKS,
            after="def trim():\n    if loop_runs():\n        mcp.remove_tool('alpha')\nasync def main():\n    one = threading.Thread(target=trim)\n    one.start()\n    one.join()\nasyncio.run(main())",
        ),
    ),
    "in a callback of the loop": Case(
        TWO,
        server(
            before=_ASKS,
            after="def trim():\n    if loop_runs():\n        mcp.remove_tool('alpha')\nasync def main():\n    asyncio.get_running_loop().call_soon(trim)\n    await asyncio.sleep(0.01)\nasyncio.run(main())",
        ),
    ),
}
_CHOOSING = """
import os, outside
def one(app):
    pass
def two(app):
    len("two")
chosen = one if os.environ.get("ONE") else two
"""
CHOSEN = {
    f"one of two functions, or {what}": Case(
        TWO,
        {
            **server(
                before="import os, sys\nsys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lib'))"
                + _CHOOSING,
                after=f"if os.environ.get('LIBRARY') is None:\n    chosen = {value}\nchosen(mcp)",
            ),
            "lib/outside.py": "def register(app):\n    @app.tool()\n    def gamma(z: int) -> str:\n        return 'c'\nTABLE = {'r': register}\n",
        },
    )
    for what, value in {
        "one of a library": "outside.register",
        "a result of a library": "outside.TABLE['r']",
        "one by a text": "getattr(outside, 'reg' + 'ister')",
    }.items()
}
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
SIGNED = {
    f"a signature that returns {what}{'' if families is OFFICIAL else ', beside the annotations'}": Case(
        families,
        server(before=_SIGNING, after=f"mcp.tool()(signed(gamma, {result}))"),
        settled=("alpha", "beta", "gamma") if families is OFFICIAL else ("alpha", "beta"),
    )
    for families in (OFFICIAL, FAST)
    for what, result in {
        "a number": "int",
        "a model": "Answer",
        "the SDK's own result": "Annotated[CallToolResult, Answer]",
    }.items()
}
SIGNED["a signature that returns nothing"] = Case(
    DECORATED, server(before=_SIGNING, after="mcp.tool()(signed(gamma, inspect.Signature.empty))")
)
_READING = "import contextlib, json, os\nPATH = os.environ.get('CONF', '/nowhere/x.json')\n"
_GAMMA = "    @mcp.tool()\n    def gamma(z: int) -> str:\n        return 'c'\n"
OPENED = {
    "a file is read that may not be JSON": Case(
        TWO,
        server(
            before=_READING, after="if os.path.exists(PATH):\n    with open(PATH) as f:\n        conf = json.load(f)"
        ),
        settled=("alpha", "beta"),
    ),
    "an open of the program's own that swallows": Case(
        TWO,
        server(
            before=_READING,
            after=f"def open(path):\n    return contextlib.suppress(Exception)\nwith open(PATH):\n    json.loads('(')\n{_GAMMA}",
        ),
    ),
    "a file that is left by an error": Case(
        TWO,
        server(
            before=_READING,
            after=f"try:\n    with open(PATH) as f:\n        json.load(f)\n{_GAMMA.replace('    ', '        ', 1)}".replace(
                "\n    def", "\n        def"
            ).replace("\n        return 'c'", "\n            return 'c'")
            + "except OSError:\n    pass",
        ),
    ),
}
_TOLD_OF_B = "@mcp.tool(description=','.join(sorted(b)))\ndef gamma(z: int) -> str:\n    return 'c'"
GROWN = {
    f"a set with two names, {how}": Case(
        TWO, server(before=f"import os\n{code}", between=_TOLD_OF_B), settled=(*("alpha", "beta"), *settled)
    )
    for how, code, settled in (
        ("one of which is frozen and grows", "a = b = frozenset({'x'})\na |= {'y'}", ("gamma",)),
        ("frozen by what it was made from", "a = b = frozenset({'x'}) | {'z'}\na |= {'y'}", ("gamma",)),
        ("a frozen copy and a union", "a = b = frozenset({'x'}).copy().union({'z'})\na |= {'y'}", ("gamma",)),
        ("a frozen deep copy", "import copy\na = b = copy.deepcopy(frozenset({'x'}))\na |= {'y'}", ()),
        ("that grows", "a = b = {'x'}\na |= {'y'}", ("gamma",)),
        ("that grows by what is not known", "a = b = {'x'}\na |= os.environ.keys() & {'HOME'}", ()),
        ("that shrinks by what is not known", "a = b = {'x', 'HOME'}\na -= os.environ.keys() & {'HOME'}", ()),
        ("frozen, by what is not known", "a = b = frozenset({'x'})\na |= os.environ.keys() & {'HOME'}", ("gamma",)),
    )
}
TABLES: dict[str, dict[str, Case]] = {
    "grown": GROWN,
    "opened": OPENED,
    "signed": SIGNED,
    "loops": LOOPS,
    "chosen": CHOSEN,
    "refused": REFUSED,
    "taken": TAKEN,
    "keywords": KEYWORDS,
    "shared validators": SHARED,
    "language": LANGUAGE,
    "forms": FORMS,
    "callbacks": CALLBACKS,
    "unasked": UNASKED,
    "others": OTHERS,
    "changed": CHANGED,
    "special methods": SPECIAL,
    "values of special methods": RETURNED,
}
