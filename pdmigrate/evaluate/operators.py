"""Operators: arithmetic, comparison, truth, subscripts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.budget import LARGEST_INTEGER_BITS
from pdmigrate.evaluate.literals import put, update
from pdmigrate.evaluate.python_values import (
    NotPlain,
    describe,
    enum_payload,
    from_python,
    key_of,
    made_outside,
    to_python,
)
from pdmigrate.evaluate.scopes import first_unknown
from pdmigrate.evaluate.values import (
    FALSE,
    NONE,
    TRUE,
    BoundMethod,
    Choice,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Maybe,
    ModuleValue,
    Native,
    Origin,
    PathValue,
    Place,
    SetValue,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter

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
AUGMENTED: dict[type, type] = {
    cst.AddAssign: cst.Add,
    cst.SubtractAssign: cst.Subtract,
    cst.MultiplyAssign: cst.Multiply,
    cst.DivideAssign: cst.Divide,
    cst.FloorDivideAssign: cst.FloorDivide,
    cst.ModuloAssign: cst.Modulo,
    cst.PowerAssign: cst.Power,
    cst.LeftShiftAssign: cst.LeftShift,
    cst.RightShiftAssign: cst.RightShift,
    cst.BitAndAssign: cst.BitAnd,
    cst.BitOrAssign: cst.BitOr,
    cst.BitXorAssign: cst.BitXor,
}


def binary(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    """``left <kind> right``"""
    unknown = first_unknown(left, right)
    if unknown is not None and not isinstance(left, (ListValue, DictValue)):
        return _choice_operation(run, kind, left, right, place) or unknown
    left, right = enum_payload(left) or left, enum_payload(right) or right
    function = BINARY.get(kind)
    if function is None:
        return reasons.unknown(reasons.UNSUPPORTED, "this operator", place)
    if isinstance(left, Const) and isinstance(right, Const):
        return scalars(run, function, left, right, place)
    if kind is cst.Modulo and isinstance(left, Const) and isinstance(left.value, str):
        return _percent(run, left, right, place)
    return _containers(run, kind, left, right, place)


def _choice_operation(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value | None:
    """Keep lists apart that differ with a condition, so that the tools in them are known."""
    if kind is not cst.Add:
        return None
    if isinstance(left, Choice) and _is_list(left.first) and _is_list(left.second) and _is_list(right):
        return _containers(run, kind, _merged(run, left), right, place)
    return None


def _is_list(value: Value) -> bool:
    return isinstance(value, ListValue)


def _merged(run: Interpreter, value: Choice) -> Value:
    from pdmigrate.evaluate.iteration import spread

    elements = spread(run, value)
    return ListValue(elements.items, elements.rest, origin=value.origin)


def scalars(run: Interpreter, function: Callable[[Any, Any], Any], left: Const, right: Const, place: Place) -> Value:
    a, b = left.value, right.value
    refused = _too_large(function, a, b)
    if refused:
        return reasons.unknown(reasons.BUDGET, refused, place)
    if function is operator.mod and isinstance(a, str) and _wide(a):
        return reasons.unknown(reasons.BUDGET, "the format asks for a very long text", place)
    try:
        result = function(a, b)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    if isinstance(result, (str, bytes)):
        run.budget.text(len(result))
    sources = tuple(value.origin for value in (left, right) if value.origin)
    return const(result, Origin("computed", place, sources))


def _wide(pattern: str) -> bool:
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
    """About how many bits the result has, where it may have many."""
    if function is operator.mul:
        return a.bit_length() + b.bit_length()
    if function is operator.pow:
        return a.bit_length() * abs(b)
    return a.bit_length() + b if function is operator.lshift else 0


def _percent(run: Interpreter, left: Const, right: Value, place: Place) -> Value:
    if _wide(str(left.value)):
        return reasons.unknown(reasons.BUDGET, "the format asks for a very long text", place)
    try:
        result = left.value % to_python(right)
    except NotPlain as reason:
        return reason.unknown
    except (TypeError, ValueError, KeyError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    run.budget.text(len(result))
    return const(result, Origin("computed", place, (left.origin,) if left.origin else ()))


def _containers(run: Interpreter, kind: type, left: Value, right: Value, place: Place) -> Value:
    origin = Origin("computed", place)
    if kind is cst.Add and isinstance(left, ListValue):
        return _add_lists(run, left, right, origin)
    if kind is cst.Add and isinstance(left, TupleValue) and isinstance(right, TupleValue):
        run.budget.make(len(left.items) + len(right.items))
        return TupleValue(left.items + right.items, origin=origin)
    if kind is cst.BitOr and isinstance(left, DictValue):
        merged = DictValue(dict(left.entries), left.rest, origin=origin)
        update(run, merged, right)
        return merged
    if kind is cst.Multiply and isinstance(left, (ListValue, TupleValue)) and isinstance(right, Const):
        return _repeat(run, left, right, origin)
    if isinstance(left, SetValue) and isinstance(right, SetValue):
        return _sets(run, kind, left, right, origin)
    if kind is cst.Divide and isinstance(left, PathValue):
        from pdmigrate.evaluate.files import join_path

        return join_path(run, left, right)
    if kind is cst.BitOr and _is_annotation(left) and _is_annotation(right):
        return Subscripted(External("typing.Union"), (*_options(left), *_options(right)), origin=origin)
    return _operator_method(run, kind, left, right, place)


def _is_annotation(value: Value) -> bool:
    return isinstance(value, (ClassValue, External, Native, Subscripted)) or (
        isinstance(value, Const) and value.value is None
    )


def _options(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Subscripted) and isinstance(value.base, External) and value.base.name == "typing.Union":
        return value.args
    return (value,)


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
    from pdmigrate.evaluate.attributes import find_method
    from pdmigrate.evaluate.calls import call

    name = _METHODS.get(kind, "")
    for value, other, prefix in ((left, right, "__"), (right, left, "__r")):
        method = find_method(run, value, f"{prefix}{name}__") if isinstance(value, Instance) and name else None
        if isinstance(method, BoundMethod):
            return call(run, method, (other,), place=place)
    return reasons.unknown(reasons.UNSUPPORTED, f"this operator on {describe(left)} and {describe(right)}", place)


def _add_lists(run: Interpreter, left: ListValue, right: Value, origin: Origin) -> Value:
    from pdmigrate.evaluate.iteration import spread

    if isinstance(right, (TupleValue, DictValue, SetValue)):
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
    return SetValue({key: item for key, item in {**a, **b}.items() if keep[kind](key)}, origin=origin)


# --- truth and comparison ---------------------------------------------------------------------------------------------


def truth(run: Interpreter, value: Value) -> bool | UnknownValue:
    """``bool(value)``, or why it is not known."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, UnknownValue):
        return value
    if isinstance(value, Choice):
        first, second = truth(run, value.first), truth(run, value.second)
        return first if isinstance(first, bool) and first is second else first_unknown(value) or False
    if isinstance(value, (ListValue, DictValue, SetValue)):
        return _container_truth(value)
    if isinstance(value, TupleValue):
        return bool(value.items)
    if isinstance(value, Instance):
        return _instance_truth(run, value)
    if isinstance(value, External) and not _is_definition(value):
        return reasons.unknown(reasons.OUTSIDE, f"{value.name} comes from outside the package")
    return True


