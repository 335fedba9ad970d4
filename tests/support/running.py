"""Servers that tests start: ended by the id they were started with, whatever happens in between."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager


@contextmanager
def listening(command: Sequence[str]) -> Iterator[int]:
    """The port of a server that prints it as its first line."""
    process = subprocess.Popen(list(command), stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait(timeout=10)
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def serving(*commands: Sequence[str], env: Mapping[str, str] | None = None) -> Iterator[tuple[int, ...]]:
    """The ports of servers that are told theirs by ``--http PORT``, all started at once."""
    started: list[tuple[subprocess.Popen[bytes], int]] = []
    try:
        for command in commands:
            started.append(_start(command, env))
        for number, command in enumerate(commands):
            # Somebody else may take a port between its choice and its use.
            for _ in range(3):
                if accepts(*started[number]):
                    break
                started[number] = _start(command, env)
            else:
                raise AssertionError(f"the server ends at once: {command!r}")
        yield tuple(port for _, port in started)
    finally:
        for process, _ in started:
            process.kill()
            process.wait(timeout=10)


def _start(command: Sequence[str], env: Mapping[str, str] | None) -> tuple[subprocess.Popen[bytes], int]:
    port = free_port()
    silent = subprocess.DEVNULL
    process = subprocess.Popen([*command, "--http", str(port)], stdin=silent, stdout=silent, stderr=silent, env=env)
    return process, port


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now."""
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return int(chosen.getsockname()[1])


def accepts(process: subprocess.Popen[bytes], port: int) -> bool:
    """Wait until the server accepts connections; false if it has ended instead."""
    for _ in range(3000):
        if process.poll() is not None:
            return False
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return True
    raise AssertionError(f"nothing answers on port {port}: {process.args!r}")


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within ten seconds."""
    for _ in range(200):
        if holds():
            return True
        time.sleep(0.05)
    return False
