"""From a tree to the servers that its files make, in the vocabulary of ``model``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pdmigrate import disk
from pdmigrate.model import Anchor, Fixed, Server, Site
from pdmigrate.sdk.families import gates
from pdmigrate.source.deriving import making
from pdmigrate.source.discover import gated
from pdmigrate.source.whole import Whole
from pdmigrate.understand.index.modules import Tree
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.places.placing import Placing
from pdmigrate.understand.programs import found_servers, unreached
from pdmigrate.understand.values.core import Unknown
from pdmigrate.understand.versions import versions_of

_NAMED = re.compile(r"^[A-Za-z0-9._-]+")


@dataclass(frozen=True)
class Source:
    """A tree of source: its root, its Python files, and the versions of packages that are given."""

    root: Path
    files: tuple[str, ...]
    given: Mapping[str, str]


def servers_of(source: Source) -> list[Server]:
    """All servers that the files of a tree make, with the tools that each lists.

    Nothing of the program is imported or executed.
    """
    whole = Whole(source.root, source.files)
    found: dict[tuple[Site, Anchor | Fixed], Server] = {}
    for path in making(source.root, source.files, gated(source.root, source.files, gates())):
        for server in understood(path, whole, source.given).servers:
            found.setdefault((server.site, server.anchor), server)
    return list(found.values())


@dataclass(frozen=True)
class Understood:
    """What one file of servers declares, and the files that were read to find out."""

    servers: tuple[Server, ...]
    sources: tuple[str, ...]
    raised: str | None = None
    """Where the program raises, if no server was found."""
    given_up: Unknown | None = None
    """Where there is too much to evaluate, if some server is not known for that."""


def understood(path: str, whole: Whole, given: Mapping[str, str]) -> Understood:
    """The servers that the file at ``path`` makes.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    names = Names(Tree(whole))
    if names.tree.module(path) is None:
        if path in names.tree.unread:
            raise names.tree.unread[path]
        return Understood((), ())
    versions = versions_of(whole, given, path)
    found = found_servers(whole.root, names, path, versions.named(), required_by(whole.root))
    own = [item for item in found.servers if not item.server.mounted or item.server.started]
    servers = Placing(names).servers(own, versions.sdks)
    return Understood(tuple(servers), names.tree.read, found.raised, found.given_up)


def unevaluated(path: str, whole: Whole, given: Mapping[str, str], reason: str) -> tuple[Server, ...]:
    """The servers that the file at ``path`` makes for sure; none of their tools is known, for ``reason``."""
    names = Names(Tree(whole))
    versions = versions_of(whole, given, path)
    return tuple(Placing(names).servers(unreached(names, path, versions.named(), reason), versions.sdks))


def required_by(root: Path) -> frozenset[str]:
    """The distributions that the project of a tree needs, as far as its metadata says."""
    found: set[str] = set()
    for folder in sorted(name for name in disk.names(root) if name.endswith(".dist-info")):
        text = (disk.content(root, f"{folder}/METADATA") or b"").decode(errors="replace")
        lines = (
            line[15:] for line in text.splitlines() if line.startswith("Requires-Dist: ") and "extra ==" not in line
        )
        found |= set(_names(lines))
    return frozenset(found)


def _names(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        match = _NAMED.match(line.strip())
        if match:
            yield match.group().lower().replace("_", "-")
