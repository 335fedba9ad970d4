"""The two streams: the result goes to standard output, all other talk to standard error; colour only on a terminal."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from pdmigrate.escaping import block, json_text, one_line
from pdmigrate.model import JsonObject


def result(text: str) -> None:
    """Print a result for people, as UTF-8 whatever the locale says."""
    result_bytes(_shown(text, sys.stdout).encode())


def document(text: str) -> None:
    """Print a result for programs, in a format that has escapes of its own."""
    result_bytes(text.encode())


def contents(text: str) -> None:
    """Print the content of a file: unchanged, or on a terminal without characters that would drive it."""
    if sys.stdout.isatty():
        result_bytes(block(text, colour=colours(sys.stdout)).encode())
    else:
        result_bytes(text.encode("utf-8", "backslashreplace"))


def result_bytes(raw: bytes) -> None:
    """Print bytes as they are: a patch must survive the pipe."""
    sys.stdout.flush()
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


def result_json(value: JsonObject) -> None:
    """Print a JSON document.  Raises ValueError if a number is not finite, which JSON cannot express."""
    document(json_text(value) + "\n")


_silent = False


def quiet(wanted: bool) -> None:
    """Set whether the rest of this run prints nothing but results and errors."""
    global _silent
    _silent = wanted


def is_quiet() -> bool:
    return _silent


def talk(text: str = "", *, always: bool = False) -> None:
    """Print ``text``, which is not the result, on standard error; after ``quiet`` only if ``always`` is set."""
    sys.stdout.flush()
    if _silent and not always:
        return
    text = _shown(text, sys.stderr)
    try:
        print(text, file=sys.stderr)  # noqa: T201 - the talk of the command line
    except UnicodeEncodeError:
        sys.stderr.buffer.write(text.encode(sys.stderr.encoding or "ascii", "backslashreplace") + b"\n")


def colours(stream: TextIO) -> bool:
    """Whether ``stream`` is a terminal that wants colour (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def prompt(text: str) -> None:
    """Ask the person something; the answer comes on standard input."""
    sys.stdout.flush()
    print(block(text), end="", file=sys.stderr, flush=True)  # noqa: T201 - the talk of the command line


def _shown(text: str, stream: TextIO) -> str:
    return block(text, colour=colours(stream))


_PROGRESS = 79
"""The columns of a line of progress: one that a terminal wraps cannot be taken back."""


@contextmanager
def working(what: str) -> Iterator[None]:
    """A context manager: on a terminal, show ``what``, the file at work and the seconds taken, from the first on."""
    if _silent or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield
        return
    from pdmigrate.understand.inventory.side_by_side import at_work

    done = threading.Event()
    clock = threading.Thread(target=_tick, args=(one_line(what), at_work, done), daemon=True)
    clock.start()
    try:
        yield
    finally:
        done.set()
        clock.join()


def _tick(what: str, at_work: Callable[[], str], done: threading.Event) -> None:
    started = time.monotonic()
    shown = False
    while not done.wait(0.5):
        seconds = int(time.monotonic() - started)
        if seconds:
            shown = True
            file, tail = one_line(at_work()), f" ... {seconds} s"
            head = f"{what}, {file}" if file else what
            line = head[: _PROGRESS - len(tail)] + tail
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)  # noqa: T201 - the talk
    if shown:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)  # noqa: T201 - the talk
