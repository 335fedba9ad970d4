"""Copies: ``copy.copy`` and ``copy.deepcopy``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import (
    DictValue,
    Entry,
    Instance,
    ListValue,
    Maybe,
    SdkObject,
    SetValue,
    TupleValue,
    Value,
)

COPIES: Kinds[Callable[[Any], Value]] = Kinds()
COPIES.of(Value)(lambda value: value)
COPIES.of(ListValue)(lambda value: replace(value, items=list(value.items)))
COPIES.of(DictValue)(lambda value: replace(value, entries=dict(value.entries), owner=None))
COPIES.of(SetValue)(lambda value: replace(value, items=dict(value.items)))
COPIES.of(SdkObject)(lambda value: replace(value, names=dict(value.names)))
COPIES.of(Instance)(lambda value: value if value.cls.kind == "enum" else replace(value, names=dict(value.names)))


def shallow_copy(value: Value) -> Value:
    return COPIES[type(value)](value)


def _size(value: Value) -> int:
    if isinstance(value, (ListValue, SetValue)):
        return len(value.items)
    return len(value.entries) if isinstance(value, DictValue) else 1


def deep_copy(value: Value, done: dict[int, Value] | None = None) -> Value:
    """A copy of ``value`` and of everything mutable inside it; objects shared inside stay shared."""
    done = {} if done is None else done
    if id(value) in done:
        return done[id(value)]
    if isinstance(value, TupleValue):
        charge(len(value.items))
        done[id(value)] = made = replace(value, items=tuple(deep_copy(item, done) for item in value.items))
        return made
    if isinstance(value, Maybe):
        return replace(value, value=deep_copy(value.value, done))
    charge(_size(value))
    copied = shallow_copy(value)
    done[id(value)] = copied
    if copied is value:
        return value
    if isinstance(copied, ListValue):
        copied.items = [deep_copy(item, done) for item in copied.items]
    elif isinstance(copied, DictValue):
        copied.entries = {k: Entry(e.key, deep_copy(e.value, done)) for k, e in copied.entries.items()}
    elif isinstance(copied, (Instance, SdkObject)):
        copied.names = {name: deep_copy(item, done) for name, item in copied.names.items()}
    return copied
