# ruff: noqa: E501 - most sources stand in one line
"""Docstrings that are inherited, names in annotations, and what things are called where Python looks twice."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, OFFICIAL, Case, server

TWO = ("mcp1-fastmcp", "fastmcp3")

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
    def go(self, x: int) -> str: "Go."
    def stay(self, x: int) -> str: "Stay."
class Impl(Base):
    async def fetch(self, url: str, n: int = 5) -> dict: ...
    def go(self, x: int) -> str: ...
    def own(self, x: int) -> str: ...
    def stay(self, x: int) -> str: "Stay here."
"""


def _docs(after: str, before: str = "", *settled: str, families: tuple[str, ...] = DECORATED) -> Case:
    return Case(families, server(before=_BASE + before, after=after), settled=("alpha", "beta", *settled))


_STATIC = """
class Tools(Base):
    @staticmethod
    def go(x: int) -> str: ...
    @classmethod
    def stay(cls, x: int) -> str: ...
"""
_WRAPPED = """
def timed(fn):
    @functools.wraps(fn)
    async def wrapper(*args, **kwargs):
        return await fn(*args, **kwargs)
    return wrapper
class Timed(Base):
    @timed
    async def fetch(self, url: str, n: int = 5) -> dict: ...
"""
_GETDOC = "\nTEXTS = [inspect.getdoc(each) for each in (Impl.go, IMPL.go, Impl, Impl.stay, Impl.own, IMPL, IMPL.fetch)]\n@mcp.tool(description=repr(TEXTS))\ndef told(x: int) -> str:\n    return 'a'\n"

DOCSTRINGS = {
    "of a static and a class method": _docs("mcp.tool()(Tools.go)\nmcp.tool()(Tools.stay)", _STATIC),
    "asked for with getdoc": _docs(_GETDOC, "IMPL = Impl()\n", families=TWO),
    "of a tool object": _docs("from fastmcp.tools import Tool\nmcp.add_tool(Tool.from_function(Impl().go, name='made'))\nmcp.add_tool(Tool.from_function(Timed().fetch))", _WRAPPED, families=("fastmcp2", "fastmcp3")),
}  # fmt: skip

QUALIFIED = {
    "of what is wrapped and not known": Case(TWO, server(before="import functools\nimport json\n@functools.wraps(json.dumps)\ndef wrapper(x: int) -> str:\n    return 'a'\n", after="@mcp.tool(description=repr([wrapper.__qualname__, wrapper.__module__, wrapper.__name__]))\ndef told(x: int) -> str: ...\n"), settled=("alpha", "beta")),
}  # fmt: skip

# --- classes of one name ----------------------------------------------------------------------------------------------

