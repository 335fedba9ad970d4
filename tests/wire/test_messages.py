"""Reading messages and lines out of bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pdmigrate.live.wire.messages import decode, encode, lines
from pdmigrate.live.wire.session import ENVELOPES, envelope_headers, enveloped
from pdmigrate.source.documents import DEEPEST


@pytest.mark.parametrize(
    "line",
    [b"", b"x", b"1", b'"id"', b"null", b"[]", b"{}", b"[1]", b'{"a": 1}', b'[{"id": 1}, 2]', b"\xff", b"[" * 100_000],
)
def test_what_is_no_message_is_none(line: bytes) -> None:
    assert decode(line) is None


@given(st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3))
def test_what_is_encoded_is_decoded(params: dict[str, str]) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "m", "params": dict(params)}
    line = encode(message)
    assert decode(line) == [message]
    assert b"\n" not in line


@given(st.lists(st.binary(max_size=8).map(lambda b: b.replace(b"\n", b"").replace(b"\r", b"")), max_size=6), st.data())
def test_lines_do_not_depend_on_how_the_bytes_arrive(said: list[bytes], data: st.DataObject) -> None:
    rest, chunks = b"".join(line + b"\n" for line in said) + b"tail", []
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        chunks.append(rest[:size])
        rest = rest[size:]
    assert [*lines(chunks, 1000)] == [*said, b"tail"]


def nested(depth: int) -> bytes:
    return b'{"id": 1, "result": ' + b'{"a": [' * (depth // 2) + b"]}" * (depth // 2) + b"}"


def test_nesting_is_bounded() -> None:
    assert decode(nested(DEEPEST - 1))
    assert decode(nested(DEEPEST + 2)) is None
    assert decode(b'{"id": 1, "result": {"flat": [' + b"{}," * 1000 + b"{}]}}")


def test_a_line_without_end_is_refused() -> None:
    assert [*lines([b"0123456789"], 10)] == [b"0123456789"]
    with pytest.raises(OverflowError):
        next(lines([b"0123456789", b"0"], 10))


# --- the era without handshakes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("uri", "header"),
    [
        *((name, name) for name in ("notes://readme", "x", "a b")),
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
