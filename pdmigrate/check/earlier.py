"""What was last written, looked for in the history of the repository: the lock keeps digests only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pdmigrate.check.settling import matches
from pdmigrate.model import JsonValue
from pdmigrate.tree.documents import json_or_none
from pdmigrate.vcs import git

_COMMITS = 20


def earlier(root: Path) -> Callable[[str, str, str], JsonValue | None]:
    """Finds the value of a field of a description file that has a digest, in the last commits that changed the file."""

    def find(path: str, field: str, wanted: str) -> JsonValue | None:
        for raw in git.versions(root, path, _COMMITS):
            content = json_or_none(raw)
            if isinstance(content, dict) and matches(content.get(field), wanted):
                return content.get(field)
        return None

    return find
