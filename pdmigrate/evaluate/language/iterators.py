"""Iterators, which compute their elements on first use, and loops over containers that change meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import reachable, with_aliases
from pdmigrate.evaluate.core.disturbing import HANDED_OVER, poison
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import (
    Arguments,
    Computation,
    Const,
    DictValue,
    IteratorValue,
    ListValue,
    Mutable,
    Namespace,
    Native,
    Origin,
    Place,
    Scope,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
)
from pdmigrate.tree.code.syntax import syntax_children

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.state import Delta

Elements = tuple[list[Value], UnknownValue | None]


def iterator(
    compute: Callable[[], Elements],
    origin: Origin | None = None,
    *,
    sources: tuple[Mutable, ...] | None = None,
    node: cst.CSTNode | None = None,
    own: Scope | None = None,
) -> IteratorValue:
    """An iterator that calls ``compute`` when the first element is wanted."""
    return IteratorValue(deferred=Computation(compute, sources, node, own), waiting=True, origin=origin)


def start(run: Interpreter, value: IteratorValue) -> None:
    """Compute an iterator's elements on first use; forget the rest if a source changed since it was partly consumed."""
    if run.nesting.iterators_read:
        run.nesting.iterators_read[-1].append(value)
    if value.waiting and value.deferred is not None:
        run.trail.touch(value)
        value.waiting = False
        run.nesting.iterators_read.append([])
        run.trail.fork()
        try:
            items, rest = value.deferred.compute()
        finally:
            value.inner = tuple(run.nesting.iterators_read.pop())
            value.effects = _visible_changes(run.trail.levels[-1], value.deferred.own)
            run.trail.keep()
        _mingled(run, value)
        run.trail.touch(value)
        value.items, value.rest, value.stamp = items, rest, None
    elif value.stamp is not None and value.items and _changed(run, value):
        reason = "an iterator is read in parts, and something changes in between"
        run.trail.touch(value)
        value.rest = with_aliases(value.rest or reasons.unknown(reasons.MUTATED, reason), *value.items)
        value.items = []


def _visible_changes(changed: Delta, own: Scope | None) -> dict[Mutable, Any]:
    """The changes that other code can see: those of older objects other than iterators and the scope ``own``."""
    return {
        target: saved
        for target, saved in changed.items()
        if target.serial <= changed.born and target is not own and target.as_iterator is None
    }


def _mingled(run: Interpreter, value: IteratorValue) -> None:
    """Forget the effects of iterators that interleave with other code or with each other: their order is unknown."""
    code = value.deferred is not None and value.deferred.sources is None
    if code or len(value.inner) > 1:
        for other in value.inner:
            uncertain_effects(run, other)


def uncertain_effects(run: Interpreter, value: Value) -> None:
    """Forget what computing the elements of an iterator changed: when it ran, and how far it got, is not known."""
    if (read := value.as_iterator) is None or not read.effects:
        return
    effects, read.effects = read.effects, {}
    reason = "an iterator changes it when it is read, which happens step by step"
    unknown = reasons.unknown(reasons.MUTATED, reason, read.made_at)
    for target, saved in effects.items():
        if not isinstance(target, Namespace):
            poison(run, target, unknown)
            continue
        run.trail.touch(target)
        for name, now in target.names.items():
            if saved[0].get(name) is not now:
                target.names[name] = with_aliases(unknown, now)


@HANDED_OVER.of(IteratorValue)
def _read(run: Interpreter, value: IteratorValue) -> None:
    if value.waiting:
        start(run, value)
        uncertain_effects(run, value)


def put_back(run: Interpreter, value: Value, items: list[Value]) -> None:
    """Leave ``items`` in an iterator that was consumed in part, and forget what computing its elements changed."""
    if (read := value.as_iterator) is None:
        return
    run.trail.touch(read)
    read.items, read.stamp = items, _stamp(run, read)
    for other in read.inner if items else ():
        reason = "an iterator is read by another one, of which a part is read"
        read_in_part(run, other, reasons.unknown(reasons.UNSUPPORTED, reason))
    uncertain_effects(run, read)


def read_in_part(run: Interpreter, value: IteratorValue, unknown: UnknownValue) -> None:
    """Forget the elements of an iterator: all were taken, but its reader may have stopped before the end."""
    run.trail.touch(value)
    value.items, value.rest = [], with_aliases(value.rest or unknown, *value.items)
    for other in value.inner:
        read_in_part(run, other, unknown)


def _stamp(run: Interpreter, value: IteratorValue) -> tuple[Any, ...] | None:
    if value.deferred is None:
        return None
    if value.deferred.sources is not None:
        # The objects themselves, not their ``id()``, which an object that takes the place of another may get.
        return tuple(map(reachable, value.deferred.sources))
    return (run.trail.changes, run.trail.bound)


def _changed(run: Interpreter, value: IteratorValue) -> bool:
    deferred, stamp = value.deferred, value.stamp
    assert deferred is not None
    assert stamp is not None
    if deferred.sources is not None:
        return stamp != tuple(map(reachable, deferred.sources))
    if run.trail.changes != stamp[0]:
        return True
    names = _names_in(deferred.node) if deferred.node is not None else run.trail.bindings.keys()
    return any(run.trail.bindings.get(name, 0) > stamp[1] for name in names)


