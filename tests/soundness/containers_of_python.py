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
_LATER = "@reg\ndef c(x: int) -> str:\n    'C.'\n    return 'c'\n"
_EACH = "for fn in TOOLS:\n    mcp.tool()(fn)\n"
_LOW = """
import asyncio
import mcp.types as types
from mcp.server import Server
from mcp.server.stdio import stdio_server
server = Server("x")
TOOLS = {}
LISTED = TOOLS.values()
@server.list_tools()
async def tools():
    return LISTED
TOOLS["alpha"] = types.Tool(name="alpha", description="A", inputSchema={"type": "object"})
async def main():
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
if __name__ == "__main__":
    asyncio.run(main())
"""
_PAIR = "E = {'a': 1, 'b': 2}"
VIEWS = {
    "of a class attribute": _said("class Registry:\n    kinds = {}\n    names = kinds.keys()\nRegistry.kinds['a'] = 1", "' '.join(Registry.names)", *SURE),
    "of a dict in a dict": _said("E = {'x': {}}\nK = E['x'].items()\nE['x']['a'] = 1", "f'{[*K]}'", *SURE),
    "of a default dict": _said("from collections import defaultdict\nE = defaultdict(list)\nK = E.values()\nE['a'].append(1)", "f'{[*K]} {len(K)}'", *SURE),
    "in a generator": _said("E = {'a': 1}\nG = (k for k in E.keys())\nE['b'] = 2\ndel E['a']", "'none' + ' '.join(list(E.keys()))", "alpha", "beta"),
    "in a match": _said("E = {'a': 1}\ndef told():\n    match E.keys():\n        case ['a']:\n            return 'list'\n        case _:\n            return 'other'", "told()"),
    "in a fallback": _said("E = {}\nK = E.values()\nL = K or ['none']\nE['a'] = 'late'", "' '.join(L)", *SURE),
    "unpacked": _said("E = {'a': 1, 'b': 2}\nfirst, *others = E.items()\nx, y = E.values()", "f'{first} {others} {x} {y}'", *SURE),
    "the last": _said("E = {'a': 1, 'b': 2}", "f'{list(E.values())[-1]} {next(reversed(E.keys()))} {[*reversed(E.values())]}'", *SURE),
    "the values, functions are added later": _told(f"{_REGISTRY}TOOLS = REG.values()\nreg(a)\n{_LATER}{_EACH}", families=TWO),
    "the items, each is replaced meanwhile": _told(f"{_REGISTRY}reg(a)\nreg(b)\nfor name, fn in REG.items():\n    REG[name] = fn\nfor name, fn in REG.items():\n    mcp.tool(name=name)(fn)\n", "a", "b"),
    "the items, a later one is replaced": _told(f"{_REGISTRY}reg(a)\nreg(b)\nfor name, fn in REG.items():\n    REG['b'] = a\n    mcp.tool(name=name)(fn)\n"),
    "the keys, which grow meanwhile": _told(f"{_REGISTRY}reg(a)\nfor name in REG.keys():\n    mcp.tool(name=name)(a)\n    REG['late'] = b\n"),
    "a dict that grows meanwhile": _told(f"{_REGISTRY}reg(a)\nfor name in REG:\n    mcp.tool(name=name)(a)\n    REG['late'] = b\n"),
    "a dict whose keys are renamed meanwhile": _told(f"{_REGISTRY}reg(a)\nreg(b)\nfor number, name in enumerate(list(REG)):\n    REG[f't{{number}}'] = REG.pop(name)\nfor name, fn in REG.items():\n    mcp.tool(name=name)(fn)\n", "t0", "t1"),
    "a dict, and one is put behind the others": _told(f"{_REGISTRY}reg(a)\nreg(b)\nseen = []\nfor name in REG:\n    REG[name] = REG.pop(name)\n    seen.append(name)\n    if len(seen) > 2:\n        break\nfor name in seen[1:]:\n    mcp.tool(name=name)(a)\n"),
    "a list that grows before": _told("L = [a, b]\nfor number, fn in enumerate(L[:]):\n    L[number] = a\nfor number, fn in enumerate(L):\n    mcp.tool(name=f't{number}')(fn)\n", "t0", "t1"),
    "a list whose first is replaced meanwhile": _told("L = [a, b]\nfor fn in L:\n    L[0] = b\n    mcp.tool()(fn)\n", "a", "b"),
    "kept by an object": _told("class Box:\n    def __init__(self):\n        self._d = {}\n        self.names = self._d.keys()\n    def add(self, fn):\n        self._d[fn.__name__] = fn\nbox = Box()\nbox.add(a)\nbox.add(b)\nfor name in box.names:\n    mcp.tool(name=name)(a)\n"),
    "in another file": Case(TWO, {"registry.py": "TOOLS = {}\nnames = TOOLS.keys()\n", "more.py": "from registry import TOOLS\nTOOLS['x'] = 1\nTOOLS['y'] = 2\n", "server.py": f"{_HEAD}import more\nfrom registry import names\n@mcp.tool(description='Available: ' + ', '.join(names))\ndef gamma(z: int) -> str:\n    return 'c'\n{_RUN}"}),
    "the number of them": _said(f"{_PAIR}\nK = E.keys()\nE['c'] = 3", "f'{len(K)}'", *SURE),
    "whether there are any": _said("E = {}\nK = E.values()\nE['c'] = 3", "'some' if K else 'none'", *SURE),
    "whether one is there": _said(f"{_PAIR}\nK = E.values()\nE['c'] = 3", "'yes' if 3 in K else 'no'", *SURE),
    "one is taken away and added": _said(f"{_PAIR}\nK = E.keys()\nE['a'] = E.pop('a')", "' '.join(K)", *SURE),
    "as a default": _said(f"{_PAIR}\ndef told(d=E.keys()):\n    return ' '.join(d)\nE['c'] = 3", "told()", *SURE),
    "under a condition": _said(f"import os\n{_PAIR}\nK = E.keys()\nif os.environ.get('MORE'):\n    E['c'] = 3", "' '.join(K)", "alpha", "beta"),
    "a text of the values": _said(_PAIR, "f'{E.values()}'"),
    "a text of a list of views": _said(_PAIR, "repr([E.values()])"),
    "whether it is a list": _said(_PAIR, "'list' if isinstance(E.items(), list) else 'no list'"),
    "its class": _said(_PAIR, "type(E.keys()).__name__"),
    "compared with a list": _said(_PAIR, "'same' if E.items() == [('a', 1), ('b', 2)] else 'other'"),
    "compared with itself": _said(_PAIR, "'same' if E.values() == E.values() else 'other'"),
    "compared with a set": _said(_PAIR, "'same' if E.keys() == {'a', 'b'} else 'other'"),
    "written as JSON": _said(f"import json\n{_PAIR}\ndef told():\n    try:\n        return json.dumps(E.values())\n    except TypeError:\n        return 'no JSON'", "told()"),
    "what one is added to": _said(f"{_PAIR}\ndef told():\n    try:\n        return f'{{E.values() + [3]}}'\n    except TypeError:\n        return 'no list'", "told()"),
    "the first by its place": _said(f"{_PAIR}\ndef told():\n    try:\n        return E.values()[0]\n    except TypeError:\n        return 'no list'", "f'{told()}'"),
    "a method of lists": _said(f"{_PAIR}\ndef told():\n    try:\n        E.values().append(3)\n        return 'list'\n    except AttributeError:\n        return 'no list'", "told()"),
    "a set that takes the keys in": _said(f"{_PAIR}\nS = {{'x'}}\nT = S\nT |= E.keys()", "' '.join(sorted(S))"),
    "sets of keys": _said(f"{_PAIR}\nF = {{'b': 1}}", "' '.join(sorted(E.keys() & F.keys())) + ' '.join(sorted(E.keys() - F.keys())) + ' '.join(sorted(E.keys() | {'z'}))", *SURE),
    "a set and keys": _said(_PAIR, "' '.join(sorted({'a', 'q'} - E.keys()))", *SURE),
    "sorted, by a key": _said(_PAIR, "' '.join(sorted(E.keys(), key=len)) + ' '.join(k for k, _ in sorted(E.items(), key=lambda e: -e[1]))", *SURE),
    "other containers of it": _said(_PAIR, "f'{list(E.values())} {tuple(E)} {dict(E.items())} {[*E.keys()]} {max(E.values())} {sum(E.values())} {next(iter(E.values()))} {any(E.values())}'", *SURE),
    "a type of it": Case(MCP1, server(before=f"from typing import Literal\n{_PAIR}\nKind = Literal[tuple(E.keys())]", after="@mcp.tool()\ndef gamma(z: Kind) -> str:\n    return 'c'"), settled=SURE),
    "joined of two": _said(f"import os\n{_PAIR}\nK = E.keys() if os.environ.get('MORE') else E.values()\nE['c'] = 3", "f'{[*K]}'", "alpha", "beta"),
    "handed over": _said(f"import os, heapq\n{_PAIR}\nK = E.keys()\nheapq.merge(K, [1])\nos.abort if not K else None", "' '.join(K)", "alpha", "beta"),
    "of an object that is a dict": _said("class Own(dict):\n    pass\nE = Own()\nK = E.items()\nE['a'] = 1", "f'{[*K]}'", *SURE),
    "in a list that is copied": _said(f"{_PAIR}\nH = [E.keys()]\nE['c'] = 3", "' '.join(k for view in list(H) for k in view)", *SURE),
    "of a dict that is replaced": _said(f"{_PAIR}\nK = E.keys()\nE = {{'z': 1}}", "' '.join(K)", *SURE),
    "of a dict that is emptied": _said(f"{_PAIR}\nK = E.keys()\nE.clear()", "f'{len(K)} {\" \".join(K)}'", *SURE),
    "added to a list": _said(f"{_PAIR}\nL = ['x']\nL += E.keys()\nL.extend(E.keys())\nE['c'] = 3", "' '.join(L)", *SURE),
    "the attributes of an object": _said("class Box:\n    pass\nbox = Box()\nD = vars(box)\nD2 = box.__dict__.keys()\nbox.a = 1", "f'{[*D]} {[*D2]}'"),
    "a view that cannot be written to": _said(f"from types import MappingProxyType\n{_PAIR}\nD = MappingProxyType(E)\nE['c'] = 3", "f'{[*D]} {len(D)}'"),
    "the tools of a low-level server": Case(("mcp1-lowlevel",), {"server.py": _LOW}),
    "a default of a tool": Case(MCP1, server(before=_PAIR, after="@mcp.tool()\ndef gamma(z: list = E.values()) -> str:\n    return 'c'")),
}  # fmt: skip

