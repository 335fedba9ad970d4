"""The places of a server's files, beside its source; ``plan/importing.py`` decides how the module is imported."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pdmigrate.model import Server, Site
from pdmigrate.names import DESCRIPTIONS, MODULE, SERVER_FILE


@dataclass(frozen=True, slots=True)
class Home:
    """The places of one server's files, as POSIX paths relative to the root."""

    module: str
    """The generated module, shared by all servers of a folder: ``pkg/progressive_disclosure.py``."""
    folder: str
    """The folder of its description files: ``pkg/tool_descriptions``, or a folder in it if servers share that."""

    @property
    def stem(self) -> str:
        return PurePosixPath(self.module).stem

    @property
    def label(self) -> str:
        """What tells the server from others that share its module; empty for the only or first server."""
        return PurePosixPath(self.folder).relative_to(PurePosixPath(self.module).parent / DESCRIPTIONS).name

    @property
    def server_file(self) -> str:
        """The file that tells the generated module what it needs to know of the server."""
        return f"{self.folder}/{SERVER_FILE}"


def homes(servers: Sequence[Server], known: Sequence[str | None] = ()) -> tuple[Home, ...]:
    """The home of each server, beside the file that constructs it.

    Servers in one folder share its module, and get description folders of their own, named after the server.  ``known``
    has the labels of the servers that are already enabled or described: these keep their folders, whichever servers are
    added, and however they are renamed.
    """
    known = known or (None,) * len(servers)
    parents = [*map(_parent, servers)]
    used: dict[str, set[str]] = defaultdict(set)
    for parent, label in zip(parents, known, strict=True):
        used[parent].update(() if label is None else (label,))
    result = []
    for server, parent, label in zip(servers, parents, known, strict=True):
        if label is None:
            label = _label(server, used[parent]) if parents.count(parent) > 1 else ""
            used[parent].add(label)
        place = PurePosixPath(parent)
        result.append(Home((place / f"{MODULE}.py").as_posix(), (place / DESCRIPTIONS / label).as_posix()))
    return tuple(result)


def with_described(
    servers: Sequence[Server], known: Sequence[str | None], written: Mapping[str, str], last: Collection[Site] = ()
) -> tuple[str | None, ...]:
    """``known`` with the servers that are described but not enabled: they, too, keep their home when servers are added.

    ``written`` maps the paths of written description files to the names of their tools.  A folder beside a server
    belongs to the server that lists most of the tools described in it; ``last`` are the places of servers that get a
    folder only if no other server gets it.
    """
    tools: dict[str, set[str]] = defaultdict(set)
    for path, tool in written.items():
        tools[PurePosixPath(path).parent.as_posix()].add(tool)
    found = list(known)
    taken = {(_parent(server), label) for server, label in zip(servers, known, strict=True) if label is not None}
    candidates = [
        (server.site in last, -len(names & {tool.name for tool in server.tools}), position, label)
        for position, server in enumerate(servers)
        for folder, names in sorted(tools.items())
        if (label := _label_of(folder, _parent(server))) is not None
    ]
    for _, missed, position, label in sorted(candidates):
        place = (_parent(servers[position]), label)
        if missed and found[position] is None and place not in taken:
            found[position] = label
            taken.add(place)
    return tuple(found)


def _parent(server: Server) -> str:
    return PurePosixPath(server.site.file).parent.as_posix()


def _label_of(folder: str, parent: str) -> str | None:
    """The label of the server whose description files are in ``folder``; ``None`` if ``parent`` has no such folder."""
    top, place = PurePosixPath(parent) / DESCRIPTIONS, PurePosixPath(folder)
    return "" if place == top else place.name if place.parent == top else None


def _label(server: Server, used: Collection[str]) -> str:
    name = server.name or PurePosixPath(server.site.file).stem
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "server"
    numbered = (f"{slug}_{number}" for number in range(2, len(used) + 3))
    return next(candidate for candidate in (slug, *numbered) if candidate not in used)