def _names_in(node: cst.CSTNode) -> set[str]:
    names: set[str] = set()
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, cst.Name):
            names.add(item.value)
        stack += syntax_children(item)
    return names


# --- functions that make iterators ------------------------------------------------------------------------------------


def later(function: Callable[[Interpreter, Arguments], Value]) -> Callable[[Interpreter, Arguments], Value]:
    """Make a function such as ``map`` return an iterator, and run only when the first element is wanted."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        _require_iterables(run, arguments)

        def compute() -> Elements:
            try:
                made = function(run, arguments)
            except NotPlain as reason:
                made = reason.unknown
            elements = spread(run, made, arguments.place)
            return elements.items, elements.rest

        plain = not any(_is_code(value) for value in arguments.positional)
        return iterator(compute, Origin("iterator", arguments.place), sources=_sources(arguments) if plain else None)

    return call


def _require_iterables(run: Interpreter, arguments: Arguments) -> None:
    """Raise TypeError at once if the only argument is certainly not iterable."""
    for value in arguments.positional[-1:]:
        if (scalar := value.scalar) is not None and value.string is None and len(arguments.positional) == 1:
            raise run.failure("TypeError", f"{type(scalar.value).__name__} is not iterable")


def _is_code(value: Value) -> bool:
    """Whether calling or reading ``value`` may run code of the program."""
    plain = isinstance(value, (Const, TupleValue, ListValue, SetValue, DictValue, ViewValue, Native))
    return not plain or value.as_iterator is not None


def _sources(arguments: Arguments) -> tuple[Mutable, ...]:
    values = (value.source if isinstance(value, ViewValue) else value for value in arguments.positional)
    return tuple(value for value in values if isinstance(value, Mutable))


# --- loops ------------------------------------------------------------------------------------------------------------


class Several(NamedTuple):
    """Any number of unknown elements at this point of a loop."""

    unknown: UnknownValue


def in_turn(run: Interpreter, value: Value, place: Place | None) -> Generator[Value | Several, None, None]:
    """The elements that a loop sees, including those that its body adds; ``Several`` where unknown ones may come."""
    return IN_TURN[type(value)](run, value, place)


IN_TURN: Kinds[Callable[[Interpreter, Any, Place | None], Generator[Value | Several, None, None]]] = Kinds()


@IN_TURN.of(Value)
def _of_any(run: Interpreter, value: Value, place: Place | None) -> Generator[Value | Several, None, None]:
    elements = spread(run, value, place)
    yield from elements.items if elements.rest is None else _among(elements.items, elements.rest)


def _among(items: list[Value], rest: UnknownValue) -> Iterator[Value | Several]:
    before = others(rest)
    for item in items:
        yield Several(before)
        yield item
    yield Several(rest)


def others(rest: UnknownValue) -> UnknownValue:
    """``rest`` without aliases, for unknown elements before a known one; only those after the last one keep aliases.

    Otherwise what a turn does to an unknown element would count as done to known ones that the loop has not reached.
    """
    return replace(rest, aliases=()) if rest.aliases else rest


@IN_TURN.of(IteratorValue)
def _of_iterator(run: Interpreter, value: IteratorValue, place: Place | None) -> Generator[Value | Several, None, None]:
    """The elements of an iterator; when the loop ends early, the remaining ones are put back."""
    items = spread(run, value, place).items
    uncertain_effects(run, value)
    position = 0
    try:
        for item in items if value.rest is None else _among(items, value.rest):
            position += not isinstance(item, Several)
            yield item
    except GeneratorExit:
        put_back(run, value, items[position:])
        raise


@IN_TURN.of(ListValue)
def _of_list(_run: Interpreter, value: ListValue, _place: Place | None) -> Generator[Value | Several, None, None]:
    index, items = 0, value.items
    item: Value | Several | None = None
    while True:
        if value.rest is not None and not isinstance(item, Several):
            item = Several(value.rest if index >= len(value.items) else others(value.rest))
        elif index < len(value.items):
            item = value.items[index]
            index += 1
        else:
            return
        before = len(items)
        yield item
        if value.items is not items:
            # ``value.items`` is another list if a branch was joined, or an unknown value changed it.
            if value.rest is None and not value.exact and value.items[:before] != items[:before]:
                reason = "the loop changes the list that it goes through"
                yield Several(with_aliases(reasons.unknown(reasons.MUTATED, reason), *value.items))
                return
            items = value.items


@IN_TURN.of(DictValue, ViewValue)
def _of_dict(
    run: Interpreter, value: DictValue | ViewValue, place: Place | None
) -> Generator[Value | Several, None, None]:
    elements = spread(run, value, place)
    source = value.source if isinstance(value, ViewValue) else value
    names = list(source.entries)
    for item in elements.items if elements.rest is None else _among(elements.items, elements.rest):
        yield item
        run.budget.step(len(names) >> 4)
        if list(source.entries) != names:
            yield Several(_of_changed(run, source, len(names), place))
            return


def _of_changed(run: Interpreter, source: DictValue, size: int, place: Place | None) -> UnknownValue:
    if source.exact and len(source.entries) != size:
        raise run.failure("RuntimeError", "dictionary changed size during iteration")
    reason = reasons.unknown(reasons.MUTATED, "the loop changes the dict that it goes through", place)
    run.risk(reason)
    return with_aliases(reason, *(entry.value for entry in source.entries.values() if entry.value.doubt is None))
