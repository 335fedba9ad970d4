"""Which build files and folders decide how a server is packaged, and which project each home belongs to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from posixpath import join

from pdmigrate import disk
from pdmigrate.describe.homes import Home
from pdmigrate.model import Finding, JsonObject
from pdmigrate.names import LOCK_PATH
from pdmigrate.project.shipping.model import PYPROJECT, Build, chain, example_file, top_folder, under
from pdmigrate.record.undo import BUILD_FILES
from pdmigrate.source.documents import read_toml
from pdmigrate.source.entries import is_build_script

_SKIPPED = frozenset({"node_modules", "site-packages", "__pycache__", "__pypackages__"})
_DEPTH = 4
"""How many levels below a build file ``surroundings`` looks, for ``src/namespace/package/__init__.py``."""


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
    """The paths of which ``ship`` has to know whether git ignores them: generated files, and the folders above.

    Folders have no slash at the end: asked with one, git takes ``pkg/*`` for a rule about ``pkg/`` itself.
    """
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
            unread[path] = _unreadable(path, str(error))
    owned: dict[str, list[Home]] = {}
    for home in homes:
        folder = next((f for f in chain(home.module) if _is_project(f, texts, tables, unread)), None)
        if folder is not None and join(folder, PYPROJECT) not in unread:
            owned.setdefault(folder, []).append(home)
    made = {home.module for home in homes}
    folders = tuple(f"{top_folder(home)}/" for home in homes)
    whole = frozenset(path for path in tree if path not in made and not path.startswith(folders))
    built = (_build(folder, texts, tables, whole, owned[folder]) for folder in sorted(owned))
    return tuple(built), tuple(unread.values())


def _unreadable(path: str, why: str) -> Finding:
    folder, _, name = path.rpartition("/")
    return Build(folder, {}, {}, frozenset(), ()).finding("PD525", f"cannot be read: {why}", file=name)


def _is_project(
    folder: str, texts: Mapping[str, str], tables: Mapping[str, JsonObject], unread: Collection[str]
) -> bool:
    """Whether a wheel would be built from ``folder``; a ``pyproject.toml`` only for tools does not count."""
    if join(folder, PYPROJECT) in unread:
        return True
    table = tables.get(join(folder, PYPROJECT), {})
    tool = table.get("tool")
    if "project" in table or "build-system" in table or (isinstance(tool, dict) and "poetry" in tool):
        return True
    config = texts.get(join(folder, "setup.cfg"), "")
    return (
        is_build_script(texts.get(join(folder, "setup.py"), "").encode())
        or "[options]" in config
        or "[metadata]" in config
    )


def _build(
    folder: str,
    texts: Mapping[str, str],
    tables: Mapping[str, JsonObject],
    whole: frozenset[str],
    homes: Sequence[Home],
) -> Build:
    strip = len(folder) + 1 if folder else 0
    inside = {name: texts[join(folder, name)] for name in BUILD_FILES if join(folder, name) in texts}
    data = dict(tables.get(join(folder, PYPROJECT), {}))
    moved = tuple(Home(home.module[strip:], home.folder[strip:]) for home in homes if under(home.module, folder))
    below = frozenset(path[strip:] for path in whole if under(path, folder) and path[strip:])
    return Build(folder, inside, data, below, moved)
