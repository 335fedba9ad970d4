"""The journal of a run: what it is about to do, and the bytes that were there, on the disk before anything changes.

``.pdmigrate/journal/3`` is a run that has not ended; it becomes ``3.kept`` in one rename when all is done.  Kept ones
serve ``revert`` as long as ``lock.json`` names the contents that they hold.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from pdmigrate.errors import WriteError
from pdmigrate.state import is_inside
from pdmigrate.write.disk import read, remove, sha256, sync_folders, write_durably
from pdmigrate.write.exclusive import JOURNAL, LOCK

KEPT = ".kept"
MANIFEST = "manifest.json"
READY = "ready"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a run.

    ``target`` is where it really is and ``temporary`` where its new content waits, both relative to the root with links
    followed; ``before`` and ``after`` are checksums, ``None`` where there is no file.
    """

    path: str
    target: str
    temporary: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Journal:
    """A run: its folder, its files, and the folders (relative to the root) that it makes."""

    folder: Path
    entries: tuple[Entry, ...]
    folders: tuple[str, ...]

    def before(self, entry: Entry) -> Path:
        """Where the original bytes of a file are kept."""
        return self.folder / f"{self.entries.index(entry)}.before"

    def after(self, entry: Entry) -> Path:
        """Where the new bytes of a file that was there before are kept."""
        return self.folder / f"{self.entries.index(entry)}.after"


def next_folder(journal: Path) -> Path:
    numbers = [int(name) for name in map(_number, journal.iterdir()) if name.isdecimal()]
    return journal / str(max(numbers, default=0) + 1)


def begin(journal: Journal, contents: Mapping[Path, tuple[bytes, os.stat_result | None]]) -> None:
    """Put a journal on the disk; until its manifest is there, which comes last, nothing has happened.

    Raises:
        OSError: the disk refuses.
    """
    os.mkdir(journal.folder)  # noqa: PTH102 - one seam for all that changes the disk
    for path, (content, like) in contents.items():
        write_durably(path, content, like)
    manifest = {"version": 1, "folders": journal.folders, "entries": [asdict(entry) for entry in journal.entries]}
    draft = journal.folder / f"{MANIFEST}.draft"
    write_durably(draft, json.dumps(manifest, indent=1).encode())
    os.replace(draft, journal.folder / MANIFEST)  # noqa: PTH105 - one seam for all that changes the disk
    sync_folders((journal.folder, journal.folder.parent))


def ready(journal: Journal) -> None:
    """The moment before the first file changes; a run that has not come so far has changed nothing."""
    write_durably(journal.folder / READY, b"")
    sync_folders((journal.folder,))


def is_ready(journal: Journal) -> bool:
    return (journal.folder / READY).exists()


def keep(journal: Journal) -> None:
    """The moment at which a run is done."""
    os.rename(journal.folder, f"{journal.folder}{KEPT}")  # noqa: PTH104 - one seam for all that changes the disk
    sync_folders((journal.folder.parent,))


def discard(folder: Path) -> None:
    """Forget a run that changed nothing, or was undone: the manifest goes first, so a rest of it means nothing."""
    remove(folder / MANIFEST)
    if folder.exists():
        shutil.rmtree(folder)


def traces(root: Path) -> tuple[str, ...]:
    """What a run that is not done has left in the journal: the numbers of runs, or a lock."""
    try:
        return tuple(sorted(name for name in os.listdir(root / JOURNAL) if not name.endswith(KEPT)))  # noqa: PTH208 - hot
    except (FileNotFoundError, NotADirectoryError):
        return ()


def unfinished(journal: Path) -> Iterator[Path]:
    yield from (path for path in sorted(journal.iterdir()) if path.name != LOCK and not path.name.endswith(KEPT))


def read_journal(folder: Path) -> Journal | None:
    """The journal in a folder; ``None`` when its run had not begun to change anything.

    Raises:
        WriteError: it is not a journal of ours (PD604).
    """
    raw = read(folder / MANIFEST)
    if raw is None:
        return None
    try:
        content = json.loads(raw)
        entries = tuple(Entry(**entry) for entry in content["entries"])
        journal = Journal(folder, entries, tuple(content["folders"]))
        paths = [*journal.folders, *(p for e in entries for p in (e.target, e.temporary))]
        if not all(is_inside(path) for path in paths):
            raise ValueError("a path leads out of the project")
    except (ValueError, KeyError, TypeError) as error:
        raise WriteError(
            f"{folder} is not a journal that can be read: {error}",
            hint="put the files that its copies are of into the state you want, then delete it",
            code="PD604",
        ) from error
    return journal


# --- kept journals ----------------------------------------------------------------------------------------------------


def stored(root: Path, checksum: str) -> bytes | None:
    """The content with this SHA-256 from any kept journal of this checkout."""
    for journal in _kept(root):
        for entry in journal.entries:
            for expected, path in ((entry.before, journal.before(entry)), (entry.after, journal.after(entry))):
                content = read(path) if expected == checksum else None
                if content is not None and sha256(content) == checksum:
                    return content
    return None


def left(root: Path, path: str) -> tuple[bool, bytes | None]:
    """Whether the newest kept run about ``path`` left a file there, and its content where the journal has it."""
    for journal in reversed(list(_kept(root))):
        for entry in journal.entries:
            if entry.path == path:
                content = read(journal.after(entry))
                return entry.after is not None, content if content is None or sha256(content) == entry.after else None
    return False, None


def prune(root: Path, wanted: frozenset[str]) -> None:
    """Remove the kept journals that hold none of the ``wanted`` contents, the oldest first."""
    for journal in list(_kept(root)):
        if not any(checksum in wanted for entry in journal.entries for checksum in (entry.before, entry.after)):
            shutil.rmtree(journal.folder)


def _number(path: Path) -> str:
    return path.name.removesuffix(KEPT)


def _kept(root: Path) -> Iterator[Journal]:
    folder = root / JOURNAL
    paths = [path for path in folder.glob(f"*{KEPT}") if _number(path).isdecimal()] if folder.is_dir() else []
    for path in sorted(paths, key=lambda path: int(_number(path))):
        journal = read_journal(path)
        # One without a manifest was being removed when its process ended.
        yield journal if journal is not None else Journal(path, (), ())
