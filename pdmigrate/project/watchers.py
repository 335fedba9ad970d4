"""Tests of a project that ask its servers, or that put something in their place: a migration may fail them.

A cheap look at the text, and on purpose a generous one: it is said before anything is written, and stops nothing.
Tests that read the definitions in the code need no such warning, because what they read stays where it is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.families import CLASS_NAMES, DISTRIBUTIONS, alternation
from pdmigrate.model import Site
from pdmigrate.project.reaching import Texts, is_test, reaching
from pdmigrate.tree.marks import MARKS, is_project

_LOOKS = re.compile(
    rb"\b(?:List(?:Tools|Resources|ResourceTemplates)|CallTool)Request\b"
    rb"|\.(?:list_tools|list_resources|list_resource_templates|call_tool|get_capabilities)\("
    rb"|\.(?:capabilities|instructions|request_handlers)\b"
    rb"|['\"](?:tools/list|tools/call|resources/list|resources/templates/list)['\"]"
)
_STANDS_IN = re.compile(
    rb"\b(?:setattr|patch(?:\.object)?)\([^)]{0,300}?\b%(classes)s['\"]"
    rb"|\.%(classes)s[ \t]*=(?!=)"
    rb"|\b(?:setitem\(\s{0,60}sys\.modules,|sys\.modules\[|patch\.dict\([^{]{0,60}?sys\.modules[^}]{0,300}?)\s{0,60}['\"]%(packages)s\b"
    % {b"classes": alternation(CLASS_NAMES), b"packages": alternation(DISTRIBUTIONS)}
)
"""Something else is put in the place of a server class, or of the module that has it."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """A test file that asks a server: the first line that does, and how many there are.

    ``servers`` are the files of the servers that it comes to; none where it seems to be about something else.
    ``stands_in``: it asks nothing, and puts something else in the place of the server class.
    """

    site: Site
    lines: int
    servers: frozenset[str]
    stands_in: bool = False


def watchers(root: Path, files: Collection[str], servers: Iterable[str]) -> Iterator[Watcher]:
    """The test files, among ``files``, that ask a server what it lists, or to run a tool, or that stand in for one.

    ``servers`` are the files that make servers; only tests of the same projects (folders with a build file) count.
    """
    folders = {server: _project_of(root, server) for server in servers}
    folders_of = {folder: _Folder(root, folder, files) for folder in set(folders.values())}
    projects = [_Project(server, folders_of[folder]) for server, folder in folders.items()]
    for path in filter(is_test, files):
        concerned = [project for project in projects if path.startswith(project.folder.path)]
        if not concerned:
            continue
        raw = _read(root, path)
        for what, stands_in in ((_LOOKS, False), (_STANDS_IN, True)):
            if lines := _lines(what, raw):
                reached = frozenset(project.server for project in concerned if path in project.reaching)
                yield Watcher(Site(path, lines[0]), len(lines), reached, stands_in)


def _lines(what: re.Pattern[bytes], raw: bytes) -> list[int]:
    """The lines in which a text does so; a decorator that asks makes a handler, and a comment does nothing."""
    nothing = (b"@", b"#") if what is _LOOKS else (b"#",)
    starts = (match.start() for match in what.finditer(raw))
    doing = (s for s in starts if not raw[raw.rfind(b"\n", 0, s) + 1 : s].lstrip().startswith(nothing))
    return sorted({raw.count(b"\n", 0, start) + 1 for start in doing})


@dataclass
class _Folder:
    """The folder of a project, with a slash at its end (empty for the root), and what its files say."""

    root: Path
    path: str
    files: Collection[str]

    @cached_property
    def texts(self) -> Texts:
        start = len(self.path)
        inside = [path[start:] for path in self.files if path.startswith(self.path)]
        builds = [_read(self.root, self.path + mark) for mark in MARKS]
        return Texts({path: _read(self.root, self.path + path) for path in inside}, builds)


@dataclass
class _Project:
    """One server in the folder of its project, and who reaches it."""

    server: str
    folder: _Folder

    @cached_property
    def reaching(self) -> frozenset[str]:
        start = self.folder.path
        return frozenset(f"{start}{path}" for path in reaching(self.server[len(start) :], self.folder.texts))


def _project_of(root: Path, file: str) -> str:
    """The innermost folder above ``file`` with a build file, with a slash at its end; empty for the root."""
    for folder in PurePosixPath(file).parents:
        if folder.name and is_project(root, folder.as_posix()):
            return f"{folder.as_posix()}/"
    return ""


def _read(root: Path, path: str) -> bytes:
    try:
        return disk.read(root, path)
    except OSError:
        # A test that may not be read cannot be run by this person either.
        return b""
