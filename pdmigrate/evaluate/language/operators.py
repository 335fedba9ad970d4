"""Binary operators: arithmetic, ``%`` formatting, containers, unions of types, operator methods."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to
from pdmigrate.evaluate.core.budget import LARGEST_INTEGER_BITS
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.members import call_own
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import (
    NotPlain,
    describe,
    enum_payload,
    to_python,
)
from pdmigrate.evaluate.core.values import (
    Choice,
    ClassValue,
    Const,
    DictValue,
    External,
    Instance,
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
from pdmigrate.evaluate.language.iteration import elements_of, make_set
from pdmigrate.evaluate.language.literals import update
from pdmigrate.evaluate.language.text import refuse_members, text_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

DIVIDED: Kinds[Callable[[Interpreter, Any, Value], Value | None]] = Kinds()
"""``value / other`` of objects that a library defines; ``None`` for other objects."""
DIVIDED.of(Value)(lambda _run, _value, _other: None)

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
AUGMENTED: dict[type, type] = {getattr(cst, f"{kind.__name__}Assign"): kind for kind in BINARY}


def binary(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    """``left <kind> right``"""
    unknown = first_unknown(left, right)
    if unknown is not None and not isinstance(left, (ListValue, DictValue)):
        return _choice_operation(run, kind, left, right, place) or leading_to(unknown, left, right)
    if kind is cst.Modulo and (pattern := left.text) is not None:
        return _percent(run, pattern, left.origin, right, place)
    left, right = enum_payload(left) or left, enum_payload(right) or right
    function = BINARY.get(kind)
    if function is None:
        return reasons.unknown(reasons.UNSUPPORTED, "this operator", place)
    if isinstance(left, Const) and isinstance(right, Const):
        return scalars(run, function, left, right, place)
    result = _containers(run, kind, left, right, place)
    return leading_to(result, left, right) if isinstance(result, UnknownValue) else result


def _choice_operation(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value | None:
    """Add a list to a choice between two, each element under its condition, so that tools in the lists stay known."""
    if kind is not cst.Add or not isinstance(left, Choice):
        return None
    if not all(isinstance(value, ListValue) for value in (left.first, left.second, right)):
        return None
    return _containers(run, kind, ListValue(*spread(run, left), origin=left.origin), right, place)


def scalars(run: Interpreter, function: Callable[[Any, Any], Any], left: Const, right: Const, place: Place) -> Value:
    a, b = left.value, right.value
    refused = _too_large(function, a, b)
    if refused:
        return reasons.unknown(reasons.BUDGET, refused, place)
    if function is operator.mod and isinstance(a, (str, bytes)) and _wide(a):
        return reasons.unknown(reasons.BUDGET, "the format asks for a very long text", place)
    try:
        result = function(a, b)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    if isinstance(result, (str, bytes)):
        run.budget.text(len(result))
    sources = tuple(value.origin for value in (left, right) if value.origin)
    return const(result, Origin("computed", place, sources))


def _wide(pattern: str | bytes) -> bool:
    pattern = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    return any(len(part) > 4 for part in "".join(c if c.isdigit() else " " for c in pattern).split()) or "*" in pattern


def _too_large(function: Callable[[Any, Any], Any], a: Any, b: Any) -> str | None:
    if function is operator.mul:
        size, times = (
            (len(a), b) if isinstance(a, (str, bytes)) else (len(b), a) if isinstance(b, (str, bytes)) else (0, 0)
        )
        if isinstance(times, int) and size * max(times, 0) > 2_000_000:
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


def _shown(run: Interpreter, value: Value) -> Value:
    """``value`` with objects of the program replaced by the text that ``%s`` shows."""
    if isinstance(value, TupleValue) and not value.fields:
        return TupleValue(tuple(_shown(run, item) if isinstance(item, Instance) else item for item in value.items))
    return text_of(run, value) if isinstance(value, Instance) else value


def _values(value: Value) -> tuple[Value, ...]:
    return tuple(entry.value for entry in value.entries.values()) if isinstance(value, DictValue) else (value,)


def _percent(run: Interpreter, pattern: str, origin: Origin | None, right: Value, place: Place) -> Value:
    if _wide(pattern):
        return reasons.unknown(reasons.BUDGET, "the format asks for a very long text", place)
    if set(_CONVERSIONS.findall(pattern)) <= {"s", "%"}:
        right = _shown(run, right)
    try:
        for value in right.items if isinstance(right, TupleValue) else _values(right):
            refuse_members(value)
        plain = to_python(right)
        # A value of a mapping may be shown many times, a value of a tuple once.
        times = pattern.count("%") if isinstance(plain, dict) else 1
        run.budget.text(len(pattern) + times * run.budget.plain)
        result = pattern % plain
    except NotPlain as reason:
        return reason.unknown
    except (TypeError, ValueError, KeyError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    run.budget.text(len(result))
    return const(result, Origin("computed", place, (origin,) if origin else ()))


def _containers(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    origin = Origin("computed", place)
    if isinstance(left, ViewValue):
        return _view_operation(run, kind, left, right, place)
    if any(isinstance(side, (RangeValue, ViewValue, IteratorValue)) for side in (left, right)):
        return reasons.unknown(reasons.UNSUPPORTED, f"this operator on {describe(left)} and {describe(right)}", place)
    if kind is cst.Add and isinstance(left, ListValue) and not isinstance(right, Instance):
        return _add_lists(run, left, right, origin)
    if kind is cst.Add and isinstance(left, TupleValue) and isinstance(right, TupleValue):
        run.budget.make(len(left.items) + len(right.items))
        return TupleValue(left.items + right.items, origin=origin)
    if kind is cst.BitOr and isinstance(left, DictValue):
        merged = DictValue(dict(left.entries), left.rest, left.factory, left.kind, order=left.order, origin=origin)
        update(run, merged, right)
        return merged
    if kind is cst.Multiply and isinstance(left, (ListValue, TupleValue)) and isinstance(right, Const):
        return _repeat(run, left, right, origin)
    if isinstance(left, SetValue) and isinstance(right, SetValue):
        return _sets(run, kind, left, right, origin)
    if kind is cst.Divide and (divided := DIVIDED[type(left)](run, left, right)) is not None:
        return divided
    if kind is cst.BitOr and _is_annotation(left) and _is_annotation(right):
        plain = not any(_is_of_typing(side) for side in (left, right))
        return Subscripted(External("typing.Union"), (*_options(left), *_options(right)), plain, origin=origin)
    return _operator_method(run, kind, left, right, place)


def _view_operation(run: Interpreter, kind: type, left: ViewValue, right: Value, place: Place) -> Value:
    """``a.keys() - b``: the keys of a dict as a set."""
    if left.kind != "keys" or kind not in (cst.BitOr, cst.BitAnd, cst.Subtract, cst.BitXor):
        return reasons.unknown(reasons.UNSUPPORTED, f"this operator on {describe(left)}", place)
    first, second = (make_set(run, elements_of(run, side, place)) for side in (left, right))
    return _sets(run, kind, first, second, Origin("computed", place))


def _is_annotation(value: Value) -> bool:
    return isinstance(value, (ClassValue, External, Native, Subscripted)) or value.is_just(None)


def _is_of_typing(value: Value) -> bool:
    """Whether ``value | other`` is a ``typing.Union``, since ``value`` is made by the module ``typing``."""
    if isinstance(value, Subscripted) and value.written_as_operator:
        return False
    return (value.generic or value.library_name).startswith("typing")


def _options(value: Value) -> tuple[Value, ...]:
    return value.args if isinstance(value, Subscripted) and value.generic == "typing.Union" else (value,)


_METHODS: dict[type, str] = {
    cst.Add: "add",
    cst.Subtract: "sub",
    cst.Multiply: "mul",
    cst.Divide: "truediv",
    cst.Modulo: "mod",
    cst.BitAnd: "and",
    cst.BitOr: "or",
}


def _operator_method(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    name = _METHODS.get(kind, "")
    for value, other, prefix in ((left, right, "__"), (right, left, "__r")):
        result = call_own(run, value, f"{prefix}{name}__", other, place=place)
        if result is not None:
            return result
    return reasons.unknown(reasons.UNSUPPORTED, f"this operator on {describe(left)} and {describe(right)}", place)


def _add_lists(run: Interpreter, left: ListValue, right: Value, origin: Origin) -> Value:
    if isinstance(right, (TupleValue, DictValue, SetValue, Const)):
        raise run.failure("TypeError", "can only concatenate list to list")
    more = spread(run, right, origin.place)
    run.budget.make(len(left.items) + len(more.items))
    return ListValue([*left.items, *more.items], left.rest or more.rest, origin=origin)


def _repeat(run: Interpreter, left: ListValue | TupleValue, right: Const, origin: Origin) -> Value:
    if not isinstance(right.value, int):
        raise run.failure("TypeError", "can't multiply sequence by non-int")
    count = max(right.value, 0)
    run.budget.make(min(len(left.items) * count, 10**9))
    if isinstance(left, TupleValue):
        return TupleValue(left.items * count, origin=origin)
    return ListValue(left.items * count, left.rest, origin=origin)


def _sets(run: Interpreter, kind: type, left: SetValue, right: SetValue, origin: Origin) -> Value:
    unknown = (
        left.rest or right.rest or (None if left.exact and right.exact else reasons.unknown(reasons.CONDITION, "a set"))
    )
    if unknown is not None:
        return unknown
    a, b = left.items, right.items
    run.budget.make(len(a) + len(b))
    keep: dict[type, Callable[[Hashable], bool]] = {
        cst.BitOr: lambda _key: True,
        cst.BitAnd: lambda key: key in a and key in b,
        cst.Subtract: lambda key: key not in b,
        cst.BitXor: lambda key: (key in a) != (key in b),
    }
    if kind not in keep:
        return reasons.unknown(reasons.UNSUPPORTED, "this operator on sets")
    if kind is cst.BitAnd and any(_is_another(item, b[key]) for key, item in a.items() if key in b):
        return reasons.unknown(reasons.PLATFORM, "which of two equal elements a set keeps")
    # Of two equal elements, such as ``1`` and ``1.0``, the first is kept.
    items = {key: item for key, item in {**a, **b, **a}.items() if keep[kind](key)}
    return SetValue(items, frozen=left.frozen, origin=origin)


def _is_another(first: Value, second: Value) -> bool:
    """Whether two equal elements can be told apart."""
    if isinstance(first, TupleValue) and isinstance(second, TupleValue):
        return any(_is_another(one, two) for one, two in zip(first.items, second.items, strict=False))
    return isinstance(first, Const) and isinstance(second, Const) and type(first.value) is not type(second.value)
