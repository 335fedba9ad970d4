"""The journal of a run: what it is about to do, and the bytes that were there, on the disk before anything changes.

``.pdmigrate/journal/run`` is a run that has not ended; it is removed when all is done.  A repository may contain
somebody else's journal, so a journal is obeyed only with this user's seal on it.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from pdmigrate import disk
from pdmigrate.errors import WriteError
from pdmigrate.migrate.write.exclusive import IGNORE, JOURNAL
from pdmigrate.names import STATE
from pdmigrate.record.undo import is_inside

RUN = f"{JOURNAL}/run"
_MANIFEST = f"{RUN}/manifest.json"
_READY = f"{RUN}/ready"
_EVERYTHING = b"*\n"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One file of a run.

    ``target`` is the file's real place and ``temporary`` the place where its new content waits, both relative to the
    root with links followed; ``before`` and ``after`` are checksums, ``None`` where there is no file.
    """

    path: str
    target: str
    temporary: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Journal:
    """A run: its files, and the folders that it makes; ``ours``: this user has written the journal on this machine."""

    entries: tuple[JournalEntry, ...]
    folders: tuple[str, ...]
    ours: bool = True

    def before(self, entry: JournalEntry) -> str:
        """Where the original bytes of a file are kept."""
        return f"{RUN}/{self._numbers[entry]}.before"

    @cached_property
    def _numbers(self) -> dict[JournalEntry, int]:
        return {entry: number for number, entry in enumerate(self.entries)}


def begin(root: Path, journal: Journal, contents: Mapping[str, tuple[bytes, os.stat_result | None]]) -> None:
    """Put a journal on the disk, its manifest, without which nothing has happened, last; raises OSError."""
    disk.make_folder(root, RUN)
    # Journals stay out of the repository, also where a killed run or another program left this file otherwise.
    ignore = f"{JOURNAL}/{IGNORE}"
    if disk.content(root, ignore) != _EVERYTHING:
        disk.remove(root, ignore)
        disk.create(root, ignore, _EVERYTHING)
    for path, (content, like) in contents.items():
        disk.create(root, path, content, like)
    said = {"folders": list(journal.folders), "entries": [asdict(entry) for entry in journal.entries]}
    manifest = {"version": 2, "seal": _seal(root, _plain(said), make=True), **said}
    draft = f"{_MANIFEST}.draft"
    disk.create(root, draft, json.dumps(manifest, indent=1).encode())
    disk.replace(root, draft, _MANIFEST)
    disk.sync(root, RUN)
    disk.sync(root, JOURNAL)


def ready(root: Path) -> None:
    """Mark the moment before the first file changes; a run without this mark has changed nothing."""
    disk.create(root, _READY, b"")
    disk.sync(root, RUN)


def is_ready(root: Path) -> bool:
    return disk.is_file(root, _READY)


def discard(root: Path) -> None:
    """Remove the journal of a run that is done or undone, manifest first: what is left means nothing."""
    disk.remove(root, _MANIFEST)
    with contextlib.suppress(OSError):
        # The run has ended: what cannot be removed now is removed by the next run.
        disk.sync(root, RUN)
        if disk.is_folder(root, RUN):
            disk.remove_tree(root, RUN)


def traces(root: Path) -> bool:
    """Whether a run that has not ended has left anything; not if a link leads there: it may be another project's."""
    if disk.is_link(root, STATE) or disk.is_link(root, JOURNAL):
        return False
    return disk.is_folder(root, JOURNAL) or (disk.is_folder(root, STATE) and not disk.names(root, STATE))


def unfinished(root: Path) -> bool:
    """Whether a run has begun to write down what it is about to do, and has not ended."""
    return traces(root) and disk.is_there(root, RUN)


def read_journal(root: Path) -> Journal | None:
    """The journal of the run that has not ended; ``None`` if it changed nothing; raises WriteError (PD604)."""
    try:
        if (raw := disk.content(root, _MANIFEST)) is None:
            return None
        content = json.loads(raw)
        said = {key: content[key] for key in ("folders", "entries")}
        entries = tuple(JournalEntry(**entry) for entry in said["entries"])
        paths = [*said["folders"], *(p for e in entries for p in (e.path, e.target, e.temporary))]
        if not all(checksum is None or isinstance(checksum, str) for e in entries for checksum in (e.before, e.after)):
            raise ValueError("a checksum is not text")
        if not all(isinstance(path, str) and is_inside(path) for path in paths):
            raise ValueError("a path leads out of the project")
        return Journal(entries, tuple(said["folders"]), _is_ours(root, _plain(said), content.get("seal")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        hint = "put the files that its copies are of into the state you want, then delete it"
        raise WriteError(f"{RUN} is not a journal that can be read: {error}", hint=hint, code="PD604") from error


def _plain(said: Mapping[str, object]) -> bytes:
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


_SECRET = "secret"
_SIZE = 32


def _is_ours(root: Path, content: bytes, given: object) -> bool:
    """Whether this user, on this machine, has written a journal with this content for the project at ``root``."""
    own = _seal(root, content)
    return own is not None and isinstance(given, str) and given.isascii() and hmac.compare_digest(own, given)


def _seal(root: Path, content: bytes, *, make: bool = False) -> str | None:
    """This user's seal on a journal of the project at ``root``.

    ``None`` where there is no secret, or no place for one: then a run that is killed has to be undone by hand.
    """
    folder = disk.user_folder("state")
    if Path(disk.real(folder)).is_relative_to(disk.real(root)):
        return None  # it may have come with the project
    try:
        if make and not disk.is_there(folder, _SECRET):
            disk.make_root(folder)
            disk.keep(folder, _SECRET, os.urandom(_SIZE), 0o600)
        secret = disk.content(folder, _SECRET)
    except OSError:
        return None
    if secret is None or len(secret) != _SIZE:
        return None
    return hmac.digest(secret, os.fsencode(disk.real(root)) + b"\0" + content, "sha256").hex()
