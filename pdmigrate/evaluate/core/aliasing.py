"""Aliases: the known objects that an in-place change of an unknown value may change.

``chosen = lists[unknown]`` is not known, but ``chosen.append(1)`` changes one of the lists: an unknown value remembers,
as its aliases, the objects that it may be or may have been taken from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import PASSED_IN_A_STEP
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import (
    Choice,
    Const,
    DictValue,
    EllipsisValue,
    External,
    Guard,
    ListValue,
    Maybe,
    ModuleValue,
    Namespace,
    Partial,
    Place,
    Scope,
    SetValue,
    UnknownValue,
    Value,
    ViewValue,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def with_aliases(unknown: UnknownValue, *values: Value) -> UnknownValue:
    """``unknown`` with those ``values`` that can change added to its aliases: it may be, or come from, one of them."""
    known = tuple(value for value in values if value is not unknown and changeable(value))
    if not known:
        return unknown
    # Not ``dataclasses.replace``, which inspects the fields of the class on each call: this runs for every branch.
    return UnknownValue(
        unknown.reason,
        unknown.code,
        unknown.place,
        unknown.owner,
        (*unknown.aliases, *known),
        unknown.cause,
        origin=unknown.origin,
    )


def bound(run: Interpreter, value: Value, name: str, place: Place | None, *, fails: bool = True) -> Value:
    """``value`` as read from the name or attribute ``name``, unknown where it is not bound.

    Reading it there is a risk, unless it never ``fails``: Python finds something in another place.
    """
    if value.is_bound:
        return value
    unknown = unbound(value, name, place)
    if fails:
        run.risk(unknown, "soft")
    return where_bound(value, unknown)


def unbound(value: Value, name: str, place: Place | None) -> UnknownValue:
    """Why it is not known whether ``name``, which has this value, is bound."""
    known = value.when_bound
    if known is not None:
        return reasons.unknown(known.guard.unknown.code, f"{name} is bound {known.guard}", place)
    if not value.branches:
        return reasons.unknown(reasons.CONDITION, f"{name} is bound only under a condition that is not known", place)
    guard = value.branches[0][0]
    reason = f"whether {name} is bound depends on {guard.question}: {guard.unknown.root}"
    return reasons.unknown(guard.unknown.code, reason, place)


def where_bound(value: Value, otherwise: Value, known: dict[int, Value] | None = None) -> Value:
    """``value`` with ``otherwise`` in the place of ``Unbound``.

    ``known`` caches results by ``id()``, since choices may share sides.
    """
    if value.is_bound:
        return value
    if not isinstance(value, Choice):
        return otherwise
    known = {} if known is None else known
    if id(value) not in known:
        first, second = (where_bound(side, otherwise, known) for side in value.sides)
        known[id(value)] = Choice(value.guard, first, second)
    return known[id(value)]


def first_unknown(*values: Value) -> UnknownValue | None:
    """The first unknown value among ``values``; for a ``Choice``, the unknown value that replaces it."""
    for value in values:
        if isinstance(value, UnknownValue):
            return value
        if isinstance(value, Choice):
            return choice_unknown(value)
    return None


def choice_unknown(value: Choice) -> UnknownValue:
    """The unknown value that replaces a ``Choice`` where an operation needs a single value; it aliases both sides."""
    unknown = value.guard.unknown
    depends = UnknownValue(
        f"it depends on {value.guard.question}: {unknown.root}", unknown.code, unknown.place, cause=unknown.root
    )
    return with_aliases(depends, value.first, value.second)


def taken_from(container: Value, unknown: UnknownValue) -> UnknownValue:
    """``unknown`` as a value taken out of ``container``: the container's elements become aliases."""
    scope = scope_in(container)
    if scope is not None:
        return with_aliases(replace(unknown, aliases=()), *scope.names.values())
    return with_aliases(unknown, *reachable(container))


def changeable(value: Value) -> bool:
    """Whether ``value``, or a part of it, can be changed in place."""
    if not value.parts:
        return value.changes
    return any(item.changes for item in _each_once(value, lambda item: item.parts))


