"""JSON-RPC messages as values: reading them, and answering a server's own requests as a client must."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from pdmigrate.model import JsonObject
from pdmigrate.source.documents import DocumentError, read_json

METHOD_NOT_FOUND = -32601


def encode(message: JsonObject) -> bytes:
    """One message in one line of ASCII, so that no encoding on the way can change it."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


def decode(data: bytes) -> list[JsonObject] | None:
    """The messages in one line or body (an array is a batch); ``None`` if it holds anything else."""
    try:
        value = read_json(data)
    except DocumentError:
        return None
    items = value if isinstance(value, list) else [value]
    messages = [item for item in items if isinstance(item, dict) and ("method" in item or "id" in item)]
    return messages if messages and len(messages) == len(items) else None


def is_request(message: JsonObject) -> bool:
    """Whether a server's message asks the client something."""
    return "method" in message and message.get("id") is not None


def is_answer(message: JsonObject) -> bool:
    return "method" not in message and ("result" in message or "error" in message)


def reply(message: JsonObject) -> JsonObject:
    """The answer to a server's request: a ping is answered, the list of roots is empty, all else is refused."""
    method = str(message.get("method"))
    refused: JsonObject = {"code": METHOD_NOT_FOUND, "message": f"{method} is not offered by this client"}
    results: JsonObject = {"ping": {}, "roots/list": {"roots": []}}
    answer: JsonObject = {"result": results[method]} if method in results else {"error": refused}
    return {"jsonrpc": "2.0", "id": message.get("id"), **answer}


def lines(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The lines that ``chunks`` make together, without their ends, and last what has no end.

    Raises OverflowError if a line is longer than ``limit``.
    """
    parts: list[bytes] = []
    for chunk in chunks:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield b"".join((*parts, end)).rstrip(b"\r")
            parts = []
        parts.append(rest)
        if sum(map(len, parts)) > limit:
            raise OverflowError(f"a line of more than {limit} bytes")
    if tail := b"".join(parts):
        yield tail
