"""The layouts: the files of a project, and every way in which its servers are started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.layouts.living import Start, console_script, py
from tests.layouts.servers import DROP, FIND, FULL, GUARD, SDK, handlers, indented, joined, module, run

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


def _used_by_main(source: str) -> str:
    """A module whose ``main`` is a plain function, as console scripts need it."""
    return (
        source.replace("async def main", "async def serve")
        .replace("asyncio.run(main())", "main()")
        .replace(
            'if __name__ == "__main__":',
            'def main() -> None:\n    asyncio.run(serve())\n\n\nif __name__ == "__main__":',
        )
    )


def _one(name: str, tools: str, *, server: str = "server") -> str:
    """A whole module with some of the tools."""
    head = f'{SDK}\n{server} = Server("{name}")'
    return joined(head, handlers(server, tools), run(server), GUARD)


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
SUBCLASS_WITH_HANDLERS = joined(
    SDK.rstrip("\n"),
    f"""\
class NotesServer(Server):
    def __init__(self) -> None:
        super().__init__("notes")
        self.setup_handlers()

    def setup_handlers(self) -> None:
{indented(handlers("self"), 2)}""",
    "async def main() -> None:\n    server = NotesServer()\n" + run().split("\n", 1)[1],
    GUARD,
)
HTTP = """\
import contextlib
import socket

import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.routing import Mount

from {} import server


def main() -> None:
    manager = StreamableHTTPSessionManager(app=server)

    @contextlib.asynccontextmanager
    async def lifespan(_app):
        async with manager.run():
            yield

    app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=lifespan)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listener])


if __name__ == "__main__":
    main()
"""
STDIO = joined("import asyncio\n\nfrom mcp.server.stdio import stdio_server\n\nfrom {} import server", run(), GUARD)
LAYOUTS: dict[str, Layout] = {
    # --- one file, a package, a folder ---------------------------------------------------------------------------
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
    "a package whose server is in __init__.py": Layout(
        {"pyproject.toml": SCRIPTS.format("notes:main"), "notes/__init__.py": _used_by_main(module())},
        (console_script("notes:main", (".",)), py("-c", "import notes; notes.main()")),
    ),
    # --- several servers -----------------------------------------------------------------------------------------
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
    "a monorepo, all of it": Layout(
        {
            "pyproject.toml": "[tool.uv.workspace]\nmembers = ['packages/*']\n",
            "packages/find/pyproject.toml": PROJECT.replace("notes", "find"),
            "packages/find/src/find/__init__.py": "",
            "packages/find/src/find/server.py": _one("find", FIND),
            "packages/drop/pyproject.toml": PROJECT.replace("notes", "drop"),
            "packages/drop/drop/__init__.py": "",
            "packages/drop/drop/server.py": _one("drop", DROP),
        },
        (
            py("-m", "find.server", paths=("packages/find/src",), tools=ONE),
            py("-m", "drop.server", folder="packages/drop", tools=OTHER),
        ),
    ),
    "two entry points for one server": Layout(
        {
            "pyproject.toml": PROJECT,
            "notes/__init__.py": "",
            "notes/app.py": joined(f'{SPLIT_SERVER}\nserver = Server("notes")', handlers()),
            "notes/stdio.py": STDIO.format(".app"),
            "notes/http.py": HTTP.format("notes.app"),
        },
        (py("-m", "notes.stdio"),),
    ),
    # --- where the server is made --------------------------------------------------------------------------------
    "a subclass that registers its handlers": Layout({"server.py": SUBCLASS_WITH_HANDLERS}, (py("server.py"),)),
}
