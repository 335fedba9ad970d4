"""Which Python files of a tree are worth reading: a walk that respects ``.gitignore``, and literal byte gates.

It never parses anything: for thousands of files, it takes about as long as listing and reading them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.disk.vcs import git
from pdmigrate.errors import UsageError
from pdmigrate.names import STATE

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


_LONGEST = 4_096
"""The most characters of a pattern: compiling takes time quadratic in its length, and no path is longer."""
_MOST_STARS = 3
"""The most runs of stars between two slashes: matching a name takes its length to the power of their number."""


def spec(patterns: Iterable[str]) -> GitIgnoreSpec:
    """A matcher for all of ``patterns`` except those that are too expensive."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(pattern for pattern in patterns if is_bounded(pattern))


def is_bounded(pattern: str) -> bool:
    """Whether a pattern can be matched in reasonable time."""
    if len(pattern) > _LONGEST:
        return False
    return all(len(re.findall(r"\*+", part)) <= _MOST_STARS for part in pattern.split("/"))


PRUNED = frozenset(
    {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox", ".mypy_cache",
     ".ruff_cache", ".pytest_cache", "site-packages", ".cache", ".eggs", STATE}
)  # fmt: skip
"""Folders that never hold a project's own source."""

_LARGEST_IGNORE = 100_000
_MOST_PATTERNS = 2_500
"""The most lines of a ``.gitignore`` that is followed: several times as many as the longest in use have."""


def gated(root: Path, files: tuple[str, ...], gates: tuple[bytes, ...]) -> tuple[str, ...]:
    """Those of ``files`` that hold one of ``gates``; a file that cannot be read stays: whoever reads it says why."""
    return tuple(path for path in files if _passes(root, path, gates))


def python_files(root: Path, *, exclude: tuple[str, ...] = (), below: str = "") -> tuple[str, ...]:
    """All Python files of the project at ``root``, sorted; ``exclude`` holds patterns as in ``.gitignore``.

    ``below`` is a folder of a root without a repository, and the only one to look into.  Raises UsageError if a pattern
    takes too long to match; to leave it out would ignore the user's choice.
    """
    if slow := next((pattern for pattern in exclude if not is_bounded(pattern)), None):
        hint = "use at most three * between two slashes"
        raise UsageError(f"exclude: {slow[:60]} takes too long to match", hint=hint)
    # Git lists nothing for a root inside an ignored folder: the user wants that folder, so it is walked instead.
    if not below and (tracked := git.listed(root, "*.py")):
        paths = [p for p in tracked if p.endswith(".py") and not PRUNED & set(p.split("/")[:-1])]
    else:
        paths = [path for path in _walk(root, below) if path.endswith(".py")]
        paths = _not_matching(paths, _ignored_lines(root))
    return tuple(disk.signatures(root, sorted(_not_matching(paths, list(exclude)))))


def _passes(root: Path, path: str, gates: tuple[bytes, ...]) -> bool:
    try:
        raw = disk.head(root, path, disk.LARGEST)
    except OSError:
        return True
    return any(gate in raw for gate in gates)


def linked(root: Path, files: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Those of ``files`` that are links to other files of the tree, each with the file."""
    for path in files:
        if disk.is_link(root, path):
            try:
                yield path, disk.resolved(root, path)
            except disk.RefusedError:
                continue  # it leads out of the project, and is not read


def _walk(root: Path, folder: str = "") -> Iterator[str]:
    try:
        entries = disk.listing(root, folder)
    except OSError:
        return
    if folder and any(name == "pyvenv.cfg" for name, _, _ in entries):
        return
    for name, kind, linked in entries:
        path = f"{folder}/{name}" if folder else name
        if kind != disk.FOLDER or linked:
            yield path
        elif name not in PRUNED:
            yield from _walk(root, path)


def _ignored_lines(root: Path) -> list[str]:
    """The patterns of ``.gitignore``; none if it is unreadable or too long: too much is read then, not too little."""
    try:
        lines = disk.read(root, ".gitignore", _LARGEST_IGNORE).decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    return lines if len(lines) <= _MOST_PATTERNS else []


def _not_matching(paths: list[str], patterns: list[str]) -> list[str]:
    ignored = spec(patterns) if patterns else None
    return [path for path in paths if ignored is None or not ignored.match_file(path)]


_SHELVES = frozenset({"src", "lib", "python"})
"""Folders that hold packages without being packages themselves, if there is a folder below them."""
_TEST_FOLDERS = frozenset({"test", "tests", "testing"})


def on_shelf(path: str) -> str:
    """A path as its shelf has it; a path on no shelf is left as it is."""
    shelf, _, rest = path.partition("/")
    return rest if shelf in _SHELVES and rest else path


@cache
def is_test(path: str) -> bool:
    """Whether a path is that of a test, by the conventions of pytest and unittest."""
    *folders, name = path.split("/")  # without `PurePosixPath`, which takes ten times as long for thousands of files
    named = name == "conftest.py" or name.startswith("test_") or name.rpartition(".")[0].endswith("_test")
    return named or not _TEST_FOLDERS.isdisjoint(folders)
