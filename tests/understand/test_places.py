"""Where servers can be enabled, where their definitions stand, and what keeps a definition in code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pdmigrate.model import Anchor, Fixed, Movable, Server, Tool
from pdmigrate.understand.inventory.extract import extract
from pdmigrate.understand.servers.listing import NO_HANDLER
from tests.understand.sources import LOW, VERSIONS, servers_in

PATH = "pkg/server.py"
FAST = "from mcp.server.fastmcp import FastMCP\n"
ENABLE = "from .progressive_disclosure import enable\n"
TOOL = "types.Tool(name='a', description='A', inputSchema={'type': 'object'})"
SERVER = "server = Server('x')\n"
LISTED = "@server.list_tools()\nasync def listed():\n    return [" + TOOL + "]\n"
RUNS = "import sys\n"
GENERATED = '"""Made by pdmigrate."""\ndef enable(server, **options):\n    server.__dict__.clear()\n    return server\n'


def servers(root: Path, text: str, versions: dict[str, str] | None = None, **more: str) -> list[Server]:
    files = {PATH: text, "pkg/__init__.py": "", **{f"pkg/{name}.py": other for name, other in more.items()}}
    if "progressive_disclosure" in text:
        files["pkg/progressive_disclosure.py"] = GENERATED
    return servers_in(root, files, versions or VERSIONS)


def unmarked(text: str) -> str:
    return re.sub("[⟦⟧⟪⟫]", "", text)


def between(text: str, left: str, right: str) -> list[tuple[int, int]]:
    """The offsets, in the text without marks and byte order mark, of what stands between two marks."""
    found: list[tuple[int, int]] = []
    at = 0
    for character in text.removeprefix("\ufeff"):
        if character == left:
            found.append((at, at))
        elif character == right:
            found[-1] = (found[-1][0], at)
        elif character not in "⟦⟧⟪⟫":
            at += 1
    return found


def spans(anchors: list[Anchor | Fixed]) -> list[tuple[int, int]]:
    return [(anchor.span.start, anchor.span.end) for anchor in anchors if isinstance(anchor, Anchor)]


# --- anchors ----------------------------------------------------------------------------------------------------------

ANCHORS = {
    "a name": (FAST + "⟦mcp = FastMCP('x')⟧  # made\n", "mcp"),
    "between semicolons": (FAST + "a = 1; ⟦mcp = FastMCP('x')⟧; b = 2\n", "mcp"),
    "an annotation": (FAST + "⟦mcp: FastMCP = FastMCP('x')⟧\n", "mcp"),
    "two targets": (FAST + "⟦a = mcp = FastMCP('x')⟧\n", "a"),
    "a target that is no name": (FAST + "d = {}\nd['a'] = ⟦FastMCP('x')⟧\n", ""),
    "a target that is a name beside one that is none": (FAST + "d = {}\n⟦d['a'] = mcp = FastMCP('x')⟧\n", "mcp"),
    "unpacking": (FAST + "a, mcp = 1, ⟦FastMCP('x')⟧\n", ""),
    "parentheses": (FAST + "⟦mcp = (FastMCP('x'))⟧\n", "mcp"),
    "over many lines": (FAST + "⟦mcp = FastMCP(\n    'x',\n)⟧\n", "mcp"),
    "after a line that is continued": (FAST + "a = 1 + \\\n  2; ⟦mcp = \\\n    FastMCP('x')⟧\n", "mcp"),
    "after text of two, three and four bytes": (FAST + "é = 'ü€😀'; ⟦mcp = FastMCP('ü')⟧; b = 'é'\n", "mcp"),
    "a name that is not ASCII": (FAST + "⟦sérvér = FastMCP('é')⟧\n", "sérvér"),
    "a byte order mark": ("\ufeff" + FAST + "⟦mcp = FastMCP('x')⟧\n", "mcp"),
    "a byte order mark in its line": ("\ufeff" + FAST.strip() + "; 'é'; ⟦mcp = FastMCP('x')⟧\n", "mcp"),
    "CRLF": ((FAST + "t = '''é\n'''; ⟦mcp = FastMCP(\n    'x',\n)⟧\n").replace("\n", "\r\n"), "mcp"),
    "a form feed before the line": (FAST + "\f\n⟦mcp = FastMCP('x')⟧\n", "mcp"),
    "a form feed in the line": (FAST + "\f⟦mcp = FastMCP('x')⟧\n", "mcp"),
    "line ends that are none": (FAST + "t = 'a\u2028b\x0b\x1c\x85'; ⟦mcp = FastMCP('x')⟧\n", "mcp"),
    "tabs": (FAST + "if True:\n\t⟦mcp = FastMCP('x')⟧\n", "mcp"),
    "no newline at the end": (FAST + "⟦mcp = FastMCP('x')⟧", "mcp"),
    "a return": (FAST + "def make():\n    return ⟦FastMCP('x')⟧\nmake()\n", ""),
    "a return of a function that nobody calls": (LOW + "def make():\n    return ⟦Server('x')⟧\n", ""),
    "an attribute": (FAST + "class A:\n    def __init__(self):\n        ⟦self.m = FastMCP('x')⟧\nA()\n", "self.m"),
    "an attribute of a class": (FAST + "class A:\n    ⟦mcp = FastMCP('x')⟧\n", "mcp"),
    "a derived class": (FAST + "class S(FastMCP):\n    pass\n⟦mcp = S('x')⟧\n", "mcp"),
    "the head of an if": (FAST + "if (mcp := ⟦FastMCP('x')⟧):\n    pass\n", ""),
    "an expression": (FAST + "⟦FastMCP('x')⟧.run()\n", ""),
    "an argument": (FAST + "print(⟦FastMCP('x')⟧)\n", ""),
    "a decorated function": (FAST + "import functools\n@functools.cache\ndef f():\n    ⟦m = FastMCP('x')⟧\nf()\n", "m"),
    "a low-level server": (LOW + "⟦server = Server('x')⟧\n" + LISTED, "server"),
    "a coroutine": (LOW + "async def main():\n    ⟦s = Server('x')⟧\n    await s.run()\nmain()\n", "s"),
}
ENABLED = {
    "around": (FAST + ENABLE + "⟦mcp = ⟪enable(FastMCP('x'))⟫⟧\n", "mcp"),
    "around, no name": (FAST + ENABLE + "⟪enable(⟦FastMCP('x')⟧)⟫.run()\n", ""),
    "after": (FAST + ENABLE + "⟦mcp = FastMCP('é')⟧\n⟪enable(mcp, stdio='enforce')⟫\n", "mcp"),
    "under a condition": (FAST + ENABLE + "⟦mcp = FastMCP('x')⟧\nif mcp:\n    ⟪enable(mcp)⟫\n", "mcp"),
    "deep in a function": (FAST + ENABLE + "⟦m = FastMCP('x')⟧\ndef main():\n    if RUNS:\n        ⟪enable(m)⟫\n", "m"),
    "a function with its own": (FAST + ENABLE + "⟦mcp = FastMCP('x')⟧\ndef main(mcp):\n    enable(mcp)\n", "mcp"),
    "of another server": (FAST + ENABLE + "⟦mcp = FastMCP('x')⟧\nother = 1\nenable(other)\n", "mcp"),
    "an attribute": (
        FAST
        + ENABLE
        + "class A:\n    def __init__(self):\n        ⟦self.m = FastMCP('x')⟧\n        ⟪enable(self.m)⟫\n",
        "self.m",
    ),
    "in the line of the colon": (FAST + ENABLE + "if True: ⟦mcp = FastMCP('x')⟧; a = 1\n⟪enable(mcp)⟫\n", "mcp"),
}


@pytest.mark.parametrize(("text", "target"), [*ANCHORS.values(), *ENABLED.values()], ids=[*ANCHORS, *ENABLED])
def test_an_anchor(tmp_path: Path, text: str, target: str) -> None:
    (server,) = servers(tmp_path, unmarked(text))
    assert isinstance(server.anchor, Anchor)
    assert spans([server.anchor]) == between(text, "⟦", "⟧")
    assert server.anchor.target == target
    enabled = server.anchor.enabled
    assert ([(enabled.start, enabled.end)] if enabled is not None else []) == between(text, "⟪", "⟫")
    assert not server.twins
    assert server.incomplete in (None, NO_HANDLER), "a generated module is not followed"


def test_a_text_in_another_encoding(tmp_path: Path) -> None:
    text = "# coding: latin-1\n" + FAST + "é = 'ü'; mcp = FastMCP('x')\n"
    (tmp_path / "server.py").write_bytes(text.encode("latin-1"))
    (server,) = extract(tmp_path, sdk=VERSIONS).servers
    assert spans([server.anchor]) == [(text.index("mcp = "), len(text) - 1)]


GREET = "def greet(a: int) -> int:\n    return a\n"
REGISTERED = f"@mcp.tool()\n{GREET}"
ALTERNATIVES = {
    "if and else": "if sys.argv[1:]:\n    ⟦mcp = FastMCP('x')⟧\nelse:\n    ⟦mcp = FastMCP('x', port=1)⟧\n",
    "elif": (
        "n = len(sys.argv)\nif n > 2:\n    ⟦mcp = FastMCP('x')⟧\nelif n > 1:\n    ⟦mcp = FastMCP('x', port=1)⟧\n"
        "else:\n    ⟦mcp = FastMCP('x', port=2)⟧\n"
    ),
    "an expression": "mcp = ⟦FastMCP('x')⟧ if sys.argv[1:] else ⟦FastMCP('x', port=1)⟧\n",
    "a try": "try:\n    ⟦mcp = FastMCP('x', port=int(sys.argv[1]))⟧\nexcept IndexError:\n    ⟦mcp = FastMCP('x')⟧\n",
    "a match": (
        "match sys.argv[1:]:\n    case ['a']:\n        ⟦mcp = FastMCP('x')⟧\n"
        "    case _:\n        ⟦mcp = FastMCP('x', port=1)⟧\n"
    ),
    "a return": (
        GREET
        + "def make(first):\n    if first:\n        ⟦m = FastMCP('x')⟧\n        m.tool()(greet)\n        return m\n"
        "    ⟦n = FastMCP('x', port=1)⟧\n    n.tool()(greet)\n    return n\nmake(sys.argv[1:])\n"
    ),
}
APART = {
    "two names": "if sys.argv[1:]:\n    ⟦a = FastMCP('x')⟧\nelse:\n    ⟦a = FastMCP('y')⟧\n",
    "two functions": "f = lambda: ⟦FastMCP('x')⟧\ndef g():\n    return ⟦FastMCP('x')⟧\nf() if sys.argv[1:] else g()\n",
}


@pytest.mark.parametrize("text", ALTERNATIVES.values(), ids=ALTERNATIVES)
def test_alternatives_are_one_server(tmp_path: Path, text: str) -> None:
    text = FAST + RUNS + text + ("" if "greet" in text else REGISTERED)
    (server,) = servers(tmp_path, unmarked(text))
    assert spans([server.anchor, *server.twins]) == between(text, "⟦", "⟧")
    assert (server.name, [(tool.name, tool.conditional) for tool in server.tools]) == ("x", [("greet", None)])


def test_servers_of_one_name_and_place_are_one_of_which_nothing_is_sure(tmp_path: Path) -> None:
    text = FAST + "⟦a = FastMCP('x')⟧\n⟦b = FastMCP('x')⟧\n@b.tool()\n" + GREET
    (server,) = servers(tmp_path, unmarked(text))
    assert spans([server.anchor, *server.twins]) == between(text, "⟦", "⟧")
    assert all(tool.conditional for tool in server.tools)


@pytest.mark.parametrize("text", APART.values(), ids=APART)
def test_servers_that_may_both_be_made(tmp_path: Path, text: str) -> None:
    text = FAST + RUNS + text
    found = servers(tmp_path, unmarked(text))
    assert sorted(spans([server.anchor for server in found])) == between(text, "⟦", "⟧")
    assert not any(server.twins for server in found)


EITHER = "mcp = FastMCP('x') if sys.argv[1:] else FastMCP('x', port=1)\n"
IN_DOUBT = {
    "private parts": EITHER + REGISTERED + "mcp._tool_manager._tools.clear()\n",
    "the list is replaced": EITHER + "mcp.list_tools = lambda: []\n" + REGISTERED,
}


@pytest.mark.parametrize("text", IN_DOUBT.values(), ids=IN_DOUBT)
def test_one_of_two_servers_that_may_be_lost_is_in_doubt(tmp_path: Path, text: str) -> None:
    found = servers(tmp_path, FAST + RUNS + text)
    assert found
    assert all(server.incomplete or any(tool.conditional for tool in server.tools) for server in found)


# --- declarations -----------------------------------------------------------------------------------------------------

MOVABLE = {
    "in the handler": LOW + SERVER + LISTED,
    "a byte order mark": "\ufeff" + LOW + SERVER + LISTED,
    "CRLF": (LOW + "server = Server('é')\n" + LISTED).replace("\n", "\r\n"),
    "text in pieces": LOW + SERVER + LISTED.replace("'A'", "('A'\n  'é')"),
    "numbers with signs": LOW + SERVER + LISTED.replace("'object'", "'object', 'minProperties': -1, 'n': (None, +2)"),
    "a table": LOW + "TOOLS = [" + TOOL + "]\n" + SERVER + LISTED.replace("[" + TOOL + "]", "TOOLS"),
    "a function": LOW + "def make():\n    return " + TOOL + "\n" + SERVER + LISTED.replace(TOOL, "make()"),
    "a method": LOW + "class A:\n    def __init__(self):\n        self.server = Server('x')\n"
    "        self.server.list_tools()(self.listed)\n    async def listed(self):\n        return [" + TOOL + "]\nA()\n",
}  # fmt: skip
MADE_IN_LOOP = "types.Tool(name=n, description='A', inputSchema={})"
FIXED = {
    "text that is added up": (LISTED.replace("'A'", "'A' + 'B'"), "PD320"),
    "an f-string": (LISTED.replace("'A'", "f'A {1}'"), "PD320"),
    "arguments that are spread": (LISTED.replace("name='a', ", "**{'name': 'a'}, "), "PD320"),
    "no description": (LISTED.replace("description='A', ", ""), "PD320"),
    "a name of the function": (LISTED.replace("    return", "    t = 'A'\n    return").replace("'A',", "t,"), "PD320"),
    "a constant": ("TEXT = 'A'\n" + LISTED.replace("'A'", "TEXT"), "PD320"),
    "registered by hand": ("async def h(_):\n    return types.ServerResult(types.ListToolsResult(tools=[" + TOOL
    + "]))\nserver.request_handlers[types.ListToolsRequest] = h\n", "PD321"),
    "a handler that is called": (LISTED + "async def other():\n    return await listed()\n", "PD321"),
    "a handler that is looked up": (LISTED + "h = server.request_handlers[types.ListToolsRequest]\n", "PD321"),
    "a method": ("class A:\n    def m(_):\n        return " + TOOL + "\n" + LISTED.replace(TOOL, "A().m()"), "PD321"),
    "a lambda": ("make = lambda: " + TOOL + "\n" + LISTED.replace(TOOL, "make()"), "PD321"),
    "a loop": (LISTED.replace("[" + TOOL + "]", "[" + MADE_IN_LOOP + " for n in ('a', 'b')]"), "PD322"),
    "set later": (LISTED.replace(f"return [{TOOL}]", f"t = {TOOL}\n    t.description = 'B'\n    return [t]"), "PD323"),
}  # fmt: skip


def tool_of(found: list[Server]) -> Tool:
    (server,) = found
    assert server.incomplete is None
    return server.tools[0]


@pytest.mark.parametrize("text", MOVABLE.values(), ids=MOVABLE)
def test_literals_that_can_move(tmp_path: Path, text: str) -> None:
    tool = tool_of(servers(tmp_path, text))
    assert isinstance(tool.declaration, Movable)
    plain = text.removeprefix("\ufeff")
    for name, literal in tool.declaration.literals.items():
        value = plain[literal.start : literal.end]
        assert eval(f"({value})") == tool.definition[name] or name == "inputSchema"


@pytest.mark.parametrize(("text", "code"), FIXED.values(), ids=FIXED)
def test_what_keeps_a_definition_in_code(tmp_path: Path, text: str, code: str) -> None:
    tool = tool_of(servers(tmp_path, LOW + SERVER + text))
    assert isinstance(tool.declaration, Fixed)
    assert tool.declaration.code == code, tool.declaration.reason


ELSEWHERE = {
    "the name": "from pkg.server import TOOLS\n",
    "the name by a relative import": "from .server import TOOLS as t\n",
    "everything": "from pkg.server import *\nprint(TOOLS)\n",
    "the module by its path": "import pkg.server\nprint(pkg.server.TOOLS)\n",
    "the handler": "from pkg.server import listed\n",
    "the handler of the module": "from pkg import server\nasync def test():\n    await server.listed()\n",
    "everything, the handler of it": "from pkg.server import *\nseen = listed\n",
    "the module of a package": "def f():\n    from pkg import server\n    return server.TOOLS\n",
}


@pytest.mark.parametrize("other", ELSEWHERE.values(), ids=ELSEWHERE)
def test_a_table_that_another_file_uses_stays(tmp_path: Path, other: str) -> None:
    tool = tool_of(servers(tmp_path, MOVABLE["a table"], other=other))
    assert isinstance(tool.declaration, Fixed)
    assert tool.declaration.code == "PD321"
    assert tool.declaration.reason.endswith(" is used in pkg/other.py too")


@pytest.mark.parametrize("other", ["TOOLS = 1\n", "import pkg.server\nx.TOOLS\n", "from pkg import server\nserver.s\n"])
def test_a_table_of_which_another_file_uses_nothing(tmp_path: Path, other: str) -> None:
    assert isinstance(tool_of(servers(tmp_path, MOVABLE["a table"], other=other)).declaration, Movable)


def test_a_tool_that_is_a_function_stays(tmp_path: Path) -> None:
    tool = tool_of(servers(tmp_path, FAST + "mcp = FastMCP('x')\n@mcp.tool()\ndef a(x: int) -> int:\n    return x\n"))
    assert tool.declaration == Fixed("it is made from a function", "PD324", tool.site)


def test_a_wrapped_function_stands_where_its_parameters_do(tmp_path: Path) -> None:
    wrapper = "import functools\ndef w(f):\n    @functools.wraps(f)\n    def g(*a): return f(*a)\n    return g\n"
    text = FAST + wrapper + "mcp = FastMCP('x')\n@mcp.tool()\n@w\ndef a(x: int) -> int:\n    return x\n"
    assert tool_of(servers(tmp_path, text)).site.line == text[: text.index("def a")].count("\n") + 1


BY_ARGUMENT = "server = Server('x', on_list_tools=h)"
BY_METHOD = "server = Server('x')\nserver.add_request_handler('tools/list', types.PaginatedRequestParams, h)"


@pytest.mark.parametrize("registered", [BY_ARGUMENT, BY_METHOD])
def test_fields_in_snake_case(tmp_path: Path, registered: str) -> None:
    text = (
        "from mcp.server import Server\nfrom mcp import types\nasync def h(ctx, params):\n"
        "    tool = types.Tool(name='a', description='A', input_schema={'type': 'object'})\n"
        "    return types.ListToolsResult(tools=[tool])\n"
        f"{registered}\n"
    )
    tool = tool_of(servers(tmp_path, text, {**VERSIONS, "mcp": "2.3.0"}))
    assert isinstance(tool.declaration, Movable)
    assert sorted(tool.declaration.literals) == ["description", "inputSchema"]


# --- steps ------------------------------------------------------------------------------------------------------------

STEPS = {
    "a literal": ("", "'A'", ["literal 6"]),
    "a constant": ("TEXT = 'A'\n", "TEXT", ["name TEXT 7", "literal 3"]),
    "a constant of a constant": ("A = 'A'\nTEXT = A\n", "TEXT", ["name TEXT 8", "literal 3"]),
    "a constant of a class": ("class T:\n    A = 'A'\n", "T.A", ["name T.A 8", "literal 4"]),
    "added up": ("TEXT = 'A'\n", "TEXT + 'B'", ["computed 7"]),
    "an f-string": ("N = 1\n", "f'A {N}'", ["f-string 7"]),
    "a method": ("TEXT = ' A'\n", "TEXT.strip()", ["TEXT.strip() 7"]),
    "a method of a literal": ("", "' A'.strip()", ["call() 6"]),
    "a function": ("def f(x):\n    return x[0]\n", "f('A')", ["f() 8"]),
    "a value of the environment": ("import os\n", "os.environ['A']", ["subscript 7"]),
    "another file": ("from .other import TEXT\n", "TEXT", ["name TEXT 7", "literal 1"]),
}


def shown(tool: Tool, name: str) -> list[str]:
    return [f"{step.text} {step.site.line if step.site else 0}" for step in tool.fields[name].steps]


@pytest.mark.parametrize(("before", "expression", "expected"), STEPS.values(), ids=STEPS)
def test_where_a_text_comes_from(tmp_path: Path, before: str, expression: str, expected: list[str]) -> None:
    text = LOW + before + SERVER + LISTED.replace("'A'", expression)
    assert shown(tool_of(servers(tmp_path, text, other="TEXT = 'A'\n")), "description") == expected


def test_where_a_text_comes_from_that_passes_through_objects(tmp_path: Path) -> None:
    text = LOW + "from .other import SPECS\n" + SERVER
    text += LISTED.replace(TOOL, "types.Tool(name=s['n'], description=s['d'], inputSchema=s['i']) for s in SPECS")
    other = "SPECS = [\n    {\n        'n': 'a',\n        'd': 'A',\n        'i': {'type': 'object'},\n    },\n]\n"
    tool = tool_of(servers(tmp_path, text, other=other))
    sites = {name: field.steps[-1].site for name, field in tool.fields.items()}
    lines = {name: site.line for name, site in sites.items() if site is not None and site.file == "pkg/other.py"}
    assert lines == {"name": 3, "description": 4, "inputSchema": 5}


def test_a_text_that_is_set_later_does_not_come_from_the_call(tmp_path: Path) -> None:
    text, _ = FIXED["set later"]
    steps = shown(tool_of(servers(tmp_path, LOW + SERVER + text)), "description")
    assert steps == ["changed after it is made 6", "literal 7"]


def test_a_list_of_which_a_branch_keeps_a_part(tmp_path: Path) -> None:
    """What both branches list is certain, and its definition can move: it is made once."""
    both = "[" + ", ".join(TOOL.replace("'a'", f"'{name}'") for name in "abc") + "]"
    text = LISTED.replace(f"return [{TOOL}]", f"all = {both}\n    return [all[1]] if sys.argv[1:] else all")
    (server,) = servers(tmp_path, LOW + RUNS + SERVER + text)
    assert [(tool.name, tool.conditional is None) for tool in server.tools] == [("a", False), ("b", True), ("c", False)]
    assert all(isinstance(tool.declaration, Movable) for tool in server.tools)
