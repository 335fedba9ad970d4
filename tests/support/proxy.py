"""A proxy that hands each connection to the next of several servers, as a load balancer in front of replicas does."""

from __future__ import annotations

import itertools
import socket
import socketserver
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any


@contextmanager
def round_robin(ports: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
    """The proxy's port, and the ports that it has chosen so far, one for each connection."""
    chosen: list[int] = []
    turns = itertools.cycle(ports)

    class Connection(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            chosen.append(next(turns))
            with socket.create_connection(("127.0.0.1", chosen[-1]), timeout=30) as server:
                answer = threading.Thread(target=_copy, args=(server, self.request))
                answer.start()
                _copy(self.request, server)
                answer.join()

    with _Proxy(("127.0.0.1", 0), Connection) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        try:
            yield proxy.server_address[1], chosen
        finally:
            proxy.shutdown()


class _Proxy(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    server_address: tuple[Any, int]


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Everything from one side to the other, and the end of it."""
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)
