"""The hooks as people get them: pre-commit clones this project at a revision and installs it by its manifest."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hooks.conftest import FILE, ROOT, Repository
from tests.support.environments import PRE_COMMIT, environment
from tests.support.repositories import commit, initialised

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
OTHER = "tool_descriptions/place_hold.json"
PARTS = ("pdmigrate", "templates", "docs/findings", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
CONFIG = "repos:\n- repo: {}\n  rev: v0\n  hooks:\n  - id: {}\n"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with what is installed from ours; beside it pre-commit's home, so one installation serves all."""
    root = initialised(tmp_path_factory.mktemp("published") / "pdmigrate")
    for part in PARTS:
        (root / part).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, root / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(ROOT / part, root / part)
    commit(root)
    return root


@pytest.fixture
def using(repository: Repository, published: Path) -> Callable[..., Repository]:
    """Install one of the hooks, for a kind of commit; our own environment and checkout are out of its reach."""
    variables = {name: value for name, value in repository.environment.items() if name != "PYTHONPATH"}
    here = Repository(repository.root, {**variables, "PRE_COMMIT_HOME": str(published.parent / "home")})

    def install(hook: str, kind: str = "pre-commit", more: str = "") -> Repository:
        here.git("-C", str(published), "tag", "--force", "v0")
        (here.root / ".pre-commit-config.yaml").write_text(CONFIG.format(published, hook) + more, encoding="utf-8")
        done = here.run(str(environment(PRE_COMMIT)), "-m", "pre_commit", "install", "--hook-type", kind)
        assert done.returncode == 0, done.stdout + done.stderr
        made = here.run(str(environment(PRE_COMMIT)), "-m", "pre_commit", "install-hooks")
        assert made.returncode == 0, made.stdout + made.stderr
        here.git("add", ".pre-commit-config.yaml")
        here.git("commit", "--quiet", "--no-verify", "--message", "hooks")
        return here

    return install


def command(repository: Repository, published: Path, *arguments: str) -> str:
    """Run the ``pdmigrate`` that pre-commit has installed."""
    (script,) = (published.parent / "home").glob("repo*/py_env-*/bin/pdmigrate")
    done = repository.run(str(script), *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def stage(repository: Repository, said: str) -> None:
    """Run the ``git add`` line that was printed."""
    (line,) = {line.strip() for line in said.splitlines() if line.strip().startswith("git add ")}
    repository.git(*line.split()[1:])


def test_a_commit_is_blocked_on_drift_settled_and_passes(using: Callable[..., Repository], published: Path) -> None:
    here = using("pdmigrate-check")
    here.summarise("Lend it.")
    here.git("add", FILE)
    blocked = here.commit()
    assert blocked.returncode == 1
    said = blocked.stdout + blocked.stderr
    (line,) = [line for line in said.splitlines() if line.startswith(f"{FILE}:")]
    assert 'PD902 error: the stub of "check_out" at server.py:' in line
    assert line.endswith(f"is behind {FILE}: description")
    assert said.count("PD902") == 1
    assert "    pdmigrate sync\n" in said
    command(here, published, "sync")
    stage(here, said)
    assert here.commit().returncode == 0
    assert here.git("status", "--porcelain") == ""


def test_what_is_staged_in_part_is_what_counts(using: Callable[..., Repository], published: Path) -> None:
    here = using("pdmigrate-check")
    here.summarise("Lend it.")
    command(here, published, "sync")
    here.git("add", "server.py", ".pdmigrate")
    here.summarise("Lend it now.")
    blocked = here.commit()
    assert blocked.returncode == 1, "the description file of this commit is the old one"
    assert "Lend it now." in (here.root / FILE).read_text(encoding="utf-8")
    here.summarise("Lend it.")
    here.git("add", FILE)
    here.summarise("Lend it now.")
    assert here.commit().returncode == 0
    assert "Lend it now." in (here.root / FILE).read_text(encoding="utf-8")


def on_branches(here: Repository, published: Path, *edits: tuple[str, dict[str, str]]) -> None:
    """Two branches from one commit, each with an edit that was synced; the second is checked out."""
    here.git("branch", "-M", "one")
    here.git("branch", "two")
    for branch, (path, values) in zip(("one", "two"), edits, strict=True):
        here.git("checkout", "--quiet", branch)
        here.describe(path, **values)
        command(here, published, "sync")
        here.git("commit", "--quiet", "--all", "--no-verify", "--message", branch)


def test_a_merge_passes(using: Callable[..., Repository], published: Path) -> None:
    here = using("pdmigrate-check", kind="pre-merge-commit")
    on_branches(here, published, (FILE, {"usage_guidance": "At the desk."}), (OTHER, {"summary": "Hold it."}))
    merged = here.run("git", "merge", "--no-edit", "one")
    assert merged.returncode == 0, merged.stdout + merged.stderr
    assert "pdmigrate check" in merged.stdout + merged.stderr
    assert len(here.git("rev-list", "--merges", "HEAD").split()) == 1


def test_a_merge_that_was_resolved_both_ways_is_blocked(using: Callable[..., Repository], published: Path) -> None:
    here = using("pdmigrate-check")
    on_branches(here, published, (FILE, {"summary": "Lend it."}), (FILE, {"summary": "Lend one."}))
    assert here.run("git", "merge", "--no-edit", "one").returncode == 1
    assert set(here.git("diff", "--name-only", "--diff-filter=U").split()) >= {FILE, "server.py"}
    here.git("checkout", "--ours", ".")
    here.git("checkout", "--theirs", FILE)
    here.git("add", ".")
    blocked = here.commit()
    assert blocked.returncode == 1
    assert "check_out" in blocked.stdout + blocked.stderr
    command(here, published, "sync")
    here.git("add", ".")
    done = here.commit()
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'description="Lend it."' in (here.root / "server.py").read_text(encoding="utf-8")
