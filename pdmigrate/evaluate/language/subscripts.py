"""Elements and slices: ``container[key]``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives, first_unknown, scope_in, taken_from, with_aliases
from pdmigrate.evaluate.core.disturbing import disturb, poison
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import call_own, function_in
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.python_values import NotPlain, describe, enum_payload, from_python, key_of
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Choice,
    ClassValue,
    Const,
    DictValue,
    Instance,
    IteratorValue,
    ListValue,
    ModuleValue,
    Native,
    Origin,
    Place,
    SetValue,
    Subscripted,
    TupleValue,
    Unbound,
    UnknownValue,
    Value,
    ViewValue,
    const,
    doubt_among,
)
from pdmigrate.evaluate.language.comparison import is_definition
from pdmigrate.evaluate.language.dispatching import choice_of_functions
from pdmigrate.evaluate.language.literals import put
from pdmigrate.evaluate.language.operator_methods import lacks, maybe_by_class
from pdmigrate.evaluate.language.scopes import set_in
from pdmigrate.evaluate.language.type_parameters import makes_type

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def get_item(run: Interpreter, container: Value, key: Value, place: Place) -> Value:
    """``container[key]``"""
    if (own := _by_own_class(run, container, key, place)) is not None:
        return own
    if container.library_name == "sys.modules" and (module := _module(run, key)) is not None:
        return module
    if _takes_types(container):
        if (cls := container.as_class) is not None and not cls.outside and cls.kind == "plain":
            run.risk(reasons.unknown(reasons.UNSUPPORTED, f"whether {cls.name} is generic", place), "soft")
        args = (key,) if key.as_tuple is None else key.as_tuple.items
        return Subscripted(container, args, origin=Origin("type", place))
    if container.library_name:
        return _outside_item(container, key, place)
    unknown = first_unknown(container, key)
    if unknown is not None and container.as_instance is None:
        if (given := container.as_dict) is not None and (
            found := choice_of_functions(run, given, key, None, place)
        ) is not None:
            return found
        return _name_in(container, key, place) or taken_from(container, unknown)
    return ITEMS[type(container)](run, container, key, place)


def _module(run: Interpreter, name: Value) -> Value | None:
    """The module of the program that ``sys.modules`` holds under a name; ``None`` if it is none that was executed."""
    for path, executed in run.modules.items():
        if name.text == ("__main__" if path == run.assumed.script else executed.module.name):
            return ModuleValue(executed.module)
    return None


def _by_own_class(run: Interpreter, container: Value, key: Value, place: Place) -> Value | None:
    """``container[key]`` of a class by its ``__class_getitem__``, or that of its metaclass; ``None`` if it has none."""
    if (cls := container.as_class) is None:
        return None
    if cls.metaclass is not None and (method := function_in(cls.metaclass, "__getitem__")) is not None:
        return call(run, method, (cls, key), place=place)
    method = function_in(cls, "__class_getitem__")
    return call(run, method, (cls, key), place=place) if method is not None else None


def _takes_types(container: Value) -> bool:
    """Whether a subscript of ``container`` is a type, such as ``list[int]``."""
    if container.library_name and container.library_name != "os.environ" and is_definition(container):
        return True
    cls = container.as_class
    return (cls is not None and cls.kind != "enum") or isinstance(container, Native) or makes_type(container)


ITEMS: Kinds[Callable[[Interpreter, Any, Value, Place], Value]] = Kinds()


@ITEMS.of(Value)
def _no_item(_run: Interpreter, container: Value, _key: Value, place: Place) -> Value:
    return reasons.unknown(reasons.UNSUPPORTED, f"a subscript of {describe(container)}", place)


@ITEMS.of(ClassValue)
def _member(run: Interpreter, container: ClassValue, key: Value, place: Place) -> Value:
    if container.kind != "enum" or key.scalar is None:
        return _no_item(run, container, key, place)
    member = container.members.get(str(key.scalar.value))
    if member is None and container.opaque is None:
        raise run.failure("KeyError", f"{key.scalar.value!s}")
    return member or container.opaque or NONE


@ITEMS.of(ViewValue)
def _of_view(run: Interpreter, container: ViewValue, key: Value, place: Place) -> Value:
    if (mapping := container.mapping) is None:
        return _refused(run, container, key, place)
    return _dict_item(run, mapping, key, place)


@ITEMS.of(KnownObject)
def _of_known(run: Interpreter, container: KnownObject, key: Value, place: Place) -> Value:
    if "__getitem__" not in container.methods:
        return _no_item(run, container, key, place)
    return container.methods["__getitem__"](run, Arguments((enum_payload(key) or key,), {}, None, place))


@ITEMS.of(ListValue)
def _of_list(run: Interpreter, container: ListValue, key: Value, _place: Place) -> Value:
    index = enum_payload(key) or key
    return _sequence_item(run, container.items, index) if container.exact else _uncertain_item(container, index)


ITEMS.of(TupleValue)(lambda run, container, key, _place: _sequence_item(run, container.items, enum_payload(key) or key))


@ITEMS.of(IteratorValue)
def _refused(run: Interpreter, container: Value, _key: Value, _place: Place) -> Value:
    raise run.failure("TypeError", f"{describe(container)} is not subscriptable")


def _name_in(container: Value, key: Value, place: Place) -> Value | None:
    """An entry of ``globals()`` or ``locals()``; ``None`` if ``container`` is neither, or has no such name."""
    scope = scope_in(container)
    name = key.text
    if scope is None or name is None or name not in scope.names:
        return None
    found = scope.names[name]
    return found if not isinstance(found, Unbound) else reasons.unknown(reasons.CONDITION, name, place)


def _outside_item(container: Value, key: Value, place: Place) -> UnknownValue:
    """Why an element of an outside object is unknown; for ``os.environ``, the variable is named."""
    if container.library_name == "os.environ" and key.scalar is not None:
        return reasons.unknown(reasons.ENVIRONMENT, f"the environment variable {key.scalar.value!s}", place)
    return made_outside(container)


@ITEMS.of(Instance)
def _item_method(run: Interpreter, container: Instance, key: Value, place: Place) -> Value:
    payload = enum_payload(container)
    if payload is not None:
        return get_item(run, payload, key, place)
    result = call_own(run, container, "__getitem__", key, place=place)
    return result or first_unknown(key) or _no_item(run, container, key, place)


@ITEMS.of(DictValue)
def _dict_item(run: Interpreter, container: DictValue, key: Value, place: Place) -> Value:
    try:
        found = key_of(key)
    except NotPlain as reason:
        return taken_from(container, reason.unknown)
    entry = container.entries.get(found)
    if entry is not None and container.rest is None:
        return maybe_unknown(entry.value)
    if container.rest is not None:
        return taken_from(container, container.rest)
    if container.factory is not None:
        value = call(run, container.factory, (), place=place)
        put(run, container, key, value)
        return value
    raise run.failure("KeyError", repr(found))


def maybe_unknown(value: Value) -> Value:
    """``value``, or an unknown value that may be it if it may be absent: for uses that need some value."""
    return with_aliases(value.doubt, value.element) if value.doubt is not None else value


def _uncertain_item(container: ListValue, index: Value) -> Value:
    """An element of a list in which some may be absent: only those before the first of these have a certain index."""
    if container.rest is not None:
        return taken_from(container, container.rest)
    if (number := index.number) is not None and 0 <= number < len(container.items):
        before = container.items[: number + 1]
        if doubt_among(before) is None:
            return before[-1]
    doubt = doubt_among(container.items)
    return taken_from(container, doubt) if doubt is not None else NONE


def _sequence_item(run: Interpreter, items: Sequence[Any], index: Value) -> Any:
    if (number := index.number) is None:
        raise run.failure("TypeError", "indices must be integers")
    try:
        return items[number]
    except IndexError as error:
        raise run.failure("IndexError", str(error)) from None


@ITEMS.of(Const)
def _character(run: Interpreter, container: Const, key: Value, place: Place) -> Value:
    if (string := container.string) is None:
        return _no_item(run, container, key, place)
    return from_python(_sequence_item(run, string, enum_payload(key) or key), Origin("subscript", place))


def get_slice(run: Interpreter, container: Value, bounds: slice, place: Place) -> Value:
    """``container[start:stop:step]``"""
    if (string := container.string) is not None:
        return const(string[bounds], Origin("slice", place, container.sources))
    if (given := container.as_tuple) is not None:
        run.budget.make(len(range(*bounds.indices(len(given.items)))))
        return type(given)(given.items[bounds], origin=Origin("slice", place))
    if (known := container.as_list) is not None and (known.exact or bounds == slice(None)):
        run.budget.make(len(known.items))
        return ListValue(known.items[bounds], known.rest, origin=Origin("slice", place))
    unknown = first_unknown(container) or reasons.unknown(
        reasons.UNSUPPORTED, f"a slice of {describe(container)}", place
    )
    return taken_from(container, unknown)


# --- setting and deleting ---------------------------------------------------------------------------------------------

ITEM_SETTING: Kinds[Callable[[Interpreter, Any, Value, Value, Place], None]] = Kinds()
ITEM_DELETING: Kinds[Callable[[Interpreter, Any, Value, Place], object]] = Kinds()


def set_item(run: Interpreter, container: Value, key: Value, value: Value, place: Place) -> None:
    """``container[key] = value``"""
    ITEM_SETTING[type(container)](run, container, key, value, place)


def delete_item(run: Interpreter, container: Value, key: Value, place: Place) -> None:
    """``del container[key]``"""
    ITEM_DELETING[type(container)](run, container, key, place)


@ITEM_DELETING.of(Instance)
def _delete_by_method(run: Interpreter, container: Instance, key: Value, place: Place) -> None:
    if call_own(run, container, "__delitem__", key, place=place) is None:
        _no_method(run, container, "__delitem__", "deleting an element", place)


@ITEM_DELETING.of(UnknownValue)
def _delete_from_unknown(run: Interpreter, container: UnknownValue, _key: Value, place: Place) -> None:
    disturb(run, container)
    _delete_from_any(run, container, _key, place)


@ITEM_DELETING.of(Value)
def _delete_from_any(run: Interpreter, container: Value, _key: Value, place: Place) -> None:
    poison(run, container, reasons.unknown(reasons.UNSUPPORTED, f"deleting from {describe(container)}", place))


ITEM_SETTING.of(Value)(lambda _run, _container, _key, _value, _place: None)
ITEM_SETTING.of(DictValue)(lambda run, container, key, value, _place: put(run, container, key, value))


@ITEM_SETTING.of(ListValue)
def _set_in_list(run: Interpreter, container: ListValue, key: Value, value: Value, place: Place) -> None:
    run.trail.touch(container)
    index = key.number
    if container.exact and index is not None:
        if not -len(container.items) <= index < len(container.items):
            raise run.failure("IndexError", "list assignment index out of range")
        container.items[index] = value
    else:
        unknown = reasons.unknown(reasons.MUTATED, "an element is set at an unknown index", place)
        poison(run, container, with_aliases(unknown, value))


@ITEM_SETTING.of(UnknownValue)
def _set_in_unknown(run: Interpreter, container: UnknownValue, key: Value, value: Value, _place: Place) -> None:
    scope = scope_in(container)
    name = key.text
    if scope is not None and scope.kind == "module" and name is not None:
        set_in(run, scope, name, value)
        return
    run.risk(container, "soft")
    aliases = with_aliases(container, value).aliases
    if aliases is not container.aliases:
        container.aliases, run.disturbed = aliases, None
    disturb(run, container)  # its method may change the value, too


@ITEM_SETTING.of(Instance)
def _set_by_method(run: Interpreter, container: Instance, key: Value, value: Value, place: Place) -> None:
    if call_own(run, container, "__setitem__", key, value, place=place) is None:
        _no_method(run, container, "__setitem__", "setting an element", place)


def _no_method(run: Interpreter, container: Instance, name: str, action: str, place: Place) -> None:
    """Forget what a method that is not followed may change in ``container``.

    Raises:
        AbstractRaise: there certainly is no such method.
    """
    unknown = reasons.unknown(reasons.UNSUPPORTED, action, place)
    if lacks(container, name):
        raise run.failure("TypeError", f"{describe(container)} has no {name}()")
    run.risk(unknown, "soft")
    run.trail.touch(container)
    container.rest = unknown


@ITEM_SETTING.of(Const, TupleValue, ViewValue, SetValue)
def _set_refused(run: Interpreter, container: Value, _key: Value, _value: Value, _place: Place) -> None:
    raise run.failure("TypeError", f"{describe(container)} does not support item assignment")


@ITEM_SETTING.of(Choice)
def _set_in_one(run: Interpreter, container: Choice, _key: Value, value: Value, place: Place) -> None:
    unknown = reasons.unknown(reasons.CONDITION, "an element is set in one of two objects", place)
    _may_be_refused(run, container, unknown)
    poison(run, container, with_aliases(unknown, value))
    maybe_by_class(run, ("__setitem__",), unknown, container)


def _may_be_refused(run: Interpreter, container: Choice, unknown: UnknownValue) -> None:
    if any(side.as_dict is None for side in alternatives(container)):
        run.risk(unknown, "soft")


@ITEM_DELETING.of(Choice)
def _delete_from_one(run: Interpreter, container: Choice, _key: Value, place: Place) -> None:
    unknown = reasons.unknown(reasons.CONDITION, "an element is deleted from one of two objects", place)
    run.risk(unknown, "soft")
    poison(run, container, unknown)
    maybe_by_class(run, ("__delitem__",), unknown, container)
