"""Carry out a plan: all of it, or nothing.

The journal comes first, then every new content beside its target, then the renames; a run is done when its journal is
removed.  ``recover`` ends a run that was interrupted at any instant before that, ``look`` only reports it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.counting import plural
from pdmigrate.disk.vcs import git
from pdmigrate.errors import StaleError, WriteError
from pdmigrate.migrate.write import journal
from pdmigrate.migrate.write.exclusive import JOURNAL, exclusive, wait
from pdmigrate.migrate.write.journal import RUN, Journal, JournalEntry
from pdmigrate.model import FileChange, Plan
from pdmigrate.record.undo import sha256

_NOTHING: disk.Seen = {}
_FOREIGN = f"{RUN} says that a run was interrupted, and there is no record that you started it on this machine"


@dataclass(frozen=True, slots=True)
class _Target:
    """A planned change with the real place of its file: its path with links followed."""

    change: FileChange
    place: str
    status: os.stat_result | None


def carry_out(root: Path, plan: Plan, basis: disk.Seen = _NOTHING) -> None:
    """Write what ``plan`` changes below ``root``; when this raises, nothing has changed.

    ``basis`` holds digests of the files that the plan was made from, as they were then (``disk.reading``).  Files keep
    their mode and, where that is allowed, their owner; links to files inside the root are followed.  Folders that lose
    their last file are removed with it, as git does it.

    Raises StaleError if a file is not what it was when the plan was made (PD601), WriteError if the disk refuses
    (PD602), another run is writing (PD603), an interrupted run cannot be undone (PD604, PD612), or a path leads out of
    the root or into a git repository's own data (PD605).
    """
    if plan.empty:
        return
    with exclusive(root):
        _recover(root)
        check_fresh(basis)
        targets = [_target(root, change) for change in _ordered(plan.effective)]
        _check_distinct(targets)
        run = _journal(root, targets)
        with _told("nothing was changed"):
            try:
                _write(root, run, targets)
            except BaseException:
                _take_back(root, run)
                raise


def recover(root: Path) -> str | None:
    """Finish or undo an interrupted run; return what was done, or ``None`` when there was nothing to do.

    Raises WriteError while another run is still writing (PD603), if undoing would overwrite an edit made since (PD604),
    or if nothing proves that this user made the run (PD612).
    """
    if not journal.traces(root):
        return None
    with exclusive(root), _told("an interrupted run is not undone yet"):
        return _recover(root)


def look(root: Path) -> str | None:
    """A message about an interrupted run, for commands that write nothing; ``None`` if there is none.

    Raises WriteError if files are half written, so that nothing can be said of them (PD613), or being written (PD603).
    """
    if not journal.unfinished(root):
        return None
    wait(root)
    if not journal.unfinished(root):
        return None
    try:
        run = journal.read_journal(root)
    except WriteError as error:
        return f"{error.message}; it was ignored"
    if run is not None and (not run.ours or _is_tracked(root)):
        return f"{_FOREIGN}; it was ignored"
    entries = run.entries if run is not None and journal.is_ready(root) else ()
    if any(_digest(root, entry.target) != entry.before for entry in entries):
        message = "a run was interrupted while it wrote the files of this project, and they are half written"
        hint = "`pdmigrate sync` finishes or undoes that run; then run this command again"
        raise WriteError(message, hint=hint, code="PD613")
    return "a run was interrupted here before it changed a file; `pdmigrate sync` removes what is left of it"


# --- before anything is written ---------------------------------------------------------------------------------------


def _ordered(changes: Iterable[FileChange]) -> list[FileChange]:
    """The changes in the order of writing: new files first, removals last, so that code never lacks a file."""
    return sorted(changes, key=lambda change: (change.before is not None, change.after is None, change.path))


def _target(root: Path, change: FileChange) -> _Target:
    place = inside(root, change.path)
    status = disk.status(root, place) if change.before is not None and disk.is_file(root, place) else None
    if change.after is None and disk.is_link(root, change.path):
        raise WriteError(f"{change.path} is a link now, and is not removed", hint="remove it by hand", code="PD605")
    target = _Target(change, place, status)
    _check_unchanged(root, target)
    if status is not None and not disk.is_writable(root, place):
        raise WriteError(f"{change.path} is read-only; nothing was changed", hint="make it writable", code="PD602")
    return target


def inside(root: Path, path: str) -> str:
    """``path`` relative to the root, links followed in both; raises WriteError outside it, or in git's data (PD605)."""
    try:
        return disk.resolved(root, path)
    except disk.RefusedError as error:
        hint = "replace the link with a file, or run in a folder that has both link and target"
        raise WriteError(f"{path} {error.strerror}", hint=hint, code="PD605") from error


