"""What a running server said is remembered: checks stay static and green until the sources behind the answer change."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

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
