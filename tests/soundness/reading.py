# ruff: noqa: E501 - most sources stand in one line
"""Ordinary code that is easily read in another way than Python does, and servers that refuse what they are given."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, FAST, OFFICIAL, PROVIDED, Case, server

FM2 = ("fastmcp2",)
FM3 = ("fastmcp3",)
FM4 = ("fastmcp4",)
MCP1 = ("mcp1-fastmcp",)


def _saying(code: str, text: str = "D") -> dict[str, str]:
    """A server with one tool more, whose description is what an expression gives behind ``code``."""
    return server(before=code, after=f"@mcp.tool(description={text})\ndef gamma(x: int) -> str:\n    return 'c'")


_ALL = ("alpha", "beta", "gamma")
_MADE = "from dataclasses import KW_ONLY, InitVar, dataclass, field\nimport dataclasses\n"
_FULL = "    def __post_init__(self):\n        self.full = f'{self.name} in full'\n"
RECORDS = {
    name: Case(MCP1, _saying(_MADE + code, text), settled=_ALL)
    for name, (code, text) in {
        "a field that is made later": (f"@dataclass\nclass Spec:\n    name: str\n    full: str = field(init=False)\n{_FULL}", "Spec('search').full"),
        "a field that is never given": ("@dataclass\nclass Spec:\n    name: str\n    parts: list = field(init=False, default_factory=list)\n    n: int = field(default=3, init=False)", "f'{Spec(\"a\").n} {Spec(\"a\").parts}'"),
        "a field that is made later, of a base": (
            f"@dataclass\nclass Base:\n    name: str\n    full: str = field(init=False)\n{_FULL}@dataclass\nclass Spec(Base):\n    more: str = 'M'", "Spec('search', 'N').full + Spec('a', 'b').more"
        ),
        "a field that is made later, frozen": (
            "@dataclass(frozen=True)\nclass Spec:\n    name: str\n    full: str = field(init=False)\n    def __post_init__(self):\n        object.__setattr__(self, 'full', self.name + '!')", "Spec('search').name + Spec('a').full"
        ),
        "a mark before keywords": ("@dataclass\nclass Spec:\n    name: str\n    _: KW_ONLY\n    text: str = 'T'\n    n: int = 1", "Spec('search', text='U').text"),
        "a mark before keywords, in a base": (
            "@dataclass\nclass Base:\n    _: KW_ONLY\n    name: str\n@dataclass\nclass Spec(Base):\n    text: str = 'T'", "Spec('U', name='n').text"
        ),
        "a field that is a keyword": ("@dataclass\nclass Spec:\n    name: str = field(kw_only=True)\n    text: str = 'T'", "Spec('U', name='n').text"),
        "a value for the constructor alone": (
            "@dataclass\nclass Spec:\n    name: str\n    more: InitVar[str] = 'M'\n    full: str = field(init=False)\n    def __post_init__(self, more):\n        self.full = self.name + more", "Spec('a').full + Spec('b', 'N').full"
        ),
        "a value for the constructor alone, before a field": (
            "@dataclass\nclass Spec:\n    more: dataclasses.InitVar[str]\n    text: str = 'T'\n    def __post_init__(self, more: str) -> None:\n        self.text += more", "Spec('a', 'b').text"
        ),
        "no constructor": ("@dataclass(init=False)\nclass Spec:\n    name: str = 'a'", "Spec().name"),
        "a constructor of a base": ("class Base:\n    def __init__(self, name):\n        self.name = 'base'\n@dataclass\nclass Spec(Base):\n    name: str", "Spec('a').name"),
        "a constructor of its own": ("@dataclass\nclass Base:\n    name: str\nclass Spec(Base):\n    def __init__(self):\n        super().__init__('a')\n        self.more = 'b'", "Spec().more"),
        "a class that is no dataclass": ("@dataclass\nclass Base:\n    name: str\n    text: str = 'T'\nclass Spec(Base):\n    text: str = 'U'\n    more: str = 'M'", "Spec('a').text + Spec('a', 'b').text + Spec('a').more"),
        "a default without a type": ("@dataclass\nclass Base:\n    text: str = 'T'\n@dataclass\nclass Spec(Base):\n    text = 'U'", "Spec().text"),
    }.items()
} | {
    name: Case(MCP1, _saying(_MADE + code, text))
    for name, (code, text) in {
        "a field that is made later, and given": ("@dataclass\nclass Spec:\n    name: str\n    full: str = field(init=False, default='F')", "Spec('search', full='G').full"),
        "a field that nobody makes": ("@dataclass\nclass Spec:\n    name: str\n    full: str = field(init=False)", "Spec('search').full"),
        "a keyword in the place of others": ("@dataclass(kw_only=True)\nclass Spec:\n    name: str", "Spec('search').name"),
        "one value too many": ("@dataclass\nclass Spec:\n    name: str = 'a'", "Spec('search', 'b').name"),
    }.items()
}  # fmt: skip

_HERE = "import json\nfrom pathlib import Path\nHERE = Path(__file__).parent\nTEXT = HERE / 'search.md'\nSET = HERE / 'set.json'\n"
_FILES = {"search.md": "# Search\n\nSearches the index.\nAll of it.\n", "set.json": '{"d": "on disk"}'}


def _from_file(code: str) -> dict[str, str]:
    return {**_saying(_HERE + code), **_FILES}


READ = {
    name: Case(MCP1, _from_file(code), settled=_ALL)
    for name, code in {
        "the text behind a first line": "with open(TEXT, encoding='utf-8') as f:\n    title = f.readline().strip('# \\n')\n    D = title + ': ' + f.read().strip()",
        "a text that is read twice": "with TEXT.open() as f:\n    one = f.read()\n    two = f.read()\nD = one + '|' + two",
        "the text behind lines": "f = open(TEXT)\nlines = f.readlines()\nD = f'{len(lines)} {f.read()}|'\nf.close()",
        "a few letters": "with open(TEXT) as f:\n    D = f.read(5) + '|' + f.read(3) + '|' + f.readline() + f.read()",
        "a text that is read from the start again": "with open(TEXT) as f:\n    one = f.readline()\n    f.seek(0)\n    D = one + f.read()",
        "bytes": "with open(TEXT, 'rb') as f:\n    f.readline()\n    D = f.read().decode()",
        "data": "with open(SET) as f:\n    D = json.load(f)['d'] + f.read()",
        "lines one by one": "D = ''\nwith open(TEXT) as f:\n    for line in f:\n        if line.strip():\n            D += line.strip().upper() + ' '\nD = D.strip()",
        "lines in a comprehension of a list": "with open(TEXT) as f:\n    D = ' '.join([line.strip() for line in f][1:])",
        "lines until none is left": "D = ''\nf = open(TEXT)\nwhile line := f.readline():\n    D += line.strip() + ';'",
        "a file that a function reads": "def first(f):\n    return f.readline().strip()\nwith open(TEXT) as f:\n    D = first(f) + f.read()",
        "a text beside one that is written": "SET.write_text('{}')\nD = TEXT.read_text()",
        "a text that only a call writes": "def save(text: str) -> None:\n    TEXT.write_text(text)\nD = TEXT.read_text()",
        "a text in a folder that a library makes": "import os\nos.makedirs(HERE, exist_ok=True)\n(HERE / 'logs').mkdir(exist_ok=True)\nD = TEXT.read_text() if TEXT.exists() else ''",
        "two files": "with open(TEXT) as f, open(TEXT) as g:\n    D = f.readline() + g.readline() + f.read()",
    }.items()
} | {
    name: Case(MCP1, _from_file(code), settled=("alpha", "beta"))
    for name, code in {
        "the text behind a loop that ends early": "with open(TEXT) as f:\n    for line in f:\n        if not line.strip():\n            break\n    D = f.read()",
        "the text behind a next line": "with open(TEXT) as f:\n    next(f)\n    D = f.read()",
        "the text behind a few lines": "from itertools import islice\nwith open(TEXT) as f:\n    head = list(islice(f, 2))\n    D = f.read()",
        "the text behind lines that a library reads": "import csv\nwith open(TEXT) as f:\n    rows = list(csv.reader(f))\n    D = f'{f.read()}|'",
        "the text behind a position": "with open(TEXT) as f:\n    f.seek(4)\n    D = f.read()",
        "the text behind lines that a function asks for": "with open(TEXT) as f:\n    head = [*iter(f.readline, '\\n')]\n    D = f.read()",
        "data behind data": "with open(SET) as f:\n    json.load(f, object_hook=dict)\n    D = f'{f.read()}|'",
        "a text that was written": "cfg = {'d': 'new'}\nSET.write_text(json.dumps(cfg))\nD = json.loads(SET.read_text())['d']",
        "a text that was written by a function": "def save(path, text):\n    path.write_text(text)\nsave(TEXT, 'new')\nD = TEXT.read_text()",
        "a text that was added": "with TEXT.open('a') as f:\n    f.write('new')\nD = TEXT.read_text()",
        "data that were written": "with open(SET, mode='w') as f:\n    json.dump({'d': 'new'}, f)\nD = json.load(open(SET))['d']",
        "bytes that were written": "(HERE / 'search.md').write_bytes(b'new')\nD = (HERE / 'search.md').read_text()",
        "a file that was moved": "TEXT.replace(HERE / 'set.json')\nD = SET.read_text()",
        "a file that was written by its name": "import os\nNAME = os.path.join(os.path.dirname(__file__), 'search.md')\nwith open(NAME, 'w') as f:\n    f.write('new')\nD = open(NAME).read()",
        "a file that was deleted": "TEXT.unlink()\nD = 'there' if TEXT.exists() else 'gone'",
    }.items()
}  # fmt: skip

_OBJECTS = """
import functools
from enum import Enum
class Box:
    "A box."
    def __call__(self, q: str) -> str:
        "Call."
        return q
    def method(self, q: str) -> str:
        "Method."
        return q
