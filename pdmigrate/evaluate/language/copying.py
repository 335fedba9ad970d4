"""Copies: ``copy.copy`` and ``copy.deepcopy``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pdmigrate.evaluate.core.aliasing import reachable
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import DictValue, Entry, Instance, ListValue, Namespace, SdkObject, SetValue, Value

COPIES: Kinds[Callable[[Any], Value]] = Kinds()
COPIES.of(Value)(lambda value: value)
COPIES.of(ListValue)(lambda value: replace(value, items=list(value.items)))
COPIES.of(DictValue)(lambda value: replace(value, entries=dict(value.entries), owner=None))
COPIES.of(SetValue)(lambda value: replace(value, items=dict(value.items)))
COPIES.of(SdkObject)(lambda value: replace(value, names=dict(value.names)))
COPIES.of(Instance)(lambda value: value if value.cls.kind == "enum" else replace(value, names=dict(value.names)))


def shallow_copy(value: Value) -> Value:
    return COPIES[type(value)](value)


def deep_copy(value: Value, done: dict[int, Value] | None = None) -> Value:
    """A copy of ``value`` and of everything mutable inside it; objects shared inside stay shared."""
    done = {} if done is None else done
    if id(value) in done:
        return done[id(value)]
    charge(len(reachable(value)))
    if (given := value.as_tuple) is not None:
        done[id(value)] = replace(given, items=tuple(deep_copy(item, done) for item in given.items))
        return done[id(value)]
    if value.doubt is not None:
        return value.conditional(deep_copy(value.element, done))
    done[id(value)] = copied = shallow_copy(value)
    if copied is value:
        return value
    if copied.as_list is not None:
        copied.as_list.items = [deep_copy(item, done) for item in copied.as_list.items]
    elif (made := copied.mapping) is not None:
        made.entries = {k: Entry(e.key, deep_copy(e.value, done)) for k, e in made.entries.items()}
    elif isinstance(copied, Namespace):
        copied.names = {name: deep_copy(item, done) for name, item in copied.names.items()}
    return copied
