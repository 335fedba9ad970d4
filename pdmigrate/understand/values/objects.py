"""Functions, classes, all that has attributes, and calls; what a value is as a text or as the key of a dict."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pdmigrate.model import Site
from pdmigrate.understand.values.calls import Native
from pdmigrate.understand.values.containers import DictValue, ListValue, Mutable, SetValue, State
from pdmigrate.understand.values.core import Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.outside import Called, External, ModuleValue, Subscripted, UnionType, external_name

if TYPE_CHECKING:
    from pdmigrate.understand.index.modules import Module


@dataclass(frozen=True, slots=True)
class Super(Value):
    """``super()``: what follows ``cls`` in the order of the receiver's classes."""

    cls: ClassValue
    receiver: Value


class Named(Mutable):
    """An object with attributes: ``data`` maps names to values."""

    __slots__ = ()

    data: dict[str, Value]


class Scope(Named):
    """The names of a function call, a class body or a module; lookups go on in ``parent``."""

    __slots__ = ("kind", "module", "names", "node", "owner", "parent")

    def __init__(self, kind: str, module: Module, parent: Scope | None, node: ast.AST | None = None) -> None:
        super().__init__()
        self.kind, self.module, self.parent, self.node = kind, module, parent, node
        self.owner: ClassValue | None = None  # the class whose method this is a call of
        self.names: dict[str, ModuleName] = {}

    def place(self, name: str) -> Named:
        """What changes when a name is bound: of a module the name alone, as other statements run amid one."""
        if self.kind != "module":
            return self
        return self.names.get(name) or self.names.setdefault(name, ModuleName(self, name))


class ModuleName(Named):
    """A name of a module, as what is changed when the name is bound."""

    def __init__(self, scope: Scope, name: str) -> None:
        super().__init__()
        self.scope, self.name = scope, name
        self.born = scope.born

    def save(self) -> State:
        known = self.scope.data
        return ({self.name: known[self.name]} if self.name in known else {}), None, False

    def restore(self, state: State) -> None:
        self.scope.data.pop(self.name, None)
        self.scope.data.update(state[0])


