"""Functions that something known calls for the elements of an iterable, of which not all may be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.aliasing import leading_to
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import Guard, Maybe, Place, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def called(run: Interpreter, function: Value, item: Value, place: Place | None) -> Value | None:
    """What a call with an element gives, and whether, if the element is there; ``None`` where it would raise then."""
    if isinstance(item, Maybe):
        inner = item.value
        result = run.under(item.guard, lambda: called(run, function, inner, place))
        return Maybe(result, item.guard) if result is not None else None
    return call(run, function, (item,), place=place)


def called_any_number(
    run: Interpreter, function: Value, unknown: UnknownValue, place: Place | None, *, arguments: int = 1
) -> UnknownValue:
    """What calls give of which nobody knows how many there are; what they change is not known afterwards."""
    guard = Guard("it is called", unknown)
    result = run.any_number(guard, lambda: call(run, function, (unknown,) * arguments, place=place))
    return leading_to(unknown, result) if result is not None else unknown
