"""What the evaluator computes with: immutable scalars, mutable objects with identity, and Unknown with a reason.

A value never equals another by accident: Python's ``==`` on these classes is identity, the language's own equality is
``operators.equal``.  Every mutable object can be saved and restored, so that branches whose condition is not known can
be run one after the other and joined (``state.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.tree.modules import SourceModule

Scalar: TypeAlias = str | bytes | int | float | bool | complex | timedelta | None


class Place(NamedTuple):
    """A syntax node and its module; the line is looked up only when somebody asks."""

    module: SourceModule
    node: cst.CSTNode


class Origin(NamedTuple):
    """Where a value came from: what was done, where, and to which values."""

    text: str
    place: Place | None = None
    sources: tuple[Origin, ...] = ()


@dataclass(slots=True, eq=False)
class Value:
    """Anything an expression can evaluate to."""

    origin: Origin | None = field(default=None, kw_only=True)


@dataclass(slots=True, eq=False)
class Const(Value):
    """An immutable scalar."""

    value: Scalar


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
    """The class that changes when this is changed in place."""
    aliases: tuple[Value, ...] = ()
    """Known objects that this may be, or may have come out of: they may change when this is changed in place."""
    cause: str = ""
    """What all doubt goes back to, where ``reason`` names a condition before it."""

    @property
    def root(self) -> str:
        return self.cause or self.reason


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition that is not known, as the person reads it in source, and why it is not known."""

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
        return self.otherwise or (f"not {self.text}" if _is_name(self.text) else f"not ({self.text})")

    @property
    def question(self) -> str:
        """What a value of either side depends on."""
        return f"whether {self.text}" if self.otherwise else self.text

    def __str__(self) -> str:
        return f"only when {self.condition} ({self.unknown.root})"


def _is_name(text: str) -> bool:
    return text.replace(".", "").isidentifier()


@dataclass(slots=True, eq=False)
class Choice(Value):
    """One of two values, depending on a condition that is not known."""

    guard: Guard
    first: Value
    second: Value


@dataclass(slots=True, eq=False)
class Maybe(Value):
    """An element of a container that is there only when ``guard`` holds; never stands outside a container."""

    value: Value
    guard: Guard


@dataclass(slots=True, eq=False)
class Unbound(Value):
    """The value of a name in a branch that does not bind it."""


@dataclass(slots=True, eq=False)
class TupleValue(Value):
    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()
    """The field names of a named tuple."""
    cls: ClassValue | None = None


@dataclass(slots=True, eq=False)
class RangeValue(TupleValue):
    """``range(...)``: its numbers; neither a tuple nor anything that JSON knows."""


@dataclass(slots=True, eq=False)
class External(Value):
    """A name that comes from outside the tree: ``mcp.types.Tool``, ``os.path.join``.

    With ``arguments`` it is what calling the name gave: ``pydantic.conint()``.
    """

    name: str
    arguments: Arguments | None = None

    @property
    def is_result(self) -> bool:
        """Whether this is an object that a library made, rather than something it offers by name."""
        return "()" in self.name


@dataclass(slots=True, eq=False)
class Subscripted(Value):
    """A type with arguments: ``list[int]``, ``Optional[str]``, ``int | None`` (as ``typing.Union``)."""

    base: Value
    args: tuple[Value, ...]
    written_as_operator: bool = False
    """Whether it was written as ``int | None``."""


_SERIAL = count(1)


@dataclass(slots=True, eq=False)
class Mutable(Value):
    """An object with identity whose content may change."""

    serial: int = field(default_factory=_SERIAL.__next__, kw_only=True)
    """Grows with every object made: tells whether one is younger than a branch."""

    def snapshot(self) -> Any:
        raise NotImplementedError

    def restore(self, saved: Any) -> None:
        raise NotImplementedError


class Deferred(NamedTuple):
    """How the elements of an iterator are computed, once something asks for them."""

    compute: Callable[[], tuple[list[Value], UnknownValue | None]]
    sources: tuple[Mutable, ...] | None = None
    """All that they are made from; ``None`` when code of the program makes them."""
    node: cst.CSTNode | None = None
    """That code."""
    own: Scope | None = None
    """The names of that code, which nothing else sees."""


