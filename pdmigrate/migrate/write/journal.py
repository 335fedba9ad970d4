"""The journal of a run: what it is about to do, and the bytes that were there, on the disk before anything changes.

``.pdmigrate/journal/3`` is a run that has not ended; it becomes ``3.kept`` in one rename when all is done.  Kept
journals serve ``revert`` as long as ``lock.json`` names the contents that they hold.

A repository may contain somebody else's journal.  An unfinished journal is obeyed only with this user's seal on it;
a kept journal is only a store of contents, which count only with a checksum that the lock names.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256 as _sha256
from pathlib import Path

from pdmigrate import disk
from pdmigrate.errors import WriteError
from pdmigrate.migrate.write.exclusive import IGNORE, JOURNAL
from pdmigrate.names import STATE
from pdmigrate.record.undo import is_inside

KEPT = ".kept"
MANIFEST = "manifest.json"
READY = "ready"
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
    """A run: its folder, its files, and the folders that it makes; paths are relative to the root.

    ``ours`` says whether this user has written the journal on this machine.
    """

    folder: str
    entries: tuple[JournalEntry, ...]
    folders: tuple[str, ...]
    ours: bool = True

    def before(self, entry: JournalEntry) -> str:
        """Where the original bytes of a file are kept."""
        return f"{self.folder}/{self._numbers[entry]}.before"

    def after(self, entry: JournalEntry) -> str:
        """Where the new bytes of a file are kept, if the file existed before or is the lock."""
        return f"{self.folder}/{self._numbers[entry]}.after"

    @cached_property
    def _numbers(self) -> dict[JournalEntry, int]:
        # Somebody else's journal may hold an entry twice: the first one counts.
        return {entry: number for number, entry in reversed(list(enumerate(self.entries)))}


def sha256(content: bytes) -> str:
    return _sha256(content).hexdigest()


def next_folder(root: Path) -> str:
    numbers = [int(name) for name in (name.removesuffix(KEPT) for name in _names(root)) if name.isdecimal()]
    return f"{JOURNAL}/{max(numbers, default=0) + 1}"


def begin(root: Path, journal: Journal, contents: Mapping[str, tuple[bytes, os.stat_result | None]]) -> None:
    """Put a journal on the disk; its manifest comes last, and without it nothing has happened.

    Raises:
        OSError: the disk refuses.
    """
    disk.make_folder(root, journal.folder)
    _ignore_itself(root)
    for path, (content, like) in contents.items():
        disk.create(root, path, content, like)
    said = {"folders": list(journal.folders), "entries": [asdict(entry) for entry in journal.entries]}
    manifest = {"version": 2, "seal": sealed(root, _plain(said)), **said}
    draft = f"{journal.folder}/{MANIFEST}.draft"
    disk.create(root, draft, json.dumps(manifest, indent=1).encode())
    disk.replace(root, draft, f"{journal.folder}/{MANIFEST}")
    disk.sync(root, journal.folder)
    disk.sync(root, JOURNAL)


def _ignore_itself(root: Path) -> None:
    """Keep the journals out of the repository, also where a killed run or another program left the file otherwise."""
    path = f"{JOURNAL}/{IGNORE}"
    if disk.content(root, path) != _EVERYTHING:
        disk.remove(root, path)
        disk.create(root, path, _EVERYTHING)


def ready(root: Path, journal: Journal) -> None:
    """Mark the moment before the first file changes; a run without this mark has changed nothing."""
    disk.create(root, f"{journal.folder}/{READY}", b"")
    disk.sync(root, journal.folder)


def is_ready(root: Path, journal: Journal) -> bool:
    return disk.is_file(root, f"{journal.folder}/{READY}")


def keep(root: Path, journal: Journal) -> None:
    """Rename a journal to a kept one, which ends its run."""
    disk.replace(root, journal.folder, f"{journal.folder}{KEPT}")
    with contextlib.suppress(OSError):
        # The run is done: if power fails before this rename is durable, the next run finds all files written.
        disk.sync(root, JOURNAL)


def discard(root: Path, folder: str) -> None:
    """Remove the journal of a run that changed nothing or was undone, manifest first: what is left means nothing."""
    disk.remove(root, f"{folder}/{MANIFEST}")
    if disk.is_folder(root, folder):
        disk.remove_tree(root, folder)


def traces(root: Path) -> tuple[str, ...]:
    """The names that unfinished runs have left in the journal's folder: numbers of runs, or the lock."""
    return tuple(name for name in _names(root) if not name.endswith(KEPT))


def unfinished(root: Path) -> list[str]:
    """The journals of the runs that have not ended, as folders, the oldest first."""
    return [f"{JOURNAL}/{name}" for name in sorted(filter(str.isdecimal, _names(root)), key=int)]


