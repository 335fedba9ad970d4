"""Values that the report tests render: one server with a tool of every kind."""

from __future__ import annotations

from pdmigrate.findings import finding
from pdmigrate.model import (
    Anchor,
    Fate,
    FileChange,
    FileKind,
    Fixed,
    Inventory,
    Known,
    Movable,
    Outcome,
    Plan,
    Sdk,
    Server,
    Site,
    Span,
    Step,
    Tool,
    Unknown,
)

FILE = "pkg/server.py"
SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}}}

EXACT = Tool(
    fields={
        "inputSchema": Known(SCHEMA, (Step("literal", Site(FILE, 42)),)),
        "name": Known("read_query"),
        "description": Known(
            "Run a SELECT.", (Step("literal", Site(FILE, 41)), Step("dedented by textwrap.dedent", Site(FILE, 40)))
        ),
        "x-extra": Known(True),
    },
    site=Site(FILE, 40),
    declaration=Movable({"description": Span(FILE, 10, 20)}),
)
UNSETTLED = Tool(
    fields={
        "name": Known("convert_time"),
        "description": Unknown("read from a file", "PD101", site=Site(FILE, 51)),
        "inputSchema": Unknown("depends on the platform", "PD102", path="properties.tz.default"),
    },
    site=Site(FILE, 50),
    declaration=Fixed("its description is computed", "PD101", Site(FILE, 51)),
    conditional="listed only when DEBUG is set",
    findings=(finding("PD101", "this is odd", site=Site(FILE, 51), tool="convert_time"),),
)
NAMELESS = Tool({"name": Unknown("built from the environment", "PD103")}, Site(FILE, 60), Fixed("no name", "PD103"))

SERVER = Server(
    dialect="mcp1-lowlevel",
    site=Site(FILE, 31),
    name="sqlite",
    sdk=Sdk("mcp", "1.30.0", "lock", "2.14.3"),
    anchor=Anchor(Span(FILE, 0, 1), "server"),
    tools=(EXACT, UNSETTLED, NAMELESS),
    incomplete="add_tool is called with a value that is not known",
)
NOWHERE = finding("PD803", "pyproject.toml cannot be read")
HERE = finding("PD106", "pkg/deep.py is nested too deeply", site=Site("pkg/deep.py", 1))
INVENTORY = Inventory((SERVER,), (HERE, NOWHERE), (FILE,))

PLAN = Plan(
    changes=(
        FileChange(FILE, b"a\n", b"b\n", FileKind.CODE, "enable the server"),
        FileChange("pkg/tool_descriptions/read_query.json", None, b"{}\n", FileKind.DESCRIPTION, "describe read_query"),
        FileChange("pkg/old.json", b"{}\n", None, FileKind.DESCRIPTION, "no such tool any more"),
        FileChange("pkg/same.py", b"a\n", b"a\n", FileKind.CODE, "nothing"),
    ),
    outcomes=(
        Outcome("sqlite", "read_query", Fate.MOVED, "", 1200, 150),
        Outcome("sqlite", "convert_time", Fate.STUBBED, "its description is computed", 300, 100),
        Outcome("other", "left", Fate.SKIPPED, "not selected"),
        Outcome("sqlite", "broken", Fate.FAILED, "both sides changed"),
    ),
    findings=(HERE, NOWHERE),
    notes=("stdio: all eight criteria of the specification hold",),
)
