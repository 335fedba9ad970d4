# ruff: noqa: E501 - most sources stand in one line
"""Views of dicts, iterators that are gone through in part, ranges, and the members of enumerations."""

from __future__ import annotations

from tests.soundness.sources import Case, server

MCP1 = ("mcp1-fastmcp",)
TWO = ("mcp1-fastmcp", "fastmcp3")
_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"
_HEAD = "from HOME import SERVER\nmcp = SERVER('m')\n"
_TAKEN = "def a(x: int) -> str:\n    'A.'\n    return 'a'\ndef b(x: int) -> str:\n    'B.'\n    return 'b'\n"
SURE = ("alpha", "beta", "gamma")


def _said(before: str, text: str, *settled: str, families: tuple[str, ...] = MCP1) -> Case:
    """A tool whose description is made of an object of Python."""
    gamma = f"@mcp.tool(description={text})\ndef gamma(z: int) -> str:\n    return 'c'"
    return Case(families, server(before=before, after=gamma), settled=settled)


def _told(code: str, *settled: str, families: tuple[str, ...] = MCP1) -> Case:
    """Functions ``a`` and ``b`` and code that registers them somehow."""
    return Case(families, {"server.py": _HEAD + _TAKEN + code + _RUN}, settled=settled)


_REGISTRY = "REG = {}\ndef reg(fn):\n    REG[fn.__name__] = fn\n    return fn\n"
_PAIR = "E = {'a': 1, 'b': 2}"
VIEWS = {
    "a default of a tool": Case(MCP1, server(before=_PAIR, after="@mcp.tool()\ndef gamma(z: list = E.values()) -> str:\n    return 'c'")),
    "unpacked": _said("E = {'a': 1, 'b': 2}\nfirst, *others = E.items()\nx, y = E.values()", "f'{first} {others} {x} {y}'", *SURE),
    "the keys, which grow meanwhile": _told(f"{_REGISTRY}reg(a)\nfor name in REG.keys():\n    mcp.tool(name=name)(a)\n    REG['late'] = b\n"),
    "a dict that grows meanwhile": _told(f"{_REGISTRY}reg(a)\nfor name in REG:\n    mcp.tool(name=name)(a)\n    REG['late'] = b\n"),
    "a list that grows before": _told("L = [a, b]\nfor number, fn in enumerate(L[:]):\n    L[number] = a\nfor number, fn in enumerate(L):\n    mcp.tool(name=f't{number}')(fn)\n"),
    "a list whose first is replaced meanwhile": _told("L = [a, b]\nfor fn in L:\n    L[0] = b\n    mcp.tool()(fn)\n", "a"),
    "the attributes of an object": _said("class Box:\n    pass\nbox = Box()\nD = vars(box)\nD2 = box.__dict__.keys()\nbox.a = 1", "f'{[*D]} {[*D2]}'"),
}  # fmt: skip

_FLAT = "FLAT = ['add', 'Adds.', 'sub', 'Subtracts.']\n"
_GO = ":\n    mcp.tool(name=name, description=text)(a)\n"
ITERATORS = {
    "an iterator of an iterator": _told(f"{_FLAT}it = iter(FLAT)\nfor name, text in zip(it, iter(it)){_GO}"),
    "whether any is": _told("it = iter(['x', 'y', 'z'])\nif any(name == 'x' for name in it):\n    for name in it:\n        mcp.tool(name=name)(a)\n"),
    "the next in a list": _said("it = iter(['a', '1', 'b', '2'])\nP = [(k, next(it)) for k in it]", "f'{P}'", "alpha", "beta"),
    "in a function, the next, which may be missing": _said("def told():\n    it, text = iter(['a', '1', 'b']), ''\n    for p in it:\n        text += p + '=' + next(it, '?')\n    return text", "told()", *SURE),
    "in a function, the next, which is missing": _said("def told():\n    it, text = iter(['a', '1', 'b']), ''\n    try:\n        for p in it:\n            text += p + '=' + next(it)\n    except StopIteration:\n        return text + 'end'\n    return text", "told()"),
    "in a function, chained, the next one is replaced": _said("import itertools\ndef told():\n    L, seen = ['x', 'y', 'z'], ''\n    for p in itertools.chain('ab', L):\n        seen += p\n        L[0] = 'q'\n    return seen", "told()"),
    "in a function, a key is replaced": _said("def told():\n    D, seen = {'x': 1, 'y': 1}, ''\n    try:\n        for n, k in enumerate(D):\n            seen += k\n            D.pop('y', None)\n            D['z'] = 1\n    except RuntimeError:\n        return seen + '!'\n    return seen", "told()"),
    "in a function, until there is none": _said("def told():\n    it, text = iter([*'ab']), ''\n    while True:\n        try:\n            text += next(it)\n        except StopIteration:\n            return text + '.'", "told()"),
    "in a function, pairs of pairs": _said("def told():\n    it = iter([*'abcd'])\n    return f'{dict((k, next(it)) for k in it)} {sorted({k + next(it) for k in iter(\"\")})}'", "told()", "alpha", "beta"),
}  # fmt: skip

