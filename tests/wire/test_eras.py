"""What requests carry in the era without handshakes; `tests/runtime` talks to real SDKs in both eras."""

from __future__ import annotations

import pytest

from pdmigrate.live.wire.session import ENVELOPES, envelope_headers, enveloped


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
    assert envelope_headers("resources/read", {"uri": uri}, ENVELOPES) == {
        "MCP-Protocol-Version": ENVELOPES,
        "Mcp-Method": "resources/read",
        "Mcp-Name": header,
    }


def test_an_envelope_keeps_what_was_there() -> None:
    sent = enveloped({"name": "x", "_meta": {"progressToken": 1}}, ENVELOPES, {"name": "c"})
    assert sent == {
        "name": "x",
        "_meta": {
            "progressToken": 1,
            "io.modelcontextprotocol/protocolVersion": ENVELOPES,
            "io.modelcontextprotocol/clientInfo": {"name": "c"},
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }
