"""A revert brings back the bytes: on this machine, in a clone, with later edits, without git."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pdmigrate.disk.vcs import git as our_git
from pdmigrate.disk.vcs.merging import merge
from pdmigrate.errors import PdmigrateError
from pdmigrate.migrate.write import carry_out, recover
from pdmigrate.migrate.write import revert as revert_module
from pdmigrate.migrate.write.diff import patch
from pdmigrate.migrate.write.journal import last_written, sha256
from pdmigrate.model import FileChange, FileKind, Plan
from pdmigrate.names import LOCK_PATH
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.record.undo import AppliedState, Changed, dump_state, load_state
from tests.support.files import tree, write
from tests.support.repositories import commit, git, initialised
from tests.write.changing import changes

SERVER = b"".join(b"line %d\r\n" % number for number in range(40))
MIGRATED = SERVER.replace(b"line 5\r\n", b"stub\r\nof five\r\n").replace(b"line 30\r\n", b"")
MODULE = b"def enable(server): ...\n"
DESCRIPTION = json.dumps({"name": "a", "description": "Adds. Well.", "summary": "Adds."}).encode()

BEFORE = {"pkg/server.py": SERVER, "pkg/tiny.py": b"x = 1", "README.md": b"hello\n"}
AFTER = {
    "pkg/server.py": MIGRATED,
    "pkg/tiny.py": b"x = 2\n",
    "README.md": b"hello\n",
    "pkg/progressive_disclosure.py": MODULE,
    "pkg/tool_descriptions/a.json": DESCRIPTION,
}
KINDS = {"pkg/progressive_disclosure.py": FileKind.MODULE, "pkg/tool_descriptions/a.json": FileKind.DESCRIPTION}


def migrate(root: Path, before: dict[str, bytes] = BEFORE, after: dict[str, bytes] = AFTER) -> None:
    """What ``apply --write`` does, for given contents."""
    work = [change for change in changes(before, after) if change.changed]
    changed = {p: Changed(sha256(before[p]), sha256(after[p])) for p in before if before[p] != after.get(p)}
    created = {path: kind for path, kind in KINDS.items() if path not in before}
    state = {
        LOCK_PATH: lock.dump(Lock(AppliedState(created, changed))),
        lock.PATCH_PATH: patch(change for change in work if change.before is not None),
        ".pdmigrate/.gitattributes": b"* -text\n",
    }
    files = [FileChange(path, None, content, FileKind.STATE, "") for path, content in state.items()]
    carry_out(root, Plan((*work, *files)))


def plan_revert(root: Path, *, force: bool = False) -> Plan:
    """The plan, for a project in which what differs from the contents above is somebody's own."""
    return revert_module.plan_revert(
        root,
        holds_words=lambda path, raw: raw != AFTER[path],
        is_generated=lambda path, raw: raw == AFTER[path],
        force=force,
    )


def revert(root: Path, *, force: bool = False) -> Plan:
    plan = plan_revert(root, force=force)
    carry_out(root, plan)
    return plan


def codes(plan: Plan) -> list[str]:
    return [found.code for found in plan.findings]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "root", BEFORE)
    return tmp_path / "root"


@pytest.fixture
def no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")


def test_from_the_journal(root: Path) -> None:
    migrate(root)
    (root / lock.PATCH_PATH).unlink()
    assert revert(root).findings == ()
    assert tree(root) == BEFORE


@pytest.mark.usefixtures("no_git")
def test_from_the_patch_alone(root: Path) -> None:
    migrate(root)
    shutil.rmtree(root / ".pdmigrate/journal")
    revert(root)
    assert tree(root) == BEFORE


@pytest.mark.usefixtures("no_git")
def test_from_the_journal_when_the_lock_is_lost(root: Path) -> None:
    migrate(root)
    for path in (LOCK_PATH, lock.PATCH_PATH):
        (root / path).unlink()
    for _ in range(2):
        # Any command cleans up after interrupted runs first; what the way back needs is not in the way.
        recover(root)
    assert revert(root).findings == ()
    assert tree(root) == BEFORE


def test_a_lock_that_a_revert_removed_is_not_lost(root: Path) -> None:
    migrate(root)
    revert(root)
    migrate(root)
    revert(root)
    assert recover(root) is None
    assert plan_revert(root).notes == ("nothing to revert: no migration is recorded here",)
    assert tree(root) == BEFORE


def test_the_newest_of_many_runs_tells_what_the_lock_was(root: Path) -> None:
    migrate(root)
    for number in range(12):
        before = (root / LOCK_PATH).read_bytes()
        state = load_state(before, LOCK_PATH)
        after = dump_state(replace(state, extra={"number": number}))
        carry_out(root, Plan((FileChange(LOCK_PATH, before, after, FileKind.STATE, ""),)))
    (root / LOCK_PATH).unlink()
    recover(root)
    assert last_written(root, LOCK_PATH) == (True, after)
    assert len(list((root / ".pdmigrate/journal").glob("*.kept"))) == 2
    assert revert(root).findings == ()
    assert tree(root) == BEFORE


