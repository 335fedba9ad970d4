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
from itertools import islice
from types import FrameType

_MOST = 8
"""The most processes at once: each of them takes as much memory as a command alone."""
_COLLECT_AFTER = 400_000, 1, 2
"""The thresholds of a copy's garbage collector: it skips the objects of the parent, and the copy's own objects are
those of an interpreter, with tens of megabytes of reference cycles."""


def processors() -> int:
    """How many processes may run at once; 1 where copying a process is unsafe, as with libraries of macOS."""
    return min(_MOST, len(os.sched_getaffinity(0))) if sys.platform == "linux" else 1


def side_by_side(count: int, act: Callable[[int], bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers of pieces of work below ``count``, each with the result of ``act``, in the order of completion.

    Each piece has a copy of its own, and so gives back the memory that it takes.  A piece of work that fails has no
    result: the caller has to do it again, and gets the exception then.
    """
    import selectors

    copies: dict[int, tuple[int, int, bytearray]] = {}
    with selectors.DefaultSelector() as selector:

        def start(number: int) -> None:
            ours, theirs = os.pipe()
            pid = os.fork()
            if not pid:
                _work(theirs, lambda: act(number))
            os.close(theirs)
            copies[ours] = number, pid, bytearray()
            selector.register(ours, selectors.EVENT_READ)

        def end(pipe: int) -> bool:
            """End a copy; say whether it had done its work."""
            selector.unregister(pipe)
            os.close(pipe)
            pid = copies.pop(pipe)[1]
            os.kill(pid, signal.SIGTERM)  # the copy has exited already, unless this process was interrupted
            return os.waitpid(pid, 0)[1] == 0

        numbers = iter(range(count))
        try:
            for number in islice(numbers, processors()):
                start(number)
            while copies:
                for pipe in [key.fd for key, _ in selector.select()]:
                    number, _, body = copies[pipe]
                    body += (more := os.read(pipe, 1 << 20))
                    if more:
                        continue
                    is_done = end(pipe)
                    for following in islice(numbers, 1):
                        start(following)
                    if is_done:
                        yield number, bytes(body)
        finally:
            for pipe in list(copies):
                end(pipe)


def _work(theirs: int, act: Callable[[], bytes]) -> None:
    """Do a piece of work, and exit without the parent's cleanup; the status is 0 if all of the result is written."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)
    status = 1
    try:
        body = memoryview(act())
        while body:
            body = body[os.write(theirs, body) :]
        status = 0
    finally:
        os._exit(status)


# --- bounded time -----------------------------------------------------------------------------------------------------

SECONDS = 60.0
"""The processor time that a file of servers may take, unless a project says otherwise."""


class OutOfTimeError(BaseException):
    """The time is up.  No code between here and the caller may take it for an error of its own."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """A context manager that ends what runs inside it after so much processor time.

    Only where the system counts that (not on Windows), and only in a main thread.  Raises OutOfTimeError if the time is
    up.
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
