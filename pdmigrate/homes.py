"""Where a server's description files and generated module stand; ``importing.py`` says how code imports the module."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pdmigrate.descriptions import FOLDER
from pdmigrate.model import Server

MODULE = "progressive_disclosure"
MARK = b"Made by pdmigrate"
"""Stands in the docstring of every generated module (``templates/core.py.j2``)."""


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


def is_generated(path: str, raw: bytes) -> bool:
    """Whether a file is a generated module, which names the classes of SDKs and makes no server."""
    return PurePosixPath(path).name.startswith(MODULE) and MARK in raw[:2000]


def homes(servers: Sequence[Server], stems: Sequence[str | None] = ()) -> tuple[Home, ...]:
    """The home of each server, beside the file that constructs it.

    Servers that share a folder get a folder and a module of their own, named after the server.  ``stems`` are the names
    of the modules by which servers are enabled already, or described for: those keep theirs, whoever joins them, and
    however they are renamed.
    """
    known = stems or (None,) * len(servers)
    neighbours: dict[str, list[int]] = defaultdict(list)
    for position, server in enumerate(servers):
        neighbours[PurePosixPath(server.site.file).parent.as_posix()].append(position)
    result: dict[int, Home] = {}
    for parent, positions in neighbours.items():
        used = {stem for position in positions if (stem := known[position])}
        for position in positions:
            stem = known[position] or (_stem(servers[position], used) if len(positions) > 1 else MODULE)
            used.add(stem)
            result[position] = _home(PurePosixPath(parent), stem)
    return tuple(result[position] for position in range(len(servers)))


def described_stems(
    servers: Sequence[Server], stems: Sequence[str | None], written: Mapping[str, str]
) -> tuple[str | None, ...]:
    """``stems`` with those of servers that were only described so far: they too keep their home when others join them.

    ``written`` maps the paths of the description files that were written to their tools.  A folder beside a server
    belongs to the server that lists most of the tools described there.
    """
    tools: dict[str, set[str]] = defaultdict(set)
    for path, tool in written.items():
        tools[PurePosixPath(path).parent.as_posix()].add(tool)
    found = list(stems)
    taken = {(_parent(server), stem) for server, stem in zip(servers, stems, strict=True) if stem}
    candidates = [
        (-len(names & {tool.name for tool in server.tools}), position, stem)
        for position, server in enumerate(servers)
        for folder, names in sorted(tools.items())
        if (stem := _stem_of(folder, _parent(server)))
    ]
    for missed, position, stem in sorted(candidates):
        place = (_parent(servers[position]), stem)
        if missed and found[position] is None and place not in taken:
            found[position] = stem
            taken.add(place)
    return tuple(found)


def _parent(server: Server) -> str:
    return PurePosixPath(server.site.file).parent.as_posix()


def _stem_of(folder: str, parent: str) -> str:
    """The name of the module whose description files are in ``folder``; empty where that is not beside ``parent``."""
    top = PurePosixPath(parent) / FOLDER
    place = PurePosixPath(folder)
    if place == top:
        return MODULE
    return f"{MODULE}_{place.name}" if place.parent == top else ""


def _home(parent: PurePosixPath, stem: str) -> Home:
    folder = parent / FOLDER / stem.removeprefix(MODULE).removeprefix("_")
    return Home((parent / f"{stem}.py").as_posix(), folder.as_posix())


def _stem(server: Server, used: Collection[str]) -> str:
    name = server.name or PurePosixPath(server.site.file).stem
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "server"
    stem = f"{MODULE}_{slug}"
    numbered = (f"{stem}_{number}" for number in range(2, len(used) + 3))
    return stem if stem not in used else next(candidate for candidate in numbered if candidate not in used)
