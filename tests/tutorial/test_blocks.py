"""Every block of commands in the documents is run by a test; the lists of commands without output are run here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runtime.nurseries import on_path
from tests.support.environments import MCP1, environment
from tests.support.files import write
from tests.support.repositories import committed, git
from tests.support.running import serving

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "sample_servers" / "mcp1_lowlevel" / "server.py"
BLOCK = re.compile(r"(?ms)^```(console|sh|yaml)\n(.*?)^```")
RUN_BY = {
    "README.md": {
        "$ pdmigrate apply sample_servers/mcp1_fastmcp > decorated.patch": "tests/test_readme.py",
        "$ pdmigrate apply sample_servers/mcp1_lowlevel > migration.patch": "tests/test_readme.py",
        "python3 -m venv .venv && .venv/bin/pip install -q -e . &&": __file__,
        "python3 -m venv .venv && .venv/bin/pip install -q -e '.[test]' &&": __file__,
        "pip install .": "tests/test_readme.py",
        "$ pdmigrate audit ": __file__,
        "$ pdmigrate check ": __file__,
    },
    "docs/agents.md": {"$ python examples/agent_loop.py ": "tests/export/test_agent_loop.py"},
    "docs/audit.md": {"$ pdmigrate audit ": __file__, "steps:": "tests/cli/test_audit_budget.py"},
    "docs/export.md": {"$ pdmigrate export prompt ": __file__},
    "docs/fleets.md": {
        "mkdir -p audits": "tests/cli/test_fleets.py",
        "#!/bin/sh": "tests/cli/test_fleets.py",
        "multi-gitter run": "tests/cli/test_fleets.py",
        "version: 2": "tests/cli/test_fleets.py",
    },
    "docs/wrap.md": {"$ pdmigrate wrap ": "tests/wrap/test_folder.py"},
    "docs/sync.md": {
        "repos:": "tests/hooks/test_recipes.py",
        "#!/bin/sh": "tests/hooks/test_recipes.py",
        "steps:": "tests/hooks/test_recipes.py",
        "- run: pdmigrate check": "tests/hooks/test_recipes.py",
        "pdmigrate:": "tests/hooks/test_recipes.py",
    },
}
"""Which test runs the block of a page that begins like this; all of the tutorial is run by ``test_tutorial.py``."""


def blocks() -> Iterator[tuple[str, str]]:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(ROOT.glob("docs/*.md"))):
        if page.name != "tutorial.md":
            for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
                yield page.relative_to(ROOT).as_posix(), match[2]


def test_every_block_of_commands_is_run_by_a_test() -> None:
    unknown = [
        f"{page}: {text.splitlines()[0]}"
        for page, text in blocks()
        if not any(text.startswith(start) for start in RUN_BY.get(page, ()))
    ]
    assert unknown == [], "have a test run it, and name that test in RUN_BY"
    gone = [
        f"{page}: {start}"
        for page, starts in RUN_BY.items()
        for start in starts
        if not any(where == page and text.startswith(start) for where, text in blocks())
    ]
    assert gone == []
    assert all((ROOT / test).exists() for starts in RUN_BY.values() for test in starts.values())


@pytest.fixture
def desk(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A server of the names that the pages use, in a repository, and the environment of somebody who works on it.

    In the place of ``npx`` stands a script that starts the sample: what is asked of the registry is not tested here.
    And ``pdmigrate`` is a fork of what has imported it: the tutorial runs the installed script.
    """
    root, tools = tmp_path / "desk", tmp_path / "bin"
    files = {
        "my_server.py": SAMPLE.read_text(encoding="utf-8").replace("find_copies", "my_tool"),
        "requirements.txt": "mcp==1.30.0\npydantic==2.14.3\n",
        ".gitignore": "__pycache__/\n",
        "tools.json": '{"tools": [{"name": "a", "inputSchema": {}}]}',
    }
    committed(write(root, files))
    python = environment(MCP1)
    write(tools, {"npx": f'#!/bin/sh\n[ "$1" = -y ] && exec {python} {SAMPLE}\n'})
    (tools / "npx").chmod(0o755)
    path = os.pathsep.join((str(tools), str(python.parent), on_path(tmp_path / "own")))
    return root, {**os.environ, "PATH": path, "HOME": str(tmp_path)}


def commands(page: str, start: str) -> list[str]:
    """The commands of a block, without what is said of them."""
    (text,) = (text for where, text in blocks() if where == page and text.startswith(start))
    return [line.removeprefix("$ ").partition(" # ")[0].strip() for line in text.splitlines()]


def run(command: str, desk: tuple[Path, dict[str, str]]) -> str:
    root, variables = desk
    done = subprocess.run(
        ["sh", "-c", command], cwd=root, env=variables, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


@pytest.mark.timeout(600)
def test_the_commands_of_the_readme_run_in_their_order(desk: tuple[Path, dict[str, str]]) -> None:
    said = {command: run(command, desk) for command in commands("README.md", "$ pdmigrate audit ")}
    assert len(said) == 7
    assert "costs more from" in said["pdmigrate audit"]
    assert "+enable(server" in said["pdmigrate apply"]
    assert "wrote " in said["pdmigrate apply --write"]
    assert "0 failed" in said['pdmigrate verify --command "python -m my_server"']
    assert git(desk[0], "status", "--porcelain") == b""
    assert "my_server.py" in said["pdmigrate explain my_tool"]
    run("pdmigrate apply --write", desk)
    for command in commands("README.md", "$ pdmigrate check "):
        assert "6 tools" in run(command, desk)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("page", "start"), [("docs/audit.md", "$ pdmigrate audit "), ("docs/export.md", "$ pdmigrate")]
)
def test_the_commands_of_a_page_run(page: str, start: str, desk: tuple[Path, dict[str, str]]) -> None:
    lines = commands(page, start)
    assert len(lines) >= 3
    with serving((str(environment(MCP1)), str(SAMPLE))) as (port,):
        for line in lines:
            assert run(line.replace("localhost:8000", f"127.0.0.1:{port}"), desk)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_commands_that_set_up_a_checkout_work(tmp_path: Path) -> None:
    """The other block of this kind is the command that runs this test: ``.ci/run`` takes it from the page."""
    setup, tests = (text.strip() for page, text in blocks() if page == "README.md" and text.startswith("python3 -m"))
    assert tests.endswith("/pytest -q -n 2 -m 'not slow'")
    slow = ".venv/bin/pytest -q -n 2 -m slow"
    assert f'"{slow}"' in (ROOT / ".ci/run").read_text()
    assert f"    {slow}\n" in (ROOT / "CONTRIBUTING.md").read_text()
    checkout = tmp_path / "checkout"
    shutil.copytree(ROOT, checkout, ignore=shutil.ignore_patterns(".venv", ".cache", ".git", "__pycache__", ".*_cache"))
    variables = {**os.environ, "PIP_NO_COMPILE": "no"}  # for flags that begin with "no", pip takes "no" for yes
    done = subprocess.run(
        ["sh", "-c", setup], cwd=checkout, env=variables, capture_output=True, text=True, timeout=500, check=False
    )
    assert done.returncode == 0, f"{setup}\n{done.stdout[-2000:]}{done.stderr[-2000:]}"
