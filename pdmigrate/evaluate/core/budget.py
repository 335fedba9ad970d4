"""Bounds on what hostile or merely huge source may cost, counted in steps: a result never depends on the clock."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

STEPS = 100_000
"""Expressions and statements evaluated for one file of servers; real ones take fewer than 10,000."""
ELEMENTS = 2_000_000
"""Container elements and characters (in thousands) created."""
LARGEST_TEXT = 2_000_000
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

    def step(self, more: int = 0) -> None:
        self.steps -= 1 + more
        if self.steps < 0:
            raise BudgetExceededError("more steps than the evaluator takes")

    def reserve(self) -> int:
        """Keep a quarter of the steps back; they are given back with ``release``."""
        kept = max(self.steps, 0) // 4
        self.steps -= kept
        return kept

    def release(self, kept: int) -> None:
        self.steps = max(self.steps, 0) + kept

    def make(self, elements: int) -> None:
        """Account for new container elements."""
        self.elements -= elements
        if self.elements < 0 or elements > LARGEST_CONTAINER:
            raise BudgetExceededError("larger containers than the evaluator builds")

    def text(self, length: int) -> None:
        """Account for a new text of ``length`` characters, before it is made."""
        self.elements -= length >> 10
        if self.elements < 0 or length > LARGEST_TEXT:
            raise BudgetExceededError("longer texts than the evaluator builds")


_CURRENT: ContextVar[Budget | None] = ContextVar("budget", default=None)
"""The budget of the run that goes on, for functions of values alone."""


def account_to(budget: Budget) -> None:
    """From here on, what ``charge`` counts is taken from ``budget``."""
    _CURRENT.set(budget)


def charge(elements: int) -> None:
    """Account for walking over a container: one that is in many others is walked over once for each.

    Raises:
        BudgetExceededError: the program asks for too much.
    """
    budget = _CURRENT.get()
    if budget is not None:
        budget.step(elements >> 3)
