"""Read an HTTP body, plain or as server-sent events, within bounds of time and size."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Protocol

from pdmigrate.live.wire.errors import BadAnswerError, NoAnswerError
from pdmigrate.live.wire.messages import LineBuffer

MAX_BODY = 64 * 1024 * 1024


class ResponseBody(Protocol):
    """The part of a response that is needed here."""

    def read1(self, n: int = -1, /) -> bytes: ...


def chunks(body: ResponseBody, deadline: float) -> Iterator[bytes]:
    """The body as it arrives.  The time is checked between reads, so that a slow trickle does not go on for ever.

    Raises:
        NoAnswerError: the body goes on after ``deadline`` (of the monotonic clock).
        BadAnswerError: the body is longer than ``MAX_BODY``.
    """
    size = 0
    while chunk := body.read1(65536):
        size += len(chunk)
        if size > MAX_BODY:
            raise BadAnswerError(f"the server's answer is longer than {MAX_BODY} bytes")
        yield chunk
        if time.monotonic() > deadline:
            raise NoAnswerError("the server did not finish its answer in time")


def events(body: ResponseBody, deadline: float) -> Iterator[bytes]:
    """The data of each event of a stream; comments, which keep the stream alive, and other fields are skipped.

    Raises:
        NoAnswerError, BadAnswerError: as ``chunks``.
    """
    lines = LineBuffer(MAX_BODY)
    data: list[bytes] = []
    for chunk in chunks(body, deadline):
        for line in lines.feed(chunk):
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
            elif not line and data:
                yield b"\n".join(data)
                data = []
