"""What was changed since when: branches are carried out one after the other, undone, and joined."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from operator import attrgetter
from typing import Any

from pdmigrate.understand.values.calls import BoundMethod, Partial
from pdmigrate.understand.values.containers import (
    DictValue,
    Followed,
    IteratorValue,
    ListValue,
    Mutable,
    SetValue,
    State,
    View,
)
from pdmigrate.understand.values.core import Const, Either, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, join_states, maybe, unsettled
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, Scope
from pdmigrate.understand.values.outside import Called, External, Subscripted, UnionType

Delta = dict[Mutable, State]


class Level(Delta):
    """The states that objects had before they were changed.  ``start``: objects born later are the level's own."""

    def __init__(self) -> None:
        super().__init__()
        self.start = next(Mutable.births)


class Path(Delta):
    """The states to which a path led objects.  ``end``: objects born later do not exist on it."""

    def __init__(self, states: Delta) -> None:
        super().__init__(states)
        self.end = next(Mutable.births)


class Journal:
    """A stack of records; each holds the states that objects had before they were changed under it."""

    def __init__(self) -> None:
        self.levels: list[Level] = []
        self.touched: list[set[Mutable]] = [set()]
        """What each of the statements has changed that are being carried out, the outermost first."""

    def touch(self, changed: Mutable) -> None:
        """Note the state of an object that is going to change."""
        self.touched[-1].add(changed)
        changed.changes += 1
        if not isinstance(changed, (IteratorValue, Scope)):
            Mutable.work.changes += 1
        self._note(changed)
        changed.changing()
        for other in changed.also:
            if other.rest is None:
                self._note(other)
                forget(other, Unknown("it may be the same object as another one that is changed", "PD309"))

    def _note(self, changed: Mutable) -> None:
        if self.levels and changed not in self.levels[-1]:
            self.levels[-1][changed] = changed.save()

    def push(self) -> int:
        self.levels.append(Level())
        return len(self.levels) - 1

    def keep(self, level: int | None = None) -> None:
        """Close the innermost record, or all from ``level`` on: their changes belong to the one around them."""
        level = len(self.levels) - 1 if level is None else level
        while len(self.levels) > level:
            closed = self.levels.pop()
            for changed, state in closed.items() if self.levels else ():
                self.levels[-1].setdefault(changed, state)

    def undo(self) -> Delta:
        """Close the innermost record and take back its changes, the result; what was made since stays as it is."""
        level = self.levels.pop()
        closed = {changed: state for changed, state in level.items() if changed.born < level.start}
        after = {changed: changed.save() for changed in closed}
        for changed, state in closed.items():
            changed.restore(state)
        return after

    def since(self, level: int) -> Path:
        """The present states of all objects that were changed since the record ``level`` was opened."""
        return Path({changed: changed.save() for record in self.levels[level:] for changed in record})

    def before(self, changed: Mutable, level: int) -> State:
        """The state that an object had when the record ``level`` was opened."""
        for record in self.levels[level:]:
            if changed in record:
                return record[changed]
        return changed.save()

    @contextmanager
    def on(self, path: Delta) -> Iterator[None]:
        """Inside, all objects are as ``path`` left them; what is changed there is undone."""
        self.push()
        self.apply(path)
        yield
        self.undo()

    def apply(self, delta: Delta) -> None:
        for changed, state in delta.items():
            self._note(changed)  # what it may be was noted with the change itself
            changed.restore(state)

    def join(self, first: Delta, second: Delta, why: Unknown, holds: bool | None = None) -> None:
        """Leave every object as either of two alternatives left it, the first if the test of ``why`` ``holds``."""
        for changed in {**first, **second}:
            before = changed.save()
            state = join_states(first.get(changed, before), second.get(changed, before), why, holds)
            self._note(changed)
            changed.restore(state)

    def merge(self, level: int, paths: list[Path], why: Unknown, holds: bool | None = None) -> None:
        """Leave every object as one of several paths, which all began at the record ``level``, left it."""
        holds = holds if len(paths) == 2 else None
        for changed in {changed: None for path in paths for changed in path} | dict.fromkeys(self.since(level)):
            base = self.before(changed, level)
            states = [path.get(changed, base) for path in paths if changed.born < path.end]
            state = states[0] if states else changed.save()
            for other in states[1:]:
                if other is not state:
                    state = join_states(state, other, why, holds)
            self._note(changed)
            changed.restore(state)

    def blur(self, changed: Mutable, why: Unknown) -> None:
        """From here on the content of ``changed`` is not known."""
        if not changed.lost:
            self.touch(changed)
            forget(changed, why)


