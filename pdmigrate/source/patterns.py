"""Patterns as in ``.gitignore``, matched in bounded time: they come from repositories that nobody vouches for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_LONGEST = 4_096
"""The most characters of a pattern: compiling takes time quadratic in its length, and no path is longer."""
_MOST_STARS = 3
"""The most runs of stars between two slashes: matching a name takes its length to the power of their number."""


def spec(patterns: Iterable[str]) -> GitIgnoreSpec:
    """A matcher for all of ``patterns`` except those that are too expensive."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(pattern for pattern in patterns if is_bounded(pattern))


def is_bounded(pattern: str) -> bool:
    """Whether a pattern can be matched in reasonable time."""
    if len(pattern) > _LONGEST:
        return False
    return all(len(re.findall(r"\*+", part)) <= _MOST_STARS for part in pattern.split("/"))
