"""What one file of servers declares, together with all files it reaches: read and evaluated by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.families import CLASS_NAMES, DECORATED_NAMES, DISTRIBUTIONS, HANDLER_NAMES, HOMES, Family, alternation
from pdmigrate.findings import CODES, finding
from pdmigrate.inventory.bounded import OutOfTimeError, at_most
from pdmigrate.model import Finding, Server, Site

if TYPE_CHECKING:
    from pdmigrate.recognise.world import World
    from pdmigrate.tree.code.whole import Whole

_SERVER_CLASS = re.compile(
    rb"(?m)^[ \t]*from[ \t]+%s(?:\.\w+)*[ \t]+import\b[^#\n]*\b%s\b" % (alternation(HOMES), alternation(CLASS_NAMES))
)
_IMPORTED = re.compile(
    rb"(?m)^[ \t]*(?:from|import)[ \t]+(%s)\b(?!\.types|[ \t]+import[ \t]+types)" % alternation(DISTRIBUTIONS)
)
CALLED = re.compile(rb"(?m)^[^#\n]*?(?:\b%s|%s)\(" % (alternation(HANDLER_NAMES), alternation(DECORATED_NAMES)))
"""Matches calls that may make a server."""


@dataclass(frozen=True, slots=True)
class Program:
    """The servers that one file constructs, and the findings about it."""

    servers: tuple[Server, ...] = ()
    findings: tuple[Finding, ...] = ()
    """The findings about the file."""
    doubts: tuple[Finding, ...] = ()
    """The findings about its evaluation."""
    naming: Site | None = None
    """Where the file imports a server class: worth a finding if no server is found."""
    sources: tuple[str, ...] = ()
    """The files that were read to evaluate this file, sorted."""
    ended: str | None = None
    """Why the program ended before it made a server that it seems to make."""
    unfinished: bool = False
    """Whether its time was up before it was evaluated to its end."""


def program(path: str, families: Iterable[Family], whole: Whole, sdk: Mapping[str, str], seconds: float) -> Program:
    """The program of the file at ``path``, which may declare servers of ``families``.

    After ``seconds`` of processor time it is what is known by then; doubts about it may take as long again.
    """
    from pdmigrate.describe.homes import is_generated
    from pdmigrate.recognise.world import World

    try:
        raw = disk.read(whole.root, path)
    except OSError as error:
        return Program(findings=(finding("PD107", f"{path} cannot be read: {error.strerror}", site=Site(path, 1)),))
    if is_generated(path, raw):
        return Program()
    world = World(whole, sdk=sdk)
    if old := _unsupported(world, path, raw):
        return Program(findings=(old,))
    match = _SERVER_CLASS.search(raw)
    naming = Site(path, raw.count(b"\n", 0, match.start()) + 1) if match else None
    servers: list[Server] = []
    findings: list[Finding] = []
    unfinished = False
    try:
        with at_most(seconds):
            for family in families:
                try:
                    servers += _servers(family, path, world)
                except SourceError as error:
                    findings.append(_unreadable(path, error))
    except OutOfTimeError:
        unfinished = True
    try:
        with at_most(seconds):
            servers = list(_with_doubts(servers, path, world)) if servers else []
    except OutOfTimeError:  # nothing is claimed of which the doubts are not known
        servers, unfinished = [], True
    if unfinished:
        reason = f"evaluating it takes more than {seconds:g} s of processor time"
        findings.append(finding("PD201", f"{path} is not evaluated to its end: {reason}", site=Site(path, 1)))
        known = {server.site for server in servers}
        servers += [each for family in families for each in _unevaluated(family, path, world, reason, known)]
    sources = tuple(sorted(world.sources))
    return Program(tuple(servers), tuple(findings), tuple(world.findings), naming, sources, world.ended, unfinished)


def _with_doubts(servers: Iterable[Server], path: str, world: World) -> Iterator[Server]:
    from pdmigrate.doubt.asking import doubts
    from pdmigrate.doubt.model import doubted
    from pdmigrate.doubt.refusals import refusals

    commands = [point.module for point in world.entries if point.function]
    found = doubts(world.root, path, tuple(sorted(world.sources)), commands)
    yield from (doubted(server, (*found, *refusals(server))) for server in servers)


def _unevaluated(family: Family, path: str, world: World, reason: str, known: set[Site]) -> Iterator[Server]:
    """The servers of a family that the file makes besides those at ``known`` places: their tools are not known."""
    found = import_module(f"pdmigrate.recognise.{family.dialect}").unevaluated(path, world, family, reason)
    yield from (server for server in found if server.site not in known)


def _servers(family: Family, path: str, world: World) -> Iterable[Server]:
    """The servers of a family that the file at ``path`` constructs, each with the tools that it lists.

    A dialect reads other modules only through ``world``, and claims nothing that ``world`` does not know.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    servers: Iterable[Server] = import_module(f"pdmigrate.recognise.{family.dialect}").servers(path, world, family)
    return servers


def _unsupported(world: World, path: str, raw: bytes) -> Finding | None:
    """The finding about a file that makes servers of an SDK version that is too old or too new to be supported."""
    from pdmigrate.recognise.sdk_version import unsupported

    called, imported = CALLED.search(raw), _IMPORTED.search(raw)
    if not called or not imported:
        return None
    reason = unsupported(world.sdk(path, imported.group(1).decode()))
    site = Site(path, raw.count(b"\n", 0, called.end()) + 1)
    return finding("PD205", f"servers of this file are left as they are: {reason}", site=site) if reason else None


def _unreadable(path: str, error: SourceError) -> Finding:
    code = error.code if error.code in CODES else "PD101"
    return finding(str(code), error.message, hint=error.hint, site=Site(path, error.line))
