"""A wrapper in front of a server that runs elsewhere: the same server over HTTP, of real SDKs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1, MCP2, environment
from tests.support.listening import Answering, answered_by
from tests.support.running import free_port, serving
from tests.wrap.talking import PATIENCE, Client, Json, client

SAMPLES = Path(__file__).parents[2] / "sample_servers"
SERVERS = {
    "mcp1": (MCP1, SAMPLES / "mcp1_fastmcp" / "server.py"),
    "mcp2": (MCP2, SAMPLES / "mcp2_lowlevel" / "server.py"),
}


@pytest.fixture(scope="module", params=sorted(SERVERS))
def both(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[str], list[str]]]:
    """The command of a server over stdio, and that of a wrapper of the same server over HTTP."""
    pins, server = SERVERS[request.param]
    plain = [str(environment(pins)), str(server)]
    folder = tmp_path_factory.mktemp("wrapped") / "it"
    with serving(plain) as (port,):
        ran = pdmigrate("wrap", folder, "--url", f"http://127.0.0.1:{port}/mcp")
        assert ran.status == 0, ran.stderr
        yield plain, [str(environment(MCP1)), str(folder / "server.py")]


def said(talking: Client, names: list[str]) -> list[Json]:
    """What a session gets that disclosure does not concern."""
    answers = [talking.ask("ping"), talking.ask("prompts/list"), talking.ask("no/method")]
    answers += [talking.call(name, arguments={}) for name in names]
    answers.append({key: talking.got[0]["result"][key] for key in ("serverInfo", "protocolVersion")})
    return [{**answer, "id": None} for answer in answers]


def test_a_session_over_http_is_the_session_over_stdio_but_for_disclosure(both: tuple[list[str], list[str]]) -> None:
    plain, wrapped = both
    with client(plain) as talking:
        full = {tool["name"]: tool for tool in talking.tools()}
        expected = said(talking, [*full])
    with client(wrapped) as talking:
        stubs = {tool["name"]: tool for tool in talking.tools()}
        fetched = talking.fetch(*full)
        answers = said(talking, [*full])
    assert answers == expected
    assert len(stubs) == len(full) + 1
    assert len(json.dumps(stubs)) < len(json.dumps(full))
    assert {name: {key: fetched[name].get(key) for key in tool} for name, tool in full.items()} == full


def test_an_address_where_nobody_answers_is_one_clear_error(tmp_path: Path, both: tuple[list[str], list[str]]) -> None:
    interpreter, server = both[1]
    text = Path(server).read_text(encoding="utf-8")
    port = free_port()
    start = text.index("'http://127.0.0.1:")
    changed = text[:start] + f"'http://127.0.0.1:{port}/mcp'" + text[text.index("'", start + 1) + 1 :]
    (tmp_path / "server.py").write_text(changed, encoding="utf-8")
    with client([interpreter, str(tmp_path / "server.py")]) as talking:
        message = talking.got[0]["error"]["message"]
    assert f"http://127.0.0.1:{port}/mcp" in message
    assert "cannot be reached" in message


INFO = {"serverInfo": {"name": "odd"}, "protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}


class Locked(Answering):
    """A server that asks for a token, and says which it was given."""

    def post(self, asked: Any) -> None:
        if self.headers.get("authorization") != "Bearer sesame":
            self.answer(401)
            return
        tools = {"tools": [{"name": "enter", "description": "Enter.", "inputSchema": {"type": "object"}}]}
        result = {"initialize": INFO, "tools/list": tools}.get(asked.get("method"))
        if result is None:
            self.answer(202)
        else:
            self.answer(200, {"jsonrpc": "2.0", "id": asked["id"], "result": result})


def test_a_secret_is_read_from_the_environment_and_stands_in_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCKED_TOKEN", "sesame")
    folder = tmp_path / "locked"
    with answered_by(Locked) as url:
        literal = pdmigrate("wrap", folder, "--url", url, "--header", "Authorization: Bearer sesame")
        assert literal.status == 2
        assert "name a variable of the environment instead" in literal.stderr
        ran = pdmigrate("wrap", folder, "--url", url, "--header", "Authorization: Bearer $LOCKED_TOKEN")
        assert ran.status == 0, ran.stderr
        assert all(b"sesame" not in file.read_bytes() for file in folder.rglob("*") if file.is_file())
        with client([str(environment(MCP1)), str(folder / "server.py")]) as talking:
            assert [tool["name"] for tool in talking.tools()] == ["enter", "odd_describe_tools"]
        with client([str(environment(MCP1)), str(folder / "server.py")], LOCKED_TOKEN="wrong") as talking:
            assert "401" in talking.got[0]["error"]["message"]


# --- servers that do what the protocol allows, and some of what it does not -------------------------------------------


ODD_TEXT = "one\u2028two\u2029three\x85four\x0cfive"
CHANGED: Json = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
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


def test_a_request_that_the_server_does_not_answer_is_one_error(talking: Client) -> None:
    early = dict.fromkeys(("odd/no-answer", "odd/half"), "ended its answer too early")
    for method, said in {"odd/lost-session": "Session not found", **early}.items():
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
