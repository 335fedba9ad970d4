"""What was seen of the files of a tree, kept between runs: in the user's cache folder, never in the tree.

It may be deleted, damaged, written by two commands at once or by another version at any time: what is not whole is made
again.  An entry counts for as long as the file has the signature that it had before it was read; its digest is that of
the content, and whoever reads the file later in the same run is held to it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pdmigrate import __version__, disk
from pdmigrate.disk.signatures import Signature, now, of_files, settled
from pdmigrate.hooks.quick import digest_of

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

    def known(self, path: str) -> list[Any] | None:
        """What was seen of a file that has not changed since; ``None`` where that has to be looked at."""
        signature, entry = self._signatures.get(path), self._entries.get(path)
        if signature is None or entry is None or entry[0] != list(signature):
            return None
        disk.noted(self.root, path, entry[1])
        return entry[2]

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
        kept = {path: entry for path, entry in self._entries.items() if path in self._signatures}
        body = json.dumps(kept, separators=(",", ":")).encode()
        content = b"%s\n%s\n%s" % (_form(), digest_of(body).encode(), body)
        if len(content) > disk.LARGEST:
            return
        try:
            disk.make_root(_folder())
            disk.keep(_folder(), _name(self.root), content, 0o600)
            _forget_oldest()
        except OSError:
            return
        self._added = 0


def load(root: Path, files: tuple[str, ...]) -> Index:
    """The index of the tree at ``root``, of whose Python files nothing is known if it is not there, or not whole."""
    moment = now()  # before the signatures are taken: what changes later has another one
    return Index(root, of_files(root, files), _entries(root), moment)


def forget(root: Path) -> None:
    """Remove what is known of a tree."""
    try:
        disk.remove(_folder(), _name(root))
    except OSError:
        return  # there is no such folder, or it cannot be written: nothing was kept there either


def _entries(root: Path) -> dict[str, Remembered]:
    try:
        form, digest, body = disk.read(_folder(), _name(root)).split(b"\n", 2)
    except (OSError, ValueError):
        return {}
    if form != _form() or digest != digest_of(body).encode():
        return {}
    entries: dict[str, Remembered] = json.loads(body)
    return entries


def _form() -> bytes:
    """Who has written it: what another code has seen, of whatever version that calls itself, is not what this sees."""
    return f"pdmigrate {__version__} {digest_of(disk.packaged('tree/glances.py'))}".encode()


def _folder() -> str:
    return f"{disk.user_folder('cache')}/{_FOLDER}"


def _name(root: Path) -> str:
    return digest_of(os.fsencode(disk.real(root)))[:24] + ".json"


def _forget_oldest() -> None:
    written = []
    for name in disk.names(_folder()):
        state = disk.status(_folder(), name)
        if state is not None:
            written.append((state.st_mtime_ns, name))
    for _, name in sorted(written)[:-_MOST_TREES]:
        disk.remove(_folder(), name)
