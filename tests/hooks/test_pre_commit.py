"""The hooks under the real pre-commit, and the recipes of ``docs/sync.md``, whose commands run as they stand there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.hooks.conftest import FILE, MANIFEST, ROOT, Repository
from tests.report.standard import SARIF
from tests.runtime.nurseries import on_path
from tests.support.environments import PRE_COMMIT, environment
from tests.support.files import write
from tests.support.processes import run


def test_the_manifest_is_one() -> None:
    run(environment(PRE_COMMIT), "-m", "pre_commit", "validate-manifest", MANIFEST)


def test_the_sync_hook_settles_drift_says_what_to_stage_and_stages_nothing(repository: Repository) -> None:
    repository.install("pdmigrate-sync")
    assert repository.commit().returncode == 0
    repository.summarise("Lend it.")
    repository.git("add", FILE)
    staged = repository.git("diff", "--cached", "--stat")
    blocked = repository.commit()
    assert blocked.returncode == 1
    assert 'description="Lend it."' in (repository.root / "server.py").read_text(encoding="utf-8")
    assert repository.git("diff", "--cached", "--stat") == staged
    said = blocked.stdout + blocked.stderr
    command = next(line.strip() for line in said.splitlines() if line.strip().startswith("git add"))
    repository.git(*command.split()[1:])
    assert repository.commit().returncode == 0


def test_a_deleted_file_is_seen_although_no_hook_is_told_of_it(repository: Repository) -> None:
    repository.install("pdmigrate-check")
    assert repository.commit().returncode == 0
    repository.git("rm", "--quiet", FILE)
    blocked = repository.commit()
    assert (blocked.returncode, "PD517" in blocked.stdout + blocked.stderr) == (1, True)


def test_files_of_nobody_pass(repository: Repository) -> None:
    repository.install("pdmigrate-check", "pdmigrate-sync")
    write(repository.root, {"README.md": "x\n", "other.json": "{}\n"})
    repository.git("add", ".")
    done = repository.commit()
    assert done.returncode == 0, done.stdout + done.stderr


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
