"""Methods of sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import arity, reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to
from pdmigrate.evaluate.core.natives import first_argument, methods_from
from pdmigrate.evaluate.core.operations import METHODS
from pdmigrate.evaluate.core.python_values import NotPlain, key_of
from pdmigrate.evaluate.core.values import NONE, Arguments, Origin, SetValue, TupleValue, UnknownValue, Value, const
from pdmigrate.evaluate.language.comparison import contains
from pdmigrate.evaluate.language.iteration import elements_of, make_set
from pdmigrate.evaluate.language.literals import update_set
from pdmigrate.evaluate.language.operators import _sets

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _set(arguments: Arguments) -> SetValue:
    receiver = arguments.positional[0]
    assert isinstance(receiver, SetValue)
    return receiver


def _add(run: Interpreter, arguments: Arguments) -> Value:
    update_set(run, _set(arguments), TupleValue((first_argument(run, arguments, 1),)))
    return NONE


def _update_set(run: Interpreter, arguments: Arguments) -> Value:
    for value in arguments.positional[1:]:
        update_set(run, _set(arguments), value)
    return NONE


def _discard(run: Interpreter, arguments: Arguments) -> Value:
    target = _set(arguments)
    run.trail.touch(target)
    try:
        wanted = first_argument(run, arguments, 1)
        if isinstance(wanted, SetValue):
            raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "a set as an element of a set", arguments.place))
        target.items.pop(key_of(wanted), None)
    except NotPlain as reason:
        target.rest = target.rest or reason.unknown
    return NONE


def _remove(run: Interpreter, arguments: Arguments) -> Value:
    present = contains(run, _set(arguments), first_argument(run, arguments, 1))
    if present is False:
        raise run.failure("KeyError", "the element is not in the set")
    if isinstance(present, UnknownValue):
        run.risk(present, "soft")
    return _discard(run, arguments)


def _clear_set(run: Interpreter, arguments: Arguments) -> Value:
    target = _set(arguments)
    run.trail.touch(target)
    target.items, target.rest = {}, None
    return NONE


def _pop(run: Interpreter, arguments: Arguments) -> Value:
    """``set.pop()``: the element is known only if it is the only one."""
    target = _set(arguments)
    run.trail.touch(target)
    if not target.items and target.rest is None:
        raise run.failure("KeyError", "pop from an empty set")
    if target.exact and len(target.items) == 1:
        return target.items.popitem()[1]
    unknown = target.rest or reasons.unknown(
        reasons.VOLATILE, "which element of a set comes first differs from run to run", arguments.place
    )
    lost = leading_to(unknown, *target.items.values())
    target.items, target.rest = {}, lost
    return lost


def _copy_set(_run: Interpreter, arguments: Arguments) -> Value:
    source = _set(arguments)
    return SetValue(dict(source.items), source.rest, source.frozen)


_OPERATORS: dict[str, type] = {
    "union": cst.BitOr,
    "intersection": cst.BitAnd,
    "difference": cst.Subtract,
    "symmetric_difference": cst.BitXor,
}


def _combined(kind: str) -> Callable[[Interpreter, Arguments], Value]:
    def combine(run: Interpreter, arguments: Arguments) -> Value:
        result: Value = _copy_set(run, arguments)
        for value in arguments.positional[1:]:
            other = make_set(run, elements_of(run, value, arguments.place))
            if not isinstance(result, SetValue):
                return first_unknown(result) or NONE
            result = _sets(run, _OPERATORS[kind], result, other, Origin(kind, arguments.place))
        return result

    return combine


def _related(kind: str) -> Callable[[Interpreter, Arguments], Value]:
    def relate(run: Interpreter, arguments: Arguments) -> Value:
        first = _set(arguments)
        second = make_set(run, elements_of(run, first_argument(run, arguments, 1), arguments.place))
        if not first.exact or not second.exact:
            return first.rest or second.rest or reasons.unknown(reasons.CONDITION, "a set", arguments.place)
        a, b = first.items.keys(), second.items.keys()
        return const({"issubset": a <= b, "issuperset": a >= b, "isdisjoint": not (a & b)}[kind])

    return relate


_FUNCTIONS = {
    "add": _add,
    "update": _update_set,
    "discard": _discard,
    "remove": _remove,
    "clear": _clear_set,
    "pop": _pop,
    "copy": _copy_set,
    **{kind: _combined(kind) for kind in _OPERATORS},
    **{kind: _related(kind) for kind in ("issubset", "issuperset", "isdisjoint")},
}
SET_METHODS = arity.counted(_FUNCTIONS, arity.SETS, methods=True)
_METHODS = methods_from(SET_METHODS)
_CHANGING = frozenset({"add", "update", "discard", "remove", "clear", "pop"})
METHODS.of(SetValue)(lambda value, name: None if value.frozen and name in _CHANGING else _METHODS(value, name))
