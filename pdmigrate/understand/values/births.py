"""Which of two objects was made first, as the program would make them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pdmigrate.understand.values.containers import Mutable

Stamp = tuple[int, ...]


class Work:
    """Counts what is done with values apart from the program's own steps: visiting and joining them."""

    __slots__ = ("age", "changes", "done")

    def __init__(self) -> None:
        self.done = self.changes = self.age = 0
        """``age`` grows when an object changes that code which is not followed got hold of."""

    def taken(self) -> int:
        """What was done since this was asked before, as steps of an evaluation."""
        done, self.done = self.done // _PARTS, self.done % _PARTS
        return done


_PARTS = 16
"""How many parts of values are visited or joined in the time of one step."""
FIRST: Stamp = ()
"""The stamp of what is there before everything: the names of modules."""


class Births:
    """Stamps for objects, each later than the one before it.

    What is carried out only because a branch asks for it happened before the branch: its stamps are earlier than those
    of the branch, and later than those of all that was made before it.
    """

    def __init__(self) -> None:
        self._prefix: Stamp = ()
        self._counters: dict[Stamp, Iterator[int]] = {(): count(1)}

    def __next__(self) -> Stamp:
        return (*self._prefix, next(self._counters[self._prefix]))

    def before(self, *objects: Mutable) -> None:
        """Let objects that were made before count as such, wherever they were made."""
        now = next(self)
        for item in objects:
            item.born = min(item.born, now)

    @contextmanager
    def earlier(self, branch: Stamp | None) -> Iterator[None]:
        """Inside, stamps are earlier than ``branch``, that of the outermost branch that is being carried out."""
        outside = self._prefix
        if branch is not None:
            self._prefix = (*branch[:-1], branch[-1] - 1)
            self._counters.setdefault(self._prefix, count(1))
        try:
            yield
        finally:
            self._prefix = outside
