"""Both protocol eras with a real SDK that speaks both, over both transports."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pdmigrate.live.wire import HttpTarget, RpcError, StdioTarget, Target, connect
from pdmigrate.live.wire.session import envelope_headers, enveloped
from tests.support.environments import MCP2, environment
from tests.support.running import listening

SERVER = str(Path(__file__).with_name("mcp2_server.py"))
ERAS = ("2025-06-18", "2026-07-28")


@pytest.fixture(scope="module", params=["stdio", "http"])
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    interpreter = str(environment(MCP2))
    if request.param == "stdio":
        yield StdioTarget((interpreter, SERVER, "stdio"))
    else:
        with listening([interpreter, SERVER, "http"]) as port:
            yield HttpTarget(f"http://127.0.0.1:{port}/mcp")


@pytest.mark.parametrize("version", ERAS)
def test_both_eras_are_spoken(target: Target, version: str) -> None:
    with connect(target, timeout=20) as session:
        about = session.initialize(version)
        assert about["protocolVersion"] == version
        assert isinstance(about["serverInfo"], dict)
        assert about["serverInfo"]["name"] == "two"
        assert [tool["name"] for tool in session.list_tools()] == ["tool with ü"]
        assert session.call_tool("tool with ü", {"a": 1})["structuredContent"] == {"result": 2}
        assert [resource["uri"] for resource in session.listed("resources/list")] == ["notes://readme"]
        contents = session.read_resource("notes://readme")["contents"]
        assert contents == [{"uri": "notes://readme", "mimeType": "text/plain", "text": "Notes."}]
        with pytest.raises(RpcError):
            session.read_resource("notes://nö thing")


@pytest.mark.parametrize(("version", "expected"), [(ERAS[0], True), (ERAS[1], False)])
def test_over_http_the_later_era_has_no_sessions(target: Target, version: str, expected: bool) -> None:
    with connect(target, timeout=20) as session:
        session.initialize(version)
        assert session.has_session is (expected or isinstance(target, StdioTarget))


@pytest.mark.parametrize(
    ("uri", "header"),
    [
        ("notes://readme", "notes://readme"),
        ("x", "x"),
        ("a b", "a b"),
        ("ü", "=?base64?w7w=?="),
        (" a", "=?base64?IGE=?="),
        ("=?base64?IGE=?=", "=?base64?PT9iYXNlNjQ/SUdFPT89?="),
        ("a\nb", "=?base64?YQpi?="),
    ],
)
def test_a_name_goes_into_a_header_unharmed(uri: str, header: str) -> None:
    assert envelope_headers("resources/read", {"uri": uri}, ERAS[1]) == {
        "MCP-Protocol-Version": ERAS[1],
        "Mcp-Method": "resources/read",
        "Mcp-Name": header,
    }


def test_an_envelope_keeps_what_was_there() -> None:
    sent = enveloped({"name": "x", "_meta": {"progressToken": 1}}, ERAS[1], {"name": "c"})
    assert sent == {
        "name": "x",
        "_meta": {
            "progressToken": 1,
            "io.modelcontextprotocol/protocolVersion": ERAS[1],
            "io.modelcontextprotocol/clientInfo": {"name": "c"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }
