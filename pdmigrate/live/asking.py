"""Ask a server for its tools, whichever revision of the protocol it speaks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pdmigrate.live import wire
from pdmigrate.live.wire.session import ENVELOPES, PROTOCOL_VERSION
from pdmigrate.model import JsonObject, mapping

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
