"""Forgetting content that unknown code may have changed: of values handed to it, and of aliases of unknown values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import (
    ATOMS,
    forget_names,
    reachable,
    scope_in,
    with_aliases,
)
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
"""By kind: the effect of handing a value to unknown code, beyond the loss of its content."""


HANDED_OVER.of(Value)(lambda _run, _value: None)


Container: TypeAlias = ListValue | DictValue | SetValue | SdkObject
"""The kinds whose content is forgotten when they are handed to unknown code."""


def poison_arguments(run: Interpreter, arguments: Arguments, unknown: UnknownValue) -> None:
    """Forget the content of every mutable argument of an unknown function, which may have changed it."""
    seen: dict[int, Value] = {}
    for value in (*arguments.values, *_spread(arguments)):
        poison(run, value, unknown, seen)


def _spread(arguments: Arguments) -> tuple[Value, ...]:
    return (arguments.unknown,) if arguments.unknown is not None else ()


def poison(run: Interpreter, value: Value, unknown: UnknownValue, seen: dict[int, Value] | None = None) -> None:
    """Forget the content of ``value`` and of the containers inside it.

    Attributes of the program's own objects are not followed: a library does not know them.  Values in ``seen``, by
    ``id()``, are skipped; each value visited is added to it.
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
        stack += [inner for held in reachable(item) if type(inner := held.element) not in ATOMS]
        FORGETTING[type(item)](run, item, unknown)


FORGETTING: Kinds[Callable[[Interpreter, Any, UnknownValue], None]] = Kinds()
"""By kind: how the content of a value is forgotten when it is handed to unknown code."""
FORGETTING.of(Value)(lambda _run, _value, _unknown: None)


@FORGETTING.of(UnknownValue)
def _forget_scope(run: Interpreter, item: UnknownValue, unknown: UnknownValue) -> None:
    if (scope := scope_in(item)) is not None:
        forget_names(run, scope, unknown)


@FORGETTING.of(ListValue)
def _forget_elements(run: Interpreter, item: ListValue, unknown: UnknownValue) -> None:
    lost = item.items
    if lost or item.rest is None:
        _forget_content(run, item, unknown, lost)
        item.items = []


FORGETTING.of(DictValue, SetValue, SdkObject)(lambda run, item, unknown: _forget_content(run, item, unknown))


def _forget_content(run: Interpreter, item: Container, unknown: UnknownValue, lost: Sequence[Value] = ()) -> None:
    if item.rest is not None and not lost:
        return  # its content is forgotten already
    run.trail.touch(item)
    item.rest = item.rest or _poisoned(unknown)
    # Elements that ``rest`` already has as aliases are not added again, or the aliases would double on each call.
    before = set(map(id, item.rest.aliases))
    item.rest = with_aliases(item.rest, *(value for held in lost if id(value := held.element) not in before))
    # Every later walk over this value visits all of its aliases again, so many aliases have to cost steps.
    run.budget.step(len(item.rest.aliases) // PASSED_IN_A_STEP)


def _poisoned(unknown: UnknownValue) -> UnknownValue:
    if unknown.code == reasons.MUTATED:
        return unknown
    return UnknownValue(
        f"it is passed to code that may change it: {unknown.reason}",
        reasons.MUTATED,
        unknown.place,
        aliases=unknown.aliases,
    )


class Disturbed:
    """The values forgotten since the state last changed; disturbing them again would change nothing.

    A program often changes an unknown value several times in a row, and each change may reach all of its aliases.  The
    values themselves are kept, so that no new value gets the ``id()`` of one of them.
    """

    __slots__ = ("attributes", "found", "moment")

    def __init__(self, moment: tuple[int, int]) -> None:
        self.moment = moment
        """``Trail.moment`` after the values were forgotten."""
        self.found: dict[int, Value] = {}
        """By ``id()``: the aliases of disturbed unknown values, and all values inside them."""
        self.attributes: dict[int, Value] = {}
        """By ``id()``: the values in attributes of the instances in ``found``; attributes of these are not followed."""


def disturb(run: Interpreter, target: UnknownValue) -> None:
    """Forget what may change when the program changes ``target`` in place, or calls a method that may do so."""
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
        elif (instance := item.as_instance) is not None and instance.changes:
            for value in instance.names.values():
                if id(value) not in done.found:
                    poison(run, value, unknown, done.attributes)
            forget_names(run, instance, unknown)
    new = chain(islice(done.found.values(), known[0], None), islice(done.attributes.values(), known[1], None))
    if all(map(_counted, new)):
        done.moment, run.disturbed = run.trail.moment, done


def _counted(value: Value) -> bool:
    """Whether the trail counts every change of ``value``, and handing it over runs no code of the program."""
    return type(value) in _COUNTED


_COUNTED = ATOMS | {
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
    """Make the class that ``target`` belongs to opaque: after a change that is not followed, its schema is unknown."""
    if target.owner is not None:
        target.owner.opaque = target.owner.opaque or target
