"""What a running server says: remembered, so that checks stay static and green, and held against code and files."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from tests.runtime.nurseries import planted
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1
from tests.support.files import executable, tree, write
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
    assert "run `pdmigrate sync --live`, which asks it again by `python main.py`" in ran.stdout
    assert pdmigrate("sync").status == 1, "nothing but the server can answer that"
    write(root, {"venv/pyvenv.cfg": ""})
    executable(root / "venv/bin/python", f'exec {shlex.join(planted(MCP1))} "$@"')
    ran = pdmigrate("sync", "--live")
    assert ran.status == 0, ran.stdout + ran.stderr
    assert "starting `venv/bin/python main.py`: main.py is a script\n" in ran.stderr
    assert pdmigrate("check", "--no-live").status == 0
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


@pytest.mark.parametrize("command", ["check", "sync", "extract", "apply"])
@pytest.mark.parametrize("server", [("--live",), ("--live", "python server.py"), ("--url", "http://localhost:1/mcp")])
def test_a_server_cannot_be_asked_and_not_be_asked(command: str, server: tuple[str, ...]) -> None:
    ran = pdmigrate(command, *server, "--no-live")
    assert (ran.status, "--no-live contradicts" in ran.stderr) == (2, True)


SAMPLE = Path(__file__).parents[2] / "sample_servers" / "mcp1_lowlevel" / "server.py"
FILE = "tool_descriptions/check_out.json"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = committed(write(tmp_path_factory.mktemp("live") / "library", {"server.py": SAMPLE.read_bytes()}))
    assert pdmigrate("apply", "--all", root, "--write", "--copies").status == 0
    commit(root)
    return root


@pytest.fixture
def running(library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The copy that is started; the current folder is the project that it is compared with."""
    shutil.copytree(library, tmp_path / "here")
    shutil.copytree(library, tmp_path / "there")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "there"


def check(server: Path) -> Ran:
    return pdmigrate("check", "--live", shlex.join(planted(MCP1, str(server / "server.py"))))


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_same_code_agrees(running: Path) -> None:
    ran = check(running)
    assert (ran.status, ran.stdout) == (0, "")


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        pytest.param("server.py", "readOnlyHint=True", "readOnlyHint=False", "PD901", id="annotations"),
        pytest.param(FILE, "Lend a copy to a member. The", "Lend it. The", "PD335", id="a definition that a file owns"),
    ],
)
def test_another_answer_is_a_disagreement(running: Path, file: str, old: str, new: str, code: str) -> None:
    replace(running / file, old, new)
    ran = check(running)
    assert (ran.status, f"{code} error" in ran.stdout) == (1, True)


def test_a_name_that_only_the_wire_has_and_one_that_it_has_not(running: Path) -> None:
    replace(running / "server.py", 'RETURN = "return_copy"', 'RETURN = "give_back"')
    ran = check(running)
    assert 'PD330 note: the running server lists "give_back", which source does not show' in ran.stdout
    assert 'PD904 error: "give_back" has no description file yet' in ran.stdout
    assert 'PD331 warning: source declares "return_copy", and the running server does not list it' in ran.stdout
