"""Where a server may be made: which calls are certainly those of another library, and where its class is handed on."""

from __future__ import annotations

from pathlib import Path

import pytest

from pdmigrate.recognise.source.sites import call_sites, hands_on, of_other_library, passed_on
from pdmigrate.recognise.world import World
from pdmigrate.tree.code.whole import Whole
from tests.support.files import write

OTHER = {
    "a module": "import uvicorn\nuvicorn.Server(None)\n",
    "a module under another name": "import uvicorn as web\nweb.Server(None)\n",
    "a module of a package": "import grpc.aio\ngrpc.aio.Server(None)\n",
    "a class": "from uvicorn import Server\nServer(None)\n",
    "a class under another name": "from uvicorn import Web as Server\nServer(None)\n",
    "an import in a function": "def main():\n    import uvicorn\n    uvicorn.Server(None)\n",
    "used otherwise as well": (
        "import uvicorn\ndef main(config: uvicorn.Config) -> uvicorn.Server:\n    uvicorn.run(1)\n"
        "    return uvicorn.Server(config)\n"
    ),
    "a class in annotations": "from uvicorn import Server\ndef main(old: Server) -> Server:\n    return Server(None)\n",
    "imported twice": "import uvicorn\ndef main():\n    from uvicorn import Server\n    return Server(None)\n",
}
PERHAPS_OURS = {
    "the SDK": "from mcp.server import Server\nServer('x')\n",
    "the SDK as a module": "import mcp.server\nmcp.server.Server('x')\n",
    "a module of the tree": "import own\nown.Server('x')\n",
    "a class of the tree": "from own import Server\nServer('x')\n",
    "a class of the same package": "from .own import Server\nServer('x')\n",
    "nothing is imported": "Server('x')\n",
    "not a name": "make().Server('x')\n",
    "one of two": (
        "try:\n    from mcp.server import Server\nexcept ImportError:\n    from other import Server\nServer('x')\n"
    ),
    "bound again": "import uvicorn\nimport mcp.server\nuvicorn = mcp.server\nuvicorn.Server('x')\n",
    "a parameter of that name": "import uvicorn\ndef main(uvicorn):\n    uvicorn.Server('x')\n",
    "a loop": "import uvicorn\nfor uvicorn in KINDS:\n    uvicorn.Server('x')\n",
    "patched": "import uvicorn\nfrom mcp import server\nuvicorn.Server = server.Server\nuvicorn.Server('x')\n",
    "unpatched": "import uvicorn\ndel uvicorn.Server\nuvicorn.Server('x')\n",
    "handed on": "import uvicorn\nprepare(uvicorn)\nuvicorn.Server('x')\n",
    "everything": "from uvicorn import *\nServer('x')\n",
    "a definition of that name": "from uvicorn import Server\nclass Server: ...\nServer('x')\n",
}
HANDED_ON = {
    "a name": "from mcp.server import Server\nmake = Server\n",
    "a name with a dot": "make = sdk.Server\n",
    "a name with a type": "make: type = sdk.Server\n",
    "in a class": "class Kinds:\n    one = mcp.server.Server\n",
    "in a dict": "KINDS = {'x': sdk.Server}\n",
    "in a list": "for kind in [sdk.Server]:\n    kind('x')\n",
    "to a function": "make = partial(sdk.Server, 'x')\n",
    "as a default": "def make(kind=sdk.Server):\n    return kind('x')\n",
    "as a default of a lambda": "make = lambda kind=sdk.Server: kind('x')\n",
    "as a result": "def kind():\n    return sdk.Server\n",
}
STAYS = {
    "an import": "from mcp.server import Server\n",
    "a call": "sdk.Server('x')\n",
    "a call that is kept": "server = sdk.Server('x')\n",
    "an annotation": "def run(server: sdk.Server) -> sdk.Server: ...\n",
    "a type of a name": "server: sdk.Server\n",
    "a name that is bound": "sdk.Server: int = 1\n",
    "a parameter of that name": "def run(Server): ...\n",
    "what it has": "name = Server.name\n",
    "what something else of that name has": "make = Server.make\n",
}
BY_TEXT = {
    "looked up": "import sdk\nserver = getattr(sdk, 'FastMCP')('x')\n",
    "looked up by a function of the tree": "from own import load\nserver = load('FastMCP')('x')\n",
    "kept first": "from own import load\nmake = load('FastMCP')\nserver = make('x')\n",
    "bound again": "from own import load\nload = load('FastMCP')\nserver = load('x')\n",
    "by a module's function": "import own\nserver = own.load('FastMCP')\n",
    "by a library": "from library import load\nserver = load('FastMCP')\n",
    "by a name of the tree that is looked up, too": "from own import found\nserver = found('FastMCP')\n",
    "by a function with two definitions": "from own import twice\nserver = twice('FastMCP')\n",
    "by all that is imported": "from own import *\nserver = load('FastMCP')\n",
}
AS_DATA = {
    "nothing is called": "KNOWN = {'FastMCP': 'tool'}\n",
    "for a class of the tree": "from own import Table\nKNOWN = Table({'FastMCP': Table({'tool': None})})\n",
    "for a function of the tree": "from own import load\nKNOWN: tuple[str, ...] = load('FastMCP')\n",
    "for a class under another name": "from own import Table as Known\nKNOWN = Known({'FastMCP': 'tool'})\n",
}