def check_fresh(basis: disk.Seen) -> None:
    """Raises StaleError if files have changed since a result was made from them (PD601)."""
    if (path := disk.changed_since(basis)) is not None:
        raise _stale(f"{path} changed")


def _check_unchanged(root: Path, target: _Target) -> None:
    path, before = target.change.path, target.change.before
    there = disk.is_there(root, path)
    try:
        same = not there if before is None else there and disk.content(root, target.place) == before
    except disk.RefusedError:
        same = False
    except OSError as error:
        hint = "see its permissions"
        raise WriteError(f"{path} cannot be read: {error.strerror}", hint=hint, code="PD602") from error
    if not same:
        raise _stale(f"{path} {'is there now' if before is None else 'changed' if there else 'is gone'}")


def _stale(what: str) -> StaleError:
    message = f"{what} since the plan was made; nothing was changed"
    return StaleError(message, hint="run the command again", code="PD601")


def _check_distinct(targets: Sequence[_Target]) -> None:
    seen: dict[str, str] = {}
    for target in targets:
        other = seen.setdefault(target.place, target.change.path)
        if other != target.change.path:
            raise WriteError(f"{other} and {target.change.path} are one file", hint="plan one of them", code="PD605")


def _journal(root: Path, targets: Sequence[_Target]) -> Journal:
    entries = tuple(
        JournalEntry(
            path=target.change.path,
            target=target.place,
            temporary=str(PurePosixPath(target.place).with_name(f".pdmigrate-{position}.tmp")),
            before=None if target.change.before is None else sha256(target.change.before),
            after=None if target.change.after is None else sha256(target.change.after),
        )
        for position, target in enumerate(targets)
    )
    above = {folder for t in targets if t.change.after is not None for folder in _above(t.place)}
    made = tuple(sorted(folder for folder in above if not disk.is_there(root, folder)))
    return Journal(entries, made)


def _above(path: str) -> list[str]:
    """The folders above a file, the innermost first, without the root."""
    return [folder.as_posix() for folder in PurePosixPath(path).parents if folder.name]


# --- writing ----------------------------------------------------------------------------------------------------------


def _write(root: Path, run: Journal, targets: Sequence[_Target]) -> None:
    pairs = [*zip(run.entries, targets, strict=True)]
    kept = ((run.before(entry), target.change.before, target.status) for entry, target in pairs)
    journal.begin(root, run, {path: (raw, status) for path, raw, status in kept if raw is not None})
    for folder in run.folders:
        disk.make_folder(root, folder)
    for entry, target in pairs:
        if target.change.after is not None:
            disk.create(root, entry.temporary, target.change.after, target.status)
    # Edits made while the contents were written must not be lost either.
    for target in targets:
        _check_unchanged(root, target)
    journal.ready(root)
    for entry in run.entries:
        if entry.after is None:
            disk.remove(root, entry.target)
        else:
            disk.replace(root, entry.temporary, entry.target)
    _finish(root, run)


def _finish(root: Path, run: Journal) -> None:
    _remove_empty(root, {folder for entry in run.entries if entry.after is None for folder in _above(entry.target)})
    _sync(root, run)
    journal.discard(root)


def _remove_empty(root: Path, folders: Iterable[str]) -> None:
    for folder in sorted(folders, key=lambda folder: folder.count("/"), reverse=True):
        disk.remove_folder(root, folder)


