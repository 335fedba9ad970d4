"""Which of the servers that were found are the project's, and which only look like it.

A server that lives in a function which only reads its tools is never run (``idle.py``); the file of an example or a
self-test makes one beside the project's own; and where the project speaks the protocol by hand, a server of an SDK is a
side door.  These are named and left alone, unless the user names their files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pdmigrate import disk
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Server, Site
from pdmigrate.project import idle
from pdmigrate.project.commands import SCRIPT
from pdmigrate.project.starters import Starters
from pdmigrate.source.clues import spoken_by_hand
from pdmigrate.source.entries import project_of

_SPOKEN = "which speaks the protocol by hand"

_ASIDE = re.compile(
    r"(?:^|[_-])(?:examples?|demos?|samples?|probes?|benchmarks?|self[_-]?tests?|smoke[_-]?tests?|playground)(?:[_-]|$)"
)


@dataclass(frozen=True)
class Tree:
    """What decides whose server one is: the Python ``files`` below ``root``, what starts them, what they import."""

    root: Path
    files: tuple[str, ...]
    starters: Starters
    libraries: frozenset[str]

    @cached_property
    def by_hand(self) -> tuple[Site, ...]:
        """The files that answer as a server without an SDK, examples aside."""
        return tuple(site for site in spoken_by_hand(self.root, self.files) if not _is_aside(site.file))


def left_aside(tree: Tree, every: Sequence[Server], enabled: Collection[Site], part: str) -> dict[Site, str]:
    """The places of those of ``every`` server that are not the project's own, each with the reason.

    ``part`` is what the user named: a server whose file it is stays.  Those that are ``enabled`` already stay, too.
    """
    servers = [server for server in every if server.site not in enabled and server.site.file != part]
    found: dict[Site, str] = {}
    for server in servers:
        if reason := _side_door(tree, server):
            found[server.site] = reason
    own = [server for server in every if server.site not in found and not _is_aside(server.site.file)]
    around = {file: project_of(tree.root, file) for file in {server.site.file for server in every}}
    for server in servers:
        if server.site in found:
            continue
        near = (other for other in own if around[other.site.file] == around[server.site.file])
        beside = [other for other in near if other is not server]
        if beside and _is_aside(server.site.file) and not _is_aside(f"{part}/"):
            found[server.site] = "its file is an example or a check, and the project has a server beside it"
        elif any(other.site not in found for other in beside) and (reason := _scratch(tree, server)):
            found[server.site] = reason
    return found


def said_of(tree: Tree, aside: Mapping[Site, str]) -> Iterator[Finding]:
    """The findings about servers left ``aside``, and about what speaks the protocol by hand and is meant to be started.

    A file that is only a script may be anything; it is named where it is the reason for another's being left.
    """
    for site, reason in aside.items():
        yield finding("PD207", f"left as it is: {reason}", site=site)
    for site in tree.by_hand:
        started = any(one.rank < SCRIPT for one in tree.starters.of(site.file))
        if started or _beside(site) in aside.values():
            yield finding("PD206", "MCP is spoken here without an SDK, which is out of reach", site=site)


def _is_aside(path: str) -> bool:
    *folders, name = path.split("/")
    return any(_ASIDE.search(word.lower()) for word in (*folders, name.partition(".")[0]))


def _beside(place: Site) -> str:
    return f"the project's server is at {place}, {_SPOKEN}"


def _side_door(tree: Tree, server: Server) -> str:
    """Why a server is not the one that the project's command starts; empty unless another speaks by hand.

    A command of its own that is no less certain makes it a second server of the project.
    """
    file = server.site.file
    for place in tree.by_hand:
        if place.file == file or project_of(tree.root, place.file) != project_of(tree.root, file):
            continue
        theirs, own = next(iter(tree.starters.of(place.file)), None), next(iter(tree.starters.of(file)), None)
        if theirs is not None and (own is None or own.command == theirs.command or own.rank > theirs.rank):
            return _beside(place)
    return ""


def _scratch(tree: Tree, server: Server) -> str:
    raw = disk.content(tree.root, server.site.file) or b""
    return idle.scratch(raw, server.site.line, tree.libraries)
