"""Ask a server for its tools, whichever revision of the protocol it speaks, and put the answer into a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath

from pdmigrate.errors import OutsideError
from pdmigrate.live import wire
from pdmigrate.live.wire.session import ENVELOPES, PROTOCOL_VERSION
from pdmigrate.model import JsonObject, Server, Site, mapping
from pdmigrate.names import MODULE
from pdmigrate.project.depending import Imports, digest
from pdmigrate.project.model import Project
from pdmigrate.project.remembering import answer_of, kept
from pdmigrate.project.witnessing import compare
from pdmigrate.source.discover import python_files

OFF = {"PROGRESSIVE_DISCLOSURE": "off"}
"""The environment in which a migrated server lists its full definitions."""


@dataclass(frozen=True, slots=True)
class Witness:
    """What a running server lists: ``tools`` of all pages in order, ``name`` as it calls itself."""

    target: str
    name: str
    tools: tuple[JsonObject, ...]
    instructions: str = ""


def ask(target: wire.Target, *, timeout: float) -> Witness:
    """Start the server behind ``target`` as its user does, or call it, and list its tools.

    ``timeout`` bounds every single request.  Everything that was started is ended again.  Raises WireError if the
    server cannot be reached, or does not answer properly; the message ends with what it printed.
    """
    if isinstance(target, wire.StdioTarget):
        target = replace(target, env={**OFF, **target.env})
    with wire.connect(target, timeout=timeout) as session:
        try:
            session.initialize(PROTOCOL_VERSION)
        except (wire.RpcError, wire.BadAnswerError, wire.UnreachableError) as refused:
            # A server that speaks 2026-07-28 alone knows no handshake; how it answers one is not specified.
            return _without_handshake(target, timeout, refused)
        return _witness(target, session)


def _without_handshake(target: wire.Target, timeout: float, refused: wire.WireError) -> Witness:
    """Ask a server that may know only the newer revision; raise ``refused`` if it does not know that one either."""
    with wire.connect(target, timeout=timeout) as session:
        try:
            session.initialize(ENVELOPES)
        except wire.WireError:
            raise refused from None
        return _witness(target, session)


def _witness(target: wire.Target, session: wire.Session) -> Witness:
    name = str(mapping(session.server.get("serverInfo")).get("name", ""))
    tools = tuple(session.list_tools())
    return Witness(str(target), name, tools, str(session.server.get("instructions") or ""))


def witnessed(project: Project, witness: Witness, among: Sequence[Site] = ()) -> Project:
    """The project with one server as ``witness`` shows it, and findings about what differs from source.

    ``among`` are the places of the servers that may have been asked, if that is known.  Raises OutsideError if it is
    unclear which of the project's servers was started (PD334).
    """
    position = _which(project.inventory.servers, witness, among)
    files, _ = project.descriptions(project.homes[position])  # files that cannot be read are reported elsewhere
    servers = list(project.inventory.servers)
    source = project.unasked.get(servers[position].site, servers[position])
    compared = compare(source, witness.tools, files)
    servers[position] = compared.server
    findings = (*project.inventory.findings, *compared.findings)
    inventory = replace(project.inventory, servers=tuple(servers), findings=findings)
    folder = project.homes[position].folder
    tree = [path for path in python_files(project.root) if not PurePosixPath(path).name.startswith(MODULE)]
    sources = Imports(project.root, tree).behind(source.site.file, *project.inventory.sources)
    digests = {path: digest(raw) for path, raw in sources.items()}
    answer = answer_of(source, compared.server, witness.tools, date.today().isoformat(), digests)
    asked = {other: one for other, one in project.asked.items() if other != folder}
    if answer.says_more or source.incomplete:
        asked[folder] = kept(project.asked.get(folder), answer)
    return replace(project, inventory=inventory, asked=asked, files={**sources, **project.files})


def _which(servers: Sequence[Server], witness: Witness, among: Sequence[Site]) -> int:
    """The position of the server that shares the most tools, or else its name, with the running one, or PD334."""
    possible = [position for position, server in enumerate(servers) if not among or server.site in among]
    if len(possible) == 1:
        return possible[0]
    live = {listed.get("name") for listed in witness.tools}
    names = {position: {tool.name for tool in servers[position].tools if tool.name} for position in possible}
    scores = {each: (len(live & names[each]), servers[each].name == witness.name) for each in possible}
    best = max(scores.values())
    if best == (0, False) or [*scores.values()].count(best) > 1:
        places = ", ".join(str(servers[position].site) for position in possible)
        message = f"cannot tell which of the servers at {places} is started by {witness.target}"
        raise OutsideError(message, hint="give the file of that server as PATH", code="PD334")
    return max(possible, key=scores.__getitem__)