def read_journal(root: Path, folder: str) -> Journal | None:
    """The journal in a folder; ``None`` when its run had not begun to change anything.

    Raises:
        WriteError: the journal cannot be read, or pdmigrate has not written it (PD604).
    """
    try:
        raw = disk.content(root, f"{folder}/{MANIFEST}")
        if raw is None:
            return None
        content = json.loads(raw)
        said = {key: content[key] for key in ("folders", "entries")}
        entries = tuple(JournalEntry(**entry) for entry in said["entries"])
        paths = [*said["folders"], *(p for e in entries for p in (e.path, e.target, e.temporary))]
        if not all(checksum is None or isinstance(checksum, str) for e in entries for checksum in (e.before, e.after)):
            raise ValueError("a checksum is no text")
        if not all(isinstance(path, str) and is_inside(path) for path in paths):
            raise ValueError("a path leads out of the project")
        return Journal(folder, entries, tuple(said["folders"]), is_ours(root, _plain(said), content.get("seal")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise WriteError(
            f"{folder} is not a journal that can be read: {error}",
            hint="put the files that its copies are of into the state you want, then delete it",
            code="PD604",
        ) from error


def _plain(said: Mapping[str, object]) -> bytes:
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


# --- kept journals ----------------------------------------------------------------------------------------------------


def copies(root: Path) -> dict[str, list[str]]:
    """The paths at which the kept journals of this checkout claim to hold contents, by SHA-256."""
    found: dict[str, list[str]] = {}
    for journal in _kept(root):
        for entry in journal.entries:
            for checksum, path in ((entry.before, journal.before(entry)), (entry.after, journal.after(entry))):
                if checksum is not None:
                    found.setdefault(checksum, []).append(path)
    return found


def stored(root: Path, checksum: str, paths: Iterable[str]) -> bytes | None:
    """The content with this SHA-256, from the first of the ``paths`` that really holds it; ``None`` if none does."""
    for path in paths:
        content = disk.content(root, path)
        if content is not None and sha256(content) == checksum:
            return content
    return None


def last_written(root: Path, path: str) -> tuple[bool, bytes | None]:
    """Whether the newest kept run about ``path`` left a file there, and the file's content if the journal has it."""
    for journal in reversed([journal for journal in _kept(root) if journal.ours]):
        for entry in journal.entries:
            if entry.path == path:
                content = disk.content(root, journal.after(entry))
                return entry.after is not None, content if content is None or sha256(content) == entry.after else None
    return False, None


def prune(root: Path, wanted: frozenset[str]) -> None:
    """Remove the kept journals that hold none of the ``wanted`` contents, the oldest first."""
    for journal in list(_kept(root)):
        if not any(checksum in wanted for entry in journal.entries for checksum in (entry.before, entry.after)):
            disk.remove_tree(root, journal.folder)


def _names(root: Path) -> list[str]:
    """The runs in the journal's folder, and the lock; none if a link leads there: it may be another project's."""
    if disk.is_link(root, STATE) or disk.is_link(root, JOURNAL):
        return []
    return [name for name in disk.names(root, JOURNAL) if name != IGNORE]


def _kept(root: Path) -> Iterator[Journal]:
    names = [name for name in _names(root) if name.endswith(KEPT) and name.removesuffix(KEPT).isdecimal()]
    for name in sorted(names, key=lambda name: int(name.removesuffix(KEPT))):
        folder = f"{JOURNAL}/{name}"
        try:
            journal = read_journal(root, folder)
        except WriteError:
            continue  # Its copies may be anything, so they are not used and not removed.
        # A kept journal without a manifest was being removed when its process ended.
        yield journal if journal is not None else Journal(folder, (), ())


_SECRET = "secret"
_SIZE = 32


def sealed(root: Path, content: bytes) -> str | None:
    """The seal of a journal of the project at ``root``; ``None`` where there is no place for this user's secret."""
    secret = _secret(root) or _made(root)
    return None if secret is None else _seal(root, content, secret)


def is_ours(root: Path, content: bytes, seal: object) -> bool:
    """Whether this user, on this machine, has written a journal with this content for the project at ``root``."""
    secret = _secret(root)
    if secret is None or not isinstance(seal, str) or not seal.isascii():
        return False
    return hmac.compare_digest(_seal(root, content, secret), seal)


def _seal(root: Path, content: bytes, secret: bytes) -> str:
    return hmac.digest(secret, os.fsencode(disk.real(root)) + b"\0" + content, "sha256").hex()


def _secret(root: Path) -> bytes | None:
    folder = _folder(root)
    try:
        secret = disk.content(folder, _SECRET) if folder is not None else None
    except OSError:
        return None
    return secret if secret is not None and len(secret) == _SIZE else None


def _made(root: Path) -> bytes | None:
    folder = _folder(root)
    if folder is None:
        return None
    try:
        disk.make_root(folder)
        disk.create_atomically(folder, _SECRET, os.urandom(_SIZE))
    except OSError:
        # No secret can be kept for this user: a run that is killed has to be undone by hand.
        return None
    return _secret(root)


def _folder(root: Path) -> str | None:
    """The user's state folder; ``None`` if it lies in the project, since it may have come with the project."""
    folder = disk.user_folder("state")
    return None if Path(disk.real(folder)).is_relative_to(disk.real(root)) else folder
