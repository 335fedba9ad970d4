"""How the file of a server is run, as far as its project says so.

Its neighbours import it, the packaging names its module, a README, a Dockerfile or the configuration of a host gives
the command that starts it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from pdmigrate import disk

PACKAGE, SCRIPT, PROJECT = "package", "script", "project"
"""The ways of running a file: as a module of its package, or by its path; by its path where its project is installed,
so that its package can be imported by name."""

_DOCUMENTS = re.compile(
    r"readme|.*dockerfile|.*makefile|justfile|procfile|.*\.(?:json|ya?ml|toml|sh|bat)$", re.IGNORECASE
)
_LARGEST = 300_000
_RUNNERS = r"(?:uv|poetry|hatch|pdm|rye|pixi)\b.*?\brun\b|\b(?:fast)?mcp\s+(?:run|dev)\b"
_GUARD = re.compile(r"(?m)^if[ \t]+__name__[ \t]*==")


def ways_of(root: Path, file: str, scripts: Collection[str]) -> frozenset[str]:
    """The ways in which ``file`` is run; ``scripts`` are the modules that console scripts name.

    None where nothing says so.
    """
    place = PurePosixPath(file)
    own = place.parent.name if place.name == "__init__.py" else place.stem
    ways = {_way_of_script(place, own, module) for module in scripts}
    for name in _modules(root, place.parent):
        if name != place.name:
            ways |= set(_ways_in(_text(root, place.parent / name), own, place.parent.name))
    for name in _modules(root, place.parent.parent) if place.parent.name else ():
        if re.search(_by_folder(own, place.parent.name), _text(root, place.parent.parent / name)):
            ways.add(PACKAGE)
    installed = any(module.partition(".")[0] in place.parts for module in scripts)
    for folder in place.parents:
        for document in _documents(root, folder):
            ways |= {SCRIPT if way == PROJECT and not installed else way for way in _ways_said(document, place, own)}
    if installed and _GUARD.search(_text(root, place)):
        ways.add(PROJECT)
    return frozenset(way for way in ways if way)


def _modules(root: Path, folder: PurePosixPath) -> list[str]:
    return [name for name in disk.names(root, folder.as_posix()) if name.endswith(".py")]


def _documents(root: Path, folder: PurePosixPath) -> Iterator[str]:
    names = filter(_DOCUMENTS.match, disk.names(root, folder.as_posix()))
    yield from (_text(root, folder / name, _LARGEST) for name in names)


def _ways_said(text: str, place: PurePosixPath, own: str) -> Iterator[str]:
    """The ways of running a file of which a document gives the command."""
    folder, module = re.escape(place.parent.name), re.escape(own)
    dotted = module if own == place.parent.name else rf"{folder}\.{module}"
    dotted = rf"{folder}(?:\.__main__)?" if own == "__main__" else dotted
    if folder and re.search(rf"-m[\"',\s]+(?:\w+\.)*{dotted}(?![\w.])|\b{dotted}:\w", text):
        yield PACKAGE
    for named in re.finditer(rf"(?P<path>[^\s\"'`=:]*[/\\])?(?<![\w.-]){re.escape(place.name)}(?!\w)", text):
        if _is_of(named["path"] or "", place):
            yield _way_of_command(text, named.start(), named.end())


def _is_of(folder: str, place: PurePosixPath) -> bool:
    """Whether the folder before the name of a file may be that of ``place``; one from the root of a disk always may."""
    parts = [part for part in re.split(r"[/\\]", folder) if part not in ("", ".")]
    return not parts or parts[-1] == place.parent.name or not re.match(r"[\w.]", folder)


def _way_of_command(text: str, start: int, end: int) -> str:
    """The way in which a command runs the file that is named in it; empty for what is no command."""
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if re.search(_RUNNERS, line):
        return PROJECT
    if re.search(r"\bpython[\d.]*\b|\bmcp\s+install\b", line):
        return SCRIPT
    if text[start - 1 : start] not in ('"', "'") or text[end : end + 1] not in ('"', "'", ":"):
        return ""
    # An argument of its own: the configuration of a host names the program above it.
    programs = re.findall(r"[\"']?command[\"']?\s*[:=]\s*[\"']([^\"']+)", text[max(0, start - 600) : start])
    program = PurePosixPath(programs[-1].replace("\\", "/")).name if programs else ""
    if program in ("uv", "poetry", "hatch", "pdm"):
        return PROJECT
    return SCRIPT if program.startswith("python") else ""


def _text(root: Path, path: PurePosixPath, limit: int = disk.LARGEST) -> str:
    try:
        return disk.read(root, path.as_posix(), limit).decode("utf-8", "replace")
    except OSError:
        return ""  # a neighbour that cannot be read imports nothing


def _way_of_script(place: PurePosixPath, own: str, module: str) -> str:
    package, _, name = module.rpartition(".")
    if name != own:
        return ""
    if not package:
        return PACKAGE if place.name == "__init__.py" else SCRIPT
    return PACKAGE if package.rpartition(".")[2] == place.parent.name else ""


def _ways_in(text: str, own: str, folder: str) -> Iterator[str]:
    """The ways in which a text that stands beside a module ``own`` imports it."""
    name = re.escape(own)
    relative = rf"from[ \t]+\.{name}\b|from[ \t]+\.[ \t]+import\b[^\n]*\b{name}\b"
    if re.search(rf"(?m)^[ \t]*(?:{relative})", text) or (folder and re.search(_by_folder(own, folder), text)):
        yield PACKAGE
    if re.search(rf"(?m)^[ \t]*(?:from[ \t]+{name}[ \t.]|import[ \t]+{name}\b)", text):
        yield SCRIPT


def _by_folder(own: str, folder: str) -> str:
    """A pattern for imports of the module ``own`` that name its folder: how those beside and above it import it."""
    name, parent = re.escape(own), re.escape(folder)
    module = rf"(?:from[ \t]+\.*|import[ \t]+)(?:\w+\.)*{parent}\.{name}\b"
    return rf"(?m)^[ \t]*(?:{module}|from[ \t]+\.*(?:\w+\.)*{parent}[ \t]+import\b[^\n]*\b{name}\b)"
