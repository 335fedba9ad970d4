"""From a tree to its servers and tools, as source declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pdmigrate.errors import SourceError
from pdmigrate.findings import CODES, finding
from pdmigrate.model import Finding, Inventory, Server, Site

_SERVER_CLASS = re.compile(
    rb"(?m)^[ \t]*from[ \t]+(?:mcp\.server|fastmcp)(?:\.\w+)*[ \t]+import\b[^#\n]*\b(?:Server|FastMCP|MCPServer)\b"
)
"""An import of a server class; without any server found, it is worth saying that one was expected."""


def extract(
    root: Path,
    *,
    sdk: Mapping[str, str] = MappingProxyType({}),
    exclude: tuple[str, ...] = (),
    only: tuple[str, ...] = (),
    near: tuple[str, ...] = (),
) -> Inventory:
    """The servers below ``root``, each with the tools that its list handler returns.

    ``sdk`` gives versions of packages; ``exclude`` holds patterns of paths that are not looked at; ``only`` limits the
    result to servers that these files, or files below these folders, construct; ``near`` leaves out those that have
    nothing to do with these.  Nothing of the project is imported or executed.
    """
    from pdmigrate.deriving import families, registrations
    from pdmigrate.dialects import gates
    from pdmigrate.discover import gated, python_files

    root = root.resolve()
    files = python_files(root, exclude=exclude)
    candidates = gated(root, files, gates())
    if not candidates:
        return Inventory((), ())
    from pdmigrate.evaluate import World
    from pdmigrate.evaluate.servers.reachable import may_share
    from pdmigrate.homes import is_generated

    world = World(root, sdk=sdk, files=files)
    servers: list[Server] = []
    findings: list[Finding] = []
    naming: list[Site] = []
    for path, entries in families(root, files, candidates).items():
        if only and not any(path == part or path.startswith(f"{part}/") for part in only):
            continue
        if near and not may_share(world, path, near):
            continue
        try:
            raw = (root / path).read_bytes()
        except OSError as error:
            findings.append(finding("PD107", f"{path} cannot be read: {error.strerror}", site=Site(path, 1)))
            continue
        if is_generated(path, raw):
            continue
        if match := _SERVER_CLASS.search(raw):
            naming.append(Site(path, raw.count(b"\n", 0, match.start()) + 1))
        for entry in entries:
            try:
                servers += entry.load().servers(path, world)
            except SourceError as error:
                findings.append(_unreadable(path, error))
    if not servers:
        unread = {found.site.file for found in findings if found.site}
        looked = not (findings or world.findings or only or near)
        findings += (_unrecognised(site) for site in naming if site.file not in unread)
        if looked and (place := next(registrations(root, files), None)):
            findings.append(_without_server(*place))
    return Inventory(tuple(servers), (*findings, *world.findings), tuple(sorted(world.sources)))


def _unrecognised(site: Site) -> Finding:
    message = "the SDK's server class is imported here, but no place was recognised where a server is made"
    return finding("PD202", message, site=site)


def _without_server(path: str, line: int, name: str) -> Finding:
    message = f"a function is made a tool of {name} here, and where {name} is made was not recognised as a server"
    return finding("PD203", message, site=Site(path, line))


def _unreadable(path: str, error: SourceError) -> Finding:
    code = error.code if error.code in CODES else "PD101"
    return finding(str(code), error.message, hint=error.hint, site=Site(path, error.line))
