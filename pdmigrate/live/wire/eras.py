"""How a conversation begins and what every request carries: both differ between revisions of the protocol.

Revisions up to 2025-11-25 open with a handshake.  From 2026-07-28 on there is none: every request says in its ``_meta``
who asks and in which version, and over HTTP the headers repeat what the request is about.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Protocol

from pdmigrate.model import JsonObject

ENVELOPES = "2026-07-28"
"""The first revision without a handshake."""

_PREFIX = "io.modelcontextprotocol/"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class Speaker(Protocol):
    """What an era needs of a session to open the conversation."""

    def request(self, method: str, params: JsonObject | None = None) -> JsonObject: ...

    def notify(self, method: str, params: JsonObject | None = None) -> None: ...


class Era(Protocol):
    """One way of speaking the protocol."""

    def open(self, speaker: Speaker) -> JsonObject:
        """Begin the conversation; return what the server says of itself (``capabilities``, ``instructions``, ...)."""
        ...

    def envelope(self, params: JsonObject | None) -> JsonObject | None:
        """The parameters of a request as they are sent."""
        ...

    def headers(self, method: str, params: JsonObject | None) -> Mapping[str, str]:
        """The headers of an HTTP request for ``method``."""
        ...


def era_of(version: str, client: JsonObject, capabilities: JsonObject) -> Era:
    """The era that a protocol version belongs to; versions are dates and compare as such."""
    kind = EnvelopeEra if version >= ENVELOPES else HandshakeEra
    return kind(version, client, capabilities)


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

    def headers(self, method: str, params: JsonObject | None) -> Mapping[str, str]:  # noqa: ARG002 - as in ``Era``
        # Required from 2025-06-18 on; older servers ignore it.
        return {"MCP-Protocol-Version": self._agreed} if self._agreed else {}


class EnvelopeEra:
    """``server/discover``, and the envelope in every request; there are no sessions over HTTP."""

    def __init__(self, version: str, client: JsonObject, capabilities: JsonObject) -> None:
        self._version = version
        self._envelope: JsonObject = {
            f"{_PREFIX}protocolVersion": version,
            f"{_PREFIX}clientInfo": client,
            f"{_PREFIX}clientCapabilities": capabilities,
        }

    def open(self, speaker: Speaker) -> JsonObject:
        """The server's answer in the form of a handshake's, with ``serverInfo`` taken from its ``_meta``."""
        result = speaker.request("server/discover")
        meta = result.get("_meta")
        info = meta.get(f"{_PREFIX}serverInfo") if isinstance(meta, dict) else None
        return {"protocolVersion": self._version, **result, **({} if info is None else {"serverInfo": info})}

    def envelope(self, params: JsonObject | None) -> JsonObject | None:
        params = params or {}
        meta = params.get("_meta")
        return {**params, "_meta": {**(meta if isinstance(meta, dict) else {}), **self._envelope}}

    def headers(self, method: str, params: JsonObject | None) -> Mapping[str, str]:
        name = (params or {}).get(_NAMED.get(method, ""))
        named = {"Mcp-Name": _header_value(name)} if isinstance(name, str) else {}
        return {"MCP-Protocol-Version": self._version, "Mcp-Method": method, **named}


def _header_value(value: str) -> str:
    """``value`` as a header can carry it: plain where that is safe, otherwise as marked base64."""
    if re.fullmatch(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?", value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode('ascii')}?="
