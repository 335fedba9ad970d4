"""What a running server said is remembered: checks stay static and green until the sources behind the answer change."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.cli.projects import SERVER as LOWLEVEL
from tests.cli.projects import project
from tests.runtime.nurseries import planted
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1
from tests.support.files import tree, write
from tests.support.repositories import commit, committed

MAKES = 'from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("star")\n'
TOOL = '@mcp.tool()\ndef greet(who: str) -> str:\n    """Greet a person by name."""\n    return who\n'
RUNS = '\n\nif __name__ == "__main__":\n    mcp.run()\n'
REGISTERED = 'def greet(who: str) -> str:\n    """Greet a person by name."""\n    return who\n'

LAYOUTS = {
    "modules imported by computed names": {
        "app/__init__.py": "",
        "app/made.py": MAKES,
        "app/tools/__init__.py": "",
        "app/tools/people.py": f"from app.made import mcp\n\n\n{TOOL}",
        "main.py": "import importlib\nimport os\n\nfrom app.made import mcp\n\n"
        f"importlib.import_module(os.environ.get('TOOLS', 'app.tools.people'))\n{RUNS}",
    },
    "a name from the environment": {
        "main.py": f"import os\n\n{MAKES}\n\n{REGISTERED}\n\n"
        f"mcp.add_tool(greet, name=os.environ.get('GREET', 'greet'))\n{RUNS}"
    },
    "a type that is made at run time": {
        "main.py": "from typing import Literal\n\nimport os\n\n"
        f"{MAKES}\nWho = Literal[tuple(sorted(os.environ.get('PEOPLE', 'ada bob').split()))]\n\n\n"
        f"{TOOL.replace('who: str', 'who: Who')}{RUNS}"
    },
}
COMMAND = shlex.join(planted(MCP1, "main.py"))


@pytest.fixture(params=LAYOUTS.values(), ids=LAYOUTS)
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of a server that source does not settle."""
    made = committed(write(tmp_path / "star", request.param))
    monkeypatch.chdir(made)
    return made


def fresh(*arguments: str, cache: Path) -> Ran:
    """Run a command that finds nothing kept by earlier runs."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(cache))
        return pdmigrate(*arguments)


def edited(root: Path, old: str, new: str) -> bool:
    """Whether a Python file had ``old`` in it, which is replaced."""
    for path in root.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if old in text and path.name != "progressive_disclosure.py":
            path.write_text(text.replace(old, new), encoding="utf-8")
            return True
    return False


def test_an_untouched_tree_agrees_until_the_sources_of_the_answer_change(root: Path, tmp_path: Path) -> None:
    ran = pdmigrate("apply", "--all", "--write", *VERSIONS, "--live", COMMAND)
    assert ran.status == 0, ran.stderr
    assert b'"greet"' in next(root.rglob("_server.json")).read_bytes()
    commit(root)
    assert pdmigrate("check").status == 0
    ran = fresh("check", cache=tmp_path / "first")
    assert (ran.status, ran.stdout) == (0, ""), ran.stdout
    assert "1 tool" in ran.stderr
    before = tree(root)
    assert fresh("sync", cache=tmp_path / "second").status == 0
    assert tree(root) == before
    assert edited(root, "by name", "by their name") or edited(root, 'FastMCP("star")', 'FastMCP("stars")')
    ran = pdmigrate("check")
    assert (ran.status, "PD916 error" in ran.stdout, "was asked what it lists on 20" in ran.stdout) == (1, True, True)
    ran = pdmigrate("sync", "--live", COMMAND)
    assert ran.status == 0, ran.stdout + ran.stderr
    assert fresh("check", cache=tmp_path / "third").status == 0


def test_files_after_extract_agree_too(root: Path, tmp_path: Path) -> None:
    assert pdmigrate("extract", *VERSIONS, "--live", COMMAND).status == 0
    assert [*root.rglob("greet.json")]
    assert fresh("check", cache=tmp_path / "first").status == 0
    assert fresh("extract", "--check", cache=tmp_path / "second").status == 0


def test_the_body_of_a_tool_is_no_source_of_the_answer(root: Path, tmp_path: Path) -> None:
    assert pdmigrate("apply", "--all", "--write", *VERSIONS, "--live", COMMAND).status == 0
    decorated = any("@mcp.tool" in path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
    assert edited(root, "    return who\n", "    return who.upper()\n")
    assert fresh("check", cache=tmp_path / "cache").status == (0 if decorated else 1)


HELPER = '\n\ndef help_text() -> str:\n    return os.environ["EDIT_HELP"] + "."\n\n\nserver = Server("notes")'
RUN = """

if __name__ == "__main__":
    import asyncio

    from mcp.server.stdio import stdio_server

    async def main() -> None:
        async with stdio_server() as (reader, writer):
            await server.run(reader, writer, server.create_initialization_options())

    asyncio.run(main())
"""


@pytest.fixture
def guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    text = LOWLEVEL.replace('\n\nserver = Server("notes")', HELPER).replace('os.environ["EDIT_HELP"],', "help_text(),")
    made = project(tmp_path, server=text + RUN)
    write(made, {"pyproject.toml": '[tool.pdmigrate]\nsdk = { mcp = "1.30.0", pydantic = "2.14.3" }\n'})
    monkeypatch.chdir(made)
    live = ("--live", shlex.join(planted(MCP1, "server.py")), "--env", "EDIT_HELP=Edit a note")
    assert pdmigrate("apply", "--all", "--write", "--copies", "--allow-dirty", *live).status == 0
    commit(made)
    return made


def test_a_change_of_its_source_asks_for_the_server_again(guarded: Path) -> None:
    write(guarded, {"server.py": (guarded / "server.py").read_text().replace('["EDIT_HELP"]', '["EDIT_HELP"].lower()')})
    ran = pdmigrate("check")
    assert (ran.status, "PD916 error: notes was asked what it lists on" in ran.stdout) == (1, True)
    assert "run `pdmigrate sync --live`, which asks it again by `python server.py`" in ran.stdout
    assert pdmigrate("sync").status == 1, "nothing but the server can answer that"
    script = f'#!/bin/sh\nexec {shlex.join(planted(MCP1))} "$@"\n'
    (write(guarded, {"venv/pyvenv.cfg": "", "venv/bin/python": script}) / "venv/bin/python").chmod(0o755)
    for command in ("check", "sync"):
        ran = pdmigrate(command, "--live", "--env", "EDIT_HELP=Edit a note")
        started = ran.stderr.count("starting `venv/bin/python server.py`: server.py is a script\n")
        assert started == (2 if command == "sync" else 1)
    assert ran.status == 0
    assert pdmigrate("check", "--no-live").status == 0


@pytest.mark.parametrize("command", ["check", "sync", "extract", "apply"])
@pytest.mark.parametrize("server", [("--live",), ("--live", "python server.py"), ("--url", "http://localhost:1/mcp")])
def test_a_server_cannot_be_asked_and_not_be_asked(command: str, server: tuple[str, ...]) -> None:
    ran = pdmigrate(command, *server, "--no-live")
    assert (ran.status, "--no-live contradicts" in ran.stderr) == (2, True)
