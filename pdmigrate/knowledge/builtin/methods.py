"""Attributes of the built-in types: ``str.lower``, ``dict.fromkeys``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, with_aliases
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.natives import NAMES, Function, declare, first_argument
from pdmigrate.evaluate.core.operations import METHODS, spread
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    Arguments,
    Const,
    DictValue,
    ListValue,
    Native,
    Origin,
    SetValue,
    TupleValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.literals import put
from pdmigrate.knowledge.builtin.dict_methods import DICT_METHODS
from pdmigrate.knowledge.builtin.list_methods import LIST_METHODS
from pdmigrate.knowledge.builtin.set_methods import SET_METHODS
from pdmigrate.knowledge.builtin.text_methods import TEXT_METHODS, make_translation, scalar_method

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@METHODS.of(Native)
def _type_attribute(value: Native, name: str) -> Value | None:
    """An attribute of a built-in type or function: ``str.lower``, ``dict.fromkeys``, ``__name__``."""
    if name in ("__name__", "__qualname__"):
        return const(value.name.rpartition(".")[2])
    return NAMES.get(f"{value.name}.{name}")


def _on_instance(name: str, fits: Callable[[Value], object], function: Function) -> Function:
    """A method called on its type (``str.lower(text)``), with the instance first."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        if not arguments.positional:
            raise run.failure("TypeError", f"unbound method {name}() needs an argument")
        receiver = arguments.positional[0]
        if fits(receiver):
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
    value = arguments.at(1)
    result.rest = with_aliases(elements.uncertain, value) if elements.uncertain is not None else None
    for item in elements.items:
        if item.doubt is None:
            put(run, result, item, value)
    return result


declare({"dict.fromkeys": _fromkeys, "str.maketrans": make_translation})
for _type, _fits, _table in (
    ("list", lambda value: value.as_list is not None, LIST_METHODS),
    ("dict", lambda value: value.as_dict is not None, DICT_METHODS),
    ("set", lambda value: isinstance(value, SetValue), SET_METHODS),
    ("str", lambda value: value.text is not None, {name: scalar_method(name) for name in TEXT_METHODS}),
):
    for _name, _function in _table.items():
        declare({f"{_type}.{_name}": _on_instance(f"{_type}.{_name}", _fits, _function)})
