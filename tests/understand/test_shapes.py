"""Shapes of programs that published servers have: each is settled to the end, or open for a reason that is named."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import indent

import pytest

from pdmigrate.understand.values.containers import Births
from tests.understand.sources import FAST, LOW, SAYS, said, understood

LISTS = '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n    return TOOLS\n'
FUNCTION = 'def a(x: int) -> str:\n    "A"\n'


BRANCHES = "import os\nif os.environ.get('M'):\n    TEXT = 'A'\nelse:\n    TEXT = 'B'\nSHOWN = TEXT\nTEXT = 'C'"


def test_a_name_that_is_bound_in_branches_and_anew_is_not_claimed(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, server=LOW + BRANCHES + SAYS.replace("=TEXT", "=(TEXT, SHOWN)[1]"))
    assert "description" in server.tools[0].unknown


def test_a_schema_that_a_function_has_changed_is_the_one_that_is_sent(tmp_path: Path) -> None:
    change = "S = {'type': 'object', 'properties': {}}\ndef add(s):\n    s['properties']['k'] = {}\nadd(S)\n"
    (server,) = understood(tmp_path, server=LOW + change + SCHEMA + LISTS)
    assert [tool.definition["inputSchema"] for tool in server.tools] == [{"type": "object", "properties": {"k": {}}}]


OTHERS = {"texts.py": "TEXT = 'A'\n", "other.py": "import texts\n\ndef change(name):\n    setattr(texts, name, 'B')\n"}
SET = {
    "in another module": "import texts\nsetattr(texts, 'TEXT', 'B')\nfrom texts import TEXT",
    "in a function": "import texts\ndef put():\n    setattr(texts, 'TEXT', 'B')\nput()\nTEXT = texts.TEXT",
}


@pytest.mark.parametrize("source", SET.values(), ids=SET)
def test_a_name_that_is_set_under_a_text_is_known(source: str, tmp_path: Path) -> None:
    assert said(tmp_path, source, OTHERS) == "B"


NEVER_CALLED = "def set_for_tests(k, v):\n    globals()[k] = v\n"
TOOL = f"@mcp.tool()\n{FUNCTION}"
INDENTED = indent(TOOL, "    ")
SERVED = """
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount
import asyncio, uvicorn
async def main():
    manager = StreamableHTTPSessionManager(app=mcp._mcp_server)
    app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)])
    async with manager.run():
        await uvicorn.Server(uvicorn.Config(app)).serve()
