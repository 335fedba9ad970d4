"""The recipes of ``docs/sync.md``: the commands that stand there are the ones that run here."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.hooks.conftest import ROOT, Repository
from tests.report.standard import SARIF
from tests.runtime.nurseries import on_path

PAGE = (ROOT / "docs" / "sync.md").read_text(encoding="utf-8")


def block(heading: str) -> str:
    """The first code block below a heading."""
    found = re.search(rf"^### {heading}\n.*?^```\w+\n(.*?)^```", PAGE, re.S | re.M)
    assert found is not None, heading
    return found[1]


def commands(heading: str) -> list[str]:
    """What a recipe of a CI service runs, but for the installation."""
    lines = (line.strip().removeprefix("- ").removeprefix("run: ") for line in block(heading).splitlines())
    return [line for line in lines if line.startswith("pdmigrate ")]


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A search path on which our commands are."""
    return on_path(tmp_path / "scripts")


@pytest.mark.parametrize(("heading", "says"), [("GitHub Actions", "::error file=tool_desc"), ("GitLab", "PD902 error")])
def test_a_service(repository: Repository, path: str, heading: str, says: str) -> None:
    (command,) = commands(heading)
    clean = repository.run("sh", "-c", command, PATH=path)
    assert (clean.returncode, clean.stdout) == (0, "")
    repository.summarise("Lend it.")
    failed = repository.run("sh", "-c", command, PATH=path)
    assert failed.returncode == 1
    assert says in failed.stdout


def test_the_upload_for_code_scanning(repository: Repository, path: str) -> None:
    (command,) = re.findall(r"^- run: (pdmigrate check --format sarif .*)$", PAGE, re.M)
    repository.summarise("Lend it.")
    assert repository.run("sh", "-c", command, PATH=path).returncode == 1
    log = json.loads((repository.root / "pdmigrate.sarif").read_text(encoding="utf-8"))
    assert list(SARIF.iter_errors(log)) == []
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["PD902"]


def test_the_hook_of_the_page_is_one_of_the_manifest() -> None:
    (named,) = re.findall(r"- id: (\S+)", block("pre-commit"))
    assert f"- id: {named}\n" in (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