def alternatives(value: Value) -> Iterator[Value]:
    """The values that ``value`` may be, in order; a value that several nested choices share is yielded once."""
    return (item for item in _each_once(value, lambda item: item.sides) if not item.sides)


def _each_once(value: Value, parts: Callable[[Value], tuple[Value, ...]]) -> Iterator[Value]:
    """``value``, its parts, their parts, and so on, in order; each once, since alternatives share parts."""
    seen: set[int] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) not in seen:
            seen.add(id(item))
            yield item
            stack += reversed(parts(item))


def unwrapped(item: Value, guards: tuple[Guard, ...] = ()) -> list[tuple[tuple[Guard, ...], Value]]:
    """The values that an element may have, in order, each paired with all conditions under which it has that value."""
    if isinstance(item, Maybe):
        return unwrapped(item.value, (*guards, item.guard))
    if isinstance(item, Choice):
        first, second = (*guards, item.guard), (*guards, item.guard.inverse())
        return [*unwrapped(item.first, first), *unwrapped(item.second, second)]
    return [(guards, item)]


ATOMS = frozenset({Const, External, ModuleValue, EllipsisValue})
"""Kinds of values that contain no others, and whose attributes no program sets through an unknown value."""


CONTENTS: Kinds[Callable[[Any], list[Value]]] = Kinds()


def reachable(value: Value) -> list[Value]:
    """The values directly inside ``value``: elements, alternatives or arguments; the aliases of an unknown value."""
    return CONTENTS[type(value)](value)


CONTENTS.of(Value)(lambda value: list(value.parts))
CONTENTS.of(ListValue)(lambda value: [*value.items, *_may_be_in(value)])
CONTENTS.of(SetValue)(lambda value: list(value.items.values()))
CONTENTS.of(DictValue)(lambda value: [*(entry.value for entry in value.entries.values()), *_may_be_in(value)])
CONTENTS.of(ViewValue)(lambda value: [value.source])
CONTENTS.of(Partial)(lambda value: [*value.positional, *value.keywords.values()])
CONTENTS.of(UnknownValue)(lambda value: list(value.aliases))


def _may_be_in(value: ListValue | DictValue) -> tuple[Value, ...]:
    return value.rest.aliases if value.rest is not None else ()


def all_in(run: Interpreter, value: Value) -> Iterator[Value]:
    """``value``, and all values inside it except those of kinds in ``ATOMS``; each once."""
    seen: set[int] = set()
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) not in seen:
            seen.add(id(item))
            if not len(seen) % PASSED_IN_A_STEP:
                run.budget.step()
            yield item
            stack += [inner for held in reachable(item) if type(inner := held.element) not in ATOMS]


def namespace_of(scope: Scope, unknown: UnknownValue) -> UnknownValue:
    """``globals()`` or ``locals()``: an unknown dict of which only reading and binding a single name is followed."""
    return replace(unknown, aliases=(scope,))


def scope_in(value: Value) -> Scope | None:
    """The scope whose dict ``value`` is (``namespace_of``); ``None`` for any other value."""
    if isinstance(value, UnknownValue) and len(value.aliases) == 1 and isinstance(value.aliases[0], Scope):
        return value.aliases[0]
    return None


def forget_names(run: Interpreter, scope: Namespace, unknown: UnknownValue) -> None:
    """Make every name of ``scope`` unknown, with its former value as an alias."""
    if scope.rest is not None and all(value.as_unknown for value in scope.names.values()):
        return  # every name is unknown already
    run.trail.touch(scope)
    scope.names = {name: with_aliases(unknown, value) for name, value in scope.names.items()}
    scope.rest = scope.rest or unknown


READING = frozenset(
    {"get", "items", "keys", "values", "copy", "index", "count", "union", "intersection", "difference", "issubset"}
    | {name for name in dir(str) if not name.startswith("_")}
    | {"model_dump", "model_copy", "model_dump_json", "is_file", "exists", "isdisjoint", "issuperset"}
)
"""Methods that change nothing, whatever object they are called on."""
