"""What was seen of the files of a tree, kept between runs: in the user's cache folder, never in the tree.

It may be deleted, damaged, written by two commands at once or by another version at any time: what is not whole is made
again.  An entry counts for as long as the file has the signature that it had before it was read; its digest is that of
the content, and whoever reads the file later in the same run is held to it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pdmigrate import __version__, disk
from pdmigrate.disk.signatures import Signature, now, of_files, settled
from pdmigrate.hooks.quick import digest_of
from pdmigrate.tree import kept

_FOLDER = "glances"
_MOST_TREES = 12
"""How many trees are remembered; the one that was written down longest ago is forgotten."""
_WORTH_KEEPING = 100
"""How many files have to be new or changed for everything to be written down again: so many are read in a moment."""

Remembered = tuple[list[int], str, list[Any]]
"""The signature of a file, the digest of its content, and what was seen of it."""


class Index:
    """What is known of the files below ``root``; those that ``signatures`` does not have are not known."""

    def __init__(
        self, root: Path, signatures: Mapping[str, Signature], entries: Mapping[str, Remembered], moment: int
    ) -> None:
        self.root = root
        self._signatures = signatures
        self._entries = dict(entries)
        self._moment = moment
        self._added = 0

    def known(self, path: str) -> tuple[str, list[Any]] | None:
        """The digest of a file that has not changed since, and what was seen of it; ``None`` where it has."""
        signature, entry = self._signatures.get(path), self._entries.get(path)
        if signature is None or entry is None or entry[0] != list(signature):
            return None
        disk.noted(self.root, path, entry[1])
        return entry[1], entry[2]

    def add(self, path: str, raw: bytes, seen: list[Any]) -> None:
        """What was seen of a file of this content, if a change of the file can be told from its signature later."""
        signature = self._signatures.get(path)
        if signature is not None and settled(signature, self._moment):
            self._entries[path] = (list(signature), disk.digest(raw), seen)
            self._added += 1

    def save(self) -> None:
        """Write everything down in one step, where that is worth it; where it cannot be written, it costs time only."""
        if self._added < _WORTH_KEEPING:
            return
        known = {path: entry for path, entry in self._entries.items() if path in self._signatures}
        body = json.dumps(known, separators=(",", ":")).encode()
        if kept.save(_FOLDER, kept.name_of(self.root), _form(), body):
            kept.forget_oldest(_FOLDER, _MOST_TREES)
            self._added = 0


def load(root: Path, files: tuple[str, ...]) -> Index:
    """The index of the tree at ``root``, of whose Python files nothing is known if it is not there, or not whole."""
    moment = now()  # before the signatures are taken: what changes later has another one
    return Index(root, of_files(root, files), _entries(root), moment)


def forget(root: Path) -> None:
    """Remove what is known of a tree."""
    kept.remove(_FOLDER, kept.name_of(root))


def _entries(root: Path) -> dict[str, Remembered]:
    entries: dict[str, Remembered] = json.loads(kept.load(_FOLDER, kept.name_of(root), _form()) or b"{}")
    return entries


def _form() -> str:
    """Who has written it: what another code has seen, of whatever version that calls itself, is not what this sees."""
    return f"pdmigrate {__version__} {digest_of(disk.packaged('tree/glances.py'))}"
