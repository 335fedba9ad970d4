"""Joining two possible histories of an object: its state if a condition holds, and its state if it does not.

A state is a snapshot, as ``Mutable.snapshot`` makes it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.budget import owe
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import (
    Choice,
    DictValue,
    Entry,
    Guard,
    IteratorValue,
    ListValue,
    Maybe,
    Mutable,
    Namespace,
    SetValue,
    Unbound,
    UnknownValue,
    Value,
)


def alike(first: Any, second: Any) -> bool:
    """Whether two snapshots of an object are identical, the order of elements included.

    Values are equal only when they are identical, so this compares addresses.
    """
    (one, reason), (two, other) = first[:2], second[:2]
    if reason is not other or one != two:
        return False
    return first[2:] == second[2:] and (isinstance(one, list) or list(one) == list(two))


def join_states(target: Mutable, guard: Guard, first: Any, second: Any) -> Any:
    """The state of ``target`` after two possible histories: ``first`` if ``guard`` holds, else ``second``."""
    if alike(first, second):
        return first
    return JOINS[type(target)](guard, first, second)


JOINS: Kinds[Callable[[Guard, Any, Any], Any]] = Kinds()


@JOINS.of(ListValue)
def _join_list(guard: Guard, first: Any, second: Any) -> Any:
    if _is_forgotten(first, second) or _is_forgotten(second, first):
        # Elements that may be left would only have to be forgotten again after each change.
        return [], with_aliases(first[1], *_others(first[1], (*first[0], *second[0]), second[1].aliases))
    joined = join_lists(guard, first[0], second[0])
    if len(joined) > max(len(first[0]), len(second[0]), MOST_COPIES) and len(joined) > len(_by_object(joined)) * 2:
        # Two orders of the same elements are kept side by side, and each further join may double them again.
        reason = f"the order of a list depends on {guard.question}: {guard.unknown.root}"
        known = UnknownValue(reason, guard.unknown.code)
        aliases = [alias for rest in (first[1], second[1]) if rest is not None for alias in rest.aliases]
        return [], with_aliases(known, *_others(known, joined, aliases))
    return joined, first[1] or second[1]


@JOINS.of(IteratorValue)
def _join_iterator(guard: Guard, first: Any, second: Any) -> Any:
    if first[2] is not second[2]:
        reason = f"an iterator is read only when {guard.condition}"
        return [], first[1] or second[1] or UnknownValue(reason, guard.unknown.code)
    return *_join_list(guard, first, second), *first[2:]


@JOINS.of(DictValue)
def _join_dict(guard: Guard, first: Any, second: Any) -> Any:
    order = first[2] or second[2] or _order(guard, first[0], second[0])
    return _join_maps(guard, first[0], second[0], _entry), first[1] or second[1], order


JOINS.of(SetValue)(
    lambda guard, first, second: (_join_maps(guard, first[0], second[0], _element), first[1] or second[1])
)
JOINS.of(Namespace)(lambda guard, first, second: (_join_names(guard, first[0], second[0]), first[1] or second[1]))


def _is_forgotten(state: Any, other: Any) -> bool:
    """Whether a list's content is forgotten in ``state``, and uncertain in ``other``: each element is conditional."""
    known = state[0] or other[1] is None or state[1] is None or state[1].code != reasons.MUTATED
    return not known and all(type(item) is Maybe for item in other[0])


def _others(known: UnknownValue, items: Iterable[Value], aliases: Iterable[Value]) -> Iterator[Value]:
    """The elements of ``items`` and the ``aliases`` that are not among the aliases of ``known``, each once."""
    before = set(map(id, known.aliases))
    for value in (*(item.element for item in items), *aliases):
        if id(value) not in before:
            before.add(id(value))
            yield value


UNBOUND = Unbound()
MOST_COPIES = 256
"""The most elements of a joined list that holds an object several times, under different conditions."""


def join_values(guard: Guard, first: Value, second: Value) -> Value:
    if same(first, second):
        return first
    return Choice(guard, first, second)


def same(first: Value, second: Value) -> bool:
    """Whether two values are interchangeable: identical, or equal scalars, or the same name from outside the tree."""
    if first is second:
        return True
    one, two = first.scalar, second.scalar
    if one is not None and two is not None:
        return type(one.value) is type(two.value) and one.value == two.value
    name = first.library_name
    return name != "" and name == second.library_name and "()" not in name


def _alike_from_start(first: Iterable[Value], second: Iterable[Value]) -> int:
    count = 0
    for one, two in zip(first, second, strict=False):
        if one is not two and not same(one, two):
            break
        count += 1
    return count


def join_lists(guard: Guard, first: list[Value], second: list[Value]) -> list[Value]:
    shorter = min(len(first), len(second))
    # Most lists are only appended to on one side: comparing the slices settles these at once.
    start = shorter if first[:shorter] == second[:shorter] else _alike_from_start(first, second)
    end = _alike_from_start(islice(reversed(first), shorter - start), reversed(second))
    between = _join_unlike(guard, first[start : len(first) - end], second[start : len(second) - end])
    return [*first[:start], *between, *(first[len(first) - end :] if end else ())]


def _join_unlike(guard: Guard, first: list[Value], second: list[Value]) -> list[Value]:
    """Join lists without a common start or end: an object in both appears once, so that filtering doubles nothing."""
    owe(len(first) + len(second))
    first, second = list(map(flat, first)), list(map(flat, second))
    ones, twos = _by_object(first), _by_object(second)
    order = merged_order(ones, twos)
    if order is None or len(ones) < len(first) or len(twos) < len(second):
        inverse = guard.inverse()
        return [*(Maybe(item, guard) for item in first), *(Maybe(item, inverse) for item in second)]
    return [in_either(guard, ones.get(key), twos.get(key)) for key in order]


