"""What a server tells its client unasked, over whatever transport and in whichever protocol era."""

from __future__ import annotations

import contextlib
import json
import threading
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any

from pdmigrate.live.wire import HttpTarget, Session, StdioTarget, Target, connect
from pdmigrate.live.wire.errors import NoAnswerError
from pdmigrate.live.wire.http import events
from pdmigrate.live.wire.session import ENVELOPES, enveloped
from pdmigrate.model import JsonObject

CHANGED = "notifications/tools/list_changed"
LISTEN: JsonObject = {"notifications": {"toolsListChanged": True}}
SECONDS = 60.0


@dataclass
class Ear:
    """The messages so far; those of a pipe are in a file."""

    log: Path | None = None
    streamed: list[Any] = field(default_factory=list)

    @property
    def messages(self) -> list[Any]:
        if self.log is None:
            return [*self.streamed]
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines(keepends=True)[:-1]]

    def heard(self, *methods: str) -> list[Any]:
        """Messages of these methods, without what numbers them."""
        found = [message for message in self.messages if message.get("method") in methods]
        return [{key: value for key, value in message.items() if key != "jsonrpc"} for message in found]

    def wait(self, method: str) -> bool:
        """Whether such a message comes in time."""
        deadline = time.monotonic() + SECONDS
        while not self.heard(method):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.01)
        return True


@contextmanager
def hearing(target: Target, era: str, folder: Path) -> Iterator[tuple[Session, Ear]]:
    """A session that asks to be told when the tools change, and what it is told."""
    ear = Ear()
    if isinstance(target, StdioTarget):
        ear.log = folder / f"{time.monotonic_ns()}.log"
        target = replace(target, command=("sh", "-c", '"$@" | tee "$0"', str(ear.log), *target.command))
    with connect(target, timeout=30) as opened:
        opened.initialize(era)
        if isinstance(target, HttpTarget):
            _stream(opened, target, era, ear)
        elif era == ENVELOPES:
            opened.transport.notify(_listen(era), headers={}, timeout=SECONDS)
        yield opened, ear


def _listen(era: str) -> Any:
    params = enveloped(LISTEN, era, {"name": "ear", "version": "1"})
    return {"jsonrpc": "2.0", "id": "ear", "method": "subscriptions/listen", "params": params}


def _stream(opened: Session, target: HttpTarget, era: str, ear: Ear) -> None:
    """Open the stream of this era, and return when the server has taken it."""
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": era, **target.headers}
    body: bytes | None = None
    if era == ENVELOPES:
        body = json.dumps(_listen(era)).encode()
        headers.update({"Content-Type": "application/json", "Mcp-Method": "subscriptions/listen"})
    else:
        headers["Mcp-Session-Id"] = str(opened.transport.session_id)
    started = threading.Event()
    threading.Thread(target=_read, args=(target.url, body, headers, ear, started), daemon=True).start()
    assert started.wait(SECONDS)


def _read(url: str, body: bytes | None, headers: Mapping[str, str], ear: Ear, started: threading.Event) -> None:
    request = urllib.request.Request(url, data=body, headers=dict(headers))
    # The end of the session, or of the server, ends it; and so does a server that has nobody to listen.
    with (
        contextlib.suppress(OSError, HTTPException, NoAnswerError),
        urllib.request.urlopen(request, timeout=SECONDS) as response,
    ):
        if body is None:
            started.set()
        for data in events(response, time.monotonic() + SECONDS):
            ear.streamed.append(json.loads(data))
            started.set()
    started.set()
