"""What the evaluator computes with: immutable scalars, mutable objects with identity, and Unknown with a reason.

A value never equals another by accident: Python's ``==`` on these classes is identity, the language's own equality is
``operators.equal``.  Every mutable object can be saved and restored, so that branches whose condition is not known can
be run one after the other and joined (``state.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pdmigrate.evaluate.core.immutable import (
    FALSE,
    NONE,
    TRUE,
    Choice,
    Const,
    EllipsisValue,
    External,
    Guard,
    Maybe,
    Origin,
    Place,
    RangeValue,
    Scalar,
    Subscripted,
    TupleValue,
    Unbound,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.core.mutable import (
    Deferred,
    DictValue,
    Entry,
    ListValue,
    Mutable,
    Namespace,
    Scope,
    SetValue,
    ViewValue,
    now,
)
from pdmigrate.families import CLASS_NAMES

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.tree.modules import SourceModule


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

    @property
    def is_server(self) -> bool:
        return self.type.rpartition(".")[2] in CLASS_NAMES


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
    parameters: Sequence[Parameter] = ()
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
    """The arguments of a call after spreading.

    ``unknown`` says why a spread could not be followed, ``doubt`` why some may not be there, ``order`` why the keywords
    may come in another one.  The keywords that may not be there are in ``perhaps``, and in ``keywords`` not known.
    """

    positional: tuple[Value, ...]
    keywords: dict[str, Value]
    unknown: UnknownValue | None = None
    place: Place | None = None
    doubt: UnknownValue | None = None
    order: UnknownValue | None = None
    perhaps: Mapping[str, Maybe] = MappingProxyType({})

    def collected(self, names: Iterable[str]) -> DictValue:
        """The keywords of these names as a dict, with what is not known of their presence and order."""
        given = {name: self.perhaps.get(name, self.keywords[name]) for name in names}
        return DictValue({name: Entry(const(name), value) for name, value in given.items()}, order=self.order)


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
class Executing(Tolerant):
    """One that runs code which is not known: also where it is only handed to something that may call it."""


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


def is_text(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, str)


__all__ = [
    "FALSE",
    "NONE",
    "TRUE",
    "Arguments",
    "BoundMethod",
    "Choice",
    "ClassValue",
    "Const",
    "Deferred",
    "DictValue",
    "EllipsisValue",
    "Entry",
    "External",
    "FieldRecord",
    "FunctionValue",
    "Guard",
    "Instance",
    "ListValue",
    "Maybe",
    "ModuleValue",
    "Mutable",
    "Namespace",
    "Native",
    "NativeCall",
    "Origin",
    "Parameter",
    "Partial",
    "PathText",
    "PathValue",
    "Place",
    "RangeValue",
    "Scalar",
    "Scope",
    "SdkObject",
    "SetValue",
    "Subscripted",
    "Super",
    "Tolerant",
    "TupleValue",
    "Unbound",
    "UnknownValue",
    "Value",
    "ViewValue",
    "const",
    "is_text",
    "now",
]
"""Everything that is a value, wherever it is defined."""
