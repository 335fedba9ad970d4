"""Properties of the program's classes: their parts, reading, setting and deleting through them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.natives import first_argument
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    FunctionValue,
    Instance,
    Native,
    Place,
    Value,
    now,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_PARTS: dict[str, str] = {"getter": "fget", "setter": "fset", "deleter": "fdel"}


def property_of(getter: FunctionValue, parts: dict[str, Value]) -> FunctionValue:
    """A new property: the function ``getter``, which may have other uses as well, with its other parts."""
    own = {name: value for name, value in parts.items() if not value.is_just(None)}
    return replace(getter, kind="property", names={**getter.names, **own}, serial=now())


def property_attribute(value: FunctionValue, name: str) -> Value | None:
    """``value.setter`` and the like of a property; ``None`` for all other attributes."""
    if "cached" in value.names:
        return None
    if name in ("fset", "fdel"):
        return NONE  # a property that has one finds it among its names
    return Native(f"property.{name}", lambda run, given: _with(run, value, name, given)) if name in _PARTS else None


def _with(run: Interpreter, value: FunctionValue, name: str, arguments: Arguments) -> Value:
    """A copy of a property with another getter, setter or deleter, as ``@value.setter`` makes it."""
    given = first_argument(run, arguments)
    parts: dict[str, Value] = {part: value.names[part] for part in ("fset", "fdel") if part in value.names}
    if name != "getter":
        return property_of(value, {**parts, _PARTS[name]: given})
    if (getter := given.as_function) is None:
        return given
    return property_of(getter, parts)


def through_property(
    run: Interpreter, found: FunctionValue, target: Instance, part: str, place: Place, *values: Value
) -> None:
    """Set (``fset``) or delete (``fdel``) an attribute by a property.

    Raises:
        AbstractRaise: the property has no such part.
    """
    if part not in found.names:
        raise run.failure("AttributeError", f"property {found.name} has no {'setter' if values else 'deleter'}")
    call(run, found.names[part], (target, *values), place=place)
