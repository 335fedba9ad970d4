"""What the rules of the build backends take and give: a project to be built, and additions to its build file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, reduce

from pdmigrate.describe.homes import Home
from pdmigrate.findings import finding
from pdmigrate.model import FileChange, Finding, JsonObject, Site, mapping

PYPROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Shipping:
    """``changes`` are edits of build files, ``findings`` say what a person has to do or to know."""

    changes: tuple[FileChange, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Addition:
    """Items for the list at the key ``path`` of ``pyproject.toml``."""

    path: tuple[str, ...]
    items: tuple[str, ...]


@dataclass(frozen=True)
class Tree:
    """Files and folders, POSIX and relative to one folder; it also holds the folders above each path."""

    paths: frozenset[str]
    """Paths of files as they are, paths of folders with a slash at the end."""

    @classmethod
    def of(cls, paths: Iterable[str]) -> Tree:
        found = set(paths)
        for path in tuple(found):
            parent = path.rstrip("/").rpartition("/")[0]
            while parent and f"{parent}/" not in found:
                found.add(f"{parent}/")
                parent = parent.rpartition("/")[0]
        return cls(frozenset(found))

    def below(self, folder: str) -> Tree:
        """The part of the tree in ``folder`` (empty for all), relative to that folder."""
        prefix = f"{folder}/" if folder else ""
        inside = (path[len(prefix) :] for path in self.paths if path.startswith(prefix))
        return Tree(frozenset(path for path in inside if path))

    def without(self, homes: Iterable[Home]) -> Tree:
        """The tree as it was before a migration: no generated modules and no description files."""
        modules = {home.module for home in homes}
        folders = tuple(f"{top_folder(home)}/" for home in homes)
        return Tree(frozenset(p for p in self.paths if p not in modules and not p.startswith(folders)))

    def has(self, file: str) -> bool:
        return file in self.paths

    def has_folder(self, folder: str) -> bool:
        return f"{folder}/" in self.paths

    @cached_property
    def _children(self) -> Mapping[str, tuple[str, ...]]:
        children: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            parent, _, name = path.rstrip("/").rpartition("/")
            children.setdefault(parent, []).append(name + ("/" if path.endswith("/") else ""))
        return {parent: tuple(names) for parent, names in children.items()}

    def folders_in(self, folder: str) -> tuple[str, ...]:
        return tuple(name[:-1] for name in self._children.get(folder, ()) if name.endswith("/"))

    def modules_in(self, folder: str) -> tuple[str, ...]:
        """The names of the Python files directly in ``folder``, without their suffix."""
        return tuple(name[:-3] for name in self._children.get(folder, ()) if name.endswith(".py"))


@dataclass(frozen=True, slots=True)
class Build:
    """One project that a build backend turns into a wheel.  All paths but ``folder`` are relative to ``folder``."""

    folder: str
    """The project's folder, relative to the root; empty for the root."""
    files: Mapping[str, str]
    """The texts of its build files, by name."""
    data: JsonObject
    """Its ``pyproject.toml`` as data; empty without one."""
    tree: Tree
    """The files and folders as they were before the migration."""
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


def strings(value: object) -> tuple[str, ...]:
    """The texts in a list; a single text counts as a list of one."""
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, (list, tuple)) else ()


def parent(path: str) -> str:
    """The folder that holds ``path``; empty at the top."""
    return path.rpartition("/")[0]


def under(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder``, or is in it; everything is in the empty folder."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def chain(path: str) -> Iterator[str]:
    """The folders that hold ``path``, the nearest first, the top (empty) last."""
    while path:
        path = parent(path)
        yield path


def top_folder(home: Home) -> str:
    """The folder beside the module that holds the description files, directly or in folders of its own."""
    place = parent(home.module)
    first = home.folder[len(place) :].lstrip("/").split("/")[0]
    return f"{place}/{first}" if place else first


def example_file(home: Home) -> str:
    """A path that stands for every description file of a home."""
    return f"{home.folder}/tool.json"


def pattern(home: Home, base: str = "") -> str:
    """A glob for all description files of a home, relative to the folder ``base``, in a form that all backends read."""
    folder = top_folder(home)
    relative = folder[len(base) :].lstrip("/") if under(folder, base) else folder
    return f"{relative}/**/*.json" if relative else "**/*.json"


def siblings(build: Build, home: Home) -> tuple[str, ...]:
    """The Python files beside a home, one of which is the server; a made-up name stands for it if none is known."""
    place = parent(home.module)
    names = build.tree.modules_in(place) or ("server",)
    return tuple(f"{place}/{name}.py" if place else f"{name}.py" for name in names)


def project_name(build: Build) -> str:
    """The name of the distribution, as it is written."""
    for table in (build.table("project"), build.table("tool", "poetry"), build.table("tool", "flit", "metadata")):
        name = table.get("name") or table.get("module")
        if isinstance(name, str):
            return name
    return ""


def unique(additions: Iterable[Addition]) -> tuple[Addition, ...]:
    """The additions, with those to the same key merged, each item once, in order."""
    merged: dict[tuple[str, ...], dict[str, None]] = {}
    for addition in additions:
        merged.setdefault(addition.path, {}).update(dict.fromkeys(addition.items))
    return tuple(Addition(path, tuple(items)) for path, items in merged.items())


def matches(pattern: str, path: str) -> bool:
    """Whether ``glob(pattern, recursive=True)`` would find ``path``."""
    globs = [part for part in pattern.replace("\\", "/").split("/") if part not in ("", ".")]
    once = [glob for before, glob in zip(["", *globs], globs, strict=False) if not before == glob == "**"]
    return _fit(once, path.split("/"))


def _fit(globs: Sequence[str], parts: Sequence[str]) -> bool:
    if not globs or not parts:
        return not globs and not parts
    if globs[0] == "**":
        return not globs[1:] or any(_fit(globs[1:], parts[start:]) for start in range(len(parts)))
    return fnmatchcase(parts[0], globs[0]) and _fit(globs[1:], parts[1:])