asyncio.run(main())
"""
BOUND = "import logging\nclass A:\n    log = [__qualname__, __module__, __annotations__, __cached__, __spec__]\n"
HARMLESS = {
    "a function that nobody names": NEVER_CALLED + FAST + TOOL,
    "how it is reached": f"{FAST}{TOOL}manager = getattr(mcp, '_session_manager', None)\n",
    "serving it": FAST + TOOL + SERVED,
    "names that Python binds": BOUND + FAST + TOOL,
    "a mark that is set once": f"{FAST}if not getattr(mcp, '_done', False):\n    mcp._done = True\n{INDENTED}",
    "a mark that is not there yet": f"{FAST}if not hasattr(mcp, '_own'):\n    mcp._own = {{}}\n{INDENTED}",
}


@pytest.mark.parametrize("source", HARMLESS.values(), ids=HARMLESS)
def test_what_does_nothing_to_a_tool_leaves_it_certain(tmp_path: Path, source: str) -> None:
    (server,) = understood(tmp_path, server=source)
    assert [(tool.name, tool.exact, tool.conditional) for tool in server.tools] == [("a", True, None)]
    assert server.incomplete is None


def test_a_function_that_somebody_names_may_change_globals(tmp_path: Path) -> None:
    source = f"{NEVER_CALLED}TEXT = 'A'\nset_for_tests('TEXT', 'B')\n{FAST}@mcp.tool(description=TEXT)\n{FUNCTION}"
    for server in understood(tmp_path, server=source):
        assert not [tool for tool in server.tools if "description" not in tool.unknown]


SCHEMA = "TOOLS = [types.Tool(name='a', description='A', inputSchema=S)]\n"
MADE = "def made(n):\n    return types.Tool(name=n, description=n, inputSchema={'type': 'object'})\n"
CONTAINERS = {
    "that sets elements in its own way": (
        "class D(dict):\n    def __setitem__(self, k, v):\n        super().__setitem__(k, dict(v, title=k))\n"
        "p = D()\np['x'] = {'type': 'integer'}\nS = {'type': 'object', 'properties': {**p}}\n"
    ),
    "that hands on what it was given": (
        "L = []\nclass D(dict):\n    def __init__(self, **more):\n        super().__init__(**more)\n"
        "d = D(required=L)\nd['required'].append('x')\nS = {'type': 'object', 'required': L}\n"
    ),
}


@pytest.mark.parametrize("source", CONTAINERS.values(), ids=CONTAINERS)
def test_an_object_that_is_a_container_is_open(tmp_path: Path, source: str) -> None:
    (server,) = understood(tmp_path, server=LOW + source + SCHEMA + LISTS)
    assert [list(tool.unknown) for tool in server.tools] == [["inputSchema"]]


HANDLER = '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n'
GATE = "os.environ.get('EXTRA')"


def test_what_is_first_looked_at_in_a_branch_was_there_before_it(tmp_path: Path) -> None:
    listed = f"    if {GATE}:\n        TOOLS.append(made('b'))\n    return TOOLS\n"
    source = f"TOOLS = [made('a')]\n{HANDLER}{listed}"
    (server,) = understood(tmp_path, server="import os\n" + LOW + MADE + source)
    assert [(tool.name, bool(tool.conditional)) for tool in server.tools] == [("a", False), ("b", True)]


COPIED = """
from fastmcp import FastMCP
class Filtering(FastMCP):
    async def _list_tools_mcp(self):
        kept = []
        for tool in await self.list_tools():
            if self.hides(tool):
                continue
            sent = tool.to_mcp_tool(name=tool.name)
            sent.inputSchema["properties"]["x"].pop("title", None)
            kept.append(sent)
        return kept
    def hides(self, tool):
        return tool.name in __import__("os").environ