class FunctionValue(Named):
    """A function of the program.  ``data`` holds the attributes that the program has set, ``__doc__`` among them."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, scope: Scope, name: str) -> None:
        super().__init__()
        self.node, self.scope, self.name = node, scope, name
        self.defaults: list[Value] = []
        self.keyword_defaults: dict[str, Value] = {}
        self.hints: dict[ast.expr, Value] = {}
        self.owner: ClassValue | None = None
        self.original: FunctionValue = self  # the function that this one is a copy of

    def as_it_is(self) -> FunctionValue:
        """A copy that keeps what the program later changes of the function, and of what its defaults contain."""
        made = FunctionValue(self.node, self.scope, self.name)
        made.data, made.rest, made.original = dict(self.data), self.rest, self.original
        made.hints, made.owner = {node: frozen(value) for node, value in self.hints.items()}, self.owner
        made.defaults = [*map(frozen, self.defaults)]
        made.keyword_defaults = {name: frozen(value) for name, value in self.keyword_defaults.items()}
        return made

    @property
    def module(self) -> Module:
        return self.scope.module

    @property
    def returns(self) -> ast.expr | None:
        """The annotation of what it returns, as it is written."""
        return None if isinstance(self.node, ast.Lambda) else self.node.returns

    def parameters(self) -> Iterator[tuple[ast.arg, str, Value | None]]:
        """The parameters in order, each with the name of its kind in ``inspect``, and its default."""
        given = self.node.args
        places = [*given.posonlyargs, *given.args]
        for number, item in enumerate(places, len(self.defaults) - len(places)):
            kind = "POSITIONAL_ONLY" if item in given.posonlyargs else "POSITIONAL_OR_KEYWORD"
            yield item, kind, self.defaults[number] if number >= 0 else None
        if given.vararg is not None:
            yield given.vararg, "VAR_POSITIONAL", None
        yield from ((item, "KEYWORD_ONLY", self.keyword_defaults.get(item.arg)) for item in given.kwonlyargs)
        if given.kwarg is not None:
            yield given.kwarg, "VAR_KEYWORD", None


def frozen(value: Value) -> Value:
    """A copy of a default or an annotation that keeps what lists and dicts in it hold now."""
    if isinstance(value, ListValue):
        return ListValue([*map(frozen, value.data)], value.rest)
    if isinstance(value, DictValue):
        return DictValue({key: (written, frozen(item)) for key, (written, item) in value.data.items()}, value.rest)
    if isinstance(value, (Called, Subscripted)):
        made = replace(value, args=(*map(frozen, value.args),))
        return replace(made, kwargs=(*((k, frozen(v)) for k, v in made.kwargs),)) if isinstance(made, Called) else made
    if isinstance(value, UnionType):
        return UnionType((*map(frozen, value.options),))
    if isinstance(value, SetValue):
        return SetValue(value.data.copy(), value.rest)
    return replace(value, value=frozen(value.value)) if isinstance(value, Maybe) else value


class ClassValue(Named):
    """A class of the program.  ``refusal`` says why nothing may be concluded from its body."""

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
        self.hints: dict[ast.expr, Value] = {}
        """What annotations meant where they stand, of those that may mean something else later; for functions, too."""
        self.watched: tuple[tuple[Mutable, State], ...] = ()  # what it was made of that can be changed, as it was then
        self.refusal: Unknown | None = None

    @property
    def refused(self) -> Unknown | None:
        """Why nothing may be concluded from the bodies of the class and its bases; ``None`` if it may."""
        return next((why for base in self.classes if (why := base.refusal or base.rest) is not None), None)

    @property
    def module(self) -> Module:
        return self.scope.module

    @property
    def classes(self) -> list[ClassValue]:
        """This class and those of the program that it derives from, in the order of lookups."""
        return [base for base in self.mro if isinstance(base, ClassValue)]

    def find(self, *names: str) -> Value | None:
        """What the first class of the program in the order of lookups defines under one of ``names``."""
        return next((base.data[name] for base in self.classes for name in names if name in base.data), None)

    @property
    def outside(self) -> list[str]:
        """The names of the library classes among the classes that this one derives from."""
        return [external_name(base) for base in self.mro if not isinstance(base, ClassValue)]

    def derives_from(self, ending: str | tuple[str, ...]) -> bool:
        """Whether the name of a library class among its bases ends so."""
        return any(name.endswith(ending) for name in self.outside)


class Instance(Named):
    """An object of a class of the program."""

    __slots__ = ("cls", "inside", "site")

    def __init__(self, cls: ClassValue, site: Site | None = None) -> None:
        super().__init__()
        self.cls, self.site = cls, site
        self.inside: Value | None = None  # the object of an SDK that it is, if its class derives from the SDK's


class SdkObject(Named):
    """A model of the MCP SDK: ``type`` is its canonical name, ``data`` the fields as they were passed, by wire name."""

    def __init__(
        self, kind: str, data: dict[str, Value], site: Site | None = None, rest: Unknown | None = None
    ) -> None:
        super().__init__(data, rest)
        self.type, self.site = kind, site
        self.node: ast.AST | None = None  # the call that made the object


PLAIN_BASES = frozenset({"builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol"})
_MOST_PARTS = 200_000


def is_small(value: Value) -> bool:
    """Whether all parts of a value, each as often as it is held, can be gone through: aliases in aliases grow fast."""
    stack, count = [value], 0
    while stack and count + len(stack) <= _MOST_PARTS:
        held = stack.pop()
        if isinstance(held, TupleValue):
            stack += held.items
        elif isinstance(held, (DictValue, ListValue, SetValue)):
            stack += held.held
        count += 1
    return not stack


def key_of(value: Value) -> Hashable | None:
    """What tells ``value`` from other keys of a dict; ``None`` if that is not known."""
    if isinstance(value, Const):
        return isinstance(value.value, (str, bytes)), value.value
    if isinstance(value, (External, ClassValue, FunctionValue, ModuleValue)):
        return value
    if isinstance(value, TupleValue) and is_small(value):
        keys = (*map(key_of, value.items),)
        return None if None in keys else keys
    if isinstance(value, Instance) and value.cls.kind == "enum":
        payload = value.data.get("_value_")
        return key_of(payload) if payload is not None and value.cls.derives_from(_SCALARS) else value
    if isinstance(value, Instance) and value.cls.kind == "plain":
        return value if value.cls.find("__eq__", "__hash__") is None and set(value.cls.outside) <= PLAIN_BASES else None
    return None


def text_of(value: Value | None) -> str | None:
    """The text that ``value`` is known to be; ``None`` for everything else.  Members of text enums count."""
    if isinstance(value, Const):
        return value.value if isinstance(value.value, str) else None
    if isinstance(value, Instance) and value.cls.kind == "enum" and value.cls.derives_from(_TEXT):
        return text_of(value.data.get("_value_"))
    return None


_TEXT = ("builtins.str", "StrEnum")
_SCALARS = (*_TEXT, ".int", ".float", "IntEnum")


def describe(value: Value) -> str:
    """``value`` in words, for reasons."""
    if isinstance(value, Const):
        return "None" if value.value is None else f"a value of type {type(value.value).__name__}"
    if isinstance(value, (Instance, SdkObject)):
        return f"an object of {value.cls.name if isinstance(value, Instance) else value.type.removeprefix('builtins.')}"
    if isinstance(value, (External, Native, FunctionValue, ClassValue, Called)):
        return (value.callee if isinstance(value, Called) else value.name).removeprefix("builtins.")
    return _IN_WORDS.get(type(value), "an object")


_IN_WORDS = {ListValue: "a list", DictValue: "a dict", SetValue: "a set", TupleValue: "a tuple"}
