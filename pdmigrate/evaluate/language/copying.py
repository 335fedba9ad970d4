"""Copies: ``copy.copy`` and ``copy.deepcopy``."""

from __future__ import annotations

from dataclasses import replace

from pdmigrate.evaluate.builtin.dict_objects import DictObject
from pdmigrate.evaluate.core.budget import charge
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


def shallow_copy(value: Value) -> Value:
    if isinstance(value, ListValue):
        return replace(value, items=list(value.items))
    if isinstance(value, DictObject):
        attributes = replace(value.attributes, names=dict(value.attributes.names))
        return replace(value, entries=dict(value.entries), attributes=attributes)
    if isinstance(value, DictValue):
        return replace(value, entries=dict(value.entries), owner=None)
    if isinstance(value, SetValue):
        return replace(value, items=dict(value.items))
    if isinstance(value, (Instance, SdkObject)) and not _is_member(value):
        return replace(value, names=dict(value.names))
    return value


def _size(value: Value) -> int:
    if isinstance(value, (ListValue, SetValue)):
        return len(value.items)
    return len(value.entries) if isinstance(value, DictValue) else 1


def _is_member(value: Value) -> bool:
    return isinstance(value, Instance) and value.cls.kind == "enum"


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
