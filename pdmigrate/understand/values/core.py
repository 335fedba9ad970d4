"""The simplest kinds of value that an evaluation knows.  What is not known is a value too, with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pdmigrate.model import Site, Step

ENVIRONMENT = "PD301"
ARGUMENTS = "PD302"
INPUT_OUTPUT = "PD303"
VOLATILE = "PD304"
PLATFORM = "PD305"
OUTSIDE = "PD306"
UNSUPPORTED = "PD307"
BUDGET = "PD308"
MUTATED = "PD309"
CONDITION = "PD310"
INVALID = "PD311"
FAILS = "PD312"
"""Why a value is not known: the codes of the findings that say so."""


class Value:
    """Anything that an expression may evaluate to."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Test:
    """A test whose outcome is not known, as it is written, its negation, and what decides."""

    text: str
    opposite: str
    cause: str

    def when(self, holds: bool | None) -> str:
        """The condition in words, as in "only when DEBUG is set"; ``None``: what follows from the test is not known."""
        cause = f" ({self.cause})" if self.cause else ""
        if holds is None:
            return f"depending on whether {self.text}{cause}"
        return f"only when {self.text if holds else self.opposite}{cause}"


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """A value that source does not settle: why, under which finding code, and where."""

    reason: str
    code: str = UNSUPPORTED
    site: Site | None = None
    test: Test | None = field(default=None, compare=False, repr=False)
    """The test on whose outcome it depends, if that is the reason."""


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A scalar: text, bytes, a number, a range of numbers, a truth value, ``None`` or ``...``"""

    value: Any
    made: Step | None = field(default=None, compare=False, repr=False)  # where the program makes it, if that is noted

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


NONE, TRUE, FALSE = Const(None), Const(True), Const(False)


@dataclass(frozen=True, slots=True)
class Maybe(Value):
    """An element of a container that is there only on some paths.  It stands nowhere else.

    ``holds``: on which outcome of a test it is there; ``None`` if that is not so simple.
    """

    value: Value
    why: Unknown
    holds: bool | None = None

    @property
    def condition(self) -> str:
        """When it is there, in words."""
        return self.why.test.when(self.holds) if self.why.test is not None else self.why.reason


@dataclass(frozen=True, slots=True, eq=False)
class Either(Value):
    """One of several servers, or ``None``, of which a program makes one; what is done with it is done with each."""

    options: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TupleValue(Value):
    """A tuple; ``fields`` are the names of its elements if it is a named tuple."""

    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()
