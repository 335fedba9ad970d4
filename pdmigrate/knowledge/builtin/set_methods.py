"""Methods of sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.arity import ANY, ONE, ZERO, methods
from pdmigrate.evaluate.core.natives import first_argument, known, methods_from
from pdmigrate.evaluate.core.operations import METHODS
from pdmigrate.evaluate.core.python_values import NotPlain, key_of
from pdmigrate.evaluate.core.values import NONE, Arguments, Origin, SetValue, TupleValue, Value, const
from pdmigrate.evaluate.language.comparison import contains
from pdmigrate.evaluate.language.iteration import elements_of, make_set
from pdmigrate.evaluate.language.literals import update_set
from pdmigrate.evaluate.language.operators import combined

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _add(run: Interpreter, target: SetValue, arguments: Arguments) -> Value:
    update_set(run, target, TupleValue((first_argument(run, arguments, 1),)))
    return NONE


def _update_set(run: Interpreter, target: SetValue, arguments: Arguments) -> Value:
    for value in arguments.positional[1:]:
        update_set(run, target, value)
    return NONE


def _discard(run: Interpreter, target: SetValue, arguments: Arguments) -> Value:
    run.trail.touch(target)
    try:
        wanted = first_argument(run, arguments, 1)
        if isinstance(wanted, SetValue):
            raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "a set as an element of a set", arguments.place))
        target.items.pop(key_of(wanted), None)
    except NotPlain as reason:
        target.rest = target.rest or reason.unknown
    return NONE


def _remove(run: Interpreter, target: SetValue, arguments: Arguments) -> Value:
    try:
        if not known(contains(run, target, first_argument(run, arguments, 1))):
            raise run.failure("KeyError", "the element is not in the set")
    except NotPlain as reason:
        run.risk(reason.unknown, "soft")
    return _discard(run, target, arguments)


def _clear_set(run: Interpreter, target: SetValue, _arguments: Arguments) -> Value:
    run.trail.touch(target)
    target.items, target.rest = {}, None
    return NONE


def _pop(run: Interpreter, target: SetValue, arguments: Arguments) -> Value:
    """``set.pop()``: the element is known only if it is the only one."""
    run.trail.touch(target)
    if not target.items and target.rest is None:
        raise run.failure("KeyError", "pop from an empty set")
    if target.exact and len(target.items) == 1:
        return target.items.popitem()[1]
    unknown = target.rest or reasons.unknown(
        reasons.VOLATILE, "which element of a set comes first differs from run to run", arguments.place
    )
    lost = with_aliases(unknown, *target.items.values())
    target.items, target.rest = {}, lost
    return lost


def _copy_set(_run: Interpreter, source: SetValue, _arguments: Arguments) -> SetValue:
    return SetValue(dict(source.items), source.rest, source.frozen)


_OPERATORS: dict[str, type] = {
    "union": cst.BitOr,
    "intersection": cst.BitAnd,
    "difference": cst.Subtract,
    "symmetric_difference": cst.BitXor,
}


def _combined(kind: str) -> Callable[[Interpreter, SetValue, Arguments], Value]:
    def combine(run: Interpreter, target: SetValue, arguments: Arguments) -> Value:
        result = _copy_set(run, target, arguments)
        for value in arguments.positional[1:]:
            other = make_set(run, elements_of(run, value, arguments.place))
            made = combined(run, _OPERATORS[kind], result, other, Origin(kind, arguments.place))
            if not isinstance(made, SetValue):
                return made
            result = made
        return result

    return combine


def _related(kind: str) -> Callable[[Interpreter, SetValue, Arguments], Value]:
    def relate(run: Interpreter, first: SetValue, arguments: Arguments) -> Value:
        second = make_set(run, elements_of(run, first_argument(run, arguments, 1), arguments.place))
        if not first.exact or not second.exact:
            return first.rest or second.rest or reasons.unknown(reasons.CONDITION, "a set", arguments.place)
        a, b = first.items.keys(), second.items.keys()
        return const({"issubset": a <= b, "issuperset": a >= b, "isdisjoint": not (a & b)}[kind])

    return relate


SET_METHODS = methods(
    {
        "add": (_add, ONE),
        "update": (_update_set, ANY),
        "discard": (_discard, ONE),
        "remove": (_remove, ONE),
        "clear": (_clear_set, ZERO),
        "pop": (_pop, ZERO),
        "copy": (_copy_set, ZERO),
        **{kind: (_combined(kind), ANY) for kind in ("union", "intersection", "difference")},
        "symmetric_difference": (_combined("symmetric_difference"), ONE),
        **{kind: (_related(kind), ONE) for kind in ("issubset", "issuperset", "isdisjoint")},
    }
)
_METHODS = methods_from(SET_METHODS)
_CHANGING = frozenset({"add", "update", "discard", "remove", "clear", "pop"})
METHODS.of(SetValue)(lambda value, name: None if value.frozen and name in _CHANGING else _METHODS(value, name))
