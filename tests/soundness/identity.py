# ruff: noqa: E501 - most sources stand in one line
"""Docstrings that are inherited, and what functions, classes and modules are called where Python looks twice."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, OFFICIAL, Case, server

TWO = ("mcp1-fastmcp", "fastmcp3")
WITH_SELF = ("mcp1-fastmcp", "mcp2-mcpserver", "fastmcp2")
"""The SDKs that take a method as it is read from its class."""

_BASE = """
from abc import ABC, abstractmethod
import functools, inspect
class Base(ABC):
    "Of the base."
    @abstractmethod
    async def fetch(self, url: str, n: int = 3) -> dict:
        '''Fetch a URL.

        Args:
            url: the url
        '''
    def go(self, x: int) -> str:
        "Go."
        return "a"
    def stay(self, x: int) -> str:
        "Stay."
        return "a"
class Impl(Base):
    async def fetch(self, url: str, n: int = 5) -> dict:
        return {}
    def go(self, x: int) -> str:
        return "b"
    def own(self, x: int) -> str:
        return "b"
    def stay(self, x: int) -> str:
        "Stay here."
        return "b"
"""


def _docs(after: str, before: str = "", *settled: str, families: tuple[str, ...] = DECORATED) -> Case:
    return Case(families, server(before=_BASE + before, after=after), settled=("alpha", "beta", *settled))


_STATIC = """
class Tools(Base):
    @staticmethod
    def go(x: int) -> str:
        return "s"
    @classmethod
    def stay(cls, x: int) -> str:
        return "c"
"""
_WRAPPED = """
def timed(fn):
    @functools.wraps(fn)
    async def wrapper(*args, **kwargs):
        return await fn(*args, **kwargs)
    return wrapper
class Timed(Base):
    @timed
    async def fetch(self, url: str, n: int = 5) -> dict:
        return {}
"""
_DIAMOND = """
class Root:
    def act(self, x: int) -> str:
        "Of the root."
class Left(Root):
    pass
class Right(Root):
    def act(self, x: int) -> str:
        "Of the right."
class Both(Left, Right):
    def act(self, x: int) -> str:
        return "b"
"""
_NONE = """
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar
T = TypeVar("T")
class Acting(Protocol):
    def act(self, x: int) -> str: ...
@dataclass
class Box(Acting):
    "A box."
    n: int
    def plain(self):
        return "box"
    def act(self, x: int) -> str:
        return "b"
class Some(Generic[T], ABC):
    def plain(self):
        return "some"
    def act(self, x: int) -> str:
        return "s"
class Kind(Enum):
    A = "a"
    def plain(self):
        return "kind"
    def act(self, x: int) -> str:
        return "k"
"""
_REGISTERING = """
class Registry(ABC):
    def register(self, x: int) -> str:
        return "r"
    def __call__(self, x: int) -> str:
        return "r"
"""
_LATER = """
class Plain:
    def act(self, x: int) -> str:
        "Act."
        return "a"
class Quiet(Plain):
    def act(self, x: int) -> str:
        return "b"
"""
_PROPERTY = """
class Shown:
    @property
    def act(self):
        "A property."
class Hidden(Shown):
    def act(self, x: int) -> str:
        return "b"
"""
_NAMED = """
def helper(self, x: int) -> str:
    return "h"
class Borrowing(Base):
    go = helper
    async def fetch(self, url: str) -> dict:
        return {}
def made(name):
    class Inner(Base):
        def go(self, x: int) -> str:
            return "i"
    return Inner
