"""The hooks as people get them: pre-commit clones this project at a revision and installs it by its manifest."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.hooks.conftest import FILE, ROOT, Repository
from tests.support.environments import PRE_COMMIT, environment
from tests.support.repositories import commit, initialised

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PARTS = ("pdmigrate", "templates", "docs/findings", "pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
CONFIG = "repos:\n- repo: {}\n  rev: v0\n  hooks:\n  - id: pdmigrate-check\n"


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
def here(repository: Repository, published: Path) -> Repository:
    """A repository with the hook that checks installed; our own environment and checkout are out of its reach."""
    variables = {name: value for name, value in repository.environment.items() if name != "PYTHONPATH"}
    here = Repository(repository.root, {**variables, "PRE_COMMIT_HOME": str(published.parent / "home")})
    here.git("-C", str(published), "tag", "--force", "v0")
    (here.root / ".pre-commit-config.yaml").write_text(CONFIG.format(published), encoding="utf-8")
    for what in ("install", "install-hooks"):
        done = here.run(str(environment(PRE_COMMIT)), "-m", "pre_commit", what)
        assert done.returncode == 0, done.stdout + done.stderr
    here.git("add", ".pre-commit-config.yaml")
    here.git("commit", "--quiet", "--no-verify", "--message", "hooks")
    return here


def test_a_commit_is_blocked_on_drift_and_what_is_staged_in_part_counts(here: Repository, published: Path) -> None:
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
    here.git("reset", "--quiet")
    (script,) = (published.parent / "home").glob("repo*/py_env-*/bin/pdmigrate")
    assert here.run(str(script), "sync").returncode == 0
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
