"""The notes server over stdio and over HTTP, with and without sessions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pdmigrate.live.wire import HttpTarget, StdioTarget
from tests.support.listening import Answering, answered_by
from tests.verify import notes

NOTES = Path(__file__).with_name("notes.py")
At = Callable[[str], HttpTarget]


class Handler(Answering):
    """Answers at ``/VARIANT/NUMBER/mcp``, each number by a server of its own; below ``/stateless`` without sessions."""

    wbufsize = -1  # head and body in one packet: the client would wait for the second
    servers: ClassVar[dict[str, notes.Notes]] = {}
    sessions: ClassVar[dict[str, notes.Session]] = {}

    def post(self, message: Any) -> None:
        server = self.servers.setdefault(self.path, notes.Notes(self.path.split("/")[-3]))
        if "id" not in message:
            self.answer(202)
            return
        key = self.headers.get("Mcp-Session-Id", "")
        session = self.sessions.get(f"{self.path} {key}") or server.session()
        if message["method"] == "initialize" and not self.path.startswith("/stateless/"):
            key = str(session.number)
            self.sessions[f"{self.path} {key}"] = session
        self.answer(200, server.answer(message, session), **({"Mcp_Session_Id": key} if key else {}))

    def delete(self) -> None:
        self.answer(200)


@pytest.fixture(scope="session")
def stdio() -> Callable[[str], StdioTarget]:
    """A variant of the notes server over stdio."""
    return lambda variant: StdioTarget((sys.executable, str(NOTES), variant))


@pytest.fixture(scope="session")
def http() -> Iterator[At]:
    """A variant of the notes server over HTTP with sessions: another server at each call."""
    numbers = count()
    with answered_by(Handler) as address:
        yield lambda variant: HttpTarget(f"{address}/{variant}/{next(numbers)}/mcp")


@pytest.fixture(scope="session")
def stateless(http: At) -> At:
    """A variant of the notes server over HTTP without sessions."""
    return lambda variant: http(f"stateless/{variant}")
