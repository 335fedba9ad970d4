"""Forgetting what something that is not known may have changed: what it was handed, and what it may be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import PLAIN, changeable, forget_names, leading_to, present, reachable
from pdmigrate.evaluate.core.budget import PASSED_IN_A_STEP
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import (
    Arguments,
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

HANDED_OVER: Kinds[Callable[[Interpreter, Any], None]] = Kinds()
"""What a value does, beside that its content may change, where something that is not known gets hold of it."""


HANDED_OVER.of(Value)(lambda _run, _value: None)


Container: TypeAlias = ListValue | DictValue | SetValue | SdkObject
"""What holds values that may be others after it was handed to something that is not known."""


def poison_arguments(run: Interpreter, arguments: Arguments, unknown: UnknownValue) -> None:
    """Everything mutable that an unknown function received may have been changed by it."""
    seen: dict[int, Value] = {}
    for value in (*arguments.positional, *arguments.keywords.values(), *_spread(arguments)):
        poison(run, value, unknown, seen)


def _spread(arguments: Arguments) -> tuple[Value, ...]:
    return (arguments.unknown,) if arguments.unknown is not None else ()


def poison(run: Interpreter, value: Value, unknown: UnknownValue, seen: dict[int, Value] | None = None) -> None:
    """Forget the content of ``value`` and of the containers inside it.

    Attributes of the program's own objects are not followed: a library does not know them.  What is in ``seen`` by its
    ``id()`` is passed over, and what is gone through is added to it.
    """
    seen = {} if seen is None else seen
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen[id(item)] = item
        if not len(seen) % PASSED_IN_A_STEP:
            run.budget.step()
        HANDED_OVER[type(item)](run, item)
        stack += [inner for inner in map(present, reachable(item)) if type(inner) not in PLAIN]
        if isinstance(item, (ListValue, DictValue, SetValue, SdkObject)):
            _forget_content(run, item, unknown)


def _forget_content(run: Interpreter, item: Container, unknown: UnknownValue) -> None:
    lost = item.items if isinstance(item, ListValue) else ()
    if item.rest is not None and not lost:
        return  # nothing of it is known as it is
    run.trail.touch(item)
    item.rest = item.rest or _poisoned(unknown)
    # What it led to before stays in ``rest``: taken once more each time, it would double each time.
    before = set(map(id, item.rest.aliases))
    item.rest = leading_to(item.rest, *(value for value in map(present, lost) if id(value) not in before))
    # Each alias is looked at again by whoever meets this list: large ones must cost what they take.
    run.budget.step(len(item.rest.aliases) // PASSED_IN_A_STEP)
    if isinstance(item, ListValue):
        item.items = []


def _poisoned(unknown: UnknownValue) -> UnknownValue:
    if unknown.code == reasons.MUTATED:
        return unknown
    return UnknownValue(
        f"it is handed to something that may change it: {unknown.reason}",
        reasons.MUTATED,
        unknown.place,
        aliases=unknown.aliases,
    )


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


def tamper(target: UnknownValue) -> None:
    """Something that belongs to a class is changed in a way that is not followed: its schema is not known any more."""
    if target.owner is not None:
        target.owner.opaque = target.owner.opaque or target