def test_from_git_alone(root: Path) -> None:
    commit(initialised(root))
    migrate(root)
    commit(root)
    shutil.rmtree(root / ".pdmigrate/journal")
    text = (root / lock.PATCH_PATH).read_bytes()
    (root / lock.PATCH_PATH).write_bytes(text.replace(b" line 3\r", b" LINE 3\r"))
    assert revert(root).findings == ()
    assert tree(root) == BEFORE


def test_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    top = initialised(tmp_path / "mono")
    write(top / "services/one", BEFORE)
    write(top, {"other/file": b"x"})
    commit(top)
    migrate(top / "services/one")
    commit(top)
    shutil.rmtree(top / "services/one/.pdmigrate/journal")
    revert(top / "services/one")
    assert tree(top / "services/one") == BEFORE
    git(top, "add", "-A")
    assert git(top, "diff", "--cached", "HEAD~1", "--stat") == b""


def test_after_the_folder_was_renamed(root: Path) -> None:
    migrate(root)
    moved = root.rename(root.with_name("elsewhere"))
    revert(moved)
    assert tree(moved) == BEFORE


def test_a_file_that_was_put_back_by_hand_is_fine(root: Path) -> None:
    migrate(root)
    write(root, {"pkg/server.py": SERVER})
    revert(root)
    assert tree(root) == BEFORE


# --- edited since -----------------------------------------------------------------------------------------------------

TOP, BOTTOM = b"# mine\r\n", b"def mine(): ...\r\n"


@pytest.mark.parametrize(
    "lost", [(), (".pdmigrate/journal",), (lock.PATCH_PATH,)], ids=["all", "no journal", "no patch"]
)
@pytest.mark.parametrize("with_git", [True, False])
def test_edits_elsewhere_are_kept(root: Path, lost: tuple[str, ...], with_git: bool) -> None:
    if with_git:
        commit(initialised(root))
    migrate(root)
    write(root, {"pkg/server.py": TOP + MIGRATED + BOTTOM})
    for path in lost:
        shutil.rmtree(root / path) if (root / path).is_dir() else (root / path).unlink()
    assert revert(root).findings == ()
    assert tree(root) == {**BEFORE, "pkg/server.py": TOP + SERVER + BOTTOM}


@pytest.mark.usefixtures("no_git")
def test_without_git_edits_elsewhere_are_kept_too(root: Path) -> None:
    migrate(root)
    write(root, {"pkg/server.py": TOP + MIGRATED + BOTTOM})
    revert(root)
    assert tree(root) == {**BEFORE, "pkg/server.py": TOP + SERVER + BOTTOM}


def test_a_formatted_file_in_a_clone_is_merged(root: Path, tmp_path: Path) -> None:
    """What was written was formatted before it was committed, so that git has never seen it."""
    commit(initialised(root))
    migrate(root)
    formatted = MIGRATED.replace(b"line 15\r\n", b"line  15\r\n")
    write(root, {"pkg/server.py": formatted})
    commit(root)
    git(tmp_path, "clone", "-q", root.as_uri(), "clone")
    revert(tmp_path / "clone")
    assert (tmp_path / "clone/pkg/server.py").read_bytes() == SERVER.replace(b"line 15\r\n", b"line  15\r\n")


def test_an_edit_in_the_way_is_named_and_nothing_is_written(root: Path) -> None:
    migrate(root)
    write(root, {"pkg/server.py": TOP + MIGRATED.replace(b"of five", b"of 5")})
    left = tree(root)
    plan = revert(root)
    assert plan.empty
    assert codes(plan) == ["PD607"]
    assert plan.findings[0].site is not None
    assert plan.findings[0].site.line == 7
    assert "line 7" in plan.findings[0].message
    assert tree(root) == left


@pytest.mark.usefixtures("no_git")
def test_without_git_an_edit_in_the_way_is_refused(root: Path) -> None:
    migrate(root)
    write(root, {"pkg/server.py": MIGRATED.replace(b"of five", b"of 5")})
    assert codes(plan_revert(root)) == ["PD607"]


def test_a_file_without_an_original_is_refused(root: Path) -> None:
    migrate(root)
    shutil.rmtree(root / ".pdmigrate/journal")
    (root / lock.PATCH_PATH).unlink()
    plan = plan_revert(root)
    assert codes(plan) == ["PD610", "PD610"]
    assert plan.empty


def test_a_patch_that_does_not_give_the_recorded_bytes_is_not_believed(root: Path) -> None:
    migrate(root)
    shutil.rmtree(root / ".pdmigrate/journal")
    wrong = FileChange("pkg/tiny.py", b"x = 0", AFTER["pkg/tiny.py"], FileKind.CODE, "")
    (root / lock.PATCH_PATH).write_bytes(patch([wrong]))
    assert codes(plan_revert(root)) == ["PD610", "PD610"]


def test_a_file_that_is_gone_is_named(root: Path) -> None:
    migrate(root)
    (root / "pkg/server.py").unlink()
    assert codes(plan_revert(root)) == ["PD609"]
    revert(root, force=True)
    assert tree(root) == {path: content for path, content in BEFORE.items() if path != "pkg/server.py"}