@dataclass(slots=True, eq=False)
class ListValue(Mutable):
    items: list[Value] = field(default_factory=list)
    rest: UnknownValue | None = None
    """Why there may be more (or other) elements than ``items``."""
    kind: str = "list"
    """``list``, ``tuple`` (one whose length is not known), ``deque`` or ``iterator`` (a generator, a ``map``)."""
    deferred: Deferred | None = None
    """Of an iterator: where its elements come from."""
    waiting: bool = False
    """Whether an iterator was not asked for anything yet: its elements are computed when it is."""
    stamp: tuple[Any, ...] | None = None
    """Of an iterator that was read in part: the state in which the elements that are left were computed."""
    inner: tuple[ListValue, ...] = ()
    """Of an iterator: those that were read to compute its elements."""
    effects: dict[Mutable, Any] = field(default_factory=dict)
    """Of an iterator: what computing its elements changed, as it was before."""

    def snapshot(self) -> tuple[list[Value], UnknownValue | None, bool, tuple[Any, ...] | None]:
        return list(self.items), self.rest, self.waiting, self.stamp

    def restore(self, saved: Any) -> None:
        self.items, self.rest = list(saved[0]), saved[1]
        self.waiting, self.stamp = saved[2:] if len(saved) > 2 else (False, None)

    @property
    def exact(self) -> bool:
        return self.rest is None and not self.waiting and not any(type(item) is Maybe for item in self.items)


class Entry(NamedTuple):
    key: Value
    value: Value


@dataclass(slots=True, eq=False)
class DictValue(Mutable):
    entries: dict[Hashable, Entry] = field(default_factory=dict)
    rest: UnknownValue | None = None
    factory: Value | None = None
    """The default factory of a ``defaultdict``."""
    kind: str = "dict"
    """``dict``, or the full name of the class that it is of."""
    owner: Namespace | None = None
    """The object that this is the ``__dict__`` of."""

    def snapshot(self) -> tuple[dict[Hashable, Entry], UnknownValue | None]:
        return dict(self.entries), self.rest

    def restore(self, saved: Any) -> None:
        self.entries, self.rest = dict(saved[0]), saved[1]

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(entry.value) is Maybe for entry in self.entries.values())


@dataclass(slots=True, eq=False)
class ViewValue(Value):
    """``keys()``, ``values()``, ``items()`` or a proxy (``mapping``) of a dict, which see what becomes of it."""

    source: DictValue
    kind: str


@dataclass(slots=True, eq=False)
class SetValue(Mutable):
    items: dict[Hashable, Value] = field(default_factory=dict)
    rest: UnknownValue | None = None
    frozen: bool = False

    def snapshot(self) -> tuple[dict[Hashable, Value], UnknownValue | None]:
        return dict(self.items), self.rest

    def restore(self, saved: Any) -> None:
        self.items, self.rest = dict(saved[0]), saved[1]

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(item) is Maybe for item in self.items.values())


@dataclass(slots=True, eq=False)
class Namespace(Mutable):
    """Names and their values: the locals of a call, the attributes of an object."""

    names: dict[str, Value] = field(default_factory=dict)
    rest: UnknownValue | None = None
    """Why any name may have another value than the one here."""

    def snapshot(self) -> tuple[dict[str, Value], UnknownValue | None]:
        return dict(self.names), self.rest

    def restore(self, saved: Any) -> None:
        self.names, self.rest = dict(saved[0]), saved[1]


@dataclass(slots=True, eq=False)
class Scope(Namespace):
    """A namespace that name look-up goes through."""

    kind: str = "function"
    parent: Scope | None = None
    module: SourceModule | None = None
    redirected: dict[str, Scope] = field(default_factory=dict)
    """Names that ``global`` and ``nonlocal`` send elsewhere."""
    fields: ListValue | None = None
    """In a class body: its fields so far."""
    node: cst.FunctionDef | cst.Lambda | None = None
    """The function whose call this is."""
    private: str = ""
    """The class around this code, by whose name Python tells its ``__private`` names apart."""


@dataclass(slots=True, eq=False)
class ModuleValue(Value):
    module: SourceModule


@dataclass(slots=True, eq=False)
class FieldRecord(Value):
    """One name that a class body bound or annotated, as it was when the body ran.

    ``annotation`` is ``None`` where there is none; where it names something that is bound later it is unknown, and its
    syntax is looked at again when a schema is wanted.
    """

    name: str
    statement: cst.CSTNode
    annotation: Value | None
    default: Value | None


