"""How a server's file is known to its project: as a module of a package, or by its own name, from a folder on the path.

Neighbouring files import it, the packaging names its module, a README, a Dockerfile or a host's configuration gives
the command that starts it.  Every text is searched once, however many servers are around it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.source.entries import project_of

PACKAGE, SCRIPT, INSTALLED = "package", "script", "installed"
"""How a file is known: as a module of its package; by its own name; in a package that its project installs."""

_DOCUMENTS = re.compile(r"readme|.*dockerfile|.*makefile|justfile|procfile|.*\.(?:json|ya?ml|toml|sh|bat)$", re.I)
_LARGEST = 300_000
_BUILT = re.compile(rb"(?m)^\[build-system\]|^package[ \t]*=[ \t]*true")
"""What a ``pyproject.toml`` says by which uv, too, installs the project and its console scripts."""


def ways_of(
    root: Path, files: Iterable[str], scripts: Collection[str], tests: Collection[str] = ()
) -> dict[str, frozenset[str]]:
    """How the project knows each of ``files``; ``scripts`` are the modules of console scripts."""

    @cache
    def imports(folder: PurePosixPath) -> Mapping[_Import, set[str]]:
        found: dict[_Import, set[str]] = defaultdict(set)
        for name in disk.names(root, folder.as_posix()):
            for fact in _imported(_text(root, folder / name)) if name.endswith(".py") else ():
                found[fact].add(name)
        return found

    @cache
    def documented(folder: PurePosixPath) -> frozenset[_Import]:
        names = filter(_DOCUMENTS.match, disk.names(root, folder.as_posix()))
        return frozenset(fact for name in names for fact in _named(_text(root, folder / name, _LARGEST)))

    @cache
    def tested(project: PurePosixPath) -> frozenset[_Import]:
        folder = "" if project == PurePosixPath() else f"{project}/"
        below = (test for test in tests if test.startswith(folder))
        return frozenset(fact for test in below for fact in _imported(_text(root, PurePosixPath(test))))

    def ways(place: PurePosixPath) -> Iterator[str]:
        own = place.parent.name if place.name == "__init__.py" else place.stem
        project = PurePosixPath(project_of(root, place.as_posix()))
        installing = scripts if _is_built(root, project) else ()
        yield from (_way_of_script(place, own, module) for module in installing)
        for fact, way in (((".", own), PACKAGE), ((own,), SCRIPT), ((place.parent.name, own), PACKAGE)):
            if fact[0] and imports(place.parent).get(fact, set()) - {place.name}:
                yield way
        yield SCRIPT if (own,) in tested(project) else ""
        if folder := place.parent.name:
            known = {fact for above in place.parent.parents for fact in imports(above)} | tested(project)
            named = {fact for around in place.parents for fact in documented(around)}
            whole = {(folder,)} if own in (folder, "__main__") else set()
            yield PACKAGE if (folder, own) in known | named or whole & named else ""
        inits = ((folder / "__init__.py").as_posix() for folder in place.parents)
        own_package = package_of(place.parent, [init for init in inits if disk.is_file(root, init)])
        yield INSTALLED if {*own_package[:1]} & {module.partition(".")[0] for module in installing} else ""

    return {file: frozenset(way for way in ways(PurePosixPath(file)) if way) for file in files}


def _is_built(root: Path, project: PurePosixPath) -> bool:
    """Whether the console scripts of a project are installed; without a build file it is itself an installation."""
    settings, setup = ((project / name).as_posix() for name in ("pyproject.toml", "setup.py"))
    raw = disk.content_or_empty(root, settings)
    return not raw or _BUILT.search(raw) is not None or disk.is_file(root, setup)


def package_of(folder: PurePosixPath, tree: Collection[str]) -> tuple[str, ...]:
    """The dotted name of the package ``folder``, with or without ``__init__.py``, from the outermost one with it."""
    parts = [folder.name] if folder.name else []
    inner = folder
    while inner.name and (inner / "__init__.py").as_posix() in tree:
        inner = inner.parent
        if inner.name and (inner / "__init__.py").as_posix() in tree:
            parts.insert(0, inner.name)
    return tuple(parts)


def _text(root: Path, path: PurePosixPath, limit: int = disk.LARGEST) -> str:
    return disk.content_or_empty(root, path.as_posix(), limit).decode("utf-8", "replace")


def _way_of_script(place: PurePosixPath, own: str, module: str) -> str:
    package, _, name = module.rpartition(".")
    if name != own:
        return ""
    if not package:
        return PACKAGE if place.name == "__init__.py" else SCRIPT
    return PACKAGE if package.rpartition(".")[2] == place.parent.name else ""


_Import = tuple[str, ...]
"""A module as an import names it: ``(folder, module)``, ``(".", module)`` in the same folder, or ``(module,)``."""

_FROM = re.compile(r"(?m)^[ \t]*from[ \t]+(\.*)((?:\w[\w.]*)?)(?:[ \t]+import\b([^\n]*))?")
_IMPORT = re.compile(r"(?m)^[ \t]*import[ \t]+(\w[\w.]*)")


def _imported(text: str) -> Iterator[_Import]:
    for dots, dotted, names in _FROM.findall(text):
        parts = dotted.split(".") if dotted else ["."] if dots == "." else [""]
        yield from pairwise(parts)
        yield from ((parts[-1], word) for word in re.findall(r"\w+", names))
        if dots in ("", "."):
            yield (dots, parts[0]) if dots else (parts[0],)
    for dotted in _IMPORT.findall(text):
        parts = dotted.split(".")
        yield (parts[0],)
        yield from pairwise(parts)


_MODULE = re.compile(r"-m[\"',\s]+(\w[\w.]*)|(?<![\w.])(\w[\w.]*):(?=\w)")


def _named(text: str) -> Iterator[_Import]:
    """The modules that the commands in a document name, by their last names."""
    for after, before in _MODULE.findall(text):
        parts = tuple((after or before).split("."))
        yield from (parts[-1:], parts[-2:])
