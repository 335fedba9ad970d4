"""Setting attributes: ``target.name = value``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import all_in, leading_to
from pdmigrate.evaluate.core.deriving import ASSIGNED, derived
from pdmigrate.evaluate.core.disturbing import poison, tamper
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import class_lookup
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Choice,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    ModuleValue,
    Namespace,
    Place,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    is_property,
)
from pdmigrate.evaluate.language.descriptors import own_setting

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


ATTRIBUTE_SETTING: Kinds[Callable[[Interpreter, Any, str, Value, Place], None]] = Kinds()


def set_attribute(run: Interpreter, target: Value, name: str, value: Value, place: Place) -> None:
    """``target.name = value``"""
    ATTRIBUTE_SETTING[type(target)](run, target, name, value, place)


ATTRIBUTE_SETTING.of(Value)(lambda _run, _target, _name, _value, _place: None)


@ATTRIBUTE_SETTING.of(Namespace)
def _set(run: Interpreter, target: Namespace, name: str, value: Value, _place: Place) -> None:
    run.trail.touch(target)
    target.names[name] = value


@ATTRIBUTE_SETTING.of(Const, SetValue)
def _refused(run: Interpreter, target: Value, name: str, _value: Value, _place: Place) -> None:
    """Raise AttributeError: an instance of a built-in type takes no attributes; one of a derived class does."""
    raise run.failure("AttributeError", f"{describe(target)} has no attribute {name}")


@ATTRIBUTE_SETTING.of(TupleValue)
def _set_on_tuple(run: Interpreter, target: TupleValue, name: str, value: Value, place: Place) -> None:
    if type(target) is TupleValue and target.cls is None:
        _refused(run, target, name, value, place)


@ATTRIBUTE_SETTING.of(ListValue, DictValue)
def _set_on_container(run: Interpreter, target: ListValue | DictValue, name: str, value: Value, place: Place) -> None:
    if target.kind in ("list", "dict"):
        _refused(run, target, name, value, place)


@ATTRIBUTE_SETTING.of(External)
def _set_on_external(run: Interpreter, target: External, name: str, value: Value, place: Place) -> None:
    if not target.is_result:
        run.trail.touch(run.patched)
        run.patched.names[f"{target.name}.{name}"] = value
    poison(run, value, reasons.unknown(reasons.OUTSIDE, f"it is set on {target.name}", place))


@ATTRIBUTE_SETTING.of(ModuleValue)
def _set_on_module(run: Interpreter, target: ModuleValue, name: str, value: Value, place: Place) -> None:
    _set(run, run.run_module(target.module.path).scope, name, value, place)


@ATTRIBUTE_SETTING.of(Instance)
def _set_on_instance(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> None:
    if not _set_by_class(run, target, name, value, place):
        _set(run, target, name, derived(ASSIGNED, target.cls, name, place) or value, place)


@ATTRIBUTE_SETTING.of(ClassValue)
def _set_on_class(run: Interpreter, target: ClassValue, name: str, value: Value, place: Place) -> None:
    if _makes_another_class(target, name):
        target.opaque = target.opaque or reasons.unknown(reasons.MUTATED, f"{target.name}.{name} is set later", place)
    _set(run, target, name, value, place)


def _set_by_class(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> bool:
    """Set the attribute by a property, descriptor or ``__setattr__`` of the class; ``False`` if the class has none."""
    found, _ = class_lookup(target.cls, name)
    if is_property(found) and "cached" not in found.names:
        _set_property(run, found, target, value, place)
        return True
    return own_setting(run, target, name, value, place)


def _makes_another_class(cls: ClassValue, name: str) -> bool:
    """Whether setting the class attribute ``name`` changes the schema of ``cls``."""
    if cls.name == "Config" or name.startswith("model_"):
        return True
    return name in ("__name__", "__qualname__", "__module__", "__annotations__", "__fields__")


@ATTRIBUTE_SETTING.of(UnknownValue, Choice)
def _set_on_one(run: Interpreter, target: UnknownValue | Choice, name: str, value: Value, place: Place) -> None:
    """Make the attribute unknown on every object that ``target`` may be or hold, classes apart."""
    if isinstance(target, UnknownValue):
        tamper(target)
    for item in all_in(run, target):
        if isinstance(item, Namespace) and not isinstance(item, ClassValue):
            run.trail.touch(item)
            unknown = reasons.unknown(reasons.CONDITION, "set on one of several objects", place)
            item.names[name] = leading_to(unknown, value, item.names.get(name, NONE))


@ATTRIBUTE_SETTING.of(KnownObject)
def _set_on_known(_run: Interpreter, target: KnownObject, name: str, _value: Value, place: Place) -> None:
    """Make the attribute of a library object unknown; a model that owns the object becomes opaque."""
    unknown = reasons.unknown(reasons.MUTATED, f"{name} of a {target.kind} is set by the program", place)
    target.attributes[name] = unknown
    owner = target.payload
    if isinstance(owner, ClassValue):
        owner.opaque = owner.opaque or unknown


def _set_property(run: Interpreter, found: FunctionValue, target: Instance, value: Value, place: Place) -> None:
    setter = found.names.get("fset")
    if setter is None:
        raise run.failure("AttributeError", f"property {found.name} has no setter")
    call(run, setter, (target, value), place=place)
