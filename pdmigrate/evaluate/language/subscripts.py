"""Elements and slices: ``container[key]``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import leading_to, out_of, scope_in
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.python_values import (
    NotPlain,
    describe,
    enum_payload,
    from_python,
    key_of,
    made_outside,
)
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    External,
    Instance,
    ListValue,
    Maybe,
    Native,
    Origin,
    Place,
    RangeValue,
    Subscripted,
    TupleValue,
    Unbound,
    UnknownValue,
    Value,
    ViewValue,
    const,
)
from pdmigrate.evaluate.language.comparison import is_definition
from pdmigrate.evaluate.language.literals import put
from pdmigrate.evaluate.language.scopes import first_unknown
from pdmigrate.evaluate.types.library_types import makes_type

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def get_item(run: Interpreter, container: Value, key: Value, place: Place) -> Value:
    """``container[key]``"""
    if makes_type(container):
        return Subscripted(
            container, key.items if isinstance(key, TupleValue) else (key,), origin=Origin("type", place)
        )
    if isinstance(container, External) and (not is_definition(container) or container.name == "os.environ"):
        return _outside_item(container, key, place)
    if isinstance(container, (External, Native)) or (isinstance(container, ClassValue) and container.kind != "enum"):
        return Subscripted(
            container, key.items if isinstance(key, TupleValue) else (key,), origin=Origin("type", place)
        )
    unknown = first_unknown(container, key)
    if unknown is not None:
        from pdmigrate.evaluate.builtin.dispatching import one_of

        if isinstance(container, DictValue) and (found := one_of(run, container, key, None, place)) is not None:
            return found
        return _name_in(container, key, place) or out_of(container, unknown)
    if isinstance(container, DictValue):
        return _dict_item(run, container, key, place)
    if isinstance(container, ClassValue) and container.kind == "enum" and isinstance(key, Const):
        member = container.members.get(str(key.value))
        if member is None and container.opaque is None:
            raise run.failure("KeyError", f"{key.value!s}")
        return member or container.opaque or NONE
    if isinstance(container, Instance):
        return _item_method(run, container, key, place)
    return _element(run, container, enum_payload(key) or key, place)


def _element(run: Interpreter, container: Value, index: Value, place: Place) -> Value:
    if isinstance(container, ViewValue) and container.kind == "mapping":
        return _dict_item(run, container.source, index, place)
    if isinstance(container, KnownObject) and "__getitem__" in container.methods:
        return container.methods["__getitem__"](run, Arguments((index,), {}, None, place))
    if isinstance(container, ViewValue) or (isinstance(container, ListValue) and container.kind == "iterator"):
        raise run.failure("TypeError", f"{describe(container)} is not subscriptable")
    if isinstance(container, ListValue):
        if not container.exact:
            return _uncertain_item(container, index)
        return _sequence_item(run, container.items, index)
    if isinstance(container, TupleValue):
        return _sequence_item(run, list(container.items), index)
    if isinstance(container, Const) and isinstance(container.value, (str, bytes)):
        return _character(run, container, index, place)
    return reasons.unknown(reasons.UNSUPPORTED, f"a subscript of {describe(container)}", place)


def _name_in(container: Value, key: Value, place: Place) -> Value | None:
    """An element of ``globals()``."""
    scope = scope_in(container)
    if scope is None or not isinstance(key, Const) or str(key.value) not in scope.names:
        return None
    found = scope.names[str(key.value)]
    return found if not isinstance(found, Unbound) else reasons.unknown(reasons.CONDITION, str(key.value), place)


def _outside_item(container: External, key: Value, place: Place) -> UnknownValue:
    """An element of something from outside; a variable of the environment is named."""
    if container.name == "os.environ" and isinstance(key, Const):
        return reasons.unknown(reasons.ENVIRONMENT, f"the environment variable {key.value!s}", place)
    return made_outside(container)


def _item_method(run: Interpreter, container: Instance, key: Value, place: Place) -> Value:
    from pdmigrate.evaluate.language.attributes import find_method
    from pdmigrate.evaluate.language.calls import call

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
        return out_of(container, reason.unknown)
    entry = container.entries.get(found)
    if entry is not None and container.rest is None:
        return maybe_unknown(entry.value)
    if container.rest is not None:
        return out_of(container, container.rest)
    if container.factory is not None:
        from pdmigrate.evaluate.language.calls import call

        value = call(run, container.factory, (), place=place)
        put(run, container, key, value)
        return value
    raise run.failure("KeyError", repr(found))


def maybe_unknown(value: Value) -> Value:
    """An element that may be absent, where only its value can be used."""
    return leading_to(value.guard.unknown, value.value) if isinstance(value, Maybe) else value


def _uncertain_item(container: ListValue, index: Value) -> Value:
    """An element of a list where some may be absent: those before the first doubt are at their places."""
    if container.rest is not None:
        return out_of(container, container.rest)
    if isinstance(index, Const) and isinstance(index.value, int) and 0 <= index.value < len(container.items):
        before = container.items[: index.value + 1]
        if not any(isinstance(item, Maybe) for item in before):
            return before[-1]
    doubt = next((item.guard.unknown for item in container.items if isinstance(item, Maybe)), None)
    return out_of(container, doubt) if doubt is not None else NONE


def _sequence_item(run: Interpreter, items: list[Value], index: Value) -> Value:
    if not isinstance(index, Const) or not isinstance(index.value, int):
        raise run.failure("TypeError", "indices must be integers")
    try:
        return items[index.value]
    except IndexError as error:
        raise run.failure("IndexError", str(error)) from None


def _character(run: Interpreter, container: Const, index: Value, place: Place) -> Value:
    text = container.value
    if not isinstance(text, (str, bytes)) or not isinstance(index, Const) or not isinstance(index.value, int):
        raise run.failure("TypeError", "indices must be integers")
    try:
        return from_python(text[index.value], Origin("subscript", place))
    except IndexError as error:
        raise run.failure("IndexError", str(error)) from None


def get_slice(run: Interpreter, container: Value, bounds: slice, place: Place) -> Value:
    """``container[start:stop:step]``"""
    if isinstance(container, Const) and isinstance(container.value, (str, bytes)):
        return const(container.value[bounds], Origin("slice", place, (container.origin,) if container.origin else ()))
    if isinstance(container, TupleValue):
        kind = RangeValue if isinstance(container, RangeValue) else TupleValue
        run.budget.make(len(range(*bounds.indices(len(container.items)))))
        return kind(container.items[bounds], origin=Origin("slice", place))
    if isinstance(container, ListValue) and container.exact:
        run.budget.make(len(container.items))
        return ListValue(container.items[bounds], origin=Origin("slice", place))
    if isinstance(container, ListValue) and bounds == slice(None):
        run.budget.make(len(container.items))
        return ListValue(list(container.items), container.rest, origin=Origin("slice", place))
    unknown = first_unknown(container) or reasons.unknown(
        reasons.UNSUPPORTED, f"a slice of {describe(container)}", place
    )
    return out_of(container, unknown)
