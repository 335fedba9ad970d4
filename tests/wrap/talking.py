"""A client in plain JSON-RPC over pipes, which keeps every message that it gets."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

Json = dict[str, Any]
HELLO: Json = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"roots": {}, "elicitation": {}},
    "clientInfo": {"name": "test", "version": "1"},
}
PATIENCE = 20.0


class Client:
    """Talks to a process; answers what the server asks, and keeps all messages in ``got``."""

    def __init__(self, command: list[str], **environment: str) -> None:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.process = subprocess.Popen(command, **pipes, env={**os.environ, **environment})
        self.got: list[Json] = []
        self.said: list[str] = []
        self._numbers = 0
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._threads = [threading.Thread(target=work, daemon=True) for work in (self._read, self._listen)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        with self.process.stdout as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put(b"")

    def _listen(self) -> None:
        with self.process.stderr as lines:
            for line in lines:
                self.said.append(line.decode("utf-8", "replace"))

    def send(self, message: Json) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def write(self, line: bytes) -> None:
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def next(self) -> Json:
        """The next message; a request of the server is answered.  Raises EOFError at the end."""
        line = self._lines.get(timeout=PATIENCE)
        if not line:
            raise EOFError
        message: Json = json.loads(line)
        self.got.append(message)
        if message.get("method") == "roots/list":
            self.send({"id": message["id"], "result": {"roots": []}})
        elif message.get("method") == "elicitation/create":
            self.send({"id": message["id"], "result": {"action": "accept", "content": {}}})
        return message

    def begin(self, method: str, params: Json | None = None) -> int:
        self._numbers += 1
        self.send({"id": self._numbers, "method": method, **({} if params is None else {"params": params})})
        return self._numbers

    def answer(self, number: int) -> Json:
        """The answer to a request that was begun."""
        while (message := self.next()).get("id") != number or "method" in message:
            pass
        return message

    def ask(self, method: str, params: Json | None = None) -> Json:
        return self.answer(self.begin(method, params))

    def call(self, name: str, **params: Any) -> Json:
        return self.ask("tools/call", {"name": name, "arguments": {"text": "hello"}, **params})

    def fetch(self, *names: str) -> Json:
        uri = f"resource:///tool_descriptions?tools={','.join(names)}"
        fetched: Json = json.loads(self.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"])
        return fetched

    def tools(self) -> list[Json]:
        """The tools of all pages."""
        found, cursor = [], None
        while True:
            page = self.ask("tools/list", {"cursor": cursor} if cursor else {})["result"]
            found += page["tools"]
            cursor = page.get("nextCursor")
            if cursor is None:
                return found

    def close(self) -> int:
        """Leave as clients do; the status of the process, which has ended."""
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.wait(PATIENCE)
            for thread in self._threads:
                thread.join(PATIENCE)


@contextmanager
def client(command: list[str], *, introduced: bool = True, **environment: str) -> Iterator[Client]:
    """A client that has introduced itself, if it is to be ``introduced``; its server has ended afterwards."""
    talking = Client(command, **environment)
    try:
        if introduced:
            talking.ask("initialize", HELLO)
            talking.send({"method": "notifications/initialized"})
        yield talking
    finally:
        talking.close()


PYTHON = sys.executable
