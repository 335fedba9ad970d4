"""Make the plan that brings back the bytes from before a migration.

Originals come from the journal of this checkout, from ``.pdmigrate/apply.patch``, or from git, and count only with the
checksum that the lock recorded.  A file that was edited since is merged; where that is not possible the whole plan is
refused with findings that say where, because half a revert is a broken server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pdmigrate import disk
from pdmigrate.describe import descriptions
from pdmigrate.disk.vcs import git
from pdmigrate.disk.vcs.merging import merge
from pdmigrate.errors import PdmigrateError
from pdmigrate.findings import finding
from pdmigrate.migrate.write.carrying import inside
from pdmigrate.migrate.write.diff import split_lines
from pdmigrate.migrate.write.journal import copies, last_written, sha256, stored
from pdmigrate.migrate.write.unpatch import (
    FilePatch,
    differ_in_layout,
    inserted,
    parse_patch,
    taken_out,
    undo,
    undo_edited,
    with_ends,
)
from pdmigrate.model import FileChange, FileKind, Finding, Plan, Severity, Site
from pdmigrate.names import LOCK_PATH
from pdmigrate.record import lock
from pdmigrate.record.undo import AppliedState, Changed, dump_state, load_state, refuse_claims, refuse_others
from pdmigrate.source.discover import python_files

_POLICIES = re.compile(rb'stdio="\w+", http="\w+"')
_COMMITS = 20
LABELS = ("the file now", "as it was migrated", "before the migration")

Judgement = Callable[[str, bytes], bool]
"""Answers a question about a file that the migration made; its arguments: the file's path and bytes."""


@dataclass(frozen=True, slots=True)
class _Migration:
    """The record of a migration: its state, its patches by file, and where journals hold contents, by SHA-256."""

    root: Path
    state: AppliedState
    parts: dict[str, FilePatch]
    copies: dict[str, list[str]]

    def stored(self, checksum: str) -> bytes | None:
        """The content with this SHA-256, if a journal of this checkout has it."""
        return stored(self.root, checksum, self.copies.get(checksum, ()))


def recorded(root: Path) -> bytes | None:
    """The bytes of the lock; if it was lost and not removed by pdmigrate, the bytes that the last run here wrote."""
    raw = disk.content(root, LOCK_PATH)
    return last_written(root, LOCK_PATH)[1] if raw is None else raw


def plan_revert(root: Path, *, holds_words: Judgement, is_generated: Judgement, force: bool = False) -> Plan:
    """The plan that undoes the migration recorded below ``root``; empty, with a note, when there is none.

    ``holds_words`` tells whether a person has written in a description file: such files are kept and listed.
    ``is_generated`` tells whether a file is still what the migration made: an edited file is removed only with
    ``force``, which also accepts that a changed file is gone.  With an error among its findings the plan has no
    changes.

    Raises:
        PdmigrateError: the recorded state cannot be read (PD606).
        WriteError: a recorded path leads out of the root (PD605).
        OutsideError: git does not answer in time.
    """
    raw = recorded(root)
    state = load_state(raw, LOCK_PATH) if raw is not None else AppliedState()
    refuse_claims(state, LOCK_PATH)
    if not state.created and not state.changed:
        return Plan((), notes=("nothing to revert: no migration is recorded here",))
    patch = disk.content(root, lock.PATCH_PATH) or b""
    pieces = {path: inserted(path, entry.inserted) for path, entry in state.changed.items() if entry.inserted}
    migration = _Migration(root, state, {**parse_patch(patch, lock.PATCH_PATH), **pieces}, copies(root))
    gone = [path for path, kind in state.created.items() if kind is FileKind.MODULE and not disk.is_file(root, path)]
    if gone and not force and not all(disk.is_file(root, path) for path in state.changed):
        hint = "if their folder was moved, run `pdmigrate sync` first, which follows it; else revert with --force"
        message = f"{gone[0]} is gone, and so is a file that the migration changed"
        return Plan((), findings=(finding("PD609", message, hint=hint),))
    results: list[FileChange | Finding] = []
    for path, changed in sorted(state.changed.items()):
        results.append(_restored(migration, path, changed, force=force))
    for path, kind in sorted(state.created.items()):
        results += _removed(root, path, kind, holds_words, is_generated, force=force)
    findings = tuple(result for result in results if isinstance(result, Finding))
    if any(found.severity is Severity.ERROR for found in findings):
        return Plan((), findings=findings)
    changes = tuple(result for result in results if isinstance(result, FileChange))
    return Plan((*changes, *_state_changes(root, state)), findings=findings)


# --- files that were there before -------------------------------------------------------------------------------------


