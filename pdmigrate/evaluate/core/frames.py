"""The frame in which code is evaluated, and how the code ends: normally, by leaving its block, or by an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.state import Delta
from pdmigrate.evaluate.core.values import FunctionValue, Guard, ListValue, Place, Scope, UnknownValue, Value

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.tree.code.modules import SourceModule


class AbstractRaise(Exception):  # noqa: N818 - it carries an exception of the evaluated program, not of pdmigrate
    """The evaluated program raises an exception of ``type`` here, whatever its unknown values are."""

    def __init__(self, type_name: str, message: str = "", value: Value | None = None, *, endless: bool = False) -> None:
        super().__init__(f"{type_name}: {message}" if message else type_name)
        self.type = type_name
        self.value = value
        self.endless = endless
        """Whether nothing but this exception, from wherever it comes, ends the code that is executed."""

    @property
    def outcome(self) -> str:
        """What code does that raises this, as a reason says it: ``raises KeyError``, or ``never ends``."""
        return "never ends" if self.endless else f"raises {self}"


@dataclass(frozen=True, slots=True)
class Leaving:
    """How a block is left before its end: ``return``, ``break`` or ``continue``."""

    kind: str
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """An ``outcome`` that happens only if ``guard`` holds, with the states of all changed objects at that point."""

    guard: Guard
    outcome: Leaving
    states: Delta


_new_tuple = tuple.__new__


@dataclass(eq=False)
class Frame:
    """The context in which statements and expressions are evaluated."""

    scope: Scope
    module: SourceModule
    function: FunctionValue | None = None
    yields: ListValue | None = None
    pending: list[Pending] = field(default_factory=list)
    level: int = 0
    guards_from: int = 0
    loop: int = 0
    """The trail level at which the innermost loop began: a ``break`` carries the changes made since."""
    turn: int = 0
    """The trail level at which the loop's current turn began: a ``continue`` carries the changes made since."""

    def since(self, kind: str) -> int:
        """The first trail level whose changes an outcome of ``kind`` carries."""
        return {"continue": self.turn, "break": self.loop}.get(kind, self.level)

    def place(self, node: cst.CSTNode) -> Place:
        # Called for every expression, so it bypasses ``Place.__new__``, which is written in Python.
        return _new_tuple(Place, (self.module, node))


@dataclass(frozen=True, slots=True)
class Risk:
    """An operation that may raise: ``kind`` is ``import`` for an ``ImportError``, ``soft`` for an operation on an
    unknown value, ``any`` otherwise."""

    kind: str
    unknown: UnknownValue
    raised: AbstractRaise | None = None
    """The exception, where it is known which one is raised under a condition that is not."""
