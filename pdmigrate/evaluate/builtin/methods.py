"""Methods of the built-in types."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pdmigrate.evaluate.builtin.dict_kinds import kind_method
from pdmigrate.evaluate.builtin.dict_methods import DICT_METHODS, pop_key
from pdmigrate.evaluate.builtin.list_methods import LIST_METHODS, MethodTable, argument, pop_item
from pdmigrate.evaluate.builtin.set_methods import CHANGING_SETS, SET_METHODS
from pdmigrate.evaluate.builtin.text_methods import (
    NUMBER_METHODS,
    SCALAR_METHODS,
    TEXT_METHODS,
    make_translation,
    scalar_method,
)
from pdmigrate.evaluate.core import arity, reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to
from pdmigrate.evaluate.core.disturbing import poison, poison_arguments
from pdmigrate.evaluate.core.natives import BUILTINS, Function, known_name
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    Const,
    DictValue,
    External,
    ListValue,
    Maybe,
    Native,
    Origin,
    Place,
    RangeValue,
    SetValue,
    TupleValue,
    Value,
    ViewValue,
    const,
)
from pdmigrate.evaluate.language.descriptors import set_plainly
from pdmigrate.evaluate.language.literals import put
from pdmigrate.evaluate.language.metaclasses import plain_new, type_new

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def method(value: Value, name: str) -> Value | None:
    """The bound method of a built-in value; ``None`` if its type has none of this name that the evaluator knows."""
    if isinstance(value, Const):
        if isinstance(value.value, timedelta) and name in ("days", "seconds", "microseconds"):
            return const(getattr(value.value, name), value.origin)
        if name in SCALAR_METHODS.get(type(value.value), NUMBER_METHODS) and hasattr(value.value, name):
            return BoundMethod(Native(name, lambda run, arguments: scalar_method(run, name, arguments)), value)
        return None
    if isinstance(value, SetValue) and value.frozen and name in CHANGING_SETS:
        return None
    if isinstance(value, (DictValue, ViewValue)):
        special = kind_method(value, name)
        if special is not None:
            return special
    table = _TABLES.get(type(value))
    function = table.get(name) if table else None
    return BoundMethod(Native(name, function), value) if function else None


def delete_item(run: Interpreter, container: Value, key: Value, place: Place) -> None:
    """``del container[key]``"""
    if isinstance(container, DictValue):
        pop_key(run, Arguments((container, key), {}, None, place))
    elif isinstance(container, ListValue):
        pop_item(run, Arguments((container, key), {}, None, place))
    else:
        poison(run, container, reasons.unknown(reasons.UNSUPPORTED, f"deleting from {describe(container)}", place))


_LIST_METHODS = arity.counted(LIST_METHODS, arity.LISTS, methods=True)
_TUPLE_METHODS = {"index": _LIST_METHODS["index"], "count": _LIST_METHODS["count"]}
_TABLES: dict[type, MethodTable] = {
    ListValue: _LIST_METHODS,
    TupleValue: _TUPLE_METHODS,
    RangeValue: _TUPLE_METHODS,
    DictValue: arity.counted(DICT_METHODS, arity.DICTS, methods=True),
    SetValue: arity.counted(SET_METHODS, arity.SETS, methods=True),
}


def type_attribute(value: Native, name: str) -> Value | None:
    """An attribute of a built-in type or function: ``str.lower``, ``dict.fromkeys``, ``__name__``."""
    if name in ("__name__", "__qualname__"):
        return const(value.name.rpartition(".")[2])
    if value.name == "object" and name == "__new__":
        return Native("object.__new__", plain_new)
    if value.name == "object" and name == "__setattr__":
        return Native("object.__setattr__", set_plainly)
    if value.name == "type" and name == "__new__":
        return Native("type.__new__", type_new)
    if value.name == "dict" and name == "fromkeys":
        return Native("dict.fromkeys", _fromkeys)
    if value.name == "str" and name in TEXT_METHODS:
        on_text = _on_instance(f"str.{name}", None, lambda run, arguments: scalar_method(run, name, arguments))
        return Native(f"str.{name}", on_text)
    if value.name == "str" and name == "maketrans":
        return Native("str.maketrans", make_translation)
    table = {"list": ListValue, "dict": DictValue, "set": SetValue}.get(value.name)
    function = _TABLES[table].get(name) if table else None
    full_name = f"{value.name}.{name}"
    return Native(full_name, _on_instance(full_name, table, function)) if function else None


def _on_instance(name: str, kind: type[Value] | None, function: Function) -> Function:
    """A method called on its type (``str.lower(text)``), with the instance first; ``kind`` is ``None`` for ``str``."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        if not arguments.positional:
            raise run.failure("TypeError", f"unbound method {name}() needs an argument")
        receiver = arguments.positional[0]
        is_text = isinstance(receiver, Const) and isinstance(receiver.value, str)
        if is_text if kind is None else isinstance(receiver, kind):
            return function(run, arguments)
        if isinstance(receiver, (Const, *_TABLES)):
            raise run.failure("TypeError", f"{name}() does not take {describe(receiver)}")
        reason = reasons.unknown(reasons.UNSUPPORTED, f"{name}() of {describe(receiver)}", arguments.place)
        unknown = first_unknown(receiver) or reason
        poison_arguments(run, arguments, unknown)
        run.risk(unknown, "soft")
        return unknown

    return call


def _fromkeys(run: Interpreter, arguments: Arguments) -> Value:
    result = DictValue(origin=Origin("dict.fromkeys()", arguments.place))
    elements = spread(run, argument(run, arguments, 0), arguments.place)
    value = arguments.positional[1] if len(arguments.positional) > 1 else NONE
    result.rest = leading_to(elements.uncertain, value) if elements.uncertain is not None else None
    for item in elements.items:
        if not isinstance(item, Maybe):
            put(run, result, item, value)
    return result


def type_of(value: Value) -> Value | None:
    """``type(value)`` of a built-in value; ``None`` for other values."""
    if isinstance(value, Const):
        name = type(value.value).__name__
        return BUILTINS.get(name) or External(f"builtins.{name}")
    if isinstance(value, DictValue) and value.kind != "dict":
        return known_name(value.kind)
    if isinstance(value, ViewValue) and value.kind == "mapping":
        return known_name("types.MappingProxyType")
    kinds = {DictValue: "dict", SetValue: "set", TupleValue: "tuple"}
    if isinstance(value, SetValue) and value.frozen:
        return BUILTINS["frozenset"]
    name = value.kind if isinstance(value, ListValue) else kinds.get(type(value), "")
    return BUILTINS.get(name) if name else None