@dataclass(slots=True, eq=False)
class ClassValue(Namespace):
    name: str = ""
    bases: tuple[Value, ...] = ()
    mro: tuple[Value, ...] = ()
    """This class, then its ancestors; those from outside the tree as ``External``."""
    module: SourceModule | None = None
    node: cst.ClassDef | None = None
    scope: Scope | None = None
    """Where the class statement stands."""
    annotations: dict[str, cst.Annotation] = field(default_factory=dict)
    """The annotated names of the body, in order."""
    kind: str = "plain"
    """``plain``, ``enum``, ``dataclass``, ``namedtuple``, ``model`` (pydantic), ``typeddict``, ``protocol``."""
    options: dict[str, Value] = field(default_factory=dict)
    """Keywords of the class statement, or of the ``@dataclass`` call."""
    maker: str = ""
    """The full name of the decorator that makes it a dataclass."""
    fields: ListValue = field(default_factory=ListValue)
    """The ``FieldRecord`` of every name of the body."""
    contents: dict[Mutable, Any] = field(default_factory=dict)
    """The containers in the values of fields, with what was in them when the class was made."""
    members: dict[str, Instance] = field(default_factory=dict)
    """The members of an enum."""
    opaque: UnknownValue | None = None
    """Why instances are not known: a metaclass or a decorator from outside."""


@dataclass(slots=True, eq=False)
class Instance(Namespace):
    cls: ClassValue = field(default_factory=ClassValue)


@dataclass(slots=True, eq=False)
class SdkObject(Namespace):
    """An object of the SDK: ``names`` are its fields or attributes as they were passed."""

    type: str = ""
    place: Place | None = None
    """The call that made it."""
    repeated: bool = False
    """Whether that call ran more than once, or in a loop."""


class Parameter(NamedTuple):
    name: str
    kind: str
    """``positional``, ``any``, ``args``, ``keyword`` or ``kwargs``."""
    default: Value | None
    annotation: cst.Annotation | None = None


@dataclass(slots=True, eq=False)
class FunctionValue(Namespace):
    name: str = ""
    module: SourceModule | None = None
    node: cst.FunctionDef | cst.Lambda | None = None
    scope: Scope | None = None
    parameters: tuple[Parameter, ...] = ()
    owner: ClassValue | None = None
    """The class whose body defines it."""
    kind: str = "function"
    """``function``, ``static``, ``class`` or ``property``."""
    generator: bool = False
    asynchronous: bool = False
    private: str = ""
    """The class around it."""


@dataclass(slots=True, eq=False)
class BoundMethod(Value):
    function: Value
    receiver: Value


@dataclass(slots=True, eq=False)
class Super(Value):
    cls: ClassValue
    receiver: Value


class Arguments(NamedTuple):
    """The arguments of a call after spreading; ``unknown`` when a spread could not be followed."""

    positional: tuple[Value, ...]
    keywords: dict[str, Value]
    unknown: UnknownValue | None = None
    place: Place | None = None


NativeCall: TypeAlias = Callable[["Interpreter", Arguments], Value]


@dataclass(slots=True, eq=False)
class Native(Value):
    """A function that the evaluator knows."""

    name: str
    call: NativeCall


@dataclass(slots=True, eq=False)
class Tolerant(Native):
    """One whose arguments do not matter: also spread ones that could not be followed leave everything as it is."""


@dataclass(slots=True, eq=False)
class Partial(Value):
    """``functools.partial``"""

    function: Value
    positional: tuple[Value, ...]
    keywords: dict[str, Value]


@dataclass(slots=True, eq=False)
class PathValue(Value):
    """A file or folder of the tree, relative to the root (POSIX)."""

    path: str


@dataclass(slots=True, eq=False)
class PathText(UnknownValue):
    """The text of a path, which is not known; what asks for a file by it means that path."""

    of: PathValue = field(default_factory=lambda: PathValue(""))


def now() -> int:
    """A serial that every object made from here on exceeds."""
    return next(_SERIAL)


NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)


def const(value: Scalar, origin: Origin | None = None) -> Const:
    return Const(value, origin=origin)