_FLAT = "FLAT = ['add', 'Adds.', 'sub', 'Subtracts.']\n"
_GO = ":\n    mcp.tool(name=name, description=text)(a)\n"
ITERATORS = {
    "numbered values, a later one is replaced": _told(f"{_REGISTRY}reg(a)\nreg(b)\nfor number, fn in enumerate(REG.values()):\n    REG['b'] = a\n    mcp.tool(name=f't{{number}}')(fn)\n"),
    "two by two": _told(f"{_FLAT}it = iter(FLAT)\nfor name, text in zip(it, it){_GO}", "add", "sub", families=TWO),
    "two by two, of three": _told(f"it = iter([*'abcde'])\nfor name, text in zip(it, it){_GO}", "a", "c"),
    "beside another": _told(f"it = iter([*'abc'])\nfor name, text in zip(it, ['A', 'B']){_GO}for name in it:\n    mcp.tool(name=name)(b)\n", "a", "b"),
    "an iterator of an iterator": _told(f"{_FLAT}it = iter(FLAT)\nfor name, text in zip(it, iter(it)){_GO}"),
    "a loop that is left": _told("it = iter(['x', '--', 'y'])\nfor name in it:\n    if name == '--':\n        break\nfor name in it:\n    mcp.tool(name=name)(a)\n"),
    "a loop that is left by an error": _told("it = iter(['x', 'y', 'z'])\ntry:\n    for name in it:\n        {'x': 1}[name]\nexcept KeyError:\n    pass\nfor name in it:\n    mcp.tool(name=name)(a)\n"),
    "whether one is there": _told("it = iter(['x', 'y', 'z'])\nif 'x' in it:\n    for name in it:\n        mcp.tool(name=name)(a)\n"),
    "whether any is": _told("it = iter(['x', 'y', 'z'])\nif any(name == 'x' for name in it):\n    for name in it:\n        mcp.tool(name=name)(a)\n"),
    "the first that is": _told("it = iter(['x', 'y', 'z'])\nnext(name for name in it if name == 'x')\nfor name in it:\n    mcp.tool(name=name)(a)\n"),
    "numbered, and left": _told("it = iter(['x', 'y', 'z'])\nfor number, name in enumerate(it):\n    break\nfor name in it:\n    mcp.tool(name=name)(a)\n"),
    "mapped, and left": _told("it = iter(['x', 'y', 'z'])\nfor name in map(str, it):\n    break\nfor name in it:\n    mcp.tool(name=name)(a)\n"),
    "the next beside every key": _said("def told():\n    it = iter(['a', '1', 'b', '2'])\n    return {k: next(it) for k in it}", "f'{told()}'", "alpha", "beta"),
    "the next in a list": _said("it = iter(['a', '1', 'b', '2'])\nP = [(k, next(it)) for k in it]", "f'{P}'", "alpha", "beta"),
    "what is left in a loop": _told("it = iter(['x', 'y', 'z'])\nfor name in it:\n    rest = list(it)\nfor name in rest:\n    mcp.tool(name=name)(a)\n"),
    "a loop within a loop": _told("it = iter(['x', 'y', 'z', 'w'])\nfor name in it:\n    for other in it:\n        mcp.tool(name=name + other)(a)\n        break\n"),
    "the numbers of a loop": _told("for number, name in enumerate(['x', 'y']):\n    if number == 1:\n        break\n    mcp.tool(name=name)(a)\n", "x"),
    "pairs, gone through once": _told("pairs = zip(['x', 'y'], ['X.', 'Y.'])\nfor name, text in pairs:\n    mcp.tool(name=name, description=text)(a)\nfor name, text in pairs:\n    mcp.tool(name=name + '2', description=text)(a)\n", "x", "y"),
    "the first, and then the others": _told("it = iter([('h', ''), ('x', 'X.'), ('y', 'Y.')])\nnext(it)\nfor name, text in it:\n    mcp.tool(name=name, description=text)(a)\n", "x", "y"),
    "gone through before, by a list": _said("it = iter(['x', 'y'])\nfirst = list(it)", "'none' + ', '.join(it)"),
    "in a function, a loop that is left": _said("def told():\n    it = iter(['x', '--', 'y'])\n    for p in it:\n        if p == '--':\n            break\n    return ' '.join(it)", "told()"),
    "in a function, the next beside every one": _said("def told():\n    it, text = iter(['a', '1', 'b', '2']), ''\n    for p in it:\n        text += p + '=' + next(it)\n    return text", "told()", *SURE),
    "in a function, the next, which may be missing": _said("def told():\n    it, text = iter(['a', '1', 'b']), ''\n    for p in it:\n        text += p + '=' + next(it, '?')\n    return text", "told()", *SURE),
    "in a function, the next, which is missing": _said("def told():\n    it, text = iter(['a', '1', 'b']), ''\n    try:\n        for p in it:\n            text += p + '=' + next(it)\n    except StopIteration:\n        return text + 'end'\n    return text", "told()"),
    "in a function, two by two": _said("def told():\n    it = iter(['a', '1', 'b', '2', 'c'])\n    return ' '.join(p + q for p, q in zip(it, it)) + '|' + ' '.join(it)", "told()"),
    "in a function, beside a shorter one": _said("def told():\n    it = iter(['a', 'b', 'c', 'd'])\n    pairs = list(zip(it, 'xy'))\n    return f'{pairs}' + ' '.join(it)", "told()"),
    "in a function, whether one is there": _said("def told():\n    it = iter(['x', 'y', 'z'])\n    return f'{\"y\" in it}' + ' '.join(it)", "told()"),
    "in a function, whether any is": _said("def told():\n    it = iter(['', 'y', 'z'])\n    return f'{any(it)}' + ' '.join(it)", "told()"),
    "in a function, an iterator of it": _said("def told():\n    it = iter(['x', 'y', 'z'])\n    next(iter(it))\n    return ' '.join(it)", "told()", *SURE),
    "in a function, numbered": _said("def told():\n    it = iter(['x', 'y', 'z'])\n    for n, p in enumerate(it):\n        break\n    return ' '.join(it)", "told()"),
    "in a function, chained": _said("import itertools\ndef told():\n    it = iter(['x', 'y', 'z'])\n    both = itertools.chain(it, 'q')\n    return next(both) + ' '.join(it)", "told()"),
    "in a function, mapped": _said("def told():\n    it = iter(['x', 'y', 'z'])\n    up = map(str.upper, it)\n    return next(up) + ' '.join(it)", "told()"),
    "in a function, filtered": _said("def told():\n    it = iter(['x', 'y', 'z'])\n    up = filter(None, it)\n    return next(up) + ' '.join(it)", "told()"),
    "in a function, unpacked": _said("def told():\n    it = iter(['x', 'y', 'z'])\n    one, *others = it\n    return one + '|'.join(others) + ' '.join(it)", "told()", *SURE),
    "in a function, a slice": _said("import itertools\ndef told():\n    it = iter(['x', 'y', 'z'])\n    return ' '.join(itertools.islice(it, 1)) + '|'.join(it)", "told()"),
    "in a function, of a list that grows": _said("def told():\n    L = ['x']\n    it = iter(L)\n    L.append('y')\n    return ' '.join(it)", "told()"),
    "in a function, a loop over pairs of a list that shrinks": _said("def told():\n    L, seen = ['x', 'y'], ''\n    for p, q in zip(L, 'ab'):\n        seen += p + q\n        if len(L) > 1:\n            L.pop()\n    return seen", "told()"),
    "in a function, each is replaced by another": _said("def told():\n    L = ['x', 'y']\n    for n, p in enumerate(L):\n        L[n] = p.upper()\n    return ' '.join(L)", "told()", *SURE),
    "in a function, the next one is replaced": _said("def told():\n    L, seen = ['x', 'y', 'z'], ''\n    for n, p in enumerate(L):\n        seen += p\n        if n < 2:\n            L[n + 1] = 'q'\n    return seen", "told()"),
    "in a function, chained, the next one is replaced": _said("import itertools\ndef told():\n    L, seen = ['x', 'y', 'z'], ''\n    for p in itertools.chain('ab', L):\n        seen += p\n        L[0] = 'q'\n    return seen", "told()"),
    "in a function, a key is replaced": _said("def told():\n    D, seen = {'x': 1, 'y': 1}, ''\n    try:\n        for n, k in enumerate(D):\n            seen += k\n            D.pop('y', None)\n            D['z'] = 1\n    except RuntimeError:\n        return seen + '!'\n    return seen", "told()"),
    "in a function, the list is named anew": _said("def told():\n    L, seen = ['x', 'y'], ''\n    for n, p in enumerate(L):\n        L = []\n        seen += p\n    return seen", "told()", *SURE),
    "in a function, a generator": _said("def told():\n    seen = []\n    def each():\n        yield 'x'\n        yield 'y'\n    for p in each():\n        seen.append(p)\n    return ' '.join(seen)", "told()", *SURE),
    "in a function, a generator that is left": _said("def told():\n    def each():\n        yield 'x'\n        yield 'y'\n        yield 'z'\n    g = each()\n    for p in g:\n        break\n    return ' '.join(g)", "told()"),
    "in a function, a dict of pairs": _said("def told():\n    it = iter(['a', '1', 'b', '2'])\n    return f'{dict(zip(it, it))}'", "told()", *SURE),
    "in a function, a generator two by two": _said("def told():\n    it = (p.upper() for p in ['a', 'b', 'c', 'd'])\n    return f'{list(zip(it, it))}'", "told()"),
    "in a function, zipped by another": _said("def pairs(it):\n    return zip(it, it)\ndef told():\n    return f'{list(pairs(iter([*\"abcd\"])))}'", "told()", *SURE),
    "in a function, as many as one wants": _said("def take(it, n):\n    return [next(it) for _ in range(n)]\ndef told():\n    it = iter([*'abcd'])\n    return f'{take(it, 2)} {take(it, 1)} {[*it]}'", "told()", "alpha", "beta"),
    "in a function, until there is none": _said("def told():\n    it, text = iter([*'ab']), ''\n    while True:\n        try:\n            text += next(it)\n        except StopIteration:\n            return text + '.'", "told()", *SURE),
    "in a function, a dict is filled": _said("def told():\n    it, D = iter([*'a1b2']), {}\n    for k in it:\n        D[k] = next(it)\n    return f'{D}'", "told()"),
    "in a function, a marked one may take the next": _said("import os\ndef told():\n    it, text = iter(['a', 'b', 'c']), ''\n    for p in it:\n        text += p\n        if os.environ.get('MORE'):\n            next(it, None)\n    return text", "told()", "alpha", "beta"),
    "in a function, kept by an object": _said("class Reader:\n    def __init__(self, parts):\n        self.it = iter(parts)\n    def head(self):\n        for p in self.it:\n            return p\n    def tail(self):\n        return ' '.join(self.it)\ndef told():\n    reader = Reader(['a', 'b', 'c'])\n    return reader.head() + '|' + reader.tail()", "told()"),
    "in a function, the items of a dict": _said("def told():\n    it = iter({'a': 1, 'b': 2}.items())\n    first, _ = next(it)\n    return first + '|' + ' '.join(k for k, _ in it)", "told()", *SURE),
    "in a function, pairs of pairs": _said("def told():\n    it = iter([*'abcd'])\n    return f'{dict((k, next(it)) for k in it)} {sorted({k + next(it) for k in iter(\"\")})}'", "told()", "alpha", "beta"),
    "in a function, handed over": _said("import heapq\ndef told():\n    it = iter([*'abcd'])\n    heapq.nsmallest(2, it)\n    return '|'.join(it) + '!'", "told()"),
    "written together": _said("it = iter(['x', 'y'])", "', '.join(p.upper() for p in it)", "alpha", "beta"),
    "beside what is not known": _told("import os\nrows = [['x', 'y']] * int(os.environ.get('N', '1'))\nfor row in zip(*rows):\n    mcp.tool(name=row[0])(a)\n"),
}  # fmt: skip

