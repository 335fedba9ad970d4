"""Every layout from end to end: migrated, started as it is started, asked over the wire, taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.layouts.living import Start, check_round_trip, console_script, py
from tests.layouts.servers import DROP, FIND, FULL, GUARD, SDK, handlers, indented, joined, module, run
from tests.support.files import write

PROJECT = """\
[project]
name = "notes"
version = "1"
dependencies = ["mcp==1.30.0"]
"""
SCRIPTS = PROJECT + '\n[project.scripts]\nnotes = "{}"\n'
ONE = {"find_note": FULL["find_note"]}
OTHER = {"drop_note": FULL["drop_note"]}


@dataclass(frozen=True)
class Layout:
    """The files of a project, and the ways in which its servers are started."""

    files: Mapping[str, str]
    starts: tuple[Start, ...]


SPLIT_SERVER = SDK.replace("import asyncio\n\n", "").replace("from mcp.server.stdio import stdio_server\n", "")

FACTORY = joined(
    SDK.rstrip("\n"),
    f"""\
def create_server() -> Server:
    server = Server("notes")

{indented(handlers(), 1)}
    return server
""",
    run().replace("    async with", "    server = create_server()\n    async with"),
    GUARD,
)
STDIO = joined("import asyncio\n\nfrom mcp.server.stdio import stdio_server\n\nfrom {} import server", run(), GUARD)
LAYOUTS: dict[str, Layout] = {
    "a script": Layout({"server.py": module()}, (py("server.py"), py("-m", "server"))),
    "a package run with -m, with modules named like others": Layout(
        {
            "pyproject.toml": PROJECT,
            **dict.fromkeys(("notes/__init__.py", "notes/mcp/__init__.py", "notes/types.py"), ""),
            "notes/__main__.py": "import asyncio\n\nfrom .server import main\n\nasyncio.run(main())\n",
            "notes/server.py": module(guard=""),
        },
        (py("-m", "notes"),),
    ),
    "a package run by its console script": Layout(
        {
            "pyproject.toml": SCRIPTS.format("notes:main"),
            "src/notes/__init__.py": "import asyncio\n\nfrom . import server\n\n\ndef main() -> None:\n"
            "    asyncio.run(server.main())\n",
            "src/notes/server.py": module(guard=""),
        },
        (console_script("notes:main", ("src",)),),
    ),
    "several servers in one file": Layout(
        {
            "pyproject.toml": PROJECT,
            "server.py": joined(
                f'{SDK}import sys\n\nfinder = Server("find")\ndropper = Server("drop")',
                handlers("finder", FIND),
                handlers("dropper", DROP)
                .replace("def list_tools", "def list_more")
                .replace("def call_", "def call_a_"),
                run("finder if sys.argv[1] == 'find' else dropper")
                .replace("await finder", "await (finder")
                .replace("dropper.run", "dropper).run")
                .replace("write, finder", "write, (finder")
                .replace("dropper.create", "dropper).create"),
                GUARD,
            ),
        },
        (py("server.py", "find", tools=ONE), py("server.py", "drop", tools=OTHER)),
    ),
    "two entry points for one server": Layout(
        {
            "pyproject.toml": PROJECT,
            "notes/__init__.py": "",
            "notes/app.py": joined(f'{SPLIT_SERVER}\nserver = Server("notes")', handlers()),
            "notes/stdio.py": STDIO.format(".app"),
            "notes/again.py": STDIO.format("notes.app"),
        },
        (py("-m", "notes.stdio"), py("-m", "notes.again")),
    ),
}


ALONE = ("a script", "a package run with -m, with modules named like others", "a package run by its console script")
"""One of each way to start a server, and that in which a module could stand in the way of a library."""


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout(name: str, tmp_path: Path) -> None:
    layout = LAYOUTS[name]
    root = write(tmp_path / "project", layout.files)
    check_round_trip(root, layout.starts, alone=name in ALONE)
