"""From a tree to the servers that its files make, in the vocabulary of ``model``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pdmigrate import disk
from pdmigrate.families import DISTRIBUTIONS, Family, gates
from pdmigrate.model import Fixed, Sdk, Server, Site, Tool
from pdmigrate.recognise.sdk_version import resolve_sdk
from pdmigrate.understand.index.modules import Tree
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.programs import FoundServer, found_servers
from pdmigrate.understand.servers.answers import Listed
from pdmigrate.understand.values.core import text_of

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
    names = Names(Tree(source.root, source.files))
    found: dict[Site, Server] = {}
    for path in _candidates(source):
        for server in _of_file(source, names, path):
            found.setdefault(server.site, server)
    return list(found.values())


def _candidates(source: Source) -> Iterator[str]:
    wanted = gates()
    for path in source.files:
        raw = disk.read(source.root, path)
        if any(gate in raw for gate in wanted):
            yield path


def _of_file(source: Source, names: Names, path: str) -> Iterator[Server]:
    sdks = {name: resolve_sdk(source.root, path, name, source.given) for name in DISTRIBUTIONS}
    versions = {name: sdk.version for name, sdk in sdks.items()}
    versions["pydantic"] = sdks["mcp"].pydantic or ""
    versions["python"] = source.given.get("python", "")
    for found in found_servers(source.root, names, path, versions, required_by(source)):
        if not found.server.mounted or found.server.started:
            yield _server(found, sdks[found.server.family.package], found.server.family)


def _server(found: FoundServer, sdk: Sdk, family: Family) -> Server:
    site = found.server.site or Site("", 1)
    tools = tuple(_tool(listed, site) for listed in found.answer.tools)
    anchor = Fixed("the place is not looked for", "PD307", site)
    name = text_of(found.server.attributes.data.get("name"))
    return Server(family.id, site, name, sdk, anchor, tools, found.answer.incomplete)


def _tool(listed: Listed, site: Site) -> Tool:
    conditional = "; ".join(dict.fromkeys(listed.conditions)) or None
    return Tool(
        listed.fields, listed.site or site, Fixed("text or schema is computed", "PD320"), conditional, doc=listed.doc
    )


def required_by(source: Source) -> frozenset[str]:
    """The distributions that the project of a tree needs, as far as its metadata says."""
    found: set[str] = set()
    for folder in sorted(name for name in disk.names(source.root) if name.endswith(".dist-info")):
        text = (disk.content(source.root, f"{folder}/METADATA") or b"").decode(errors="replace")
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
