"""Setting attributes: ``target.name = value``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.attributes import class_lookup
from pdmigrate.evaluate.values import (
    Choice,
    External,
    FunctionValue,
    Instance,
    ModuleValue,
    Namespace,
    Place,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter


def set_attribute(run: Interpreter, target: Value, name: str, value: Value, place: Place) -> None:
    """``target.name = value``"""
    if isinstance(target, UnknownValue):
        tamper(target)
    if isinstance(target, (UnknownValue, External)):
        return
    if isinstance(target, Choice):
        for side in (target.first, target.second):
            if isinstance(side, Namespace):
                run.trail.touch(side)
                side.names[name] = reasons.unknown(reasons.CONDITION, "set on one of two objects", place)
        return
    if isinstance(target, ModuleValue):
        scope = run.run_module(target.module.path).scope
        run.trail.touch(scope)
        scope.names[name] = value
        return
    if isinstance(target, Instance):
        found, _ = class_lookup(target.cls, name)
        if isinstance(found, FunctionValue) and found.kind == "property" and "cached" not in found.names:
            _set_property(run, found, target, value, place)
            return
    if isinstance(target, Namespace):
        run.trail.touch(target)
        target.names[name] = value


def tamper(target: UnknownValue) -> None:
    """Something that belongs to a class is changed in a way that is not followed: its schema is not known any more."""
    if target.owner is not None:
        target.owner.opaque = target.owner.opaque or target


def _set_property(run: Interpreter, found: FunctionValue, target: Instance, value: Value, place: Place) -> None:
    from pdmigrate.evaluate.calls import call

    setter = found.names.get("fset")
    if setter is None:
        raise run.failure("AttributeError", f"property {found.name} has no setter")
    call(run, setter, (target, value), place=place)
