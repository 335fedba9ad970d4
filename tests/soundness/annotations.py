# ruff: noqa: E501 - most sources stand in one line
"""Annotations: where and when the SDKs look up the names in them, written plainly, as text, or all late."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, Case

NOT_2 = tuple(family for family in DECORATED if family != "fastmcp2")
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"
_IMPORTS = "from dataclasses import dataclass\nfrom datetime import date\nfrom enum import Enum\nfrom typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Optional\nfrom typing_extensions import NotRequired, Required, TypedDict\nfrom pydantic import BaseModel, Field\nfrom HOME import SERVER\nmcp = SERVER('m')\n"
_LATE = f"from __future__ import annotations\n{_IMPORTS}"


def _plain(body: str, **files: str) -> dict[str, str]:
    return {"server.py": f"{_IMPORTS}{body}{_RUN}", **{f"{name}.py": text for name, text in files.items()}}


def _late(body: str, **files: str) -> dict[str, str]:
    return {"server.py": f"{_LATE}{body}{_RUN}", **{f"{name}.py": text for name, text in files.items()}}


# --- names of a class that are names of types, too --------------------------------------------------------------------

_GET = "@mcp.tool()\ndef get(ids: list[str]) -> dict[str, str]:\n    'Get.'\n    return {}\n"
_LIST = "@mcp.tool()\ndef list(limit: int = 10) -> str:\n    'List.'\n    return ''\n"
SHADOWED_BY_CLASSES = {
    "a tool named list before one that takes a list is registered": Case(
        DECORATED, _plain(_GET.partition("\n")[2] + _LIST + "mcp.tool()(get)\n")
    ),
}

# --- texts are read among the names of the module ---------------------------------------------------------------------

_GO = "def go(x: Annotated[int, Field(description=description)]) -> str:\n        'Go.'\n        return ''\n"
IN_TEXTS = {
    "a name that the function around binds later, plain": Case(
        DECORATED,
        _plain(
            "Mode = Literal['a', 'b']\ndef register(server):\n    def three(k: Mode) -> str:\n        'Three.'\n        return k\n    Mode = Literal['c']\n    server.tool()(three)\nregister(mcp)\n"
        ),
    ),
}

# --- classes that are made in a function ------------------------------------------------------------------------------

_MADE = "Kind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n"
IN_FUNCTIONS = {
    "a named tuple of a function, returned, quoted": Case(
        DECORATED,
        _plain(
            _MADE
            + "    class Item(NamedTuple):\n        k: 'Kind'\n        n: int = 1\n    @server.tool()\n    def go() -> Item:\n        'Go.'\nregister(mcp)\n"
        ),
    ),
    "a plain class of a function, taken, quoted": Case(
        DECORATED,
        _plain(
            _MADE
            + "    class Item:\n        k: 'Kind'\n        n: int = 1\n    @server.tool()\n    def go(item: Item) -> str:\n        'Go.'\nregister(mcp)\n"
        ),
    ),
}

_REGISTER = "def register(server):\n"
_OWN = "    @server.tool()\n    def go(item: Item) -> str:\n        'Go.'\n        return ''\nregister(mcp)\n"
_ORDINARY = {
    "a model that names itself": f"{_REGISTER}    class Item(BaseModel):\n        name: str\n        parent: Optional['Item'] = None\n{_OWN}",
}
_BUILT = {
    "a dataclass that names itself": "@dataclass\nclass Item:\n    name: str\n    parent: Optional[Item] = None\n@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\n",
    "a dataclass with a constant that its field names": "D = 'module level'\n@dataclass\nclass Item:\n    x: Annotated[int, Field(description=D)]\n    D = 'own'\n@mcp.tool()\ndef go(item: Item) -> Item:\n    'Go.'\n    return item\n",
    "a model of a function of a function": "Kind = Literal['a', 'b']\ndef register(server):\n    Kind = Literal['c']\n    def inner():\n        class Item(BaseModel):\n            k: Kind\n        return Item\n    return inner()\nItem = register(mcp)\ndef go(item) -> str:\n    'Go.'\n    return ''\ngo.__annotations__['item'] = Item\nmcp.tool()(go)\n",
}
IN_CLASSES = {
    **{
        f"{name}, late": Case(NOT_2 if "names itself" in name else DECORATED, _late(body))
        for name, body in _BUILT.items()
    },
    **{f"{name}, ordinary": Case(NOT_2, _plain(body)) for name, body in _ORDINARY.items()},
}

# --- when they are read -----------------------------------------------------------------------------------------------

_DESCRIBED = "def go(x: Annotated[int, Field(description=D)]) -> str:\n    'Go.'\n    return ''\n"
_MOMENTS = {
    "a name that a function sets before it registers": f"D = 'first'\n{_DESCRIBED}def register(text):\n    global D\n    D = text\n    mcp.tool(name=text)(go)\nregister('one')\nregister('two')\n",
    "a class that is made after the registration": "@mcp.tool()\ndef go(item: Item) -> str:\n    'Go.'\n    return ''\nclass Item(BaseModel):\n    x: int\n",
}  # fmt: skip
_WRAP = "from __future__ import annotations\nimport functools\nfrom typing import Any, Literal\nMode = Literal['wrong']\ndef logged(fn: Any) -> Any:\n    @functools.wraps(fn)\n    async def inner(*args: Any, **kwargs: Mode) -> Any:\n        return fn(*args, **kwargs)\n    return inner\n"
_USUAL = {
    "types of another module": "from other import Mode\nimport other\n@mcp.tool()\ndef go(x: Mode, y: other.Mode = 'd') -> Mode:\n    'Go.'\n    return x\n",
}
_CHANGING = {
    "a function of a list that grows later": "NAMES = ['a']\ndef known():\n    return ', '.join(NAMES)\n@mcp.tool()\ndef go(x: Annotated[int, Field(description=known())]) -> str:\n    'Go.'\n    return ''\nNAMES.append('b')\n",
}
_OTHERS = {
    "a closure names only what is around it": f"def make(description):\n    @mcp.tool()\n    {_GO}make('inner')\n",
}
MOMENTS = {
    **{f"{name}, {form}": Case(DECORATED, (_late if form == "late" else _plain)(body, other="NAMES = ['a']\n")) for name, body in _CHANGING.items() for form in ("late", "plain")},
    **{f"{name}, late": Case(DECORATED, _late(body, other="D = 'first'\n")) for name, body in _OTHERS.items()},
    **{f"{name}, usual": Case(DECORATED, _late(body, wrap=_WRAP, other="from typing import Literal\nMode = Literal['d']\n"), settled=("go",)) for name, body in _USUAL.items()},
    **{f"{name}, late": Case(DECORATED, _late(body)) for name, body in _MOMENTS.items()},
}  # fmt: skip

TABLES = {
    "shadowed by classes": SHADOWED_BY_CLASSES,
    "in texts": IN_TEXTS,
    "in functions": IN_FUNCTIONS,
    "in classes": IN_CLASSES,
    "moments": MOMENTS,
}
