"""JSON-RPC messages as values: reading them, and answering a server's own requests as a client must."""

from __future__ import annotations

import json

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


class LineBuffer:
    """Turns bytes into whole lines, in bounded memory."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._bytes = bytearray()
        self._searched = 0

    def feed(self, chunk: bytes) -> list[bytes]:
        """The lines that ``chunk`` completes, without their ends.

        Raises OverflowError if a line is longer than the limit.
        """
        self._bytes += chunk
        lines: list[bytes] = []
        start = 0
        while (end := self._bytes.find(b"\n", max(start, self._searched))) >= 0:
            lines.append(bytes(self._bytes[start:end]).rstrip(b"\r"))
            start = end + 1
        del self._bytes[:start]
        self._searched = len(self._bytes)
        if self._searched > self._limit:
            raise OverflowError(f"a line of more than {self._limit} bytes")
        return lines

    def rest(self) -> bytes:
        """The bytes after the last line end."""
        return bytes(self._bytes)
