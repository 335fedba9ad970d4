"""From a file to servers and their tools, for the families whose tools are registered functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.evaluate.core.values import NONE
from pdmigrate.families import DISTRIBUTIONS, Family, below
from pdmigrate.findings import finding
from pdmigrate.model import Sdk, Server, Site, Tool
from pdmigrate.recognise.source.anchors import anchor_of
from pdmigrate.recognise.source.branches import once_each
from pdmigrate.recognise.source.sites import certain_sites
from pdmigrate.recognise.source.unseen import unseen_registrations
from pdmigrate.recognise.starting.joining import as_one, nameless, tools_of
from pdmigrate.recognise.starting.readings import Reading
from pdmigrate.recognise.starting.runs import Ways, names_with_defaults, readings_of
from pdmigrate.tree.code.clues import named_in, names_mcp

if TYPE_CHECKING:
    from pdmigrate.recognise.world import World


def servers(path: str, world: World, family: Family) -> Iterator[Server]:
    """The servers of one family that the file at ``path`` constructs.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    versions = _Versions.of(world, path)
    sdk = versions.sdks[family.package]
    if not sdk.version.startswith(f"{family.major}."):
        return
    ways = _ways(world, path, versions)
    unseen = not ways.readings and not ways.ended
    if not ways.readings:
        world.ended = world.ended or ways.failed
    if ways.too_much is not None and unseen and ("too much", path) not in world.memo:
        # Report this once, for the first family.
        world.memo["too much", path] = True
        world.findings.append(finding("PD201", ways.too_much, site=Site(path, 1)))
    made = [
        (node, as_one([_server(each, ways, family, sdk) for each in (reading, *reading.others)]))
        for node, reading in ways.readings.items()
        if reading.server.type == family.server.type and not _is_part(reading)
    ]
    if made:
        yield from once_each(world.index.at(path), made)
    if ways.too_much is not None:
        yield from _unevaluated(ways, family, sdk, ways.too_much)


def unevaluated(path: str, world: World, family: Family, reason: str) -> Iterator[Server]:
    """The servers of one family that the file makes for sure, with no tools, for ``reason``."""
    sdk = _Versions.of(world, path).sdks[family.package]
    if sdk.version.startswith(f"{family.major}."):
        for site in certain_sites(world, path, family.server.type):
            yield Server(family.id, site.site, None, sdk, anchor_of(site), (), reason)


@dataclass(frozen=True)
class _Versions:
    sdks: Mapping[str, Sdk]
    """The SDK of each package that provides one, by package name."""
    python: str

    @classmethod
    def of(cls, world: World, path: str) -> _Versions:
        """The program's versions: imports of ``mcp``, or of a package built on it, imply a major version of ``mcp``."""
        sdks = {name: world.sdk(path, name) for name in DISTRIBUTIONS if name != "mcp"}
        raw = disk.read(world.root, path)
        # A file that names no SDK makes a server of a class derived in another file.
        own = named_in([raw])
        others = own.others or (() if names_mcp(raw) else world.whole.named().others)
        majors = {below(name, sdks[name].version) for name in others} or set(own.majors)
        if len(majors) != 1 and not others:
            majors = set(world.whole.named().majors)
        major = majors.pop() if len(majors) == 1 else None
        return cls({**sdks, "mcp": world.sdk(path, "mcp", major=major)}, world.python(path))

    def named(self) -> dict[str, str]:
        sdks = {name: self.sdks[name].version for name in DISTRIBUTIONS}
        return {**sdks, "pydantic": self.sdks["mcp"].pydantic or "", "python": self.python}


def _ways(world: World, path: str, versions: _Versions) -> Ways:
    """The readings of the file's servers, computed once for all families."""
    named = versions.named()
    key = (path, *named.values())
    return world.once(key, lambda: readings_of(world, path, named))


def _is_part(reading: Reading) -> bool:
    """Whether the server only ever answers as a part of another server, which lists its tools."""
    return reading.mounted and not reading.started


def _unevaluated(ways: Ways, family: Family, sdk: Sdk, too_much: str) -> Iterator[Server]:
    """The servers that the program did not reach: none of their tools is known, and all are stubbed when it runs."""
    for site in certain_sites(ways.world, ways.path, family.server.type):
        if site.node not in ways.readings:
            yield Server(family.id, site.site, None, sdk, anchor_of(site), (), too_much)


def _server(reading: Reading, ways: Ways, family: Family, sdk: Sdk) -> Server:
    site = reading.site.site
    if ways.too_much is not None and not reading.good:
        ways.world.findings.append(finding("PD201", ways.too_much, site=site))
    tools = _with_optional(tools_of(reading.answer, site), reading, ways)
    incomplete = reading.answer.incomplete or nameless(tools)
    incomplete = incomplete or unseen_registrations(reading.run, ways.world, ways.path)
    # A server that was seen to start is reported as it was then; other ways to run the program start it anew.
    doubt = reading.run.doubt or (None if reading.started else ways.doubt)
    incomplete = incomplete or (f"other tools may be registered: {doubt.reason}" if doubt is not None else None)
    if not reading.good:
        incomplete = incomplete or ways.too_much or ways.failed
        if ways.failed is not None and not reading.started:
            tools = tuple(replace(tool, conditional=tool.conditional or ways.failed) for tool in tools)
    return Server(
        family.id, site, reading.server.names.get("name", NONE).text, sdk, anchor_of(reading.site), tools, incomplete
    )


def _with_optional(tools: tuple[Tool, ...], reading: Reading, ways: Ways) -> tuple[Tool, ...]:
    """``tools``, with those marked optional that are listed only if a setting differs from its default."""
    if not any(tool.conditional for tool in tools):
        return tools
    usual = names_with_defaults(ways, reading)
    if usual is None:
        return tools
    return tuple(replace(tool, optional=tool.conditional is not None and tool.name not in usual) for tool in tools)