def _is_definition(value: External) -> bool:
    """Names of modules and classes are true; a lower-case name may be any object."""
    if value.is_result:
        return False
    last = value.name.rpartition(".")[2]
    return last[:1].isupper() or "." not in value.name


def _container_truth(value: ListValue | DictValue | SetValue) -> bool | UnknownValue:
    items = (
        value.items if isinstance(value, ListValue) else value.entries if isinstance(value, DictValue) else value.items
    )
    values = (
        items
        if isinstance(items, list)
        else [getattr(v, "value", v) if isinstance(value, DictValue) else v for v in items.values()]
    )
    if any(not isinstance(item, Maybe) for item in values):
        return True
    if value.rest is not None:
        return value.rest
    return next((item.guard.unknown for item in values if isinstance(item, Maybe)), False)


def _instance_truth(run: Interpreter, value: Instance) -> bool | UnknownValue:
    from pdmigrate.evaluate.attributes import find_method
    from pdmigrate.evaluate.calls import call

    payload = enum_payload(value)
    if payload is not None:
        return bool(payload.value)
    for name in ("__bool__", "__len__"):
        method = find_method(run, value, name)
        if isinstance(method, BoundMethod):
            return truth(run, call(run, method, ()))
    return value.cls.opaque or value.rest or True


def compare(run: Interpreter, node: cst.BaseCompOp, left: Value, right: Value, place: Place) -> Value:
    """``left <op> right``"""
    if isinstance(node, (cst.Is, cst.IsNot)):
        return _boolean(identical(left, right), negate=isinstance(node, cst.IsNot))
    if isinstance(node, (cst.In, cst.NotIn)):
        return _boolean(contains(run, right, left, place), negate=isinstance(node, cst.NotIn))
    if isinstance(node, (cst.Equal, cst.NotEqual)):
        return _boolean(equal(run, left, right), negate=isinstance(node, cst.NotEqual))
    function = {
        cst.LessThan: operator.lt,
        cst.LessThanEqual: operator.le,
        cst.GreaterThan: operator.gt,
        cst.GreaterThanEqual: operator.ge,
    }[type(node)]
    try:
        return const(bool(function(to_python(left), to_python(right))), Origin("comparison", place))
    except NotPlain as reason:
        return reason.unknown
    except TypeError as error:
        raise run.failure("TypeError", str(error)) from None


