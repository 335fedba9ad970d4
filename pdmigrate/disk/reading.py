"""Read below a root: regular files, listings of folders, and what kind of thing is at a path.

Where a function says nothing else, it raises OSError for what is not there or cannot be read, and RefusedError for a
path that is refused.
"""

from __future__ import annotations

import errno
import os
import stat

from pdmigrate.disk import places
from pdmigrate.disk.tracing import digest, question, reached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pdmigrate.disk.places import Root, Seen

Signature = tuple[int, int, int, int]
"""Size, modification and status change times in nanoseconds, and inode number of a file."""
_LISTED = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
LARGEST = 16_000_000
"""Files beyond this many bytes are not read: nobody wrote them by hand, and no lock file comes near."""
FILE, FOLDER, OTHER = "file", "folder", "other"
_KINDS = {stat.S_IFREG: FILE, stat.S_IFDIR: FOLDER}


@question
def read(root: Root, path: str, limit: int = LARGEST) -> bytes:
    """The content of a regular file of at most ``limit`` bytes; links inside the root are followed."""
    try:
        content = head(root, path, limit + 1)
    except (FileNotFoundError, NotADirectoryError):
        places.note(root, path, None)
        raise
    if len(content) > limit:
        raise places.RefusedError(f"is larger than {limit:,} bytes", places.joined(root, path))
    places.note(root, path, content)
    return content


def content(root: Root, path: str, limit: int = LARGEST) -> bytes | None:
    """The content of a regular file as ``read`` gives it; ``None`` if there is no such file."""
    try:
        return read(root, path, limit)
    except (FileNotFoundError, NotADirectoryError):
        return None


def content_or_empty(root: Root, path: str, limit: int = LARGEST) -> bytes:
    """The content of a regular file as ``read`` gives it; empty where no file can be read."""
    try:
        return read(root, path, limit)
    except OSError:
        return b""


@question
def head(root: Root, path: str, size: int) -> bytes:
    """At most the first ``size`` bytes of a regular file."""
    descriptor = places.at(root, path, lambda folder, name: os.open(name, os.O_RDONLY | places.CAREFUL, dir_fd=folder))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise places.RefusedError("is not a regular file", places.joined(root, path))
        parts = []
        # Ask for one byte more than the file has, so that one call reaches the end; a file that grows meanwhile is read
        # to the limit.
        while size > 0 and (part := os.read(descriptor, min(size, status.st_size + 1))):
            parts.append(part)
            size -= len(part)
    finally:
        os.close(descriptor)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def changed_since(seen: Seen) -> str | None:
    """The path of the first file of a reading that has changed since it was read; ``None`` when none has."""
    for (root, path), known in seen.items():
        try:
            now = content(root, path)
        except OSError:
            return path
        if (None if now is None else digest(now)) != known:
            return path
    return None


def status(root: Root, path: str) -> os.stat_result | None:
    """The system's status of a file or folder, with links inside the root followed; ``None`` if nothing is there."""

    def asked(folder: int | None, name: str) -> os.stat_result:
        if stat.S_ISLNK((found := os.stat(name, dir_fd=folder, follow_symlinks=False)).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
        return found

    try:
        return places.at(root, path, asked)
    except (FileNotFoundError, NotADirectoryError):
        return None


def signatures(root: Root, paths: Iterable[str]) -> dict[str, Signature]:
    """The signatures of those of ``paths`` that are regular files; links inside the root are followed."""
    found: dict[str, Signature] = {}
    for path in paths:
        try:
            state = status(root, path)
        except OSError:
            continue
        if state is not None and stat.S_ISREG(state.st_mode):
            found[path] = (state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)
    return found


@question
def kind(root: Root, path: str) -> str | None:
    """``FILE``, ``FOLDER`` or ``OTHER``; ``None`` if nothing is there, or the path is refused."""
    try:
        found = status(root, path)
    except OSError:
        return None
    return None if found is None else _KINDS.get(stat.S_IFMT(found.st_mode), OTHER)


def is_file(root: Root, path: str) -> bool:
    return kind(root, path) == FILE


def is_folder(root: Root, path: str = "") -> bool:
    return kind(root, path) == FOLDER


@question
def is_link(root: Root, path: str) -> bool:
    """Whether the path is a link, wherever the link leads."""
    return own_type(root, path) == stat.S_IFLNK


@question
def is_there(root: Root, path: str) -> bool:
    """Whether anything is at the path; a link counts, wherever it leads."""
    return own_type(root, path) is not None


@question
def listing(root: Root, folder: str = "") -> list[tuple[str, str, bool]]:
    """The sorted names in a folder except ``.git``, each with the kind of what it leads to and whether it is a link."""
    found = _entries(root, folder)
    below = f"{folder}/" if folder not in ("", ".") else ""
    return [
        (name, (kind(root, below + name) or OTHER) if mode is None else mode, mode is None)
        for name, mode in found
        if not places.is_git(name)
    ]


@question
def names(root: Root, folder: str = "") -> list[str]:
    """The names in a folder, sorted; empty where no folder can be listed."""
    try:
        return [name for name, _ in _entries(root, folder)]
    except OSError:
        return []


def _entries(root: Root, folder: str) -> list[tuple[str, str | None]]:
    return sorted(places.at(root, folder, scanned), key=lambda entry: entry[0])


@question
def real(path: Root, *, strict: bool = False) -> str:
    """A path that the user named, with links followed, so that it can serve as a root; ``strict``: it has to exist."""
    reached()
    return os.path.realpath(path, strict=strict)


def split(path: str) -> tuple[str, str]:
    """Split a path that the user named into its folder, which can be a root, and its name in that folder."""
    folder, name = os.path.split(path)
    return folder or ".", name


def above(folder: str) -> Iterator[str]:
    """A folder and all folders above it, the nearest first."""
    yield folder
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        yield folder


def upward(root: Root, path: str) -> tuple[str, str]:
    """A root and a path for a place that pdmigrate found above ``root``, such as ``../pyproject.toml``."""
    top = os.fspath(root)
    while path == ".." or path.startswith("../"):
        top, path = os.path.dirname(top), path[3:]
    return top, path


@question
def is_repository(folder: Root) -> bool:
    """Whether a folder is the top of a git clone, worktree or submodule."""
    reached()
    return os.path.lexists(places.joined(folder, ".git"))


def listable(folder: int | None, name: str) -> int:
    return os.open(name, _LISTED | places.NO_LINK, dir_fd=folder)


def scanned(folder: int | None, name: str) -> list[tuple[str, str | None]]:
    """The names in a folder with their kinds; ``None`` for links."""
    descriptor = listable(folder, name) if folder is not None else None
    try:
        with os.scandir(name if descriptor is None else descriptor) as entries:
            return [(entry.name, _of(entry)) for entry in entries]
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _of(entry: os.DirEntry[str]) -> str | None:
    if entry.is_symlink():
        return None
    if entry.is_dir(follow_symlinks=False):
        return FOLDER
    return FILE if entry.is_file(follow_symlinks=False) else OTHER


def own_type(root: Root, path: str) -> int | None:
    """The file type (``stat.S_IFMT``) of a path, links not followed; ``None`` if nothing is there, or it is refused."""
    try:
        parts = places.parts_of(root, path)
        above = places.resolved_parts(root, parts[:-1])
        found = places.act_at(
            root, [*above, *parts[-1:]], lambda f, n: os.stat(n, dir_fd=f, follow_symlinks=False), False
        )
    except OSError:
        return None
    return stat.S_IFMT(found.st_mode)
