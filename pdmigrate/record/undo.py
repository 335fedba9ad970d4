"""What a migration did, as ``.pdmigrate/lock.json`` holds it: enough to undo it, in this checkout or in a clone.

One entry a line, sorted, so that git can merge the work of two branches.  Keys that this module does not know are kept
as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import NamedTuple

from pdmigrate.describe.json_lines import conflict_line
from pdmigrate.errors import PdmigrateError
from pdmigrate.escaping import json_of_file
from pdmigrate.model import FileKind, JsonObject, JsonValue
from pdmigrate.source.documents import DocumentError, read_json

VERSION = 1

_MARK = "sha256:"
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Piece(NamedTuple):
    """Text that was put into a file: the number of its first line, from 1, and the lines whose place it took."""

    line: int
    text: str
    replaced: str = ""


@dataclass(frozen=True, slots=True)
class Changed:
    """A file that existed before the migration: the SHA-256 digests of its content before and after.

    ``inserted`` has all pieces that were put in; where many lines were replaced it is empty, and ``apply.patch`` has
    them.
    """

    before: str
    after: str
    inserted: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class AppliedState:
    """The files that a migration created and changed; paths are relative to the root, with ``/``.

    ``extra`` holds every other key of the file.
    """

    created: Mapping[str, FileKind] = field(default_factory=dict)
    changed: Mapping[str, Changed] = field(default_factory=dict)
    extra: Mapping[str, JsonValue] = field(default_factory=dict)


def load_state(raw: bytes, path: str) -> AppliedState:
    """The state in the bytes of the file at ``path``.

    Raises:
        PdmigrateError: the file is damaged, in the middle of a merge, written by a newer version, or names a path
            outside the root (PD606).
    """
    line = conflict_line(raw)
    if line is not None:
        raise _unreadable(
            path,
            f"holds the markers of a merge conflict in line {line}",
            "take either side (`git checkout --ours .pdmigrate`), then run `pdmigrate sync`",
        )
    try:
        content = read_json(raw)
    except DocumentError as error:
        raise _unreadable(path, f"is not valid JSON: {error}") from error
    if not isinstance(content, dict) or not isinstance(version := content.get("version"), int):
        raise _unreadable(path, 'has no "version"')
    if version > VERSION:
        raise _unreadable(path, f"was written by a newer pdmigrate (version {version})", "update pdmigrate")
    known = ("version", "created", "changed")
    return AppliedState(
        {name: _kind(path, name, entry) for name, entry in _entries(path, content, "created")},
        {name: _changed(path, name, entry) for name, entry in _entries(path, content, "changed")},
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
    inserted: list[JsonValue] = [[*piece] if piece.replaced else [piece.line, piece.text] for piece in changed.inserted]
    pieces: JsonObject = {"inserted": inserted} if inserted else {}
    return {"before": marked(changed.before), "after": marked(changed.after), **pieces}


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


def _entries(path: str, content: JsonObject, key: str) -> list[tuple[str, JsonValue]]:
    value = content.get(key, {})
    if not isinstance(value, dict):
        raise _unreadable(path, f'"{key}" is not an object')
    for name in value:
        if not is_inside(name):
            raise _unreadable(path, f'"{key}" names {name!r}, which is no path inside the project')
    return list(value.items())


def is_inside(path: str) -> bool:
    """Whether a recorded path is relative and stays below the root; the record itself may come from anywhere."""
    pure = PurePath(path)
    anchored = bool(pure.drive or pure.root) or path.startswith("/")
    return bool(pure.parts) and not anchored and ".." not in pure.parts and "\0" not in path


def _kind(path: str, name: str, entry: JsonValue) -> FileKind:
    try:
        return FileKind(entry)
    except ValueError as error:
        raise _unreadable(path, f"says of {name} that it is {entry!r}, which is no kind of file") from error


def _changed(path: str, name: str, entry: JsonValue) -> Changed:
    match entry:
        case dict() as known:
            before, after = (unmarked(str(known.get(key))) for key in ("before", "after"))
            changed = Changed(before, after, _inserted(known.get("inserted")))
            if _SHA256.fullmatch(changed.before) and _SHA256.fullmatch(changed.after):
                return changed
    raise _unreadable(path, f"has no checksums of {name}")


def _inserted(pieces: JsonValue) -> tuple[Piece, ...]:
    found = []
    for piece in pieces if isinstance(pieces, list) else ():
        match piece:
            case [int(line), str(text)] if line > 0 and text.endswith("\n"):
                found.append(Piece(line, text))
            case [int(line), str(text), str(old)] if line > 0 and text.endswith("\n") and old.endswith("\n"):
                found.append(Piece(line, text, old))
            case _:
                return ()
    return tuple(found)


def _unreadable(path: str, what: str, hint: str = "restore it from version control") -> PdmigrateError:
    return PdmigrateError(f"{path} {what}", hint=hint, code="PD606")
