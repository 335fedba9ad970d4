"""Conversion between the evaluator's values, where they are known in full, and plain Python values."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, NoReturn

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import choice_unknown
from pdmigrate.evaluate.core.budget import add_plain, charge, make
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.values import (
    Choice,
    ClassValue,
    Const,
    DictValue,
    EllipsisValue,
    Entry,
    External,
    FunctionValue,
    Instance,
    IteratorValue,
    ListValue,
    Native,
    Origin,
    PathValue,
    RangeValue,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
    const,
)

MAX_DEPTH = 60


class NotPlain(Exception):  # noqa: N818 - not an error: the answer "this has no plain Python value"
    """The value has no plain Python value; ``unknown`` says why."""

    def __init__(self, unknown: UnknownValue) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown


def enum_payload(value: Value) -> Const | None:
    """The text or number of an enum member that is also a ``str`` or ``int``; ``None`` for all other values."""
    member = value.as_instance
    if member is not None and member.cls.kind == "enum" and mixes_in(member.cls) is not None:
        payload = member.names.get("_value_")
        return payload.scalar if payload is not None else None
    return None


def mixes_in(cls: ClassValue) -> str | None:
    """``str`` or ``int`` if the members of the enum ``cls`` are instances of that as well; else ``None``."""
    for base in cls.mro:
        name = base.outer_name.removeprefix("builtins.")
        if name in ("str", "enum.StrEnum"):
            return "str"
        if name in ("int", "enum.IntEnum", "enum.IntFlag"):
            return "int"
    return None


KEYS: Kinds[Callable[[Any], Hashable]] = Kinds()
PLAIN: Kinds[Callable[[Any, int], Any]] = Kinds()


def to_python(value: Value, depth: int = 0) -> Any:
    """The plain Python value that ``value`` stands for.

    Raises:
        NotPlain: some part is not known, or is not a plain value.
    """
    return PLAIN[type(value)](value, depth)


@PLAIN.of(Value, RangeValue)
def _not_plain(value: Value, depth: int) -> Any:
    _enter(depth)
    raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"{describe(value)} is not a plain value"))


def _enter(depth: int) -> None:
    add_plain(_FIXED, first=not depth)
    if depth > MAX_DEPTH:
        raise NotPlain(reasons.unknown(reasons.BUDGET, "the value is nested too deeply"))


@PLAIN.of(Const)
def _of_scalar(value: Const, depth: int) -> Any:
    add_plain(_size(value.value), first=not depth)
    return value.value


def _unknown(value: UnknownValue, _depth: int = 0) -> NoReturn:
    raise NotPlain(value)


def _choice(value: Choice, _depth: int = 0) -> NoReturn:
    raise NotPlain(choice_unknown(value))


PLAIN.of(UnknownValue)(_unknown)
KEYS.of(UnknownValue)(_unknown)
PLAIN.of(Choice)(_choice)
KEYS.of(Choice)(_choice)


@PLAIN.of(Instance)
def _of_instance(value: Instance, depth: int) -> Any:
    payload = enum_payload(value)
    return payload.value if payload is not None else _not_plain(value, depth)


@PLAIN.of(EllipsisValue)
def _of_ellipsis(_value: EllipsisValue, depth: int) -> Any:
    _enter(depth)
    return ...


@PLAIN.of(External)
def _of_external(value: External, depth: int) -> Any:
    _enter(depth)
    raise NotPlain(made_outside(value))


@PLAIN.of(TupleValue)
def _of_tuple(value: TupleValue, depth: int) -> Any:
    _enter(depth)
    charge(len(value.items))
    return tuple(to_python(item, depth + 1) for item in value.items)


@PLAIN.of(ListValue)
def _of_list(value: ListValue, depth: int) -> Any:
    _enter(depth)
    _require_all(value.rest, len(value.items))
    return [to_python(_certain(item), depth + 1) for item in value.items]


@PLAIN.of(IteratorValue)
def _of_iterator(value: IteratorValue, depth: int) -> Any:
    _enter(depth)
    _require_all(value.rest, len(value.items))
    raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"{describe(value)} is not a plain value"))


@PLAIN.of(SetValue)
def _of_set(value: SetValue, depth: int) -> Any:
    _enter(depth)
    _require_all(value.rest, len(value.items))
    items = {to_python(_certain(item), depth + 1) for item in value.items.values()}
    return frozenset(items) if value.frozen else items


@PLAIN.of(DictValue)
def _of_dict(value: DictValue, depth: int) -> Any:
    _enter(depth)
    _require_all(value.rest, len(value.entries))
    if value.order is not None:
        raise NotPlain(value.order)
    plain = {
        to_python(entry.key, depth + 1): to_python(_certain(entry.value), depth + 1) for entry in value.entries.values()
    }
    return OrderedDict(plain) if value.kind == "collections.OrderedDict" else plain


def _require_all(rest: UnknownValue | None, count: int) -> None:
    if rest is not None:
        raise NotPlain(rest)
    charge(count)


_FIXED = 8
"""The size counted for a value without a length, in characters."""


def _size(value: Any) -> int:
    """About how many characters it takes to write the value."""
    if isinstance(value, (str, bytes)):
        return len(value)
    return value.bit_length() >> 2 if isinstance(value, int) else _FIXED


def _certain(item: Value) -> Value:
    if item.doubt is not None:
        raise NotPlain(item.doubt)
    return item


def from_python(value: Any, origin: Origin | None = None) -> Value:
    """The evaluator's value for a plain Python value."""
    match value:
        case list() | tuple():
            make(len(value))
            items = [from_python(item, origin) for item in value]
            if isinstance(value, tuple):
                return TupleValue(tuple(items), origin=origin)
            return ListValue(items, origin=origin)
        case dict():
            make(len(value))
            kind = "collections.OrderedDict" if isinstance(value, OrderedDict) else "dict"
            result = DictValue(kind=kind, origin=origin)
            for key, item in value.items():
                result.entries[key] = Entry(from_python(key, origin), from_python(item, origin))
            return result
        case set() | frozenset():
            make(len(value))
            elements = {item: from_python(item, origin) for item in sorted(value, key=repr)}
            return SetValue(elements, frozen=isinstance(value, frozenset), origin=origin)
    return const(value, origin)


