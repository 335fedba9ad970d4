"""Bounds on what hostile or merely huge source may cost, counted in steps: a result never depends on the clock."""

from __future__ import annotations

import sys
from contextvars import ContextVar
from dataclasses import dataclass

STEPS = 100_000
"""Expressions and statements evaluated for one way of starting a server; real servers take fewer than 10,000."""
ELEMENTS = 2_000_000
"""Container elements created."""
TEXT_BYTES = 100_000_000
"""Bytes of memory for all texts that are kept, and, counted separately, characters of all texts built, intermediate
ones included; the servers of a real file take a few megabytes."""
LARGEST_TEXT = 2_000_000
LARGEST_PLAIN = 8_000_000
"""Characters in all parts of one value that is converted to a plain Python value."""
CHARACTERS_PER_STEP = 4_096
"""Characters that the slowest string methods process in about the time of one step."""
PASSED_IN_A_STEP = 4
"""Values that a walk over nested values visits in about the time of one step."""
LARGEST_CONTAINER = 50_000
LARGEST_INTEGER_BITS = 4_096
DEPTH = 60
"""Nested calls and imports of the evaluated program."""
PYTHON_FRAMES = 12_000


class BudgetExceededError(Exception):
    """The program asks for more than any server's listing needs."""


@dataclass
class Budget:
    steps: int = STEPS
    elements: int = ELEMENTS
    text_bytes: int = TEXT_BYTES
    characters: int = TEXT_BYTES
    plain: int = 0
    """The size in characters of the value that was last converted to a plain Python value."""

    def step(self, more: int = 0) -> None:
        self.steps -= 1 + more
        if self.steps < 0:
            raise BudgetExceededError("more steps than the evaluator allows")

    def make(self, elements: int) -> None:
        """Account for new container elements."""
        self.elements -= elements
        if self.elements < 0 or elements > LARGEST_CONTAINER:
            raise BudgetExceededError("larger containers than the evaluator builds")

    def text(self, length: int) -> None:
        """Account for a new text of ``length`` characters, before it is built; ``keep`` accounts for its memory."""
        self.characters -= length
        if self.characters < 0 or length > LARGEST_TEXT:
            raise BudgetExceededError("longer texts than the evaluator builds")

    def keep(self, text: str | bytes) -> None:
        """Account for the memory of a text."""
        self.text_bytes -= sys.getsizeof(text)
        if self.text_bytes < 0:
            raise BudgetExceededError("longer texts than the evaluator builds")

    def read(self, characters: int) -> None:
        """Account for processing that many characters, in steps."""
        self.step(characters // CHARACTERS_PER_STEP)

    def add_plain(self, characters: int, *, first: bool) -> None:
        """Account for one part of a value being converted to plain Python; ``first`` restarts the count."""
        self.plain = characters + (0 if first else self.plain)
        if self.plain > LARGEST_PLAIN:
            raise BudgetExceededError("larger values than the evaluator builds")


_CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)


def account_to(budget: Budget) -> None:
    """Make the functions below draw on ``budget``: their callers have no ``Interpreter`` to ask."""
    _CURRENT.set(budget)


def _current() -> Budget:
    return _CURRENT.get() or Budget()


def keep(text: str | bytes) -> None:
    """Account for the memory of a text."""
    _current().keep(text)


def make(elements: int) -> None:
    """Account for the elements of a new container."""
    _current().make(elements)


def add_plain(characters: int, *, first: bool) -> None:
    """Account for one part of a value being converted to plain Python; ``first`` restarts the count."""
    _current().add_plain(characters, first=first)


def owe(elements: int) -> None:
    """Account for joining two states of a container; the next step pays, since a join must not end half done."""
    _current().steps -= elements >> 3


def charge(elements: int) -> None:
    """Account for walking over a container; a container inside several others is walked over once for each of them."""
    _current().step(elements >> 3)