mcp = Filtering("x")
@mcp.tool
def a(x: int) -> None: "A"
"""


def test_a_copy_that_one_path_makes_and_changes_is_known(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, versions={"fastmcp": "3.4.10"}, server=COPIED)
    (tool,) = server.tools
    assert tool.exact
    assert tool.conditional
    assert tool.definition["inputSchema"]["properties"] == {"x": {"type": "integer"}}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="CPython 3.12 is the first to parse it")
def test_a_type_that_a_statement_makes_is_open(tmp_path: Path) -> None:
    text = 'type Kind = str\nPAIR = Kind | None\n@mcp.tool()\ndef f(kind: Kind) -> str:\n    "D."\n'
    (server,) = understood(tmp_path, server=FAST + text)
    assert [(tool.definition["description"], tool.exact) for tool in server.tools] == [("D.", False)]


PATTERNS = {
    "flags": ('re.sub("A", "b", "aaa", flags=re.IGNORECASE)', "bbb"),
    "flags that are joined": ('re.compile("^A", re.I | re.M).sub("b", "a" + chr(10) + "a")', "b\nb"),
    "groups": ('"-".join(re.fullmatch("([a-z]+)_(.*)", "get_user").groups())', "get-user"),
    "a function": ('re.sub("_([a-z])", lambda match: match.group(1).upper(), "get_user_id")', None),
    "without end": ('re.sub("(a+)+$", "b", "a" * 40 + "c")', None),
    "of a pattern without end": ('re.search("(a+)+$", "a" * 40 + "c") or "b"', None),
    "flags of the environment": ('re.compile("a", int(os.environ["FLAGS"])).sub("b", "aaa")', None),
}


@pytest.mark.parametrize(("expression", "text"), PATTERNS.values(), ids=PATTERNS)
def test_what_a_pattern_makes_of_a_text_is_known_or_open(tmp_path: Path, expression: str, text: str | None) -> None:
    assert said(tmp_path, f"import os, re\nTEXT = {expression}") == text


ODD_CALLS = (
    *("map(len)", "isinstance(1)", "hasattr(*[], **{})", "sorted()", "functools.reduce(len)", "getattr(TEXT)"),
    *("[].append()", "[].append(*ANY)", "[].insert(0)", "{}.get(*ANY)", "{}.pop()", "{1}.add(*ANY)", "''.join(*ANY)"),
    *("isinstance(*ANY)", "filter(*ANY)", "functools.update_wrapper(*ANY)", "delattr(TEXT)"),
)


@pytest.mark.parametrize("call", ODD_CALLS)
def test_a_call_that_fits_no_function_is_no_mistake_of_ours(tmp_path: Path, call: str) -> None:
    head = "import functools, os\nTEXT, ANY = '', os.environ.get('ANY')\n"
    text = f"{head}try:\n    X = {call}\nexcept TypeError:\n    X = 'x'\n"
    (server,) = understood(tmp_path, server=f"{text}{FAST}@mcp.tool(description=str(X))\n{FUNCTION}")
    assert [tool.name for tool in server.tools] == ["a"]


# --- a table that is filtered by gates which depend on services -------------------------------------------------------

SERVICES = """
import os, json, urllib.request
class Db:
    def __init__(self, url):
        self.conn = json.loads(urllib.request.urlopen(url).read()) if url else None
    def has(self, what):
        return self.conn is not None and what in self.conn.tables()
class Services:
    def __init__(self):
        self.db = Db(os.environ.get('DB_URL'))
        self.search_enabled = self.db.has('search')
        self.graph_enabled = bool(os.environ.get('GRAPH'))
"""
TABLE = [
    {"name": f"t{i}", "text": f"Tool {i}.", "gate": (None, "search", "graph")[i % 3], "schema": {"title": f"x{i}"}}
    for i in range(69)
]
GATED = """
from services import Services
from rows import ROWS
server = Server('x')
svc = Services()
ALL = {r['name']: types.Tool(name=r['name'], description=r['text'], inputSchema=r['schema']) for r in ROWS}
def disabled():
    out = set()
    if not svc.search_enabled:
        out |= {r['name'] for r in ROWS if r['gate'] == 'search'}
    if not svc.graph_enabled:
        out.update(r['name'] for r in ROWS if r['gate'] == 'graph')
    return out
@server.list_tools()
async def listed():
    off = disabled()
    return [t for n, t in ALL.items() if n not in off]
"""


def test_every_row_of_a_filtered_table_is_a_tool(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, services=SERVICES, rows=f"ROWS = {TABLE!r}\n", server=LOW + GATED)
    assert [
        (tool.name, tool.definition["description"], tool.definition["inputSchema"], bool(tool.conditional))
        for tool in server.tools
    ] == [(row["name"], row["text"], row["schema"], row["gate"] is not None) for row in TABLE]
    assert all(tool.exact for tool in server.tools)
    assert server.incomplete is None


# --- the order in which objects count as made -------------------------------------------------------------------------


def test_what_is_carried_out_for_a_branch_is_between_the_branch_and_all_before_it() -> None:
    births = Births()
    with births.earlier(None):
        old = next(births)
    with births.earlier(None), births.earlier(None):
        branch = next(births)
        with births.earlier(branch):
            asked = next(births)
            inner = next(births)
            with births.earlier(inner):
                asked_by_inner = next(births)
        with births.earlier(branch):
            asked_later = next(births)
        new = next(births)
    assert old < asked < asked_by_inner < inner < asked_later < branch < new
