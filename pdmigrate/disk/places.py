"""How a place below a root is reached, and what is refused on the way."""

from __future__ import annotations

import errno
import os
import sys

from pdmigrate.disk.tracing import digest, reached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias, TypeVar

    T = TypeVar("T")
    Root: TypeAlias = str | os.PathLike[str]

Seen = dict[tuple[str, str], str | None]
"""Digests of the files that were read, by root and path; ``None`` where there was no file."""

_BY_FOLDER = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


def _flags(*names: str) -> int:
    """Those of the named flags of ``os.open`` that the system has, each another bit."""
    return sum(getattr(os, name, 0) for name in names)


_FOLDER = getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY)) | _flags("O_DIRECTORY", "O_CLOEXEC")
NO_LINK = _flags("O_NOFOLLOW")
CAREFUL = NO_LINK | _flags("O_NONBLOCK", "O_CLOEXEC", "O_BINARY", "O_NOINHERIT")
_LINKED = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)
"""The errors that systems raise for a link where none may be; ``ENOTDIR`` also for a file used as a folder."""
_UNSEEN = dict.fromkeys((0x200C, 0x200D, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF))
"""Characters that macOS (HFS+) ignores in names."""


class RefusedError(OSError):
    """A path that pdmigrate does not open, whatever the system allows; ``strerror`` is the reason."""

    def __init__(self, reason: str, path: str) -> None:
        super().__init__(errno.EPERM, reason, path)


def is_git(name: str) -> bool:
    """Whether some file system takes a name for ``.git``: NTFS, HFS+ (macOS), or one that ignores case."""
    if name.isascii() and "git" not in name and "git" not in name.lower():
        return False
    for part in name.replace("\\", "/").split("/"):
        plain = part.translate(_UNSEEN).partition(":")[0].rstrip(" .").casefold()
        if plain == ".git" or (plain.startswith("git~") and plain[4:].isdecimal()):
            return True
    return False


def resolved(root: Root, path: str) -> str:
    """``path`` with links followed, relative to the root with links followed.

    Raises RefusedError if the real path is outside the root, or belongs to a git repository's own data.
    """
    return "/".join(resolved_parts(root, parts_of(root, path)))


def joined(root: Root, path: str) -> str:
    return os.path.join(root, path) if path not in ("", ".") else os.fspath(root)


def parts_of(root: Root, path: str) -> list[str]:
    """The names of a path.

    Raises RefusedError if the path leads out of the root, or into a git repository's own data.
    """
    if sys.platform == "win32":
        path = path.replace("\\", "/")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    outside = path.startswith("/") or ".." in parts or (sys.platform == "win32" and ":" in path)
    if outside or "\0" in path:
        raise RefusedError("leads out of the project", joined(root, path))
    if any(map(is_git, parts)):
        raise RefusedError("belongs to git", joined(root, path))
    return parts


def at(root: Root, path: str, act: Callable[[int | None, str], T], *, writing: bool = False) -> T:
    """Call ``act`` with the descriptor of a path's folder and the path's last name.

    On Windows, call it with ``None`` and the whole path.  Links inside the root are followed, except with ``writing``:
    a writer has to resolve the path first.
    """
    parts = parts_of(root, path)
    try:
        return act_at(root, parts, act, writing)
    except RefusedError:
        raise
    except OSError as error:
        if error.errno not in _LINKED or isinstance(error, FileNotFoundError):
            raise
        really = resolved_parts(root, parts)
        if really == parts:
            raise
        if writing:
            raise RefusedError("is reached by a link", joined(root, path)) from error
    return act_at(root, really, act, writing)


