"""What keeps a server from being migrated or described, besides the code of its tools: all of its files then stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pdmigrate.describe.descriptions import DescriptionFile
from pdmigrate.errors import SourceError
from pdmigrate.findings import finding
from pdmigrate.model import DEFINING_FIELDS, Finding, Fixed, Server, Site, Tool, Unknown
from pdmigrate.names import MARK
from pdmigrate.project.nearby import matches_nearby, served_by_hand
from pdmigrate.sdk.families import FAMILIES, FASTMCP
from pdmigrate.source.outline import parse

if TYPE_CHECKING:
    from pdmigrate.describe.homes import Home
    from pdmigrate.project.model import Project
    from pdmigrate.record.lock import Lock

_OF_FASTMCP = {family.id for family in FAMILIES if family.server == FASTMCP}
"""The dialects of servers of FastMCP; a server that was only asked, by ``--live``, has a dialect of no family."""
_HIDING = re.compile(rb"(?m)^[^#\n]*?\b((?:\w*SearchTransform|CodeMode)(?=[ \t]*\())")
"""The transforms of FastMCP 3 and 4 that list a tool to search and a tool to call in place of a server's tools."""
_HANDING_ON = re.compile(rb"(?m)^[^#\n]*?\b((?:ProxyProvider|FastMCPProxy|as_proxy|create_proxy\w*)(?=[ \t]*\())")


def undescribable(
    project: Project, server: Server, files: Mapping[str, DescriptionFile], remembered: Lock
) -> Finding | None:
    """Why no description file of this server may be written; ``None`` if they may."""
    if nested := project.around.nested_projects.get(server.site.file):
        message = f"{server.site.file} belongs to {nested}, which is a project of its own"
        return finding("PD531", message, hint=f"run pdmigrate in {nested}", site=server.site)
    served = None if server.is_enabled else served_by_hand(project, server, remembered)
    if served is not None:
        why = f"{served.file} names resource:///tool_descriptions, so it seems to disclose its tools by code of its own"
        return finding("PD532", f"the server made at {server.site} is left as it is: {why}", site=served)
    return next(_made_by_others(server, files, remembered), None)


def _made_by_others(server: Server, files: Mapping[str, DescriptionFile], remembered: Lock) -> Iterator[Finding]:
    for tool in server.tools:
        file = files.get(tool.name or "")
        if file is None or "owner" in file.data or file.path in remembered.written or _agree(tool, file):
            continue
        message = f'{file.path} was not made by pdmigrate, and describes "{tool.name}" differently than the code'
        yield finding("PD532", message, site=Site(file.path, 1), tool=tool.name)


def _agree(tool: Tool, file: DescriptionFile) -> bool:
    """Whether a file repeats, or leaves out, every defining field that the code settles."""
    settled = (key for key in DEFINING_FIELDS if key in file.data and not isinstance(tool.fields.get(key), Unknown))
    return all(file.data[key] == tool.definition.get(key) for key in settled)


def orphaned(project: Project, remembered: Lock) -> list[str]:
    """The generated modules beside which no server was found."""
    modules = {home.module for home in (*project.homes, *project.elsewhere.homes)}
    return sorted(path for path in remembered.modules if path not in modules and path in project.files)


def left_as_it_is(server: Server, why: Fixed) -> Finding:
    message = f"the server made at {server.site} is left as it is: {why.reason}"
    return finding(why.code, message, site=why.site or server.site)


def immovable(project: Project, server: Server, home: Home, remembered: Lock) -> Fixed | None:
    """Why this server cannot be migrated; ``None`` if it can."""
    orphans = orphaned(project, remembered)
    if server.is_enabled and home.module not in project.files and orphans:
        reason = f"its module is in another folder: move {' or '.join(orphans)} and its descriptions beside the server"
        return Fixed(reason, "PD530", Site(orphans[0], 1))
    if home.module in project.files and home.module not in remembered.modules:
        if MARK in project.files[home.module]:
            reason = f"{home.module} was made by pdmigrate, and .pdmigrate/lock.json does not know it"
            return Fixed(reason, "PD537", Site(home.module, 1))
        return Fixed(f"{home.module} exists already and was not made by pdmigrate", "PD516", Site(home.module, 1))
    package = home.module.removesuffix(".py")
    if f"{package}/__init__.py" in project.around.modules:
        reason = f"{package} is imported by the name of {home.module}, which would never be reached"
        return Fixed(reason, "PD516", Site(package, 1))
    if server.is_enabled:
        return None
    return _unprintable(project, server) or _hidden_by_transform(project, server, remembered)


def _unprintable(project: Project, server: Server) -> Fixed | None:
    file = server.site.file
    try:
        if file in project.files:
            parse(project.source(file))
    except SourceError as error:
        return Fixed(error.message, str(error.code), Site(file, error.line))
    return None


def _hidden_by_transform(project: Project, server: Server, remembered: Lock) -> Fixed | None:
    if server.dialect not in _OF_FASTMCP or "transform" not in (server.incomplete or ""):
        return None
    for match, site in matches_nearby(project, server, remembered, _HIDING):
        reason = f"{match.group(1).decode()} hides its tools behind a search already"
        return Fixed(reason, "PD533", site)
    return None


def notes(project: Project, server: Server, remembered: Lock) -> Iterator[Finding]:
    """Findings that stop no migration: tools of another server."""
    if server.dialect in _OF_FASTMCP and not server.is_enabled:
        for match, site in matches_nearby(project, server, remembered, _HANDING_ON):
            message = f"{match.group(1).decode()} hands on the tools of another server, as that one lists them"
            yield finding("PD544", message, site=site)
            break