RANGES = {
    "its first and its last": Case(MCP1, server(before="from typing import Annotated, Literal\nfrom pydantic import Field\nR = range(1, 6)", after="@mcp.tool()\ndef gamma(z: Annotated[int, Field(ge=R[0], le=R[-1])] = R[0], y: Literal[tuple(R)] = R.stop - 1) -> str:\n    return 'c'"), settled=SURE),
    "beside itself": _said("R = range(3)", "f'{list(zip(R, R))} {dict.fromkeys(R, 1)} {[a * b for a in R for b in R]} {max(R, default=0)}'", *SURE),
    "given to a function": _said("R = range(3)\ndef told(levels=R, *more):\n    return f'{levels} {more}'", "told() + told(*R) + told(R, R)", *SURE),
    "sorted beside others": _said("R = range(3)", "f'{sorted([*R, -1])} {list(filter(None, R))} {any(R)} {all(R)} {list(map(str, R))}'", *SURE),
    "as a choice": _said("R = range(3)", "'one' if R else 'none' if R is None else 'other'", *SURE),
    "in a text": _said("LEVELS = range(1, 4)", "f'Level must be in {LEVELS}.'", *SURE, families=TWO),
    "with a step": _said("LEVELS = range(0, 10, 2)", "str(LEVELS) + repr(range(3))", *SURE),
    "by a sign": _said("R = range(2)", "'%s' % R", *SURE),
    "by format": _said("R = range(2)", "'{}'.format(R)", *SURE),
    "whether it is a tuple": _said("R = range(2)", "'tuple' if isinstance(R, tuple) else 'list' if isinstance(R, (list, tuple)) else 'none'", *SURE),
    "whether it is a range": _said("R = range(2)", "'range' if isinstance(R, range) else 'none'", *SURE),
    "its class": _said("R = range(2)", "type(R).__name__"),
    "compared with a tuple": _said("R = range(1, 3)", "'same' if R == (1, 2) else 'other'", *SURE),
    "compared with a list": _said("R = range(1, 3)", "'same' if R == [1, 2] else 'other'", *SURE),
    "compared with a range": _said("R = range(1, 3)", "'same' if R == range(1, 3) else 'other'", *SURE),
    "as a key": _said("R = range(1, 4)", "{R: 'found'}.get((1, 2, 3), 'missing') + {R: 'found'}.get(range(1, 4), 'missing')", *SURE),
    "a part of it": _said("R = range(1, 5)", "f'{R[1:]} {R[:0]} {R[2]} {R[::-1]}'", *SURE),
    "added to a tuple": _said("def told():\n    try:\n        return f'{range(3) + (4,)}'\n    except TypeError:\n        return 'no tuple'", "told()"),
    "its ends": _said("R = range(1, 5)", "f'from {R.start} to {R.stop}'"),
    "a place in it": _said("R = range(1, 5)", "f'{R.index(3)} {R.count(9)}'"),
    "written as JSON": _said("import json\ndef told():\n    try:\n        return json.dumps(range(3))\n    except TypeError:\n        return 'no JSON'", "told()"),
    "what it holds": _said("R = range(1, 4)", "f'{list(R)} {tuple(R)} {len(R)} {[*R]} {2 in R} {9 in R} {min(R)} {sum(R)} {sorted(R, reverse=True)} {list(reversed(R))} {list(enumerate(R))}'", *SURE),
    "nothing": _said("R = range(0)", "'some' if R else 'none'", *SURE),
    "unpacked": _said("one, *others = range(3)\nR = dict(zip('abc', range(3)))", "f'{one} {others} {R}'", *SURE),
    "of what is not known": _said("import os\nR = range(int(os.environ.get('N', '3')))", "f'{R}'", "alpha", "beta"),
    "joined of two": _said("import os\nR = range(3) if os.environ.get('MORE') else (0, 1, 2)", "f'{R}'", "alpha", "beta"),
    "repeated": _said("def told():\n    try:\n        return f'{range(3) * 2}'\n    except TypeError:\n        return 'no tuple'", "told()", *SURE),
    "less than a tuple": _said("def told():\n    try:\n        return f'{range(3) < (1, 2)}'\n    except TypeError:\n        return 'no tuple'", "told()"),
    "a place that it does not have": _said("def told():\n    try:\n        return f'{range(3)[5]}'\n    except IndexError:\n        return 'none'", "told()", *SURE),
    "something set in it": _said("def told():\n    R = range(3)\n    try:\n        R[0] = 5\n    except TypeError:\n        return 'none'\n    return f'{R[0]}'", "told()"),
    "in a set": _said("S = {range(3), range(3), (0, 1, 2)}", "f'{len(S)}'", *SURE),
    "as a member": _said("from enum import Enum\nclass P(Enum):\n    A = range(3)", "f'{P.A.value} {len(P.A.value)}'", *SURE),
    "a field of a class": _said("from dataclasses import dataclass\n@dataclass\nclass Box:\n    levels: range = range(3)", "f'{Box().levels}'", *SURE),
    "a very long one": _said("R = range(10 ** 12)", "f'{R} {7 in R}'", "alpha", "beta"),
    "a text in it": _said("R = range(3)", "'yes' if 'a' in R else 'no'"),
    "a loop over it": _told("for n in range(1, 3):\n    mcp.tool(name=f'level_{n}')(a)\n", "level_1", "level_2", families=TWO),
    "a type of it": Case(MCP1, server(before="from typing import Literal\nKind = Literal[tuple(range(3))]", after="@mcp.tool()\ndef gamma(z: Kind) -> str:\n    return 'c'"), settled=SURE),
    "a default of a tool": Case(TWO, server(after="@mcp.tool()\ndef gamma(z: list = range(3)) -> str:\n    return 'c'")),
}  # fmt: skip


