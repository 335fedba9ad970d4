"""The glances at a tree's files, kept between runs: in the user's cache folder, never in the tree.

The index may be deleted, damaged, or written by two commands at once or by another version at any time: an index that
is not whole is made again.  An entry is valid as long as its file has the signature that was taken before the file was
read.  Its digest is noted as that of the file: a read in the same run that finds other content raises ``ChangedError``.
"""

from __future__ import annotations

import json
from pathlib import Path
from time import time_ns as now
from typing import Any

from pdmigrate import __version__, disk
from pdmigrate.source import kept

_FOLDER = "glances"
_MOST_TREES = 12
"""How many trees are remembered; the tree whose index was saved longest ago is forgotten."""
_WORTH_KEEPING = 100
"""The fewest new entries for which the whole index is saved: fewer files are read again in a moment."""
_COARSE = 2_000_000_000
"""The coarsest resolution of file times, in nanoseconds: changed twice within it, a file may look unchanged."""

Remembered = tuple[list[int], str, list[Any]]
"""The signature of a file, the digest of its content, and what was seen of it."""


class GlanceIndex:
    """What is known of ``files`` below ``root``: nothing if no index was kept, or what was kept is not whole."""

    def __init__(self, root: Path, files: tuple[str, ...]) -> None:
        self.root = root
        self._moment = now()  # before the signatures are taken: a later change gives another signature
        self._signatures = disk.signatures(root, files)
        self._entries: dict[str, Remembered] = json.loads(kept.load(_FOLDER, kept.name_of(root), _form()) or b"{}")
        self._added = 0

    def known(self, path: str) -> tuple[str, list[Any]] | None:
        """The digest of an unchanged file and what was seen of it; ``None`` for a new or changed file."""
        if (entry := self._entries.get(path)) is None or entry[0] != list(self._signatures.get(path, ())):
            return None
        disk.noted(self.root, path, entry[1])
        return entry[1], entry[2]

    def add(self, path: str, raw: bytes, seen: list[Any]) -> None:
        """Note what was seen of a file with this content, if its signature is certain to reveal a later change."""
        signature = self._signatures.get(path)
        if signature is not None and self._moment - max(signature[1:3]) > _COARSE:
            self._entries[path] = (list(signature), disk.digest(raw), seen)
            self._added += 1

    def save(self) -> None:
        """Save the whole index in one step, if enough is new; if it cannot be written, the next run takes longer."""
        if self._added < _WORTH_KEEPING:
            return
        known = {path: entry for path, entry in self._entries.items() if path in self._signatures}
        body = json.dumps(known, separators=(",", ":")).encode()
        if kept.save(_FOLDER, kept.name_of(self.root), _form(), body):
            kept.forget_oldest(_FOLDER, _MOST_TREES)
            self._added = 0


def forget(root: Path) -> None:
    """Remove the index of a tree."""
    kept.remove(_FOLDER, kept.name_of(root))


def _form() -> str:
    """The version and digest of the code that fills the index: other code may see other things in the same file."""
    filling = [disk.packaged(path) for path in ("sdk/families.py", "source/glances.py", "source/glance_index.py")]
    return f"pdmigrate {__version__} {disk.digest(repr(filling).encode())}"