def forget(changed: Mutable, why: Unknown) -> None:
    """Keep of an object only what it may hold: anything may have been added, removed, replaced or moved."""
    changed.rest = changed.rest or why
    data = changed.data
    Mutable.work.done += len(data)
    if isinstance(changed, DictValue):
        changed.data = {known: (key, maybe(unsettled(why, item), why)) for known, (key, item) in data.items()}
    elif isinstance(changed, SetValue):
        changed.data = {known: maybe(item, why) for known, item in data.items()}
    elif isinstance(changed, (ListValue, IteratorValue, Followed)):
        changed.data = [maybe(item, why) for item in data]
    elif isinstance(changed, Instance):
        changed.data = {name: unsettled(why, item) for name, item in data.items()}
    changed.lost = isinstance(changed, (DictValue, SetValue, ListValue, IteratorValue, Instance))


def reachable(values: Iterable[Value], unless_exposed_in: int | None = None) -> list[Mutable]:
    """The objects with a content of their own that can be reached from ``values`` through containers and attributes."""
    found: list[Mutable] = []
    seen: set[int] = set()
    levels = [values]
    while levels:
        for item in levels.pop():
            value = item.value if isinstance(item, Maybe) else item
            if type(value) in _EMPTY or id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, Mutable):
                if value.exposed == unless_exposed_in:
                    continue
                found.append(value)
            levels.append(parts_of(value))
    Mutable.work.done += len(seen)
    return found


def shown(value: Value) -> set[Mutable]:
    """The objects on which it depends what code sees that reads ``value``: those it reaches, and those of its code."""
    found: set[Mutable] = set()
    stack = [value]
    while stack:
        for each in (item := stack.pop(), *reachable([item])):
            if not isinstance(each, Mutable) or each not in found:
                found |= {each} if isinstance(each, Mutable) else set()
                stack += _behind(each)
    return found


def _around(scope: Scope | None) -> tuple[Scope, ...]:
    return () if scope is None or scope.kind == "module" else (scope,)


def _behind(value: Value) -> Iterable[Value]:
    if isinstance(value, ClassValue):
        return (*value.data.values(), *value.classes[1:])
    if isinstance(value, FunctionValue):
        return (*value.data.values(), *value.defaults, *value.keyword_defaults.values(), *_around(value.scope))
    if isinstance(value, Scope):
        return (*value.data.values(), *_around(value.parent))
    if isinstance(value, Instance):
        return (value.cls,)
    return (value.function,) if isinstance(value, (BoundMethod, Partial)) else ()


def parts_of(value: Value) -> Iterable[Value]:
    """What a value holds directly."""
    return _PARTS.get(type(value), _inside)(value)


_EMPTY = frozenset({Const, Unknown, External})  # the kinds of value that hold no others


def _in_container(value: ListValue | DictValue | SetValue | IteratorValue) -> Iterable[Value]:
    held = value.data if type(value.data) is list else value.held
    return [*held, value.rest] if type(value.rest) is AnyOf else held


def _inside(value: Value) -> Iterable[Value]:
    inside = getattr(value, "inside", None)
    return () if inside is None else (inside,)


_PARTS: dict[type, Callable[[Any], Iterable[Value]]] = {
    **dict.fromkeys((ListValue, DictValue, SetValue, IteratorValue), _in_container),
    **dict.fromkeys((Either, AnyOf), attrgetter("options")),
    TupleValue: attrgetter("items"),
    Subscripted: attrgetter("args"),
    UnionType: attrgetter("options"),
    View: lambda value: (value.source,),
    Instance: lambda value: [*value.data.values(), *_inside(value)],
    BoundMethod: lambda value: (value.receiver,),
    Partial: attrgetter("positional"),
    Called: lambda value: [*value.args, *(item for _, item in value.kwargs)],
}
