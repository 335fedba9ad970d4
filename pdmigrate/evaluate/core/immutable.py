"""Values that never change: scalars, unknown values, alternatives, and names from outside the tree."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pdmigrate.evaluate.core.budget import keep

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.core.mutable import DictValue, IteratorValue, ListValue, SetValue
    from pdmigrate.evaluate.core.values import Arguments, ClassValue, FunctionValue, Instance, PathValue, SdkObject
    from pdmigrate.tree.code.modules import SourceModule

Scalar: TypeAlias = str | bytes | int | float | bool | complex | timedelta | None


class Place(NamedTuple):
    """A syntax node and its module; its line is computed only on demand."""

    module: SourceModule
    node: cst.CSTNode


class Origin(NamedTuple):
    """Where a value came from: the operation that made it, its place, and the origins of its operands."""

    text: str
    place: Place | None = None
    sources: tuple[Origin, ...] = ()


@dataclass(slots=True, eq=False)
class Value:
    """Anything an expression can evaluate to."""

    origin: Origin | None = field(default=None, kw_only=True)

    @property
    def text(self) -> str | None:
        """The ``str`` that the value is known to be."""
        return None

    @property
    def string(self) -> str | bytes | None:
        """The ``str`` or ``bytes`` that the value is known to be."""
        return None

    @property
    def number(self) -> int | None:
        """The whole number, or truth value, that the value is known to be."""
        return None

    def is_just(self, _plain: bool | None) -> bool:
        """Whether the value is known to be this ``None``, ``True`` or ``False``."""
        return False

    @property
    def library_name(self) -> str:
        """The name under which a library exports the value, or what was called to make it; else empty."""
        return ""

    @property
    def outer_name(self) -> str:
        """The name of a function or class that the program does not define; else empty."""
        return self.library_name

    @property
    def sequence(self) -> Sequence[Value] | None:
        """The elements of a list or a tuple, as far as they are known."""
        return None

    @property
    def by_key(self) -> dict[str, Value] | None:
        """The values of a dict that is known in full, by the text of their keys."""
        return None

    @property
    def mapping(self) -> DictValue | None:
        """The dict that the value is, or of which it is a read-only proxy."""
        return None

    @property
    def program_class(self) -> ClassValue | None:
        """The class of the program of which the value is an instance."""
        return None

    @property
    def as_dict(self) -> DictValue | None:
        """The value itself, if it is a dict; ``mapping`` sees through a read-only proxy, too."""
        return None

    @property
    def as_tuple(self) -> TupleValue | None:
        """The value itself, if it is a tuple or a range."""
        return None

    @property
    def as_list(self) -> ListValue | None:
        """The value itself, if it is a list, an iterator, or a tuple of unknown length."""
        return None

    @property
    def as_sdk(self) -> SdkObject | None:
        """The value itself, if it is an object of an SDK."""
        return None

    @property
    def as_iterator(self) -> IteratorValue | None:
        """The value itself, if it is an iterator."""
        return None

    @property
    def as_set(self) -> SetValue | None:
        """The value itself, if it is a set."""
        return None

    @property
    def is_result(self) -> bool:
        """Whether this is an object that a call of a library made, rather than a name that the library exports."""
        return False

    @property
    def is_server(self) -> bool:
        """Whether the value is a server of an SDK."""
        return False

    @property
    def is_callable(self) -> bool | None:
        """Whether the value is certainly a function or a class; ``None`` where only its name is known."""
        return False

    @property
    def generic(self) -> str:
        """The full name of the type that has the arguments of this type, where a library exports it; else empty."""
        return ""

    @property
    def types_inside(self) -> Sequence[Value]:
        """The types that a type is made of: what is subscripted, and its arguments; the elements of a list of types."""
        return self.sequence or ()

    @property
    def parts(self) -> tuple[Value, ...]:
        """The values inside that nothing can exchange for others."""
        return self.sides

    @property
    def changes(self) -> bool:
        """Whether the value itself, and not only a part of it, can be changed in place."""
        return False

    @property
    def age(self) -> int:
        """How many objects that change were made before this one."""
        return 0

    @property
    def element(self) -> Value:
        """The value that a container holds, or may hold: without the conditions on which it does."""
        return self

    @property
    def doubt(self) -> UnknownValue | None:
        """What decides whether a container holds this element at all."""
        return None

    def conditional(self, made: Value) -> Value:
        """``made`` under the conditions on which a container holds this element."""
        return made

    @property
    def rest(self) -> UnknownValue | None:
        """Why there may be more inside the value than is known, or other things."""
        return None

    @property
    def made_at(self) -> Place | None:
        """Where the value was made, as far as that is known."""
        return self.origin.place if self.origin is not None else None

    @property
    def sources(self) -> tuple[Origin, ...]:
        """The value as a source of the origin of another one."""
        return (self.origin,) if self.origin is not None else ()

    @property
    def unbound(self) -> Value:
        """What is called in the end: for a bound method its function, for all other values the value itself."""
        return self

    @property
    def scalar(self) -> Const | None:
        """The value itself, if it is a known scalar."""
        return None

    @property
    def as_function(self) -> FunctionValue | None:
        """The value itself, if it is a function of the program."""
        return None

    @property
    def as_class(self) -> ClassValue | None:
        """The value itself, if it is a class of the program."""
        return None

    @property
    def as_instance(self) -> Instance | None:
        """The value itself, if it is an instance of a class of the program."""
        return None

    @property
    def as_path(self) -> PathValue | None:
        """The file or folder of the tree that the value is, or whose path the value is as text."""
        return None

    @property
    def as_unknown(self) -> UnknownValue | None:
        """The value itself, if source does not settle it."""
        return None

    @property
    def made_with(self) -> Arguments | None:
        """The arguments of the call of a library whose result the value is."""
        return None

    @property
    def sides(self) -> tuple[Value, ...]:
        """The values of which the value is one, depending on a condition that is not known."""
        return ()

    @property
    def as_bases(self) -> tuple[Value, ...]:
        """The classes from which a class derives whose base the value is: the value itself, then its ancestors."""
        return (self,)

    @property
    def is_bound(self) -> bool:
        """Whether a name with this value is bound, whatever holds."""
        return True

    @property
    def when_bound(self) -> Maybe | None:
        """The value that a name with this value has where it is bound, and on which condition it is bound."""
        return None


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
    """The original reason alone, where ``reason`` names a condition before it."""

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

    @property
    def sides(self) -> tuple[Value, Value]:
        return self.first, self.second

    @property
    def is_bound(self) -> bool:
        return self.when_bound is None

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
    def types_inside(self) -> tuple[Value, ...]:
        return (self.base, *self.types)

    @property
    def types(self) -> tuple[Value, ...]:
        """The arguments that are types: not the values of ``Literal``, nor what ``Annotated`` adds to a type."""
        name = self.generic.rpartition(".")[2]
        return () if name == "Literal" else self.args[:1] if name == "Annotated" else self.args


def doubt_among(items: Iterable[Value]) -> UnknownValue | None:
    """What decides whether the first of the elements that may be absent is there."""
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
