# ruff: noqa: E501 - most sources stand in one line
"""Ordinary code that is easily read in another way than Python does, and servers that refuse what they are given."""

from __future__ import annotations

from tests.soundness.sources import DECORATED, FAST, OFFICIAL, PROVIDED, Case, server

FM2 = ("fastmcp2",)
FM4 = ("fastmcp4",)
MCP1 = ("mcp1-fastmcp",)


def _saying(code: str, text: str = "D") -> dict[str, str]:
    """A server with one tool more, whose description is what an expression gives behind ``code``."""
    return server(before=code, after=f"@mcp.tool(description={text})\ndef gamma(x: int) -> str:\n    return 'c'")


_ALL = ("alpha", "beta", "gamma")
_MADE = "from dataclasses import KW_ONLY, InitVar, dataclass, field\nimport dataclasses\n"
RECORDS = {
    name: Case(MCP1, _saying(_MADE + code, text), settled=_ALL)
    for name, (code, text) in {
        "a field that is never given": ("@dataclass\nclass Spec:\n    name: str\n    parts: list = field(init=False, default_factory=list)\n    n: int = field(default=3, init=False)", "f'{Spec(\"a\").n} {Spec(\"a\").parts}'"),
        "a value for the constructor alone": (
            "@dataclass\nclass Spec:\n    name: str\n    more: InitVar[str] = 'M'\n    full: str = field(init=False)\n    def __post_init__(self, more):\n        self.full = self.name + more", "Spec('a').full + Spec('b', 'N').full"
        ),
        "no constructor": ("@dataclass(init=False)\nclass Spec:\n    name: str = 'a'", "Spec().name"),
    }.items()
} | {
    name: Case(MCP1, _saying(_MADE + code, text))
    for name, (code, text) in {
        "a field that is made later, frozen": (
            "@dataclass(frozen=True)\nclass Spec:\n    name: str\n    full: str = field(init=False)\n    def __post_init__(self):\n        object.__setattr__(self, 'full', self.name + '!')", "Spec('search').name + Spec('a').full"
        ),
        "one value too many": ("@dataclass\nclass Spec:\n    name: str = 'a'", "Spec('search', 'b').name"),
    }.items()
}  # fmt: skip

_HERE = "import json\nfrom pathlib import Path\nHERE = Path(__file__).parent\nTEXT = HERE / 'search.md'\nSET = HERE / 'set.json'\n"
_FILES = {"search.md": "# Search\n\nSearches the index.\nAll of it.\n", "set.json": '{"d": "on disk"}'}


def _from_file(code: str) -> dict[str, str]:
    return {**_saying(_HERE + code), **_FILES}


READ = {
    "a text that is read twice": Case(MCP1, _from_file("with open(TEXT) as f:\n    D = f.read() + '|' + f.read()"), settled=("alpha", "beta")),
} | {
    name: Case(MCP1, _from_file(code), settled=("alpha", "beta"))
    for name, code in {
        "the text behind a loop that ends early": "with open(TEXT) as f:\n    for line in f:\n        if not line.strip():\n            break\n    D = f.read()",
        "the text behind lines": "f = open(TEXT)\nlines = f.readlines()\nD = f'{len(lines)} {f.read()}|'\nf.close()",
        "lines in a comprehension of a list": "with open(TEXT) as f:\n    D = ' '.join([line.strip() for line in f][1:]) + f.read()",
        "data behind data": "with open(SET) as f:\n    json.load(f, object_hook=dict)\n    D = f'{f.read()}|'",
        "data that were written": "with open(SET, mode='w') as f:\n    json.dump({'d': 'new'}, f)\nD = json.load(open(SET))['d']",
        "a file that was moved": "TEXT.replace(HERE / 'set.json')\nD = SET.read_text()",
        "a file that was deleted": "TEXT.unlink()\nD = 'there' if TEXT.exists() else 'gone'",
    }.items()
}  # fmt: skip

_BOX = "class Box:\n    'A box.'\n    def __call__(self, q: str) -> str: 'Call.'\n"
OBJECTS = {
    "an object that is added": Case((*OFFICIAL, *FM2), server(before=_BOX, after="mcp.add_tool(Box())")),
    "an object that is added under a name": Case(DECORATED, server(before=_BOX, after="mcp.add_tool(Box(), name='box')")),
    "a class that a statement decorates": Case(DECORATED, server(after="@mcp.tool\nclass Other: pass")),
}  # fmt: skip

_SUB = "sub = SERVER('s')\n@sub.tool()\ndef two(z: int) -> str: 'Two.'\n"
_EITHER = "try:\n    mcp.mount(sub, namespace='x')\nexcept TypeError:\n    mcp.mount(sub, prefix='x')"
MOUNTED = {
    "by an old keyword": Case(FM4, server(before=_SUB, after="for name, each in {'x': sub}.items():\n    mcp.mount(each, prefix=name)")),
    "in the order of old": Case(FAST, server(before=_SUB, after="mcp.mount('x', sub)")),
    "by either keyword": Case(FAST, server(before=_SUB, after=_EITHER), settled=("alpha", "beta", "x_two")),
}  # fmt: skip


