"""Work done in several processes at once, each of them a copy of this one in its current state.

A copy has everything in memory that its parent has read, and starts in a hundredth of a second; a new process would
import everything again.  Results are bytes, which the caller interprets.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator

_HEADER = 8
"""The bytes of a result's header: four for the number of its piece of work, four for its length."""
_MOST = 8
"""The most processes at once: each of them takes as much memory as a command alone."""
_QUEUE = 4_096
"""The bytes that every pipe accepts before anything reads them, even where a user has many pipes."""


def processors() -> int:
    """How many processes may run at once; 1 where copying a process is unsafe, as with libraries of macOS."""
    return min(_MOST, len(os.sched_getaffinity(0))) if sys.platform == "linux" else 1


def side_by_side(count: int, act: Callable[[int], bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield each piece of work from 0 to ``count`` with the result of ``act``, in the order of completion.

    A piece of work that fails has no result: the caller has to do it again, and gets the exception then.
    """
    waiting, put = os.pipe()
    os.write(put, b"".join(number.to_bytes(4, "big") for number in range(min(count, _QUEUE // 4))))
    os.close(put)
    workers: dict[int, int] = {}
    try:
        for _ in range(min(processors(), count)):
            ours, theirs = os.pipe()
            pid = os.fork()
            if not pid:
                _work(waiting, theirs, act)
            os.close(theirs)
            workers[ours] = pid
        yield from _results(list(workers))
    finally:
        os.close(waiting)
        for pipe, pid in workers.items():
            os.close(pipe)
            os.kill(pid, signal.SIGTERM)  # the copy has exited already, unless this process was interrupted
            os.waitpid(pid, 0)


def _work(waiting: int, theirs: int, act: Callable[[int], bytes]) -> None:
    """Do the waiting pieces of work until none is left, and exit without the parent's cleanup."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        while number := os.read(waiting, 4):
            body = act(int.from_bytes(number, "big"))
            message = memoryview(number + len(body).to_bytes(4, "big") + body)
            while message:
                message = message[os.write(theirs, message) :]
    finally:
        os._exit(0)


def _results(pipes: list[int]) -> Iterator[tuple[int, bytes]]:
    import selectors

    parts = {pipe: bytearray() for pipe in pipes}
    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                pipe = key.fd
                more = os.read(pipe, 1 << 20)
                if not more:
                    selector.unregister(pipe)
                parts[pipe] += more
                yield from _whole(parts[pipe])


def _whole(received: bytearray) -> Iterator[tuple[int, bytes]]:
    """Yield the results that have arrived completely, and remove them from ``received``."""
    while len(received) >= _HEADER:
        end = _HEADER + int.from_bytes(received[4:_HEADER], "big")
        if len(received) < end:
            return
        yield int.from_bytes(received[:4], "big"), bytes(received[_HEADER:end])
        del received[:end]
