# ruff: noqa: E501 - most sources stand in one line
"""Annotations: where and when the SDKs look up the names in them, written plainly, as text, or all late."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, OFFICIAL, Case

NOT_2 = tuple(family for family in DECORATED if family != "fastmcp2")
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"
_IMPORTS = "from dataclasses import dataclass\nfrom datetime import date\nfrom enum import Enum\nfrom typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Optional\nfrom typing_extensions import NotRequired, Required, TypedDict\nfrom pydantic import BaseModel, Field\nfrom HOME import SERVER\nmcp = SERVER('m')\n"
_LATE = f"from __future__ import annotations\n{_IMPORTS}"


def _plain(body: str, **files: str) -> dict[str, str]:
    return {"server.py": f"{_IMPORTS}{body}{_RUN}", **{f"{name}.py": text for name, text in files.items()}}


def _late(body: str, **files: str) -> dict[str, str]:
    return {"server.py": f"{_LATE}{body}{_RUN}", **{f"{name}.py": text for name, text in files.items()}}


# --- names of a class that are names of types, too --------------------------------------------------------------------

_STORE = "class Store:\n    def get(self, ids: list[str]) -> dict[str, str]:\n        'Get.'\n        return {}\n    def list(self, limit: int = 10) -> str:\n        'List.'\n        return ''\nstore = Store()\nmcp.tool()(store.get)\nmcp.tool(name='list_items')(store.list)\n"
_STORE_LAST = "class Store:\n    def list(self, limit: int = 10) -> str:\n        'List.'\n        return ''\n    def get(self, ids: list[str]) -> dict[str, str]:\n        'Get.'\n        return {}\nstore = Store()\nmcp.tool()(store.get)\nmcp.tool(name='list_items')(store.list)\n"
_DAYS = "class Days:\n    def after(self, day: date) -> str:\n        'After.'\n        return ''\n    def date(self) -> str:\n        'Date.'\n        return ''\ndays = Days()\nmcp.tool()(days.after)\nmcp.tool()(days.date)\n"
_ATTRIBUTE = "class Names:\n    def get(self, name: str, kinds: set[str]) -> str:\n        'Get.'\n        return ''\n    str = 'text'\n    set = 'set'\nmcp.tool()(Names().get)\n"
_IN_INIT = "class Store:\n    def __init__(self, server):\n        server.tool()(self.get)\n        server.tool(name='list_items')(self.list)\n    def get(self, ids: list[str], kinds: set[str]) -> str:\n        'Get.'\n        return ''\n    def list(self) -> str:\n        'List.'\n        return ''\n    def set(self) -> None:\n        pass\nStore(mcp)\n"
_STATIC = "class Store:\n    @staticmethod\n    def get(ids: list[str]) -> str:\n        'Get.'\n        return ''\n    @classmethod\n    def find(cls, kinds: dict[str, int]) -> str:\n        'Find.'\n        return ''\n    @staticmethod\n    def list() -> str:\n        return ''\n    dict = None\nmcp.tool()(Store.get)\nmcp.tool()(Store.find)\n"
_DERIVED = "class Base:\n    def list(self) -> str:\n        'List.'\n        return ''\nclass Store(Base):\n    def get(self, ids: list[str]) -> str:\n        'Get.'\n        return ''\nstore = Store()\nmcp.tool()(store.get)\nmcp.tool()(store.list)\n"
_GET = "@mcp.tool()\ndef get(ids: list[str]) -> dict[str, str]:\n    'Get.'\n    return {}\n"
_LIST = "@mcp.tool()\ndef list(limit: int = 10) -> str:\n    'List.'\n    return ''\n"
_CLASSES = {
    "a method list after the one that takes a list": (_STORE, ("get", "list_items")),
    "a method date after the one that takes a date": (_DAYS, ("after", "date")),
    "attributes str and set after the method that takes them": (_ATTRIBUTE, ("get",)),
    "methods list and set, registered in the constructor": (_IN_INIT, ("get", "list_items")),
    "static and class methods before list and dict": (_STATIC, ("get", "find")),
    "a base class with a method list": (_DERIVED, ("get", "list")),
}
SHADOWED_BY_CLASSES = {
    **{name: Case(DECORATED, _plain(body), settled=settled) for name, (body, settled) in _CLASSES.items()},
    **{f"{name}, late": Case(DECORATED, _late(body), settled=settled) for name, (body, settled) in _CLASSES.items()},
    "a method list before the one that takes a list, late": Case(DECORATED, _late(_STORE_LAST), settled=("get", "list_items")),
    "an own class of the class for its later methods": Case(
        DECORATED,
        _plain(
            "class Mode(str, Enum):\n    A = 'a'\nclass Tools:\n    def old(self, mode: Mode) -> str:\n        'Old.'\n        return ''\n    class Mode(str, Enum):\n        B = 'b'\n    def new(self, mode: Mode) -> str:\n        'New.'\n        return ''\ntools = Tools()\nmcp.tool()(tools.old)\nmcp.tool()(tools.new)\n"
        ),
        settled=("old", "new"),
    ),
    "a tool named list after one that takes a list": Case(DECORATED, _plain(_GET + _LIST), settled=("get", "list")),
    "a tool named list after one that takes a list, late": Case(DECORATED, _late(_GET + _LIST), settled=("get", "list")),
    "a tool named list before one that takes a list is registered": Case(
        DECORATED, _plain(_GET.partition("\n")[2] + _LIST + "mcp.tool()(get)\n")
    ),
    "a field whose type has its name": Case(
        DECORATED,
        _plain(
            "class Event(BaseModel):\n    day: date\n    date: Optional[str] = None\n@mcp.tool()\ndef go(event: Event) -> str:\n    'Go.'\n    return ''\n"
        ),
        settled=("go",),
    ),
    "a field before a constant of the class with the name of its type": Case(
        DECORATED,
        _plain("@dataclass\nclass Item:\n    ids: list[int]\n    list = 'x'\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n"),
        settled=("go",),
    ),
}  # fmt: skip

# --- names that only type checkers see --------------------------------------------------------------------------------

_OTHER = "from typing import Literal\nMode = Literal['d']\n"
_ONLY = "if TYPE_CHECKING:\n    from decimal import Decimal\n    from other import Mode\n@mcp.tool()\ndef fine(x: int) -> str:\n    'Fine.'\n    return ''\n"
_MISSING = {
    "of a parameter": "@mcp.tool()\ndef go(x: Decimal) -> str:\n    'Go.'\n    return ''\n",
    "of a result": "@mcp.tool()\ndef go(x: int) -> Mode:\n    'Go.'\n    return ''\n",
    "of a part of a parameter": "@mcp.tool()\ndef go(x: Optional[list[Decimal]] = None) -> str:\n    'Go.'\n    return ''\n",
    "of a method": "class Tools:\n    def go(self, x: Mode) -> str:\n        'Go.'\n        return ''\nmcp.tool()(Tools().go)\n",
    "of a field of a model": "class Item(BaseModel):\n    x: Decimal\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "of a field of a dataclass": "@dataclass\nclass Item:\n    x: Decimal\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "of a field of a result": "class Item(BaseModel):\n    x: Decimal\n@mcp.tool()\ndef go(n: int) -> Item:\n    'Go.'\n    return None\n",
    "of a misspelled name": "@mcp.tool()\ndef go(x: strr) -> str:\n    'Go.'\n    return ''\n",
    "of a missing attribute": "import datetime\n@mcp.tool()\ndef go(x: datetime.dat) -> str:\n    'Go.'\n    return ''\n",
    "of a function that is no tool": "def helper(x: Decimal, y: Mode) -> Nowhere:\n    return x\n",
}  # fmt: skip
UNBOUND = {
    **{f"a name {name}": Case(DECORATED, _late(_ONLY + body, other=_OTHER)) for name, body in _MISSING.items()},
    **{
        f"a name {name}, quoted": Case(
            DECORATED, _plain(_ONLY + body.replace("x: Decimal", "x: 'Decimal'").replace("-> Mode", "-> 'Mode'"), other=_OTHER)
        )
        for name, body in _MISSING.items()
        if ("x: Decimal" in body or "-> Mode" in body) and name != "of a function that is no tool"
    },
    "a name of a function that is no tool, settled": Case(
        DECORATED, _late(_ONLY + _MISSING["of a function that is no tool"], other=_OTHER), settled=("fine",)
    ),
    "a name of a context": Case(
        DECORATED,
        _late("if TYPE_CHECKING:\n    from HOME import Context\n@mcp.tool()\ndef go(ctx: Context, x: int) -> str:\n    'Go.'\n    return ''\n"),
    ),
}  # fmt: skip

# --- texts are read among the names of the module ---------------------------------------------------------------------

_MODE = "class Mode(str, Enum):\n    A = 'a'\n"
_GO = "def go(x: Annotated[int, Field(description=description)]) -> str:\n        'Go.'\n        return ''\n"
_TEXTS = {
    "a parameter around with the name of a global": (
        f"def make(name, description='inner'):\n    @mcp.tool(name=name)\n    {_GO}description = 'module level'\nmake('one')\n",
        ("one",),
    ),
    "a variable around with the name of a global": (
        f"def make():\n    description = 'inner'\n    @mcp.tool()\n    {_GO}description = 'module level'\nmake()\n",
        ("go",),
    ),
    "a parameter around with the name of a builtin": (
        "def register(server, str=None, list=None, type='x'):\n    @server.tool()\n    def get(q: str, kinds: list[str], type: int = 1) -> str:\n        'Get.'\n        return ''\nregister(mcp)\n",
        ("get",),
    ),
    "a class in the class of a method": (
        f"{_MODE}class Tools:\n    class Mode(str, Enum):\n        B = 'b'\n    def go(self, mode: Mode) -> str:\n        'Go.'\n        return ''\nmcp.tool()(Tools().go)\n",
        ("go",),
    ),
    "a constant in the class of a method": (
        "DESC = 'module level'\nclass Tools:\n    DESC = 'inner'\n    def go(self, x: Annotated[int, Field(description=DESC)]) -> str:\n        'Go.'\n        return ''\nmcp.tool()(Tools().go)\n",
        ("go",),
    ),
    "a class in the class of a static method": (
        f"{_MODE}class Tools:\n    class Mode(str, Enum):\n        B = 'b'\n    @staticmethod\n    def go(mode: Mode, modes: list[Mode]) -> Mode:\n        'Go.'\n        return mode\nmcp.tool()(Tools.go)\n",
        ("go",),
    ),
    "a type of the function around": (
        "Mode = Literal['a', 'b']\ndef register(server):\n    Mode = Literal['c']\n    @server.tool()\n    def three(k: Mode, ks: Optional[list[Mode]] = None) -> Mode:\n        'Three.'\n        return k\nregister(mcp)\n",
        ("three",),
    ),
    "an import of the function around": (
        "Mode = Literal['a', 'b']\ndef register(server):\n    from other import Mode\n    @server.tool()\n    def three(k: Mode) -> str:\n        'Three.'\n        return k\nregister(mcp)\n",
        ("three",),
    ),
    "a model of the function around": (
        "class Item(BaseModel):\n    x: int\ndef register(server):\n    class Item(BaseModel):\n        y: int\n    @server.tool()\n    def three(k: Item) -> Item:\n        'Three.'\n        return k\nregister(mcp)\n",
        ("three",),
    ),
    "a type of the method around": (
        "Mode = Literal['a', 'b']\nclass App:\n    def __init__(self, server):\n        Mode = Literal['c']\n        @server.tool()\n        def three(k: Mode) -> str:\n            'Three.'\n            return k\nApp(mcp)\n",
        ("three",),
    ),
    "a name that the function around binds later": (
        "Mode = Literal['a', 'b']\ndef register(server):\n    def three(k: Mode) -> str:\n        'Three.'\n        return k\n    Mode = Literal['c']\n    server.tool()(three)\nregister(mcp)\n",
        ("three",),
    ),
}  # fmt: skip
_LOCAL = {
    "a local type": "def register(server):\n    Local = Literal['a']\n    @server.tool()\n    def go(k: Local) -> str:\n        'Go.'\n        return k\nregister(mcp)\n",
    "a local model": "def register(server):\n    class Local(BaseModel):\n        x: int\n    @server.tool()\n    def go(k: Local) -> str:\n        'Go.'\n        return ''\nregister(mcp)\n",
    "a local import": "def register(server):\n    from other import Mode\n    @server.tool()\n    def go(k: Mode) -> str:\n        'Go.'\n        return ''\nregister(mcp)\n",
    "a class inside the class": "class Tools:\n    class Inner(BaseModel):\n        x: int\n    def go(self, x: Inner) -> str:\n        'Go.'\n        return ''\nmcp.tool()(Tools().go)\n",
}  # fmt: skip
_QUOTED = {
    "a type of the function around": "Mode = Literal['a', 'b']\ndef register(server):\n    Mode = Literal['c']\n    @server.tool()\n    def three(k: 'Mode', ks: 'Optional[list[Mode]]' = None) -> 'Mode':\n        'Three.'\n        return k\nregister(mcp)\n",
    "a class in the class of a method": f"{_MODE}class Tools:\n    class Mode(str, Enum):\n        B = 'b'\n    def go(self, mode: 'Mode') -> str:\n        'Go.'\n        return ''\nmcp.tool()(Tools().go)\n",
    "a parameter around with the name of a builtin": "def register(server, str=None):\n    @server.tool()\n    def get(q: 'str', n: int = 1) -> 'str':\n        'Get.'\n        return ''\nregister(mcp)\n",
    "the name of a global beside one that is not quoted": "Mode = Literal['a', 'b']\ndef register(server):\n    Mode = Literal['c']\n    @server.tool()\n    def three(k: 'Mode', m: Mode) -> str:\n        'Three.'\n        return k\nregister(mcp)\n",
}  # fmt: skip
_INSIDE = {
    "a list of what is quoted": "Mode = Literal['a', 'b']\n@mcp.tool()\ndef three(k: list['Mode']) -> str:\n    'Three.'\n    return ''\n",
    "an option that is quoted": "class Item(BaseModel):\n    x: int\n@mcp.tool()\ndef three(k: Optional['Item'] = None) -> str:\n    'Three.'\n    return ''\n",
    "a list of what is quoted, of the function around": "Mode = Literal['a', 'b']\ndef register(server):\n    Mode = Literal['c']\n    @server.tool()\n    def three(k: list['Mode']) -> str:\n        'Three.'\n        return ''\nregister(mcp)\n",
    "a builtin that is quoted": "@mcp.tool()\ndef three(k: list['int'], n: Optional['str'] = None) -> str:\n    'Three.'\n    return ''\n",
    "a text in a text": "class Item(BaseModel):\n    x: int\n@mcp.tool()\ndef three(k: 'list[\"Item\"]') -> str:\n    'Three.'\n    return ''\n",
    "a text in a text of a result": "class Item(BaseModel):\n    x: int\n@mcp.tool()\ndef three(k: int) -> 'list[\"Item\"]':\n    'Three.'\n    return ''\n",
    "a result that is quoted": "class Item(BaseModel):\n    x: int\n@mcp.tool()\ndef three(k: int) -> list['Item']:\n    'Three.'\n    return []\n",
}  # fmt: skip
IN_TEXTS = {
    **{f"{name}, late": Case(DECORATED, _late(body, other=_OTHER), settled=settled) for name, (body, settled) in _TEXTS.items()},
    **{f"{name}, plain": Case(DECORATED, _plain(body, other=_OTHER)) for name, (body, _) in _TEXTS.items() if "builtin" not in name},
    **{f"nothing but {name}, late": Case(DECORATED, _late(body, other=_OTHER)) for name, body in _LOCAL.items()},
    **{f"nothing but {name}, plain": Case(DECORATED, _plain(body, other=_OTHER), settled=("go",)) for name, body in _LOCAL.items()},
    **{f"{name}, quoted": Case(DECORATED, _plain(body)) for name, body in _QUOTED.items()},
    **{f"{name}, in part": Case(DECORATED, _plain(body)) for name, body in _INSIDE.items()},
    **{f"{name}, late in part": Case(DECORATED, _late(body)) for name, body in _INSIDE.items()},
}  # fmt: skip

# --- classes that are made in a function ------------------------------------------------------------------------------

_KIND = "Kind = Literal['a', 'b']\n"
_BODIES = {
    "dataclass": "    @dataclass\n    class Item:\n        k: Kind\n        n: int = 1\n",
    "typed dict": "    class Item(TypedDict):\n        k: Kind\n        n: int\n",
    "model": "    class Item(BaseModel):\n        k: Kind\n        n: int = 1\n",
    "named tuple": "    class Item(NamedTuple):\n        k: Kind\n        n: int = 1\n",
    "plain class": "    class Item:\n        k: Kind\n        n: int = 1\n",
}


def _made(
    kind: str, *, quoted: bool, returned: bool, before: str = "    Kind = Literal['c']\n", after: str = ""
) -> str:
    """A class that is made in a function, among whose names is one of the module, and a tool that takes or returns it."""
    body = _BODIES[kind].replace("Kind", "'Kind'") if quoted else _BODIES[kind]
    signature = "def go() -> Item" if returned else "def go(item: Item) -> str"
    tool = f"    @server.tool()\n    {signature}:\n        'Go.'\n        return None\n"
    return f"{_KIND}def register(server):\n{before}{body}{after}{tool}register(mcp)\n"


def _made_late(
    kind: str, *, returned: bool, before: str = "    Kind = Literal['c']\n", after: str = ""
) -> dict[str, str]:
    """The same where the class is in a module of late annotations, and its function is not."""
    body = f"{_KIND}def make():\n{before}{_BODIES[kind]}{after}    return Item\n"
    signature = "def go() -> Item" if returned else "def go(item: Item) -> str"
    tool = f"from kinds import make\nItem = make()\n@mcp.tool()\n{signature}:\n    'Go.'\n    return None\n"
    return _plain(tool, kinds=_LATE.partition("from HOME")[0] + body)


IN_FUNCTIONS = {
    **{
        f"a {kind} of a function, {'returned' if returned else 'taken'}, {form}": Case(
            DECORATED,
            _made_late(kind, returned=returned) if form == "late" else _plain(_made(kind, quoted=form == "quoted", returned=returned)),
            settled=("go",) if kind in ("dataclass", "typed dict", "model") and form == "plain" else (),
        )
        for kind in _BODIES
        for returned in (False, True)
        for form in ("plain", "quoted", "late")
    },
    **{
        f"a {kind} of a function that binds the name later": Case(
            DECORATED, _made_late(kind, returned=False, before="", after="    Kind = Literal['c']\n")
        )
        for kind in ("dataclass", "typed dict", "model")
    },
    **{
        f"a {kind} of a function that names another of its classes": Case(
            DECORATED,
            _made_late(kind, returned=False, before="    class Kind(BaseModel):\n        z: int\n"),
        )
        for kind in ("dataclass", "typed dict", "model")
    },
}  # fmt: skip

_REGISTER = "def register(server):\n"
_OWN = "    @server.tool()\n    def go(item: Item) -> str:\n        'Go.'\n        return ''\nregister(mcp)\n"
_NESTED = "class Item:\n    class Mode(str, Enum):\n        A = 'a'\n    mode: Mode\n    day: date\n    other: Optional[Mode] = None\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n"
_ORDINARY = {
    "a model that names another of its function": f"{_REGISTER}    class Part(BaseModel):\n        z: int\n    class Item(BaseModel):\n        part: 'Part'\n        parts: 'list[Part]'\n{_OWN}",
    "a model that names itself": f"{_REGISTER}    class Item(BaseModel):\n        name: str\n        parent: Optional['Item'] = None\n{_OWN}",
    "a model that names one of the module": f"class Part(BaseModel):\n    z: int\n{_REGISTER}    class Item(BaseModel):\n        part: 'Part'\n{_OWN}",
    "a dataclass that names one of the module": f"@dataclass\nclass Part:\n    z: int\n{_REGISTER}    @dataclass\n    class Item:\n        part: 'Part'\n        parts: 'list[Part]'\n{_OWN}",
    "a typed dict that names one of the module": f"class Part(TypedDict):\n    z: int\n{_REGISTER}    class Item(TypedDict):\n        part: 'Part'\n        parts: list['Part']\n{_OWN}",
}
_BUILT = {
    "a dataclass with a class of its own": f"@dataclass\n{_NESTED}",
    "a model with a class of its own": _NESTED.replace("class Item", "class Item(BaseModel)"),
    "a dataclass with a class of its own and one of the module": _MODE.replace("'a'", "'z'") + f"@dataclass\n{_NESTED}",
    "a model with a class of its own and one of the module": _MODE.replace("'a'", "'z'")
    + _NESTED.replace("class Item", "class Item(BaseModel)"),
    "a dataclass with a field that has the name of its type": "@dataclass\nclass Item:\n    date: date\n    n: int = 1\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a dataclass that names itself": "@dataclass\nclass Item:\n    name: str\n    parent: Optional[Item] = None\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a dataclass with a method list": "@dataclass\nclass Item:\n    ids: list[int]\n    def list(self) -> str:\n        return ''\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a dataclass with a constant that its field names": "D = 'module level'\n@dataclass\nclass Item:\n    x: Annotated[int, Field(description=D)]\n    D = 'own'\n@mcp.tool()\ndef go(item: Item) -> Item:\n    'Go.'\n    return item\n",
    "a dataclass whose field names what has another value later": "D = 'first'\n@dataclass\nclass Item:\n    x: Annotated[int, Field(description=D)]\nD = 'second'\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nD = 'third'\n",
    "a model whose field names what has another value later": "D = 'first'\nclass Item(BaseModel):\n    x: Annotated[int, Field(description=D)]\nD = 'second'\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nD = 'third'\n",
    "a model of a function of a function": "Kind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n    def inner():\n        class Item(BaseModel):\n            k: Kind\n        return Item\n    return inner()\nItem = register(mcp)\ndef go(item) -> str:\n    'Go.'\n    return ''\ngo.__annotations__['item'] = Item\nmcp.tool()(go)\n",
    "a model in a model of a function": "def register(server):\n    class Outer(BaseModel):\n        class Part(BaseModel):\n            z: int\n        class Inner(BaseModel):\n            part: Part\n        inner: Inner\n    return Outer\nItem = register(mcp)\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a model in a model of the module": "class Item(BaseModel):\n    class Part(BaseModel):\n        z: int\n    class Inner(BaseModel):\n        part: Optional[Item.Part] = None\n    inner: Inner\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a model of a class of a function": "Kind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n    class Outer(BaseModel):\n        class Inner(BaseModel):\n            k: Kind\n        inner: Inner\n    return Outer\nItem = register(mcp)\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a dataclass of pydantic in a function": "from pydantic.dataclasses import dataclass as checked\nKind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n    @checked\n    class Made:\n        k: Kind\n    return Made\nItem = register(mcp)\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a settings class of a function": "from pydantic import ConfigDict\nKind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n    class Made(BaseModel):\n        model_config = ConfigDict(extra='forbid')\n        k: Kind\n    return Made\nItem = register(mcp)\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
}
_FAILING = {"late": ("with a method list",), "plain": ("names itself", "in a model")}
IN_CLASSES = {
    **{
        f"{name}, {form}": Case(NOT_2 if "names itself" in name else DECORATED, (_late if form == "late" else _plain)(body))
        for name, body in _BUILT.items()
        for form in ("late", "plain")
        if not any(part in name for part in _FAILING[form])
    },
    **{
        f"{name}, ordinary": Case(NOT_2 if "itself" in name else DECORATED, _plain(body), settled=() if "itself" in name else ("go",))
        for name, body in _ORDINARY.items()
    },
}  # fmt: skip

# --- when they are read -----------------------------------------------------------------------------------------------

_DESCRIBED = "def go(x: Annotated[int, Field(description=D)]) -> str:\n    'Go.'\n    return ''\n"
_MOMENTS = {
    "registered in a loop over what it names": f"{_DESCRIBED}for D in ('first', 'second'):\n    mcp.tool(name=D)(go)\n",
    "registered twice, with another value each time": f"{_DESCRIBED}D = 'first'\nmcp.tool(name='one')(go)\nD = 'second'\nmcp.tool(name='two')(go)\n",
    "registered after a name has another value": f"D = 'first'\n{_DESCRIBED}D = 'second'\nmcp.tool()(go)\n",
    "registered before a name has another value": f"D = 'first'\n@mcp.tool()\n{_DESCRIBED}D = 'second'\n",
    "a name that a function sets before it registers": f"D = 'first'\n{_DESCRIBED}def register(text):\n    global D\n    D = text\n    mcp.tool(name=text)(go)\nregister('one')\nregister('two')\n",
    "a name of a class that is made again": "class Item(BaseModel):\n    x: int\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nclass Item(BaseModel):\n    y: int\nmcp.tool()(go)\n",
    "a name that is bound after the registration": f"@mcp.tool()\n{_DESCRIBED}D = 'late'\n",
    "a class that is made after the registration": "@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nclass Item(BaseModel):\n    x: int\n",
    "a class that is made after the function": "def go(item: Item) -> str:\n    'Go.'\n    return ''\nclass Item(BaseModel):\n    x: int\nmcp.tool()(go)\n",
    "by a Tool that is made before a name changes": f"D = 'first'\n{_DESCRIBED}from HOME.tools import Tool\nD = 'second'\nmade = Tool.from_function(go)\nD = 'third'\n",
}  # fmt: skip
_WRAP = "from __future__ import annotations\nimport functools\nfrom typing import Any, Literal\nMode = Literal['wrong']\ndef logged(fn: Any) -> Any:\n    @functools.wraps(fn)\n    async def inner(*args: Any, **kwargs: Mode) -> Any:\n        return fn(*args, **kwargs)\n    return inner\n"
_MUTUAL = "class A(BaseModel):\n    b: Optional[B] = None\nclass B(BaseModel):\n    a: list[A]\n@mcp.tool()\ndef go(x: A) -> str:\n    'Go.'\n    return ''\n"
_USUAL = {
    "a wrapper of another module": "from wrap import logged\nMode = Literal['a', 'b']\n@mcp.tool()\n@logged\ndef go(k: Mode, n: Annotated[int, Field(ge=1)] = 1) -> str:\n    'Go.'\n    return k\n",
    "values that are names of functions": "@dataclass\nclass Item:\n    mode: Literal['init', 'stop']\n@mcp.tool()\ndef go(x: Literal['init', 'stop'], item: Item, y: Annotated[str, Field(description='stop')] = 'a') -> str:\n    'Go.'\n    return ''\ndef init(): pass\ndef stop(): pass\nclass Late: pass\n",
    "a function that registers": "class Item(BaseModel):\n    x: int\ndef register(server: SERVER, prefix: str = '') -> None:\n    @server.tool()\n    def go(item: Item, kinds: list[Literal['a']] | None = None) -> Item:\n        'Go.'\n        return item\nregister(mcp)\n",
    "a method of an object": "class Item(BaseModel):\n    x: int\nclass Tools:\n    def go(self, item: Item, day: Optional[date] = None) -> dict[str, Any]:\n        'Go.'\n        return {}\nmcp.tool()(Tools().go)\n",
    "a type that is imported if it can be": "try:\n    from typing import Annotated as An\nexcept ImportError:\n    from typing_extensions import Annotated as An\n@mcp.tool()\ndef go(x: An[int, Field(description='X')]) -> str:\n    'Go.'\n    return ''\n",
    "types of another module": "from other import Mode\nimport other\n@mcp.tool()\ndef go(x: Mode, y: other.Mode = 'd') -> Mode:\n    'Go.'\n    return x\n",
    "a typed dict that names one that is made later": "class A(TypedDict):\n    b: B\nclass B(TypedDict):\n    n: int\n@mcp.tool()\ndef go(x: A) -> B:\n    'Go.'\n    return {'n': 1}\n",
    "dataclasses that name one another": "@dataclass\nclass A:\n    b: Optional[B] = None\n@dataclass\nclass B:\n    n: int\n@mcp.tool()\ndef go(x: A) -> B:\n    'Go.'\n    return B(1)\n",
}
_CHANGING = {
    "an entry that is changed later": "TEXTS = {'x': 'first'}\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=TEXTS['x'])]) -> str:\n    'Go.'\n    return ''\nTEXTS['x'] = 'second'\n",
    "a list that grows later": "NAMES = ['a']\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=', '.join(NAMES))]) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
    "a literal of a list that grows later": "NAMES = ['a']\n@mcp.tool()\ndef go(x: Literal[tuple(NAMES)]) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
    "a list that grew before": "NAMES = ['a']\nNAMES.append('b')\n@mcp.tool()\ndef go(x: Literal[tuple(NAMES)], y: Annotated[int, Field(description=', '.join(NAMES))]) -> str:\n    'Go.'\n    return ''\n",
    "an attribute of a class that is set later": "class Texts:\n    x = 'first'\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=Texts.x)]) -> str:\n    'Go.'\n    return ''\nTexts.x = 'second'\n",
    "a function of a list that grows later": "NAMES = ['a']\ndef known():\n    return ', '.join(NAMES)\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=known())]) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
    "a list of another module that grows later": "from other import NAMES\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=', '.join(NAMES))]) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
    "a list in a module that grows later": "import other\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=', '.join(other.NAMES))]) -> str:\n    'Go.'\n    return ''\nother.NAMES.append('b')\n",
    "a list that a function fills later": "NAMES = ['a']\ndef fill(name):\n    NAMES.append(name)\n@mcp.tool()\ndef go(x: Literal[tuple(NAMES)]) -> str:\n    'Go.'\n    return ''\nfill('b')\n",
    "a table that a decorator fills": "NAMES = {}\ndef named(fn):\n    NAMES[fn.__name__] = fn\n    return fn\n@named\ndef one(): pass\n@mcp.tool()\ndef go(x: Annotated[str, Field(description=', '.join(NAMES))]) -> str:\n    'Go.'\n    return ''\n@named\ndef two(): pass\n",
    "examples that grow later": "NAMES = ['a']\n@mcp.tool()\ndef go(x: Annotated[str, Field(examples=NAMES)]) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
    "a result by a list that grows later": "NAMES = ['a']\n@mcp.tool()\ndef go(x: int) -> Annotated[str, Field(description=', '.join(NAMES))]:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
    "a field of a dataclass by a list that grows later": "NAMES = ['a']\n@dataclass\nclass Item:\n    x: Annotated[int, Field(description=', '.join(NAMES))]\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
    "a field of a model by a list that grows later": "NAMES = ['a']\nclass Item(BaseModel):\n    x: Annotated[int, Field(description=', '.join(NAMES))]\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
}
_IN_FUNCTION = "def register(server):\n    names = ['a']\n    def go(x: Literal[tuple(names)]) -> str:\n        'Go.'\n        return ''\n    names.append('b')\n    server.tool()(go)\nregister(mcp)\n"
_OTHERS = {
    "made in a loop": "for D in ('first', 'second'):\n    @mcp.tool(name=D)\n    def go(x: Annotated[int, Field(description=D)]) -> str:\n        'Go.'\n        return ''\n",
    "registered in a loop over functions": f"D = 'first'\n{_DESCRIBED}D = 'second'\nfor each in (go,):\n    mcp.tool()(each)\nD = 'third'\n",
    "a closure names only what is around it": f"def make(description):\n    @mcp.tool()\n    {_GO}make('inner')\n",
    "a class names only what is in it": "class Tools:\n    DESC = 'inner'\n    def go(self, x: Annotated[int, Field(description=DESC)]) -> str:\n        'Go.'\n        return ''\nmcp.tool()(Tools().go)\n",
    "a method names its class": "class Item(BaseModel):\n    x: int\n    def same(self, other: Item) -> bool:\n        return True\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a context that only a function imports": "def register(server):\n    from HOME import Context\n    @server.tool()\n    def go(x: int, ctx: Context) -> str:\n        'Go.'\n        return ''\nregister(mcp)\n",
    "a wrapper before a name has another value": f"import functools\nD = 'first'\ndef wrap(fn):\n    @functools.wraps(fn)\n    def inner(*args, **kwargs):\n        return fn(*args, **kwargs)\n    return inner\n@wrap\n{_DESCRIBED}D = 'second'\nmcp.tool()(go)\nD = 'third'\n",
    "a name that another module has": f"import other\n{_DESCRIBED.replace('=D', '=other.D')}other.D = 'second'\nmcp.tool()(go)\nother.D = 'third'\n",
    "an attribute that is set": f"class T:\n    d = 'first'\n{_DESCRIBED.replace('=D', '=T.d')}T.d = 'second'\nmcp.tool()(go)\nT.d = 'third'\n",
}
MOMENTS = {
    **{f"{name}, {form}": Case(DECORATED, (_late if form == "late" else _plain)(body, other="NAMES = ['a']\n")) for name, body in _CHANGING.items() for form in ("late", "plain")},
    **{f"{name}, late": Case(DECORATED, _late(body, other="D = 'first'\n")) for name, body in _OTHERS.items()},
    "a list in a function that grows later": Case(DECORATED, _plain(_IN_FUNCTION)),
    **{f"{name}, usual": Case(DECORATED, _late(body, wrap=_WRAP, other=_OTHER), settled=("go",)) for name, body in _USUAL.items()},
    "models that name one another, usual": Case(NOT_2, _late(_MUTUAL), settled=("go",)),
    "what inspect evaluates": Case(
        DECORATED,
        _late("import inspect\nMode = Literal['a']\nname = 'x'\ndef make():\n    Mode = Literal['b']\n    def go(x: Mode = 'a') -> str:\n        'Go.'\n        return ''\n    return go\ngo = make()\nfrom typing import get_type_hints, get_args\nmcp.tool(description=str(get_args(get_type_hints(go)['x'])[0]))(go)\nmcp.tool(name='two', description=str(get_args(inspect.signature(go, eval_str=True).parameters['x'].annotation)[0]))(go)\n"),
        settled=("go", "two"),
    ),
    **{f"{name}, late": Case(DECORATED, _late(body)) for name, body in _MOMENTS.items()},
    "a class that is made after the function, settled": Case(
        DECORATED, _late(_MOMENTS["a class that is made after the function"]), settled=("go",)
    ),
}  # fmt: skip

# --- typed dicts whose keys are required or not -----------------------------------------------------------------------

_WEATHER = "@mcp.tool()\ndef weather(city: str) -> Weather:\n    'Weather.'\n    return {}\n"
_GIVEN = "@mcp.tool()\ndef tell(given: Weather) -> str:\n    'Tell.'\n    return ''\n@mcp.tool()\ndef many(city: str) -> list[Weather]:\n    'Many.'\n    return []\n"
_DICTS = {
    "not required": "class Weather(TypedDict):\n    city: str\n    wind: NotRequired[float]\n",
    "required": "class Weather(TypedDict, total=False):\n    city: Required[str]\n    wind: float\n",
    "not required in the base": "class Base(TypedDict):\n    city: str\n    wind: NotRequired[float]\nclass Weather(Base):\n    rain: NotRequired[int]\n    sun: int\n",
    "a base that is not total": "class Base(TypedDict, total=False):\n    city: str\n    wind: Required[float]\nclass Weather(Base):\n    sun: int\n",
    "annotated within": "class Weather(TypedDict):\n    city: str\n    wind: NotRequired[Annotated[float, Field(description='W')]]\n",
    "annotated around": "class Weather(TypedDict):\n    city: str\n    wind: Annotated[NotRequired[float], Field(description='W')]\n",
    "no qualifier": "class Weather(TypedDict):\n    city: str\n    wind: Optional[float]\n",
    "not total": "class Weather(TypedDict, total=False):\n    city: str\n    wind: Optional[float]\n",
}
_ELSEWHERE = "class Weather(Base):\n    sun: Kind\n"
_BASE = "from typing import Literal\nfrom typing_extensions import NotRequired, TypedDict\nKind = Literal['other']\nclass Base(TypedDict):\n    city: Kind\n    wind: NotRequired[int]\n"
TYPED_DICTS = {
    **{
        f"{name}, {form}": Case(
            DECORATED,
            (_late if form == "late" else _plain)(body + _WEATHER),
            settled=("weather",) if form == "plain" and name != "annotated around" else (),
        )
        for name, body in _DICTS.items()
        for form in ("plain", "late")
    },
    **{f"{name}, late, given": Case(DECORATED, _late(body + _GIVEN)) for name, body in _DICTS.items()},
    "not required, quoted": Case(DECORATED, _plain("class Weather(TypedDict):\n    city: str\n    wind: 'NotRequired[float]'\n" + _WEATHER)),
    "not required, quoted inside": Case(DECORATED, _plain("class Weather(TypedDict):\n    city: str\n    wind: NotRequired['float']\n" + _WEATHER)),
    "required, quoted in a base": Case(
        DECORATED,
        _plain("class Base(TypedDict, total=False):\n    city: 'Required[str]'\n    wind: float\nclass Weather(Base, total=False):\n    sun: Required[int]\n" + _WEATHER),
    ),
    **{
        f"a base in another module, {where}": Case(
            DECORATED,
            (_late if where in ("both late", "late") else _plain)(
                "from base import Base\nKind = Literal['own']\n" + _ELSEWHERE + _WEATHER + _GIVEN,
                base=("from __future__ import annotations\n" if where in ("both late", "its base late") else "") + _BASE,
            ),
        )
        for where in ("both late", "late", "its base late", "both plain")
    },
    "a dict of another module, late": Case(
        DECORATED,
        _late(
            "from base import Base\nKind = Literal['own']\n" + (_WEATHER + _GIVEN).replace("Weather", "Base"),
            base="from __future__ import annotations\n" + _BASE,
        ),
    ),
}  # fmt: skip

_STANDARD = "from typing import TypedDict\n"
TYPED_DICTS |= {
    **{
        f"{name}, {form}, of typing": Case(OFFICIAL, (_late if form == "late" else _plain)(_STANDARD + body + _WEATHER))
        for name, body in _DICTS.items()
        for form in ("plain", "late")
        if "around" not in name
    },
    **{
        f"a base in another module, {where}, of typing": Case(
            OFFICIAL,
            (_late if where in ("both late", "late") else _plain)(
                "from base import Base\nKind = Literal['own']\n" + _STANDARD + _ELSEWHERE + _WEATHER,
                base=("from __future__ import annotations\n" if where in ("both late", "its base late") else "")
                + _BASE.replace(
                    "typing_extensions import NotRequired, TypedDict", "typing import NotRequired, TypedDict"
                ),
            ),
        )
        for where in ("both late", "late", "its base late", "both plain")
    },
    "a base in another module, late, that names nothing of the other": Case(
        DECORATED,
        _late(
            "from base import Base\n" + _ELSEWHERE.replace("Kind", "int") + _WEATHER,
            base="from __future__ import annotations\n" + _BASE.replace("city: Kind", "city: str"),
        ),
    ),
    "a dict in a dict, late": Case(
        DECORATED,
        _late(
            "class Part(TypedDict):\n    n: NotRequired[int]\nclass Weather(TypedDict):\n    part: Part\n    parts: NotRequired[list[Part]]\n"
            + _WEATHER
        ),
    ),
    "not required in a base that is plain": Case(
        DECORATED,
        _late(
            "from base import Base\nclass Weather(Base, total=False):\n    wind: Required[float]\n    rain: NotRequired[float]\n"
            + _WEATHER,
            base=_BASE,
        ),
    ),
    "a dataclass with a dict, late": Case(
        DECORATED,
        _late(
            "class Part(TypedDict):\n    n: NotRequired[int]\n@dataclass\nclass Weather:\n    part: Part\n" + _WEATHER
        ),
    ),
}

TABLES = {
    "shadowed by classes": SHADOWED_BY_CLASSES,
    "unbound": UNBOUND,
    "in texts": IN_TEXTS,
    "in functions": IN_FUNCTIONS,
    "in classes": IN_CLASSES,
    "moments": MOMENTS,
    "typed dicts": TYPED_DICTS,
}