_MODELS = "from enum import Enum\nclass Mode(Enum):\n    A = 'a'\n    B = 'b'\n"
_ITEM = "from pydantic import BaseModel\nclass Item(BaseModel):\n    x: int\n"
_BOTH_ITEMS = "@mcp.tool()\ndef gamma(a: one.things.Item, b: two.things.Item) -> str: 'Gamma.'\n"
CLASSES = {
    "enums of the script and of another file": Case(OFFICIAL, {**server(before="import models\nfrom enum import Enum\nclass Mode(str, Enum):\n    C = 'c'\n    D = 'd'\n", after="@mcp.tool()\ndef gamma(a: Mode, b: models.Mode) -> str:\n    return 'c'\n"), "models.py": _MODELS}, settled=("alpha", "beta", "gamma")),
    "of two folders": Case(OFFICIAL, {**server(before="import one.things, two.things\n", after=_BOTH_ITEMS), "one/things.py": _ITEM, "two/things.py": _ITEM.replace("x:", "z:")}, settled=("alpha", "beta")),
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
    both = ("alpha", "beta")
    return {name: Case(families, given, start=tuple(name.split()), settled=(*both, *settled)) for name in wanted}


def _starts(said: str, made: dict[str, Case]) -> dict[str, Case]:
    return {f"{said}, by {name}": case for name, case in made.items()}


_MAIN_OF_APP = "from app import mcp, main\nif __name__ == '__main__':\n    main()\n"
_RUNS = "from app import mcp, extra\nif __name__ == '__main__':\n    mcp.run()\n"
_MORE = "from app import mcp, extra\nif __name__ == '__main__':\n    mcp.tool()(extra)\n    mcp.run()\n"
_BOTH = ("app.py", "server.py")
STARTS = {
    **_starts("a name by the name", _by(*_BOTH, app=_app(_NAMED_TOOL), server=_RUNS)),
    **_starts("more in the guard", _by(*_BOTH, app=_app("", "mcp.tool()(extra); mcp.run()"), server=_RUNS)),
    **_starts("more in the other guard", _by(*_BOTH, app=_app(), server=_MORE)),
    **_starts("only one runs, beside another script", _by("server.py", app=_app("", "mcp.tool()(extra)"), client="from app import mcp\nif __name__ == '__main__':\n    print(mcp)\n", server=_RUNS)),
    **_starts("three files", _by("app.py", "one.py", "two.py", app=_app(), one=_RUNS, two=_MORE)),
    **_starts("a package", _by("-m pkg", "-m pkg.app", pkg__of____init__="", pkg__of____main__="from pkg.app import mcp\nmcp.run()\n", pkg__of__app=_app(_MODE))),
    **_starts("unless it is run, and it never is", _by("server.py", app=_app("if not __name__ == '__main__':\n    mcp.tool()(extra)\n", ""), server=_RUNS, settled=("extra",))),
    **_starts("otherwise it runs", _by("server.py", server=_app("", "mcp.run()\nelse:\n    mcp.tool()(extra)"))),
    **_starts("alike, with a client", _by(*_BOTH, app=_app(), client="from app import mcp\nif __name__ == '__main__':\n    print(mcp)\n", server=_MAIN_OF_APP)),
}  # fmt: skip

# --- where and when the SDKs look up the names in annotations, written plainly, as text, or all late -------------------

NOT_2 = tuple(family for family in DECORATED if family != "fastmcp2")
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"
_IMPORTS = "from dataclasses import dataclass\nfrom datetime import date\nfrom enum import Enum\nfrom typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Optional\nfrom typing_extensions import NotRequired, Required, TypedDict\nfrom pydantic import BaseModel, Field\nfrom HOME import SERVER\nmcp = SERVER('m')\n"
_OTHER = "from typing import Literal\nMode = Literal['d']\nD = 'first'\nNAMES = ['a']\n"
_GO = "def go(x: Annotated[int, Field(description=description)]) -> str:\n        'Go.'\n        return ''\n"
_DESCRIBED = "def go(x: Annotated[int, Field(description=D)]) -> str:\n    'Go.'\n    return ''\n"
_MADE = "Kind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n"
_GROWING = "NAMES = ['a']\ndef known():\n    return ', '.join(NAMES)\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=known())]) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n"


def _case(body: str, *settled: str, late: bool = False, families: tuple[str, ...] = DECORATED) -> Case:
    first = "from __future__ import annotations\n" if late else ""
    files = {"server.py": f"{first}{_IMPORTS}{body}{_RUN}", "other.py": _OTHER}
    return Case(families, files, settled=settled)


ANNOTATIONS = {
    "a tool named list before one that takes a list is registered": _case("def get(ids: list[str]) -> dict[str, str]: 'Get.'\n@mcp.tool()\ndef list(limit: int = 10) -> str: 'List.'\nmcp.tool()(get)\n"),
    "a name that the function around binds later": _case("Mode = Literal['a', 'b']\ndef register(server):\n    def three(k: Mode) -> str:\n        'Three.'\n        return k\n    Mode = Literal['c']\n    server.tool()(three)\nregister(mcp)\n"),
    "a plain class of a function, taken, quoted": _case(_MADE + "    class Item:\n        k: 'Kind'\n        n: int = 1\n    @server.tool()\n    def go(item: Item) -> str:\n        'Go.'\nregister(mcp)\n"),
    "a model of a function that names itself": _case("def register(server):\n    class Item(BaseModel):\n        name: str\n        parent: Optional['Item'] = None\n    @server.tool()\n    def go(item: Item) -> str: 'Go.'\nregister(mcp)\n", families=NOT_2),
    "a dataclass that names itself, late": _case("@dataclass\nclass Item:\n    name: str\n    parent: Optional[Item] = None\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n", late=True, families=NOT_2),
    "a dataclass with a constant that its field names, late": _case("D = 'module level'\n@dataclass\nclass Item:\n    x: Annotated[int, Field(description=D)]\n    D = 'own'\n@mcp.tool()\ndef go(item: Item) -> Item:\n    'Go.'\n    return item\n", late=True),
    "a model of a function of a function, late": _case("Kind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n    def inner():\n        class Item(BaseModel):\n            k: Kind\n        return Item\n    return inner()\nItem = register(mcp)\ndef go(item) -> str:\n    'Go.'\n    return ''\ngo.__annotations__['item'] = Item\nmcp.tool()(go)\n", late=True),
    "a function of a list that grows later": _case(_GROWING),
    "a function of a list that grows later, late": _case(_GROWING, late=True),
    "a closure names only what is around it, late": _case(f"def make(description):\n    @mcp.tool()\n    {_GO}make('inner')\n", late=True),
    "types of another module, late": _case("from other import Mode\nimport other\n@mcp.tool()\ndef go(x: Mode, y: other.Mode = 'd') -> Mode:\n    'Go.'\n    return x\n", "go", late=True),
    "a name that a function sets before it registers, late": _case(f"D = 'first'\n{_DESCRIBED}def register(text):\n    global D\n    D = text\n    mcp.tool(name=text)(go)\nregister('one')\nregister('two')\n", late=True),
    "a class that is made after the registration, late": _case("@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nclass Item(BaseModel):\n    x: int\n", late=True),
}  # fmt: skip

TABLES = {
    "inherited docstrings": DOCSTRINGS,
    "qualified names": QUALIFIED,
    "classes of one name": CLASSES,
    "several starts": STARTS,
    "annotations": ANNOTATIONS,
}
