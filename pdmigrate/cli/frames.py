"""Room for many nested calls: the evaluator goes deep, and CPython pays for its frames in small pieces.

CPython 3.11 and later keep the frames of Python functions in chunks of 16 kB, each asked of the operating system when
a call does not fit into the last one, and given back when that call returns.  A loop that happens to stand just below
the end of a chunk asks and gives back in every turn: a quarter of what reading a large project cost was spent so.  A
frame that is itself larger than a chunk gets one of the next power of two; with a frame of just over half of one, the
other half takes everything that is called from it.  Nothing is touched before it is used, so it takes no memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

WORDS = (1 << 20) + 1
"""Of the large frame: just over 8 MB, in a chunk of 16 MB."""


def with_room(call: Callable[[], Result]) -> Result:
    """What ``call`` returns, with room for its frames and all below them."""
    return call()


if sys.implementation.name == "cpython" and sys.version_info >= (3, 11):
    with_room.__code__ = with_room.__code__.replace(co_stacksize=WORDS)
