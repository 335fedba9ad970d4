"""Between the evaluator's values and the Python values they stand for, where all of a value is known."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import choice_unknown
from pdmigrate.evaluate.core.budget import add_plain, charge, make
from pdmigrate.evaluate.core.frames import AbstractRaise
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
    ListValue,
    Maybe,
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
    """A value has no Python value of built-in types; ``unknown`` says why."""

    def __init__(self, unknown: UnknownValue) -> None:
        super().__init__(unknown.reason)
        self.unknown = unknown


def enum_payload(value: Value) -> Const | None:
    """The value of a member of an enum that is also a ``str`` or an ``int``."""
    if isinstance(value, Instance) and value.cls.kind == "enum" and mixes_in(value.cls) is not None:
        payload = value.names.get("_value_")
        return payload if isinstance(payload, Const) else None
    return None


def mixes_in(cls: ClassValue) -> str | None:
    """``str`` or ``int`` when the members of the enum ``cls`` are that as well."""
    for base in cls.mro:
        if isinstance(base, External) and base.name in ("enum.StrEnum", "builtins.str"):
            return "str"
        if isinstance(base, External) and base.name in ("enum.IntEnum", "enum.IntFlag", "builtins.int"):
            return "int"
        if isinstance(base, Native) and base.name in ("str", "int"):
            return base.name
    return None


def to_python(value: Value, depth: int = 0) -> Any:
    """The plain Python value.

    Raises:
        NotPlain: some part is not known, or is no built-in value.
    """
    if isinstance(value, Const):
        add_plain(_size(value.value), first=not depth)
        return value.value
    if isinstance(value, UnknownValue):
        raise NotPlain(value)
    if isinstance(value, Choice):
        raise NotPlain(choice_unknown(value))
    payload = enum_payload(value)
    if payload is not None:
        return payload.value
    add_plain(_FIXED, first=not depth)
    if depth > MAX_DEPTH:
        raise NotPlain(reasons.unknown(reasons.BUDGET, "the value is nested too deeply"))
    if isinstance(value, TupleValue) and not isinstance(value, RangeValue):
        charge(len(value.items))
        return tuple(to_python(item, depth + 1) for item in value.items)
    if isinstance(value, EllipsisValue):
        return ...
    return _container(value, depth)


_FIXED = 8
"""The size of what has no length, in characters."""


def _size(value: Any) -> int:
    """About how many characters it takes to say what this is."""
    if isinstance(value, (str, bytes)):
        return len(value)
    return value.bit_length() >> 2 if isinstance(value, int) else _FIXED


def _container(value: Value, depth: int) -> Any:
    if isinstance(value, (ListValue, SetValue, DictValue)):
        if value.rest is not None:
            raise NotPlain(value.rest)
        charge(len(value.entries if isinstance(value, DictValue) else value.items))
    if isinstance(value, ListValue) and value.kind not in ("iterator", "deque"):
        return [to_python(_certain(item), depth + 1) for item in value.items]
    if isinstance(value, SetValue):
        items = {to_python(_certain(item), depth + 1) for item in value.items.values()}
        return frozenset(items) if value.frozen else items
    if isinstance(value, DictValue):
        if value.order is not None:
            raise NotPlain(value.order)
        plain = {
            to_python(entry.key, depth + 1): to_python(_certain(entry.value), depth + 1)
            for entry in value.entries.values()
        }
        return OrderedDict(plain) if value.kind == "collections.OrderedDict" else plain
    if isinstance(value, External):
        raise NotPlain(made_outside(value))
    raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"{describe(value)} is not a plain value"))


def _certain(item: Value) -> Value:
    if isinstance(item, Maybe):
        raise NotPlain(item.guard.unknown)
    return item


def from_python(value: Any, origin: Origin | None = None) -> Value:
    """The evaluator's value for a plain Python value."""
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        make(len(value))
    if isinstance(value, (list, tuple)):
        items = [from_python(item, origin) for item in value]
        return ListValue(items, origin=origin) if isinstance(value, list) else TupleValue(tuple(items), origin=origin)
    if isinstance(value, dict):
        kind = "collections.OrderedDict" if isinstance(value, OrderedDict) else "dict"
        result = DictValue(kind=kind, origin=origin)
        for key, item in value.items():
            result.entries[key] = Entry(from_python(key, origin), from_python(item, origin))
        return result
    if isinstance(value, (set, frozenset)):
        elements = {item: from_python(item, origin) for item in sorted(value, key=repr)}
        return SetValue(elements, frozen=isinstance(value, frozenset), origin=origin)
    return const(value, origin)


def key_of(value: Value) -> Hashable:
    """What a dict or a set finds ``value`` by.

    Raises:
        NotPlain: it is not known, or the evaluator does not know how it hashes.
    """
    if isinstance(value, Const):
        return value.value
    payload = enum_payload(value)
    if payload is not None:
        return payload.value
    if isinstance(value, TupleValue) and not isinstance(value, RangeValue):
        charge(len(value.items))
        return tuple(key_of(item) for item in value.items)
    if _is_unhashable(value):
        raise AbstractRaise("TypeError", f"unhashable type: {describe(value)}")
    if isinstance(value, External) and value.is_result:
        raise NotPlain(made_outside(value))
    if isinstance(value, External):
        return ("external", value.name)
    if isinstance(value, PathValue):
        return ("path", value.path)
    if isinstance(value, Instance) and hashes_by_identity(value):
        return value
    if isinstance(value, (ClassValue, FunctionValue, Native)):
        return value
    if isinstance(value, UnknownValue):
        raise NotPlain(value)
    if isinstance(value, Choice):
        raise NotPlain(choice_unknown(value))
    raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"{describe(value)} as a key"))


def _is_unhashable(value: Value) -> bool:
    if isinstance(value, ListValue):
        return value.exact and value.kind == "list"
    return isinstance(value, DictValue) or (isinstance(value, SetValue) and not value.frozen)


def hashes_by_identity(value: Instance) -> bool:
    if value.cls.kind not in ("plain", "enum", "protocol"):
        return False
    return not any(isinstance(c, ClassValue) and ("__eq__" in c.names or "__hash__" in c.names) for c in value.cls.mro)


def describe(value: Value) -> str:
    """What kind of thing a value is, for a person."""
    if isinstance(value, Instance):
        return f"an instance of {value.cls.name}"
    if isinstance(value, ClassValue):
        return f"the class {value.name}"
    if isinstance(value, FunctionValue):
        return f"the function {value.name}"
    if isinstance(value, (External, Native)):
        return value.name
    if isinstance(value, ViewValue):
        return "a mapping proxy" if value.kind == "mapping" else f"the {value.kind} of a dict"
    if isinstance(value, SetValue) and value.frozen:
        return "a frozenset"
    if isinstance(value, ListValue) and value.kind != "list":
        return f"{'an' if value.kind == 'iterator' else 'a'} {value.kind}"
    if isinstance(value, Const):
        return f"a value of type {type(value.value).__name__}"
    return f"a {type(value).__name__.removesuffix('Value').lower()}"
