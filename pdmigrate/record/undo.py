"""What a migration did, as ``.pdmigrate/lock.json`` holds it: enough to undo it, in this checkout or in a clone.

One entry a line, sorted, so that git can merge the work of two branches.  Keys that this module does not know are kept
as they are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath, PurePosixPath
from typing import Any, NamedTuple

from pdmigrate.describe.json_lines import conflict_line
from pdmigrate.disk import is_git
from pdmigrate.errors import PdmigrateError
from pdmigrate.escaping import json_of_file
from pdmigrate.model import FileKind, JsonObject, JsonValue, mapping
from pdmigrate.names import DESCRIPTIONS, LOCK_PATH, MODULE, STATE
from pdmigrate.source.discover import PRUNED
from pdmigrate.source.documents import DocumentError, read_json

VERSION = 1

_MARK, _BLOB = "sha256:", "sha1:"
_SHA256, _SHA1 = re.compile(r"[0-9a-f]{64}"), re.compile(f"{_BLOB}([0-9a-f]{{40}})")
_BYTES = "surrogateescape"
"""Source need not be UTF-8: each other byte stands in JSON as an escape of its own (U+DC80 to U+DCFF)."""


class Piece(NamedTuple):
    """Text that was put into a file: the number of its first line, from 1, and the lines whose place it took."""

    line: int
    text: bytes
    replaced: bytes = b""


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that existed before the migration: the SHA-256 digests of its content before and after.

    ``pieces`` lead from one to the other; ``blobs`` are the names under which git has the two, if it has them.
    """

    before: str
    after: str
    pieces: tuple[Piece, ...] = ()
    blobs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AppliedState:
    """The files that a migration created and changed, by paths relative to the root; ``extra`` are all other keys."""

    created: Mapping[str, FileKind] = field(default_factory=dict)
    changed: Mapping[str, Changed] = field(default_factory=dict)
    extra: Mapping[str, JsonValue] = field(default_factory=dict)


def load_state(raw: bytes) -> AppliedState:
    """The state in the bytes of the lock; raises PdmigrateError if it is none that we can read (PD606)."""
    if (line := conflict_line(raw)) is not None:
        hint = "take either side (`git checkout --ours .pdmigrate`), then run `pdmigrate sync`"
        raise _unreadable(f"holds the markers of a merge conflict in line {line}", hint)
    try:
        content = read_json(raw)
    except DocumentError as error:
        raise _unreadable(f"is not valid JSON: {error}") from error
    if not isinstance(content, dict) or not isinstance(version := content.get("version"), int):
        raise _unreadable('has no "version"')
    if version > VERSION:
        raise _unreadable(f"was written by a newer pdmigrate (version {version})", "update pdmigrate")
    known = ("version", "created", "changed")
    return AppliedState(
        {name: _kind(name, entry) for name, entry in _entries(content, "created")},
        {name: _changed(name, entry) for name, entry in _entries(content, "changed")},
        {key: value for key, value in content.items() if key not in known},
    )


def dump_state(state: AppliedState) -> bytes:
    """The bytes of the state's file; the same state always gives the same bytes."""
    content: JsonObject = {
        **state.extra,
        "created": {path: kind.value for path, kind in state.created.items()},
        "changed": {path: _change(changed) for path, changed in state.changed.items()},
    }
    members = ['  "version": 1', *(f"  {_json(key)}: {_member(content[key])}" for key in sorted(content))]
    return ("{\n" + ",\n".join(members) + "\n}\n").encode()


def _change(changed: Changed) -> JsonObject:
    lists: dict[str, list[JsonValue]] = {
        "inserted": [_texts(piece) for piece in changed.pieces],
        "git": [f"{_BLOB}{name}" for name in changed.blobs],
    }
    digests: JsonObject = {"before": marked(changed.before), "after": marked(changed.after)}
    return {**digests, **{key: entries for key, entries in lists.items() if entries}}


def _texts(piece: Piece) -> list[JsonValue]:
    texts = (piece.text, piece.replaced) if piece.replaced else (piece.text,)
    return [piece.line, *(text.decode("utf-8", _BYTES) for text in texts)]


def marked(digest: str) -> str:
    """A digest as files hold it: bare hexadecimal digits are taken for a secret by programs that look for those."""
    return f"{_MARK}{digest}" if digest else digest


def unmarked(digest: str) -> str:
    """A digest as it was before ``marked``."""
    return digest.removeprefix(_MARK)


def _member(value: JsonValue) -> str:
    """A JSON object or array with one entry a line, any other value on one line."""
    if isinstance(value, dict) and value:
        return "{\n" + ",\n".join(f"    {_json(key)}: {_json(value[key])}" for key in sorted(value)) + "\n  }"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"    {_json(entry)}" for entry in value) + "\n  ]"
    return _json(value)


def _json(value: JsonValue) -> str:
    return json_of_file(value, sort_keys=True)