"""
_GETDOC = "\nTEXTS = [inspect.getdoc(each) for each in (Impl.go, IMPL.go, Impl, Impl.stay, Impl.own, IMPL, IMPL.fetch)]\n@mcp.tool(description=repr(TEXTS))\ndef told(x: int) -> str:\n    return 'a'\n"

DOCSTRINGS = {
    "of an abstract method": _docs("mcp.tool()(Impl().fetch)", "", "fetch"),
    "of methods": _docs("obj = Impl()\nmcp.tool()(obj.go)\nmcp.tool()(obj.own)\nmcp.tool()(obj.stay)", "", "go", "own", "stay"),
    "of a static and a class method": _docs("mcp.tool()(Tools.go)\nmcp.tool()(Tools.stay)", _STATIC, "go", "stay"),
    "of a static and a class method of an object": _docs("mcp.tool()(Tools().go)\nmcp.tool()(Tools().stay)", _STATIC.replace("(Base)", "(Impl)"), "go", "stay"),
    "behind a wrapper": _docs("mcp.tool()(Timed().fetch)", _WRAPPED, "fetch"),
    "of two bases": _docs("mcp.tool()(Both().act)", _DIAMOND, "act"),
    "of the metaclass": _docs("mcp.tool()(Registry().register)\nmcp.tool(name='called')(Registry().__call__)", _REGISTERING),
    "set after the class is made": _docs("Plain.act.__doc__ = 'Changed.'\nmcp.tool()(Quiet().act)\n", _LATER),
    "changed after it is registered": _docs("mcp.tool()(Quiet().act)\nPlain.act.__doc__ = 'Changed.'\n", _LATER),
    "of a property": _docs("mcp.tool()(Hidden().act)", _PROPERTY),
    "of a borrowed function and a local class": _docs("mcp.tool(name='go')(Borrowing().go)\nmcp.tool(name='raw')(made('x').go)\nmcp.tool(name='bound')(type('T', (made('x'),), {}).go)", _NAMED, families=WITH_SELF),
    "of a borrowed function": _docs("mcp.tool(name='helper')(Borrowing().go)\nmcp.tool(name='fetch')(Borrowing().fetch)\nmcp.tool(name='raw')(made('x').go)", _NAMED.replace("(Base)", "(Impl)"), "fetch", families=WITH_SELF),
    "of none of its bases": _docs("for each in (Box(1), Some(), Kind.A):\n    mcp.tool(name=each.plain())(each.act)", _NONE, "box", "some"),
    "around a method": _docs("mcp.tool()(timed(Impl().own))\nmcp.tool(name='timed')(timed(Impl().go))", _WRAPPED, "own"),
    "of a method that is set": _docs("setattr(Impl, 'go', Impl.own)\nImpl.stay = timed(Impl.fetch)\nmcp.tool(name='first')(Impl().go)\nmcp.tool(name='second')(Impl().stay)", _WRAPPED),
    "given as a description": _docs("mcp.tool(description='Given.')(Impl().go)", "", "go"),
    "of a class of a library": _docs("mcp.tool()(Lines().readline)", "import io\nclass Lines(io.StringIO):\n    def readline(self, size: int = 1) -> str:\n        return 'l'\n"),
    "asked for with getdoc": _docs(_GETDOC, "IMPL = Impl()\n", "told", families=TWO),
    "asked for with getdoc of classes": _docs("\nclass Empty(ABC):\n    pass\nclass Model(dict):\n    pass\nclass Child(Quiet):\n    pass\n@mcp.tool(description=repr([inspect.getdoc(each) for each in (Empty, Model, Child)]))\ndef told(x: int) -> str:\n    return 'a'\n", _LATER, families=TWO),
    "of a tool object": _docs("from fastmcp.tools import Tool\nmcp.add_tool(Tool.from_function(Impl().go, name='made'))\nmcp.add_tool(Tool.from_function(Timed().fetch))", _WRAPPED, "made", "fetch", families=("fastmcp2", "fastmcp3")),
    "of a decorator that wraps nothing": _docs("mcp.tool(name='bare')(Bare().go)", "def bare(fn):\n    def wrapper(self, x: int) -> str:\n        return fn(self, x)\n    return wrapper\nclass Bare(Base):\n    @bare\n    def go(self, x: int) -> str:\n        return 'b'\n    async def fetch(self, url: str) -> dict:\n        return {}\n", "bare"),
    "registered in a loop": _docs("for cls in (Impl, Timed):\n    obj = cls()\n    for method in (obj.fetch, obj.go):\n        mcp.tool(name=f'{cls.__name__}_{method.__name__}')(method)", _WRAPPED, "Impl_fetch", "Impl_go", "Timed_fetch", "Timed_go"),
}  # fmt: skip

_FILES = """
import functools
class Files:
    def read(self, x: int) -> str:
        return "r"
    def write(self, x: int) -> str:
        return "w"
    class Inner:
        def look(self, x: int) -> str:
            return "l"
    async def run(self, x: int) -> str:
        return "x"
    SELF = __qualname__
