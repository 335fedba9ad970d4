"""The import statements of files, kept between runs: in the user's cache, never in the tree.

Finding them takes a parser, and many servers ask about the same files.  An entry is valid for as long as the file has
the content that the entry was made from.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from pdmigrate import disk
from pdmigrate.tree import kept
from pdmigrate.tree.code.mentions import Mentions, mentions_in, read_back, written

_FOLDER = "mentions"
_MOST_TREES = 12
"""How many trees are kept; the one that was saved longest ago is deleted."""
_WORTH_KEEPING = 20
"""How many files have to be new or changed for the entries to be saved: fewer are parsed again in a moment."""


class MentionIndex:
    """The mentions of files of the tree at ``root``."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._entries: dict[str, list[Any]] | None = None
        self._added = 0

    def of(self, path: str, raw: bytes) -> Mentions:
        """The mentions of a file with this content, kept or found now."""
        if self._entries is None:
            self._entries = json.loads(kept.load(_FOLDER, kept.name_of(self._root), _form()) or b"{}")
        digest, entry = disk.digest(raw), self._entries.get(path)
        if entry is not None and entry[0] == digest:
            return read_back(raw, entry[1])
        found = mentions_in(raw)
        self._entries[path] = [digest, written(found)]
        self._added += 1
        return found

    def save(self, files: Collection[str]) -> None:
        """Save the entries of ``files`` if enough are new; if that fails, the next run only takes longer."""
        if self._entries is None or self._added < _WORTH_KEEPING:
            return
        known = {path: entry for path, entry in self._entries.items() if path in files}
        if kept.save(_FOLDER, kept.name_of(self._root), _form(), json.dumps(known, separators=(",", ":")).encode()):
            kept.forget_oldest(_FOLDER, _MOST_TREES)
            self._added = 0


def _form() -> str:
    """The version of what is saved: other code may look for something else, another Python may parse other files."""
    parts = [sys.version, disk.packaged("tree/code/mentions.py")]
    return f"pdmigrate {disk.digest(repr(parts).encode())}"