_NAMES = "from collections import namedtuple\nfrom typing import NamedTuple\n"
_SPEC = "class Spec(NamedTuple):\n    name: str\n    text: str\n"
_TYPED = "class Spec(NamedTuple):\n    name: str\n    text: str = 'T'\n    def whole(self):\n        return self.name + self.text\n"
NAMED = {
    name: Case(MCP1, _saying(_NAMES + code, text), settled=settled)
    for name, (code, text, settled) in {
        "typed named tuples that are unpacked": (_TYPED + "D = ''\nfor name, text in (Spec('a', 'b'), Spec('c')):\n    D += name + text", "D + Spec('a')[1]", ("alpha", "beta")),
        "a named tuple as a dict": (_SPEC, "str(Spec('a', 'b')._asdict()['text']) + ' '.join(Spec('a', 'b')._fields)", ("alpha", "beta")),
        "a named tuple that a function makes": ("Spec = namedtuple('Spec', 'name text')", "Spec('a', 'b').text", ("alpha", "beta")),
        "a named tuple of another name": (_SPEC, "Spec('a', 'b', more='c').name", ()),
        "a named tuple that is a base": ("class Spec(namedtuple('Spec', 'name text')):\n    def whole(self):\n        return self.name + self.text", "Spec('a', 'b').whole()", ("alpha", "beta")),
        "a named tuple that is asked for its class": (_SPEC, "str(isinstance(Spec('a', 'b'), Spec)) + type(Spec('a', 'b')).__name__ + Spec.__name__", ("alpha", "beta")),
        "a typed named tuple as a text": (_TYPED, "f'{Spec(1, 2)}'", ("alpha", "beta")),
        "named tuples that are sorted": (_SPEC, "sorted([Spec('b', 'x'), Spec('a', 'y')])[0].text + sorted([Spec('b', 'x'), Spec('a', 'y')], key=lambda s: s.text)[0].text", ("alpha", "beta")),
    }.items()
} | {
    "a named tuple as a parameter": Case(DECORATED, server(
        before=_NAMES + _SPEC + "SPEC = Spec('a', 'b')", after="@mcp.tool()\ndef gamma(spec: Spec) -> str:\n    'Gamma.'\n    return 'c'",
    ), settled=("alpha", "beta")),
}  # fmt: skip
# --- servers put together from others, and what tools share with the program ------------------------------------------

_RUN = "\nif __name__ == '__main__':\n    mcp.run()\n"


VERSIONS = {
    "a version from the environment": Case(
        PROVIDED,
        {"server.py": "import os\nfrom HOME import SERVER\nmcp = SERVER('m')\n@mcp.tool(version=os.environ.get('V', '0.5'))\ndef alpha(x: int) -> str:\n    return 'a'\n@mcp.tool(name='alpha', version='1.0')\ndef one(y: int) -> str:\n    return 'a'\n" + _RUN},
    ),
    "a higher version is mounted": Case(
        PROVIDED,
        {"server.py": "from HOME import SERVER\nmcp = SERVER('m')\npart = SERVER('p')\n@mcp.tool(version='1.0')\ndef calc(x: int) -> str:\n    return 'a'\n@part.tool(name='calc', version='2.0')\ndef other(y: int) -> str:\n    return 'a'\nmcp.mount(part)\n" + _RUN},
    ),
}  # fmt: skip

_PART = "import asyncio\nfrom HOME import SERVER\nmcp = SERVER('m')\npart = SERVER('part')\n@part.tool\ndef one(x: int) -> str:\n    'Of the part.'\n    return 'p'\n"
IMPORTS = ("fastmcp2", "fastmcp3")
COPIES = {
    "an own tool of the same name before": Case(IMPORTS, {"server.py": _PART + "@mcp.tool(name='one')\ndef own(y: str) -> int:\n    'Own.'\n    return 1\nasyncio.run(mcp.import_server(part))\n" + _RUN}),
    "mounted before an own tool": Case(FAST, {"server.py": _PART + "mcp.mount(part)\n@mcp.tool(name='one')\ndef own(y: str) -> int:\n    'Own.'\n    return 1\n" + _RUN}),
}  # fmt: skip


SHARED = {
    "tags of a tool that is asked for": Case(
        FM2,
        server(options=", exclude_tags={'hidden'}", after="import asyncio\nasyncio.run(mcp.get_tool('beta')).tags.add('hidden')"),
    ),
}  # fmt: skip


_NODE = "from typing import Annotated, Optional\nfrom pydantic import BaseModel, Field\nclass Node(BaseModel):\n    size: int = 2\n    below: Optional[list['Node']] = None"


def _of_nodes(described: str, other: str, returned: str = "str") -> dict[str, str]:
    tools = f"@mcp.tool()\ndef one(x: {described}) -> str:\n    'One.'\n    return ''\n@mcp.tool()\ndef two(y: {other}) -> {returned}:\n    'Two.'\n    return None"
    return server(before=_NODE, after=tools)


_SAID = "Annotated[Node, Field(description='d')]"
RECURSIVE = {
    "described, then in a list": Case(PROVIDED, _of_nodes(_SAID, "list[Node]")),
}  # fmt: skip

TABLES: dict[str, dict[str, Case]] = {
    "records": RECORDS,
    "files that are read": READ,
    "objects as tools": OBJECTS,
    "named values": NAMED,
    "servers that are mounted": MOUNTED,
    "versions": VERSIONS,
    "copies": COPIES,
    "shared": SHARED,
    "recursive": RECURSIVE,
}
