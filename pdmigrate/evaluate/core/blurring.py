"""Blurring an object's state: what is left of it after a change that happened in part, or any number of times.

A state is a snapshot, as ``Mutable.snapshot`` makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.joining import UNBOUND, same, same_order
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import (
    DictValue,
    Entry,
    Guard,
    IteratorValue,
    ListValue,
    Maybe,
    Mutable,
    Namespace,
    SetValue,
    UnknownValue,
    Value,
)


def doubtful(items: list[Value], reason: UnknownValue) -> list[Value]:
    """``items``, each of which may have been removed or moved."""
    guard = Guard("it is still there", reason)
    return [Maybe(item, guard) for item in items]


def blur(target: Mutable, before: Any, after: Any, reason: UnknownValue) -> Any:
    """The state of ``target`` after the change from ``before`` to ``after`` happened in part, or several times."""
    return BLURS[type(target)](before, after, reason)


BLURS: Kinds[Callable[[Any, Any, UnknownValue], Any]] = Kinds()


@BLURS.of(ListValue)
def _blur_list(before: Any, after: Any, reason: UnknownValue) -> Any:
    rest = before[1] or after[1]
    if len(after[0]) >= len(before[0]) and all(map(same, before[0], after[0])):
        longer = len(after[0]) > len(before[0])
        return before[0], with_aliases(rest or reason, *after[0][len(before[0]) :]) if longer else rest
    return doubtful(before[0], reason), with_aliases(rest or reason, *after[0])


@BLURS.of(IteratorValue)
def _blur_iterator(before: Any, after: Any, reason: UnknownValue) -> Any:
    if not before[2]:
        return _blur_list(before, after, reason)
    rest = before[1] or after[1]
    return (before[0], rest, *before[2:]) if after[2] else ([], rest or reason)


@BLURS.of(Namespace)
def _blur_names(before: Any, after: Any, reason: UnknownValue) -> Any:
    names = {
        name: value
        if name in before[0] and same(before[0][name], value)
        else with_aliases(reason, value, before[0].get(name, UNBOUND))
        for name, value in {**before[0], **after[0]}.items()
    }
    return names, before[1] or after[1]


@BLURS.of(DictValue)
def _blur_dict(before: Any, after: Any, reason: UnknownValue) -> Any:
    lost = [entry.value for part in (before, after) for entry in part[0].values()]
    return *_blurred_map(before, after, reason, lost), _blurred_order(before, after, reason)


@BLURS.of(SetValue)
def _blur_set(before: Any, after: Any, reason: UnknownValue) -> Any:
    return _blurred_map(before, after, reason, [item for part in (before, after) for item in part[0].values()])


def _blurred_map(before: Any, after: Any, reason: UnknownValue, lost: list[Value]) -> Any:
    rest, changed = before[1] or after[1], _changed(before, after)
    kept = {key: value for key, value in before[0].items() if key not in changed}
    return kept, with_aliases(rest or reason, *lost) if changed else rest


def absorbs(target: Mutable, before: Any, after: Any) -> bool:
    """Whether the state ``before`` already allows for the change to ``after``, any number of times."""
    if before[1] is None and after[1] is not None:
        return False
    return ABSORBS[type(target)](before, after)


ABSORBS: Kinds[Callable[[Any, Any], bool]] = Kinds()


@ABSORBS.of(ListValue)
def _list_absorbs(before: Any, after: Any) -> bool:
    if len(after[0]) >= len(before[0]) and all(map(same, before[0], after[0])):
        return before[1] is not None or len(after[0]) == len(before[0])
    return before[1] is not None and all(type(item) is Maybe for item in before[0])


@ABSORBS.of(Namespace)
def _names_absorb(before: Any, after: Any) -> bool:
    return all(before[0].get(name, UNBOUND).as_unknown for name in _changed(before, after))


@ABSORBS.of(DictValue)
def _dict_absorbs(before: Any, after: Any) -> bool:
    moved = after[2] is not None or not same_order(before[0], after[0])
    return (not moved or before[2] is not None) and _set_absorbs(before, after)


@ABSORBS.of(SetValue)
def _set_absorbs(before: Any, after: Any) -> bool:
    changed = _changed(before, after)
    return not changed or (before[1] is not None and not any(key in before[0] for key in changed))


def _blurred_order(before: Any, after: Any, reason: UnknownValue) -> UnknownValue | None:
    known = before[2] or after[2]
    return known if known is not None or same_order(before[0], after[0]) else reason


def _changed(before: Any, after: Any) -> list[Hashable]:
    """The keys that were added, removed, or bound to another value."""
    return [
        key
        for key in {**before[0], **after[0]}
        if key not in before[0] or key not in after[0] or _differs(before, after, key)
    ]


def _differs(before: Any, after: Any, key: Hashable) -> bool:
    first, second = before[0][key], after[0][key]
    return not (same(first.value, second.value) if isinstance(first, Entry) else same(first, second))
