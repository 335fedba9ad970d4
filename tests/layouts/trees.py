"""The layouts: the files of a project, and every way in which its servers are started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.layouts.living import Start, console_script, py
from tests.layouts.servers import DROP, FIND, FULL, GUARD, SDK, handlers, indented, joined, listing, module, run

PROJECT = """\
[project]
name = "notes"
version = "1"
dependencies = ["mcp==1.30.0"]
"""
SCRIPTS = PROJECT + '\n[project.scripts]\nnotes = "{}"\n'
STORE = 'PLACE = "notes.db"\n'
ONE = {"find_note": FULL["find_note"]}
OTHER = {"drop_note": FULL["drop_note"]}


@dataclass(frozen=True)
class Layout:
    """``path`` is what the command line names; ``options`` go with it."""

    files: Mapping[str, str]
    starts: tuple[Start, ...]
    path: str = "."
    options: tuple[str, ...] = ()


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
EITHER_WAY = "try:\n    from .store import PLACE\nexcept ImportError:\n    from store import PLACE"

IN_SERVE = joined(
    SDK.rstrip("\n"),
    f"""\
async def main() -> None:
    server = Server("notes")

{indented(handlers(), 1)}
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
""",
    GUARD,
)
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
BOUND_METHODS = joined(
    SDK.rstrip("\n"),
    f"""\
class Notes:
    def __init__(self) -> None:
        self._server = Server("notes")
        self._server.list_tools()(self.list_tools)
        self._server.call_tool()(self.call_tool)

    async def list_tools(self) -> list[types.Tool]:
{indented(listing(), 1)}
    async def call_tool(self, name: str, arguments: dict) -> list[types.TextContent]:
        return [types.TextContent(type="text", text=f"{{name}} {{arguments}}")]

    async def run(self) -> None:
        async with stdio_server() as (read, write):
            await self._server.run(read, write, self._server.create_initialization_options())
""",
    "async def main() -> None:\n    await Notes().run()\n",
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
PER_REQUEST = joined(
    SDK.rstrip("\n"),
    f"""\
def create_server(user: str) -> Server:
    server = Server("notes")

{indented(handlers(), 1)}
    return server


def warm_up() -> None:
    create_server("nobody")