def _boolean(result: bool | UnknownValue, *, negate: bool) -> Value:
    if isinstance(result, UnknownValue):
        return result
    return TRUE if result is not negate else FALSE


def identical(left: Value, right: Value) -> bool | UnknownValue:
    """``left is right``"""
    unknown = first_unknown(left, right)
    if isinstance(left, Choice) and isinstance(right, Const):
        first, second = identical(left.first, right), identical(left.second, right)
        return first if isinstance(first, bool) and first is second else unknown or False
    if unknown is not None:
        return unknown
    if isinstance(left, Const) and isinstance(right, Const):
        if left.value is None or right.value is None or isinstance(left.value, bool) or isinstance(right.value, bool):
            return left.value is right.value
        if type(left.value) is not type(right.value) or left.value != right.value:
            return False
        return reasons.unknown(reasons.VOLATILE, "whether two equal values are the same object")
    made = next((v for v in (left, right) if isinstance(v, External) and v.is_result), None)
    if made is not None:
        return True if left is right else made_outside(made)
    if isinstance(left, External) and isinstance(right, External):
        return left.name == right.name or reasons.unknown(reasons.OUTSIDE, f"whether {left.name} is {right.name}")
    if isinstance(left, External) and isinstance(right, Const) and not _is_definition(left):
        return reasons.unknown(reasons.OUTSIDE, f"{left.name} comes from outside the package")
    if isinstance(left, PathValue) and isinstance(right, PathValue):
        return reasons.unknown(reasons.VOLATILE, "whether two paths are the same object")
    if isinstance(left, ModuleValue) and isinstance(right, ModuleValue):
        return left.module is right.module
    return left is right


def equal(run: Interpreter, left: Value, right: Value) -> bool | UnknownValue:
    """``left == right``"""
    unknown = first_unknown(left, right)
    if unknown is not None:
        return unknown
    for value, other in ((left, right), (right, left)):
        if isinstance(value, Instance) and enum_payload(value) is None:
            return _instance_equal(run, value, other)
    try:
        return bool(to_python(left) == to_python(right))
    except NotPlain as reason:
        if isinstance(left, (FunctionValue, ClassValue, Native, ModuleValue)):
            return identical(left, right)
        made = next((v for v in (left, right) if isinstance(v, External) and v.is_result), None)
        if made is not None:
            return made_outside(made)
        if isinstance(left, (External, PathValue)) and isinstance(right, (External, PathValue)):
            return key_of(left) == key_of(right)
        return reason.unknown


