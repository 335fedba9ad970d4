"""The kinds of value that an evaluation knows.  What is not known is a value too, with the reason."""

from __future__ import annotations

import ast
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pdmigrate.model import Site, Step
from pdmigrate.understand.values.births import Births, Work

if TYPE_CHECKING:
    from pdmigrate.understand.index.modules import Module

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


class Value:
    """Anything that an expression may evaluate to."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """A value that source does not settle: why, under which finding code, and where."""

    reason: str
    code: str = UNSUPPORTED
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A scalar: text, bytes, a number, a truth value, ``None`` or ``...``"""

    value: Any
    made: Step | None = field(default=None, compare=False, repr=False)
    """Where the program makes it, if that is noted."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


NONE, TRUE, FALSE, ELLIPSIS = Const(None), Const(True), Const(False), Const(...)


@dataclass(frozen=True, slots=True)
class External(Value):
    """An object of a library by its dotted name, as the program imported it: ``mcp.types.Tool``, ``builtins.str``."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Called(Value):
    """The result of a call of a library, kept as it is written: ``Field(gt=0)``, ``re.compile("x")``."""

    callee: str
    args: tuple[Value, ...] = ()
    kwargs: tuple[tuple[str, Value], ...] = ()
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class PathValue(Value):
    """A path below the root of the program, or its text; where the root lies depends on the installation."""

    path: str


@dataclass(frozen=True, slots=True)
class Maybe(Value):
    """An element of a container that is there only on some paths.  It stands nowhere else."""

    value: Value
    why: Unknown


@dataclass(frozen=True, slots=True, eq=False)
class Either(Value):
    """One of several servers, of which a program makes one; what is done with it is done with each.

    ``None`` may be among them.
    """

    options: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class TupleValue(Value):
    """A tuple; ``fields`` are the names of its elements if it is a named tuple."""

    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subscripted(Value):
    """``base[args]`` of types: ``list[int]``, ``Optional[str]``, ``Annotated[int, Field(gt=0)]``."""

    base: Value
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class UnionType(Value):
    """``A | B`` of types."""

    options: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class ModuleValue(Value):
    """A module of the program."""

    module: Module


@dataclass(slots=True)
class Arguments:
    """The arguments of one call.  ``unknown`` says why there may be more of them."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    unknown: Unknown | None = None
    site: Site | None = None
    node: ast.AST | None = None

    def get(self, position: int, name: str) -> Value | None:
        """The argument at ``position`` or called ``name``; ``None`` if it is not given."""
        if 0 <= position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(name)

    def named(self, names: tuple[str, ...]) -> dict[str, Value]:
        """All arguments by name, the positional ones called ``names`` in order."""
        return {**dict(zip(names, self.positional, strict=False)), **self.keywords}

    @property
    def all(self) -> list[Value]:
        return [*self.positional, *self.keywords.values()]


@dataclass(frozen=True, slots=True, eq=False)
class Native(Value):
    """A function that this package carries out: ``implementation(evaluator, arguments)``."""

    name: str
    implementation: Callable[[Any, Arguments], Value]


@dataclass(frozen=True, slots=True)
class BoundMethod(Value):
    """A function with its first argument."""

    function: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """``functools.partial(function, ...)``"""

    function: Value
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Super(Value):
    """``super()``: what follows ``cls`` in the order of the receiver's classes."""

    cls: ClassValue
    receiver: Value


# --- values that can be changed ---------------------------------------------------------------------------------------


class Mutable(Value):
    """A value with an identity whose content can be changed.  ``rest`` says why its content is not wholly known."""

    __slots__ = ("also", "born", "data", "rest")

    births = Births()
    work = Work()
    data: Any
    rest: Unknown | None
    also: tuple[Mutable, ...]
    """Objects that may be this one: whatever changes this one makes them unknown."""

    def __init__(self, data: Any, rest: Unknown | None = None) -> None:
        self.data, self.rest, self.also = data, rest, ()
        self.born = next(Mutable.births)
        """Which of two objects was made first."""

    def save(self) -> tuple[Any, Unknown | None]:
        return self.data.copy(), self.rest

    def restore(self, state: tuple[Any, Unknown | None]) -> None:
        self.data, self.rest = state[0].copy(), state[1]


class Followed(Mutable):
    """An object that is followed through branches: a server."""

    __slots__ = ()


class ListValue(Mutable):
    __slots__ = ()

    def __init__(self, data: list[Value] | None = None, rest: Unknown | None = None) -> None:
        super().__init__([] if data is None else data, rest)

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(item) is Maybe for item in self.data)


class DictValue(Mutable):
    """A dict; ``data`` maps a key (``key_of``) to the key and its value, which may be a ``Maybe``."""

    __slots__ = ("factory", "made")

    def __init__(self, data: dict[Hashable, tuple[Value, Value]] | None = None, rest: Unknown | None = None) -> None:
        super().__init__({} if data is None else data, rest)
        self.factory: Value | None = None
        self.made: Step | None = None
        """Where the program writes it out, if it does."""

    @property
    def exact(self) -> bool:
        return self.rest is None and not any(type(item) is Maybe for _, item in self.data.values())

    def entries(self) -> Iterator[tuple[Value, Value]]:
        yield from self.data.values()

    def lookup(self, key: Hashable) -> Value | None:
        entry = self.data.get(key)
        return entry[1] if entry is not None else None


class SetValue(Mutable):
    """A set, or the keys of a dict (``ordered``); ``data`` maps a key (``key_of``) to the element."""

    __slots__ = ("frozen", "ordered")

    def __init__(self, data: dict[Hashable, Value] | None = None, rest: Unknown | None = None) -> None:
        super().__init__({} if data is None else data, rest)
        self.frozen = self.ordered = False


