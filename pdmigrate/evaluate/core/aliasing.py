"""What may change when something that is not known is changed in place.

``chosen = lists[unknown]`` is not known, but ``chosen.append(1)`` changes one of the lists: an unknown value remembers
the objects that it may be, or may have come out of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.budget import PASSED_IN_A_STEP
from pdmigrate.evaluate.core.values import (
    BoundMethod,
    Choice,
    ClassValue,
    Const,
    DictValue,
    EllipsisValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Maybe,
    ModuleValue,
    Namespace,
    Native,
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


PLAIN = frozenset({Const, External, ModuleValue, EllipsisValue})
"""What has nothing in it, and no attributes that a program sets on an object which it does not know."""


def present(value: Value) -> Value:
    """``value``, where it is there at all: each condition that a history puts around an element wraps it once more."""
    while type(value) is Maybe:
        value = value.value
    return value


def all_in(run: Interpreter, value: Value) -> Iterator[Value]:
    """``value``, and everything in it but what is plain: elements, alternatives, what an unknown value may be."""
    from pdmigrate.evaluate.language.calls import reachable

    seen: set[int] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) not in seen:
            seen.add(id(item))
            if not len(seen) % PASSED_IN_A_STEP:
                run.budget.step()
            yield item
            stack += [inner for inner in map(present, reachable(item)) if type(inner) not in PLAIN]


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
    if scope.rest is not None and all(isinstance(value, UnknownValue) for value in scope.names.values()):
        return  # nothing of it is known as it is
    run.trail.touch(scope)
    scope.names = {name: leading_to(unknown, value) for name, value in scope.names.items()}
    scope.rest = scope.rest or unknown


class Disturbed:
    """Everything that was disturbed since anything last changed: what an unknown value leads to there is forgotten.

    A program that does not know what it works on does one thing after the other to it, and each of them may change
    all that the value may be.  The values are kept, so that no other one comes to have the same ``id()``.
    """

    __slots__ = ("attributes", "found", "moment")

    def __init__(self, moment: tuple[int, int]) -> None:
        self.moment = moment
        """The state of everything, as the trail counts it."""
        self.found: dict[int, Value] = {}
        """What unknown values lead to, with everything that is in it."""
        self.attributes: dict[int, Value] = {}
        """What was found in the attributes of objects of the program; those of the objects in there are not."""


def disturb(run: Interpreter, target: UnknownValue) -> None:
    """The program changes ``target`` in place, or calls a method of it that may."""
    from pdmigrate.evaluate.language.attribute_setting import tamper
    from pdmigrate.evaluate.language.calls import poison

    tamper(target)
    if not target.aliases:
        return
    done, run.disturbed = run.disturbed, None
    if done is None or done.moment != run.trail.moment:
        done = Disturbed(run.trail.moment)
    known = len(done.found), len(done.attributes)
    unknown = replace(target, aliases=())
    poison(run, target, unknown, done.found)
    for item in list(islice(done.found.values(), known[0], None)):
        if isinstance(item, Scope):
            forget_names(run, item, unknown)
        elif isinstance(item, Instance) and changeable(item):
            for value in item.names.values():
                if id(value) not in done.found:
                    poison(run, value, unknown, done.attributes)
            forget_names(run, item, unknown)
    new = chain(islice(done.found.values(), known[0], None), islice(done.attributes.values(), known[1], None))
    if all(map(_counted, new)):
        done.moment, run.disturbed = run.trail.moment, done


def _counted(value: Value) -> bool:
    """Whether ``value`` changes only in ways that the trail counts, and runs no code of the program."""
    return type(value) in _COUNTED and not (type(value) is ListValue and value.kind == "iterator")


_COUNTED = PLAIN | {
    BoundMethod,
    Choice,
    ClassValue,
    DictValue,
    FunctionValue,
    Instance,
    ListValue,
    Maybe,
    Native,
    Partial,
    SdkObject,
    SetValue,
    TupleValue,
    UnknownValue,
    ViewValue,
}


READING = frozenset(
    {"get", "items", "keys", "values", "copy", "index", "count", "union", "intersection", "difference", "issubset"}
    | {name for name in dir(str) if not name.startswith("_")}
    | {"model_dump", "model_copy", "model_dump_json", "is_file", "exists", "isdisjoint", "issuperset"}
)
"""Methods that change nothing, whatever they are called on."""