f = Files()
"""
_TO_NAME = ".__qualname__.replace('.', '_').replace('<locals>', 'in').lower()"
_MADE = """
def outer():
    def inner(x: int) -> str:
        return "i"
    class Local:
        def act(self, x: int) -> str:
            return "a"
    def wrapped(fn):
        @functools.wraps(fn)
        def wrapper(x: int) -> str:
            return fn(x)
        def bare(x: int) -> str:
            return fn(x)
        return wrapper, bare
    return inner, Local().act, *wrapped(inner), *wrapped(f.read)
"""
_WHOLE = """
def whole():
    global shown
    def shown(x: int) -> str:
        return "s"
    return shown
"""


def _names(after: str, before: str = "", *settled: str) -> Case:
    return Case(TWO, server(before=_FILES + before, after=after), settled=("alpha", "beta", *settled))


def _texts(*written: str, before: str = "", files: dict[str, str] | None = None, sure: bool = True) -> Case:
    made = f"@mcp.tool(description=repr([{', '.join(written)}]))\ndef told(x: int) -> str:\n    return 'a'\n"
    source = server(before=_FILES + before, after=made)
    return Case(TWO, {**source, **(files or {})}, settled=("alpha", "beta", *(["told"] if sure else [])))


_PART = "import functools\ndef there(x: int) -> str:\n    return 't'\nclass There:\n    class Deep:\n        def act(self, x: int) -> str:\n            return 'd'\ndef traced(fn):\n    @functools.wraps(fn)\n    def wrapper(*a, **k):\n        return fn(*a, **k)\n    def bare(*a, **k):\n        return fn(*a, **k)\n    return wrapper, bare\n"
QUALIFIED = {
    "names of tools": _names(f"for m in (f.read, f.write):\n    mcp.tool(name=m{_TO_NAME})(m)", "", "files_read", "files_write"),
    "of a nested class": _names(f"m = Files.Inner().look\nmcp.tool(name=m{_TO_NAME})(m)", "", "files_inner_look"),
    "of local functions": _names(f"for m in outer():\n    mcp.tool(name=m{_TO_NAME})(m)", _MADE, "outer_in_inner", "outer_in_local_act", "files_read"),
    "of classes and lambdas": _texts("Files.__qualname__", "Files.Inner.__qualname__", "type(f).__qualname__", "(lambda: 0).__qualname__", "Files.SELF", "Files.__name__", "outer.__qualname__", before=_MADE),
    "of what a comprehension makes": _texts("[(lambda: 0) for _ in [1]][0].__qualname__", sure=False),
    "of a function of the module that a function makes": _texts("whole().__qualname__", before=_WHOLE, sure=False),
    "that is set": _texts("Files.read.__qualname__", "f.write.__qualname__", before="Files.read.__qualname__ = 'Other.read'\nFiles.write.__name__ = 'scribble'\n", sure=False),
    "of a class that inherits": _texts("Child.__qualname__", "Child.read.__qualname__", "Child().write.__qualname__", before="class Child(Files):\n    def read(self):\n        pass\n"),
    "of what is wrapped and not known": _texts("wrapper.__qualname__", "wrapper.__module__", "wrapper.__name__", before="import json\n@functools.wraps(json.dumps)\ndef wrapper(x: int) -> str:\n    return 'a'\n", sure=False),
    "of a dataclass and an enum": _texts("Point.__qualname__", "Colour.RED.__class__.__qualname__", "Colour.__module__", before="from dataclasses import dataclass\nfrom enum import Enum\n@dataclass\nclass Point:\n    x: int\nclass Colour(Enum):\n    RED = 'r'\n"),
    "asked for in the body of a class": _texts("*ASKED", before="ASKED = []\ndef ask(fn):\n    ASKED.append(f'{fn.__module__}:{fn.__qualname__}')\n    return fn\nclass Asking:\n    HERE = __name__\n    @ask\n    def one(self):\n        @ask\n        def two():\n            pass\n        return self.__class__.__qualname__\n    three = ask(lambda self: 0)\nASKED += [Asking().one(), Asking.HERE, Asking.__name__]\n"),
}  # fmt: skip
MODULES = {
    "of the script": _texts("Files.__module__", "f.read.__module__", "f.__module__", "type(f).__module__", "alpha.__module__", "__name__"),
    "of another file": _texts("there.__module__", "There.__module__", "There.Deep.__module__", "There.Deep().act.__module__", "There.Deep.act.__qualname__", before="from part import there, There\n", files={"part.py": _PART}),
    "of what is wrapped": _texts("one.__module__", "two.__module__", "one.__qualname__", "two.__qualname__", before="from part import traced\ndef mine(x: int) -> str:\n    return 'm'\none, two = traced(mine)\n", files={"part.py": _PART}),
    "in the body of a class": _texts("Own.HERE", "Own.NAME", "Own.Deep.NAME", before="class Own:\n    HERE = __module__\n    NAME = __qualname__\n    class Deep:\n        NAME = __qualname__\n"),
    "that is set in a class": _texts("Own.__module__", "Child.__module__", "Own.__qualname__", "Child.__qualname__", before="class Own:\n    __module__ = 'public'\n    __qualname__ = 'Shown'\nclass Child(Own):\n    pass\n", sure=False),
}  # fmt: skip

# --- classes of one name ----------------------------------------------------------------------------------------------

_MODELS = """
from enum import Enum
from pydantic import BaseModel
class Item(BaseModel):
    y: int
