"""The disk as it may be: a process killed, or an error raised, at the n-th call that changes something."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CALLS = ("open", "mkdir", "makedirs", "unlink", "rmdir", "rename", "replace", "fsync", "chmod", "write", "truncate")
KILLED = 77
_WRITING = os.O_WRONLY | os.O_RDWR


def patched(monkeypatch: pytest.MonkeyPatch, before_call: Callable[[str], None]) -> None:
    """Call ``before_call`` with the name of every call that is about to change the disk."""
    for name in CALLS:
        real = getattr(os, name)

        def wrapped(*arguments: Any, _real: Any = real, _name: str = name, **options: Any) -> Any:
            if _name != "open" or arguments[1] & _WRITING:
                before_call(_name)
            return _real(*arguments, **options)

        monkeypatch.setattr(os, name, wrapped)


def killed_at(number: int, work: Callable[[], None]) -> bool:
    """Do ``work`` in a process that is ended, with no chance to clean up, before its ``number``-th call.

    False when the work ended before that.
    """
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        _in_child(number, work)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, KILLED), f"the child ended with {code}"
    return code == KILLED


def _in_child(number: int, work: Callable[[], None]) -> None:
    seen = 0

    def count(_name: str) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            os._exit(KILLED)

    try:
        with pytest.MonkeyPatch.context() as monkeypatch:
            patched(monkeypatch, count)
            work()
    except BaseException as error:  # noqa: BLE001 - the child must end here, whatever happens
        os.write(2, f"{error!r}\n".encode())
        os._exit(1)
    os._exit(0)


@contextmanager
def failing_at(number: int, code: int, *, for_good: bool) -> Iterator[Callable[[], bool]]:
    """Raise ``OSError(code)`` at the ``number``-th call that needs room or rights, ``for_good`` from then on.

    Removing and renaming need no room, so they go on working when a disk is full.
    """
    seen, failed = 0, False
    needy = ("open", "mkdir", "fsync", "write") if code == errno.ENOSPC else CALLS

    def count(name: str) -> None:
        nonlocal seen, failed
        if name not in needy:
            return
        seen += 1
        if seen == number or (for_good and seen > number and code == errno.ENOSPC):
            failed = True
            raise OSError(code, os.strerror(code), "somewhere")

    with pytest.MonkeyPatch.context() as monkeypatch:
        patched(monkeypatch, count)
        yield lambda: failed