def _enum(
    body: str, text: str = "' '.join(f'{p.name}={p.value!r}' for p in P)", *settled: str, base: str = "Enum"
) -> Case:
    lines = body.replace("; ", "\n    ")
    return _said(f"from enum import *\nclass P({base}):\n    {lines}\n", text, *settled)


_ALL = "' '.join(f'{p.name}={p.value!r}' for p in P)"


def _typed(body: str, *settled: str, base: str = "str, Enum") -> Case:
    lines = body.replace("; ", "\n    ")
    return Case(
        TWO,
        server(
            before=f"from enum import *\nclass P({base}):\n    {lines}\n",
            after="@mcp.tool()\ndef gamma(z: P) -> str:\n    return 'c'",
        ),
        settled=settled,
    )


MEMBERS = {
    "flags": _enum("R = auto(); W = auto(); X = auto()", _ALL, *SURE, base="Flag"),
    "flags after a number": _enum("R = 5; W = auto(); X = auto()", "f'{P.R.value} {P.W.value} {P.X.value}'", *SURE, base="IntFlag"),
    "flags that are gone through": _enum("NONE = 0; R = auto(); W = auto(); ALL = 3", _ALL, base="IntFlag"),
    "how many flags there are": _enum("NONE = 0; R = auto(); W = auto(); ALL = 3", "f'{len(P)} {len([*P])}'", base="IntFlag"),
    "flags of a number": _enum("R = auto(); W = auto()", "f'{P(3).value} {(P.R | P.W).value}'", base="IntFlag"),
    "a number of a base that has no member": _said("from enum import *\nclass Lenient(Enum):\n    @classmethod\n    def _missing_(cls, value):\n        return cls.A\nclass P(Lenient):\n    A = 1\n    B = 2\n", "P(9).name"),
    "whether a flag is set": _enum("NONE = 0; R = auto()", "f'{bool(P.NONE)} {bool(P.R)}'", *SURE, base="Flag"),
    "whether a number is nought": _enum("NONE = 0; R = 1", "f'{bool(P.NONE)} {bool(P.R)}'", *SURE, base="IntEnum"),
    "flags put together": _enum("R = auto(); W = auto(); RW = R | W; X = auto()", "f'{P.R.value} {P.RW.value} {P.X.value}'", base="Flag"),
    "a smaller number before": _enum("A = auto(); B = 10; C = auto(); D = 3; E = auto()", _ALL),
    "a text before": _enum("A = 'a'; C = auto()", _ALL),
    "a number before a text": _enum("A = 4; B = 'b'; C = auto()", _ALL),
    "what is not known before": _enum("import os; A = len(os.sep) + 6; C = auto()", _ALL),
    "another name for it": _enum("A = 1; B = 1; C = auto()", _ALL, *SURE),
    "a fraction before": _enum("A = 1.5; C = auto()", _ALL),
    "a truth before": _enum("A = True; C = auto()", _ALL),
    "numbers": _enum("A = auto(); B = auto()", _ALL, *SURE, base="IntEnum"),
    "texts of the names": _enum("Red = auto(); BLUE = auto()", _ALL, *SURE, base="StrEnum"),
    "numbers of texts": _typed("A = '5'; B = '6'", base="int, Enum"),
    "texts that are numbers": _typed("A = 5; B = 6"),
    "values that are texts of numbers": _enum("A = auto(); B = 5", _ALL, *SURE, base="str, Enum"),
    "values that are numbers of truths": _enum("A = True; B = auto()", _ALL, base="IntEnum"),
    "values in tuples": _enum("A = 'a',; B = 'b',", _ALL, base="str, Enum"),
    "negative flags": _enum("A = 4; B = auto(); C = -3; D = auto()", _ALL, base="IntFlag"),
    "what a base does with a member": _said("from enum import *\nclass Told(Enum):\n    def __init__(self, number, label):\n        self.label = label\nclass P(Told):\n    A = 1, 'one'\n    B = 2, 'two'\n", "' '.join(p.label for p in P)", *SURE),
    "fractions of numbers": _typed("A = 5; B = 6", base="float, Enum"),
    "an own way to the next": _enum("def _generate_next_value_(name, start, count, last_values):\n        return name.lower(); A = auto(); B = auto()", _ALL),
    "an own way to the next, static": _enum("@staticmethod\n    def _generate_next_value_(name, start, count, last_values):\n        return f'{name}-{count}-{last_values}'; A = auto(); B = auto()", _ALL),
    "an own way to the next, of a base": _said("from enum import *\nclass Named(str, Enum):\n    def _generate_next_value_(name, start, count, last_values):\n        return name.lower()\nclass P(Named):\n    A = auto()\n    B = auto()\n", _ALL),
    "an own way to make a member": _enum("def __new__(cls, value, label):\n        made = object.__new__(cls)\n        made._value_ = value\n        made.label = label\n        return made; A = 1, 'one'; B = 2, 'two'", _ALL),
    "names that end like private ones": _typed("in_ = 'in'; from_ = 'from'; eq = 'eq'", *SURE),
    "texts": _typed("A = 'a'; B = 'b'", *SURE),
    "whole numbers": _typed("A = 1; B = 2", *SURE, base="int, Enum"),
    "a number as a key": _said("from enum import *\nclass P(IntEnum):\n    A = 1\n    B = 2", "{1: 'found'}.get(P.A, 'missing') + {P.A: 'found'}.get(1, 'missing')"),
    "a number in a tuple": _said("from enum import *\nclass P(IntEnum):\n    A = 1\n    B = 2", "f'{P.A in (1, 2)} {P.A == 1} {P.A is P(1)}'"),
    "a number that is counted with": _said("from enum import *\nclass P(IntEnum):\n    A = 1\n    B = 2", "f'{P.A + 1} {[7, 8, 9][P.A]} {list(range(P.B))} {P.A < P.B} {max(P)} {sum(P)}'"),
    "a number in a text": _said("from enum import *\nclass P(IntEnum):\n    A = 1\n    B = 2", "f'{P.A} {P.A!r} {P.A:02d} ' + str(P.B) + '%d' % P.A"),
    "numbers of an own class of int": _said("from enum import *\nclass P(int, Enum):\n    A = 1", "{1: 'found'}.get(P.A, 'missing')"),
    "plain members as keys": _said("from enum import *\nclass P(Enum):\n    A = 1", "{1: 'found'}.get(P.A, 'missing') + {P.A: 'found'}[P.A]", *SURE),
    "auto with words": _enum("A = (auto(), 'one'); B = (auto(), 'two')", _ALL),
}  # fmt: skip

