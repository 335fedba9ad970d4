"""Room for many nested calls: evaluating a program goes deep, and CPython gets memory for frames in small pieces.

CPython 3.11 and later keep the frames of Python functions in chunks of 16 kB: a chunk is requested from the operating
system when a call does not fit into the last one, and given back when that call returns.  A loop whose calls happen to
cross the end of a chunk requests a chunk and gives it back in every turn, which took a quarter of the time for reading
a large project.  A frame that is itself larger than a chunk gets a chunk whose size is the next power of two; if the
frame takes just over half of it, the other half holds the frames of everything that is called from there.  Memory that
is never touched is never allocated, so the large frame costs nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

WORDS = (1 << 20) + 1
"""The size of the large frame, in words: just over 8 MB, in a chunk of 16 MB."""


def with_room(call: Callable[[], Result]) -> Result:
    """The result of ``call``, whose frame and those of all that it calls find room in one chunk."""
    return call()


if sys.implementation.name == "cpython" and sys.version_info >= (3, 11):
    with_room.__code__ = with_room.__code__.replace(co_stacksize=WORDS)
