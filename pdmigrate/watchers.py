"""Tests of a project that ask its servers: a migration changes what is listed and called, and may fail them.

A cheap look at the text, and on purpose a generous one: it is said before anything is written, and stops nothing.
Tests that read the definitions in the code need no such warning, because what they read stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from pdmigrate.model import Site

_LOOKS = re.compile(
    rb"\b(?:List(?:Tools|Resources)|CallTool)Request\b"
    rb"|\.(?:list_tools|list_resources|call_tool)\("
    rb"|['\"](?:tools/list|resources/list|tools/call)['\"]"
)
_TEST_FOLDERS = frozenset({"test", "tests", "testing"})
_MARKS = ("pyproject.toml", "setup.py", "setup.cfg")


def watchers(root: Path, files: Iterable[str], servers: Iterable[str]) -> Iterator[Site]:
    """The first place in each test file, among ``files``, that asks a server what it lists, or to run a tool.

    ``servers`` are the files that make servers; only tests of the same projects (folders with a build file) count.
    """
    projects = {_project_of(root, file) for file in servers}
    for path in files:
        if is_test(path) and any(f"{path}/".startswith(project) for project in projects):
            raw = _read(root / path)
            if match := _LOOKS.search(raw):
                yield Site(path, raw.count(b"\n", 0, match.start()) + 1)


def is_test(path: str) -> bool:
    """Whether a path is that of a test, by the conventions of pytest and unittest."""
    file = PurePosixPath(path)
    named = file.name == "conftest.py" or file.stem.startswith("test_") or file.stem.endswith("_test")
    return named or bool(_TEST_FOLDERS & set(file.parts[:-1]))


def _project_of(root: Path, file: str) -> str:
    """The innermost folder above ``file`` with a build file, with a slash at its end; empty for the root."""
    for folder in PurePosixPath(file).parents:
        if folder.name and any((root / folder / mark).is_file() for mark in _MARKS):
            return f"{folder.as_posix()}/"
    return ""


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        # A test that may not be read cannot be run by this person either.
        return b""
