"""What a running server said is remembered: checks stay static and green until the sources behind the answer change."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.runtime.samples import among_samples
from tests.support.command_line import VERSIONS, Ran, pdmigrate
from tests.support.environments import MCP1
from tests.support.repositories import commit, initialised

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
COMMAND = shlex.join(among_samples(MCP1, "main.py"))


@pytest.fixture(params=LAYOUTS.values(), ids=LAYOUTS)
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of a server that source does not settle."""
    made = initialised(tmp_path / "star")
    for path, text in request.param.items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_text(text, encoding="utf-8")
    commit(made)
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
    lines = json.loads(next(root.rglob("_server.json")).read_bytes())
    assert "greet" in json.dumps(lines)
    commit(root)
    assert pdmigrate("check").status == 0
    ran = fresh("check", cache=tmp_path / "first")
    assert (ran.status, ran.stdout) == (0, ""), ran.stdout
    assert "1 tool" in ran.stderr
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file() and ".git" not in path.parts}
    assert fresh("sync", cache=tmp_path / "second").status == 0
    assert {path: path.read_bytes() for path in before} == before
    assert edited(root, "by name", "by their name") or edited(root, 'FastMCP("star")', 'FastMCP("stars")')
    ran = pdmigrate("check")
    assert ran.status == 1
    assert "PD916 error" in ran.stdout
    assert "was asked what it lists on 20" in ran.stdout
    ran = pdmigrate("sync", "--live", COMMAND)
    assert ran.status == 0, ran.stdout + ran.stderr
    assert fresh("check", cache=tmp_path / "third").status == 0


def test_files_after_extract_agree_too(root: Path, tmp_path: Path) -> None:
    assert pdmigrate("extract", *VERSIONS, "--live", COMMAND).status == 0
    assert (root / "tool_descriptions" / "greet.json").exists() or list(root.rglob("greet.json"))
    assert fresh("check", cache=tmp_path / "first").status == 0
    assert fresh("extract", "--check", cache=tmp_path / "second").status == 0


def test_the_body_of_a_tool_is_no_source_of_the_answer(root: Path, tmp_path: Path) -> None:
    assert pdmigrate("apply", "--all", "--write", *VERSIONS, "--live", COMMAND).status == 0
    decorated = any("@mcp.tool" in path.read_text(encoding="utf-8") for path in root.rglob("*.py"))
    assert edited(root, "    return who\n", "    return who.upper()\n")
    assert fresh("check", cache=tmp_path / "cache").status == (0 if decorated else 1)


def test_a_lock_that_names_other_files_as_sources_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = initialised(tmp_path / "star")
    (made / "main.py").write_text(LAYOUTS["a name from the environment"]["main.py"], encoding="utf-8")
    monkeypatch.chdir(made)
    assert pdmigrate("apply", "--all", "--write", "--allow-dirty", *VERSIONS, "--live", COMMAND).status == 0
    lock = made / ".pdmigrate" / "lock.json"
    lock.write_text(lock.read_text(encoding="utf-8").replace('"main.py"', '"../main.py"'), encoding="utf-8")
    assert pdmigrate("check").status == 2
