"""A bound in processor time for what evaluates a program, and a word on which program that is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

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
