"""What turns one tree of files into another."""

from __future__ import annotations

from collections.abc import Mapping

from pdmigrate.model import FileChange, FileKind


def changes(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[FileChange]:
    return [
        FileChange(path, before.get(path), after.get(path), FileKind.CODE, "test")
        for path in sorted(before.keys() | after.keys())
    ]
