"""Carry out a plan: all of it, or nothing.

The journal comes first, then every new content beside its place, then the renames; the run is done when its journal is
renamed to a kept one.  ``recover`` ends what was interrupted at any instant before that.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pdmigrate.errors import PdmigrateError, StaleError, WriteError
from pdmigrate.model import FileChange, FileKind, Plan
from pdmigrate.state import load_state
from pdmigrate.write import disk, journal
from pdmigrate.write.disk import sha256
from pdmigrate.write.exclusive import exclusive
from pdmigrate.write.journal import Entry, Journal

FOLDER = ".pdmigrate"
LOCK_FILE = f"{FOLDER}/lock.json"


@dataclass(frozen=True, slots=True)
class _Target:
    """A planned change with the file that it really is about."""

    change: FileChange
    place: Path
    status: os.stat_result | None


def carry_out(root: Path, plan: Plan) -> None:
    """Write what ``plan`` changes below ``root``; when this raises, nothing has changed.

    Files keep their mode and, where that is allowed, their owner; links to files inside the root are followed.  Folders
    that lose their last file go with it, as git does it.

    Raises:
        StaleError: a file is not what it was when the plan was made (PD601).
        WriteError: the disk refuses (PD602), another run is writing (PD603), an interrupted run cannot be undone
            (PD604), a path leads out of the root (PD605).
    """
    if plan.empty:
        return
    with exclusive(root) as folder:
        _recover(root, folder)
        targets = [_target(root, change) for change in _ordered(plan.effective)]
        _check_distinct(targets)
        run = _journal(root, journal.next_folder(folder), targets)
        try:
            _write(root, run, targets)
        except OSError as error:
            _take_back(root, run)
            raise _refused(error, "nothing was changed") from error
        except BaseException:
            _take_back(root, run)
            raise
        _prune(root, reverted=any(c.kind is FileKind.STATE and c.after is None for c in plan.effective))


def recover(root: Path) -> str | None:
    """Finish or undo a run that was interrupted; says what was done, or ``None`` when there was nothing to say.

    Raises:
        WriteError: another run is still writing (PD603), or a file was edited since, so that undoing the interrupted
            run would overwrite the edit (PD604).
    """
    if not journal.traces(root) and ((root / LOCK_FILE).exists() or not (root / FOLDER).exists()):
        return None
    with exclusive(root) as folder:
        try:
            message = _recover(root, folder)
        except OSError as error:
            raise _refused(error, "an interrupted run is not undone yet") from error
        _prune(root)
    return message


# --- before anything is written ---------------------------------------------------------------------------------------


def _ordered(changes: Iterable[FileChange]) -> list[FileChange]:
    """New files first, removals last: at no time does code refer to a file that is not there."""
    return sorted(changes, key=lambda change: (change.before is not None, change.after is None, change.path))


def _target(root: Path, change: FileChange) -> _Target:
    place = disk.inside(root, change.path)
    target = _Target(change, place, place.stat() if change.before is not None and place.is_file() else None)
    if change.after is None and (root / change.path).is_symlink():
        raise WriteError(f"{change.path} is a link now, and is not removed", hint="remove it by hand", code="PD605")
    _check_unchanged(root, target)
    if target.status is not None and not os.access(place, os.W_OK):
        raise WriteError(f"{change.path} is read-only; nothing was changed", hint="make it writable", code="PD602")
    return target


def _check_unchanged(root: Path, target: _Target) -> None:
    path, before = target.change.path, target.change.before
    there = os.path.lexists(root / path)
    try:
        same = not there if before is None else there and disk.read(target.place) == before
    except OSError as error:
        raise WriteError(
            f"{path} cannot be read: {error.strerror}", hint="see its permissions", code="PD602"
        ) from error
    if not same:
        what = "is there now" if before is None else "changed" if there else "is gone"
        message = f"{path} {what} since the plan was made; nothing was changed"
        raise StaleError(message, hint="run the command again", code="PD601")


def _check_distinct(targets: Sequence[_Target]) -> None:
    seen: dict[Path, str] = {}
    for target in targets:
        other = seen.setdefault(target.place, target.change.path)
        if other != target.change.path:
            raise WriteError(f"{other} and {target.change.path} are one file", hint="plan one of them", code="PD605")


def _journal(root: Path, folder: Path, targets: Sequence[_Target]) -> Journal:
    top = Path(os.path.realpath(root))
    entries = tuple(
        Entry(
            path=target.change.path,
            target=_relative(target.place, top),
            temporary=_relative(target.place.with_name(f".pdmigrate-{folder.name}-{number}.tmp"), top),
            before=None if target.change.before is None else sha256(target.change.before),
            after=None if target.change.after is None else sha256(target.change.after),
        )
        for number, target in enumerate(targets)
    )
    missing = {p for t in targets if t.change.after is not None for p in t.place.parents if not p.exists()}
    return Journal(folder, entries, tuple(sorted(_relative(folder, top) for folder in missing)))


def _relative(path: Path, top: Path) -> str:
    return path.relative_to(top).as_posix()


# --- writing ----------------------------------------------------------------------------------------------------------


def _write(root: Path, run: Journal, targets: Sequence[_Target]) -> None:
    contents: dict[Path, tuple[bytes, os.stat_result | None]] = {}
    for entry, target in zip(run.entries, targets, strict=True):
        before, after = target.change.before, target.change.after
        if before is not None:
            contents[run.before(entry)] = (before, target.status)
        # The state is kept in both forms: without it nobody could tell what the other copies are of.
        if after is not None and (before is not None or entry.path == LOCK_FILE):
            contents[run.after(entry)] = (after, None)
    journal.begin(run, contents)
    disk.make_folders(root / folder for folder in run.folders)
    for entry, target in zip(run.entries, targets, strict=True):
        if target.change.after is not None:
            disk.write_durably(root / entry.temporary, target.change.after, target.status)
    # What was edited while the contents were written must not be lost either.
    for target in targets:
        _check_unchanged(root, target)
    journal.ready(run)
    for entry in run.entries:
        if entry.after is None:
            os.unlink(root / entry.target)  # noqa: PTH108 - one seam for all that changes the disk
        else:
            os.replace(root / entry.temporary, root / entry.target)  # noqa: PTH105 - one seam
    _finish(root, run)


def _finish(root: Path, run: Journal) -> None:
    places = {(root / entry.target).parent for entry in run.entries}
    disk.remove_empty(_emptied(root, run))
    disk.sync_folders(places)
    journal.keep(run)


def _emptied(root: Path, run: Journal) -> set[Path]:
    """The folders that may have lost their last file."""
    gone = [root / entry.target for entry in run.entries if entry.after is None]
    return {folder for path in gone for folder in path.parents if root in folder.parents}


def _refused(error: OSError, state: str) -> WriteError:
    where = f"{error.filename} could not be written" if error.filename else "the files could not be written"
    return WriteError(
        f"{where}: {error.strerror or error}; {state}", hint="solve that, then run the command again", code="PD602"
    )


# --- taking back ------------------------------------------------------------------------------------------------------


def _recover(root: Path, folder: Path) -> str | None:
    """End every interrupted run; the lock is held."""
    messages = []
    for path in journal.unfinished(folder):
        run = journal.read_journal(path)
        if run is None:
            journal.discard(path)
        elif _is_complete(root, run):
            _finish(root, run)
            messages.append(f"an interrupted run was finished ({_files(run)} written)")
        else:
            _undo(root, run)
            messages.append(f"an interrupted run was undone ({_files(run)} as before)")
    return "; ".join(messages) or None


def _is_complete(root: Path, run: Journal) -> bool:
    return journal.is_ready(run) and all(disk.digest(root / entry.target) == entry.after for entry in run.entries)


def _files(run: Journal) -> str:
    return "1 file" if len(run.entries) == 1 else f"{len(run.entries)} files"


def _take_back(root: Path, run: Journal) -> None:
    """Undo the run of this process.

    Raises:
        WriteError: the disk refuses that too; the next command tries again (PD602).
    """
    try:
        if journal.read_journal(run.folder) is None:
            journal.discard(run.folder)
        else:
            _undo(root, run)
    except OSError as error:
        raise _refused(error, "what was written is taken back by the next command") from error


def _undo(root: Path, run: Journal) -> None:
    """Bring back the bytes of before; safe to repeat when it is interrupted itself."""
    for entry in [entry for entry in run.entries if journal.is_ready(run) and _is_written(root, run, entry)]:
        _restore(root, run, entry)
    for entry in run.entries:
        disk.remove(root / entry.temporary)
    disk.remove_empty(root / folder for folder in run.folders)
    disk.sync_folders((root / entry.target).parent for entry in run.entries)
    journal.discard(run.folder)


def _is_written(root: Path, run: Journal, entry: Entry) -> bool:
    """Whether the run got to this file.

    Raises:
        WriteError: it did, and the file was edited since (PD604).
    """
    if entry.after is None:
        return not (root / entry.target).exists()
    if (root / entry.temporary).exists():
        return False
    state = disk.digest(root / entry.target)
    if state not in (entry.before, entry.after):
        copy = f"its content before that run is in {run.before(entry)}" if entry.before else "it was not there before"
        raise WriteError(
            f"{entry.path} was edited after a run was interrupted; {copy}",
            hint=f"put the files of that run into the state you want, then delete {run.folder}",
            code="PD604",
        )
    return state != entry.before


def _restore(root: Path, run: Journal, entry: Entry) -> None:
    target = root / entry.target
    if entry.before is None:
        disk.remove(target)
        return
    disk.make_folders(folder for folder in target.parents if not folder.exists())
    kept = run.before(entry)
    try:
        # The copy has the mode and owner of the original, and a rename needs no room on a full disk.
        os.replace(kept, target)  # noqa: PTH105 - one seam for all that changes the disk
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        disk.remove(root / entry.temporary)
        disk.write_durably(root / entry.temporary, kept.read_bytes(), kept.stat())
        os.replace(root / entry.temporary, target)  # noqa: PTH105 - one seam for all that changes the disk


def _prune(root: Path, *, reverted: bool = False) -> None:
    """Forget the runs whose contents no revert can need; while the state is lost, and was not removed, that is none."""
    raw = disk.read(root / LOCK_FILE)
    wanted: frozenset[str] = frozenset()
    if raw is None and not reverted and journal.left(root, LOCK_FILE)[0]:
        return
    if raw is not None:
        try:
            state = load_state(raw, LOCK_FILE)
        except PdmigrateError:
            # Whatever reads the state says so; until it is repaired everything is kept.
            return
        wanted = frozenset(checksum for c in state.changed.values() for checksum in (c.before, c.after))
        if state.changed or state.created:
            # The state itself is wanted for the day on which its file is lost.
            wanted |= {sha256(raw)}
    with contextlib.suppress(OSError):
        # The run is done; what is not removed now is removed after the next one.
        journal.prune(root, wanted)
