"""One run at a time on a project.

The lock is the operating system's, on a file in the journal, so it goes with its process however that ends; the file
holds the process id for the message, and is removed with the lock.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pdmigrate.errors import WriteError
from pdmigrate.write.disk import inside, remove, remove_empty

JOURNAL = ".pdmigrate/journal"
LOCK = "lock"
_ATTEMPTS = 20


@contextlib.contextmanager
def exclusive(root: Path) -> Iterator[Path]:
    """Hold the lock of the project at ``root``; gives the folder of the journal, which goes again when it is empty.

    Raises:
        WriteError: another run holds it (PD603), or the folder cannot be made (PD602).
    """
    folder = inside(root, JOURNAL)
    try:
        descriptor = _acquired(folder)
    except OSError as error:
        blocked = isinstance(error, (FileExistsError, NotADirectoryError))
        raise WriteError(
            f"{folder} cannot be used: {error.strerror}; nothing was changed",
            hint="rename or remove the file in its way" if blocked else "see its permissions, and the room on the disk",
            code="PD602",
        ) from error
    try:
        yield folder
    finally:
        _release(folder, descriptor)


def _acquired(folder: Path) -> int:
    """The descriptor of the locked file; the file may be removed by its holder between any two steps."""
    path = folder / LOCK
    for _ in range(_ATTEMPTS):
        with contextlib.suppress(FileNotFoundError, FileExistsError):
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - one seam for all that changes the disk
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                if _taken(descriptor, path):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
    raise WriteError(f"{path} keeps being removed", hint="run the command again", code="PD603")


def _taken(descriptor: int, path: Path) -> bool:
    """Whether the lock is ours now; not when its last holder has just removed the file.

    Raises:
        WriteError: another run holds it (PD603).
    """
    if not _locked(descriptor):
        holder = os.read(descriptor, 20).decode("ascii", "replace")
        raise WriteError(
            f"another run is writing to this project (process {holder or 'unknown'})",
            hint="wait until it has ended, then run the command again",
            code="PD603",
        )
    if not _is_at(descriptor, path):
        return False
    os.truncate(descriptor, 0)
    os.write(descriptor, str(os.getpid()).encode())
    return True


def _is_at(descriptor: int, path: Path) -> bool:
    own, there = os.fstat(descriptor), path.stat()
    return (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino)


def _release(folder: Path, descriptor: int) -> None:
    if sys.platform == "win32":
        # An open file cannot be removed there.
        os.close(descriptor)
    # A lock file that cannot be removed, or that another run has taken meanwhile, does no harm.
    with contextlib.suppress(OSError):
        remove(folder / LOCK)
        remove_empty((folder, folder.parent))
    if sys.platform != "win32":
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    """Take the lock without waiting."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # Far behind the process id, which others must be able to read.
            os.lseek(descriptor, 1 << 20, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
