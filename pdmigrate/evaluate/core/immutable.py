"""Values that never change: scalars, paths, unknown values, alternatives, and names from outside the tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

from pdmigrate.evaluate.core.base import Origin, Place, Value
from pdmigrate.evaluate.core.budget import keep

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.calling import Arguments
    from pdmigrate.evaluate.core.objects import ClassValue

Scalar: TypeAlias = str | bytes | int | float | bool | complex | timedelta | None


@dataclass(slots=True, eq=False)
class Const(Value):
    """An immutable scalar."""

    value: Scalar

    @property
    def text(self) -> str | None:
        return self.value if isinstance(self.value, str) else None

    @property
    def string(self) -> str | bytes | None:
        return self.value if isinstance(self.value, (str, bytes)) else None

    @property
    def number(self) -> int | None:
        return self.value if isinstance(self.value, int) else None

    def is_just(self, plain: bool | None) -> bool:
        return self.value is plain

    @property
    def scalar(self) -> Const:
        return self


@dataclass(slots=True, eq=False)
class EllipsisValue(Value):
    """``...``"""


@dataclass(slots=True, eq=False)
class UnknownValue(Value):
    """A value that source does not settle."""

    reason: str
    code: str
    place: Place | None = None
    owner: ClassValue | None = None
    """The class that changes when this value is changed in place."""
    aliases: tuple[Value, ...] = ()
    """Known objects that this value may be, or may have been taken from: changing it in place may change them."""
    cause: str = ""
    """The original reason, if ``reason`` puts a condition before it; else empty."""

    @property
    def as_unknown(self) -> UnknownValue:
        return self

    @property
    def changes(self) -> bool:
        return bool(self.aliases)

    @property
    def root(self) -> str:
        return self.cause or self.reason


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition whose truth is unknown: its text as in the source, and the unknown value it depends on."""

    text: str
    unknown: UnknownValue
    negated: bool = False
    otherwise: str = ""
    """The opposite of ``text``, where ``text`` is a sentence and not an expression of the program."""

    def inverse(self) -> Guard:
        return Guard(self.text, self.unknown, not self.negated, self.otherwise)

    @property
    def condition(self) -> str:
        if not self.negated:
            return self.text
        return self.otherwise or _opposite(self.text)

    @property
    def question(self) -> str:
        """The question on which the choice of a side depends, for messages."""
        return f"whether {self.text}" if self.otherwise else self.text

    def __str__(self) -> str:
        return f"only when {self.condition} ({self.unknown.root})"


def _opposite(text: str) -> str:
    """The opposite of an expression as a person would write it."""
    if text.replace(".", "").isidentifier():
        return f"not {text}"
    if text.startswith("not "):
        try:
            tree = ast.parse(text, mode="eval").body
        except SyntaxError:
            return f"not ({text})"
        if isinstance(tree, ast.UnaryOp):
            return ast.get_source_segment(text, tree.operand) or text
    return f"not ({text})"


@dataclass(slots=True, eq=False)
class Choice(Value):
    """One of two values, depending on a condition that is not known."""

    guard: Guard
    first: Value
    second: Value
    is_bound: bool = field(init=False)
    """Computed once: a name is read more often than it is bound, and alternatives may be nested deeply."""

    def __post_init__(self) -> None:
        self.is_bound = self.first.is_bound and self.second.is_bound

    @property
    def sides(self) -> tuple[Value, Value]:
        return self.first, self.second

    @property
    def branches(self) -> tuple[tuple[Guard, Value], ...]:
        return (self.guard, self.first), (self.guard.inverse(), self.second)

    @property
    def when_bound(self) -> Maybe | None:
        if isinstance(self.first, Unbound):
            return Maybe(self.second, self.guard.inverse())
        return Maybe(self.first, self.guard) if isinstance(self.second, Unbound) else None


