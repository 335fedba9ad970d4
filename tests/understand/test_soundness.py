"""Servers that change what they list in ways that are easy to overlook: a claim must equal what each really sends.

What each one sends was found by running it.  ``SETTLED`` are followed to the end; of ``OPEN`` nothing wrong is claimed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.understand.sources import FAST, LOW, understood

TABLE = LOW + 'TOOLS = [types.Tool(name="a", description="A", inputSchema={"type": "object"})]\n'
LISTS = '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n    return TOOLS\n'
SCHEMA = LOW + 'SCHEMA = {"type": "object", "properties": {}}\n'
SHOWS = (
    '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n'
    '    return [types.Tool(name="a", description="A", inputSchema=SCHEMA)]\n'
)
TEXT = LOW + 'TEXT = "A"\n'
SAYS = (
    '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n'
    '    return [types.Tool(name="a", description=TEXT, inputSchema={"type": "object"})]\n'
)


FUNCTION = 'def a(x: int) -> str:\n    "A"\n'
CLASS = LOW + (
    'class Maker:\n    text = "A"\n    def made(self):\n'
    '        return types.Tool(name="a", description=self.text, inputSchema={"type": "object"})\n'
)
MAKES = '\nserver = Server("x")\n@server.list_tools()\nasync def listed():\n    return [Maker().made()]\n'

SETTLED = {
    "alias in a function": (TABLE + "def tweak():\n    t = TOOLS\n    t[0].description = 'B'\ntweak()" + LISTS, "B"),
    "alias of an element": (TABLE + "first = TOOLS[0]\nfirst.description = 'B'" + LISTS, "B"),
    "alias by unpacking": (TABLE + "(first,) = TOOLS\nfirst.description = 'B'" + LISTS, "B"),
    "alias in a loop": (TABLE + "for each in TOOLS:\n    each.description = 'B'" + LISTS, "B"),
    "alias in a dict": (TABLE + "by = {t.name: t for t in TOOLS}\nby['a'].description = 'B'" + LISTS, "B"),
    "changed by a lambda": (TABLE + "f = lambda t: setattr(t, 'description', 'B')\nf(TOOLS[0])" + LISTS, "B"),
    "replaced in the list": (TABLE + "TOOLS[0] = TOOLS[0].model_copy(update={'description': 'B'})" + LISTS, "B"),
    "changed by the handler": (TABLE + LISTS.replace("    return", "    TOOLS[0].description = 'B'\n    return"), "B"),
    "bound again": (LOW + 'N = 1\nTEXT = f"count {N}"\nN = 2' + SAYS, "count 1"),
    "bound in a function": (TEXT + "def tweak():\n    global TEXT\n    TEXT = 'B'\ntweak()" + SAYS, "B"),
    "bound anew before a branch that asks": (
        LOW + "import os\nN = 'A'\nFIRST = N\nN = 'B'\nif os.environ.get('M'):\n    OTHER = FIRST\n    TEXT = N\n"
        "else:\n    OTHER = FIRST\n    TEXT = N" + SAYS,
        "B",
    ),
    "bound by a loop": (TEXT + "for TEXT in ('B', 'C'):\n    pass" + SAYS, "C"),
    "closure over a loop": (LOW + "F = []\nfor d in 'AB':\n    F.append(lambda: d)\nTEXT = F[0]()" + SAYS, "B"),
    "class changed from outside": (CLASS + "Maker.text = 'B'" + MAKES, "B"),
    "class changed by text": (CLASS + "setattr(Maker, 'text', 'B')" + MAKES, "B"),
    "method replaced": (CLASS + "Maker.made = lambda self: TOOLS[0]\n" + TABLE.replace('"A"', '"B"') + MAKES, "B"),
    "docstring set": (FAST + FUNCTION + "a.__doc__ = 'B'\nmcp.add_tool(a)", "B"),
    "changed once the SDK has refused an object": (
        FAST
        + "class Own: ...\nTEXT = 'A'\ntry:\n    mcp.tool()(Own())\nexcept AttributeError:\n    TEXT = 'B'\n"
        + f"@mcp.tool(description=TEXT)\n{FUNCTION}",
        "B",
    ),
}
CHANGED_SCHEMA = {"type": "object", "properties": {"k": {"type": "string"}}}
SCHEMAS = {
    "part passed out": "def add(s):\n    s['properties']['k'] = {'type': 'string'}\nadd(SCHEMA)",
    "part named": "p = SCHEMA['properties']\np['k'] = {'type': 'string'}",
    "part got": "p = SCHEMA.get('properties')\np.update(k={'type': 'string'})",
    "shared by a copy": "B = {**SCHEMA}\nB['properties']['k'] = {'type': 'string'}",
    "shared by dict()": "B = dict(SCHEMA)\nB['properties']['k'] = {'type': 'string'}",
    "part of a list": "L = [SCHEMA]\nL[0]['properties'].setdefault('k', {'type': 'string'})",
}
OPEN = {
    "bound in branches, and anew": (
        LOW
        + "import os\nif os.environ.get('M'):\n    TEXT = 'A'\nelse:\n    TEXT = 'B'\nSHOWN = TEXT\nTEXT = 'C'"
        + SAYS.replace("=TEXT", "=(TEXT, SHOWN)[1]")
    ),
    "set on the module": TEXT + "import sys\nsetattr(sys.modules[__name__], 'TEXT', 'B')" + SAYS,
    "set on the module by a name": TEXT + "import sys\nm = sys.modules[__name__]\nm.TEXT = 'B'" + SAYS,
    "set among the globals": TEXT + "globals()['TEXT'] = 'B'" + SAYS,
    "updated globals": TEXT + "globals().update(TEXT='B')" + SAYS,
    "executed": TEXT + "exec('TEXT = \"B\"')" + SAYS,
    "raises in try, in a function": TEXT
    + "import os\ndef look():\n    global TEXT\n    try:\n        os.environ['NOT_THERE']\n        TEXT = 'C'\n"
    + "    except KeyError:\n        TEXT = 'B'\nlook()"
    + SAYS,
    "attributes intercepted": CLASS
    + "class Other(Maker):\n    def __getattribute__(self, n):\n"
    + "        return 'B' if n == 'text' else object.__getattribute__(self, n)\n"
    + MAKES.replace("Maker()", "Other()"),
}


@pytest.mark.parametrize(("source", "sent"), SETTLED.values(), ids=SETTLED)
def test_a_changed_description_is_the_one_that_is_sent(tmp_path: Path, source: str, sent: str) -> None:
    (server,) = understood(tmp_path, server=source)
    (tool,) = server.tools
    assert tool.definition["description"] == sent
    assert tool.conditional is None
    assert server.incomplete is None


@pytest.mark.parametrize("change", SCHEMAS.values(), ids=SCHEMAS)
def test_a_changed_schema_is_the_one_that_is_sent(tmp_path: Path, change: str) -> None:
    (server,) = understood(tmp_path, server=SCHEMA + change + SHOWS)
    assert [tool.definition["inputSchema"] for tool in server.tools] == [CHANGED_SCHEMA]


@pytest.mark.parametrize("source", OPEN.values(), ids=OPEN)
def test_what_is_not_followed_is_not_claimed(tmp_path: Path, source: str) -> None:
    for server in understood(tmp_path, server=source):
        assert not [tool for tool in server.tools if "description" not in tool.unknown]
        assert server.tools or server.incomplete


def test_a_lifespan_adds_what_was_seen_to_be_added_to_another_server(tmp_path: Path) -> None:
    source = (
        "from contextlib import asynccontextmanager\nfrom mcp.server.fastmcp import FastMCP\n"
        + FUNCTION
        + "def fill(server):\n    server.add_tool(a)\n@asynccontextmanager\nasync def living(app):\n    fill(app)\n"
        "    yield {}\nmcp = FastMCP('x', lifespan=living)\nfill(FastMCP('y'))\nmcp.run()\n"
    )
    for server in understood(tmp_path, server=source):
        assert server.incomplete is not None
        assert "the lifespan of the server calls add_tool()" in server.incomplete


def test_another_module_changes_a_table(tmp_path: Path) -> None:
    table = "import mcp.types as types\n" + TABLE.removeprefix(LOW)
    source = LOW + "from table import TOOLS\nimport patch\n" + LISTS
    (server,) = understood(
        tmp_path, server=source, table=table, patch="import table\nx = table.TOOLS\nx[0].description = 'B'"
    )
    assert [tool.definition["description"] for tool in server.tools] == ["B"]


def test_a_while_loop_makes_tools(tmp_path: Path) -> None:
    made = (
        LOW
        + 'TOOLS = []\ni = 0\nwhile i < 2:\n    TOOLS.append(types.Tool(name=f"t{i}", inputSchema={}))\n    i += 1\n'
    )
    (server,) = understood(tmp_path, server=made + LISTS)
    assert [tool.name for tool in server.tools] == ["t0", "t1"]


def test_the_order_of_a_set_is_not_claimed(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, server=LOW + 'TEXT = ",".join({"a", "b"})' + SAYS)
    assert [list(tool.unknown) for tool in server.tools] == [["description"]]


GATED = """
class Services:
    def __init__(self, settings):
        self.db = settings.connect()
        self.has_search = self.db.has("search")

ROWS = [("plain", "Plain.", None), ("search", "Search.", "has_search"), ("other", "Other.", None)]
SERVICES = Services(__import__("settings"))

def tools():
    made = []
    for name, text, gate in ROWS:
        if gate and not getattr(SERVICES, gate):
            continue
        made.append(types.Tool(name=name, description=text, inputSchema={"type": "object"}))
    return made
TOOLS = tools()
"""


def test_a_table_with_gates_marks_the_gated_tools(tmp_path: Path) -> None:
    (server,) = understood(tmp_path, server=LOW + GATED + LISTS)
    assert [tool.name for tool in server.tools] == ["plain", "search", "other"]
    assert [tool.exact for tool in server.tools] == [True] * 3
    assert [bool(tool.conditional) for tool in server.tools] == [False, True, False]
