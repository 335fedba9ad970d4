"""The files of ``.pdmigrate/`` as a plan leaves them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pdmigrate.migrate.write.pieces import changed, undo, undo_edited
from pdmigrate.model import FileChange, FileKind, JsonObject, mapping
from pdmigrate.names import LOCK_PATH
from pdmigrate.project.model import Project
from pdmigrate.record import lock
from pdmigrate.record.lock import Lock
from pdmigrate.record.undo import AppliedState, sha256
from pdmigrate.runtime.render import read_template
from pdmigrate.source.documents import json_or_none

_ATTRIBUTES = b"* -text linguist-generated\n"


def applied_state(project: Project, after: Lock, changes: Sequence[FileChange]) -> list[FileChange]:
    """The state files after an ``apply``: the lock names the files that were created and changed."""
    effective = [change for change in changes if change.changed]
    first = not (after.state.created or after.state.changed)
    created = {**after.state.created, **{change.path: change.kind for change in effective if change.before is None}}
    if not first:
        created |= dict.fromkeys(_made_elsewhere(project, after), FileKind.DESCRIPTION)
    state = _with_changed(replace(after.state, created=created), effective)
    earlier = mapping(json_or_none(project.files.get(LOCK_PATH, b""))) or None
    return state_files(project, replace(after, state=state, before=earlier if first else after.before))


def _made_elsewhere(project: Project, after: Lock) -> Iterator[str]:
    """The description files that a run on another branch wrote: a merge brought them, but not the lock's entries."""
    # What the lock held before the first ``apply`` is the project's, not the migration's.
    known = {*lock.read(project.files).written, *mapping((after.before or {}).get("descriptions"))}
    return (path for path in after.written if path in project.files and path not in known)


def _with_changed(state: AppliedState, changes: Sequence[FileChange]) -> AppliedState:
    """``state`` with the files that this run changes, as they were before the first ``apply``, or as recorded before.

    If somebody has edited the very same lines since, the original cannot be restored, and a revert will ask for help.
    """
    recorded = dict(state.changed)
    for change in changes:
        if change.before is None or change.after is None or change.path in state.created:
            continue
        original: bytes | None = change.before
        if earlier := recorded.get(change.path):
            if sha256(change.after) == earlier.after:
                continue  # as an earlier run left it: an edit since was dropped, and a revert must not bring it back
            undone = undo(earlier.pieces, change.before)
            exact = undone is not None and sha256(undone) == earlier.before
            original = undone if exact else undo_edited(earlier.pieces, change.before)
        if original is not None:
            recorded[change.path] = changed(original, change.after)
    return replace(state, changed=recorded)


def description_schema() -> JsonObject:
    """The JSON Schema that every description file refers to."""
    return mapping(json.loads(read_template("description.schema.json")))


def state_files(project: Project, after: Lock) -> list[FileChange]:
    """The lock, and beside it the JSON Schema of description files where there are any."""
    schema = read_template("description.schema.json").encode()
    described = bool(after.written) or lock.SCHEMA_PATH in project.files
    present_schema = project.files.get(lock.SCHEMA_PATH)
    if present_schema is not None and json_or_none(present_schema) == json_or_none(schema):
        schema = present_schema  # laid out by another program
    files = [_file(project, LOCK_PATH, lock.dumped(after, project.files.get(LOCK_PATH)), "pdmigrate's record")]
    if described:
        files.append(_file(project, lock.SCHEMA_PATH, schema, "the JSON Schema of description files"))
    if described and lock.GITATTRIBUTES_PATH not in project.files:
        reason = "has git keep the line ends of the files beside it, and marks them as generated"
        files.append(_file(project, lock.GITATTRIBUTES_PATH, _ATTRIBUTES, reason))
    return files


def _file(project: Project, path: str, after: bytes | None, reason: str) -> FileChange:
    return FileChange(path, project.files.get(path), after, FileKind.STATE, reason)
