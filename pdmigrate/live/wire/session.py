"""One conversation with one server."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

import pdmigrate
from pdmigrate.live.wire.errors import BadAnswerError, NoAnswerError, RpcError
from pdmigrate.live.wire.http import HttpTarget, HttpTransport
from pdmigrate.live.wire.stdio import StdioTarget, StdioTransport
from pdmigrate.model import JsonObject, mapping

Target: TypeAlias = StdioTarget | HttpTarget
"""What to talk to: a command that speaks over its standard streams, or a URL."""
Transport: TypeAlias = StdioTransport | HttpTransport
"""What carries messages, and knows nothing of their meaning."""

ENVELOPES = "2026-07-28"
"""The first revision without a handshake."""

PROTOCOL_VERSION = "2025-06-18"
LISTS = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
    "prompts/list": "prompts",
}
"""The methods that list something, each with the field that holds it."""
MAX_PAGES = 1000
PATIENCE = 10
"""All pages of a list together may take this many times the limit of one request."""

_CLIENT: JsonObject = {"name": "pdmigrate", "version": pdmigrate.__version__}
_PREFIX = "io.modelcontextprotocol/"
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def enveloped(params: JsonObject | None, version: str, client: JsonObject = _CLIENT) -> JsonObject:
    """The parameters of a request of a revision without a handshake, which says in each who asks."""
    params = params or {}
    own: JsonObject = {
        f"{_PREFIX}protocolVersion": version,
        f"{_PREFIX}clientInfo": client,
        f"{_PREFIX}clientCapabilities": {},
    }
    return {**params, "_meta": {**mapping(params.get("_meta")), **own}}


def envelope_headers(method: str, params: JsonObject | None, version: str) -> dict[str, str]:
    """The headers of such a request over HTTP."""
    name = (params or {}).get(_NAMED.get(method, ""))
    named = {"Mcp-Name": _header_value(name)} if isinstance(name, str) else {}
    return {"MCP-Protocol-Version": version, "Mcp-Method": method, **named}


def _header_value(value: str) -> str:
    """``value`` as a header can carry it: plain where that is safe, otherwise as marked base64."""
    if re.fullmatch(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?", value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode('utf-8', 'replace')).decode('ascii')}?="


class Session:
    """Sends requests, and returns results as they are.  Call ``initialize`` first.

    Every method that asks the server something raises ``RpcError`` when the server answers with an error, and the other
    classes of ``pdmigrate.live.wire.errors`` when there is no proper answer.
    """

    def __init__(self, transport: Transport, *, timeout: float) -> None:
        self.transport = transport
        self.server: JsonObject = {}
        """What the server said about itself: ``capabilities``, ``serverInfo``, ``instructions``."""
        self._timeout = timeout
        self._version = PROTOCOL_VERSION
        self._agreed: str | None = None
        self._number = 0

    @property
    def has_session(self) -> bool:
        """Whether the server can tell this conversation from others; known after ``initialize``."""
        return self.transport.has_sessions

    def initialize(self, protocol_version: str = PROTOCOL_VERSION) -> JsonObject:
        """Begin the conversation in the way of ``protocol_version``; return what the server says about itself.

        From 2026-07-28 on this is ``server/discover``, with ``serverInfo`` taken from the answer's ``_meta``.
        """
        self._version = protocol_version
        if self._has_envelopes:
            result = self.request("server/discover")
            info = mapping(result.get("_meta")).get(f"{_PREFIX}serverInfo")
            told: JsonObject = {} if info is None else {"serverInfo": info}
            self.server = {"protocolVersion": protocol_version, **result, **told}
            return self.server
        hello: JsonObject = {"protocolVersion": protocol_version, "capabilities": {}, "clientInfo": _CLIENT}
        self.server = self.request("initialize", hello)
        agreed = self.server.get("protocolVersion")
        self._agreed = agreed if isinstance(agreed, str) else None
        self.notify("notifications/initialized")
        return self.server

    @property
    def _has_envelopes(self) -> bool:
        """Versions are dates, and compare as such."""
        return self._version >= ENVELOPES

    def request(self, method: str, params: JsonObject | None = None, *, timeout: float | None = None) -> JsonObject:
        """The ``result`` of one request."""
        self._number += 1
        message = self._message(method, params, {"id": self._number})
        headers = self._headers(method, params)
        answer = self.transport.request(message, headers=headers, timeout=timeout or self._timeout)
        error = answer.get("error")
        if error is not None:
            raise _rpc_error(error, method)
        result = answer.get("result")
        if not isinstance(result, dict):
            raise BadAnswerError(f"the result of {method} from the server is not an object: {str(result)[:200]}")
        return result

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send the server a notification, which has no answer."""
        headers = self._headers(method, params)
        self.transport.notify(self._message(method, params, {}), headers=headers, timeout=self._timeout)

    def list_tools(self) -> list[JsonObject]:
        """The tools on all pages, as they are on the wire."""
        return self.listed("tools/list")

    def read_resource(self, uri: str) -> JsonObject:
        """The whole result: ``contents`` and any other fields."""
        return self.request("resources/read", {"uri": uri})

    def call_tool(self, name: str, arguments: JsonObject | None = None) -> JsonObject:
        """The whole result; a failed tool is a result with ``isError``, not an exception."""
        return self.request("tools/call", {"name": name, "arguments": arguments or {}})

    def _headers(self, method: str, params: JsonObject | None) -> dict[str, str]:
        if self._has_envelopes:
            return envelope_headers(method, params, self._version)
        # Required from 2025-06-18 on; older servers ignore it.
        return {"MCP-Protocol-Version": self._agreed} if self._agreed else {}

    def _message(self, method: str, params: JsonObject | None, identity: JsonObject) -> JsonObject:
        sent = enveloped(params, self._version) if self._has_envelopes else params
        return {"jsonrpc": "2.0", **identity, "method": method, **({} if sent is None else {"params": sent})}

    def listed(self, method: str) -> list[JsonObject]:
        """The entries on all pages of the list that one of ``LISTS`` asks for."""
        key = LISTS[method]
        found: list[JsonObject] = []
        params: JsonObject | None = None
        end = time.monotonic() + PATIENCE * self._timeout
        for _ in range(MAX_PAGES):
            if time.monotonic() > end:
                limit = f"{PATIENCE * self._timeout:g} s"
                raise NoAnswerError(
                    f"the server did not come to the end of {method} within {limit}: {len(found)} {key}"
                )
            page = self.request(method, params)
            items = page.get(key)
            if not isinstance(items, list):
                raise BadAnswerError(f"the server answers {method} without a list of {key}")
            objects = [item for item in items if isinstance(item, dict)]
            if len(objects) != len(items):
                raise BadAnswerError(f"the server answers {method} with entries that are not objects")
            found += objects
            cursor = page.get("nextCursor")
            if not isinstance(cursor, str):
                return found
            params = {"cursor": cursor}
        raise BadAnswerError(f"the server answers {method} with more than {MAX_PAGES} pages")


@contextmanager
def connect(target: Target, *, timeout: float = 30.0) -> Iterator[Session]:
    """A context manager: a session with ``target``, which ends with everything that was started for it.

    ``timeout`` bounds every single request, in seconds.  Raises StartError if the command could not be started.
    """
    transport: Transport = StdioTransport(target) if isinstance(target, StdioTarget) else HttpTransport(target)
    try:
        yield Session(transport, timeout=timeout)
    finally:
        transport.close()


def _rpc_error(error: object, method: str) -> RpcError:
    if not isinstance(error, dict):
        return RpcError(0, str(error)[:500], method=method)
    number, data = error.get("code"), error.get("data")
    return RpcError(number if isinstance(number, int) else 0, str(error.get("message", "")), data, method=method)