class Kind(str, Enum):
    GAMMA = "gamma"
def gamma(z: int, w: int = 1) -> str:
    "Gamma."
    return "c"
"""
OBJECTS = {
    f"{name}{'' if families is DECORATED else ' ' + families[0]}": Case(families, server(before=_OBJECTS, after=code))
    for name, families, code in (
        ("an object with a name", DECORATED, "mcp.tool(Box(), name='box')"),
        ("an object alone", DECORATED, "mcp.tool(Box())"),
        ("an object that is decorated", DECORATED, "mcp.tool()(Box())"),
        ("an object that is decorated under a name", DECORATED, "mcp.tool(name='box')(Box())"),
        ("an object that is decorated under a positional name", DECORATED, "mcp.tool('box')(Box())"),
        ("an object in a loop", DECORATED, "for name, made in {'one': Box(), 'two': Box()}.items():\n    mcp.tool(name=name)(made)"),
        ("an object that is added", OFFICIAL, "mcp.add_tool(Box())"),
        ("an object that is added under a name", DECORATED, "mcp.add_tool(Box(), name='box')"),
        ("a partial with a name", DECORATED, "mcp.tool(functools.partial(gamma, w=2), name='p')"),
        ("a partial that is decorated", FAST, "mcp.tool(name='p')(functools.partial(gamma, w=2))"),
        ("a class that is decorated", FAST, "mcp.tool(name='p')(Box)"),
        ("a method with a name", OFFICIAL, "mcp.tool(Box().method, name='p')"),
        ("a method alone", OFFICIAL, "mcp.tool(Box().method)"),
        ("a class alone", DECORATED, "mcp.tool(Box)"),
        ("a class that a statement decorates", DECORATED, "@mcp.tool\nclass Other:\n    pass"),
        ("a tool that is decorated again", FM2, "mcp.tool(name='delta')(mcp.tool()(gamma))"),
        ("a function that is added", FM2, "mcp.add_tool(gamma)"),
        ("a method that is added", FM2, "mcp.add_tool(Box().method)"),
        ("a function that is added by a keyword", FM2, "mcp.add_tool(tool=gamma)"),
        ("functions that are added in a loop", FM2, "for each in (gamma, Box().method):\n    mcp.add_tool(each)"),
        ("a function that is added by another", FM2, "def add(server):\n    server.add_tool(gamma)\nadd(mcp)"),
        ("an object that is added", FM2, "mcp.add_tool(Box())"),
        ("a partial that is added", FM2, "mcp.add_tool(functools.partial(gamma, w=2))"),
        ("a function that is added under a name", FAST, "mcp.add_tool(gamma, name='x')"),
        ("a function that is added with a description", FAST, "mcp.add_tool(gamma, description='D')"),
    )
}  # fmt: skip
TAKEN = {
    name: Case(families, server(before=_OBJECTS, after=code), settled=("alpha", "beta", *settled))
    for name, families, code, settled in (
        ("an object whose call is decorated", DECORATED, "mcp.tool(name='box')(Box().__call__)", ["box"]),
        ("a method that is decorated", DECORATED, "mcp.tool()(Box().method)", ["method"]),
        ("a method that is given", FAST, "mcp.tool(Box().method)", ["method"]),
        ("a method that is given with a name", FAST, "mcp.tool(Box().method, name='m')", ["m"]),
        ("a name that is a member of an enum", DECORATED, "mcp.tool(Kind.GAMMA)(Box().method)", ["gamma"]),
        ("a name that is given as a member of an enum", DECORATED, "mcp.tool(name=Kind.GAMMA)(Box().method)", ["gamma"]),
        ("a function that is added", (*OFFICIAL, *PROVIDED), "mcp.add_tool(gamma)", ["gamma"]),
        ("a method that is added", (*OFFICIAL, *PROVIDED), "mcp.add_tool(Box().method)", ["method"]),
        ("a function that is added under a name", OFFICIAL, "mcp.add_tool(gamma, name='x')", ["x"]),
        ("a tool that is made of a function", FAST, "from fastmcp.tools import Tool\nmcp.add_tool(Tool.from_function(gamma, name='x'))", ["x"]),
        ("a tool that is added by a keyword", FAST, "from fastmcp.tools import Tool\nmcp.add_tool(tool=Tool.from_function(gamma))", ["gamma"]),
        ("a function or else a tool", FAST, "from fastmcp.tools import Tool\ntry:\n    mcp.add_tool(gamma, name='x')\nexcept TypeError:\n    mcp.add_tool(Tool.from_function(gamma, name='x'))", ["x"]),
        ("an object with a name of its own", ("mcp1-fastmcp",), "box = Box()\nbox.__name__ = 'box'\nmcp.add_tool(box)", []),
    )
}  # fmt: skip

_SUB = """
import asyncio
sub = SERVER("s")
@sub.tool()
def two(z: int) -> str:
    "Two."
    return "c"
