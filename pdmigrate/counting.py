"""Counts, and lists of names cut to a length, as text for messages."""

from __future__ import annotations

from collections.abc import Sequence


def plural(count: int, word: str) -> str:
    """``1 tool``, ``2 tools``."""
    return f"{count:,} {word if count == 1 else word + 's'}"


def joined(names: Sequence[str], last: str = " and ") -> str:
    """All names as one text: ``a``, ``a and b``, ``a, b and c``."""
    return last.join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def some(names: Sequence[str], most: int = 3, *, between: str = ", ", last: str = " and ") -> str:
    """The names as one text: ``a, b, c``; beyond ``most`` names, a count of the rest: ``a, b, c and 4 more``."""
    rest = f"{last}{len(names) - most} more" if len(names) > most else ""
    return between.join(names[:most]) + rest
