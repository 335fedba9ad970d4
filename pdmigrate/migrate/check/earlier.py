"""Find values that were last written, in the history of the repository: the lock keeps only their digests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pdmigrate.disk.vcs import git
from pdmigrate.migrate.check.settling import matches
from pdmigrate.model import JsonValue
from pdmigrate.source.documents import json_or_none

_COMMITS = 20


def earlier(root: Path) -> Callable[[str, str, str], JsonValue | None]:
    """A function that finds a field's value by its digest, in the last commits that changed a description file."""

    def find(path: str, field: str, wanted: str) -> JsonValue | None:
        for raw in git.versions(root, path, _COMMITS):
            content = json_or_none(raw)
            if isinstance(content, dict) and matches(content.get(field), wanted):
                return content.get(field)
        return None

    return find
