"""Where a server's description files and generated module stand, and how its code imports the module."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pdmigrate.descriptions import FOLDER
from pdmigrate.model import Server

MODULE = "progressive_disclosure"


@dataclass(frozen=True, slots=True)
class Home:
    """The places of one server, POSIX and relative to the root."""

    module: str
    """The generated module: ``pkg/progressive_disclosure.py``."""
    folder: str
    """The folder of its description files: ``pkg/tool_descriptions``."""

    @property
    def stem(self) -> str:
        return PurePosixPath(self.module).stem

    @property
    def folder_beside_module(self) -> str:
        """The folder as the module finds it: relative to its own place."""
        return PurePosixPath(self.folder).relative_to(PurePosixPath(self.module).parent).as_posix()


def homes(servers: Sequence[Server]) -> tuple[Home, ...]:
    """The home of each server, beside the file that constructs it.

    Servers that share a folder get a folder and a module of their own, named after the server.
    """
    neighbours: dict[str, list[int]] = defaultdict(list)
    for position, server in enumerate(servers):
        neighbours[PurePosixPath(server.site.file).parent.as_posix()].append(position)
    result: dict[int, Home] = {}
    for parent, positions in neighbours.items():
        base = PurePosixPath(parent)
        if len(positions) == 1:
            result[positions[0]] = Home((base / f"{MODULE}.py").as_posix(), (base / FOLDER).as_posix())
            continue
        used: set[str] = set()
        for position in positions:
            slug = _slug(servers[position], used)
            used.add(slug)
            result[position] = Home((base / f"{MODULE}_{slug}.py").as_posix(), (base / FOLDER / slug).as_posix())
    return tuple(result[position] for position in range(len(servers)))


def _slug(server: Server, used: Collection[str]) -> str:
    name = server.name or PurePosixPath(server.site.file).stem
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "server"
    numbered = (f"{slug}_{number}" for number in range(2, len(used) + 3))
    return slug if slug not in used else next(candidate for candidate in numbered if candidate not in used)


_IMPORT = re.compile(r"(?m)^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import|import[ \t]+([\w.]+))")


def import_name(home: Home, file: str, text: str, tree: Collection[str]) -> str:
    """The dotted name by which ``file`` (its ``text``) imports the module of ``home``, in the way it imports others.

    A file that uses relative imports keeps doing so; one that names its own package does that; one that imports a
    sibling by its bare name is run as a script and can only do that.  With no such import to learn from, the presence
    of ``__init__.py`` in ``tree`` (paths relative to the root) decides.
    """
    folder = PurePosixPath(file).parent
    package = _package(folder, tree)
    for match in _IMPORT.finditer(text):
        name = match[1] or match[2] or ""
        if name.startswith("."):
            return f".{home.stem}"
        first = name.split(".")[0]
        if package and first == package[0]:
            return ".".join((*package, home.stem))
        if f"{(folder / first).as_posix()}.py" in tree or (folder / first / "__init__.py").as_posix() in tree:
            return home.stem
    return f".{home.stem}" if (folder / "__init__.py").as_posix() in tree else home.stem


def _package(folder: PurePosixPath, tree: Collection[str]) -> tuple[str, ...]:
    """The dotted package that ``folder`` is, from the outermost folder with an ``__init__.py``; empty for none."""
    parts: list[str] = []
    while folder.name and (folder / "__init__.py").as_posix() in tree:
        parts.insert(0, folder.name)
        folder = folder.parent
    return tuple(parts)
