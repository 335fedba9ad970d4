"""Setting attributes: ``target.name = value``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.builtin.dict_objects import DictObject, set_dict_attribute
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import all_in, leading_to
from pdmigrate.evaluate.core.known_objects import KnownObject
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
    SdkObject,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.attributes import class_lookup
from pdmigrate.evaluate.language.descriptors import assigned_by_pydantic, own_setting

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def set_attribute(run: Interpreter, target: Value, name: str, value: Value, place: Place) -> None:
    """``target.name = value``"""
    from pdmigrate.evaluate.language.calls import poison

    _refuse_plain(run, target, name)
    if isinstance(target, External):
        if not target.is_result:
            run.trail.touch(run.patched)
            run.patched.names[f"{target.name}.{name}"] = value
        poison(run, value, reasons.unknown(reasons.OUTSIDE, f"it is set on {target.name}", place))
        return
    if isinstance(target, KnownObject):
        _set_on_known(target, name, place)
        return
    if isinstance(target, (UnknownValue, Choice)):
        _set_on_one(run, target, name, value, place)
        return
    if isinstance(target, ModuleValue):
        scope = run.run_module(target.module.path).scope
        run.trail.touch(scope)
        scope.names[name] = value
        return
    if isinstance(target, Instance):
        if _set_by_class(run, target, name, value, place):
            return
        value = assigned_by_pydantic(target.cls, name, place) or value
    if isinstance(target, ClassValue) and _makes_another_class(target, name):
        target.opaque = target.opaque or reasons.unknown(reasons.MUTATED, f"{target.name}.{name} is set later", place)
    if isinstance(target, DictObject):
        set_dict_attribute(run, target, name, value, place)
        return
    if isinstance(target, SdkObject):
        from pdmigrate.evaluate.sdk.sdk_objects import attribute_key

        name = attribute_key(run, target, name)
    if isinstance(target, Namespace):
        run.trail.touch(target)
        target.names[name] = value


def _refuse_plain(run: Interpreter, target: Value, name: str) -> None:
    """Values of built-in types take no attributes; those of classes derived from them do."""
    plain = type(target) in (Const, SetValue) or (type(target) is TupleValue and target.cls is None)
    if isinstance(target, (ListValue, DictValue)) and type(target) in (ListValue, DictValue):
        plain = target.kind in ("list", "dict")
    if plain:
        raise run.failure("AttributeError", f"{describe(target)} has no attribute {name}")


def _set_by_class(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> bool:
    """Whether the class of ``target`` has taken the attribute over: by a property, a descriptor or ``__setattr__``."""
    found, _ = class_lookup(target.cls, name)
    if isinstance(found, FunctionValue) and found.kind == "property" and "cached" not in found.names:
        _set_property(run, found, target, value, place)
        return True
    return own_setting(run, target, name, value, place)


def _makes_another_class(cls: ClassValue, name: str) -> bool:
    """Whether setting the attribute changes what the schema of a class is."""
    if cls.name == "Config" or name.startswith("model_"):
        return True
    return name in ("__name__", "__qualname__", "__module__", "__annotations__", "__fields__")


def _set_on_one(run: Interpreter, target: UnknownValue | Choice, name: str, value: Value, place: Place) -> None:
    """Set an attribute of an object of which it is not known which one it is."""
    if isinstance(target, UnknownValue):
        tamper(target)
    for item in all_in(run, target):
        if isinstance(item, Namespace) and not isinstance(item, ClassValue):
            run.trail.touch(item)
            unknown = reasons.unknown(reasons.CONDITION, "set on one of several objects", place)
            item.names[name] = leading_to(unknown, value, item.names.get(name, NONE))


def _set_on_known(target: KnownObject, name: str, place: Place) -> None:
    """An object of a library is given another attribute; what belongs to a model changes the model."""
    unknown = reasons.unknown(reasons.MUTATED, f"{name} of a {target.kind} is set by the program", place)
    target.attributes[name] = unknown
    owner = target.payload
    if isinstance(owner, ClassValue):
        owner.opaque = owner.opaque or unknown


def tamper(target: UnknownValue) -> None:
    """Something that belongs to a class is changed in a way that is not followed: its schema is not known any more."""
    if target.owner is not None:
        target.owner.opaque = target.owner.opaque or target


def _set_property(run: Interpreter, found: FunctionValue, target: Instance, value: Value, place: Place) -> None:
    from pdmigrate.evaluate.language.calls import call

    setter = found.names.get("fset")
    if setter is None:
        raise run.failure("AttributeError", f"property {found.name} has no setter")
    call(run, setter, (target, value), place=place)
