"""Which of two objects was made first, as the program would make them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pdmigrate.understand.values.core import Mutable

_ERA = 10**12
FIRST = -(10**18)
"""The stamp of what is there before everything: the names of modules."""


class Births:
    """Stamps for objects, each later than the one before it.

    What is carried out only because something asks for it happened before whatever asks: its stamps are earlier.
    """

    def __init__(self) -> None:
        self._eras = [count()]
        self._era = 0

    def __next__(self) -> int:
        return next(self._eras[self._era])

    def before(self, *objects: Mutable) -> None:
        """Let objects that were made before count as such, wherever they were made."""
        now = next(self)
        for item in objects:
            item.born = min(item.born, now)

    @contextmanager
    def earlier(self) -> Iterator[None]:
        """Inside, stamps are earlier than all those outside."""
        self._era += 1
        if self._era == len(self._eras):
            self._eras.append(count(-self._era * _ERA))
        try:
            yield
        finally:
            self._era -= 1
