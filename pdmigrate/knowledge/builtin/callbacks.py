"""The calls that a built-in such as ``map`` makes for each element of an iterable, even if elements may be absent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import Guard, Maybe, Place, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def called(run: Interpreter, function: Value, item: Value, place: Place | None) -> Value | None:
    """``function(item)``; if ``item`` may be absent, a ``Maybe``, or ``None`` if the call would raise."""
    if isinstance(item, Maybe):
        inner = item.value
        result = run.under(item.guard, lambda: called(run, function, inner, place))
        return Maybe(result, item.guard) if result is not None else None
    return call(run, function, (item,), place=place)


def called_any_number(
    run: Interpreter, function: Value, unknown: UnknownValue, place: Place | None, *, arguments: int = 1
) -> UnknownValue:
    """The unknown result of calling ``function`` any number of times; what the calls change is unknown afterwards."""
    guard = Guard("it is called", unknown)
    result = run.any_number(guard, lambda: call(run, function, (unknown,) * arguments, place=place))
    return with_aliases(unknown, result) if result is not None else unknown
