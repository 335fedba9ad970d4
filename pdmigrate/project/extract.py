"""From a tree to its servers and tools, as source declares them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, Inventory, Server, Site
from pdmigrate.project.reaching import is_test

if TYPE_CHECKING:
    from pdmigrate.evaluate import World
    from pdmigrate.tree.glances import Glances

_SERVER_CLASS = re.compile(
    rb"(?m)^[ \t]*from[ \t]+(?:mcp\.server|fastmcp)(?:\.\w+)*[ \t]+import\b[^#\n]*\b(?:Server|FastMCP|MCPServer)\b"
)
"""An import of a server class; without any server found, it is worth saying that one was expected."""
_IMPORTED = re.compile(rb"(?m)^[ \t]*(?:from|import)[ \t]+(fastmcp|mcp)\b(?!\.types|[ \t]+import[ \t]+types)")
_CALLED = re.compile(rb"(?m)^[^#\n]*?\b(?:Server|\w*FastMCP|\w*MCPServer)\(")


def extract(
    root: Path,
    *,
    sdk: Mapping[str, str] = MappingProxyType({}),
    exclude: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    near: tuple[str, ...] = (),
    asked: tuple[str, ...] = (),
    glances: Glances | None = None,
) -> Inventory:
    """The servers below ``root``, each with the tools that its list handler returns.

    ``sdk`` gives versions of packages; ``exclude`` holds patterns of paths that are not looked at; ``only`` limits the
    result to servers that these files, or files below these folders, construct; ``near`` leaves out those that have
    nothing to do with these.  Servers that tests make are stand-ins, and count only where their file, or a folder of
    tests above it, is among ``asked`` or ``only``.  ``glances`` are those of the files of the tree, where the caller
    has them.  Nothing of the project is imported or executed.
    """
    from pdmigrate.dialects import gates
    from pdmigrate.tree.deriving import families, registrations
    from pdmigrate.tree.discover import gated

    root = Path(disk.real(root))
    glances = glances or look(root, exclude)
    files = glances.files
    candidates = gated(root, glances.of_mcp, gates())
    glances.keep()
    if not candidates:
        return Inventory((), () if only or near else tuple(_by_hand(root, files)))
    from pdmigrate.evaluate import World
    from pdmigrate.evaluate.servers.reachable import may_share
    from pdmigrate.project.homes import is_generated

    world = World(root, sdk=sdk, files=files, glances=glances)
    servers: list[Server] = []
    findings: list[Finding] = []
    naming: list[Site] = []
    wanted = families(root, files, candidates)
    stand_ins = {path for path in wanted if is_test(path) and not _is_asked(path, (*only, *asked))}
    for path, entries in wanted.items():
        if path in stand_ins or (only and not any(path == part or path.startswith(f"{part}/") for part in only)):
            continue
        if near and not may_share(world, path, near):
            continue
        try:
            raw = disk.read(root, path)
        except OSError as error:
            findings.append(finding("PD107", f"{path} cannot be read: {error.strerror}", site=Site(path, 1)))
            continue
        if is_generated(path, raw):
            continue
        if old := _unsupported(world, path, raw):
            findings.append(old)
            continue
        if match := _SERVER_CLASS.search(raw):
            naming.append(Site(path, raw.count(b"\n", 0, match.start()) + 1))
        for entry in entries:
            try:
                servers += entry.load().servers(path, world)
            except SourceError as error:
                findings.append(_unreadable(path, error))
        world.forget(path)
    if not servers:
        looked = not (findings or world.findings or only or near or stand_ins)
        findings += _without_servers(naming, findings, registrations(root, files) if looked else iter(()))
        findings += _by_hand(root, files) if not findings and looked else ()
    findings += _left_to_tests(root, sorted(stand_ins))
    return Inventory(tuple(servers), (*findings, *world.findings), tuple(sorted(world.sources)))


def look(root: Path, exclude: tuple[str, ...] = ()) -> Glances:
    """The Python files of the tree at ``root``, and what can be seen of them, as far as it is known from before."""
    from pdmigrate.tree import glance_index
    from pdmigrate.tree.discover import python_files
    from pdmigrate.tree.glances import Glances

    files = python_files(root, exclude=exclude)
    return Glances(root, files, glance_index.load(root, files))


def _is_asked(path: str, asked: tuple[str, ...]) -> bool:
    """Whether a test is one of the files that were named, or below a folder of tests that was."""
    return any(path == part or (path.startswith(f"{part}/") and is_test(f"{part}/_.py")) for part in asked)


def _left_to_tests(root: Path, stand_ins: list[str]) -> Iterator[Finding]:
    """What is to be said of the tests that make servers: once for all of them."""
    sites = []
    for path in stand_ins:
        try:
            raw = disk.read(root, path)
        except OSError:
            continue  # a test that cannot be read makes nothing that this person could run
        if match := _CALLED.search(raw):
            sites.append(Site(path, raw.count(b"\n", 0, match.end()) + 1))
    if sites:
        named = ", ".join(site.file for site in sites[:3]) + (f" and {len(sites) - 3} more" if sites[3:] else "")
        yield finding("PD204", f"servers that tests make are left as they are: {named}", site=sites[0])


def _unsupported(world: World, path: str, raw: bytes) -> Finding | None:
    """What is to be said of a file that makes servers of an SDK which is too old, or too new, to be known."""
    from pdmigrate.project.sdk import unsupported

    called, imported = _CALLED.search(raw), _IMPORTED.search(raw)
    if not called or not imported:
        return None
    reason = unsupported(world.sdk(path, imported.group(1).decode()))
    site = Site(path, raw.count(b"\n", 0, called.end()) + 1)
    return finding("PD205", f"servers of this file are left as they are: {reason}", site=site) if reason else None


def _without_servers(
    naming: Iterable[Site], findings: Iterable[Finding], tools: Iterator[tuple[str, int, str]]
) -> list[Finding]:
    """What points at a server where none was found: files that name its class, and the first of ``tools``."""
    unread = {found.site.file for found in findings if found.site}
    unrecognised = [_unrecognised(site) for site in naming if site.file not in unread]
    place = next(tools, None)
    return [*unrecognised, _without_server(*place)] if place else unrecognised


def _unrecognised(site: Site) -> Finding:
    message = "the SDK's server class is imported here, but no place was recognised where a server is made"
    return finding("PD202", message, site=site)


def _without_server(path: str, line: int, name: str) -> Finding:
    message = f"a function is made a tool of {name} here, and where {name} is made was not recognised as a server"
    return finding("PD203", message, site=Site(path, line))


def _by_hand(root: Path, files: tuple[str, ...]) -> Iterator[Finding]:
    """The first file, tests aside, that answers as an MCP server does, where none is made with an SDK."""
    from pdmigrate.tree.discover import gated

    for path in gated(root, files, _SPOKEN[:1]):
        try:
            raw = disk.read(root, path)
        except OSError:
            continue  # what makes no server of an SDK need not be readable
        if not is_test(path) and all(word in raw for word in _SPOKEN):
            line = raw.count(b"\n", 0, raw.index(_SPOKEN[0])) + 1
            yield finding("PD206", "MCP is spoken here without an SDK, which is out of reach", site=Site(path, line))
            return


_SPOKEN = (b"tools/list", b"serverInfo", b"protocolVersion", b"jsonrpc")
"""What a server holds that answers ``initialize`` and ``tools/list`` by itself."""


def _unreadable(path: str, error: SourceError) -> Finding:
    code = error.code if error.code in CODES else "PD101"
    return finding(str(code), error.message, hint=error.hint, site=Site(path, error.line))
