"""A project that is built into a wheel: the build files and folders that decide how, and which homes belong to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from posixpath import dirname, join

from pdmigrate import disk
from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import FileChange, Finding, JsonObject, Site, mapping
from pdmigrate.names import LOCK_PATH
from pdmigrate.record.undo import BUILD_FILES
from pdmigrate.source.documents import read_toml
from pdmigrate.source.entries import is_build_script

PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Shipping:
    """``changes`` are edits of build files, ``findings`` say what a person has to do or to know."""

    changes: tuple[FileChange, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Build:
    """One project that a build backend turns into a wheel.  All paths but ``folder`` are relative to ``folder``."""

    folder: str
    """The project's folder, relative to the root; empty for the root."""
    files: Mapping[str, str]
    """The texts of its build files, by name."""
    data: JsonObject
    """Its ``pyproject.toml`` as data; empty without one."""
    homes: tuple[Home, ...]

    def path(self, name: str) -> str:
        """A path as the user knows it: relative to the root."""
        return f"{self.folder}/{name}" if self.folder else name

    def table(self, *keys: str) -> JsonObject:
        """A table of ``pyproject.toml``; empty if there is no such table."""
        return reduce(lambda table, key: mapping(table.get(key)), keys, self.data)

    def finding(self, code: str, message: str, *, hint: str = "", file: str = PYPROJECT, mark: str = "") -> Finding:
        """A finding about a build file, at the first line that holds ``mark``."""
        lines = self.files.get(file, "").splitlines()
        line = next((number for number, text in enumerate(lines, 1) if mark and mark in text), 1)
        return finding(code, f"{self.path(file)}: {message}", hint=hint, site=Site(self.path(file), line))


def under(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder``, or is in it; everything is in the empty folder."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def chain(path: str) -> Iterator[str]:
    """The folders that hold ``path``, the nearest first, the top (empty) last."""
    while path:
        path = dirname(path)
        yield path


def example_file(home: Home) -> str:
    """A path that stands for every description file of a home."""
    return f"{home.folder}/tool.json"


def candidates(root: Path, homes: Sequence[Home]) -> tuple[str, ...]:
    """The files at or above each home, up to ``root``, that decide what is shipped; relative to ``root``."""
    folders = {folder for home in homes for folder in chain(home.module)}
    paths = (join(folder, name) for folder in sorted(folders) for name in BUILD_FILES)
    return tuple(path for path in paths if disk.is_file(root, path))


def git_questions(homes: Sequence[Home]) -> tuple[str, ...]:
    """The paths of which ``ship`` has to know whether git ignores them: generated files, and the folders above."""
    # Folders without a slash at the end: asked with one, git takes ``pkg/*`` for a rule about ``pkg/`` itself.
    made = ((home.module, home.server_file, example_file(home), *chain(home.module)) for home in homes)
    return tuple(sorted({LOCK_PATH, *filter(None, (path for paths in made for path in paths))}))


def builds(files: Mapping[str, bytes], homes: Sequence[Home]) -> tuple[tuple[Build, ...], tuple[Finding, ...]]:
    """The projects that the homes belong to, by folder, and findings for build files that cannot be read (PD525)."""
    texts: dict[str, str] = {}
    tables: dict[str, JsonObject] = {}
    unread: dict[str, Finding] = {}
    for path in sorted(path for path in files if path.rpartition("/")[2] in BUILD_FILES):
        try:
            texts[path] = files[path].decode("utf-8")
            tables |= {path: read_toml(texts[path])} if path.endswith(".toml") else {}
        except ValueError as error:
            place, _, name = path.rpartition("/")
            broken = Build(place, {}, {}, ())
            unread[path] = broken.finding("PD525", f"cannot be read: {error}", file=name)

    def is_project(folder: str) -> bool:
        """Whether a wheel would be built from ``folder``; a ``pyproject.toml`` only for tools does not count."""
        table = tables.get(join(folder, PYPROJECT), {})
        named = "project" in table or "build-system" in table or "poetry" in mapping(table.get("tool"))
        config = texts.get(join(folder, "setup.cfg"), "")
        is_configured = "[options]" in config or "[metadata]" in config or join(folder, PYPROJECT) in unread
        return named or is_configured or is_build_script(texts.get(join(folder, "setup.py"), "").encode())

    owned: dict[str, list[Home]] = {}
    for home in homes:
        folder = next(filter(is_project, chain(home.module)), None)
        if folder is not None and join(folder, PYPROJECT) not in unread:
            owned.setdefault(folder, []).append(home)

    def build(folder: str) -> Build:
        strip = len(folder) + 1 if folder else 0
        inside = {name: texts[join(folder, name)] for name in BUILD_FILES if join(folder, name) in texts}
        moved = tuple(Home(home.module[strip:], home.folder[strip:]) for home in owned[folder])
        return Build(folder, inside, tables.get(join(folder, PYPROJECT), {}), moved)

    return tuple(map(build, sorted(owned))), tuple(unread.values())
