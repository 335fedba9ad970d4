"""The server that is migrated is the one that the project serves; what only looks like one is named and left alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.command_line import VERSIONS, pdmigrate
from tests.support.files import write

SDK = "from mcp.server.fastmcp import FastMCP\n"
TOOLS = '''\
def register(server):
    @server.tool()
    def price(item: str, currency: str = "EUR") -> str:
        """Price of an item. Give the item's number, not its name. The currency is an ISO code."""
        return item
'''
SERVER = f"""\
{SDK}
from shop.tools import register

mcp = FastMCP("shop")
register(mcp)


def main():
    mcp.run()


if __name__ == "__main__":
    main()
"""
PROJECT = """\
[project]
name = "shop"
version = "1"
dependencies = ["mcp==1.30.0"]
[project.scripts]
shop = "shop.{}:main"
"""
SHOP = {
    "pyproject.toml": PROJECT.format("server"),
    "shop/__init__.py": "",
    "shop/tools.py": TOOLS,
    "shop/server.py": SERVER,
}
HEAD = f"{SDK}\nfrom shop.tools import register\n\n\n"
SCRATCH = {
    "listed": "async def names():\n    scratch = FastMCP('x')\n    register(scratch)\n"
    "    return [t.name for t in await scratch.list_tools()]\n",
    "asked for its manager": "def names():\n    scratch = FastMCP('x')\n    register(scratch)\n"
    "    return scratch._tool_manager.list_tools()\n",
    "decorated": "async def names():\n    scratch = FastMCP('x')\n\n    @scratch.tool()\n    def a(b: str) -> str:\n"
    "        return b\n\n    return await scratch.list_tools()\n",
    "in a method": "class Registry:\n    async def names(self):\n        scratch = FastMCP('x')\n"
    "        register(scratch)\n        return await scratch.list_tools()\n",
    "called": "async def call(name):\n    scratch = FastMCP('x')\n    register(scratch)\n"
    "    return await scratch.call_tool(name, {})\n",
}
RUN = {
    "returned": "def make():\n    server = FastMCP('x')\n    register(server)\n    return server\n",
    "run": "def go():\n    server = FastMCP('x')\n    register(server)\n    server.run()\n",
    "as a web application": "def make():\n    server = FastMCP('x')\n    register(server)\n"
    "    return server.streamable_http_app()\n",
    "handed to a function that runs it": "def serve(server):\n    server.run()\n\n\ndef go():\n"
    "    server = FastMCP('x')\n    register(server)\n    serve(server)\n",
    "handed to a library": "import anyio\n\n\ndef go():\n    server = FastMCP('x')\n    register(server)\n"
    "    anyio.run(server)\n",
    "kept": "class App:\n    def __init__(self):\n        self.server = FastMCP('x')\n        register(self.server)\n",
    "kept by another name": "def go():\n    global mcp\n    mcp = FastMCP('x')\n    register(mcp)\n",
    "run by a function within": "def make():\n    server = FastMCP('x')\n    register(server)\n\n    def go():\n"
    "        server.run()\n\n    return go\n",
}


def applied(root: Path, *parts: str) -> tuple[set[str], str]:
    """The files in which ``enable`` is called after ``apply --all --write``, and what was said."""
    ran = pdmigrate("apply", root.joinpath(*parts), "--all", "--write", *VERSIONS)
    files = {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*.py")}
    return {path for path, text in files.items() if "import enable" in text}, ran.stderr


@pytest.mark.parametrize("name", SCRATCH)
def test_a_server_that_nothing_runs_is_left_as_it_is(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "shop/catalogue.py": HEAD + SCRATCH[name]})
    enabled, said = applied(root)
    assert enabled == {"shop/server.py"}
    assert said.count("PD207") == 1
    assert pdmigrate("check", root).status == 0


@pytest.mark.parametrize("name", RUN)
def test_a_server_that_may_be_run_is_migrated(name: str, tmp_path: Path) -> None:
    enabled, said = applied(write(tmp_path, {**SHOP, "shop/other.py": HEAD + RUN[name]}))
    assert enabled == {"shop/server.py", "shop/other.py"}
    assert "PD207" not in said


def test_a_server_is_migrated_where_its_file_is_named_or_it_is_the_only_one(tmp_path: Path) -> None:
    files = {**SHOP, "shop/catalogue.py": HEAD + SCRATCH["listed"]}
    enabled, said = applied(write(tmp_path / "named", files), "shop/catalogue.py")
    assert (enabled, "PD207" in said) == ({"shop/catalogue.py"}, False)
    del files["shop/server.py"]
    enabled, said = applied(write(tmp_path / "only", files))
    assert (enabled, "PD207" in said) == ({"shop/catalogue.py"}, False)


SPARE = """
spare = FastMCP("spare")


@spare.tool()
def a(b: str) -> str:
    return b
"""
BARE = SPARE.replace("tool()", "tool")
BELOW = SERVER.replace("\n\ndef main", f"\n{SPARE}\n\ndef main")
MOUNTING = BELOW.replace(SDK, "from fastmcp import FastMCP")
"""The SDK whose servers can be mounted."""
GUARD = '\n\nif __name__ == "__main__":\n    '
TREE: dict[str, dict[str, str]] = {
    "decorated": {"shop/server.py": BELOW},
    "decorated without a call": {"shop/server.py": BELOW.replace(SPARE, BARE)},
    "of several names": {
        "shop/server.py": BELOW.replace('spare = FastMCP("spare")', 'old, spare = mcp, FastMCP("never")')
    },
    "annotated, run by another name": {
        "shop/server.py": BELOW.replace("spare =", "spare: FastMCP =").replace(
            "mcp.run()", "host = mcp\n    host.run()"
        )
    },
    "handed to what registers": {
        "shop/server.py": SERVER.replace("\n\ndef main", "\nspare = FastMCP('x')\nregister(spare)\n\n\ndef main")
    },
    "handed to a function here": {
        "shop/server.py": f"{HEAD}def fill(server):\n    register(server)\n\n\nmcp = FastMCP('x')\n"
        f"spare = FastMCP('y')\nfill(mcp)\nfill(spare)\n{GUARD}mcp.run()\n"
    },
    "beside what a function makes": {
        "shop/server.py": f"{HEAD}{SPARE}\n\ndef make():\n    server = FastMCP('x')\n    register(server)\n"
        f"    return server\n{GUARD}mcp = make()\n    mcp.run()\n"
    },
    "beside a local that is run": {
        "shop/server.py": f"{HEAD}{SPARE}\n\ndef main():\n    server = FastMCP('x')\n    register(server)\n"
        "    server.run('stdio')\n"
    },
    "named by another module of no concern": {"shop/server.py": BELOW, "shop/other.py": "spare = 1\n"},
    "called as what a command picks last": {"shop/server.py": BELOW.replace("spare", "app")},
}
EXTRA = {
    "run": BELOW.replace("mcp.run()", "mcp.run()\n\n\ndef second():\n    spare.run()"),
    "run by a choice": BELOW.replace("mcp.run()", "(mcp if __debug__ else spare).run()"),
    "run within": BELOW + "\n\ndef second():\n    return spare.session_manager.run()\n",
    "mounted": MOUNTING.replace("mcp.run()", "mcp.mount(spare)\n    mcp.run()"),
    "an application": BELOW.replace("mcp.run()", "mcp.run()\n\n\nweb = spare.sse_app()"),
    "returned": BELOW + "\n\ndef second():\n    return spare\n",
    "exported": BELOW + "\n\n__all__ = ['mcp', 'spare']\n",
    "kept": BELOW + "\n\nSERVERS = {'spare': spare}\n",
    "handed to what runs it": BELOW + "\n\ndef go(one):\n    one.run()\n\n\ndef second():\n    go(spare)\n",
    "handed to what mounts it": MOUNTING + "\n\ndef join(one):\n    mcp.mount(one)\n\n\njoin(spare)\n",
    "handed to a library": BELOW + "\n\nimport anyio\n\n\ndef second():\n    anyio.run(spare)\n",
    "by a computed name": BELOW.replace("mcp.run()", "globals()[input()].run()"),
    "by its name as text": BELOW + "\n\nimport uvicorn\n\nuvicorn.run('shop.server:spare')\n",
    "kept by its class": BELOW.replace(
        "spare = FastMCP(",
        "class Own(FastMCP):\n    def __init__(self, name):\n        super().__init__(name)\n        ALL.append(self)\n"
        "\n\nALL = []\nspare = Own(",
    ),
    "where nothing is run": BELOW.replace("mcp.run()", "return mcp"),
}
FROM_ELSEWHERE = {
    "imported": {"shop/__main__.py": "from shop.server import spare\n\nspare.run()\n"},
    "of a module": {"shop/__main__.py": "import shop.server\n\nshop.server.spare.run()\n"},
    "through another": {"shop/api.py": "from .server import *\n", "shop/__main__.py": "import shop.api\n"},
    "by a test": {"tests/test_it.py": "from shop.server import spare\n\n\ndef test_it():\n    assert spare\n"},
    "by a script": {"pyproject.toml": PROJECT.format("server") + 'spare = "shop.server:spare.run"\n'},
    "by the README": {"README.md": "    fastmcp run shop/server.py:spare\n"},
    "by settings": {"fastmcp.json": '{"source": {"path": "shop/server.py", "entrypoint": "spare"}}'},
    "picked by a command": {
        "shop/server.py": re.sub(r"\bmcp\b(?!\.server)", "server", BELOW).replace("spare", "mcp"),
        ".mcp.json": '{"mcpServers": {"shop": {"command": "fastmcp", "args": ["run", "shop/server.py"]}}}',
    },
    "by the Dockerfile": {"Dockerfile": 'CMD ["fastmcp", "run", "shop/server.py:spare"]\n'},
}


@pytest.mark.parametrize("name", TREE)
def test_what_nothing_runs_is_left_in_the_file_of_what_is_run(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, **TREE[name]})
    for part in ((), ("shop", "server.py")):
        ran = pdmigrate("audit", root.joinpath(*part), "--format", "json", *VERSIONS)
        assert len(json.loads(ran.stdout)["servers"]) == 1
        assert ran.stderr.count("PD207 warning: left as it is: nothing uses ") == 1
    applied(root)
    text = (root / "shop/server.py").read_text()
    assert text.count("enable(") == 1
    assert "enable(spare" not in text
    assert pdmigrate("check", root).status == 0


@pytest.mark.parametrize("name", [*EXTRA, *FROM_ELSEWHERE])
def test_what_may_be_run_is_migrated_in_the_file_of_what_is_run(name: str, tmp_path: Path) -> None:
    files = {"shop/server.py": EXTRA.get(name, BELOW), **FROM_ELSEWHERE.get(name, {})}
    ran = pdmigrate("audit", write(tmp_path, {**SHOP, **files}), "--format", "json", *VERSIONS)
    expected = 1 if "mount" in name else 2  # what is mounted is part of the other
    assert (len(json.loads(ran.stdout)["servers"]), "PD207" in ran.stderr) == (expected, False)


STILL = f"{HEAD}extra = FastMCP('extra')\nregister(extra)\n"
LEADING: dict[str, dict[str, str]] = {
    "an import": {"shop/server.py": SERVER.replace("mcp = ", "import shop.extra\n\nmcp = ")},
    "an import by text": {"shop/more.py": "import importlib\n\nextra = importlib.import_module('shop.extra')\n"},
    "an import by a computed name": {
        "shop/__init__.py": "",
        "shop/more.py": "import importlib\nimport pkgutil\n\nimport shop\n\n"
        "for info in pkgutil.iter_modules(shop.__path__):\n    importlib.import_module(f'shop.{info.name}')\n",
    },
    "a readme": {"README.md": "Start it with `fastmcp run shop/extra.py`.\n"},
    "the end of a sentence": {"docs/running.md": "Start it with fastmcp run shop/extra.py.\n"},
    "a readme further up": {
        "shop/extra.py": "",
        "shop/inner/__init__.py": "",
        "shop/inner/extra.py": STILL,
        "shop/README.md": "Serve `inner.extra:extra`.\n",
    },
    "a setting": {"fastmcp.json": '{"source": {"path": "shop/extra.py"}}'},
    "a workflow": {".github/workflows/deploy.yml": "run: uvicorn shop.extra:extra\n"},
    "a second script": {"pyproject.toml": PROJECT.format("server") + 'extra = "shop.extra:extra.run"\n'},
    "code that runs it": {"shop/extra.py": f"{STILL}app = extra.streamable_http_app()\n"},
    "code that may run it": {"shop/extra.py": f"{STILL}found = globals()['extra']\n"},
    "a guard": {"shop/extra.py": f"{STILL}{GUARD}extra.run()\n"},
    "no command that starts another": {"pyproject.toml": PROJECT.partition("[project.scripts]")[0]},
}


@pytest.mark.parametrize("name", LEADING)
def test_a_file_is_migrated_that_something_leads_to(name: str, tmp_path: Path) -> None:
    enabled, said = applied(write(tmp_path, {**SHOP, "shop/extra.py": STILL, **LEADING[name]}))
    assert (any(path.endswith("/extra.py") for path in enabled), "PD207" in said) == (True, False), said


@pytest.mark.parametrize(
    "others", [{}, {"tests/test_extra.py": "from shop.extra import extra\n"}, {"notes.txt": "extra\n"}]
)
def test_a_file_is_left_that_nothing_leads_to(others: dict[str, str], tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "shop/extra.py": STILL, **others})
    enabled, said = applied(root)
    assert enabled == {"shop/server.py"}
    assert "nothing uses its file, and the project is started by `shop`" in said
    assert pdmigrate("check", root).status == 0
    assert applied(root, "shop", "extra.py")[0] == {"shop/server.py", "shop/extra.py"}


ALONE = f"""\
{SDK}
mcp = FastMCP("x")


@mcp.tool()
def a(b: str) -> str:
    return b


if __name__ == "__main__":
    mcp.run()
"""
ASIDE = (
    "examples/first.py",
    "shop/self_test.py",
    "shop/selftest.py",
    "scripts/probe.py",
    "demo.py",
    "shop/smoke_test_x.py",
)


@pytest.mark.parametrize("path", ASIDE)
def test_examples_and_checks_are_left_as_they_are(path: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, path: ALONE})
    enabled, said = applied(root)
    assert enabled == {"shop/server.py"}
    assert f"{path}:3: PD20" in said
    enabled, said = applied(root, *path.split("/"))
    assert (path in enabled, "PD20" in said) == (True, False)


@pytest.mark.parametrize("path", ["exemplary.py", "shop/probes_store.py", "democracy/server.py", "sampler.py"])
def test_other_names_say_nothing(path: str, tmp_path: Path) -> None:
    name = path.replace("probes_store", "probing")
    assert applied(write(tmp_path, {**SHOP, name: ALONE}))[0] == {"shop/server.py", name}


def test_examples_are_migrated_where_there_is_nothing_else(tmp_path: Path) -> None:
    enabled, said = applied(write(tmp_path, {"examples/one.py": ALONE, "examples/two.py": ALONE}))
    assert (enabled, "PD207" in said) == ({"examples/one.py", "examples/two.py"}, False)


BY_HAND = """\
import json
import sys


def answer(message):
    BODY


def main():
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
"""


def by_hand(body: str) -> str:
    return BY_HAND.replace("BODY", body)


COMPARED = """if message["method"] == "initialize":
        return {}
    if message["method"] == "tools/list":
        return {}"""
SPOKEN = {
    "compared": COMPARED,
    "compared, and all else greets": """if message["method"] == "tools/list":
        return {}
    return {"protocolVersion": "2025-06-18", "serverInfo": {}}""",
    "compared the other way round": """method = message["method"]
    if "initialize" == method or "tools/list" == method:
        return {}""",
    "a match": """match message["method"]:
        case "initialize":
            return {}
        case "tools/list":
            return {}""",
    "a table": 'return {"initialize": str, "tools/list": list}[message["method"]]()',
    "decorated": """return METHODS[message["method"]]()


METHODS = {}


def method(name):
    return lambda function: METHODS.setdefault(name, function)


@method("initialize")
def greet():
    return {}


@method(name="tools/list")
async def tools():
    return {}""",
    "decorated by a method": """return rpc.dispatch(message)


rpc = Dispatcher()


@rpc.method("initialize")
@rpc.method("initialized")
def greet():
    return {"protocolVersion": "1", "serverInfo": {}}


class Tools:
    @rpc.register("tools/list", schema=None)
    def tools(self):
        return {}""",
    "a table of a module": """return HANDLERS[message["method"]](message)


def tools(message):
    return {}


HANDLERS = {
    "initialize": tools,
    "tools/list": tools,  # all at once
}""",
    "a table with more": """return HANDLERS[message["method"]]["call"](message)


HANDLERS = {"initialize": {"call": answer}, "tools/list": {"call": answer, "slow": False}}""",
    "filled by keys": """return HANDLERS[message["method"]](message)


HANDLERS = {}
HANDLERS["initialize"] = lambda message: {}
HANDLERS["tools/list"] = lambda message: {}""",
    "registered": """return rpc.dispatch(message)


rpc = Dispatcher()
rpc.register_handler("initialize", answer)
rpc.register_handler(handler=answer, name="tools/list")""",
    "registered by a call of a decorator": """return rpc.dispatch(message)


rpc = Dispatcher()
rpc.method("initialize")(answer)
rpc.method("tools/list")(answer)""",
    "in pairs": """return dict(PAIRS)[message["method"]](message)


PAIRS = [("initialize", answer), ("tools/list", answer)]""",
    "compared with a constant": """if message["method"] == LIST:
        return {}
    return {"protocolVersion": "1", "serverInfo": {}}


LIST = 'tools/list'""",
    "compared with a member": """match message["method"]:
        case Method.LIST.value:
            return {}
    return {"protocolVersion": "1", "serverInfo": {}}


class Method(Enum):
    LIST = 'tools/list'""",
    "in several": """if message["method"] in ("ping", "initialize", "tools/list"):
        return {}""",
    "a table of methods": """handlers = {
        "initialize": main.__class__,
        "tools/list": main.__class__,
    }
    return handlers""",
}
DOORS = {
    "a side door": {
        "shop/http.py": HEAD + 'mcp = FastMCP("door")\nregister(mcp)\n\n\ndef serve():\n    mcp.run("sse")\n'
    },
    "a self-test": {
        "shop/check_it.py": HEAD
        + 'mcp = FastMCP("check")\nregister(mcp)\n\nif __name__ == "__main__":\n    mcp.run()\n'
    },
}


@pytest.mark.parametrize(("name", "door"), [*((name, "a side door") for name in SPOKEN), ("compared", "a self-test")])
def test_what_speaks_by_hand_is_named_and_no_side_door_is_migrated_instead(
    name: str, door: str, tmp_path: Path
) -> None:
    files = {**SHOP, "pyproject.toml": PROJECT.format("hand"), "shop/hand.py": by_hand(SPOKEN[name]), **DOORS[door]}
    del files["shop/server.py"]
    enabled, said = applied(write(tmp_path, files))
    assert not enabled
    assert "PD206" in said
    assert "PD207" in said
    assert "hold" not in said


NO_SERVERS = {
    "a client": by_hand('return {"method": "initialize"}, {"method": "tools/list"}'),
    "a list of methods": by_hand('return ["initialize", "tools/list"]'),
    "a client that is given a function": by_hand(
        'return rpc.request("initialize", main), rpc.send("tools/list", main), rpc.call(main, method="tools/list")'
    ),
    "a client that counts": by_hand('return {"initialize": 1, "tools/list": 2}[message], COUNTS["tools/list"]'),
    "a client with constants": by_hand(
        'return send(LIST, {"protocolVersion": "1", "serverInfo": {}})\n\n\nLIST = "tools/list"'
    ),
    "one method": by_hand('if message["method"] == "tools/list":\n        return {}'),
    "a middleware": "from fastmcp.server.middleware import Middleware\n" + by_hand(SPOKEN["compared"]),
    "a filter of streams": "from mcp.server.stdio import stdio_server\n" + by_hand(SPOKEN["a match"]),
}


@pytest.mark.parametrize("name", NO_SERVERS)
def test_what_only_names_methods_is_no_server(name: str, tmp_path: Path) -> None:
    enabled, said = applied(write(tmp_path, {**SHOP, "shop/__main__.py": NO_SERVERS[name]}))
    assert (enabled, "PD206" in said) == ({"shop/server.py"}, False)


def test_a_server_by_hand_that_no_command_starts_is_no_reason(tmp_path: Path) -> None:
    enabled, said = applied(write(tmp_path, {**SHOP, "tools/fake.py": by_hand(SPOKEN["compared"])}))
    assert (enabled, "PD207" in said) == ({"shop/server.py"}, False)


LEFT = {
    "an example beside it": {"examples/first.py": ALONE},
    "a self-test in its folder": {"shop/selftest.py": ALONE},
    "one that nothing runs": {"shop/catalogue.py": HEAD + SCRATCH["listed"]},
    "a probe and a demo": {"shop/probe.py": ALONE, "demo.py": ALONE},
    "one that nothing runs, in its file": {"shop/server.py": SERVER + "\n\n" + SCRATCH["called"]},
}


@pytest.mark.parametrize("name", LEFT)
def test_extract_and_audit_name_what_they_leave_and_count_the_rest(name: str, tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, **LEFT[name]})
    ran = pdmigrate("extract", root, *VERSIONS)
    left = len(LEFT[name])
    assert (ran.status, ran.stderr.count("PD207 warning")) == (0, left)
    assert "1 server, 1 tool: 1 exact" in ran.stderr
    assert [path.relative_to(root).as_posix() for path in root.rglob("price.json")] == [
        "shop/tool_descriptions/price.json"
    ]
    assert pdmigrate("extract", root, "--check", *VERSIONS).status == 0
    audited = pdmigrate("audit", root, "--format", "json", *VERSIONS)
    assert [server["file"] for server in json.loads(audited.stdout)["servers"]] == ["shop/server.py"]
    assert audited.stderr.count("PD207 warning") == left


@pytest.mark.parametrize("path", [(), ("shop",), ("shop", "server.py")])
def test_what_is_left_changes_no_name_whichever_path_is_given(path: tuple[str, ...], tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "shop/selftest.py": ALONE})
    assert pdmigrate("extract", root.joinpath(*path), *VERSIONS).status == 0
    assert (root / "shop/tool_descriptions/price.json").exists()


def test_what_was_left_is_left_after_the_migration_too(tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "shop/selftest.py": ALONE})
    assert applied(root)[0] == {"shop/server.py"}
    again, said = applied(root)
    assert (again, "nothing to do" in said, "PD207" in said) == ({"shop/server.py"}, True, True)
    assert pdmigrate("check", root).status == 0


def test_a_described_example_stays_what_it_was(tmp_path: Path) -> None:
    root = write(tmp_path, {**SHOP, "examples/first.py": ALONE})
    assert pdmigrate("extract", root / "examples/first.py", *VERSIONS).status == 0
    assert pdmigrate("extract", root, *VERSIONS).status == 0
    assert (root / "examples/tool_descriptions/a.json").exists()
    assert pdmigrate("check", root).status == 0


@pytest.mark.parametrize("command", ["extract", "audit"])
def test_a_server_by_hand_is_named_by_every_command(command: str, tmp_path: Path) -> None:
    files = {**SHOP, "pyproject.toml": PROJECT.format("hand"), "shop/hand.py": by_hand(SPOKEN["compared"])}
    files |= DOORS["a side door"]
    del files["shop/server.py"]
    ran = pdmigrate(command, write(tmp_path, files), *(("--no-write",) if command == "extract" else ()), *VERSIONS)
    assert (ran.status, "PD206" in ran.stderr, "PD207" in ran.stderr) == (1, True, True)
    assert "no MCP server found" in ran.stderr
    assert "the servers that are left as they are are named above" in ran.stderr


PROGRAM = {"shop/__main__.py": "from shop.hand import main\n\nmain()\n"}
SETTINGS = '{"mcpServers": {"shop": {"command": "python", "args": ["-m", "shop"]}}}'
BY_HAND_STARTED = {
    "by a console script": ({"pyproject.toml": PROJECT.format("hand")}, True),
    "by the README": ({"README.md": f"```json\n{SETTINGS}\n```\n", **PROGRAM}, True),
    "as a program": (PROGRAM, True),
    "as the Dockerfile says": ({"Dockerfile": 'FROM python\nCMD ["python", "shop/hand.py"]\n'}, True),
    "as a script, like the other": ({}, False),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_HAND_STARTED)
def test_the_command_that_is_most_certain_says_which_server_is_the_projects(name: str, tmp_path: Path) -> None:
    files, is_aside = BY_HAND_STARTED[name]
    bare = {"pyproject.toml": PROJECT.partition("[project.scripts]")[0]}
    door = HEAD + 'mcp = FastMCP("door")\nregister(mcp)\n\n\ndef serve():\n    mcp.run("sse")\n'
    door += '\n\nif __name__ == "__main__":\n    serve()\n'
    shop = {**SHOP, **bare, "shop/hand.py": by_hand(SPOKEN["compared"]), "shop/http.py": door, **files}
    del shop["shop/server.py"]
    enabled, said = applied(write(tmp_path, shop))
    assert (enabled, "PD207" in said) == (set() if is_aside else {"shop/http.py"}, is_aside)