class Mode(Enum):
    A = "a"
    B = "b"
"""
_OWN = """
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar
from typing_extensions import TypedDict
from pydantic import BaseModel
T = TypeVar("T")
"""
_OWN_ITEM = _OWN + "class Item(BaseModel):\n    x: int\n"
_TWO_ITEMS = "@mcp.tool()\ndef gamma(a: Item, b: models.Item) -> str:\n    'Gamma.'\n    return 'c'\n"
_NESTED = """
class A(BaseModel):
    class Item(BaseModel):
        x: int
    c: Item
class B(BaseModel):
    class Item(BaseModel):
        y: int
    c: Item
"""
_OF_NESTED = "@mcp.tool()\ndef gamma(a: AA, b: BB) -> str:\n    'Gamma.'\n    return 'c'\n"
_GENERIC = (
    _OWN
    + """
class Page(BaseModel, Generic[T]):
    rows: list[T]
class Report(BaseModel):
    class Row(BaseModel):
        n: int
    class Kind(Enum):
        A = "a"
        B = "b"
    page: Page[Row]
"""
)
_LOCAL = """
def one():
    class Item(BaseModel):
        x: int
    return Item
def two():
    class Item(BaseModel):
        y: int
    return Item
One, Two = one(), two()
"""
_LISTING = """
import asyncio
import mcp.types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
import models
BEFORE
class Both(BaseModel):
    a: AA
    b: BB
server = Server("x")
@server.list_tools()
async def tools():
    return [types.Tool(name="gamma", description="G", inputSchema=Both.model_json_schema())]
async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
if __name__ == "__main__":
    asyncio.run(main())
