"""The transport of before streamable HTTP: one stream of events for each connection, and posts beside it."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse
from typing import Any

from pdmigrate.live.wire import Session
from pdmigrate.live.wire.errors import NoAnswerError
from pdmigrate.live.wire.http import events
from pdmigrate.model import JsonObject

SECONDS = 60.0


class SseTransport:
    """One connection to a server at ``url``."""

    has_sessions = True

    def __init__(self, url: str, stream: HTTPResponse) -> None:
        self._stream = stream
        self._heard: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._address = urllib.parse.urljoin(url, self._heard.get(timeout=SECONDS).decode())

    def request(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> JsonObject:
        self.notify(message, headers=headers, timeout=timeout)
        while True:
            found: Any = json.loads(self._heard.get(timeout=timeout))
            if found.get("id") == message["id"]:
                return dict(found)

    def notify(self, message: JsonObject, *, headers: Mapping[str, str], timeout: float) -> None:
        sent = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(self._address, data=json.dumps(message).encode(), headers=sent)
        urllib.request.urlopen(request, timeout=timeout).close()

    def _read(self) -> None:
        with contextlib.suppress(OSError, HTTPException, NoAnswerError, AttributeError, ValueError):
            for data in events(self._stream, time.monotonic() + SECONDS):
                self._heard.put(data)


@contextmanager
def sse_session(url: str, era: str, *, lists: bool = True) -> Iterator[Session]:
    stream = urllib.request.urlopen(
        urllib.request.Request(url, headers={"Accept": "text/event-stream"}), timeout=SECONDS
    )
    opened = Session(SseTransport(url, stream), timeout=SECONDS)
    opened.initialize(era)
    if lists:
        opened.list_tools()
    yield opened
