"""The hooks under the real pre-commit: what blocks a commit, what is said, and what lets it pass."""

from __future__ import annotations

from tests.hooks.conftest import FILE, MANIFEST, Repository
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
