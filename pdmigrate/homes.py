"""Where a server's description files and generated module stand; ``importing.py`` says how code imports the module."""

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
