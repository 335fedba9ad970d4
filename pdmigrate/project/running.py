"""How a server's file is run, according to its project.

Neighbouring files import it, the packaging names its module, a README, a Dockerfile or a host's configuration gives
the command that starts it.  Every text is searched once, however many servers are around it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.source.entries import project_of

PACKAGE, SCRIPT, PROJECT = "package", "script", "project"
"""The ways of running a file: as a module of its package; by its path; by its path where its project is installed, so
that its package can be imported by name."""
PACKAGED = "packaged"
"""What else is known of it: a project that is built holds the file in a folder, which an installer copies as a
package."""

_DOCUMENTS = re.compile(r"readme|.*dockerfile|.*makefile|justfile|procfile|.*\.(?:json|ya?ml|toml|sh|bat)$", re.I)
_LARGEST = 300_000
_GUARD = re.compile(r"(?m)^if[ \t]+__name__[ \t]*==")


def ways_of(
    root: Path, files: Iterable[str], scripts: Collection[str], tests: Collection[str] = ()
) -> dict[str, frozenset[str]]:
    """The ways in which the project says each of ``files`` is run; ``scripts`` are the modules of console scripts."""

    @cache
    def imports(folder: PurePosixPath) -> Mapping[_Import, set[str]]:
        found: dict[_Import, set[str]] = defaultdict(set)
        for name in disk.names(root, folder.as_posix()):
            for fact in _imported(_text(root, folder / name)) if name.endswith(".py") else ():
                found[fact].add(name)
        return found

    @cache
    def documents(folder: PurePosixPath) -> tuple[_Document, ...]:
        names = filter(_DOCUMENTS.match, disk.names(root, folder.as_posix()))
        return tuple(_document(_text(root, folder / name, _LARGEST), name) for name in names)

    @cache
    def tested(project: PurePosixPath) -> frozenset[_Import]:
        folder = "" if project == PurePosixPath() else f"{project}/"
        below = (test for test in tests if test.startswith(folder))
        return frozenset(fact for test in below for fact in _imported(_text(root, PurePosixPath(test))))

    def ways(place: PurePosixPath) -> Iterator[str]:
        own = place.parent.name if place.name == "__init__.py" else place.stem
        yield from (_way_of_script(place, own, module) for module in scripts)
        for fact, way in (((".", own), PACKAGE), ((own,), SCRIPT), ((place.parent.name, own), PACKAGE)):
            if fact[0] and imports(place.parent).get(fact, set()) - {place.name}:
                yield way
        project = PurePosixPath(project_of(root, place.as_posix()))
        if place.parent.name:
            known = {fact for above in place.parent.parents for fact in imports(above)} | tested(project)
            yield PACKAGE if (place.parent.name, own) in known else ""
        yield SCRIPT if (own,) in tested(project) else ""
        yield PACKAGED if _is_packaged(root, project, place.parent) else ""
        inits = ((folder / "__init__.py").as_posix() for folder in place.parents)
        own_package = package_of(place.parent, [init for init in inits if disk.is_file(root, init)])
        installed = bool({*own_package[:1]} & {module.partition(".")[0] for module in scripts})
        for document in (document for folder in place.parents for document in documents(folder)):
            yield from (SCRIPT if way == PROJECT and not installed else way for way in document.ways(place, own) if way)
        if installed and _GUARD.search(_text(root, place)):
            # uv runs a project that does not say how it is built without installing it.
            yield PROJECT if _is_built(root, project) else SCRIPT

    return {file: frozenset(way for way in ways(PurePosixPath(file)) if way) for file in files}


def _is_packaged(root: Path, project: PurePosixPath, folder: PurePosixPath) -> bool:
    below = folder.relative_to(project).parts
    parts = below[1:] if below[:1] == ("src",) else below
    return bool(parts) and all(map(str.isidentifier, parts)) and _is_built(root, project)


def _is_built(root: Path, project: PurePosixPath) -> bool:
    settings, setup = ((project / name).as_posix() for name in ("pyproject.toml", "setup.py"))
    return b"[build-system]" in disk.content_or_empty(root, settings) or disk.is_file(root, setup)


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
_RUNNER = re.compile(r"\b(?:uv|poetry|hatch|pdm|rye|pixi)\b")
_RUN = re.compile(r"\brun\b")
_SDK_RUNS = re.compile(r"\b(?:fast)?mcp[ \t]+(?:run|dev)\b")
_PYTHON = re.compile(r"\bpython[\d.]*\b|\bmcp[ \t]+install\b")
_PROGRAM = re.compile(r"[\"']?command[\"']?\s*[:=]\s*[\"']([^\"']+)")
_BEFORE = 600
"""How many characters before a file's name may say what runs it."""


@dataclass(frozen=True, slots=True)
class _Document:
    """A text that may hold commands, and the last names of the modules that it names."""

    name: str
    text: str
    modules: frozenset[tuple[str, ...]]

    def ways(self, place: PurePosixPath, own: str) -> Iterator[str]:
        """The ways of running the file ``place`` for which the document has a command."""
        folder = place.parent.name
        names: set[tuple[str, ...]] = {(folder, own)}
        if own in (folder, "__main__"):
            names.add((folder,))
        if folder and not names.isdisjoint(self.modules):
            yield PACKAGE
        for found in re.finditer(rf"{re.escape(place.name)}(?!\w)", self.text):
            before = self.text[max(0, found.start() - _BEFORE) : found.start()]
            folder = re.split(r"[\s\"'`=:]", before)[-1]
            if _is_of(folder, place):
                command = before[: len(before) - len(folder)]
                is_alone = self.text[found.end() : found.end() + 1] in ('"', "'", ":") and command.endswith(('"', "'"))
                # What the configuration of FastMCP names is started as a file.
                yield _way_of(command, is_alone=is_alone) or (SCRIPT if self.name == "fastmcp.json" else "")


def _document(text: str, name: str) -> _Document:
    dotted = ((after or before).split(".") for after, before in _MODULE.findall(text))
    return _Document(name, text, frozenset(tuple(parts[-count:]) for parts in dotted for count in (1, 2)))


def _way_of(command: str, *, is_alone: bool) -> str:
    """The way in which what stands before a file's name runs it: on the line, or, for one alone in quotes, above it."""
    line = command.rpartition("\n")[2]
    runner = _RUNNER.search(line)
    if (runner and _RUN.search(line, runner.end())) or _SDK_RUNS.search(line):
        return PROJECT
    if _PYTHON.search(line):
        return SCRIPT
    programs = _PROGRAM.findall(command) if is_alone else []
    program = PurePosixPath(programs[-1].replace("\\", "/")).name if programs else ""
    if program in ("uv", "poetry", "hatch", "pdm"):
        return PROJECT
    return SCRIPT if program.startswith("python") else ""


def _is_of(folder: str, place: PurePosixPath) -> bool:
    """Whether the text before a file's name may be the folder of ``place``, as an absolute folder always may."""
    parts = [part for part in re.split(r"[/\\]", folder) if part not in ("", ".")]
    is_whole = not folder or folder.endswith(("/", "\\"))
    return is_whole and (not parts or parts[-1] == place.parent.name or not re.match(r"[\w.]", folder))
