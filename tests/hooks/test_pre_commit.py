"""The hooks under the real pre-commit and outside it, and the recipes of ``docs/sync.md``, run as they stand there."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.hooks.conftest import FILE, MANIFEST, ROOT, Repository
from tests.report.test_contract import SARIF
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


HEAVY = ("libcst", "typer", "pydantic", "jsonschema", "jinja2", "mcp", "pathspec", "packaging", "pathlib")


@pytest.mark.parametrize(
    ("function", "arguments"),
    [("hook.check", ("server.py", FILE)), ("hook.sync", ("server.py", FILE)), ("main", ("check",))],
)
def test_agreement_imports_nothing_heavy(repository: Repository, function: str, arguments: tuple[str, ...]) -> None:
    assert repository.hook("pdmigrate-check").returncode == 0
    program = (
        f"import sys, pdmigrate.cli.hook\nfrom pdmigrate import cli\ntry: cli.{function}()\n"
        "except SystemExit as ended: print(ended.code, *sys.modules)"
    )
    done = repository.run(sys.executable, "-S", "-c", program, *arguments)
    status, *modules = done.stdout.split()
    assert status == "0"
    assert {module.partition(".")[0] for module in modules} & set(HEAVY) == set()
    assert function != "main" or done.stderr == "in agreement: 6 tools\n"


def test_outside_a_repository_the_files_are_compared(repository: Repository, tmp_path: Path) -> None:
    os.rename(repository.root / ".git", tmp_path / "elsewhere")  # noqa: PTH104 - a folder, moved as it is
    assert repository.hook("pdmigrate-check").returncode == 0
    repository.summarise("Lend it.")
    assert repository.hook("pdmigrate-check").returncode == 1
    os.rename(repository.root / ".pdmigrate", tmp_path / "state")  # noqa: PTH104
    lost = repository.hook("pdmigrate-check")
    assert (lost.returncode, "nothing to compare" in lost.stderr) == (2, True)


@pytest.mark.parametrize("name", ["pdmigrate-check", "pdmigrate-sync"])
def test_the_name_of_a_file_is_no_option(repository: Repository, name: str) -> None:
    """Hooks are given names that anybody may have committed."""
    trap = repository.root / "sprung"
    write(repository.root, {"evil.py": f"open({str(trap)!r}, 'w')\n"})
    option = f"--live={Path(sys.executable).name} evil.py"
    write(repository.root, dict.fromkeys((option, "--prune", "--help"), ""))
    done = repository.hook(name, option, "--prune", "--help", "server.py")
    assert (trap.exists(), done.returncode in (0, 1), "Usage" in done.stdout) == (False, True, False)
    (repository.root / option).unlink()
    assert repository.hook(name, option, "server.py").returncode == 2, "an option is still one"
