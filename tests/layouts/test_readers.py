"""Other readers of the definitions, tests above all: what they read stays in code, and what would break is named."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.bad_input.cases import check_said
from tests.layouts.living import migrated
from tests.layouts.servers import DROP, FIND, GUARD, SDK, handlers, joined, module, run
from tests.layouts.test_layouts import FACTORY, PROJECT
from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.environments import MCP1, MCP2, environment
from tests.support.files import tree, write
from tests.support.processes import run as run_process

CALL = handlers().partition("\n\n\n")[2]
CONSTANT = joined(
    f"{SDK}\nTOOLS = [\n" + "".join(f"    {line}\n" for line in (FIND + DROP).splitlines()) + "]",
    'server = Server("notes")',
    "@server.list_tools()\nasync def list_tools() -> list[types.Tool]:\n    return TOOLS\n",
    CALL,
    run(),
    GUARD,
)
PACKAGE = {"pyproject.toml": PROJECT, "notes/__init__.py": "", "notes/server.py": CONSTANT}
IN_HANDLER = {**PACKAGE, "notes/server.py": module()}
KEPT = "found 2 = moved 0 + stubbed 2 + skipped 0 + failed 0\n"
MOVED = "found 2 = moved 2 + stubbed 0 + skipped 0 + failed 0\n"

TEST = "tests/test_it.py"
CHECKED = CONSTANT.replace(
    "    return [types.TextContent", "    assert name in {tool.name for tool in TOOLS}\n    return [types.TextContent"
)
READERS = {
    "another module": (
        PACKAGE,
        "notes/schemas.py",
        "from .server import TOOLS\n\nSCHEMAS = {tool.name: tool.inputSchema for tool in TOOLS}\n",
        "TOOLS is used in notes/schemas.py too",
    ),
    "the same module, elsewhere": (PACKAGE, "notes/server.py", CHECKED, "TOOLS is read outside the list handler"),
    "a test imports the constant": (
        PACKAGE,
        TEST,
        "from notes.server import TOOLS\n\ndef test_it():\n    assert 'newest' in TOOLS[0].description\n",
        "shortened when listed (TOOLS is used in tests/test_it.py too); its definition stays in your code",
    ),
    "a test calls the handler of the module": (
        IN_HANDLER,
        TEST,
        "import asyncio\nimport notes.server as s\n\ndef test_it():\n    asyncio.run(s.list_tools())\n",
        "(the list handler list_tools is used in tests/test_it.py too); its definition stays in your code",
    ),
    "everything is imported": (
        PACKAGE,
        TEST,
        "from notes.server import *\n\ndef test_it():\n    assert TOOLS\n",
        "shortened when listed (",
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_what_somebody_else_reads_stays_in_code(name: str, tmp_path: Path) -> None:
    files, path, text, reason = READERS[name]
    root = write(tmp_path, {**files, path: text})
    before = tree(root)
    ran = migrated(root)
    check_said(ran, root, (reason, KEPT))
    after = tree(root)["notes/server.py"].decode()
    changes = [*difflib.ndiff(before["notes/server.py"].decode().splitlines(), after.splitlines())]
    assert not [line for line in changes if line.startswith("- ")]
    assert {"try:", "except ImportError:", ""} >= {
        line[2:] for line in changes if line[:2] == "+ " and "enable" not in line
    }


NO_READERS = {
    "the same name of another module": "from other import TOOLS, list_tools\n",
    "a word in a text": "TEXT = 'notes.server TOOLS list_tools'\n",
}


@pytest.mark.parametrize("name", NO_READERS)
def test_what_reads_something_else_holds_nothing_back(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**PACKAGE, "tests/test_it.py": NO_READERS[name]})
    check_said(migrated(root), root, (MOVED,))


HANDLED = (
    "import mcp.types as types\nfrom notes.server import server\n\n\nasync def test_it():\n"
    "    result = await server.request_handlers[types.ListToolsRequest](None)\n"
)
COMPARED = 'def test_it(send, snapshot):\n    assert send({"method": "tools/list"}) == snapshot\n'
CALLED = "async def test_it(session):\n    assert not (await session.call_tool('add_note', {'text': 'x'})).isError\n"
NAMED = {
    "asks by its handler": ("tests/test_it.py", 6, HANDLED),
    "asks over the wire": ("tests/test_it.py", 2, COMPARED),
    "asks by a call": ("conftest.py", 2, CALLED),
    "replaces a module": ("tests/test_it.py", 1, "sys.modules['mcp.server'] = fake\n"),
    "replaces a module by a fixture": ("tests/test_it.py", 1, "m.setitem(sys.modules, 'fastmcp', None)\n"),
    "replaces modules": ("tests/test_it.py", 1, "mock.patch.dict('sys.modules', {'a': 1, 'mcp': 2})\n"),
}


@pytest.mark.parametrize("name", NAMED)
def test_a_test_that_may_fail_afterwards_is_named_before_anything_is_written(name: str, tmp_path: Path) -> None:
    path, line, text = NAMED[name]
    warning = "PD534 warning: tests ask a server or replace its SDK, in 1 line: "
    hint = "hint: they get stubs, and calls before a fetch are refused: "
    root = write(tmp_path, {**IN_HANDLER, path: text})
    before = tree(root)
    check_said(pdmigrate("apply", "--all", root, *VERSIONS), root, (f"{path}:{line}: {warning}", hint, "1 warning"))
    assert tree(root) == before
    check_said(migrated(root), root, (f"{path}:{line}: {warning}", MOVED))
    again = pdmigrate("apply", "--all", root, "--check", *VERSIONS)
    assert (again.status, warning[:5] in again.stderr) == (0, False)


NOT_NAMED = {
    "a module is read": ("project/tests/test_it.py", "import sys\n\nassert 'mcp' in sys.modules\n"),
    "a comment": ("project/tests/test_it.py", "# sys.modules['mcp'] = fake\n"),
    "no test": ("project/notes/client.py", CALLED),
    "a test of another project": ("other/tests/test_it.py", CALLED),
}


@pytest.mark.parametrize("name", NOT_NAMED)
def test_nothing_else_is_named(name: str, tmp_path: Path) -> None:
    path, text = NOT_NAMED[name]
    files = {f"project/{file}": content for file, content in IN_HANDLER.items()}
    root = write(tmp_path, {**files, "other/pyproject.toml": PROJECT, path: text})
    said = pdmigrate("apply", "--all", root, *VERSIONS).stderr
    assert "PD534" not in said


FAKE = """\
class Fake:
    def __init__(self, name):
        self.name = name

    def list_tools(self):
        return lambda handler: handler

    call_tool = tool = list_tools