class Named(Mutable):
    """An object with attributes: ``data`` maps names to values."""

    __slots__ = ()

    data: dict[str, Value]

    def __init__(self, data: dict[str, Value] | None = None, rest: Unknown | None = None) -> None:
        super().__init__({} if data is None else data, rest)


class Scope(Named):
    """The names of a function call, a class body or a module; lookups go on in ``parent``."""

    __slots__ = ("kind", "module", "node", "owner", "parent")

    def __init__(self, kind: str, module: Module, parent: Scope | None, node: ast.AST | None = None) -> None:
        super().__init__()
        self.kind, self.module, self.parent, self.node = kind, module, parent, node
        self.owner: ClassValue | None = None  # the class whose method this is a call of


class FunctionValue(Named):
    """A function of the program.  ``data`` holds the attributes that the program has set, ``__doc__`` among them."""

    __slots__ = ("annotations_made", "defaults", "keyword_defaults", "name", "node", "owner", "scope")

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope, name: str) -> None:
        super().__init__()
        self.node, self.scope, self.name = node, scope, name
        self.defaults: list[Value] = []
        self.keyword_defaults: dict[str, Value] = {}
        self.owner: ClassValue | None = None

    @property
    def module(self) -> Module:
        return self.scope.module


class ClassValue(Named):
    """A class of the program.  ``refused`` says why nothing may be concluded from its body."""

    __slots__ = ("bases", "decorators", "fields", "kind", "maker", "mro", "name", "node", "options", "refused", "scope")

    def __init__(self, name: str, node: ast.ClassDef | None, scope: Scope) -> None:
        super().__init__()
        self.name, self.node, self.scope = name, node, scope
        self.bases: tuple[Value, ...] = ()
        self.mro: tuple[Value, ...] = (self,)
        self.kind = "plain"
        self.maker = ""
        self.options: dict[str, Value] = {}
        self.fields: dict[str, Any] = {}
        self.decorators: tuple[Value, ...] = ()
        self.refused: Unknown | None = None

    @property
    def module(self) -> Module:
        return self.scope.module

    @property
    def outside(self) -> list[str]:
        """The names of the library classes among the classes that this one derives from."""
        return [external_name(base) for base in self.mro if not isinstance(base, ClassValue)]


class Instance(Named):
    """An object of a class of the program.  ``pending``: the arguments of a constructor that is not carried out yet."""

    __slots__ = ("cls", "inside", "pending", "site")

    def __init__(self, cls: ClassValue, site: Site | None = None) -> None:
        super().__init__()
        self.cls, self.site = cls, site
        self.pending: Arguments | None = None
        self.inside: Value | None = None  # the object of an SDK that it is, if its class derives from the SDK's


SESSION = "a session"
"""The ``type`` of the object that stands for the session of a request."""


class SdkObject(Named):
    """A model of the MCP SDK: ``type`` is its canonical name, ``data`` the fields as they were passed, by wire name."""

    __slots__ = ("node", "site", "type")

    def __init__(
        self, kind: str, data: dict[str, Value], site: Site | None = None, rest: Unknown | None = None
    ) -> None:
        super().__init__(data, rest)
        self.type, self.site = kind, site
        self.node: ast.AST | None = None
        """The call that made the object."""


class IteratorValue(Mutable):
    """A generator, iterator or view whose elements are known; ``data`` are those that are left."""

    __slots__ = ()


def external_name(value: Value) -> str:
    """The dotted name of an object of a library; empty for all others."""
    if isinstance(value, External):
        return value.name
    if isinstance(value, Subscripted):
        return external_name(value.base)
    return ""


def key_of(value: Value) -> Hashable | None:
    """What tells ``value`` from other keys of a dict; ``None`` if that is not known."""
    if isinstance(value, Const):
        plain = value.value
        return ("#", float(plain)) if isinstance(plain, float) and plain != int(plain) else _plain_key(plain)
    if isinstance(value, (External, ClassValue, FunctionValue, ModuleValue)):
        return value
    if isinstance(value, TupleValue):
        keys = tuple(key_of(item) for item in value.items)
        return None if None in keys else keys
    if isinstance(value, Instance) and value.cls.kind == "enum":
        payload = value.data.get("_value_")
        return key_of(payload) if payload is not None and is_text_enum(value.cls) else value
    if isinstance(value, Instance) and value.cls.kind == "plain":
        return value if not {"__eq__", "__hash__"} & value.cls.data.keys() else None
    return None


def _plain_key(plain: Any) -> Hashable:
    return ("none",) if plain is None else (type(plain) in (str, bytes), plain)


def text_of(value: Value | None) -> str | None:
    """The text that ``value`` is known to be; ``None`` for everything else.  Members of text enums count."""
    if isinstance(value, Const):
        return value.value if isinstance(value.value, str) else None
    if isinstance(value, Instance) and value.cls.kind == "enum" and is_text_enum(value.cls):
        return text_of(value.data.get("_value_"))
    return None


def is_text_enum(cls: ClassValue) -> bool:
    """Whether the members of an enum are texts, too."""
    return any(name == "builtins.str" or name.endswith("StrEnum") for name in cls.outside)


def describe(value: Value) -> str:
    """``value`` in words, for reasons."""
    match value:
        case Const(value=plain):
            return "None" if plain is None else f"a value of type {type(plain).__name__}"
        case External(name=name) | Called(callee=name) | Native(name=name):
            return name
        case FunctionValue() | ClassValue():
            return value.name
        case Instance():
            return f"an object of {value.cls.name}"
        case SdkObject():
            return f"an object of {value.type}"
    return {ListValue: "a list", DictValue: "a dict", SetValue: "a set", TupleValue: "a tuple"}.get(
        type(value), "an object"
    )
