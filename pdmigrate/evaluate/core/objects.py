"""The objects of a program: its modules, classes, instances and functions, and the objects of an SDK that it makes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from pdmigrate.evaluate.core.base import Place, Value
from pdmigrate.evaluate.core.immutable import UnknownValue
from pdmigrate.evaluate.core.mutable import ListValue, Mutable, Namespace, Scope
from pdmigrate.families import CLASS_NAMES

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.tree.code.modules import SourceModule


@dataclass(slots=True, eq=False)
class ModuleValue(Value):
    module: SourceModule


@dataclass(slots=True, eq=False)
class FieldRecord(Value):
    """One name that a class body bound or annotated, as it was when the body ran.

    ``annotation`` is ``None`` if the name has none.  An annotation that uses a name bound only later is unknown; its
    syntax is evaluated again when the schema is built.
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
    """This class, then its ancestors; an ancestor from outside the tree is an ``External``."""
    module: SourceModule | None = None
    node: cst.ClassDef | None = None
    scope: Scope | None = None
    """The scope in which the class statement stands."""
    annotations: dict[str, cst.Annotation] = field(default_factory=dict)
    """The annotated names of the body, in order."""
    kind: str = "plain"
    """``plain``, ``enum``, ``dataclass``, ``namedtuple``, ``model`` (pydantic), ``typeddict``, ``protocol``."""
    options: dict[str, Value] = field(default_factory=dict)
    """Keywords of the class statement, or of the ``@dataclass`` call."""
    maker: str = ""
    """The full name of the decorator that made the class a dataclass."""
    fields: ListValue = field(default_factory=ListValue)
    """The ``FieldRecord`` of every name of the body."""
    contents: dict[Mutable, Any] = field(default_factory=dict)
    """The containers in the values of fields, with their snapshots from when the class was created."""
    members: dict[str, Instance] = field(default_factory=dict)
    """The members of an enum."""
    opaque: UnknownValue | None = None
    """Why instances and schema are unknown: a metaclass or decorator from outside, or a change that is not followed."""

    @property
    def records(self) -> list[FieldRecord]:
        """The records of the body's names, without those that depend on a condition."""
        return [item for item in self.fields.items if isinstance(item, FieldRecord)]

    @property
    def lineage(self) -> list[ClassValue]:
        """The classes of the MRO that the tree defines."""
        return [cls for base in self.mro if (cls := base.as_class) is not None]

    @property
    def outside(self) -> set[str]:
        """The names of the classes of the MRO that libraries export."""
        return {base.library_name for base in self.mro} - {""}

    @property
    def by_pydantic(self) -> bool:
        """Whether pydantic makes the instances: the class is a model or a pydantic dataclass."""
        return self.kind == "model" or self.maker.startswith("pydantic.")

    @property
    def is_callable(self) -> bool:
        return True

    @property
    def as_class(self) -> ClassValue:
        return self

    @property
    def as_bases(self) -> tuple[Value, ...]:
        return self.mro

    @property
    def metaclass(self) -> ClassValue | None:
        """The metaclass that the class has or inherits, if the program defines it."""
        given = (base.options["metaclass"].as_class for base in self.lineage if "metaclass" in base.options)
        return next(filter(None, given), None)

    def defines(self, *names: str) -> bool:
        """Whether this class, or an ancestor that the tree defines, binds one of these names in its body."""
        return any(not base.names.keys().isdisjoint(names) for base in self.lineage)


@dataclass(slots=True, eq=False)
class Instance(Namespace):
    cls: ClassValue = field(default_factory=ClassValue)

    @property
    def program_class(self) -> ClassValue:
        return self.cls

    @property
    def is_callable(self) -> bool:
        return self.cls.defines("__call__")

    @property
    def as_instance(self) -> Instance:
        return self

    @property
    def changes(self) -> bool:
        return self.cls.kind != "enum"


@dataclass(slots=True, eq=False)
class SdkObject(Namespace):
    """An object of the SDK: ``names`` are its fields or attributes as they were passed."""

    type: str = ""
    place: Place | None = None
    """The call that made it."""
    repeated: bool = False
    """Whether that call ran more than once, or in a loop."""

    @property
    def as_sdk(self) -> SdkObject:
        return self

    @property
    def changes(self) -> bool:
        return True

    @property
    def is_server(self) -> bool:
        return self.type.rpartition(".")[2] in CLASS_NAMES


class Parameter(NamedTuple):
    name: str
    kind: str
    """``positional``, ``any``, ``args``, ``keyword`` or ``kwargs``."""
    default: Value | None
    annotation: cst.Annotation | None = None


INSIDE = "<server>"
"""The key in ``names`` of the SDK's server, for an instance of a derived class and for an object that manages tools."""
OWNER = "<owner>"
"""The key in ``SdkObject.names`` of the server that uses this low-level server."""
CACHE = "<cache>"
"""The key in ``FunctionValue.names`` of the dict of results that ``functools.cache`` keeps."""
ABSTRACT = "<abstract>"
"""The key in ``FunctionValue.names`` that marks an abstract method."""


@dataclass(slots=True, eq=False)
class FunctionValue(Namespace):
    name: str = ""
    module: SourceModule | None = None
    node: cst.FunctionDef | cst.Lambda | None = None
    scope: Scope | None = None
    parameters: Sequence[Parameter] = ()
    owner: ClassValue | None = None
    """The class whose body defines the function."""
    kind: str = "function"
    """``function``, ``static``, ``class`` or ``property``."""
    generator: bool = False
    asynchronous: bool = False
    private: str = ""
    """The name of the class around the function, as in ``Scope.private``."""

    @property
    def is_callable(self) -> bool:
        return True

    @property
    def as_function(self) -> FunctionValue:
        return self

    @property
    def returns(self) -> cst.BaseExpression | None:
        """The return annotation."""
        returned = getattr(self.node, "returns", None)
        return returned.annotation if returned is not None else None

    @property
    def annotations(self) -> dict[str, cst.BaseExpression]:
        """The annotations of the parameters by name, then that of ``return``."""
        found = {item.name: item.annotation.annotation for item in self.parameters if item.annotation is not None}
        return found if self.returns is None else {**found, "return": self.returns}


@dataclass(slots=True, eq=False)
class BoundMethod(Value):
    function: Value
    receiver: Value

    @property
    def is_callable(self) -> bool:
        return True

    @property
    def parts(self) -> tuple[Value]:
        return (self.receiver,)

    @property
    def underlying(self) -> Value:
        return self.function


@dataclass(slots=True, eq=False)
class Super(Value):
    cls: ClassValue
    receiver: Value


SESSION = "session"
"""The type name of the session in which a server's handlers are called."""


def is_sdk(value: Value | None, *types: str) -> TypeGuard[SdkObject]:
    """Whether ``value`` is an object of one of these types of the SDK."""
    sdk = value.as_sdk if value is not None else None
    return sdk is not None and sdk.type in types


def is_property(value: Value | None) -> TypeGuard[FunctionValue]:
    """Whether ``value`` is a function that the program made a property."""
    function = value.as_function if value is not None else None
    return function is not None and function.kind == "property"
