"""How much Python source is parsed of one file."""

from __future__ import annotations

MOST_SYNTAX = 64_000
"""A tree takes 2 to 5 kB for each of what is counted; the largest of 2,200 modules of published servers has 46,000."""
_ENDS = tuple(bytes([character]) for character in b",;.:=([+-*/%<>|&^~@\r")


def is_too_much(raw: bytes) -> bool:
    """Whether the tree of what is in a Python file would take hundreds of megabytes.

    Counted are the marks after which a name, a value or a statement stands, lines and fields of texts twice: the size
    of the file says little, since a tree has a node for every two bytes of ``1,1,1``, and one for a text of any length.
    """
    if len(raw) <= MOST_SYNTAX:
        return False
    return sum(map(raw.count, _ENDS)) + 2 * (raw.count(b"\n") + raw.count(b"{")) > MOST_SYNTAX
