"""A wrapper in front of HTTP servers that do what the protocol allows, and some of what it does not."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1, environment
from tests.support.listening import Answering, answered_by
from tests.wrap.talking import PATIENCE, Client, Json, client

ODD_TEXT = "one\u2028two\u2029three\x85four\x0cfive"
CHANGED: Json = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
INFO = {"serverInfo": {"name": "odd"}, "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
TOOLS = [{"name": "do", "description": ODD_TEXT, "inputSchema": {"type": "object"}}]


class Odd(Answering):
    """What a method is called is what the server does with it."""

    def post(self, asked: Any) -> None:
        if self.path == "/mcp":
            self.answer(307, location="/mcp/")
            return
        if isinstance(asked, list):
            self.answer(200, [{"jsonrpc": "2.0", "id": one["id"], "result": {}} for one in asked])
            return
        answer: Json = {"jsonrpc": "2.0", "id": asked.get("id"), "result": {"text": ODD_TEXT}}
        match asked.get("method"):
            case "initialize":
                self.answer(200, answer | {"result": INFO}, mcp_session_id="s1")
            case "tools/list":
                self.stream(events(answer | {"result": {"tools": TOOLS}}, b"\r\n"))
            case "odd/lost-session":
                error = {"code": -32600, "message": "Session not found"}
                self.answer(404, {"jsonrpc": "2.0", "id": "server-error", "error": error})
            case "odd/no-answer":
                self.stream(events(CHANGED))
            case "odd/half":
                self.stream(events(answer)[:-20])
            case "odd/pretty":
                self.answer(200, json.dumps(answer, indent=2).encode())
            case method if str(method).startswith("notifications"):
                self.answer(202)
            case _:
                self.stream(events(answer))

    def get(self) -> None:
        self.stream(events(CHANGED))

    def delete(self) -> None:
        self.answer(200)

    def stream(self, content: bytes) -> None:
        self.answer(200, content, "text/event-stream")


def events(message: Json, end: bytes = b"\n") -> bytes:
    text = json.dumps(message, ensure_ascii=False).encode()
    return end.join([b": a comment", b"event: message", b"id: 1", b"data: " + text, b"", b""])


@pytest.fixture
def talking(tmp_path: Path) -> Iterator[Client]:
    with answered_by(Odd) as url:
        ran = pdmigrate("wrap", tmp_path / "odd", "--url", f"{url}/mcp")
        assert ran.status == 0, ran.stderr
        with client([str(environment(MCP1)), str(tmp_path / "odd" / "server.py")]) as one:
            yield one


def test_text_of_a_stream_is_kept_whatever_it_has_in_it(talking: Client) -> None:
    assert talking.ask("any/method")["result"] == {"text": ODD_TEXT}
    assert talking.ask("odd/pretty")["result"] == {"text": ODD_TEXT}
    assert [tool["name"] for tool in talking.tools()] == ["do", "odd_describe_tools"]
    assert talking.fetch("do")["do"]["description"] == ODD_TEXT


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("odd/lost-session", "Session not found"),
        ("odd/no-answer", "ended its answer too early"),
        ("odd/half", "ended its answer too early"),
    ],
)
def test_a_request_that_the_server_does_not_answer_is_one_error(talking: Client, method: str, said: str) -> None:
    number = talking.begin(method)
    assert said in talking.answer(number)["error"]["message"]
    assert "result" in talking.ask("any/method")
    assert len([message for message in talking.got if message.get("id") == number]) == 1


def test_odd_messages_do_not_stop_what_follows(talking: Client) -> None:
    talking.send({"method": "notifications/x", "params": ["by position"]})
    talking.send({"method": "é", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "é"}}})
    talking.send({"method": "x", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": ["é"]}}})
    assert "result" in talking.ask("x", {"_meta": {"io.modelcontextprotocol/protocolVersion": "\ud83d"}})
    talking.write(b'[{"jsonrpc":"2.0","id":77,"method":"ping"}]\n')
    batch: Any = json.loads(talking._lines.get(timeout=PATIENCE))
    while not isinstance(batch, list):
        batch = json.loads(talking._lines.get(timeout=PATIENCE))
    assert batch == [{"jsonrpc": "2.0", "id": 77, "result": {}}]


def test_what_the_server_sends_by_itself_is_taken_again_when_its_stream_ends(talking: Client) -> None:
    deadline = time.monotonic() + PATIENCE
    while talking.got.count(CHANGED) < 3:
        assert time.monotonic() < deadline
        talking.next()
