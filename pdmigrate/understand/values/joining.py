"""Joining the values and the states of two paths: what both agree on is kept, all else is conditional or not known."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import takewhile
from operator import ne
from typing import Any

from pdmigrate.understand.values.calls import BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, Followed, ListValue, Mutable, State
from pdmigrate.understand.values.core import NONE, Const, Either, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance
from pdmigrate.understand.values.outside import External


@dataclass(frozen=True, slots=True)
class AnyOf(Unknown):
    """A value that is not settled, but may be one of ``options``: what is done to it may be done to each of them."""

    options: tuple[Value, ...] = field(default=(), compare=False)
    sure: bool = field(default=False, compare=False)  # it is one of them, or ``None``, for certain
    none: bool = field(default=False, compare=False)  # it may be ``None``, if it is ``sure``


def unsettled(why: Unknown, *values: Value) -> Unknown:
    """An unknown value for this reason that may be any of ``values``."""
    found: dict[int, Value] = {}
    others = none = False
    stack = [why, *values] if isinstance(why, AnyOf) else list(values)
    while stack:
        value = stack.pop()
        if isinstance(value, Maybe):
            stack.append(value.value)
        elif isinstance(value, AnyOf):
            stack += value.options
            others |= not value.sure
            none |= value.none
        elif value == NONE:
            none = True
        elif isinstance(value, (Const, External, Unknown)):
            others = True
        else:
            found[id(value)] = value
    Mutable.work.done += len(found)
    if isinstance(why, AnyOf) and len(why.options) == len(found) and (not others or not why.sure):
        return why if why.none is none else replace(why, none=none)
    return AnyOf(why.reason, why.code, why.site, why.test, tuple(found.values())) if found else why


def one_of(why: Unknown, *values: Value) -> Unknown:
    """One of ``values``: what is done to it is done to each, on its own path, if all can be called or are objects."""
    found: dict[int, Value] = {}
    none = False
    for value in values:
        options = value.options if isinstance(value, AnyOf) and value.sure else (value,)
        found |= {id(option): option for option in options if option != NONE}
        none |= value == NONE or (isinstance(value, AnyOf) and value.none)
    alike = any(all(isinstance(value, kind) for value in found.values()) for kind in (CALLABLE, Instance))
    if found and len(found) <= _MOST_OPTIONS and alike:
        return AnyOf(why.reason, why.code, why.site, why.test, tuple(found.values()), sure=True, none=none)
    return unsettled(why, *found.values())


_MOST_OPTIONS = 8
CALLABLE = (FunctionValue, ClassValue, BoundMethod, Partial, Native)


def same(first: Value, second: Value) -> bool:
    """Whether two values are certainly one value."""
    if first is not second and isinstance(first, TupleValue) and isinstance(second, TupleValue):
        return len(first.items) == len(second.items) and all(map(same, first.items, second.items))
    return first is second or (type(first) is type(second) and not isinstance(first, Mutable) and first == second)


def join_values(first: Value, second: Value, why: Unknown) -> Value:
    """A value that stands for either of two."""
    if same(first, second):
        return first
    one, other = _servers(first), _servers(second)
    if one and other:
        return Either(tuple(dict.fromkeys((*one, *other))))
    if unknown := next((value for value in (first, second) if isinstance(value, Unknown)), None):
        return unsettled(unknown, first, second)
    for kind in (ListValue, DictValue):
        if isinstance(first, kind) and isinstance(second, kind):
            made = kind(*join_states(first.save(), second.save(), why)[:2])
            # A change of any of them, and of those that they may be in turn, makes the others unknown.
            made.also = tuple({id(each): each for each in (first, second, *first.also, *second.also)}.values())
            for each in made.also:
                each.also = (*each.also, made)
            return made
    return one_of(why, first, second)


def _servers(value: Value) -> tuple[Value, ...]:
    """The servers, or ``None``, that a value may be; empty for all other values."""
    if isinstance(value, Either):
        return value.options
    inner = value.inside if isinstance(value, Instance) else value
    return (value,) if value == NONE or isinstance(inner, Followed) else ()


def join_states(first: State, second: State, why: Unknown, holds: bool | None = None) -> State:
    """The state of an object that has one of two states, the first if the test of ``why`` ``holds``."""
    rest = first[1] or second[1]
    Mutable.work.done += len(first[0]) + len(second[0])
    for lost, other in ((first, second), (second, first)):
        if lost[2] and _covers(lost[0], other[0]):
            return lost
    if isinstance(first[0], list):
        return _join_lists(first[0], second[0], why, holds), rest, False
    ordered = all(isinstance(entry, tuple) for entry in (*first[0].values(), *second[0].values()))
    keys = _merged_order(list(first[0]), list(second[0])) if ordered else [*{**first[0], **second[0]}]
    if keys is None:
        keys, rest = [*{**first[0], **second[0]}], rest or why
    return {key: _join_entries(first[0].get(key), second[0].get(key), why, holds) for key in keys}, rest, False


def _covers(lost: Any, other: Any) -> bool:
    """Whether a content of which nothing is known may be the other one, as far as its parts say."""
    if isinstance(lost, list):
        return len(lost) == len(other) and all(map(_may_be, lost, other))
    return bool(lost.keys() == other.keys()) and all(_may_be(part, other[key]) for key, part in lost.items())


def _may_be(lost: Any, other: Any) -> bool:
    value, known = bare_value(_item(other)), bare_value(_item(lost))
    if value is known or (isinstance(known, AnyOf) and any(value is option for option in known.options)):
        return True
    if isinstance(value, AnyOf):
        return isinstance(known, AnyOf) and {*map(id, value.options)} <= {*map(id, known.options)}
    return isinstance(known, Unknown) and isinstance(value, (Const, External, Unknown))


def _merged_order(first: list[Any], second: list[Any]) -> list[Any] | None:
    """The keys of both in an order that agrees with either; ``None`` if there is none."""
    common = set(first) & set(second)
    if [key for key in first if key in common] != [key for key in second if key in common]:
        return None
    merged: list[Any] = []
    others = iter(second)
    for key in first:
        if key in common:
            merged += takewhile(partial(ne, key), others)
        merged.append(key)
    return [*merged, *others]


def _join_lists(first: list[Value], second: list[Value], why: Unknown, holds: bool | None) -> list[Value]:
    """A list from which either of two comes by leaving elements out: what both have, in the same order, is certain."""
    shared = sum(1 for _ in takewhile(lambda pair: same(*pair), zip(first, second, strict=False)))
    joined, first, second = first[:shared], first[shared:], second[shared:]
    blocks = [(len(first), len(second), 0)]
    if first and second and len(first) * len(second) < _MOST_PAIRS:
        Mutable.work.done += len(first) * len(second) // 2
        one, other = (list(map(bare_value, items)) for items in (first, second))
        blocks = [*SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()]
    at = to = 0
    for start, begin, length in blocks:
        joined += [maybe(item, why, holds) for item in first[at:start]]
        joined += [maybe(item, why, _opposite(holds)) for item in second[to:begin]]
        pairs = zip(first[start : start + length], second[begin : begin + length], strict=True)
        joined += [item if same(item, twin) else _sometimes(bare_value(item), item, twin) for item, twin in pairs]
        at, to = start + length, begin + length
    return joined


_MOST_PAIRS = 1_000_000
"""The most pairs of elements that are compared; beyond that, only what both lists begin with is certain."""


def _opposite(holds: bool | None) -> bool | None:
    return None if holds is None else not holds


def _sometimes(value: Value, first: Value, second: Value) -> Maybe:
    """An element that is conditional in at least one of two containers."""
    known = first if isinstance(first, Maybe) else second
    assert isinstance(known, Maybe)
    agreed = isinstance(second, Maybe) and (known.why, known.holds) == (second.why, second.holds)
    return Maybe(value, known.why, known.holds if agreed and isinstance(first, Maybe) else None)


def _item(entry: Any) -> Value:
    """The value of an entry: a dict has its key, too."""
    value: Value = entry[1] if isinstance(entry, tuple) else entry
    return value


def _join_entries(first: Any, second: Any, why: Unknown, holds: bool | None) -> Any:
    entry = second if first is None else first
    if first is None or second is None:
        item: Value = maybe(_item(entry), why, holds if second is None else _opposite(holds))
    else:
        one, other = _item(first), _item(second)
        item = join_values(bare_value(one), bare_value(other), why)
        item = _sometimes(item, one, other) if isinstance(one, Maybe) or isinstance(other, Maybe) else item
    if isinstance(entry, tuple):
        return entry if item is entry[1] else (entry[0], item)
    return item


def maybe(value: Value, why: Unknown, holds: bool | None = None) -> Maybe:
    return value if isinstance(value, Maybe) else Maybe(value, why, holds)


def conditional_as(item: Value, value: Value) -> Value:
    """``value`` as an element that is there where ``item`` is."""
    return replace(item, value=value) if isinstance(item, Maybe) else value


def bare_value(value: Value) -> Value:
    return value.value if isinstance(value, Maybe) else value


def certain(value: Value) -> Value:
    """``value`` as an operation sees it that does not care for conditions: unknown if it may be absent."""
    if not isinstance(value, Maybe):
        return value
    return unsettled(value.value if isinstance(value.value, Unknown) else value.why, value)
