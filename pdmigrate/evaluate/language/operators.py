"""Binary operators: arithmetic, ``%`` formatting, containers, unions of types, operator methods."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, with_aliases
from pdmigrate.evaluate.core.budget import LARGEST_INTEGER_BITS
from pdmigrate.evaluate.core.joining import same
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import NotPlain, describe, enum_payload, to_python
from pdmigrate.evaluate.core.values import (
    ClassValue,
    Const,
    DictValue,
    External,
    Guard,
    IteratorValue,
    ListValue,
    Native,
    Origin,
    Place,
    RangeValue,
    SetValue,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
    const,
)
from pdmigrate.evaluate.language.literals import update
from pdmigrate.evaluate.language.operator_methods import METHODS, by_class, is_asked, maybe_by_class
from pdmigrate.evaluate.language.text import refuse_members, text_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

BINARY: dict[type, Callable[[Any, Any], Any]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
    cst.Divide: operator.truediv,
    cst.FloorDivide: operator.floordiv,
    cst.Modulo: operator.mod,
    cst.Power: operator.pow,
    cst.LeftShift: operator.lshift,
    cst.RightShift: operator.rshift,
    cst.BitAnd: operator.and_,
    cst.BitOr: operator.or_,
    cst.BitXor: operator.xor,
}

OPERANDS: Kinds[Callable[[Interpreter, type, Any, Value, Origin], Value | None]] = Kinds()
"""The result of an operator, by the kind of the left operand; ``None`` if it is not followed."""


def binary(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    """``left <kind> right``"""
    name = METHODS[kind]
    names = (f"__{name}__", f"__r{name}__")
    formats = kind is cst.Modulo and left.text is not None
    if not formats and (is_asked(left, *names) or is_asked(right, *names)):
        return _by_class(run, name, left, right, place)
    unknown = first_unknown(left, right)
    if unknown is not None and not isinstance(left, (ListValue, DictValue)):
        known = _choice_operation(run, kind, left, right, place)
        if known is None:
            maybe_by_class(run, names, unknown, left, right)
        return known or with_aliases(unknown, left, right)
    if kind is cst.Modulo and (pattern := left.text) is not None:
        return _percent(run, pattern, left.origin, right, place)
    left, right = enum_payload(left) or left, enum_payload(right) or right
    function = BINARY.get(kind)
    if function is None:
        return reasons.unknown(reasons.UNSUPPORTED, "this operator", place)
    if left.scalar is not None and right.scalar is not None:
        return scalars(run, function, left.scalar, right.scalar, place)
    result = _containers(run, kind, left, right, place)
    return with_aliases(result.as_unknown, left, right) if result.as_unknown is not None else result


def _by_class(run: Interpreter, name: str, left: Value, right: Value, place: Place) -> Value:
    """``left <operator> right`` where one operand is an object of the program, or both are."""
    unknown = first_unknown(left, right) or _unsupported(left, right, place)
    if left.as_instance is not None or isinstance(left, _DECLINING):
        answer = by_class(run, name, left, right, place)
        if first_unknown(right) is not None:
            maybe_by_class(run, (f"__r{name}__",), unknown, right)
        if answer is None:
            return with_aliases(unknown, left, right)
        return with_aliases(answer.as_unknown, left, right) if answer.as_unknown is not None else answer
    guard = Guard("the right operand is asked", unknown, otherwise="the left operand answers")
    answer = run.under(guard, lambda: by_class(run, name, left, right, place))
    return with_aliases(unknown, left, right, *filter(None, (answer,)))


_DECLINING = (Const, ListValue, DictValue, SetValue, TupleValue, RangeValue, ViewValue, ClassValue)
"""Kinds of values whose operators leave the result to an object of another class."""


def _choice_operation(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value | None:
    """A choice of two lists plus a list, each element under its condition: tools stay known; ``None`` for all else."""
    if kind is not cst.Add or not left.sides or any(side.as_list is None for side in (*left.sides, right)):
        return None
    return _containers(run, kind, ListValue(*spread(run, left), origin=left.origin), right, place)


def scalars(run: Interpreter, function: Callable[[Any, Any], Any], left: Const, right: Const, place: Place) -> Value:
    a, b = left.value, right.value
    refused = _too_large(function, a, b)
    if refused:
        return reasons.unknown(reasons.BUDGET, refused, place)
    if function is operator.mod and isinstance(a, bytes) and _has_large_width(a.decode("latin-1")):
        return reasons.unknown(reasons.BUDGET, "the format asks for a very long text", place)
    try:
        result = function(a, b)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    if isinstance(result, (str, bytes)):
        run.budget.text(len(result))
    return const(result, Origin("computed", place, (*left.sources, *right.sources)))


def _has_large_width(pattern: str) -> bool:
    return any(len(part) > 4 for part in "".join(c if c.isdigit() else " " for c in pattern).split()) or "*" in pattern


def _too_large(function: Callable[[Any, Any], Any], a: Any, b: Any) -> str | None:
    for text, times in ((a, b), (b, a)) if function is operator.mul else ():
        if isinstance(text, (str, bytes)) and isinstance(times, int) and len(text) * times > 2_000_000:
            return "the text is repeated too often"
    if isinstance(a, int) and isinstance(b, int) and _bits(function, a, b) > LARGEST_INTEGER_BITS:
        return "the number is too large"
    return None


def _bits(function: Callable[[Any, Any], Any], a: int, b: int) -> int:
    """About how many bits the result has; 0 for operators whose results are not much larger than their operands."""
    if function is operator.mul:
        return a.bit_length() + b.bit_length()
    if function is operator.pow:
        return a.bit_length() * abs(b)
    return a.bit_length() + b if function is operator.lshift else 0


_CONVERSIONS = re.compile(r"%(?:\([^)%]*\))?[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(.)", re.DOTALL)


def _text_for_percent_s(run: Interpreter, value: Value) -> Value:
    """The text that ``%s`` shows for an object of the program; any other value as it is."""
    return text_of(run, value) if value.as_instance is not None else value


def _percent(run: Interpreter, pattern: str, origin: Origin | None, right: Value, place: Place) -> Value:
    if _has_large_width(pattern):
        return reasons.unknown(reasons.BUDGET, "the format asks for a very long text", place)
    given, mapping = right.as_tuple, right.mapping
    if set(_CONVERSIONS.findall(pattern)) <= {"s", "%"}:
        if given is not None and not given.fields:
            right = given = TupleValue(tuple(_text_for_percent_s(run, item) for item in given.items))
        right = _text_for_percent_s(run, right)
    try:
        named = [entry.value for entry in mapping.entries.values()] if mapping is not None else [right]
        for value in given.items if given is not None else named:
            refuse_members(value)
        plain = to_python(right)
        # A value of a mapping may be shown many times, a value of a tuple once.
        times = pattern.count("%") if mapping is not None else 1
        run.budget.text(len(pattern) + times * run.budget.plain)
        result = pattern % plain
    except NotPlain as reason:
        return reason.unknown
    except (KeyError, OverflowError, TypeError, ValueError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    run.budget.text(len(result))
    return const(result, Origin("computed", place, (origin,) if origin else ()))


def _containers(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    if isinstance(right, (RangeValue, ViewValue, IteratorValue)):
        return _unsupported(left, right, place)
    found = OPERANDS[type(left)](run, kind, left, right, Origin("computed", place))
    return found or _unsupported(left, right, place)


def _unsupported(left: Value, right: Value, place: Place | None) -> UnknownValue:
    return reasons.unknown(reasons.UNSUPPORTED, f"this operator on {describe(left)} and {describe(right)}", place)


OPERANDS.of(Value)(lambda _run, _kind, _left, _right, _origin: None)
OPERANDS.of(RangeValue, IteratorValue, ViewValue)(
    lambda _run, _kind, left, right, origin: _unsupported(left, right, origin.place)
)


@OPERANDS.of(ListValue)
def _list_and(run: Interpreter, kind: type, left: ListValue, right: Value, origin: Origin) -> Value | None:
    if kind is cst.Multiply and right.scalar is not None:
        return ListValue(left.items * _times(run, left.items, right), left.rest, left.kind, origin=origin)
    if kind is not cst.Add:
        return None
    if left.kind == "list" and isinstance(right, (TupleValue, DictValue, SetValue, Const)):
        raise run.failure("TypeError", "can only concatenate list to list")
    more = spread(run, right, origin.place)
    run.budget.make(len(left.items) + len(more.items))
    return ListValue([*left.items, *more.items], left.rest or more.rest, left.kind, origin=origin)


@OPERANDS.of(TupleValue)
def _tuple_and(run: Interpreter, kind: type, left: TupleValue, right: Value, origin: Origin) -> Value | None:
    if kind is cst.Multiply and right.scalar is not None:
        return TupleValue(left.items * _times(run, left.items, right), origin=origin)
    if kind is not cst.Add or (more := right.as_tuple) is None:
        return None
    run.budget.make(len(left.items) + len(more.items))
    return TupleValue(left.items + more.items, origin=origin)


def _times(run: Interpreter, items: Sequence[Value], right: Value) -> int:
    if right.number is None:
        raise run.failure("TypeError", "can't multiply sequence by non-int")
    count = max(right.number, 0)
    run.budget.make(min(len(items) * count, 10**9))
    return count


@OPERANDS.of(DictValue)
def _dict_and(run: Interpreter, kind: type, left: DictValue, right: Value, origin: Origin) -> Value | None:
    if kind is not cst.BitOr:
        return None
    merged = DictValue(dict(left.entries), left.rest, left.factory, left.kind, order=left.order, origin=origin)
    update(run, merged, right)
    return merged


@OPERANDS.of(ClassValue, Const, External, Native, Subscripted)
def _type_or(_run: Interpreter, kind: type, left: Value, right: Value, origin: Origin) -> Value | None:
    """``int | None``"""
    if kind is not cst.BitOr or not (_is_annotation(left) and _is_annotation(right)):
        return None
    plain = not any(_is_of_typing(side) for side in (left, right))
    return Subscripted(External("typing.Union"), (*_options(left), *_options(right)), plain, origin=origin)


def _is_annotation(value: Value) -> bool:
    return isinstance(value, (ClassValue, External, Native, Subscripted)) or value.is_just(None)


def _is_of_typing(value: Value) -> bool:
    """Whether ``value | other`` is a ``typing.Union`` because ``value`` comes from the module ``typing``."""
    if isinstance(value, Subscripted) and value.written_as_operator:
        return False
    return (value.generic or value.library_name).startswith("typing")


def _options(value: Value) -> Sequence[Value]:
    return value.types_inside[1:] if value.generic == "typing.Union" else (value,)


_KEPT: dict[type, Callable[[bool, bool], bool]] = {
    cst.BitOr: operator.or_,
    cst.BitAnd: operator.and_,
    cst.Subtract: operator.gt,
    cst.BitXor: operator.xor,
}
"""Whether the result of an operator on sets holds an element, by whether the left and the right set hold it."""


@OPERANDS.of(SetValue)
def _set_and(run: Interpreter, kind: type, left: SetValue, right: Value, origin: Origin) -> Value | None:
    return combined(run, kind, left, right.as_set, origin) if right.as_set is not None else None


def combined(run: Interpreter, kind: type, left: SetValue, right: SetValue, origin: Origin) -> Value:
    """The result of the operator ``kind`` on two sets."""
    unknown = left.rest or right.rest
    if unknown is not None or not (left.exact and right.exact):
        return unknown or reasons.unknown(reasons.CONDITION, "a set")
    a, b = left.items, right.items
    run.budget.make(len(a) + len(b))
    if kind not in _KEPT:
        return reasons.unknown(reasons.UNSUPPORTED, "this operator on sets")
    if kind is cst.BitAnd and not all(same(item, b[key]) for key, item in a.items() if key in b):
        return reasons.unknown(reasons.PLATFORM, "which of two equal elements a set keeps")
    # Of two equal elements, such as ``1`` and ``1.0``, the first is kept.
    items = {key: item for key, item in {**a, **b, **a}.items() if _KEPT[kind](key in a, key in b)}
    return SetValue(items, frozen=left.frozen, origin=origin)