"""
NOT_MOUNTED = {
    f"{code} {families[0]}": Case(families, server(before=_SUB, after=code))
    for families, code in (
        (FM4, "mcp.mount(sub, prefix='x')"),
        (FM4, "mcp.mount(server=sub, prefix='x')"),
        (FM4, "mcp.mount(sub, prefix=None)"),
        (FM4, "mcp.mount(sub, **{'prefix': 'x'})"),
        (FM4, "mcp.mount(sub, 'x', as_proxy=False)"),
        (FM4, "for name, each in {'x': sub}.items():\n    mcp.mount(each, prefix=name)"),
        (FM2, "mcp.mount(sub, namespace='x')"),
        (FM2, "asyncio.run(mcp.import_server(sub, namespace='x'))"),
        (FM2, "asyncio.run(mcp.import_server(sub, 'x', tool_separator='-'))"),
        (FAST, "mcp.mount(sub, 'x', tool_separator='-')"),
        (FAST, "mcp.mount(sub, colour='x')"),
        (FAST, "mcp.mount('x', sub)"),
    )
}  # fmt: skip
MOUNTED = {
    f"{code} {families[0]}": Case(families, server(before=_SUB, after=code), settled=("alpha", "beta", name))
    for families, code, name in (
        (FAST, "mcp.mount(sub, 'x')", "x_two"),
        (FAST, "mcp.mount(sub)", "two"),
        (("fastmcp2", "fastmcp3"), "mcp.mount(sub, prefix='x')", "x_two"),
        (("fastmcp2", "fastmcp3"), "mcp.mount(sub, 'x', as_proxy=False)", "x_two"),
        (("fastmcp2", "fastmcp3"), "mcp.mount(sub, 'x', False)", "x_two"),
        (("fastmcp2", "fastmcp3"), "asyncio.run(mcp.import_server(sub, prefix='x'))", "x_two"),
        (PROVIDED, "mcp.mount(sub, namespace='x')", "x_two"),
        (FAST, "try:\n    mcp.mount(sub, namespace='x')\nexcept TypeError:\n    mcp.mount(sub, prefix='x')", "x_two"),
        (FAST, "try:\n    mcp.mount(sub, prefix='x')\nexcept TypeError:\n    mcp.mount(sub, namespace='y')", "alpha"),
    )
} | {
    f"{code} {families[0]}": Case(families, server(before=_SUB, after=code), settled=("alpha", "beta"))
    for families, code in (
        (FM2, "mcp.mount(sub, 'x', None, {'two': 'three'})"),
        (FM3, "mcp.mount(sub, 'x', None, {'two': 'three'})"),
        (FM4, "mcp.mount(sub, 'x', {'two': 'three'})"),
        (PROVIDED, "mcp.mount(sub, namespace='x', tool_names={'two': 'three'})"),
    )
}  # fmt: skip


def _of(families: tuple[str, ...], parameters: str, settled: tuple[str, ...] = (), before: str = "") -> Case:
    return Case(
        families,
        server(before=before, after=f"@mcp.tool()\ndef gamma({parameters}) -> str:\n    'Gamma.'\n    return 'c'"),
        settled=settled,
    )


_CONTEXT = "from fastmcp import Context"
POSITIONS = {
    "before keywords": _of(FAST, "a: int, /, b: int, *, c: int = 1"),
    "alone": _of(FAST, "a: int, /"),
    "before other parameters": _of(FAST, "a: int, /, b: int"),
    "a context before others": _of(FAST, "ctx: Context, /, b: int", before=_CONTEXT),
    "a context before keywords": _of(FAST, "ctx: Context, /, *, b: int", before=_CONTEXT),
    "a context behind others": _of(FAST, "a: int, ctx: Context, /, *, b: int", before=_CONTEXT),
    "of the official SDK": _of(OFFICIAL, "a: int, /, b: int, *, c: int = 1", _ALL),
    "keywords alone": _of(DECORATED, "*, a: int, b: int = 2", _ALL),
}  # fmt: skip

_NAMES = "from collections import namedtuple\nimport collections\nfrom typing import NamedTuple\nNAMES = ['beta', 'Alpha', 'gamma', 'Delta']\n"
_SPEC = "Spec = namedtuple('Spec', ['name', 'text'])\n"
_TYPED = "class Spec(NamedTuple):\n    name: str\n    text: str = 'T'\n    def whole(self):\n        return self.name + self.text\n"
NAMED = {
    name: Case(MCP1, _saying(_NAMES + code, text), settled=_ALL)
    for name, (code, text) in {
        "sorted without case": ("", "', '.join(sorted(NAMES, key=str.lower))"),
        "sorted in place": ("NAMES.sort(key=str.lower)", "', '.join(NAMES)"),
        "sorted keys of a dict": ("TABLE = dict.fromkeys(NAMES, 1)", "', '.join(sorted(TABLE.keys(), key=str.lower)) + ', '.join(sorted(TABLE, key=str.upper))"),
        "sorted by length": ("", "', '.join(sorted(NAMES, key=len))"),
        "the first without case": ("", "min(NAMES, key=str.lower) + max(NAMES, key=str.upper)"),
        "mapped by methods of texts": ("", "', '.join(map(str.upper, NAMES)) + ', '.join(map(str.strip, ' a | b '.split('|')))"),
        "methods of texts by their class": ("", "str.join('-', NAMES) + str.replace('abc', 'b', 'x') + str.title('ab')"),
        "filtered by a method of texts": ("", "', '.join(filter(str.islower, NAMES))"),
        "a named tuple": (_SPEC, "Spec('a', 'b').text + Spec(name='c', text='d').name"),
        "a named tuple by a text of names": ("Spec = namedtuple('Spec', 'name text')", "Spec('a', 'b').text"),
        "named tuples in a loop": (_SPEC + "D = ''\nfor spec in [Spec('a', 'b'), Spec('c', 'd')]:\n    D += spec.name + spec.text", "D"),
        "named tuples that are unpacked": (_SPEC + "D = ''\nfor name, text in (Spec('a', 'b'), Spec('c', 'd')):\n    D += name + text", "D + Spec('a', 'b')[1] + str(len(Spec('a', 'b')))"),
        "a named tuple with defaults": ("Spec = namedtuple('Spec', ['name', 'text', 'more'], defaults=['T', 'M'])", "Spec('a').text + Spec('a', 'b').more + Spec('a', more='N').more"),
        "a named tuple that is changed": (_SPEC, "Spec('a', 'b')._replace(text='c').text"),
        "a named tuple as a dict": (_SPEC, "str(Spec('a', 'b')._asdict()['text']) + ' '.join(Spec('a', 'b')._fields)"),
        "a typed named tuple": (_TYPED, "Spec('a').whole() + Spec('a', 'b').text"),
        "typed named tuples that are unpacked": (_TYPED + "D = ''\nfor name, text in (Spec('a', 'b'), Spec('c')):\n    D += name + text", "D + Spec('a')[1]"),
        "a typed named tuple that is changed": (_TYPED, "Spec('a')._replace(text='c').text"),
    }.items()
} | {
    name: Case(MCP1, _saying(_NAMES + code, text), settled=settled)
    for name, (code, text, settled) in {
        "a named tuple whose defaults are set": (_SPEC + "Spec.__new__.__defaults__ = ('T',)", "Spec('a').text", ("alpha", "beta")),
        "a named tuple of names that are not known": ("import os\nSpec = namedtuple('Spec', os.environ.get('N', 'name text'))", "Spec('a', 'b').text", ("alpha", "beta")),
        "a typed named tuple that is asked for its class": (_TYPED, "str(isinstance(Spec('a'), tuple)) + type(Spec('a')).__name__", ("alpha", "beta")),
        "a typed named tuple as a default": (_TYPED + "def more(a: tuple = Spec('a')): pass", "str(Spec('a') + ('c',))", ("alpha", "beta")),
        "a named tuple of a name too many": (_SPEC, "Spec('a', 'b', 'c').name", ()),
        "a named tuple of another name": (_SPEC, "Spec('a', 'b', more='c').name", ()),
        "a typed named tuple of a name too many": (_TYPED, "Spec('a', 'b', 'c').name", ()),
        "a named tuple that is renamed": ("Spec = namedtuple('Spec', 'name class name', rename=True)", "'-'.join(Spec('a', 'b', 'c')._fields)", ("alpha", "beta")),
        "a named tuple as a text": (_SPEC, "f'{Spec(1, 2)}'", ("alpha", "beta")),
        "a named tuple that is a base": ("class Spec(namedtuple('Spec', 'name text')):\n    def whole(self):\n        return self.name + self.text", "Spec('a', 'b').whole()", ("alpha", "beta")),
        "a named tuple that is asked for its class": (_SPEC, "str(isinstance(Spec('a', 'b'), Spec)) + type(Spec('a', 'b')).__name__ + Spec.__name__", ("alpha", "beta")),
        "a typed named tuple as a text": (_TYPED, "f'{Spec(1, 2)}'", ("alpha", "beta")),
        "a named tuple that is equal to another": (_SPEC, "str(Spec('a', 'b') == ('a', 'b'))", ("alpha", "beta")),
        "named tuples that are sorted": (_SPEC, "sorted([Spec('b', 'x'), Spec('a', 'y')])[0].text + sorted([Spec('b', 'x'), Spec('a', 'y')], key=lambda s: s.text)[0].text", ("alpha", "beta")),
        "a named tuple and more": (_SPEC, "str(len(Spec('a', 'b') + ('c',)))", ("alpha", "beta")),
        "a translation table": ("", "'abc'.translate(str.maketrans('a', 'x'))", ("alpha", "beta")),
    }.items()
} | {
    f"a named tuple as {what}": Case(DECORATED, server(before=_NAMES + _SPEC + "SPEC = Spec('a', 'b')", after=f"@mcp.tool(){code}"), settled=("alpha", "beta"))
    for what, code in {
        "a parameter": "\ndef gamma(spec: Spec) -> str:\n    'Gamma.'\n    return 'c'",
        "a result": "\ndef gamma(x: int) -> Spec:\n    'Gamma.'\n    return SPEC",
        "a default": "\ndef gamma(spec: tuple[str, str] = SPEC) -> str:\n    'Gamma.'\n    return 'c'",
        "a part of a type": "\ndef gamma(specs: list[Spec] | None = None) -> str:\n    'Gamma.'\n    return 'c'",
    }.items()
}  # fmt: skip
TABLES: dict[str, dict[str, Case]] = {
    "records": RECORDS,
    "files that are read": READ,
    "objects as tools": OBJECTS,
    "functions as tools": TAKEN,
    "named values": NAMED,
    "parameters by position": POSITIONS,
    "servers that are not mounted": NOT_MOUNTED,
    "servers that are mounted": MOUNTED,
}
