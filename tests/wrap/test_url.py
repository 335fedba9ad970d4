"""A wrapper in front of a server that runs elsewhere: the same server over HTTP, of real SDKs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import pdmigrate
from tests.support.environments import MCP1, MCP2, environment
from tests.support.listening import Answering, answered_by
from tests.support.running import free_port, serving
from tests.wrap.talking import Client, Json, client

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


class Locked(Answering):
    """A server that asks for a token, and says which it was given."""

    def post(self, asked: Any) -> None:
        if self.headers.get("authorization") != "Bearer sesame":
            self.answer(401)
            return
        info = {
            "serverInfo": {"name": "locked", "version": "1"},
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
        }
        tools = {"tools": [{"name": "enter", "description": "Enter.", "inputSchema": {"type": "object"}}]}
        result = {"initialize": info, "tools/list": tools}.get(asked.get("method"))
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
            assert [tool["name"] for tool in talking.tools()] == ["enter", "locked_describe_tools"]
        with client([str(environment(MCP1)), str(folder / "server.py")], LOCKED_TOKEN="wrong") as talking:
            assert "401" in talking.got[0]["error"]["message"]
