"""Which commands start the servers of a project (``commands.py``), from its files on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from pdmigrate import disk
from pdmigrate.model import Server
from pdmigrate.project.commands import Candidate, Read, candidates, is_script
from pdmigrate.project.depending import behind
from pdmigrate.project.model import Project
from pdmigrate.recognise.requirements import toml_of
from pdmigrate.tree.code.reaching import is_test
from pdmigrate.tree.discover import python_files

_MOST = 60
"""The most files that are looked at as ways to start a server."""


def commands_of(project: Project, server: Server) -> tuple[Candidate, ...]:
    """The commands that start a server, the most certain first; nothing is run to find them."""
    tree = python_files(project.root)
    build = toml_of(project.root, "pyproject.toml")
    file = server.site.file

    def text(path: str) -> str | None:
        raw = disk.content(project.root, path) if disk.is_file(project.root, path) else None
        return raw.decode("utf-8", "replace") if raw is not None else None

    targets = {point.module for point in project.use.starts}
    starts = {path: name for path in tree if not is_test(path) and (name := _module(path))}
    ways = [path for path in starts if path == file or starts[path].removesuffix(".__init__") in targets]
    ways += [path for path in _scripts(starts, text) if path not in ways]
    near = {path: starts[path] for path in ways[:_MOST] if file in behind(project.root, tree, [path])}
    return candidates(file, text, build, near)


def _scripts(paths: Iterable[str], text: Read) -> Iterator[str]:
    for path in paths:
        if PurePosixPath(path).name == "__main__.py" or is_script(text(path) or ""):
            yield path


def _module(path: str) -> str:
    """The name by which a file is imported, if the root or ``src`` is where imports start."""
    return path.removeprefix("src/").removesuffix(".py").replace("/", ".")