def _restored(migration: _Migration, path: str, changed: Changed, *, force: bool) -> FileChange | Finding:
    recorded_at, path = path, _moved_to(migration, path, changed)
    current = _now(migration.root, path)
    if current is None:
        if force:
            return FileChange(path, None, None, FileKind.CODE, "is gone, and stays so")
        return finding("PD609", f"{path} was changed by the migration, and is gone", site=Site(path, 1))
    if _has(current, changed.before):
        return FileChange(path, current, current, FileKind.CODE, "is as before")
    part = migration.parts.get(recorded_at)
    original, migrated = _versions(migration, recorded_at, changed, part, current)
    # Line ends that are still those of the migration were changed by no checkout: then the original has its own.
    end = b"" if migrated is not None and _line_end(migrated) == _line_end(current) else _line_end(current)
    original, migrated = (_ended(text, end) for text in (original, migrated))
    if not _has(current, changed.after):
        return _merged(path, current, with_ends(part, end) if part and end else part, original, migrated)
    if original is None:
        return _not_found(path)
    return FileChange(path, current, original, FileKind.CODE, "as before the migration")


def _moved_to(migration: _Migration, path: str, changed: Changed) -> str:
    """Where a changed file is now: under another name, if the only file with what was inserted in it has that name."""
    root, part = migration.root, migration.parts.get(path)
    if part is None or not path.endswith(".py") or disk.is_file(root, path):
        return path
    pieces = [b"".join(line for line in hunk.new if line not in hunk.old) for hunk in part.hunks]
    found = []
    for other in python_files(root):
        raw = _now(root, other) if other not in migration.state.created else None
        if raw is not None and b"enable" in raw and (_has(raw, changed.after) or taken_out(raw, pieces) is not None):
            found.append(other)
    return found[0] if len(found) == 1 else path


def _forms(content: bytes) -> Iterator[bytes]:
    """A content with its own line ends and with others: git changes them if ``core.autocrlf`` says so."""
    yield content
    plain = content.replace(b"\r\n", b"\n")
    yield plain
    yield plain.replace(b"\n", b"\r\n")


def _has(content: bytes, checksum: str) -> bool:
    return any(sha256(form) == checksum for form in _forms(content))


def _line_end(content: bytes) -> bytes:
    """The one line end of a content; empty if it has several, or none."""
    windows = content.count(b"\r\n")
    return b"\r\n" if windows and windows == content.count(b"\n") else b"" if windows or b"\n" not in content else b"\n"


def _ended(content: bytes | None, end: bytes) -> bytes | None:
    """``content`` with this line end; as it is without one."""
    return content.replace(b"\r\n", b"\n").replace(b"\n", end) if content is not None and end else content


def _versions(
    migration: _Migration, path: str, changed: Changed, part: FilePatch | None, current: bytes
) -> tuple[bytes | None, bytes | None]:
    """The file before and after the migration; ``None`` for a version that no source has with the recorded checksum."""

    def proven(checksum: str, candidates: Iterator[bytes | None]) -> bytes | None:
        forms = (form for candidate in candidates if candidate is not None for form in _forms(candidate))
        return next((form for form in forms if sha256(form) == checksum), None)

    def migrated() -> Iterator[bytes | None]:
        yield current
        yield migration.stored(changed.after)
        if part is not None and part.old_id != part.new_id:
            yield git.blob(migration.root, part.new_id)
        yield from git.versions(migration.root, path, _COMMITS)

    def original(after: bytes | None) -> Iterator[bytes | None]:
        yield migration.stored(changed.before)
        if part is not None and after is not None:
            yield from (undo(one, after) for one in (part, with_ends(part, b"\n"), with_ends(part, b"\r\n")))
        if part is not None and part.old_id != part.new_id:
            yield git.blob(migration.root, part.old_id)
        yield from git.versions(migration.root, path, _COMMITS)

    after = proven(changed.after, migrated())
    before = proven(changed.before, original(after))
    if after is None and before is not None and part is not None:
        # The file was formatted before it was ever committed: git has never seen what was written.
        after = proven(changed.after, iter((undo(part.reverse, before),)))
    return before, after


def _merged(
    path: str, current: bytes, part: FilePatch | None, original: bytes | None, migrated: bytes | None
) -> FileChange | Finding:
    """The file with the later edits kept and the migration taken out, or a finding if that is not possible."""
    reason = "as before the migration, with the edits made since"
    text = _with_recorded_policies(current, part) if part is not None else current
    merged = merge(text, migrated, original, LABELS) if migrated is not None and original is not None else None
    if merged is not None:
        if not merged.conflicts:
            return FileChange(path, current, merged.text, FileKind.CODE, reason)
        if migrated is not None and original is not None and differ_in_layout(text, migrated):
            return FileChange(path, current, original, FileKind.CODE, "as before the migration")
        if part is not None and (without := _without_insertions(part, text)) is not None:
            return FileChange(path, current, without, FileKind.CODE, reason)
        if migrated is not None and original is not None and (keys := _merged_keys(current, migrated, original)):
            return FileChange(path, current, keys, FileKind.DESCRIPTION, reason)
        lines = ", ".join(str(line) for line in merged.conflicts)
        return finding(
            "PD607",
            f"{path} was edited since the migration where the migration changed it too: line {lines}",
            site=Site(path, merged.conflicts[0]),
        )
    undone = _without_insertions(part, text) if part is not None else None
    if undone is not None:
        return FileChange(path, current, undone, FileKind.CODE, reason)
    if original is None:
        return _not_found(path)
    message = f"{path} was edited since the migration, and the edits cannot be told from it"
    return finding("PD607", message, hint="install git, or restore the file by hand", site=Site(path, 1))