def _judged(folder: Path, source: str) -> list[bool]:
    write(folder, {"app.py": source, "own.py": "from mcp.server import Server\n"})
    world = World(Whole(folder, ("app.py", "own.py")))
    module = world.index.at("app.py")
    return [of_other_library(world, site) for site in call_sites(module, frozenset({"Server"}))]


@pytest.mark.parametrize("source", OTHER.values(), ids=OTHER)
def test_what_only_comes_from_a_library_is_its_own(tmp_path: Path, source: str) -> None:
    assert _judged(tmp_path, source) == [True]


@pytest.mark.parametrize("source", PERHAPS_OURS.values(), ids=PERHAPS_OURS)
def test_where_a_call_may_be_something_else_the_program_is_asked(tmp_path: Path, source: str) -> None:
    assert _judged(tmp_path, source) == [False]


@pytest.mark.parametrize("source", HANDED_ON.values(), ids=HANDED_ON)
def test_a_class_is_handed_on(tmp_path: Path, source: str) -> None:
    assert _passed_on(tmp_path, source)


@pytest.mark.parametrize("source", STAYS.values(), ids=STAYS)
def test_a_class_stays_where_it_is(tmp_path: Path, source: str) -> None:
    assert not _passed_on(tmp_path, source)


def _passed_on(folder: Path, source: str) -> bool:
    (folder / "app.py").write_text(source)
    return passed_on(World(Whole(folder, ("app.py",))).index.at("app.py"), frozenset({"Server"}))


@pytest.mark.parametrize("source", BY_TEXT.values(), ids=BY_TEXT)
def test_a_class_may_be_looked_up_by_its_name(tmp_path: Path, source: str) -> None:
    assert _hands_on(tmp_path, source)


@pytest.mark.parametrize("source", AS_DATA.values(), ids=AS_DATA)
def test_the_name_of_a_class_is_only_data(tmp_path: Path, source: str) -> None:
    assert not _hands_on(tmp_path, source)


def _hands_on(folder: Path, source: str) -> bool:
    own = (
        "import library\nclass Table(dict): ...\ndef load(name: str) -> tuple[str, ...]: ...\n"
        "found = library.found\ntry:\n    def twice(): ...\nexcept OSError:\n    def twice(): ...\n"
    )
    write(folder, {"app.py": source, "own.py": own})
    world = World(Whole(folder, ("app.py", "own.py")))
    return hands_on(world, world.index.at("app.py"))
