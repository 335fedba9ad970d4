"""What one file of servers declares, together with all files it reaches: read and evaluated by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, Server, Site
from pdmigrate.names import is_generated
from pdmigrate.sdk.families import CLASS_NAMES, DECORATED_NAMES, DISTRIBUTIONS, HANDLER_NAMES, HOMES, alternation
from pdmigrate.understand.inventory.side_by_side import OutOfTimeError, at_most

if TYPE_CHECKING:
    from pdmigrate.source.whole import Whole
    from pdmigrate.understand.values.core import Unknown

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
    naming: Site | None = None
    """Where the file imports a server class: worth a finding if no server is found."""
    sources: tuple[str, ...] = ()
    """The files that were read to evaluate this file, sorted."""
    nothing_made: Unknown | None = None
    """Why the program was not seen to make a server, although it seems to make one."""
    unfinished: bool = False
    """Whether its time was up before it was evaluated to its end."""


def program(path: str, whole: Whole, sdk: Mapping[str, str], seconds: float) -> Program:
    """The program of the file at ``path``.

    After ``seconds`` of processor time its servers are named without tools; doubts about it may take as long again.
    """
    from pdmigrate.understand.programs import Understood, understood, unevaluated

    try:
        raw = disk.read(whole.root, path)
    except OSError as error:
        return Program(findings=(finding("PD107", f"{path} cannot be read: {error.strerror}", site=Site(path, 1)),))
    if is_generated(path, raw):
        return Program()
    if old := _unsupported(whole, path, sdk, raw):
        return Program(findings=(old,))
    match = _SERVER_CLASS.search(raw)
    naming = Site(path, raw.count(b"\n", 0, match.start()) + 1) if match else None
    found = Understood()
    findings: list[Finding] = []
    reason = f"evaluating it takes more than {seconds:g} s of processor time"
    unfinished = False
    try:
        with at_most(seconds):
            found = understood(path, whole, sdk)
    except SourceError as error:
        findings.append(_unreadable(path, error))
    except OutOfTimeError:
        unfinished = True
    servers = found.servers
    try:
        with at_most(seconds):
            servers = servers if not unfinished else unevaluated(path, whole, sdk, reason)
            servers = tuple(_with_doubts(servers, whole, path, found.sources)) if servers else ()
    except OutOfTimeError:  # nothing is claimed of which the doubts are not known
        servers = tuple(replace(server, tools=(), incomplete=reason) for server in servers)
        unfinished = True
    if unfinished:
        findings.append(finding("PD201", f"{path} is not evaluated to its end: {reason}", site=Site(path, 1)))
    elif found.given_up is not None:
        findings.append(finding("PD201", found.given_up.reason, site=found.given_up.site or Site(path, 1)))
    return Program(servers, tuple(findings), naming, found.sources, found.nothing_made, unfinished)


def _with_doubts(servers: Iterable[Server], whole: Whole, path: str, sources: tuple[str, ...]) -> Iterator[Server]:
    from pdmigrate.source.discover import is_test
    from pdmigrate.source.entries import entry_points
    from pdmigrate.understand.doubt.asking import doubts
    from pdmigrate.understand.doubt.model import doubted, refusals
    from pdmigrate.understand.index.modules import Tree

    commands = [point.module for point in entry_points(whole.root)]
    program = [source for source in sources if source == path or not is_test(source)]
    found = doubts(Tree(whole), path, program, commands)
    yield from (doubted(server, (*found, *refusals(server))) for server in servers)


def _unsupported(whole: Whole, path: str, given: Mapping[str, str], raw: bytes) -> Finding | None:
    """The finding about a file that makes servers of an SDK version that is too old or too new to be supported."""
    from pdmigrate.source.sdk_version import unsupported
    from pdmigrate.understand.versions import versions_of

    called, imported = CALLED.search(raw), _IMPORTED.search(raw)
    if not called or not imported:
        return None
    reason = unsupported(versions_of(whole, given, path).sdks[imported.group(1).decode()])
    site = Site(path, raw.count(b"\n", 0, called.end()) + 1)
    return finding("PD205", f"servers of this file are left as they are: {reason}", site=site) if reason else None


def _unreadable(path: str, error: SourceError) -> Finding:
    code = error.code if error.code in CODES else "PD101"
    return finding(str(code), error.message, hint=error.hint, site=Site(path, error.line))
