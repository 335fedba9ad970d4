"""Attributes of the built-in types: ``str.lower``, ``dict.fromkeys``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.builtin.dict_methods import DICT_METHODS
from pdmigrate.evaluate.builtin.list_methods import LIST_METHODS
from pdmigrate.evaluate.builtin.set_methods import SET_METHODS
from pdmigrate.evaluate.builtin.text_methods import TEXT_METHODS, make_translation, scalar_method
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.natives import NAMES, Function, first_argument
from pdmigrate.evaluate.core.operations import METHODS, spread
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Const,
    DictValue,
    ListValue,
    Maybe,
    Native,
    Origin,
    SetValue,
    TupleValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.literals import put

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


_TABLES = {"list": (ListValue, LIST_METHODS), "dict": (DictValue, DICT_METHODS), "set": (SetValue, SET_METHODS)}


@METHODS.of(Native)
def _type_attribute(value: Native, name: str) -> Value | None:
    """An attribute of a built-in type or function: ``str.lower``, ``dict.fromkeys``, ``__name__``."""
    if name in ("__name__", "__qualname__"):
        return const(value.name.rpartition(".")[2])
    if (known := NAMES.get(f"{value.name}.{name}")) is not None:
        return known
    if value.name == "dict" and name == "fromkeys":
        return Native("dict.fromkeys", _fromkeys)
    if value.name == "str" and name in TEXT_METHODS:
        on_text = _on_instance(f"str.{name}", None, lambda run, arguments: scalar_method(run, name, arguments))
        return Native(f"str.{name}", on_text)
    if value.name == "str" and name == "maketrans":
        return Native("str.maketrans", make_translation)
    kind, table = _TABLES.get(value.name, (None, {}))
    function = table.get(name)
    full_name = f"{value.name}.{name}"
    return Native(full_name, _on_instance(full_name, kind, function)) if function else None


def _on_instance(name: str, kind: type[Value] | None, function: Function) -> Function:
    """A method called on its type (``str.lower(text)``), with the instance first; ``kind`` is ``None`` for ``str``."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        if not arguments.positional:
            raise run.failure("TypeError", f"unbound method {name}() needs an argument")
        receiver = arguments.positional[0]
        fits = receiver.text is not None if kind is None else isinstance(receiver, kind)
        if fits:
            return function(run, arguments)
        if isinstance(receiver, (Const, ListValue, TupleValue, DictValue, SetValue)):
            raise run.failure("TypeError", f"{name}() does not take {describe(receiver)}")
        reason = reasons.unknown(reasons.UNSUPPORTED, f"{name}() of {describe(receiver)}", arguments.place)
        unknown = first_unknown(receiver) or reason
        poison_arguments(run, arguments, unknown)
        run.risk(unknown, "soft")
        return unknown

    return call


def _fromkeys(run: Interpreter, arguments: Arguments) -> Value:
    result = DictValue(origin=Origin("dict.fromkeys()", arguments.place))
    elements = spread(run, first_argument(run, arguments, 0), arguments.place)
    value = arguments.positional[1] if len(arguments.positional) > 1 else NONE
    result.rest = leading_to(elements.uncertain, value) if elements.uncertain is not None else None
    for item in elements.items:
        if not isinstance(item, Maybe):
            put(run, result, item, value)
    return result
