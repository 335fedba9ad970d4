"""README.md says what pdmigrate really prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import run

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


SHOWN = re.findall(r"```console\n\$ pdmigrate (apply \S+) > \S+\n(.*?)```\n.*?```diff\n(.*?)```", README, re.S)


def test_the_first_screen_shows_a_decorated_server_and_then_a_literal_one() -> None:
    assert [command.rpartition("/")[2] for command, _, _ in SHOWN] == ["mcp1_fastmcp", "mcp1_lowlevel"]


@pytest.mark.parametrize(("command", "accounting", "diff"), SHOWN, ids=[command for command, _, _ in SHOWN])
def test_accounting_and_patch_are_the_real_ones(command: str, accounting: str, diff: str) -> None:
    program = str(Path(sys.executable).with_name("pdmigrate"))
    done = subprocess.run(
        [program, *command.split()], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0
    assert accounting in done.stderr
    for line in diff.splitlines():
        if not line.endswith("..."):
            assert f"{line}\n" in done.stdout, line


@pytest.mark.slow
def test_the_commands_that_readme_gives_install_the_package(tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("this tree is not a repository of git, which one of the two commands installs from")
    (block,) = re.findall(r"## Install\n.*?```sh\n(.*?)```", README, re.S)
    scripts = Path(sys.executable).parent
    clone = ["git", "clone", "-q", ROOT, tmp_path / "checkout"]
    cloned = subprocess.run(clone, capture_output=True, text=True, timeout=60, check=False)
    if cloned.returncode:
        pytest.skip(f"git does not clone this tree: {cloned.stderr.strip()}")
    for number, line in enumerate(block.splitlines()):
        environment = tmp_path / f"environment_{number}"
        run(scripts / "uv", "venv", "-q", "--seed", "-p", sys.executable, environment)
        path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
        variables = {**os.environ, "PATH": path, "VIRTUAL_ENV": str(environment), "PIP_NO_COMPILE": "no"}
        command = ("sh", "-c", f"{line} -q && pdmigrate --version")
        assert run(*command, cwd=tmp_path / "checkout", env=variables, timeout=240).startswith("pdmigrate ")


def test_no_page_has_a_placeholder_that_fails_where_it_is_pasted() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    placeholders = re.compile(r"OWNER|pip install '?pdmigrate|uvx pdmigrate|rev: v\d|some-server|my-org|example\.git")
    lines = ((page.name, line) for page in pages for line in page.read_text(encoding="utf-8").splitlines())
    assert [(page, line) for page, line in lines if placeholders.search(line)] == []


def test_every_document_that_readme_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert len(links) > 8
    for link in links:
        assert (ROOT / link).exists(), link
