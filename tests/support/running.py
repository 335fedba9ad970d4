"""Servers that tests start: ended by the id they were started with, whatever happens in between."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def listening(command: Sequence[str]) -> Iterator[int]:
    """The port of a server that prints it as its first line."""
    process = subprocess.Popen(list(command), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait(timeout=10)
        if process.stdout is not None:
            process.stdout.close()
