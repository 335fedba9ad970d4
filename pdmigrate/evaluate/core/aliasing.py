"""What may change when something that is not known is changed in place.

``chosen = lists[unknown]`` is not known, but ``chosen.append(1)`` changes one of the lists: an unknown value remembers
the objects that it may be, or may have come out of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.values import (
    BoundMethod,
    Choice,
    DictValue,
    Instance,
    ListValue,
    Maybe,
    Namespace,
    Partial,
    Scope,
    SdkObject,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def leading_to(unknown: UnknownValue, *values: Value) -> UnknownValue:
    """``unknown``, as something that may be one of ``values``, or may have come out of one."""
    known = tuple(value for value in values if value is not unknown and changeable(value))
    if not known:
        return unknown
    # Without ``replace``, which looks at the fields of the class each time: every branch comes through here.
    return UnknownValue(
        unknown.reason,
        unknown.code,
        unknown.place,
        unknown.owner,
        (*unknown.aliases, *known),
        unknown.cause,
        origin=unknown.origin,
    )


def out_of(container: Value, unknown: UnknownValue) -> UnknownValue:
    """``unknown``, as something that came out of ``container``."""
    from pdmigrate.evaluate.language.calls import reachable

    scope = scope_in(container)
    if scope is not None:
        return leading_to(replace(unknown, aliases=()), *scope.names.values())
    return leading_to(unknown, *reachable(container))


def changeable(value: Value) -> bool:
    """Whether there is anything in ``value`` that can be changed in place.

    Alternatives share their parts, so each part is looked at once.
    """
    if not _parts(value):
        return _changes(value)
    seen: set[int] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if _changes(item):
            return True
        stack += _parts(item)
    return False


def alternatives(value: Value) -> Iterator[Value]:
    """The values that ``value`` may be, in order: sides of conditions share theirs, and each is told once."""
    seen: set[int] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, Choice):
            stack += (item.second, item.first)
        else:
            yield item


def _changes(value: Value) -> bool:
    if isinstance(value, UnknownValue):
        return bool(value.aliases)
    if isinstance(value, Instance):
        return value.cls.kind != "enum"
    return isinstance(value, (ListValue, DictValue, SetValue, SdkObject, Partial, ViewValue))


def _parts(value: Value) -> tuple[Value, ...]:
    if isinstance(value, TupleValue):
        return value.items
    if isinstance(value, Choice):
        return (value.first, value.second)
    if isinstance(value, Maybe):
        return (value.value,)
    return (value.receiver,) if isinstance(value, BoundMethod) else ()


def all_in(run: Interpreter, value: Value) -> Iterator[Value]:
    """``value``, and everything in it: elements, alternatives, what an unknown value may be."""
    from pdmigrate.evaluate.language.calls import reachable

    seen: set[int] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) not in seen:
            seen.add(id(item))
            run.budget.step()
            yield item
            stack += reachable(item)


def namespace_of(scope: Scope, unknown: UnknownValue) -> UnknownValue:
    """``globals()``, ``locals()``: names as a dict, of which only reading and binding one name is followed."""
    return replace(unknown, aliases=(scope,))


def scope_in(value: Value) -> Scope | None:
    """The scope that ``value`` is the dict of."""
    if isinstance(value, UnknownValue) and len(value.aliases) == 1 and isinstance(value.aliases[0], Scope):
        return value.aliases[0]
    return None


def forget_names(run: Interpreter, scope: Namespace, unknown: UnknownValue) -> None:
    """Any name of ``scope`` may be bound to anything."""
    run.trail.touch(scope)
    scope.names = {name: leading_to(unknown, value) for name, value in scope.names.items()}
    scope.rest = scope.rest or unknown


def disturb(run: Interpreter, target: UnknownValue) -> None:
    """The program changes ``target`` in place, or calls a method of it that may."""
    from pdmigrate.evaluate.language.attribute_setting import tamper
    from pdmigrate.evaluate.language.calls import poison

    tamper(target)
    if not target.aliases:
        return
    unknown = replace(target, aliases=())
    for item in list(all_in(run, target)):
        if isinstance(item, Scope):
            forget_names(run, item, unknown)
        elif isinstance(item, Instance) and changeable(item):
            for value in item.names.values():
                poison(run, value, unknown)
            forget_names(run, item, unknown)
    poison(run, target, unknown)


READING = frozenset(
    {"get", "items", "keys", "values", "copy", "index", "count", "union", "intersection", "difference", "issubset"}
    | {name for name in dir(str) if not name.startswith("_")}
    | {"model_dump", "model_copy", "model_dump_json", "is_file", "exists", "isdisjoint", "issuperset"}
)
"""Methods that change nothing, whatever they are called on."""