def key_of(value: Value) -> Hashable:
    """The key by which a dict or a set finds ``value``.

    Raises:
        NotPlain: the value, or how it hashes, is unknown.
        AbstractRaise: the value is not hashable.
    """
    return KEYS[type(value)](value)


@KEYS.of(Value, RangeValue)
def _no_key(value: Value) -> Hashable:
    raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"{describe(value)} as a key"))


KEYS.of(Const)(lambda value: value.value)
KEYS.of(PathValue)(lambda value: ("path", value.path))
KEYS.of(ClassValue, FunctionValue, Native)(lambda value: value)


@KEYS.of(Instance)
def _instance_key(value: Instance) -> Hashable:
    payload = enum_payload(value)
    if payload is not None:
        return payload.value
    settling = next((cls for cls in value.cls.lineage if not cls.names.keys().isdisjoint(_HASHING)), None)
    if settling is not None and _removes_hash(value.cls, settling):
        return _refused_key(value)
    return value if hashes_by_identity(value) else _no_key(value)


_HASHING = frozenset({"__eq__", "__hash__"})


def _removes_hash(cls: ClassValue, settling: ClassValue) -> bool:
    """Whether instances of ``cls`` have no hash since ``settling``, of its MRO, defines ``__eq__`` alone."""
    before = cls.mro[: cls.mro.index(settling)]
    hidden = any(base.as_class is None for base in before) or cls.kind not in _BY_IDENTITY or cls.opaque is not None
    return not hidden and "__hash__" not in settling.names


@KEYS.of(TupleValue)
def _tuple_key(value: TupleValue) -> Hashable:
    charge(len(value.items))
    return tuple(key_of(item) for item in value.items)


@KEYS.of(DictValue)
def _refused_key(value: Value) -> Hashable:
    raise AbstractRaise("TypeError", f"unhashable type: {describe(value)}")


KEYS.of(ListValue)(lambda value: _refused_key(value) if value.exact and value.kind == "list" else _no_key(value))
KEYS.of(SetValue)(lambda value: _no_key(value) if value.frozen else _refused_key(value))


@KEYS.of(External)
def _external_key(value: External) -> Hashable:
    if value.is_result:
        raise NotPlain(made_outside(value))
    return ("external", value.name)


_BY_IDENTITY = ("plain", "enum", "protocol")
"""The kinds of classes whose instances are compared by identity, unless they define ``__eq__``."""
_NOT_HASHING = ("abc.", "builtins.", "collections.abc.", "enum.", "typing")
"""Prefixes of classes from outside the tree that leave equality and hashing as they are."""


def hashes_by_identity(value: Instance) -> bool:
    if value.cls.kind not in _BY_IDENTITY or value.cls.defines("__eq__", "__hash__"):
        return False
    outside = [base.outer_name for base in value.cls.mro if base.as_class is None]
    return all(name.startswith(_NOT_HASHING) or name == "object" for name in outside)


DESCRIPTIONS: Kinds[Callable[[Any], str]] = Kinds()


def describe(value: Value) -> str:
    """The kind of a value in words, for messages: ``a list``, ``the class Tool``."""
    return DESCRIPTIONS[type(value)](value)


_WORDS = {
    "BoundMethod": "a method",
    "Choice": "one of several values",
    "Coroutine": "a coroutine",
    "DictValue": "a dict",
    "EllipsisValue": "an ellipsis",
    "FieldDefault": "the default of a field",
    "KnownObject": "an object of a library",
    "Maybe": "a value that may be absent",
    "ModuleValue": "a module",
    "NamespaceFolder": "a package",
    "Partial": "a partial function",
    "PathValue": "a path",
    "RangeValue": "a range",
    "SdkObject": "an object of the SDK",
    "Subscripted": "a type with arguments",
    "Super": "super()",
    "ToolValue": "a tool",
    "TupleValue": "a tuple",
    "UnknownValue": "a value that is not known",
}
"""What kinds of values are called where nothing else is said of them."""


def _by_class(value: Value) -> str:
    known = (_WORDS.get(each.__name__) for each in type(value).__mro__)
    return next(filter(None, known), "a value that is not followed")


DESCRIPTIONS.of(Value)(_by_class)
DESCRIPTIONS.of(Instance)(lambda value: f"an instance of {value.cls.name}")
DESCRIPTIONS.of(ClassValue)(lambda value: f"the class {value.name}")
DESCRIPTIONS.of(FunctionValue)(lambda value: f"the function {value.name}")
DESCRIPTIONS.of(External, Native)(lambda value: value.name)
DESCRIPTIONS.of(Const)(lambda value: f"a value of type {type(value.value).__name__}")
DESCRIPTIONS.of(SetValue)(lambda value: "a frozenset" if value.frozen else "a set")


@DESCRIPTIONS.of(ViewValue)
def _view(value: ViewValue) -> str:
    return "a mapping proxy" if value.kind == "mapping" else f"the {value.kind} of a dict"


DESCRIPTIONS.of(ListValue)(lambda value: f"{'an' if value.kind == 'iterator' else 'a'} {value.kind}")
