"""Let one run at a time write to a project, by a lock of the operating system that ends with its process."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from pdmigrate import disk
from pdmigrate.errors import WriteError
from pdmigrate.names import STATE

JOURNAL = f"{STATE}/journal"
LOCK = "lock"
PATIENCE = 10.0
"""The seconds to wait for another run; a run that writes takes a fraction of a second."""
_PAUSE = 0.05
IGNORE = ".gitignore"
"""The file that keeps the journal, and so itself, out of the repository."""
_PATH = f"{JOURNAL}/{LOCK}"


@contextlib.contextmanager
def exclusive(root: Path) -> Iterator[None]:
    """Hold the lock of the project at ``root``; the journal's folder is made, and removed again when it is empty.

    Raises WriteError if another run holds the lock (PD603), the folder cannot be made (PD602) or is a link (PD605).
    """
    try:
        descriptor = _acquired(root)
    except disk.RefusedError as error:
        hint = "remove what is in its place"
        raise WriteError(f"{JOURNAL} {error.strerror}; nothing was changed", hint=hint, code="PD605") from error
    except OSError as error:
        blocked = isinstance(error, (FileExistsError, NotADirectoryError))
        message = f"{root / JOURNAL} cannot be used: {error.strerror}; nothing was changed"
        hint = "rename or remove the file in its way" if blocked else "check its permissions and the free disk space"
        raise WriteError(message, hint=hint, code="PD602") from error
    try:
        yield
    finally:
        _release(root, descriptor)


def wait(root: Path) -> None:
    """Wait until no run writes, making no file and keeping no lock; raises WriteError if one still does (PD603)."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            descriptor = disk.lockable(root, _PATH, make=False)
        except OSError:
            return
        try:
            if _locked(descriptor, shared=True):
                return
        finally:
            os.close(descriptor)
        _pause(until)


def _acquired(root: Path) -> int:
    """The descriptor of the locked file; another holder may remove the file between any two steps."""
    until = time.monotonic() + PATIENCE
    while True:
        with contextlib.suppress(FileNotFoundError):
            disk.make_folder(root, JOURNAL)
            descriptor = disk.lockable(root, _PATH)
            try:
                if _locked(descriptor) and _is_at(root, descriptor):
                    return descriptor
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)
        _pause(until)


def _pause(until: float) -> None:
    """Wait a little for the other run; raises WriteError when ``until`` is over (PD603)."""
    if time.monotonic() > until:
        hint = "wait until it has ended, then run the command again"
        raise WriteError("another run is writing to this project", hint=hint, code="PD603")
    time.sleep(_PAUSE)


def _is_at(root: Path, descriptor: int) -> bool:
    """Whether ``descriptor`` is of the file that others would lock; its last holder may have just removed it."""
    own, there = os.fstat(descriptor), disk.status(root, _PATH)
    return there is not None and (own.st_dev, own.st_ino) == (there.st_dev, there.st_ino)


def _release(root: Path, descriptor: int) -> None:
    with contextlib.suppress(OSError):
        if set(disk.names(root, JOURNAL)) <= {LOCK, IGNORE}:
            disk.remove(root, f"{JOURNAL}/{IGNORE}")
    if sys.platform == "win32":
        # Windows cannot remove an open file.
        os.close(descriptor)
    # A lock file that cannot be removed, or that another run has taken meanwhile, does no harm.
    with contextlib.suppress(OSError):
        disk.remove(root, _PATH)
        if disk.remove_folder(root, JOURNAL):
            disk.remove_folder(root, STATE)
    if sys.platform != "win32":
        os.close(descriptor)


def _locked(descriptor: int, *, shared: bool = False) -> bool:
    """Take the lock without waiting; return whether that was possible."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
