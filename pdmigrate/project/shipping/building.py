"""A project that is built into a wheel: the build files and folders that decide how, and which homes belong to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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
_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__", "__pypackages__"})
_DEPTH = 4
"""How many levels below a build file ``surroundings`` looks, for ``src/namespace/package/__init__.py``."""


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
        return tuple(path.rpartition("/")[2] for path in inside if dirname(path) == place)

    def modules(self, place: str) -> tuple[str, ...]:
        """The names of the Python files directly in ``place``, without their suffix."""
        inside = (path for path in sorted(self.tree) if path.endswith(".py") and dirname(path) == place)
        return tuple(path.rpartition("/")[2].removesuffix(".py") for path in inside)

    def siblings(self, home: Home) -> tuple[str, ...]:
        """The Python files beside a home, one of which is the server; a made-up name stands for it if none is known."""
        place = dirname(home.module)
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


def under(path: str, folder: str) -> bool:
    """Whether ``path`` is ``folder``, or is in it; everything is in the empty folder."""
    return not folder or path == folder or path.startswith(f"{folder}/")


def chain(path: str) -> Iterator[str]:
    """The folders that hold ``path``, the nearest first, the top (empty) last."""
    while path:
        path = dirname(path)
        yield path


def top_folder(home: Home) -> str:
    """The folder beside the module that holds the description files, directly or in folders of its own."""
    place = dirname(home.module)
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


def candidates(root: Path, homes: Sequence[Home]) -> tuple[str, ...]:
    """The files at or above each home, up to ``root``, that decide what is shipped; relative to ``root``."""
    folders = {folder for home in homes for folder in chain(home.module)}
    paths = (join(folder, name) for folder in sorted(folders) for name in BUILD_FILES)
    return tuple(path for path in paths if disk.is_file(root, path))


def surroundings(root: Path, homes: Sequence[Home]) -> tuple[str, ...]:
    """The Python files and folders (with a slash at the end) that decide what is a package, relative to ``root``.

    They are listed below every folder with a build file, ``_DEPTH`` levels deep, and beside and above every home.
    """
    found: set[str] = set()
    built = (path.rpartition("/") for path in candidates(root, homes))
    for folder in {folder for folder, _, name in built if name in BUILD_FILES}:
        found.update(_listing(root, folder, _DEPTH))
    for place in {folder for home in homes for folder in chain(home.module)}:
        found.update(_listing(root, place, 1))
    return tuple(sorted(found))


def git_questions(homes: Sequence[Home]) -> tuple[str, ...]:
    """The paths of which ``ship`` has to know whether git ignores them: generated files, and the folders above."""
    # Folders without a slash at the end: asked with one, git takes ``pkg/*`` for a rule about ``pkg/`` itself.
    made = ((home.module, home.server_file, example_file(home), *chain(home.module)) for home in homes)
    return tuple(sorted({LOCK_PATH, *filter(None, (path for paths in made for path in paths))}))


def _listing(root: Path, folder: str, depth: int) -> Iterator[str]:
    try:
        entries = disk.listing(root, folder)
    except OSError:
        return
    prefix = f"{folder}/" if folder else ""
    for name, kind, linked in entries:
        if kind == disk.FOLDER and not name.startswith(".") and name not in _SKIPPED:
            yield f"{prefix}{name}/"
            if depth > 1 and not linked:
                yield from _listing(root, prefix + name, depth - 1)
        elif kind != disk.FOLDER and name.endswith(".py"):
            yield prefix + name


def builds(
    files: Mapping[str, bytes], homes: Sequence[Home], tree: Collection[str]
) -> tuple[tuple[Build, ...], tuple[Finding, ...]]:
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
            broken = Build(place, {}, {}, frozenset(), ())
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
    made = {home.module for home in homes}
    folders = tuple(f"{top_folder(home)}/" for home in homes)
    whole = frozenset(path for path in tree if path not in made and not path.startswith(folders))

    def build(folder: str) -> Build:
        strip = len(folder) + 1 if folder else 0
        inside = {name: texts[join(folder, name)] for name in BUILD_FILES if join(folder, name) in texts}
        moved = tuple(Home(home.module[strip:], home.folder[strip:]) for home in owned[folder])
        below = frozenset(path[strip:] for path in whole if under(path, folder) and path[strip:])
        return Build(folder, inside, tables.get(join(folder, PYPROJECT), {}), below, moved)

    return tuple(map(build, sorted(owned))), tuple(unread.values())