def flat(item: Value) -> Value:
    """``item`` with its nested conditions merged into one ``Maybe``."""
    if type(item) is not Maybe or type(item.value) is not Maybe:
        return item
    guards: list[Guard] = []
    while type(item) is Maybe:
        guards.append(item.guard)
        item = item.value
    conditions = dict.fromkeys(guard.condition for guard in guards)
    return Maybe(
        item, guards[0] if len(conditions) == 1 else _combined_guard(" and ".join(conditions), guards[0].unknown)
    )


def _combined_guard(text: str, unknown: UnknownValue) -> Guard:
    """A guard whose text combines other conditions: a long one is replaced, since each further join may double it."""
    return Guard(text if len(text) <= LONGEST_CONDITION else "several conditions hold", unknown)


LONGEST_CONDITION = 200


def _by_object(items: Iterable[Value]) -> dict[Hashable, Value]:
    return {id(item.element): item for item in items}


def _entry(guard: Guard, first: Entry | None, second: Entry | None) -> Entry:
    present = first or second
    assert present is not None
    return Entry(present.key, in_either(guard, first.value if first else None, second.value if second else None))


def _element(guard: Guard, first: Value | None, second: Value | None) -> Value:
    if first is not None and second is not None and first.doubt is None and second.doubt is None:
        return first
    return in_either(guard, first, second)


def in_either(guard: Guard, first: Value | None, second: Value | None) -> Value:
    """An element after two histories, in each of which it may be absent (``None``) or conditional (``Maybe``)."""
    if first is None or second is None:
        present = first or second
        assert present is not None
        return Maybe(present, guard if first else guard.inverse())
    (one, condition), (two, other) = map(_with_condition, (first, second))
    if condition is None and other is None:
        return join_values(guard, first, second)
    return Maybe(join_values(guard, one, two), _whichever(guard, condition, other))


def held(value: Value) -> Value:
    """The value of an attribute as an element of ``__dict__``, which is absent where the attribute is unbound."""
    return _held(value, {}) or value


def _held(value: Value, known: dict[int, Value | None]) -> Value | None:
    """The element, ``None`` if it is always absent; ``known`` caches results by ``id()``: choices may share sides."""
    if value.is_bound or not value.branches:
        return value if value.is_bound else None
    if id(value) not in known:
        (guard, first), (_, second) = value.branches
        one, two = _held(first, known), _held(second, known)
        known[id(value)] = None if one is two is None else in_either(guard, one, two)
    return known[id(value)]


def _with_condition(item: Value) -> tuple[Value, Guard | None]:
    return (item.value, item.guard) if isinstance(item, Maybe) else (item, None)


def _whichever(guard: Guard, first: Guard | None, second: Guard | None) -> Guard:
    """The condition that is ``first`` where ``guard`` holds and ``second`` where it does not; ``None`` always holds."""
    if first is not None and second is not None and first.text == second.text and first.negated is second.negated:
        return first
    known = first or second
    assert known is not None
    sides = [f"{guard.condition} and {first.condition}" if first else guard.condition]
    inverse = guard.inverse().condition
    sides.append(f"{inverse} and {second.condition}" if second else inverse)
    return _combined_guard(" or ".join(sides), known.unknown)


def _join_names(guard: Guard, first: dict[str, Value], second: dict[str, Value]) -> dict[str, Value]:
    joined = {**first, **second}
    for name, value in joined.items():
        one, two = first.get(name, UNBOUND), second.get(name, UNBOUND)
        joined[name] = value if one is two else join_values(guard, one, two)
    return joined


def _join_maps(guard: Guard, first: dict[Hashable, Any], second: dict[Hashable, Any], join: Any) -> Any:
    owe(len(first) + len(second))
    return {key: join(guard, first.get(key), second.get(key)) for key in _merged(first, second)}


Key = TypeVar("Key", bound=Hashable)


def merged_order(first: Mapping[Key, Value], second: Mapping[Key, Value]) -> list[Key] | None:
    """The keys of both in an order consistent with each; ``None`` if they order shared keys differently.

    Where neither mapping decides which of two keys comes first, the key of the older object does, as in the list that
    both were filtered from.
    """
    if not same_order(first, second):
        return None
    ones, twos, order = deque(first), deque(second), list[Key]()
    while ones or twos:
        left = ones[0] if ones and ones[0] not in second else None
        right = twos[0] if twos and twos[0] not in first else None
        if left is not None and (right is None or first[left].element.age <= second[right].element.age):
            order.append(ones.popleft())
        elif right is not None:
            order.append(twos.popleft())
        else:
            order.append(ones.popleft())
            twos.popleft()
    return order


def _merged(first: Iterable[Key], second: Iterable[Key]) -> dict[Key, None]:
    """The keys of both, in an order consistent with each if they order shared keys alike."""
    merged: dict[Key, None] = {}
    ones = dict.fromkeys(first)
    left = iter(ones)
    for key in second:
        # Keys that only ``first`` has come before the shared key that follows them there.
        while key in ones and key not in merged:
            merged[next(left)] = None
        merged[key] = None
    return {**merged, **ones}


def _order(guard: Guard, first: dict[Hashable, Any], second: dict[Hashable, Any]) -> UnknownValue | None:
    """Why the entries of a dict may be in the order of either history; ``None`` if both have the same order."""
    if same_order(first, second):
        return None
    return UnknownValue(f"the order of a dict depends on {guard.question}: {guard.unknown.root}", guard.unknown.code)


def same_order(first: Mapping[Key, Any], second: Mapping[Key, Any]) -> bool:
    return [key for key in first if key in second] == [key for key in second if key in first]
