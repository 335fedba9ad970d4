"""Make the plan that brings back the bytes from before a migration.

Originals are made by taking out the pieces in the lock, or come from git, and count only with the checksum that the
lock recorded.  A file that was edited since is merged; where that is not possible the whole plan is refused with
findings that say where, because half a revert is a broken server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from pdmigrate import disk
from pdmigrate.disk.vcs import git
from pdmigrate.errors import PdmigrateError
from pdmigrate.findings import finding
from pdmigrate.migrate.write.carrying import inside
from pdmigrate.migrate.write.diff import split_lines
from pdmigrate.migrate.write.pieces import (
    added,
    edited_at,
    redo,
    undo,
    undo_edited,
    with_ends,
)
from pdmigrate.model import FileChange, FileKind, Finding, JsonObject, Plan, Severity, Site
from pdmigrate.names import LOCK_PATH, MODULE
from pdmigrate.record import lock
from pdmigrate.record.undo import (
    Changed,
    Piece,
    dump_state,
    load_state,
    refuse_others,
    sha256,
)

_POLICIES = re.compile(rb'stdio="\w+", http="\w+"')

Judgement = Callable[[str, bytes], bool]
"""Answers a question about a file that the migration made; its arguments: the file's path and bytes."""


def plan_revert(root: Path, *, holds_words: Judgement, is_generated: Judgement, force: bool = False) -> Plan:
    """The plan that undoes the migration recorded below ``root``; empty, with a note, when there is none.

    ``holds_words`` tells whether a person has written in a description file: such files are kept and listed.
    ``is_generated`` tells whether a file is still what the migration made: an edited file is removed only with
    ``force``, which also accepts that a changed file is gone.  With an error among its findings the plan is empty.

    Raises PdmigrateError if the record cannot be read (PD606), WriteError if a recorded path leads out of the root
    (PD605), OutsideError if git does not answer in time.
    """
    raw = disk.content(root, LOCK_PATH)
    remembered = lock.read({LOCK_PATH: raw} if raw is not None else {})
    state = remembered.state
    if not state.created and not state.changed:
        return Plan((), notes=("nothing to revert: no migration is recorded here",))
    results = [_restored(root, path, changed, force=force) for path, changed in sorted(state.changed.items())]
    for path, kind in sorted(state.created.items()):
        results += _removed(root, path, kind, holds_words, is_generated, force=force)
    findings = tuple(result for result in results if isinstance(result, Finding))
    if any(found.severity is Severity.ERROR for found in findings):
        return Plan((), findings=findings)
    changes = tuple(result for result in results if isinstance(result, FileChange))
    return Plan((*changes, *_state_changes(root, remembered.before)), findings=findings)


# --- files that were there before -------------------------------------------------------------------------------------


def _restored(root: Path, path: str, changed: Changed, *, force: bool) -> FileChange | Finding:
    if (current := _now(root, path)) is None:
        if force:
            return FileChange(path, None, None, FileKind.CODE, "was deleted, and stays deleted")
        return finding("PD609", f"{path} was changed by the migration, and is gone", site=Site(path, 1))
    if _has(current, changed.before):
        return FileChange(path, current, current, FileKind.CODE, "is as before the migration already")
    original, migrated = _versions(root, changed, current)
    # Line ends that are still those of the migration were changed by no checkout: then the original has its own.
    end = b"" if migrated is not None and _line_end(migrated) == _line_end(current) else _line_end(current)
    if end:
        original, migrated = (None if text is None else with_ends(text, end) for text in (original, migrated))
        ended = (Piece(line, with_ends(text, end), with_ends(old, end)) for line, text, old in changed.pieces)
        changed = replace(changed, pieces=tuple(ended))
    if not _has(current, changed.after):
        return _merged(path, current, changed.pieces, original, migrated)
    if original is None:
        return _not_found(path)
    return FileChange(path, current, original, FileKind.CODE, "as before the migration")


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