"""
STAND_INS = {
    "a class of the test": FAKE,
    "a class that has any attribute": FAKE + "    __getattr__ = lambda self, name: self.list_tools\n",
}
DECORATED = (
    "from mcp.server.mcpserver import MCPServer as Server\n\n\ndef create_server():\n    server = Server('notes')\n\n"
    "    @server.tool()\n    def find_note(text: str) -> str:\n        return text\n\n    return server\n"
)
MADE = "import notes.server\n\nnotes.server.Server = Fake\nnotes.server.create_server()\nprint('made')\n"
MAJORS = {"mcp 1.x": (FACTORY, MCP1), "mcp 2.x": (DECORATED, MCP2)}


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize("name", STAND_INS)
def test_what_stands_in_for_a_server_passes_through(name: str, major: str, tmp_path: Path) -> None:
    source, pins = MAJORS[major]
    files = {"notes/__init__.py": "", "notes/server.py": source, "tests/fake_it.py": STAND_INS[name] + MADE}
    root = write(tmp_path, files)
    versions = (word for pin in pins[:2] for word in ("--sdk", pin))
    ran = pdmigrate("apply", root, "--write", "--all", *versions)
    assert (ran.status, "PD534" in ran.stderr) == (0, False), ran.stderr
    assert run_process(environment(pins), "tests/fake_it.py", cwd=root, env={"PYTHONPATH": str(root)}) == "made\n"
