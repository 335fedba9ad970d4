"""Conversations over streamable HTTP with a raw server that answers in every way there is."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pdmigrate.live import wire
from pdmigrate.model import JsonObject
from tests.support.listening import Answering, answered_by

ERROR = {"code": -32600, "message": "not like this"}
FIXED: dict[str, tuple[Any, ...]] = {
    "cut": (200, b": nothing more\n\n", "text/event-stream"),
    "html": (200, b"<!doctype html>", "text/html"),
    "denied": (401, b"no token", "text/plain"),
    "missing": (404, b"", "text/plain"),
    "rejects": (400, {"jsonrpc": "2.0", "id": "server-error", "error": ERROR}),
}


class Raw(Answering):
    """The first part of the path says how to answer."""

    seen: list[tuple[str, str, dict[str, str], Any]]
    stop: threading.Event

    def delete(self) -> None:
        self.seen.append(("DELETE", self.path, dict(self.headers), None))
        self.answer(405)

    def post(self, message: Any) -> None:
        self.seen.append(("POST", self.path, dict(self.headers), message))
        way = self.path.split("/")[1]
        if way in ("moved", "elsewhere") and self.path.endswith("/mcp"):
            location = "/moved/mcp/" if way == "moved" else "http://example.invalid/mcp"
            self.answer(307, Location=location)
        elif way == "gone" and message["method"] == "notifications/initialized":
            self.answer(404)
        elif "id" not in message or "method" not in message:
            self.answer(202)
        elif way in FIXED:
            self.answer(*FIXED[way])
        else:
            getattr(self, f"_{way}", self._json)(message)

    def _answer(self, message: Any) -> JsonObject:
        tools = [{"name": "a", "odd": {"kept": None}}]
        result = {"protocolVersion": "2025-03-26"} if message["method"] == "initialize" else {"tools": tools}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _json(self, message: Any) -> None:
        self.answer(200, self._answer(message))

    def _sessions(self, message: Any) -> None:
        self.answer(200, self._answer(message), "application/json; charset=utf-8", Mcp_Session_Id="s1")

    def _stream(self, message: Any) -> None:
        """Comments, another field, a notification, a request of the server's own, data in two lines, and no end."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        own = json.dumps({"jsonrpc": "2.0", "id": 77, "method": "ping"}).encode()
        first, second = json.dumps(self._answer(message)).encode().split(b", ", 1)
        self.wfile.write(b": hello\r\n\r\nevent: message\r\nid: 1\r\ndata: " + own + b"\r\n\r\nretry: 5\n\n")
        self.wfile.write(b'data: {"jsonrpc": "2.0", "method": "notifications/x"}\n\n')
        self.wfile.write(b"event: message\ndata:" + first + b",\ndata: " + second + b"\n\n")
        self.wfile.flush()
        self.stop.wait(10)

    def _silent(self, _: Any) -> None:
        self.stop.wait(10)

    def _drips(self, _: Any) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        while not self.stop.wait(0.1):
            self.wfile.write(b": still here\n\n")

    def _drops(self, _: Any) -> None:
        self.connection.close()


@pytest.fixture
def server() -> Iterator[tuple[str, list[tuple[str, str, dict[str, str], Any]]]]:
    """The URL without the path, and what was sent to it."""
    handler = type("Handler", (Raw,), {"seen": [], "stop": threading.Event()})
    with answered_by(handler) as address:
        yield address, handler.seen
        handler.stop.set()


Server = tuple[str, list[tuple[str, str, dict[str, str], Any]]]


def list_tools(url: str, timeout: float = 10, **headers: str) -> list[JsonObject]:
    with wire.connect(wire.HttpTarget(url, headers), timeout=timeout) as session:
        session.initialize()
        return session.list_tools()


@pytest.mark.parametrize("way", ["json", "sessions", "stream", "moved"])
def test_an_answer_arrives_in_every_form(server: Server, way: str) -> None:
    """A request of the server's own is answered with a post, and a redirect is remembered."""
    url, seen = server
    assert list_tools(f"{url}/{way}/mcp") == [{"name": "a", "odd": {"kept": None}}]
    answers = [message for *_, message in seen if message and "method" not in message]
    assert answers[:1] == ([{"jsonrpc": "2.0", "id": 77, "result": {}}] if way == "stream" else [])
    if way == "moved":
        assert [path for _, path, _, _ in seen] == ["/moved/mcp", *["/moved/mcp/"] * 3]


def test_the_session_id_and_the_agreed_version_go_with_what_follows(server: Server) -> None:
    url, seen = server
    list_tools(f"{url}/sessions/mcp", Authorization="Bearer x")
    assert [(method, (message or {}).get("method")) for method, _, _, message in seen] == [
        ("POST", "initialize"),
        ("POST", "notifications/initialized"),
        ("POST", "tools/list"),
        ("DELETE", None),
    ]
    for position, (_, _, headers, _) in enumerate(seen):
        assert headers["Authorization"] == "Bearer x"
        assert headers.get("Mcp-Session-Id") == ("s1" if position else None)
    assert [headers.get("Mcp-Protocol-Version") for _, _, headers, _ in seen] == [None, *["2025-03-26"] * 3]
    assert seen[0][2]["Accept"] == "application/json, text/event-stream"


def test_without_a_session_id_there_is_no_session_and_nothing_to_give_back(server: Server) -> None:
    url, seen = server
    with wire.connect(wire.HttpTarget(f"{url}/json/mcp"), timeout=10) as session:
        session.initialize()
        assert not session.has_session
    assert all(method == "POST" for method, *_ in seen)


@pytest.mark.parametrize(
    ("way", "kind", "words"),
    [
        pytest.param("elsewhere", wire.UnreachableError, "redirects to http://example.invalid/mcp", id="another host"),
        pytest.param("denied", wire.UnreachableError, "401 'no token'", id="no credentials"),
        pytest.param("missing", wire.UnreachableError, "mcp answers with HTTP status 404$", id="nothing at the URL"),
        pytest.param(
            "gone", wire.UnreachableError, "mcp answers notifications/initialized with HTTP status 404$", id="gone"
        ),
        pytest.param("html", wire.BadAnswerError, "text/html", id="a web page"),
        pytest.param("cut", wire.ServerEndedError, "without a result", id="a stream that ends"),
        pytest.param("drops", wire.ServerEndedError, "the connection broke", id="hangs up"),
        pytest.param("silent", wire.NoAnswerError, "within 1 s", id="never answers"),
        pytest.param("drips", wire.NoAnswerError, "in time", id="keeps alive without end"),
        pytest.param("rejects", wire.RpcError, "not like this", id="an error before the message is read"),
    ],
)
def test_what_is_wrong_is_said(server: Server, way: str, kind: type[wire.WireError], words: str) -> None:
    started = time.monotonic()
    with pytest.raises(kind, match=words) as caught:
        list_tools(f"{server[0]}/{way}/mcp", timeout=1)
    assert caught.value.hint
    assert time.monotonic() - started < 5


NO_URLS = dict.fromkeys(
    ("ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1:8000", "http://", ""), "not an http or https URL"
)


@pytest.mark.parametrize(("url", "said"), {**NO_URLS, "http://127.0.0.1:9/mcp": "refused"}.items())
def test_what_is_no_url_or_nobody_there_is_said(url: str, said: str) -> None:
    with pytest.raises(wire.UnreachableError, match=said):
        list_tools(url)


def test_a_proxy_is_not_asked_for_this_machine(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert list_tools(f"{server[0]}/json/mcp")