def _without_insertions(part: FilePatch, text: bytes) -> bytes | None:
    """``text`` without what was inserted, by lines or, where they were laid out anew, by syntax."""
    undone = undo_edited(part, text)
    if undone is None and not any(hunk.old for hunk in part.hunks):
        undone = taken_out(text, (b"".join(hunk.new) for hunk in part.hunks))
    return undone


def _with_recorded_policies(current: bytes, part: FilePatch) -> bytes:
    """``current`` with the policies as the migration wrote them: people are meant to edit them in the code."""
    lines = split_lines(current)
    for added in (line for hunk in part.hunks for line in hunk.new if line not in hunk.old):
        if (written := _POLICIES.search(added)) and added not in lines:
            before, after = re.escape(added[: written.start()]), re.escape(added[written.end() :])
            other = re.compile(before + _POLICIES.pattern + after)
            places = [position for position, line in enumerate(lines) if other.fullmatch(line)]
            if len(places) == 1:
                lines[places[0]] = added
    return b"".join(lines)


def _merged_keys(current: bytes, migrated: bytes, original: bytes) -> bytes | None:
    """A description file merged key by key: neighbouring lines do not conflict when their keys differ.

    ``None`` where both sides changed the same key, or one of the files cannot be read.
    """
    now, then, before = (descriptions.load("", raw) for raw in (current, migrated, original))
    if isinstance(now, Finding) or isinstance(then, Finding) or isinstance(before, Finding):
        return None
    result = {}
    for key in {**before.data, **now.data}:
        mine, base, theirs = (file.data.get(key) for file in (now, then, before))
        if mine != base and theirs != base and mine != theirs:
            return None
        kept = before.data if mine == base else now.data
        if key in kept:
            result[key] = kept[key]
    return descriptions.dump(result)


def _not_found(path: str) -> Finding:
    sources = f"the journal, {lock.PATCH_PATH}, git"
    return finding("PD610", f"the original of {path} is in none of: {sources}", site=Site(path, 1))


# --- files that the migration made ------------------------------------------------------------------------------------


def _removed(
    root: Path, path: str, kind: FileKind, holds_words: Judgement, is_generated: Judgement, *, force: bool
) -> Iterator[FileChange | Finding]:
    current = _now(root, path)
    if current is None or kind is FileKind.STATE:
        return
    described = kind in (FileKind.DESCRIPTION, FileKind.SERVER)
    edited = not described and not force and not is_generated(path, current)
    if described and holds_words(path, current):
        yield finding("PD611", f"{path} holds a person's words and is kept", site=Site(path, 1))
    elif edited and kind is FileKind.TEST:
        yield finding("PD611", f"{path} was changed since it was written and is kept", site=Site(path, 1))
    elif edited:
        yield finding("PD608", f"{path} was edited since it was generated", site=Site(path, 1))
    else:
        yield FileChange(path, current, None, kind, "was made by the migration")


def _now(root: Path, path: str) -> bytes | None:
    """The bytes of a recorded file as it is now; its real place has to be one that a migration would write to.

    Raises:
        WriteError: the place is outside of the root, or in a git repository's own data (PD605).
        PdmigrateError: no migration makes or changes such a file (PD606), or the file cannot be read.
    """
    place = inside(root, path)
    refuse_others((place,), LOCK_PATH)
    try:
        return disk.content(root, place)
    except OSError as error:
        raise PdmigrateError(f"{path} cannot be read: {error.strerror}", hint="see what is in its place") from error


def _state_changes(root: Path, state: AppliedState) -> Iterator[FileChange]:
    """The changes of files in ``.pdmigrate/``: removed, or as a migration after an extraction found them."""
    earlier = state.extra.get("before")
    for path in lock.STATE_PATHS:
        current = _now(root, path)
        if current is None:
            continue
        after: bytes | None = None
        if isinstance(earlier, dict) and earlier and path != lock.PATCH_PATH:
            known = path == LOCK_PATH
            after = dump_state(load_state(json.dumps(earlier).encode(), path)) if known else current
        yield FileChange(path, current, after, FileKind.STATE, "what the migration recorded")
