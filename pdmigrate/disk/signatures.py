"""Signatures of files, which show that files have not changed since they were read, without reading them again."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pdmigrate.disk.reading import status

if TYPE_CHECKING:
    from pdmigrate.disk.places import Root

Signature = tuple[int, int, int, int]
"""Size, modification and status change times in nanoseconds, and inode number of a file."""

_COARSE = 2_000_000_000
"""The coarsest resolution of a file system's times, in nanoseconds."""


def of_files(root: Root, paths: Iterable[str]) -> dict[str, Signature]:
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


def is_reliable(signature: Signature, moment: int) -> bool:
    """Whether any later change gives the file another signature than this one, which was taken after ``moment``.

    A file may keep its signature if it is changed twice within the resolution of its file system's times (git's "racy"
    entries of an index).
    """
    return moment - max(signature[1], signature[2]) > _COARSE


def now() -> int:
    """The current time in nanoseconds, comparable with the times of files."""
    return time.time_ns()
