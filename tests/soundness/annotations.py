# ruff: noqa: E501 - most sources stand in one line
"""Annotations: where and when the SDKs look up the names in them, written plainly, as text, or all late."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, Case

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
TABLES = {"annotations": ANNOTATIONS}