def _sync(root: Path, run: Journal) -> None:
    for folder in sorted({entry.target.rpartition("/")[0] for entry in run.entries}):
        disk.sync(root, folder)


@contextmanager
def _told(state: str) -> Iterator[None]:
    """Tells of errors of the disk, and in which state they leave the files."""
    try:
        yield
    except disk.RefusedError as error:
        raise WriteError(f"{error.filename} {error.strerror}", hint="see what is in its place", code="PD605") from error
    except OSError as error:
        where = f"{error.filename or 'the files'} could not be written: {error.strerror or error}; {state}"
        raise WriteError(where, hint="fix that, then run the command again", code="PD602") from error


# --- taking back ------------------------------------------------------------------------------------------------------


def _recover(root: Path) -> str | None:
    """End an interrupted run; the caller holds the lock."""
    if not journal.unfinished(root):
        return None
    tracked = _is_tracked(root)
    run = None if tracked else journal.read_journal(root)
    if tracked or (run is not None and not run.ours):
        hint = "if files are half written, restore them from the copies in that folder; then remove the folder"
        raise WriteError(f"{_FOREIGN}; nothing was changed", hint=hint, code="PD612")
    if run is None:
        journal.discard(root)
        return None
    files = plural(len(run.entries), "file")
    if journal.is_ready(root) and all(_digest(root, entry.target) == entry.after for entry in run.entries):
        _finish(root, run)
        return f"an interrupted run was finished ({files} written)"
    _undo(root, run)
    return f"an interrupted run was undone ({files} as before)"


def _is_tracked(root: Path) -> bool:
    """Whether git tracks the journal, so that others can write it, too."""
    return git.tracks(root, JOURNAL)


def _digest(root: Path, path: str) -> str | None:
    raw = disk.content(root, path)
    return None if raw is None else sha256(raw)


def _take_back(root: Path, run: Journal) -> None:
    """Undo the run of this process; what the disk refuses is tried again by the next command."""
    with _told("what was written is taken back by the next command"):
        if journal.read_journal(root) is None:
            journal.discard(root)
        else:
            _undo(root, run)


def _undo(root: Path, run: Journal) -> None:
    """Bring back the bytes from before a run; safe to repeat if the undoing is interrupted itself."""
    if journal.is_ready(root):
        written = [entry for entry in run.entries if _is_written(root, run, entry)]
        for entry in written:
            _check_copy(root, run, entry)
        for entry in written:
            _restore(root, run, entry)
    for entry in run.entries:
        disk.remove(root, entry.temporary)
    _remove_empty(root, run.folders)
    _sync(root, run)
    journal.discard(root)


def _is_written(root: Path, run: Journal, entry: JournalEntry) -> bool:
    """Whether the run has replaced or removed this file already; raises WriteError if it was edited since (PD604)."""
    if entry.after is None:
        return not disk.is_there(root, entry.target)
    if disk.is_there(root, entry.temporary):
        return False
    state = _digest(root, entry.target)
    if state not in (entry.before, entry.after):
        copy = f"its content before that run is in {root / run.before(entry)}" if entry.before else "it is new"
        raise _cannot_undo(f"{entry.path} was edited after a run was interrupted; {copy}", root)
    return state != entry.before


def _check_copy(root: Path, run: Journal, entry: JournalEntry) -> None:
    """Refuse (PD604) to undo with a copy that is gone, or is not what the journal says."""
    if entry.before is not None and entry.before != _digest(root, run.before(entry)):
        raise _cannot_undo(f"{root / run.before(entry)} is not what {entry.path} was before a run", root)


def _cannot_undo(message: str, root: Path) -> WriteError:
    hint = f"put the files of that run into the state you want, then delete {root / RUN}"
    return WriteError(message, hint=hint, code="PD604")


def _restore(root: Path, run: Journal, entry: JournalEntry) -> None:
    if entry.before is None:
        disk.remove(root, entry.target)
        return
    for folder in reversed(_above(entry.target)):
        disk.make_folder(root, folder)
    # The copy has the mode and owner of the original, and a rename needs no room on a full disk.
    disk.replace(root, run.before(entry), entry.target)
