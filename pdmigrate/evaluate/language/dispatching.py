"""Look-ups in a table of functions by an unknown key: ``handlers.get(args.command)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.python_values import key_of
from pdmigrate.evaluate.core.values import (
    Choice,
    DictValue,
    Guard,
    Place,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

MOST_FUNCTIONS = 8
"""The most functions of a table that are followed one by one; a look-up in a larger table is unknown."""


def choice_of_functions(
    run: Interpreter, table: DictValue, key: Value, otherwise: Value | None, place: Place | None
) -> Value | None:
    """A choice between the functions of ``table``, each under the condition that ``key`` is its key.

    ``otherwise`` is the value for a key that is not in the table; ``None`` if such a key is an error.  Return ``None``
    if ``key`` is known, or if ``table`` is not wholly known, is too large, or holds values other than functions.
    """
    unknown = first_unknown(key)
    entries = list(table.entries.values())
    if unknown is None or table.rest is not None or table.factory is not None or not entries:
        return None
    if len(entries) > MOST_FUNCTIONS or not all(_is_function(entry.value) for entry in entries):
        return None
    if not all(entry.key.scalar for entry in entries):
        return None
    if otherwise is not None and not (otherwise.scalar or _is_function(otherwise)):
        return None
    if otherwise is None:
        run.risk(unknown, "soft")
        otherwise = entries.pop().value
    for entry in reversed(entries):
        name, text = repr(key_of(entry.key)), _written(place)
        guard = Guard(f"{text} is {name}", unknown, otherwise=f"{text} is not {name}")
        otherwise = Choice(guard, entry.value, otherwise)
    return otherwise


def _is_function(value: Value) -> bool:
    return bool(value.is_callable) and not value.outer_name and value.as_instance is None


def _written(place: Place | None) -> str:
    """The key as it is written in the source."""
    node = place.node if place is not None else None
    if place is not None and isinstance(node, cst.Call) and node.args:
        return place.module.code(node.args[0].value)
    if place is not None and isinstance(node, cst.Subscript) and len(node.slice) == 1:
        return place.module.code(node.slice[0])
    return "the key"
