"""Setting attributes: ``target.name = value``, also through properties, descriptors and ``__setattr__``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import all_in, leading_to
from pdmigrate.evaluate.core.deriving import ASSIGNED, derived
from pdmigrate.evaluate.core.disturbing import poison, poison_arguments, tamper
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import call_own, class_lookup
from pdmigrate.evaluate.core.natives import native
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Choice,
    ClassValue,
    Const,
    DictValue,
    External,
    Instance,
    ListValue,
    ModuleValue,
    Namespace,
    Place,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    const,
    is_property,
)
from pdmigrate.evaluate.language.scopes import set_in

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


ATTRIBUTE_SETTING: Kinds[Callable[[Interpreter, Any, str, Value, Place], None]] = Kinds()


def set_attribute(run: Interpreter, target: Value, name: str, value: Value, place: Place) -> None:
    """``target.name = value``"""
    ATTRIBUTE_SETTING[type(target)](run, target, name, value, place)


ATTRIBUTE_SETTING.of(Value)(lambda _run, _target, _name, _value, _place: None)


ATTRIBUTE_SETTING.of(Namespace)(lambda run, target, name, value, _place: set_in(run, target, name, value))


@ATTRIBUTE_SETTING.of(Const, SetValue)
def _refused(run: Interpreter, target: Value, name: str, _value: Value, _place: Place) -> None:
    """Raise AttributeError: instances of built-in types take no attributes, unlike those of derived classes."""
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
        set_in(run, run.patched, f"{target.name}.{name}", value)
    poison(run, value, reasons.unknown(reasons.OUTSIDE, f"it is set on {target.name}", place))


@ATTRIBUTE_SETTING.of(ModuleValue)
def _set_on_module(run: Interpreter, target: ModuleValue, name: str, value: Value, _place: Place) -> None:
    set_in(run, run.run_module(target.module.path).scope, name, value)


@ATTRIBUTE_SETTING.of(Instance)
def _set_on_instance(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> None:
    if not _set_by_class(run, target, name, value, place):
        set_in(run, target, name, derived(ASSIGNED, target.cls, name, place) or value)


@ATTRIBUTE_SETTING.of(ClassValue)
def _set_on_class(run: Interpreter, target: ClassValue, name: str, value: Value, place: Place) -> None:
    if target.name == "Config" or name.startswith("model_") or name in _REMAKING:
        target.opaque = target.opaque or reasons.unknown(reasons.MUTATED, f"{target.name}.{name} is set later", place)
    if name.startswith("__"):
        run.defined.special.add(name)
    set_in(run, target, name, value)


def _set_by_class(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> bool:
    """Set the attribute by a property, descriptor or ``__setattr__`` of the class; ``False`` if the class has none.

    Raises:
        AbstractRaise: the property has no setter, the class is frozen, or its ``__slots__`` lack the attribute.
    """
    cls = target.cls
    found, _ = class_lookup(cls, name)
    if is_property(found) and "cached" not in found.names:
        if "fset" not in found.names:
            raise run.failure("AttributeError", f"property {found.name} has no setter")
        call(run, found.names["fset"], (target, value), place=place)
        return True
    if call_own(run, target, "__setattr__", const(name), value, place=place) is not None:
        return True
    if found is not None and call_own(run, found, "__set__", target, value, place=place) is not None:
        return True
    slots = _slots(cls)
    if cls.kind == "dataclass" and cls.options.get("frozen", NONE).is_just(True):
        raise run.failure("FrozenInstanceError", f"cannot assign to field {name}")
    if slots is not None and name not in slots:
        raise run.failure("AttributeError", f"{cls.name} object has no attribute {name}")
    return False


def _slots(cls: ClassValue) -> set[str] | None:
    """The attributes that ``__slots__`` allows for instances; ``None`` if they may have any."""
    slots: set[str] = set()
    for base in cls.mro:
        own = base.as_class
        if own is not None:
            given = own.names.get("__slots__", NONE)
            if given.sequence is None and given.text is None:
                return None
            slots |= {item.text for item in given.sequence or (given,) if item.text is not None}
        elif base.outer_name not in ("object", "builtins.object", "abc.ABC", "typing.Generic"):
            return None
    return None if "__dict__" in slots else slots


@native("object.__setattr__")
def _set_plainly(run: Interpreter, arguments: Arguments) -> Value:
    """``object.__setattr__(target, name, value)``"""
    if len(arguments.positional) != 3:
        raise run.failure("TypeError", "__setattr__() takes three arguments")
    target, name, value = arguments.positional
    if (instance := target.as_instance) is not None and name.text is not None:
        set_in(run, instance, name.text, value)
        return NONE
    unknown = reasons.unknown(reasons.UNSUPPORTED, "object.__setattr__() of this object", arguments.place)
    poison_arguments(run, arguments, unknown)
    return unknown


_REMAKING = frozenset({"__name__", "__qualname__", "__module__", "__annotations__", "__fields__"})
"""Attributes of a class that change its schema when they are set."""


@ATTRIBUTE_SETTING.of(UnknownValue, Choice)
def _set_on_one(run: Interpreter, target: UnknownValue | Choice, name: str, value: Value, place: Place) -> None:
    """Make the attribute unknown on every object that ``target`` may be or hold, classes apart."""
    if (unsettled := target.as_unknown) is not None:
        tamper(unsettled)
    for item in all_in(run, target):
        if isinstance(item, Namespace) and item.as_class is None:
            unknown = reasons.unknown(reasons.CONDITION, "set on one of several objects", place)
            set_in(run, item, name, leading_to(unknown, value, item.names.get(name, NONE)))


@ATTRIBUTE_SETTING.of(KnownObject)
def _set_on_known(run: Interpreter, target: KnownObject, name: str, _value: Value, place: Place) -> None:
    """Make the attribute of a library object unknown; a model that owns the object becomes opaque.

    Most of these objects refuse to be changed.
    """
    unknown = reasons.unknown(reasons.MUTATED, f"{name} of a {target.kind} is set by the program", place)
    target.set(name, unknown)
    run.risk(unknown, "soft")