RANGES = {
    "compared with a list": _said("R = range(1, 3)", "'same' if R == [1, 2] else 'other'", *SURE),
    "its first and its last": Case(MCP1, server(before="from typing import Annotated, Literal\nfrom pydantic import Field\nR = range(1, 6)", after="@mcp.tool()\ndef gamma(z: Annotated[int, Field(ge=R[0], le=R[-1])] = R[0], y: Literal[tuple(R)] = R.stop - 1) -> str:\n    return 'c'"), settled=SURE),
    "what it holds": _said("R = range(1, 4)", "f'{list(R)} {tuple(R)} {len(R)} {[*R]} {2 in R} {9 in R} {min(R)} {sum(R)} {sorted(R, reverse=True)} {list(reversed(R))} {list(enumerate(R))}'", "alpha", "beta"),
    "unpacked": _said("one, *others = range(3)\nR = dict(zip('abc', range(3)))", "f'{one} {others} {R}'", "alpha", "beta"),
    "repeated": _said("def told():\n    try:\n        return f'{range(3) * 2}'\n    except TypeError:\n        return 'no tuple'", "told()", *SURE),
    "a place that it does not have": _said("def told():\n    try:\n        return f'{range(3)[5]}'\n    except IndexError:\n        return 'none'", "told()", *SURE),
    "a text in it": _said("R = range(3)", "'yes' if 'a' in R else 'no'"),
}  # fmt: skip


def _members(body: str, base: str) -> str:
    lines = body.replace("; ", "\n    ")
    return f"from enum import *\nclass P({base}):\n    {lines}\n"


def _enum(body: str, text: str, *settled: str, base: str = "Enum") -> Case:
    return _said(_members(body, base), text, *settled)


_ALL = "' '.join(f'{p.name}={p.value!r}' for p in P)"
_TYPED = "@mcp.tool()\ndef gamma(z: P) -> str:\n    return 'c'"


MEMBERS = {
    "flags": _enum("R = auto(); W = auto(); X = auto()", _ALL, base="Flag"),
    "flags of a number": _enum("R = auto(); W = auto()", "f'{P(3).value} {(P.R | P.W).value}'", base="IntFlag"),
    "a number of a base that has no member": _said("from enum import *\nclass Lenient(Enum):\n    @classmethod\n    def _missing_(cls, value):\n        return cls.A\nclass P(Lenient):\n    A = 1\n    B = 2\n", "P(9).name"),
    "whether a flag is set": _enum("NONE = 0; R = auto()", "f'{bool(P.NONE)} {bool(P.R)}'", base="Flag"),
    "whether a number is nought": _enum("NONE = 0; R = 1", "f'{bool(P.NONE)} {bool(P.R)}'", *SURE, base="IntEnum"),
    "what is not known before": _enum("import os; A = len(os.sep) + 6; C = auto()", _ALL),
    "texts of the names": _enum("Red = auto(); BLUE = auto()", _ALL, base="StrEnum"),
    "texts that are numbers": Case(TWO, server(before=_members("A = 5; B = 6", "str, Enum"), after=_TYPED)),
    "an own way to the next": _enum("def _generate_next_value_(name, start, count, last_values):\n        return name.lower(); A = auto(); B = auto()", _ALL),
    "an own way to make a member": _enum("def __new__(cls, value, label):\n        made = object.__new__(cls)\n        made._value_ = value\n        made.label = label\n        return made; A = 1, 'one'; B = 2, 'two'", _ALL),
    "a number in a tuple": _said("from enum import *\nclass P(IntEnum):\n    A = 1\n    B = 2", "f'{P.A in (1, 2)} {P.A == 1} {P.A is P(1)}'"),
}  # fmt: skip

NUMBERS = {
    "dicts of it": _said("nan = float('nan')", "'same' if {'a': nan} == {'a': nan} else 'other'"),
    "another one taken out of a list": _said("def told():\n    L = [1.0, float('nan')]\n    try:\n        L.remove(float('nan'))\n    except ValueError:\n        return 'none'\n    return f'{L}'", "told()"),
}  # fmt: skip

TABLES = {"view": VIEWS, "iterator": ITERATORS, "range": RANGES, "member": MEMBERS, "not a number": NUMBERS}
