"""The files of ``.pdmigrate/`` as a plan leaves them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from pdmigrate import lock
from pdmigrate.lock import Lock
from pdmigrate.model import FileChange, FileKind, JsonObject
from pdmigrate.project import Project
from pdmigrate.render import read_template
from pdmigrate.state import AppliedState, Changed


def extracted_state(project: Project, after: Lock, changes: Sequence[FileChange]) -> list[FileChange]:
    """The state files after an ``extract``: nothing that a revert would have to undo."""
    sources = lock.digests(changes, project.files, project.inventory.sources)
    return _files(project, replace(after, sources=sources))


def applied_state(project: Project, after: Lock, changes: Sequence[FileChange]) -> list[FileChange]:
    """The state files after an ``apply``: what was made and changed, and the patch that takes the changes back."""
    from pdmigrate.diff import patch

    effective = [change for change in changes if change.changed]
    first = not (after.state.created or after.state.changed)
    state = _applied(after.state, effective)
    sources = lock.digests(changes, project.files, project.inventory.sources)
    before = _earlier(project) if first else after.before
    files = _files(project, replace(after, state=state, sources=sources, before=before))
    undo = [change for change in effective if change.path in state.changed]
    if undo:
        files.append(_file(project, lock.PATCH_PATH, patch(undo), "what a revert in a fresh clone needs"))
    return files


def description_schema() -> JsonObject:
    """The JSON Schema that every description file names."""
    schema = json.loads(read_template("description.schema.json"))
    if not isinstance(schema, dict):
        raise TypeError("description.schema.json of this installation is not an object")
    return schema


def _applied(state: AppliedState, changes: Sequence[FileChange]) -> AppliedState:
    """``state`` with the files that this run makes or changes; a file made by an earlier run stays a made one."""
    created: dict[str, FileKind] = dict(state.created)
    changed: dict[str, Changed] = dict(state.changed)
    for change in changes:
        if change.before is None:
            created[change.path] = change.kind
        elif change.path not in created and change.after is not None:
            first = changed[change.path].before if change.path in changed else _sha256(change.before)
            changed[change.path] = Changed(first, _sha256(change.after))
    return replace(state, created=created, changed=changed)


def _earlier(project: Project) -> JsonObject | None:
    raw = project.files.get(lock.LOCK_PATH)
    earlier = json.loads(raw) if raw is not None else None
    return earlier if isinstance(earlier, dict) else None


def _files(project: Project, after: Lock) -> list[FileChange]:
    schema = read_template("description.schema.json").encode()
    return [
        _file(project, lock.LOCK_PATH, lock.dump(after), "what was chosen and written"),
        _file(project, lock.SCHEMA_PATH, schema, "the JSON Schema of description files"),
        _file(project, lock.GITIGNORE_PATH, b"journal/\n", "keeps the journal out of the repository"),
    ]


def _file(project: Project, path: str, after: bytes, reason: str) -> FileChange:
    return FileChange(path, project.files.get(path), after, FileKind.STATE, reason)


def _sha256(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()

