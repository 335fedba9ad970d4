"""Augmented assignment: what ``target += value`` and the like bind, and what they change in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives, changeable
from pdmigrate.evaluate.core.disturbing import disturb, poison
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    Const,
    DictValue,
    ListValue,
    Origin,
    Place,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.calls import is_small_choice
from pdmigrate.evaluate.language.literals import extend_list, update, update_set
from pdmigrate.evaluate.language.operator_methods import METHODS, first_answer, method_attempt
from pdmigrate.evaluate.language.operators import binary, combined

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

AUGMENTED: dict[type, type] = {getattr(cst, f"{kind.__name__}Assign"): kind for kind in METHODS}
"""The operator of each augmented assignment."""


def augmented(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    """What ``left <kind>= right`` binds: ``left`` itself where it is changed in place."""
    if left.sides and any(item.as_instance is not None or changeable(item) for item in alternatives(left)):
        return _of_one(run, kind, left, right, place)
    if (unknown := left.as_unknown) is not None:
        disturb(run, unknown)
        return binary(run, kind, left, right, place)
    name = METHODS[kind]
    attempts = [
        method_attempt(run, left, f"__i{name}__", right, place),
        lambda: left if _in_place(run, kind, left, right, place) else binary(run, kind, left, right, place),
    ]
    if left.as_list is not None:  # a list adds what it is given only where that has no method of its own
        attempts.insert(1, method_attempt(run, right, f"__r{name}__", left, place))
    answer = first_answer(run, attempts)
    return answer or reasons.unknown(reasons.UNSUPPORTED, "this operator", place)


def _of_one(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    """Augment one of several objects."""
    if not is_small_choice(left):
        unknown = reasons.unknown(reasons.UNSUPPORTED, "changing this object in place", place)
        poison(run, left, unknown)
        disturb(run, UnknownValue(unknown.reason, unknown.code, place, aliases=(left,)))
        return left
    return run.of_each(left, lambda side: augmented(run, kind, side, right, place))


def _in_place(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> bool:
    """Apply the operator to a list, dict or set itself; ``False`` if a new value is to be bound."""
    if (known := left.as_list) is not None and known.kind == "list":
        return _in_list(run, kind, known, right, place)
    if kind is cst.BitOr and left.as_dict is not None:
        update(run, left.as_dict, right)
        return True
    if (given := left.as_set) is None or given.frozen:
        return False
    if kind is cst.BitOr and isinstance(right, (Const, DictValue, ListValue, TupleValue)):
        raise run.failure("TypeError", f"unsupported operands for |=: a set and {describe(right)}")
    if kind is cst.BitOr:
        update_set(run, given, right)
    else:
        _in_set(run, kind, given, right, place)
    return True


def _in_list(run: Interpreter, kind: type, left: ListValue, right: Value, place: Place) -> bool:
    if kind is cst.Add:
        extend_list(run, left, right, place)
        return True
    if kind is not cst.Multiply:
        return False
    times = binary(run, kind, left, right, place)
    if isinstance(times, ListValue):
        run.trail.touch(left)
        left.items = times.items
    else:
        unknown = times.as_unknown or reasons.unknown(reasons.UNSUPPORTED, "this operator", place)
        run.risk(unknown, "soft")
        poison(run, left, unknown)
    return True


def _in_set(run: Interpreter, kind: type, left: SetValue, right: Value, place: Place) -> None:
    unknown: UnknownValue | None = None
    if right.as_set is not None:
        result = combined(run, kind, left, right.as_set, Origin("computed", place))
        if (made := result.as_set) is not None:
            run.trail.touch(left)
            left.items = made.items
            return
        unknown = result.as_unknown
    poison(run, left, unknown or reasons.unknown(reasons.UNSUPPORTED, "changing this object in place", place))


def holds_by_place(container: Value) -> bool:
    """Whether setting an element of ``container`` to the object that stands there changes nothing."""
    return isinstance(container, (ListValue, DictValue))
