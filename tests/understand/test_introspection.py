"""Programs that look at types, attributes and context variables while they make their tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import LOW, fields_in, servers_in

SAYS = (
    '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n'
    '    return [types.Tool(name="a", description=TEXT, inputSchema={"type": "object"})]\n'
)
SHOWN = LOW + (
    "from collections.abc import Sequence\n"
    "from typing import Annotated, Any, Literal, Optional, Union, get_args, get_origin\n"
    "from types import UnionType\n"
    "def show(kind):\n"
    "    origin, args = get_origin(kind), get_args(kind)\n"
    "    if origin is None:\n        return kind.__name__ if isinstance(kind, type) else str(kind)\n"
    "    if origin is Literal:\n        return ' or '.join(args)\n"
    "    if origin in (Union, UnionType):\n"
    "        return ' | '.join(show(a) for a in args if a is not type(None))\n"
    "    if origin in (list, Sequence):\n        return 'many ' + show(args[0])\n"
    "    return 'other'\n"
)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("Literal['a', 'b']", "a or b"),
        ("Optional[Literal['a']]", "a"),
        ("Literal['a'] | None", "a"),
        ("Union[Literal['a'], None]", "a"),
        ("list[Literal['a']]", "many a"),
        ("Sequence[Literal['a']]", "many a"),
        ("dict[str, int]", "other"),
    ],
)
def test_the_parts_of_a_type(tmp_path: Path, kind: str, text: str) -> None:
    source = SHOWN + f"TEXT = show({kind})" + SAYS
    assert fields_in(tmp_path, {"server.py": source}, "description") == {"a": text}


CONTEXT = "from contextvars import ContextVar\nC = ContextVar('c', default='A')\n"
SETTLED = {
    "the last element of a list is changed": ("L = [['A'], ['B']]\nL.pop().append('C')\nTEXT = str(L)", "[['A']]"),
    "a context variable is set at the level of the module": (CONTEXT + "C.set('B')\nTEXT = C.get()", "B"),
    "a context variable has a default": (
        "import contextvars\nC = contextvars.ContextVar('c', default='A')\nTEXT = C.get()",
        "A",
    ),
    "a context variable is not set": ("from contextvars import ContextVar\nTEXT = ContextVar('c').get('A')", "A"),
    "attributes that are not there": (
        (
            "class Record:\n    kept = 'A'\n    def __getattr__(self, name):\n        return name.upper()\n"
            "r = Record()\nTEXT = r.kept + r.other"
        ),
        "AOTHER",
    ),
    "attributes that are refused": (
        (
            "class Record:\n    def __getattr__(self, name):\n        raise AttributeError(name)\n"
            "TEXT = getattr(Record(), 'text', 'B')"
        ),
        "B",
    ),
    "the class of None": ("TEXT = 'A' if type(None) is not str else 'B'", "A"),
    "an attribute that a list lacks": ("L = []\nTEXT = 'A' if hasattr(L, 'item') else 'B'", "B"),
}
OPEN = {
    "one of several elements of a set": "TEXT = {'A', 'B'}.pop()",
    "a type with metadata": "from typing import Annotated, get_args\nTEXT = str(len(get_args(Annotated[int, 'x'])))",
    "a parameter of a type that is shown in several ways": "import inspect\ndef f(n: int | None = 5): ...\n"
    "TEXT = str(inspect.signature(f).parameters['n'])",
    "what functions make of elements": "from functools import reduce\nL = ['A']\n"
    "reduce(lambda one, other: L.append(other), 'BC', '')\nTEXT = str(L)",
    "elements are taken out of a set": "S = {'A', 'B'}\nS.symmetric_difference_update({'B', 'C'})\nTEXT = str(len(S))",
    "a union, which differs between versions": "import typing, types as t\n"
    "TEXT = 'A' if typing.Union is t.UnionType else 'B'",
    "a context variable is reset": CONTEXT + "t = C.set('B')\nC.reset(t)\nTEXT = C.get()",
    "a context variable is set on some path": (
        "import os\nfrom contextvars import ContextVar\nC = ContextVar('c', default='A')\n"
        "if os.environ.get('X'):\n    C.set('B')\nTEXT = C.get()"
    ),
}


@pytest.mark.parametrize(("source", "text"), SETTLED.values(), ids=SETTLED)
def test_what_a_program_finds_is_followed(tmp_path: Path, source: str, text: str) -> None:
    assert fields_in(tmp_path, {"server.py": LOW + source + SAYS}, "description") == {"a": text}


@pytest.mark.parametrize("source", OPEN.values(), ids=OPEN)
def test_what_a_program_may_find_is_not_claimed(tmp_path: Path, source: str) -> None:
    (server,) = servers_in(tmp_path, {"server.py": LOW + source + SAYS})
    assert [list(tool.unknown) for tool in server.tools] == [["description"]]


def test_a_server_that_a_context_variable_holds(tmp_path: Path) -> None:
    source = (
        "from contextvars import ContextVar\nfrom mcp.server.fastmcp import FastMCP\nAPP = ContextVar('app')\n"
        "def start():\n    mcp = FastMCP('x')\n    APP.set(mcp)\n    register()\n    mcp.run()\n"
        "def register():\n    @APP.get().tool()\n    def a():\n        'Does.'\nstart()\n"
    )
    assert fields_in(tmp_path, {"server.py": source}, "description") == {"a": "Does."}