NUMBERS = {
    "in a list": _said("nan = float('nan')", "'in' if nan in [nan] else 'out'"),
    "another one in a list": _said("", "'in' if float('nan') in [float('nan')] else 'out'"),
    "lists of it": _said("nan = float('nan')", "'same' if [nan] == [nan] else 'other'"),
    "dicts of it": _said("nan = float('nan')", "'same' if {'a': nan} == {'a': nan} else 'other'"),
    "itself": _said("nan = float('nan')", "'same' if nan == nan else 'other'", "alpha", "beta"),
    "taken out of a list": _said("nan = float('nan')\nL = [1.0, nan]\nL.remove(nan)", "f'{L}'", *SURE),
    "another one taken out of a list": _said("def told():\n    L = [1.0, float('nan')]\n    try:\n        L.remove(float('nan'))\n    except ValueError:\n        return 'none'\n    return f'{L}'", "told()", *SURE),
    "in a dict": _said("nan = float('nan')\nD = {nan: 1}", "'in' if nan in D else 'out'"),
    "in a set": _said("nan = float('nan')\nD = {nan}", "('in' if nan in D else 'out') + ('in' if float('nan') in D else 'out')"),
    "a number in a list": _said("nan = float('nan')", "'in' if 1.5 in [nan, 1.5] else 'out'", *SURE),
    "a number that is not in a list": _said("nan = float('nan')", "'in' if 2.5 in [nan, 1.5] else 'out'", *SURE),
}  # fmt: skip

TABLES = {"view": VIEWS, "iterator": ITERATORS, "range": RANGES, "member": MEMBERS, "not a number": NUMBERS}
