"""What code runs in, and how it ends: by reaching its end, by leaving its block, or with an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.state import Delta
from pdmigrate.evaluate.core.values import FunctionValue, Guard, ListValue, Place, Scope, UnknownValue, Value

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.tree.modules import SourceModule


class AbstractRaise(Exception):  # noqa: N818 - it is the program's exception that travels in it, not one of ours
    """The evaluated program raises an exception of ``type`` here, whatever the unknown parts are."""

    def __init__(self, type_name: str, message: str = "", value: Value | None = None) -> None:
        super().__init__(f"{type_name}: {message}" if message else type_name)
        self.type = type_name
        self.value = value


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a block ends when it does not simply reach its end: ``return``, ``break`` or ``continue``."""

    kind: str
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Pending:
    """A way to leave a block that is taken only when ``guard`` holds, with the state of everything at that point."""

    guard: Guard
    outcome: Outcome
    states: Delta


_new_tuple = tuple.__new__


@dataclass(eq=False)
class Frame:
    """What statements and expressions run in."""

    scope: Scope
    module: SourceModule
    function: FunctionValue | None = None
    yields: ListValue | None = None
    pending: list[Pending] = field(default_factory=list)
    level: int = 0
    guards_from: int = 0
    loop: int = 0
    """Where the innermost loop began: a ``break`` takes what happened from there."""
    turn: int = 0
    """Where its turn began: a ``continue`` takes what happened from there."""

    def since(self, kind: str) -> int:
        """The level from which on the state matters to whoever leaves with ``kind``."""
        return {"continue": self.turn, "break": self.loop}.get(kind, self.level)

    def place(self, node: cst.CSTNode) -> Place:
        # Asked for every expression: made without ``Place.__new__``, which is a function of Python.
        return _new_tuple(Place, (self.module, node))


@dataclass(frozen=True, slots=True)
class Risk:
    """Something that may raise: ``kind`` is ``import`` for an ``ImportError``, ``soft`` for an operation on an unknown
    value, ``any`` otherwise."""

    kind: str
    unknown: UnknownValue