""",
    run().replace("    async with", '    warm_up()\n    server = create_server("ada")\n    async with'),
    GUARD,
)
REGISTERED_FIRST = joined(
    SDK.rstrip("\n"),
    f"async def list_tools(request: types.ListToolsRequest) -> types.ServerResult:\n    tools = [\n"
    f"{indented(FIND + DROP, 2)}    ]\n    return types.ServerResult(types.ListToolsResult(tools=tools))\n",
    'server = Server("notes")\nserver.request_handlers[types.ListToolsRequest] = list_tools',
    handlers().partition("\n\n\n")[2],
    run(),
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
REGISTERED_BY_MAIN = {
    "pyproject.toml": PROJECT,
    "notes/__init__.py": "",
    "notes/app.py": 'from mcp.server.lowlevel import Server\n\nserver = Server("notes")\n',
    "notes/tools.py": f"import mcp.types as types\n\n\ndef register(server):\n{indented(handlers(), 1)}",
}
DERIVED = "from mcp.server.lowlevel import Server\n\n\nclass Notes(Server):\n    pass\n"
OF_BASE = (
    module().replace("from mcp.server.lowlevel import Server", "from base import Notes").replace("Server(", "Notes(")
)

LAYOUTS: dict[str, Layout] = {
    # --- one file, a package, a folder ---------------------------------------------------------------------------
    "a script": Layout({"server.py": module()}, (py("server.py"), py("-m", "server"))),
    "a script in a folder that could be a package": Layout(
        {
            "pyproject.toml": PROJECT,
            "README.md": "    python servers/notes/server.py\n    python -m servers.notes.server\n",
            "servers/notes/server.py": module(),
        },
        (py("servers/notes/server.py"), py("-m", "servers.notes.server"), py("server.py", folder="servers/notes")),
    ),
    "a package run with -m": Layout(
        {
            "pyproject.toml": PROJECT,
            "notes/__init__.py": "",
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
    "a package whose server is in __main__.py": Layout(
        {"notes/__init__.py": "", "notes/__main__.py": module(), "pyproject.toml": PROJECT},
        (py("-m", "notes"), py("notes")),
    ),
    "a package whose server is a script too": Layout(
        {
            "pyproject.toml": SCRIPTS.format("notes.server:main"),
            "README.md": "Without installing anything:\n\n    python src/notes/server.py\n",
            "src/notes/__init__.py": "",
            "src/notes/server.py": _used_by_main(module()),
        },
        (console_script("notes.server:main", ("src",)), py("src/notes/server.py")),
    ),
    "a package that imports either way": Layout(
        {
            "notes/__init__.py": "",
            "notes/store.py": STORE,
            "notes/server.py": module(EITHER_WAY),
            "pyproject.toml": PROJECT,
        },
        (py("-m", "notes.server"), py("notes/server.py"), py("server.py", folder="notes")),
    ),
    "a package that asks how it is run": Layout(
        {
            "notes/__init__.py": "",
            "notes/store.py": STORE,
            "notes/server.py": module(
                "if __package__:\n    from .store import PLACE\nelse:\n    from store import PLACE"
            ),
            "pyproject.toml": PROJECT,
        },
        (py("-m", "notes.server"), py("notes/server.py")),
    ),
    "a package that imports either way in a function": Layout(
        {
            "notes/__init__.py": "",
            "notes/store.py": STORE,
            "notes/server.py": module(
                "\n\ndef place() -> str:\n    try:\n        from .store import PLACE\n    except ImportError:\n"
                "        from store import PLACE\n    return PLACE"
            ),
            "pyproject.toml": PROJECT,
        },
        (py("-m", "notes.server"), py("notes/server.py")),
    ),
    "a package that is a script after all": Layout(
        {
            "notes/__init__.py": "",
            "notes/store.py": STORE,
            "notes/server.py": module("from store import PLACE"),
            "pyproject.toml": PROJECT,
        },
        (py("notes/server.py"),),
    ),
    "a package that puts itself on the path": Layout(
        {
            "notes/__init__.py": "from .server import server\n",
            "notes/store.py": STORE,
            "notes/server.py": module(
                "import os\nimport sys\n\nsys.path.insert(0, os.path.dirname(__file__))\n\nfrom store import PLACE"
            ),
            "pyproject.toml": PROJECT,
        },
        (py("notes/server.py"), py("-m", "notes.server")),
    ),
    "absolute imports, and a script too": Layout(
        {
            "src/notes/__init__.py": "",
            "src/notes/store.py": STORE,
            "src/notes/server.py": module("from notes.store import PLACE"),
            "pyproject.toml": SCRIPTS.format("notes.server:main"),
        },
        (py("-m", "notes.server", paths=("src",)), py("src/notes/server.py", paths=("src",))),
    ),
    "a package with modules named like others": Layout(
        {
            "notes/__init__.py": "",
            "notes/mcp/__init__.py": "",
            "notes/types.py": "KIND = 1\n",
            "notes/server.py": module("from notes.types import KIND"),
            "pyproject.toml": PROJECT,
        },
        (py("-m", "notes.server"),),
    ),
    "a package with a folder named mcp": Layout(
        {
            "notes/__init__.py": "",
            "notes/mcp/__init__.py": "",
            "notes/mcp/server.py": module(guard=""),
            "notes/__main__.py": "import asyncio\n\nfrom notes.mcp.server import main\n\nasyncio.run(main())\n",
            "pyproject.toml": PROJECT,
        },
        (py("-m", "notes"),),
    ),
    "a folder called src without __init__": Layout(
        {"src/server.py": module(), "pyproject.toml": PROJECT, "README.md": "python -m src.server, or its path\n"},
        (py("-m", "src.server"), py("src/server.py")),
    ),
    "a namespace package with relative imports": Layout(
        {"notes/store.py": STORE, "notes/server.py": module("from .store import PLACE"), "pyproject.toml": PROJECT},
        (py("-m", "notes.server"),),
    ),
    "nested packages": Layout(
        {
            "src/notes/__init__.py": "",
            "src/notes/store.py": STORE,
            "src/notes/api/__init__.py": "",
            "src/notes/api/server.py": module("from ..store import PLACE"),
            "pyproject.toml": PROJECT,
        },
        (py("-m", "notes.api.server", paths=("src",)),),
    ),
    "flat modules": Layout(
        {
            "main.py": STDIO.format("app"),
            "app.py": joined(f'{SPLIT_SERVER}\nimport store\n\nserver = Server("notes")', handlers()),
            "store.py": STORE,
            "pyproject.toml": PROJECT,
        },
        (py("main.py"),),
    ),
    "flat modules beside a stray __init__": Layout(
        {"__init__.py": "", "server.py": module(), "pyproject.toml": PROJECT}, (py("server.py"),)
    ),
    # --- several servers -----------------------------------------------------------------------------------------
    "several servers in one folder": Layout(
        {
            "pyproject.toml": PROJECT,
            "find.py": _one("find notes", FIND),
            "drop.py": _one("drop notes", DROP),
        },
        (py("find.py", tools=ONE), py("drop.py", tools=OTHER)),
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
    "made in a coroutine": Layout({"server.py": IN_SERVE}, (py("server.py"),)),
    "made in a factory": Layout({"server.py": FACTORY}, (py("server.py"),)),
    "made in a method, with methods as handlers": Layout({"server.py": BOUND_METHODS}, (py("server.py"),)),
    "a subclass that registers its handlers": Layout({"server.py": SUBCLASS_WITH_HANDLERS}, (py("server.py"),)),
    "made twice by a factory": Layout({"server.py": PER_REQUEST}, (py("server.py"),)),
    # --- where the handlers are ----------------------------------------------------------------------------------
    "a handler that is there first": Layout({"server.py": REGISTERED_FIRST}, (py("server.py"),)),
    "handlers in a module that imports the server": Layout(
        {
            "pyproject.toml": PROJECT,
            "notes/__init__.py": "",
            "notes/app.py": 'from mcp.server.lowlevel import Server\n\nserver = Server("notes")\n',
            "notes/tools.py": joined("import mcp.types as types\n\nfrom .app import server", handlers()),
            "notes/__main__.py": STDIO.format(".app").replace(
                "import server\n", "import server\nfrom . import tools\n"
            ),
        },
        (py("-m", "notes"),),
    ),
    "handlers that only the main function registers": Layout(
        {
            **REGISTERED_BY_MAIN,
            "notes/__main__.py": STDIO.format(".app")
            .replace("import server\n", "import server\nfrom .tools import register\n", 1)
            .replace("main() -> None:\n", "main() -> None:\n    register(server)\n", 1),
        },
        (py("-m", "notes"),),
    ),
    "a class derived in another module of a package": Layout(
        {
            "pyproject.toml": PROJECT,
            "notes/__init__.py": "",
            "notes/base.py": DERIVED,
            "notes/server.py": OF_BASE.replace("from base", "from .base"),
        },
        (py("-m", "notes.server"),),
    ),
    "handlers registered by a function elsewhere": Layout(
        {
            "pyproject.toml": PROJECT,
            "tools.py": joined(
                "import mcp.types as types\nfrom mcp.server.lowlevel import Server",
                f"def register(server: Server) -> None:\n{indented(handlers(), 1)}",
            ),
            "server.py": joined(
                f'{SDK}\nimport tools\n\nserver = Server("notes")\ntools.register(server)', run(), GUARD
            ),
        },
        (py("server.py"),),
    ),
    "handlers of a class that is handed the server": Layout(
        {
            "server.py": joined(
                SDK.rstrip("\n"),
                "class Handlers:\n    def __init__(self, server: Server) -> None:\n        self.server = server\n\n"
                f"    def setup_handlers(self) -> None:\n{indented(handlers('self.server'), 2)}",
                'server = Server("notes")\nHandlers(server).setup_handlers()',
                run(),
                GUARD,
            )
        },
        (py("server.py"),),
    ),
}


def _made(expression: str) -> Layout:
    """A script that makes its server in another way."""
    source = module().replace('server = Server("notes")', expression)
    return Layout({"server.py": source}, (py("server.py"),))


def _named(line: str, name: str) -> Layout:
    """A script that knows the SDK's class by another name."""
    source = module().replace("from mcp.server.lowlevel import Server", line).replace("= Server(", f"= {name}(")
    return Layout({"server.py": source}, (py("server.py"),))


LAYOUTS |= {
    "the class under another name": _named("from mcp.server.lowlevel import Server as Sdk", "Sdk"),
    "the class by its whole name": _named("import mcp.server.lowlevel", "mcp.server.lowlevel.Server"),
    "annotated": _made('server: Server = Server("notes")'),
    "made on several lines": _made('server = Server(\n    "notes",\n    version="1",  # first\n)'),
    "made between semicolons": _made('X = 1; server = Server("notes"); Y = 2'),
    "made where a global is declared": _made(
        'server = None\n\n\ndef init() -> None:\n    global server\n    server = Server("notes")\n\n\ninit()'
    ),
    "made in a list": _made('servers = [Server("notes")]\nserver = servers[0]'),
    "an attribute of a class": _made('class App:\n    server = Server("notes")\n\n\nserver = App.server'),
    "a default": _made('def same(server=Server("notes")):\n    return server\n\n\nserver = same()'),
    "one of two": _made(
        'import os\n\nif "NOTES" in os.environ:\n    server = Server("notes", "2")\nelse:\n    server = Server("notes")'
    ),
}