def _instance_equal(run: Interpreter, value: Instance, other: Value) -> bool | UnknownValue:
    from pdmigrate.evaluate.attributes import find_method
    from pdmigrate.evaluate.calls import call

    if value is other:
        return True
    method = find_method(run, value, "__eq__")
    if isinstance(method, BoundMethod):
        return truth(run, call(run, method, (other,)))
    if value.cls.kind in ("enum", "plain", "protocol") and value.cls.opaque is None:
        return False
    return reasons.unknown(reasons.UNSUPPORTED, f"comparing {describe(value)}")


def contains(run: Interpreter, container: Value, item: Value, place: Place | None = None) -> bool | UnknownValue:
    """``item in container``"""
    unknown = first_unknown(container, item)
    if unknown is not None:
        return unknown
    if isinstance(container, Const) and isinstance(container.value, (str, bytes)):
        payload = enum_payload(item) or item
        if isinstance(payload, Const) and type(payload.value) is type(container.value):
            return payload.value in container.value  # type: ignore[operator]  # the types were compared
        raise run.failure("TypeError", "in requires a string")
    if isinstance(container, (DictValue, SetValue)):
        return _has_key(container, item)
    if isinstance(container, Instance):
        return _contains_method(run, container, item, place)
    return _search(run, container, item, place)


def _has_key(container: DictValue | SetValue, item: Value) -> bool | UnknownValue:
    try:
        key = key_of(item)
    except NotPlain as reason:
        return reason.unknown
    if isinstance(container, DictValue):
        entry = container.entries.get(key)
        found = entry.value if entry else None
    else:
        found = container.items.get(key)
    if isinstance(found, Maybe):
        return found.guard.unknown
    if found is not None and container.rest is None:
        return True
    return container.rest or False


def _contains_method(run: Interpreter, container: Instance, item: Value, place: Place | None) -> bool | UnknownValue:
    from pdmigrate.evaluate.attributes import find_method
    from pdmigrate.evaluate.calls import call

    method = find_method(run, container, "__contains__")
    if isinstance(method, BoundMethod):
        return truth(run, call(run, method, (item,), place=place))
    return _search(run, container, item, place)


def _search(run: Interpreter, container: Value, item: Value, place: Place | None) -> bool | UnknownValue:
    from pdmigrate.evaluate.iteration import elements_of

    elements = elements_of(run, container, place)
    uncertain = elements.uncertain
    for element in elements.items:
        run.budget.step()
        if isinstance(element, Maybe):
            continue
        answer = equal(run, element, item)
        if answer is True:
            return True
        if isinstance(answer, UnknownValue):
            uncertain = uncertain or answer
    return uncertain or False


# --- subscripts -------------------------------------------------------------------------------------------------------


def get_item(run: Interpreter, container: Value, key: Value, place: Place) -> Value:
    """``container[key]``"""
    if isinstance(container, External) and (not _is_definition(container) or container.name == "os.environ"):
        return _outside_item(container, key, place)
    if isinstance(container, (External, Native)) or (isinstance(container, ClassValue) and container.kind != "enum"):
        return Subscripted(
            container, key.items if isinstance(key, TupleValue) else (key,), origin=Origin("type", place)
        )
    unknown = first_unknown(container, key)
    if unknown is not None:
        return unknown
    if isinstance(container, DictValue):
        return _dict_item(run, container, key, place)
    if isinstance(container, ClassValue) and container.kind == "enum" and isinstance(key, Const):
        member = container.members.get(str(key.value))
        if member is None and container.opaque is None:
            raise run.failure("KeyError", f"{key.value!s}")
        return member or container.opaque or NONE
    if isinstance(container, Instance):
        return _item_method(run, container, key, place)
    index = enum_payload(key) or key
    if isinstance(container, ListValue):
        if not container.exact:
            return _uncertain_item(container, index)
        return _sequence_item(run, container.items, index)
    if isinstance(container, TupleValue):
        return _sequence_item(run, list(container.items), index)
    if isinstance(container, Const) and isinstance(container.value, (str, bytes)):
        return _character(run, container, index, place)
    return reasons.unknown(reasons.UNSUPPORTED, f"a subscript of {describe(container)}", place)


