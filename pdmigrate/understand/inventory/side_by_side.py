"""Work done in bounded time, and in several processes at once, each of them a copy of this one in its current state.

A copy has everything in memory that its parent has read, and starts in a hundredth of a second; a new process would
import everything again.  Results are bytes, which the caller interprets.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_HEADER = 8
"""The bytes of a result's header: four for the number of its piece of work, four for its length."""
_MOST = 8
"""The most processes at once: each of them takes as much memory as a command alone."""
_QUEUE = 4_096
"""The bytes that every pipe accepts before anything reads them, even where a user has many pipes."""
_LARGEST = 160_000_000
"""The bytes of memory above which a copy is replaced by a fresh one: Python returns little memory to the system, and
the next piece of work needs more."""
_ROOM = 40_000_000
"""The bytes by which a copy may grow in any case: its parent alone may exceed ``_LARGEST``."""
_COLLECT_AFTER = 400_000, 1, 2
"""The thresholds of a copy's garbage collector: it skips the objects of the parent, and the copy's own objects are
interpreters, one after the other, each with tens of megabytes of reference cycles."""
_GROWN = b"\xff\xff\xff\xff" + bytes(4)
"""The message of a copy that ends because it has grown, instead of a result."""


def processors() -> int:
    """How many processes may run at once; 1 where copying a process is unsafe, as with libraries of macOS."""
    return min(_MOST, len(os.sched_getaffinity(0))) if sys.platform == "linux" else 1


def side_by_side(count: int, act: Callable[[int], bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers of pieces of work below ``count``, each with the result of ``act``, in the order of completion.

    A piece of work that fails has no result: the caller has to do it again, and gets the exception then.  Pieces
    of work beyond the first ``_QUEUE // 4`` have no result either.
    """
    waiting, put = os.pipe()
    os.write(put, b"".join(number.to_bytes(4, "big") for number in range(min(count, _QUEUE // 4))))
    os.close(put)
    workers: dict[int, int] = {}

    def start() -> int:
        ours, theirs = os.pipe()
        pid = os.fork()
        if not pid:
            _work(waiting, theirs, act)
        os.close(theirs)
        workers[ours] = pid
        return ours

    def end(pipe: int) -> None:
        os.close(pipe)
        pid = workers.pop(pipe)
        os.kill(pid, signal.SIGTERM)  # the copy has exited already, unless this process was interrupted
        os.waitpid(pid, 0)

    try:
        for _ in range(min(processors(), count)):
            start()
        yield from _results(list(workers), start, end)
    finally:
        os.close(waiting)
        for pipe in list(workers):
            end(pipe)


def _work(waiting: int, theirs: int, act: Callable[[int], bytes]) -> None:
    """Do the waiting pieces of work until none is left, and exit without the parent's cleanup."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)
    most = max(_LARGEST, _memory() + _ROOM)
    try:
        while number := os.read(waiting, 4):
            body = act(int.from_bytes(number, "big"))
            message = memoryview(number + len(body).to_bytes(4, "big") + body)
            while message:
                message = message[os.write(theirs, message) :]
            if _memory() > most:
                os.write(theirs, _GROWN)
                break
    finally:
        os._exit(0)


def _memory() -> int:
    """The most bytes of memory that this process has used at once."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _results(pipes: list[int], start: Callable[[], int], end: Callable[[int], None]) -> Iterator[tuple[int, bytes]]:
    """Yield the results as they arrive; replace copies that end because they have grown."""
    import selectors

    parts = {pipe: bytearray() for pipe in pipes}
    with selectors.DefaultSelector() as selector:
        for pipe in pipes:
            selector.register(pipe, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                pipe = key.fd
                more = os.read(pipe, 1 << 20)
                parts[pipe] += more
                yield from _whole(parts[pipe])
                if not more:
                    selector.unregister(pipe)
                    if parts.pop(pipe) == _GROWN:
                        end(pipe)
                        parts[new := start()] = bytearray()
                        selector.register(new, selectors.EVENT_READ)


def _whole(received: bytearray) -> Iterator[tuple[int, bytes]]:
    """Yield the results that have arrived completely, and remove them from ``received``."""
    while len(received) >= _HEADER and received != _GROWN:
        end = _HEADER + int.from_bytes(received[4:_HEADER], "big")
        if len(received) < end:
            return
        yield int.from_bytes(received[:4], "big"), bytes(received[_HEADER:end])
        del received[:end]


# --- bounded time -----------------------------------------------------------------------------------------------------

SECONDS = 60.0
"""The processor time that a file of servers may take, unless a project says otherwise."""


class OutOfTimeError(BaseException):
    """The time is up.  No code between here and the caller may take it for an error of its own."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """A context manager that ends what runs inside it after so much processor time.

    Only where the system counts that (not on Windows), and only in a main thread.

    Raises:
        OutOfTimeError: the time is up.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


_at_work: tuple[str, ...] = ()


def note(*paths: str) -> None:
    """Note which files are evaluated now."""
    global _at_work
    _at_work = paths


def at_work() -> str:
    """The file that is evaluated now, and how many others are; empty if none is."""
    return " and ".join([*_at_work[:1], *([f"{len(_at_work) - 1} more"] if len(_at_work) > 1 else [])])
