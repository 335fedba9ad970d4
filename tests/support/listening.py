"""HTTP servers in the process of the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Answering(BaseHTTPRequestHandler):
    """Hands JSON that is posted to ``post``, and answers in JSON or in another kind that it is told."""

    def do_POST(self) -> None:
        self.post(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def do_GET(self) -> None:
        self.get()

    def do_DELETE(self) -> None:
        self.delete()

    def post(self, asked: Any) -> None:
        raise NotImplementedError

    def get(self) -> None:
        self.answer(405)

    def delete(self) -> None:
        self.answer(405)

    def answer(self, status: int, content: Any = b"", kind: str = "application/json", **headers: str) -> None:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def answered_by(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server whose requests ``handler`` answers; nothing is logged."""
    quiet = type("Quiet", (handler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), quiet) as server:
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a client that hangs up is no error
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
