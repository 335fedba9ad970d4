"""How a conversation begins and what every request carries, which is what differs between protocol revisions.

Revisions up to 2025-11-25 open with a handshake.  A revision without one (2026-07-28: ``server/discover``, and an
envelope in every request's ``_meta``) is another class with the same three methods; nothing that calls a session
changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from pdmigrate.model import JsonObject


class Speaker(Protocol):
    """What an era needs of a session to open it."""

    def request(self, method: str, params: JsonObject | None = None) -> JsonObject: ...

    def notify(self, method: str, params: JsonObject | None = None) -> None: ...


class Era(Protocol):
    """One way of speaking the protocol."""

    def open(self, speaker: Speaker) -> JsonObject:
        """Begin the conversation; what the server says of itself (``capabilities``, ``instructions``, ...)."""
        ...

    def envelope(self, params: JsonObject | None) -> JsonObject | None:
        """The parameters of a request as they are sent."""
        ...

    def headers(self) -> Mapping[str, str]:
        """What every HTTP request carries, once the conversation has begun."""
        ...


class HandshakeEra:
    """``initialize``, ``notifications/initialized``, then plain requests."""

    def __init__(self, version: str, client: JsonObject, capabilities: JsonObject) -> None:
        self._hello: JsonObject = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}
        self._agreed: str | None = None

    def open(self, speaker: Speaker) -> JsonObject:
        result = speaker.request("initialize", self._hello)
        agreed = result.get("protocolVersion")
        self._agreed = agreed if isinstance(agreed, str) else None
        speaker.notify("notifications/initialized")
        return result

    def envelope(self, params: JsonObject | None) -> JsonObject | None:
        return params

    def headers(self) -> Mapping[str, str]:
        # Required from 2025-06-18 on; older servers ignore it.
        return {"MCP-Protocol-Version": self._agreed} if self._agreed else {}
