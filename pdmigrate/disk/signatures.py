"""Signatures of files, which show that files have not changed since they were read, without reading them again."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from pdmigrate.disk.places import at, is_git
from pdmigrate.disk.reading import status

if TYPE_CHECKING:
    from pdmigrate.disk.places import Root

Signature = tuple[int, int, int, int]
"""Size, modification and status change times in nanoseconds, and inode number of a file."""

_COARSE = 2_000_000_000
"""The coarsest resolution of a file system's times, in nanoseconds."""


def of_files(root: Root, paths: Iterable[str]) -> dict[str, Signature]:
    """The signatures of those of ``paths`` that are regular files; links inside the root are followed.

    The system is asked folder by folder: asking file by file would take as long as reading thousands of files does.
    """
    found: dict[str, Signature] = {}
    for _, group in groupby(paths, key=lambda path: path.rpartition("/")[0]):
        inside = list(group)
        known = _in_folder(root, inside)
        for path in inside:
            state = known.get(path) or _status(root, path)
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


def _in_folder(root: Root, paths: list[str]) -> dict[str, os.stat_result]:
    """The status of those of ``paths``, all in one folder, that exist and are no links."""

    def asked(above: int | None, first: str) -> dict[str, os.stat_result]:
        states = _states(above, os.path.dirname(first), paths)
        return {path: state for path, state in states if not stat.S_ISLNK(state.st_mode)}

    try:
        return at(root, paths[0], asked)
    except OSError:
        return {}


def _states(above: int | None, beside: str, paths: list[str]) -> Iterator[tuple[str, os.stat_result]]:
    for path in paths:
        name = path.rpartition("/")[2]
        if is_git(name) or name in ("", ".", ".."):
            continue  # ``status`` refuses the path
        try:
            yield path, os.stat(os.path.join(beside, name), dir_fd=above, follow_symlinks=False)
        except FileNotFoundError:
            continue


def _status(root: Root, path: str) -> os.stat_result | None:
    try:
        return status(root, path)
    except OSError:
        return None