@dataclass(slots=True, eq=False)
class Maybe(Value):
    """An element of a container that is present only if ``guard`` holds; never stands outside a container."""

    value: Value
    guard: Guard

    @property
    def parts(self) -> tuple[Value]:
        return (self.value,)

    @property
    def element(self) -> Value:
        # Each join of branches may wrap an element in one more condition.
        value = self.value
        while type(value) is Maybe:
            value = value.value
        return value

    @property
    def doubt(self) -> UnknownValue:
        return self.guard.unknown

    @property
    def held_if(self) -> Guard:
        return self.guard

    def conditional(self, made: Value) -> Maybe:
        return Maybe(self.value.conditional(made), self.guard)


@dataclass(slots=True, eq=False)
class Unbound(Value):
    """The value of a name in a branch that does not bind it."""

    @property
    def is_bound(self) -> bool:
        return False


@dataclass(slots=True, eq=False)
class TupleValue(Value):
    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()
    """The field names of a named tuple."""
    cls: ClassValue | None = None

    @property
    def exact(self) -> bool:
        return True

    @property
    def parts(self) -> tuple[Value, ...]:
        return self.items

    @property
    def sequence(self) -> tuple[Value, ...]:
        return self.items

    @property
    def as_tuple(self) -> TupleValue:
        return self


@dataclass(slots=True, eq=False)
class RangeValue(TupleValue):
    """``range(...)``, with its numbers as items; it is no tuple, and JSON cannot encode it."""


@dataclass(slots=True, eq=False)
class External(Value):
    """A name that comes from outside the tree: ``mcp.types.Tool``, ``os.path.join``.

    With ``arguments`` it is the result of calling that name: ``pydantic.conint()``.
    """

    name: str
    arguments: Arguments | None = None

    @property
    def library_name(self) -> str:
        return self.name

    @property
    def is_callable(self) -> None:
        return None

    @property
    def made_with(self) -> Arguments | None:
        return self.arguments

    @property
    def is_result(self) -> bool:
        return "()" in self.name


@dataclass(slots=True, eq=False)
class Subscripted(Value):
    """A type with arguments: ``list[int]``, ``Optional[str]``, ``int | None`` (as ``typing.Union``)."""

    base: Value
    args: tuple[Value, ...]
    written_as_operator: bool = False
    """Whether it was written as ``int | None``."""

    @property
    def as_bases(self) -> tuple[Value, ...]:
        return self.base.as_bases

    @property
    def generic(self) -> str:
        return self.base.library_name

    @property
    def is_callable(self) -> None:
        return None

    @property
    def types_inside(self) -> tuple[Value, ...]:
        return (self.base, *self.types)

    @property
    def types(self) -> tuple[Value, ...]:
        """The arguments that are types: not the values of ``Literal``, nor what ``Annotated`` adds to a type."""
        name = self.generic.rpartition(".")[2]
        return () if name == "Literal" else self.args[:1] if name == "Annotated" else self.args


@dataclass(slots=True, eq=False)
class PathValue(Value):
    """A file or folder of the tree, relative to the root (POSIX)."""

    path: str

    @property
    def as_path(self) -> PathValue:
        return self


@dataclass(slots=True, eq=False)
class PathText(UnknownValue):
    """The unknown text of a path; code that uses it as a file name means the path ``of``."""

    of: PathValue = field(default_factory=lambda: PathValue(""))

    @property
    def as_path(self) -> PathValue:
        return self.of


def doubt_among(items: Iterable[Value]) -> UnknownValue | None:
    """The ``doubt`` of the first element that may be absent; ``None`` if all are certainly present."""
    return next((item.doubt for item in items if item.doubt is not None), None)


NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)


_SHORT = 100
"""Texts of up to this many characters are not charged: they take no more memory than their ``Const``."""


def const(value: Scalar, origin: Origin | None = None) -> Const:
    """A ``Const``, with the memory of a long text charged to the budget.

    Raises:
        BudgetExceededError: the texts of the program are too long.
    """
    if isinstance(value, (str, bytes)) and len(value) > _SHORT:
        keep(value)
    return Const(value, origin=origin)
