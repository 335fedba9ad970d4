"""What the rules of the build backends take and give: a project to be built, and what has to change in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

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
class Build:
    """One project that a build backend turns into a wheel.  All paths but ``folder`` are relative to ``folder``."""

    folder: str
    """The project's folder, relative to the root; empty for the root."""
    files: Mapping[str, str]
    """The texts of its build files, by name."""
    data: JsonObject
    """Its ``pyproject.toml`` as data; empty without one."""
    tree: frozenset[str]
    """Python files, and folders with a slash at the end, as they were before the migration."""
    homes: tuple[Home, ...]

    def path(self, name: str) -> str:
        """A path as the user knows it: relative to the root."""
        return f"{self.folder}/{name}" if self.folder else name

    def table(self, *keys: str) -> JsonObject:
        """A table of ``pyproject.toml``; empty if there is no such table."""
        return reduce(lambda table, key: mapping(table.get(key)), keys, self.data)

    def folders(self, place: str) -> tuple[str, ...]:
        """The names of the folders directly in ``place``."""
        inside = (path[:-1] for path in sorted(self.tree) if path.endswith("/"))
        return tuple(path.rpartition("/")[2] for path in inside if parent(path) == place)

    def modules(self, place: str) -> tuple[str, ...]:
        """The names of the Python files directly in ``place``, without their suffix."""
        inside = (path for path in sorted(self.tree) if path.endswith(".py") and parent(path) == place)
        return tuple(path.rpartition("/")[2].removesuffix(".py") for path in inside)

    def siblings(self, home: Home) -> tuple[str, ...]:
        """The Python files beside a home, one of which is the server; a made-up name stands for it if none is known."""
        place = parent(home.module)
        return tuple(f"{place}/{name}.py".lstrip("/") for name in self.modules(place) or ("server",))

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