def _outside_item(container: External, key: Value, place: Place) -> UnknownValue:
    """An element of something from outside; a variable of the environment is named."""
    if container.name == "os.environ" and isinstance(key, Const):
        return reasons.unknown(reasons.ENVIRONMENT, f"the environment variable {key.value!s}", place)
    return made_outside(container)


def _item_method(run: Interpreter, container: Instance, key: Value, place: Place) -> Value:
    from pdmigrate.evaluate.attributes import find_method
    from pdmigrate.evaluate.calls import call

    payload = enum_payload(container)
    if payload is not None:
        return get_item(run, payload, key, place)
    method = find_method(run, container, "__getitem__")
    if isinstance(method, BoundMethod):
        return call(run, method, (key,), place=place)
    return reasons.unknown(reasons.UNSUPPORTED, f"a subscript of {describe(container)}", place)


def _dict_item(run: Interpreter, container: DictValue, key: Value, place: Place) -> Value:
    try:
        found = key_of(key)
    except NotPlain as reason:
        return reason.unknown
    entry = container.entries.get(found)
    if entry is not None and container.rest is None:
        return maybe_unknown(entry.value)
    if container.rest is not None:
        return container.rest
    if container.factory is not None:
        from pdmigrate.evaluate.calls import call

        value = call(run, container.factory, (), place=place)
        put(run, container, key, value)
        return value
    raise run.failure("KeyError", repr(found))


def maybe_unknown(value: Value) -> Value:
    """An element that may be absent, where only its value can be used."""
    return value.guard.unknown if isinstance(value, Maybe) else value


def _uncertain_item(container: ListValue, index: Value) -> Value:
    """An element of a list whose end is not known: those before the first doubt are."""
    if isinstance(index, Const) and isinstance(index.value, int) and 0 <= index.value < len(container.items):
        before = container.items[: index.value + 1]
        if not any(isinstance(item, Maybe) for item in before):
            return before[-1]
    doubt = next((item.guard.unknown for item in container.items if isinstance(item, Maybe)), None)
    return container.rest or doubt or NONE


def _sequence_item(run: Interpreter, items: list[Value], index: Value) -> Value:
    if not isinstance(index, Const) or not isinstance(index.value, int):
        raise run.failure("TypeError", "indices must be integers")
    try:
        return items[index.value]
    except IndexError as error:
        raise run.failure("IndexError", str(error)) from None


def _character(run: Interpreter, container: Const, index: Value, place: Place) -> Value:
    if not isinstance(index, Const) or not isinstance(index.value, int):
        raise run.failure("TypeError", "indices must be integers")
    try:
        return from_python(container.value[index.value], Origin("subscript", place))  # type: ignore[index]  # text only
    except IndexError as error:
        raise run.failure("IndexError", str(error)) from None


def get_slice(run: Interpreter, container: Value, bounds: slice, place: Place) -> Value:
    """``container[start:stop:step]``"""
    if isinstance(container, Const) and isinstance(container.value, (str, bytes)):
        return const(container.value[bounds], Origin("slice", place, (container.origin,) if container.origin else ()))
    if isinstance(container, TupleValue):
        return TupleValue(container.items[bounds], origin=Origin("slice", place))
    if isinstance(container, ListValue) and container.exact:
        run.budget.make(len(container.items))
        return ListValue(container.items[bounds], origin=Origin("slice", place))
    if isinstance(container, ListValue) and bounds == slice(None):
        return ListValue(list(container.items), container.rest, origin=Origin("slice", place))
    return first_unknown(container) or reasons.unknown(reasons.UNSUPPORTED, f"a slice of {describe(container)}", place)
