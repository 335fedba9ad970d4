"""A revert brings back the bytes: on this machine, in a clone, with later edits, without git."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pdmigrate.disk.vcs import git as our_git
from pdmigrate.errors import PdmigrateError
from pdmigrate.migrate.write import revert as revert_module
from pdmigrate.migrate.write.carrying import carry_out
from pdmigrate.migrate.write.pieces import changed
from pdmigrate.model import FileChange, FileKind, Plan, Site
from pdmigrate.names import LOCK_PATH
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.record.undo import AppliedState
from tests.support.files import tree, write
from tests.support.repositories import commit, git, initialised
from tests.write.test_diff import changes

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
    recorded = {path: changed(before[path], after[path]) for path in before if before[path] != after.get(path)}
    created = {path: kind for path, kind in KINDS.items() if path not in before}
    state = {LOCK_PATH: lock.dump(Lock(AppliedState(created, recorded))), ".pdmigrate/.gitattributes": b"* -text\n"}
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


def revert(root: Path, *, force: bool = False) -> None:
    """Undo it, with nothing to tell."""
    plan = plan_revert(root, force=force)
    assert plan.findings == ()
    carry_out(root, plan)


def damaged(root: Path, key: str) -> None:
    """Take what ``key`` says of every changed file out of the lock."""
    content = json.loads((root / LOCK_PATH).read_bytes())
    for entry in content["changed"].values():
        del entry[key]
    (root / LOCK_PATH).write_text(json.dumps(content))


def refused(root: Path) -> list[tuple[str, Site | None]]:
    """What a revert finds that stops it."""
    plan = plan_revert(root)
    assert plan.empty
    return [(found.code, found.site) for found in plan.findings]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "root", BEFORE)
    return tmp_path / "root"


def test_in_a_folder_of_a_repository(tmp_path: Path) -> None:
    top = initialised(tmp_path / "mono")
    write(top / "services/one", BEFORE)
    write(top, {"other/file": b"x"})
    commit(top)
    migrate(top / "services/one")
    commit(top)
    revert(top / "services/one")
    assert tree(top / "services/one") == BEFORE
    git(top, "add", "-A")
    assert git(top, "diff", "--cached", "HEAD~1", "--stat") == b""


def test_files_that_were_put_back_or_removed_by_hand_are_fine(root: Path) -> None:
    migrate(root)
    write(root, {"pkg/server.py": SERVER})
    shutil.rmtree(root / "pkg/tool_descriptions")
    (root / "pkg/progressive_disclosure.py").unlink()
    revert(root)
    assert tree(root) == BEFORE


TOP, BOTTOM = b"# mine\r\n", b"def mine(): ...\r\n"


@pytest.mark.parametrize(("top", "bottom"), [(b"", b""), (TOP, BOTTOM)], ids=["untouched", "edited elsewhere"])
@pytest.mark.parametrize("lost", ["", "inserted", "git"])
def test_the_lock_or_git_is_enough(
    root: Path, lost: str, top: bytes, bottom: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    if lost != "git":
        commit(initialised(root))
    migrate(root)
    if lost == "inserted":
        commit(root)
        damaged(root, "inserted")
    write(root, {"pkg/server.py": top + MIGRATED + bottom})
    if lost == "git":
        monkeypatch.setenv("PATH", "/nonexistent")
    revert(root)
    assert tree(root) == {**BEFORE, "pkg/server.py": top + SERVER + bottom}


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


@pytest.mark.parametrize("with_git", [True, False])
def test_an_edit_in_the_way_is_named(root: Path, with_git: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if with_git:
        commit(initialised(root))
    else:
        monkeypatch.setenv("PATH", "/nonexistent")
    migrate(root)
    write(root, {"pkg/server.py": TOP + MIGRATED.replace(b"of five", b"of 5")})
    assert refused(root) == [("PD607", Site("pkg/server.py", 6))]
    assert "which was line 6 at the time" in plan_revert(root).findings[0].message


@pytest.mark.parametrize("edited", [False, True])
def test_a_file_without_an_original_is_refused(root: Path, edited: bool) -> None:
    migrate(root)
    damaged(root, "inserted")
    if edited:
        write(root, {"pkg/server.py": TOP + MIGRATED, "pkg/tiny.py": b"x = 3\n"})
    assert [code for code, _ in refused(root)] == ["PD610", "PD610"]


def test_pieces_that_do_not_give_the_recorded_bytes_are_not_believed(root: Path) -> None:
    migrate(root)
    text = (root / LOCK_PATH).read_bytes()
    assert text.count(b'"x = 1"') == 1
    (root / LOCK_PATH).write_bytes(text.replace(b'"x = 1"', b'"x = 0"'))
    assert [code for code, _ in refused(root)] == ["PD610"]


def test_a_repository_with_other_line_ends_than_the_checkout_has_the_original(root: Path) -> None:
    """As git sets it up on Windows: what it keeps is not byte for byte what was there."""
    initialised(root)
    git(root, "config", "core.autocrlf", "true")
    commit(root)
    migrate(root)
    damaged(root, "inserted")
    assert git(root, "show", "HEAD:pkg/server.py") == SERVER.replace(b"\r\n", b"\n")
    revert(root)
    assert tree(root) == BEFORE


def test_a_file_that_is_gone_is_named(root: Path) -> None:
    migrate(root)
    (root / "pkg/server.py").unlink()
    assert [code for code, _ in refused(root)] == ["PD609"]
    revert(root, force=True)
    assert tree(root) == {path: content for path, content in BEFORE.items() if path != "pkg/server.py"}


HAPPENS: dict[str, Callable[[Path], object]] = {
    "edited": lambda root: write(root, {"README.md": b"edited\n"}),
    "staged": lambda root: git(write(root, {"README.md": b"edited\n"}), "add", "README.md"),
    "untracked": lambda root: (git(root, "rm", "-q", "--cached", "README.md"), git(root, "commit", "-q", "-m", "x")),
}


@pytest.mark.parametrize("happens", HAPPENS.values(), ids=HAPPENS)
@pytest.mark.parametrize("below", ["", "services/ünï one"])
def test_work_in_no_commit_is_seen(tmp_path: Path, happens: Callable[[Path], object], below: str) -> None:
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


def test_a_calling_hook_does_not_mislead(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(initialised(root))
    other = initialised(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", "nowhere")
    assert our_git.repository(root) == root.resolve()
    assert our_git.dirty(root, BEFORE) == ()


def test_a_repository_that_git_refuses_is_no_clean_one(root: Path) -> None:
    commit(initialised(root))
    (root / ".git/HEAD").write_bytes(b"damaged")
    (root / ".git/objects").rename(root / ".git/gone")
    with pytest.raises(PdmigrateError, match="git"):
        our_git.dirty(root, BEFORE)