def act_at(root: Root, parts: list[str], act: Callable[[int | None, str], T], writing: bool) -> T:
    reached()
    try:
        if not _BY_FOLDER:
            return act(None, _plain(root, parts, writing))
        if _readings and not writing:
            return act(_readings[-1][1].at(root, parts[:-1]), parts[-1] if parts else ".")
        folder = os.open(root, _FOLDER)
        try:
            for part in parts[:-1]:
                _refuse_repository(folder, root, writing)
                inner = os.open(part, _FOLDER | NO_LINK, dir_fd=folder)
                os.close(folder)
                folder = inner
            _refuse_repository(folder, root, writing)
            return act(folder, parts[-1] if parts else ".")
        finally:
            os.close(folder)
    except OSError as error:
        if not isinstance(error, RefusedError) and isinstance(error.filename, str):
            error.filename = joined(root, "/".join(parts))
        raise


def _plain(root: Root, parts: list[str], writing: bool) -> str:
    """A path without links, for systems that cannot open a file relative to a folder; raises OSError for a link."""
    above = os.path.join(os.path.realpath(root), *parts[:-1])
    if os.path.normcase(os.path.realpath(above)) != os.path.normcase(above):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), above)
    while writing and len(above) >= len(os.path.realpath(root)):
        if all(os.path.lexists(os.path.join(above, name)) for name in ("HEAD", "objects", "refs")):
            raise RefusedError("belongs to git", above)
        above = os.path.dirname(above)
    place = os.path.join(os.path.realpath(root), *parts)
    if os.path.islink(place):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), place)
    return place


def _refuse_repository(folder: int, root: Root, writing: bool) -> None:
    """Refuse to write into a folder that git would take for a repository, whatever its name: git hooks are programs."""
    if writing:
        try:
            for name in ("HEAD", "objects", "refs"):
                os.stat(name, dir_fd=folder, follow_symlinks=False)
        except OSError:
            return
        raise RefusedError("belongs to git", os.fspath(root))


def resolved_parts(root: Root, parts: list[str]) -> list[str]:
    reached()
    top = os.path.realpath(root)
    target = os.path.realpath(os.path.join(top, *parts))
    inside = "" if target == top else os.path.relpath(target, top)
    if os.path.isabs(inside) or inside.split(os.sep)[0] == "..":
        raise RefusedError("leads out of the project", os.path.join(top, *parts))
    return parts_of(root, inside.replace(os.sep, "/"))


class ChangedError(Exception):
    """A file has changed since it was first read; ``path`` is the path by which it was read."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class reading:  # noqa: N801 - used as a function; contextlib takes longer to import than hooks have
    """A context manager for one look at a tree: folders stay open, and a file read twice is the same both times.

    Gives the digests of the files that were read, by root and path; ``None`` for a file that was not there.  ``read``
    raises ``ChangedError`` for a file that has changed since it was first read.
    """

    def __enter__(self) -> Seen:
        seen: Seen = {}
        _readings.append((seen, _Folders()))
        return seen

    def __exit__(self, *_: object) -> None:
        _readings.pop()[1].close()


def note(root: Root, path: str, raw: bytes | None) -> None:
    if _readings:
        noted(root, path, None if raw is None else digest(raw))


def noted(root: Root, path: str, digest: str | None) -> None:
    """Note the digest of a file as if it had just been read.

    Raises ChangedError if another digest was noted for the file before.
    """
    place = (os.fspath(root), path)
    for seen, _ in _readings:
        if seen.setdefault(place, digest) != digest:
            raise ChangedError(path)


class _Folders:
    """Folders that stay open for the next file in them."""

    MOST = 48

    def __init__(self) -> None:
        self._open: dict[tuple[str, ...], int] = {}

    def at(self, root: Root, names: list[str]) -> int:
        key = (os.fspath(root), *names)
        if (found := self._open.get(key)) is None:
            if len(self._open) > self.MOST:
                self.close()
            flags = _FOLDER | (NO_LINK if names else 0)
            above = self.at(root, names[:-1]) if names else None
            found = self._open[key] = os.open(names[-1] if names else root, flags, dir_fd=above)
        return found

    def close(self) -> None:
        for descriptor in self._open.values():
            os.close(descriptor)
        self._open.clear()


_readings: list[tuple[Seen, _Folders]] = []