def _versions(root: Path, changed: Changed, current: bytes) -> tuple[bytes | None, bytes | None]:
    """The file before and after the migration; ``None`` for a version that is not there with the recorded checksum."""

    def proven(checksum: str, *candidates: bytes | None) -> bytes | None:
        forms = (form for candidate in candidates if candidate is not None for form in _forms(candidate))
        return next((form for form in forms if sha256(form) == checksum), None)

    after = proven(changed.after, current)
    before = proven(changed.before, undo(changed.pieces, after)) if after is not None else None
    if before is None:
        kept = [git.blob(root, name) for name in changed.blobs]
        before, after = proven(changed.before, *kept), proven(changed.after, after, *kept)
    # What was formatted before it was ever committed is unknown to git in one of the two versions.
    if before is None and after is not None:
        before = proven(changed.before, undo(changed.pieces, after))
    if after is None and before is not None:
        after = proven(changed.after, redo(changed.pieces, before))
    return before, after


def _merged(
    path: str, current: bytes, pieces: tuple[Piece, ...], original: bytes | None, migrated: bytes | None
) -> FileChange | Finding:
    """The file with the later edits kept and the migration taken out, or a finding if that is not possible."""
    reason = "as before the migration, with the edits made since"
    text = _with_recorded_policies(current, pieces)
    merged = git.merge(text, migrated, original) if migrated is not None and original is not None else None
    if merged is not None and not _left(pieces, merged, original):
        return FileChange(path, current, merged, FileKind.CODE, reason)
    if (without := undo_edited(pieces, text)) is not None:
        return FileChange(path, current, without, FileKind.CODE, reason)
    is_inserted = pieces and all(line in split_lines(p.text) for p in pieces for line in split_lines(p.replaced))
    if is_inserted and path.endswith(".py") and MODULE.encode() not in text and not _left(pieces, text, original):
        return FileChange(path, current, current, FileKind.CODE, "holds nothing of the migration any more")
    if not pieces and original is None:
        return _not_found(path)
    line = edited_at(pieces, text)
    message = f"{path} was edited in a place that the migration had changed, which was line {line} at the time"
    return finding("PD607", message, site=Site(path, line))


def _left(pieces: tuple[Piece, ...], text: bytes, original: bytes | None) -> bool:
    """Whether a line that the migration put in stands in ``text``: a sorter of imports may have moved it."""
    lines, before = ({*split_lines(each)} for each in (text, original or b""))
    return any(line in lines - before for piece in pieces for line in added(piece) if line.strip())


def _with_recorded_policies(current: bytes, pieces: tuple[Piece, ...]) -> bytes:
    """``current`` with the policies as the migration wrote them: people are meant to edit them in the code."""
    lines = split_lines(current)
    for line in (line for piece in pieces for line in added(piece)):
        if (written := _POLICIES.search(line)) and line not in lines:
            before, after = re.escape(line[: written.start()]), re.escape(line[written.end() :])
            other = re.compile(before + _POLICIES.pattern + after)
            places = [position for position, there in enumerate(lines) if other.fullmatch(there)]
            if len(places) == 1:
                lines[places[0]] = line
    return b"".join(lines)


def _not_found(path: str) -> Finding:
    return finding("PD610", f"neither {LOCK_PATH} nor git has the original of {path}", site=Site(path, 1))


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
        yield finding("PD611", f"{path} holds text that a person wrote, and is kept", site=Site(path, 1))
    elif edited and kind is FileKind.TEST:
        yield finding("PD611", f"{path} was changed since it was written and is kept", site=Site(path, 1))
    elif edited:
        yield finding("PD608", f"{path} was edited since it was generated", site=Site(path, 1))
    else:
        yield FileChange(path, current, None, kind, "was made by the migration")


def _now(root: Path, path: str) -> bytes | None:
    """The bytes of a recorded file now; refused where no migration would write to its real place (PD605, PD606)."""
    place = inside(root, path)
    refuse_others((place,))
    try:
        return disk.content(root, place)
    except OSError as error:
        raise PdmigrateError(f"{path} cannot be read: {error.strerror}", hint="see what is in its place") from error


def _state_changes(root: Path, earlier: JsonObject | None) -> Iterator[FileChange]:
    """The changes of files in ``.pdmigrate/``: removed, or as a migration after an extraction found them."""
    for path in lock.STATE_PATHS:
        if (current := _now(root, path)) is None:
            continue
        after: bytes | None = None
        if earlier:
            after = dump_state(load_state(json.dumps(earlier).encode())) if path == LOCK_PATH else current
        yield FileChange(path, current, after, FileKind.STATE, "what the migration recorded")