def test_made_files_that_are_gone_are_no_problem(root: Path) -> None:
    migrate(root)
    shutil.rmtree(root / "pkg/tool_descriptions")
    (root / "pkg/progressive_disclosure.py").unlink()
    revert(root)
    assert tree(root) == BEFORE


def test_after_an_extraction_its_state_comes_back(root: Path) -> None:
    """Description files that an earlier ``extract`` made are not the migration's to remove."""
    extracted = {**BEFORE, "pkg/tool_descriptions/a.json": DESCRIPTION}
    earlier = lock.dump(Lock(AppliedState(), modules={"pkg/other.py": "0" * 16}))
    write(root, {**extracted, LOCK_PATH: earlier, ".pdmigrate/.gitattributes": b"* -text\n"})
    before = tree(root)
    state = AppliedState({}, {"pkg/server.py": Changed(sha256(SERVER), sha256(MIGRATED))})
    after = lock.dump(Lock(state, before=json.loads(earlier)))
    work = (
        FileChange("pkg/server.py", SERVER, MIGRATED, FileKind.CODE, ""),
        FileChange(LOCK_PATH, earlier, after, FileKind.STATE, ""),
    )
    carry_out(root, Plan((*work, FileChange(lock.PATCH_PATH, None, patch(work[:1]), FileKind.STATE, ""))))
    revert(root)
    assert tree(root) == before


@pytest.mark.parametrize("path", ["../x", "/etc/x", "pkg/../../x"])
def test_a_recorded_path_that_leads_out_is_refused(root: Path, path: str) -> None:
    text = lock.dump(Lock(AppliedState({path: FileKind.MODULE})))
    write(root, {LOCK_PATH: text, "../x": b"kept"})
    with pytest.raises(PdmigrateError) as error:
        plan_revert(root)
    assert error.value.code == "PD606"
    assert (root.parent / "x").read_bytes() == b"kept"


def test_a_damaged_patch_is_refused(root: Path) -> None:
    migrate(root)
    (root / lock.PATCH_PATH).write_bytes(b"<<<<<<< HEAD\n")
    with pytest.raises(PdmigrateError) as error:
        plan_revert(root)
    assert error.value.code == "PD606"


# --- git --------------------------------------------------------------------------------------------------------------


def _edited(root: Path) -> None:
    (root / "README.md").write_bytes(b"edited\n")


def _staged(root: Path) -> None:
    (root / "README.md").write_bytes(b"edited\n")
    git(root, "add", "README.md")


def _untracked(root: Path) -> None:
    git(root, "rm", "-q", "--cached", "README.md")
    git(root, "commit", "-q", "-m", "x")


@pytest.mark.parametrize("happens", [_edited, _staged, _untracked])
@pytest.mark.parametrize("below", ["", "services/ünï one"])
def test_work_in_no_commit_is_seen(tmp_path: Path, happens: Callable[[Path], None], below: str) -> None:
    top = initialised(tmp_path / "r")
    root = top / below
    write(root, BEFORE)
    write(top, {"README.md": b"another\n"})
    commit(top)
    if not below:
        write(top, {"README.md": b"hello\n"})
        commit(top)
    assert our_git.dirty(root, BEFORE) == ()
    happens(root)
    assert our_git.dirty(root, [*BEFORE, "absent.py"]) == ("README.md",)
    assert our_git.dirty(root, ["pkg/server.py"]) == ()


def test_what_git_ignores_is_known(root: Path) -> None:
    write(root, {".gitignore": b"*.json\n"})
    commit(initialised(root))
    assert our_git.ignored(root, ["pkg/tool_descriptions/a.json", "pkg/server.py"]) == ("pkg/tool_descriptions/a.json",)
    assert our_git.ignored(root, []) == ()


def test_a_calling_hook_does_not_mislead(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(initialised(root))
    other = initialised(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", "nowhere")
    assert our_git.repository(root) == root.resolve()
    assert our_git.dirty(root, BEFORE) == ()


@pytest.mark.usefixtures("no_git")
def test_without_git_the_answers_are_empty(root: Path) -> None:
    (root / ".git").mkdir()
    assert our_git.repository(root) is None
    assert our_git.dirty(root, BEFORE) == ()
    assert our_git.ignored(root, BEFORE) == ()
    assert our_git.blob(root, "0" * 40) is None
    assert merge(b"", b"", b"", ("a", "b", "c")) is None


def test_outside_a_repository_the_answers_are_empty(root: Path) -> None:
    assert our_git.repository(root) is None
    assert our_git.dirty(root, BEFORE) == ()


def test_a_repository_that_git_refuses_is_no_clean_one(root: Path) -> None:
    commit(initialised(root))
    (root / ".git/HEAD").write_bytes(b"damaged")
    (root / ".git/objects").rename(root / ".git/gone")
    with pytest.raises(PdmigrateError, match="git"):
        our_git.dirty(root, BEFORE)