def _entries(content: JsonObject, key: str) -> list[tuple[str, JsonValue]]:
    value = content.get(key, {})
    if not isinstance(value, dict):
        raise _unreadable(f'"{key}" is not an object')
    for name in value:
        if not is_inside(name):
            raise _unreadable(f'"{key}" names {_json(name)}, which is not a path inside the project')
    return list(value.items())


def sha256(content: bytes) -> str:
    """The digest of a file's content, by which it is known again."""
    return hashlib.sha256(content).hexdigest()


def is_inside(path: str) -> bool:
    """Whether a recorded path is relative and stays below the root; the record itself may come from anywhere."""
    pure = PurePath(path)
    anchored = bool(pure.drive or pure.root) or path.startswith("/")
    return bool(pure.parts) and not anchored and ".." not in pure.parts and "\0" not in path


def _kind(name: str, entry: JsonValue) -> FileKind:
    try:
        return FileKind(entry)
    except ValueError as error:
        raise _unreadable(f"calls {name} {_json(entry)}, which is not a kind of file") from error


def _changed(name: str, entry: JsonValue) -> Changed:
    match entry:
        case dict() as known:
            before, after = (unmarked(str(known.get(key))) for key in ("before", "after"))
            names = known.get("git")
            blobs = (_SHA1.fullmatch(str(name)) for name in (names if isinstance(names, list) else ()))
            pieces = _pieces(known.get("inserted"))
            changed = Changed(before, after, pieces, tuple(blob[1] for blob in blobs if blob))
            if _SHA256.fullmatch(changed.before) and _SHA256.fullmatch(changed.after):
                return changed
    raise _unreadable(f"has no checksums of {name}")


def _pieces(entries: Any) -> tuple[Piece, ...]:
    try:
        if all(isinstance(line, int) and line > 0 for line, *_ in entries):
            return tuple(Piece(line, *(text.encode("utf-8", _BYTES) for text in texts[:2])) for line, *texts in entries)
    except (AttributeError, TypeError, ValueError):
        return ()
    return ()


def _unreadable(what: str, hint: str = "restore it from version control") -> PdmigrateError:
    return PdmigrateError(f"{LOCK_PATH} {what}", hint=hint, code="PD606")


BUILD_FILES = ("pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "hatch.toml")
"""The build files that packaging may have changed."""


def refuse_claims(state: AppliedState) -> None:
    """Raises PdmigrateError if a state names files which no migration makes or changes (PD606)."""
    refuse_others(state.changed)
    allowed = {
        FileKind.MODULE: is_module,
        FileKind.SERVER: is_description,
        FileKind.DESCRIPTION: is_description,
        FileKind.TEST: is_own_test,
        FileKind.STATE: is_state,
    }
    claims = [(path, allowed.get(kind, is_changeable)) for path, kind in state.created.items()]
    for key, fits in (("modules", is_module), ("descriptions", is_description), ("tests", is_own_test)):
        claims += ((path, fits) for path in mapping(state.extra.get(key)))
    for entry in mapping(state.extra.get("asked")).values():
        claims += ((path, _is_source) for path in mapping(mapping(entry).get("sources")))
    if other := next((path for path, fits in claims if not fits(path)), None):
        raise _refused(other)


def refuse_others(paths: Iterable[str]) -> None:
    """Raises PdmigrateError if one of ``paths`` is of a file that no migration makes or changes (PD606)."""
    for path in paths:
        if not (is_changeable(path) or is_state(path)):
            raise _refused(path)


def is_changeable(path: str) -> bool:
    """Whether a migration may change a file of the project: source, a build file, or a description file."""
    name = PurePosixPath(path).name
    return _is_own(path) and (name.endswith(".py") or name in BUILD_FILES or is_description(path))


def is_module(path: str) -> bool:
    """Whether a path can be that of a generated module."""
    return _is_source(path) and PurePosixPath(path).name.startswith(MODULE)


def is_own_test(path: str) -> bool:
    """Whether a path can be that of tests which ``apply --with-tests`` writes."""
    return _is_source(path) and PurePosixPath(path).name.startswith(f"test_{MODULE}")


def _is_source(path: str) -> bool:
    return _is_own(path) and path.endswith(".py")


def is_description(path: str) -> bool:
    """Whether a path can be that of a description file."""
    folders = PurePosixPath(path).parts[-3:-1]
    return _is_own(path) and path.endswith(".json") and DESCRIPTIONS in folders


def is_state(path: str) -> bool:
    """Whether a path is that of a file in which a migration is recorded; journals do not count."""
    return is_inside(path) and PurePosixPath(path).parts[:-1] == (STATE,)


def _is_own(path: str) -> bool:
    """Whether a path is inside the project, and outside the folders that never hold a project's own source."""
    folders = PurePosixPath(path).parts[:-1]
    return is_inside(path) and not PRUNED.intersection(folders) and not any(map(is_git, PurePosixPath(path).parts))


def _refused(path: str) -> PdmigrateError:
    hint = "restore it from a version that you trust; nothing was changed"
    return PdmigrateError(
        f"{LOCK_PATH} names {_json(path)}, which no migration makes or changes", hint=hint, code="PD606"
    )
