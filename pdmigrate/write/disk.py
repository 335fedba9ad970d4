"""The few things done to the user's disk, each atomic or made durable before the next relies on it."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from pdmigrate.errors import WriteError

_NOT_EMPTY = (errno.ENOENT, errno.ENOTDIR, errno.ENOTEMPTY, errno.EEXIST)
_ABSENT = (FileNotFoundError, NotADirectoryError)


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def read(path: Path) -> bytes | None:
    """The content of a file; ``None`` when there is none."""
    try:
        return path.read_bytes()
    except _ABSENT:
        return None


def digest(path: Path) -> str | None:
    """The SHA-256 of a file; ``None`` when there is none."""
    content = read(path)
    return None if content is None else sha256(content)


def inside(root: Path, path: str) -> Path:
    """Where ``path`` really is, with links followed.

    Raises:
        WriteError: that is outside ``root`` (PD605).
    """
    top = Path(os.path.realpath(root))
    target = Path(os.path.realpath(top / path))
    if target != top and top not in target.parents:
        raise WriteError(
            f"{path} leads out of the project, to {target}",
            hint="replace the link by a file, or run where both are",
            code="PD605",
        )
    return target


def write_durably(path: Path, content: bytes, like: os.stat_result | None = None) -> None:
    """A new file that is on the disk when this returns, with mode and owner of another file if given.

    Raises:
        OSError: the disk refuses, or there is a file at ``path``.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(descriptor, "wb") as stream:
        if like is not None:
            _take_after(path, like)
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def _take_after(path: Path, like: os.stat_result) -> None:
    if sys.platform != "win32":
        own = path.stat()
        if (own.st_uid, own.st_gid) != (like.st_uid, like.st_gid):
            # Giving a file away needs rights that few have; the content matters more than the owner.
            with contextlib.suppress(PermissionError):
                os.chown(path, like.st_uid, like.st_gid)
    os.chmod(path, like.st_mode & 0o7777)  # noqa: PTH101 - one seam for all that changes the disk


def sync_folders(folders: Iterable[Path]) -> None:
    """Make what was renamed, made or removed in ``folders`` durable; Windows has no such call."""
    if sys.platform == "win32":
        return
    for folder in sorted(set(folders)):
        with contextlib.suppress(*_ABSENT):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file that may be gone already."""
    with contextlib.suppress(*_ABSENT):
        os.unlink(path)  # noqa: PTH108 - one seam for all that changes the disk


def remove_empty(folders: Iterable[Path]) -> None:
    """Remove those of ``folders`` that are empty, the deepest first."""
    for folder in sorted(set(folders), key=lambda f: len(f.parts), reverse=True):
        try:
            os.rmdir(folder)  # noqa: PTH106 - one seam for all that changes the disk
        except OSError as error:
            if error.errno not in _NOT_EMPTY:
                raise


def make_folders(folders: Iterable[Path]) -> None:
    """Make ``folders``, the outermost first; those that are there are left alone."""
    for folder in sorted(set(folders), key=lambda f: len(f.parts)):
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)  # noqa: PTH102 - one seam for all that changes the disk
