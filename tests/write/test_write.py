"""All or nothing: whatever happens while a plan is carried out, the tree is all before or all after."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pdmigrate.errors import PdmigrateError, StaleError, WriteError
from pdmigrate.migrate.write import exclusive as exclusive_module
from pdmigrate.migrate.write.carrying import carry_out, recover
from pdmigrate.migrate.write.journal import traces
from pdmigrate.migrate.write.pieces import changed
from pdmigrate.model import FileChange, FileKind, Plan
from pdmigrate.record.undo import AppliedState, dump_state
from tests.support.files import tree, write
from tests.write.faults import failing_at, killed_at, patched
from tests.write.test_diff import changes

BEFORE = {"pkg/server.py": b"old\r\n", "pkg/other.py": b"same", "pkg/gone/a.json": b"{}", "pyproject.toml": b"[p]\n"}
AFTER = {
    "pkg/server.py": b"new\r\n",
    "pkg/other.py": b"same",
    "pkg/tool_descriptions/a.json": b"{}\n",
    "pkg/tool_descriptions/deep/b.json": b"",
    "pyproject.toml": b"[p]\nx = 1\n",
    ".pdmigrate/.gitattributes": b"* -text\n",
}


def applied(before: dict[str, bytes], after: dict[str, bytes]) -> tuple[FileChange, ...]:
    """The changes, with a state that remembers what was changed, as an apply writes it."""
    recorded = {path: changed(old, after[path]) for path, old in before.items() if old != after.get(path, old)}
    lock = FileChange(".pdmigrate/lock.json", None, dump_state(AppliedState(changed=recorded)), FileKind.STATE, "")
    return (*changes(before, after), lock)


PLAN = Plan(applied(BEFORE, AFTER))
MADE = "pkg/tool_descriptions/a.json"
WHOLE = {**AFTER, **{c.path: c.after or b"" for c in PLAN.changes if c.path == ".pdmigrate/lock.json"}}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write(tmp_path / "root", BEFORE)
    return tmp_path / "root"


def test_mode_and_links_survive(root: Path) -> None:
    (root / "pkg/server.py").chmod(0o750)
    (root / "link.py").symlink_to("pkg/server.py")
    (root / "folder").symlink_to("pkg")
    carry_out(root, plan(("link.py", OLD, b"new")))
    mask = os.umask(0o027)
    try:
        carry_out(root, plan(("folder/x.json", None, b"x")))
    finally:
        os.umask(mask)
    assert (root / "link.py").is_symlink()
    assert (root / "pkg/server.py").read_bytes() == b"new"
    assert (root / "pkg/server.py").stat().st_mode & 0o777 == 0o750
    assert (root / "pkg/x.json").read_bytes() == b"x"
    assert (root / "pkg/x.json").stat().st_mode & 0o777 == 0o640, "a new file has an ordinary mode"


# --- refused before anything is written -------------------------------------------------------------------------------


STALE: dict[str, Callable[[Path], object]] = {
    "edited": lambda root: (root / "pkg/server.py").write_bytes(b"edited"),
    "deleted": lambda root: (root / "pkg/server.py").unlink(),
    "made": lambda root: write(root, {MADE: b"mine"}),
    "a link to nothing": lambda root: (write(root, {"pkg/tool_descriptions/x": b""}) / MADE).symlink_to("nowhere"),
    "a folder": lambda root: (root / MADE).mkdir(parents=True),
    "a folder in the place of a file": lambda root: (
        (root / "pkg/server.py").unlink(),
        (root / "pkg/server.py").mkdir(),
    ),
}


@pytest.mark.parametrize("name", STALE)
def test_a_stale_plan_is_refused(root: Path, name: str) -> None:
    STALE[name](root)
    left = tree(root)
    with pytest.raises(StaleError) as error:
        carry_out(root, PLAN)
    assert error.value.code == "PD601"
    assert tree(root) == left


def plan(*changed: tuple[str, bytes | None, bytes | None]) -> Plan:
    return Plan(tuple(FileChange(*change, FileKind.CODE, "") for change in changed))


OLD = b"old\r\n"
REFUSED = {
    "a folder that is a link out": (plan(("out/x", None, b"x")), "PD605", "out/x"),
    "a path upwards": (plan(("../x", None, b"x")), "PD605", "x"),
    "a path upwards, in its middle": (plan(("pkg/../../x", None, b"x")), "PD605", "x"),
    "a link that would be removed": (plan(("link.py", OLD, None)), "PD605", "is a link"),
    "two paths of one file": (plan(("link.py", OLD, b"x"), ("pkg/server.py", OLD, b"x")), "PD605", "are one file"),
    "a file in the place of a folder": (plan(("pkg/server.py/x.json", None, b"x")), "PD602", "server.py"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_written_as_it_is_planned_is_refused(root: Path, name: str) -> None:
    wanted, code, said = REFUSED[name]
    (root.parent / "outside").mkdir()
    (root / "out").symlink_to("../outside")
    (root / "link.py").symlink_to("pkg/server.py")
    left = tree(root.parent)
    with pytest.raises(WriteError, match=said) as error:
        carry_out(root, wanted)
    assert error.value.code == code
    assert tree(root.parent) == left


# --- interrupted ------------------------------------------------------------------------------------------------------


def test_a_run_killed_at_any_step_is_undone_or_finished(root: Path) -> None:
    said: set[str] = set()
    for number in range(1, 400):
        if not killed_at(number, lambda: carry_out(root, PLAN)):
            break
        message = recover(root)
        said.add(message or "nothing")
        found = tree(root)
        assert found in (BEFORE, WHOLE), f"killed at step {number}: {message}"
        assert not traces(root)
        if found == WHOLE:
            carry_out(root, Plan(tuple(changes(WHOLE, BEFORE))))
        assert tree(root) == BEFORE, "an undone run leaves no trace"
    assert tree(root) == WHOLE
    assert number > 40
    assert said == {
        "nothing",
        "an interrupted run was undone (7 files as before)",
        "an interrupted run was finished (7 files written)",
    }


def files(root: Path) -> dict[str, bytes]:
    """The tree but for the journal."""
    return tree(root, without=("journal",))


@pytest.fixture(scope="module")
def half_way(tmp_path_factory: pytest.TempPathFactory) -> int:
    """The first step at which a kill leaves some files written and others not; before it, a run is undone."""
    root = tmp_path_factory.mktemp("half") / "root"
    write(root, BEFORE)
    for number in range(1, 400):
        if _half_written(root, number):
            return number
        recover(root)
    raise AssertionError("no kill leaves a run half written")


def _half_written(root: Path, number: int) -> bool:
    assert killed_at(number, lambda: carry_out(root, PLAN))
    return files(root) not in (BEFORE, WHOLE) and (root / "pyproject.toml").read_bytes() != BEFORE["pyproject.toml"]


def test_a_recovery_killed_at_any_step_can_be_repeated(root: Path, half_way: int) -> None:
    """For a kill in the middle of the renames: kill the recovery at each of its own steps too."""
    assert half_way > 30
    assert _half_written(root, half_way)
    for number in range(1, 400):
        if not killed_at(number, lambda: recover(root)):
            break
        assert number < 399
    assert tree(root) == BEFORE


def test_an_edit_after_an_interruption_is_not_overwritten(root: Path, half_way: int) -> None:
    assert _half_written(root, half_way)
    (root / "pyproject.toml").write_bytes(b"mine")
    left = files(root)
    for attempt in (recover, lambda r: carry_out(r, PLAN)):
        with pytest.raises(WriteError) as error:
            attempt(root)
        assert error.value.code == "PD604"
        assert files(root) == left
    copy = Path(error.value.message.rpartition(" is in ")[2])
    assert copy.read_bytes() == BEFORE["pyproject.toml"]


def test_an_edit_of_an_untouched_file_does_not_hinder_recovery(root: Path) -> None:
    for number in range(1, 400):
        assert killed_at(number, lambda: carry_out(root, PLAN))
        if any(path.endswith(".tmp") for path in tree(root)):
            break
        recover(root)
    (root / "pkg/server.py").write_bytes(b"mine")
    recover(root)
    assert tree(root) == {**BEFORE, "pkg/server.py": b"mine"}


def test_an_edit_of_a_file_that_the_run_removes_does_not_hinder_recovery(root: Path, half_way: int) -> None:
    assert _half_written(root, half_way)
    (root / "pkg/gone/a.json").write_bytes(b"mine")
    recover(root)
    assert tree(root) == {**BEFORE, "pkg/gone/a.json": b"mine"}


# --- refused by the disk ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("for_good", [False, True])
def test_an_error_at_any_step_takes_everything_back(root: Path, code: int, for_good: bool) -> None:
    for number in range(1, 400):
        with failing_at(number, code, for_good=for_good) as failed, suppress(WriteError):
            carry_out(root, PLAN)
        if not failed():
            break
        recover(root)
        if tree(root) == WHOLE:
            carry_out(root, Plan(tuple(changes(WHOLE, BEFORE))))
        assert tree(root) == BEFORE, f"failed at step {number}"
    else:
        pytest.fail("the run never got through")


def test_what_cannot_be_taken_back_now_is_taken_back_later(root: Path, half_way: int) -> None:
    assert _half_written(root, half_way)
    with failing_at(1, errno.EROFS, for_good=True), pytest.raises(PdmigrateError):
        recover(root)
    recover(root)
    assert tree(root) == BEFORE


def test_an_interrupt_by_the_keyboard_takes_everything_back(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def interrupt(call: str) -> None:
        seen.append(call)
        if call == "replace" and seen.count(call) == 4:
            raise KeyboardInterrupt

    patched(monkeypatch, interrupt)
    with pytest.raises(KeyboardInterrupt):
        carry_out(root, PLAN)
    assert tree(root) == BEFORE


def test_a_file_edited_while_the_run_prepares_is_not_lost(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.mkdir

    def mkdir(path: str, *arguments: Any, **options: Any) -> None:
        (root / "pkg/server.py").write_bytes(b"mine")
        real(path, *arguments, **options)

    monkeypatch.setattr(os, "mkdir", mkdir)
    with pytest.raises(StaleError):
        carry_out(root, PLAN)
    assert tree(root) == {**BEFORE, "pkg/server.py": b"mine"}


# --- one at a time ----------------------------------------------------------------------------------------------------


def test_two_runs_exclude_each_other(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock of another process is respected while it lives, and gone when it is killed."""
    monkeypatch.setattr(exclusive_module, "PATIENCE", 0.2)
    program = (
        "import sys, time\nfrom pathlib import Path\nfrom pdmigrate.migrate.write.exclusive import exclusive\n"
        "with exclusive(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(root)], stdout=subprocess.PIPE) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == b"held\n"
            for attempt in (lambda: carry_out(root, PLAN), lambda: recover(root)):
                with pytest.raises(WriteError) as error:
                    attempt()
                assert error.value.code == "PD603"
        finally:
            other.kill()
    assert traces(root)
    carry_out(root, PLAN)
    assert tree(root) == WHOLE