"""


def _classes(after: str, before: str, *settled: str, families: tuple[str, ...] = OFFICIAL, **files: str) -> Case:
    given = {f"{path}.py": text for path, text in files.items()}
    source = server(before=before, after=after)
    return Case(families, {**source, "models.py": _MODELS, **given}, settled=("alpha", "beta", *settled))


def _listed(before: str, one: str, other: str) -> Case:
    source = _LISTING.replace("BEFORE", before).replace("AA", one).replace("BB", other)
    return Case(("mcp1-lowlevel",), {"server.py": source, "models.py": _MODELS + _NESTED}, settled=("gamma",))


def _elsewhere(main: str, more: str = "") -> dict[str, str]:
    """A server in a file that another one starts."""
    app = server(before="import models\n" + _OWN_ITEM, after=_TWO_ITEMS)["server.py"]
    app = app if more else app.replace(_RUN.strip(), "")
    return {"app.py": app + more, "models.py": _MODELS, "server.py": main}


_THINGS = {"one/things": _OWN_ITEM, "two/things": _OWN_ITEM.replace("x:", "z:")}
_RUN = "if __name__ == '__main__':\n    mcp.run()\n".replace("'", '"')
CLASSES = {
    "of the script and of another file": _classes(_TWO_ITEMS, "import models\n" + _OWN_ITEM, "gamma"),
    "enums of the script and of another file": _classes("@mcp.tool()\ndef gamma(a: Mode, b: models.Mode) -> str:\n    return 'c'\n", "import models\nfrom enum import Enum\nclass Mode(str, Enum):\n    C = 'c'\n    D = 'd'\n", "gamma"),
    "dataclasses of the script and of another file": _classes("@mcp.tool()\ndef gamma(a: Item, b: models.Item) -> str:\n    return 'c'\n", "import models\n" + _OWN + "@dataclass\nclass Item:\n    x: int\n", "gamma"),
    "nested in the script": _classes(_OF_NESTED.replace("AA", "A").replace("BB", "B"), _OWN + _NESTED, "gamma"),
    "nested in another file": _classes(_OF_NESTED.replace("AA", "more.A").replace("BB", "more.B"), "import more\n", "gamma", more=_OWN + _NESTED),
    "made in functions": _classes(_OF_NESTED.replace("AA", "One").replace("BB", "Two"), _OWN + _LOCAL, "gamma"),
    "of two files": _classes(_OF_NESTED.replace("AA", "models.Item").replace("BB", "more.Item"), "import models, more\n", "gamma", more=_OWN_ITEM),
    "of two folders": _classes(_OF_NESTED.replace("AA", "one.things.Item").replace("BB", "two.things.Item"), "import one.things, two.things\n", **_THINGS),
    "of two packages": _classes(_OF_NESTED.replace("AA", "Item").replace("BB", "Other"), "from one.things import Item\nfrom two.things import Item as Other\n", "gamma", **_THINGS, **{"one/__init__": "", "two/__init__": ""}),
    "as results": _classes("class Both(BaseModel):\n    a: Item\n    b: models.Item\n@mcp.tool()\ndef gamma(x: int) -> Both:\n    return None\n", "import models\n" + _OWN_ITEM, "gamma", families=(*OFFICIAL, "fastmcp3")),
    "of a script that only another file starts": Case(OFFICIAL, _elsewhere("from app import mcp\nif __name__ == '__main__':\n    mcp.run()\n")),
    "of a script that has a start of its own": Case(OFFICIAL, _elsewhere("from app import mcp\nmcp.run()\n", "\n")),
    "of a script of a package": Case(OFFICIAL, {"pkg/__init__.py": "", "pkg/models.py": _MODELS, "pkg/app.py": server(before="from pkg import models\n" + _OWN_ITEM, after=_TWO_ITEMS)["server.py"]}, start=("-m", "pkg.app"), settled=("gamma",)),
    "listed by hand": _listed(_OWN_ITEM, "Item", "models.Item"),
    "nested and listed by hand": _listed(_OWN + _NESTED, "A", "B"),
    "nested in another file and listed by hand": _listed(_OWN, "models.A", "models.B"),
    "whose module is set": _classes(_TWO_ITEMS, "import models\n" + _OWN + "class Item(BaseModel):\n    __module__ = 'public'\n    x: int\n"),
    "of a generic model": _classes("@mcp.tool()\ndef gamma(a: Page[Report.Row]) -> Page[Report.Kind]:\n    return None\n@mcp.tool()\ndef delta(a: Report, b: Page[int]) -> str:\n    return ''\n", _GENERIC, "gamma", "delta", families=DECORATED),
    "of a generic model of local classes": _classes("@mcp.tool()\ndef gamma(a: Page[One], b: Page[Two]) -> str:\n    return ''\n", _GENERIC + _LOCAL, "gamma", families=(*OFFICIAL, "fastmcp3")),
    "of a generic model of another file": _classes("@mcp.tool()\ndef gamma(a: more.Page[more.Report.Row]) -> str:\n    return ''\n", "import more\n", "gamma", more=_GENERIC),
    "typed dicts of the script and of another file": _classes("@mcp.tool()\ndef gamma(a: Item, b: more.Item) -> str:\n    return 'c'\n", "import more\n" + _OWN + "class Item(TypedDict):\n    x: int\n", families=("mcp1-fastmcp",), more=_OWN + "class Item(TypedDict):\n    z: int\n"),
    "of generic models of lists": _classes("@mcp.tool()\ndef gamma(a: Page[list[Report.Row]], b: Page[Report.Kind | None]) -> str:\n    return ''\n", _GENERIC, "gamma"),
    "nested deeply": _classes("@mcp.tool()\ndef gamma(a: Top.Mid.Low, b: Top.Low) -> str:\n    return ''\n", _OWN + "class Top:\n    class Mid:\n        class Low(BaseModel):\n            x: int\n    class Low(BaseModel):\n        y: int\n", "gamma"),
    "that a class inherits": _classes("@mcp.tool()\ndef gamma(a: Item, b: models.Item) -> str:\n    return ''\n", "import models\n" + _OWN + "class Item(models.Item):\n    z: int\n", "gamma"),
}  # fmt: skip

# --- several files that may be the start ------------------------------------------------------------------------------

_EXTRA = "def extra(x: int) -> str:\n    'Extra.'\n    return 'e'\n"
_MAIN = "def main():\n    mcp.run()\n"
_MODE = 'MODE = "dev" if __name__ == "__main__" else "prod"\n@mcp.tool(description=MODE)\ndef told(x: int) -> str:\n    return "a"\n'
_NAMED_TOOL = "@mcp.tool(name=f'{__name__}_look'.strip('_'))\ndef look(x: int) -> str:\n    return 'a'\n"


def _app(more: str = "", guard: str = "mcp.run()", test: str = "if __name__ == '__main__':") -> str:
    """A server with two tools, what it has besides, and what it does when it is run."""
    text = server(after=_EXTRA + _MAIN + more)["server.py"].rpartition("if __name__")[0]
    return text + (f"{test}\n    {guard}\n" if guard else "")


def _by(*wanted: str, families: tuple[str, ...] = TWO, settled: tuple[str, ...] = (), **files: str) -> dict[str, Case]:
    """A program once for each file that starts it."""
    given = {f"{name.replace('__of__', '/')}.py": text for name, text in files.items()}
    return {
        name: Case(families, given, start=tuple(name.split()), settled=("alpha", "beta", *settled)) for name in wanted
    }


def _starts(said: str, made: dict[str, Case]) -> dict[str, Case]:
    return {f"{said}, by {name}": case for name, case in made.items()}


_MAIN_OF_APP = "from app import mcp, main\nif __name__ == '__main__':\n    main()\n"
_RUNS = "from app import mcp, extra\nif __name__ == '__main__':\n    mcp.run()\n"
_MORE = "from app import mcp, extra\nif __name__ == '__main__':\n    mcp.tool()(extra)\n    mcp.run()\n"
_BOTH = ("app.py", "server.py")
STARTS = {
    **_starts("a description by the name", _by(*_BOTH, app=_app(_MODE), server=_MAIN_OF_APP)),
    **_starts("a name by the name", _by(*_BOTH, app=_app(_NAMED_TOOL), server=_RUNS)),
    **_starts("a module in a description", _by(*_BOTH, app=_app("@mcp.tool(description=extra.__module__)\ndef told(x: int) -> str:\n    return 'a'\n"), server=_RUNS)),
    **_starts("more in the guard", _by(*_BOTH, app=_app("", "mcp.tool()(extra); mcp.run()"), server=_RUNS)),
    **_starts("more in the other guard", _by(*_BOTH, app=_app(), server=_MORE)),
    **_starts("more in a function of the guard", _by(*_BOTH, app=_app("def more():\n    mcp.tool()(extra)\n    mcp.run()\n", "more()"), server=_RUNS)),
    **_starts("only one runs", _by("server.py", app=_app("", "mcp.tool()(extra)"), server=_RUNS)),
    **_starts("only one runs, and a name", _by("server.py", app=_app(_NAMED_TOOL, "print('to try it')"), server=_RUNS)),
    **_starts("only one runs, beside another script", _by("server.py", app=_app("", "mcp.tool()(extra)"), client="from app import mcp\nif __name__ == '__main__':\n    print(mcp)\n", server=_RUNS)),
    **_starts("only one runs, with more", _by("server.py", app=_app("", "print('to try it')"), server=_MORE)),
    **_starts("three files", _by("app.py", "one.py", "two.py", app=_app(), one=_RUNS, two=_MORE)),
    **_starts("a package", _by("-m pkg", "-m pkg.app", pkg__of____init__="", pkg__of____main__="from pkg.app import mcp\nmcp.run()\n", pkg__of__app=_app(_MODE))),
    **_starts("unless it is run", _by(*_BOTH, app=_app("if __name__ != '__main__':\n    mcp.tool()(extra)\n"), server=_RUNS)),
    **_starts("unless it is run, and it never is", _by("server.py", app=_app("if not __name__ == '__main__':\n    mcp.tool()(extra)\n", ""), server=_RUNS, settled=("extra",))),
    **_starts("otherwise", _by("server.py", app=_app("if __name__ == '__main__':\n    print('no')\nelse:\n    mcp.tool()(extra)\n", ""), server=_RUNS, settled=("extra",))),
    **_starts("one of two names", _by(*_BOTH, app=_app("if __name__ in ('__main__', 'app'):\n    mcp.tool()(extra)\n", "mcp.run()"), server=_RUNS, settled=("extra",))),
    **_starts("or something else", _by("server.py", app=_app("if __name__ == '__main__' or mcp:\n    mcp.tool()(extra)\n", ""), server=_RUNS)),
    **_starts("otherwise it runs", _by("server.py", server=_app("", "mcp.run()\nelse:\n    mcp.tool()(extra)"))),
    **_starts("alike", _by(*_BOTH, app=_app("import logging\nlog = logging.getLogger(__name__)\n", "main()"), server=_MAIN_OF_APP)),
    **_starts("alike, with a client", _by(*_BOTH, app=_app(), client="from app import mcp\nif __name__ == '__main__':\n    print(mcp)\n", server=_MAIN_OF_APP)),
    **_starts("a package in a description", _by("server.py", "-m server", server=_app("@mcp.tool(description=f'{__package__}')\ndef told(x: int) -> str:\n    return 'a'\n"))),
    **_starts("a guard the other way round", _by(*_BOTH, app=_app("", "mcp.tool()(extra); mcp.run()", "if '__main__' == __name__ and mcp:"), server=_RUNS)),
    **_starts("a name that is kept", _by(*_BOTH, app=_app("own = __name__\nif own == '__main__':\n    mcp.tool()(extra)\n    mcp.run()\n", ""), server=_RUNS)),
    **_starts("a name in a function", _by(*_BOTH, app=_app("def late():\n    if __name__ == 'app':\n        mcp.tool()(extra)\nlate()\n"), server=_RUNS)),
}  # fmt: skip

TABLES = {
    "inherited docstrings": DOCSTRINGS,
    "qualified names": QUALIFIED,
    "names of modules": MODULES,
    "classes of one name": CLASSES,
    "several starts": STARTS,
}
