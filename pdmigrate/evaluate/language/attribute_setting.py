"""Setting attributes: ``target.name = value``, also through properties, descriptors and ``__setattr__``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import all_in, alternatives, first_unknown, forget_names, with_aliases
from pdmigrate.evaluate.core.deriving import ASSIGNED, derived
from pdmigrate.evaluate.core.disturbing import disturb, poison, poison_arguments, tamper
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import call_own, class_lookup, function_in
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
    Guard,
    Instance,
    ListValue,
    ModuleValue,
    Namespace,
    Place,
    SetValue,
    TupleValue,
    Unbound,
    UnknownValue,
    Value,
    const,
    is_property,
)
from pdmigrate.evaluate.language.calls import is_small_choice
from pdmigrate.evaluate.language.operator_methods import maybe_by_class
from pdmigrate.evaluate.language.properties import through_property
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


def _is_frozen(cls: ClassValue, name: str) -> bool:
    """Whether ``@dataclass(frozen=True)`` gives the class a ``__setattr__`` that refuses ``name``."""
    for base in cls.lineage:
        if "__setattr__" in base.names:
            return False
        if base.maker and base.options.get("frozen", NONE).is_just(True) and (base is cls or name in base.annotations):
            return True
    return False


@ATTRIBUTE_SETTING.of(Instance)
def _set_on_instance(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> None:
    if _is_frozen(target.cls, name):
        raise run.failure("FrozenInstanceError", f"cannot assign to field {name}")
    by_method = call_own(run, target, "__setattr__", const(name), value, place=place)
    if by_method is not None and (unknown := first_unknown(by_method)) is not None:
        guard = Guard(f"its class sets {name}", unknown, otherwise=f"its class does not set {name}")
        perhaps = with_aliases(unknown, value)
        set_in(run, target, name, Choice(guard, perhaps, target.names.get(name, Unbound())))
    elif by_method is None:
        _set_plainly(run, target, name, derived(ASSIGNED, target.cls, name, place) or value, place)


@ATTRIBUTE_SETTING.of(ClassValue)
def _set_on_class(run: Interpreter, target: ClassValue, name: str, value: Value, place: Place) -> None:
    setter = function_in(target.metaclass, "__setattr__") if target.metaclass is not None else None
    if setter is None:
        _set_in_class(run, target, name, value, place)
    else:
        call(run, setter, (target, const(name), value), place=place)


def _set_in_class(run: Interpreter, target: ClassValue, name: str, value: Value, place: Place) -> None:
    if target.name == "Config" or name.startswith("model_") or name in _REMAKING:
        target.opaque = target.opaque or reasons.unknown(reasons.MUTATED, f"{target.name}.{name} is set later", place)
    if name.startswith("__"):
        run.defined.special.add(name)
    set_in(run, target, name, value)


def _set_plainly(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> None:
    """Set an attribute as ``object.__setattr__`` does: by a property or descriptor of the class, or else in ``target``.

    Raises:
        AbstractRaise: the property has no setter, or the ``__slots__`` of the class lack the attribute.
    """
    _set_by(run, class_lookup(target.cls, name)[0], target, name, value, place)


def _set_by(run: Interpreter, found: Value | None, target: Instance, name: str, value: Value, place: Place) -> None:
    """Set an attribute for which the class has ``found``."""
    if isinstance(found, Choice) and is_small_choice(found) and not all(map(_is_plain, alternatives(found))):
        run.on_each(found, lambda side: _set_by(run, side if side.is_bound else None, target, name, value, place))
        return
    if is_property(found) and "cached" not in found.names:
        through_property(run, found, target, "fset", place, value)
        return
    if found is not None and call_own(run, found, "__set__", target, value, place=place) is not None:
        return
    if found is not None and found.as_unknown is not None:
        disturb(run, found.as_unknown)  # it may be a property
    slots = _slots(target.cls)
    if slots is not None and name not in slots:
        raise run.failure("AttributeError", f"{target.cls.name} object has no attribute {name}")
    set_in(run, target, name, value)


def _is_plain(value: Value) -> bool:
    """Whether a class attribute of this value has no say in the attributes of instances."""
    return not is_property(value) and value.as_instance is None


def _slots(cls: ClassValue) -> set[str] | None:
    """The attributes that ``__slots__`` allows for instances; ``None`` if they may have any."""
    slots: set[str] = set()
    for base in cls.mro:
        own = base.as_class
        if own is not None:
            given = own.names.get("__slots__", NONE)
            if own.maker and own.options.get("slots", NONE).is_just(True):
                given = TupleValue(tuple(map(const, own.annotations)))
            if given.sequence is None and given.text is None:
                return None
            slots |= {item.text for item in given.sequence or (given,) if item.text is not None}
        elif base.outer_name not in ("object", "builtins.object", "abc.ABC", "typing.Generic"):
            return None
    return None if "__dict__" in slots else slots


@native("object.__setattr__")
def _object_setattr(run: Interpreter, arguments: Arguments) -> Value:
    """``object.__setattr__(target, name, value)``"""
    if len(arguments.positional) != 3:
        raise run.failure("TypeError", "__setattr__() takes three arguments")
    target, name, value = arguments.positional
    if (instance := target.as_instance) is not None and name.text is not None and arguments.place is not None:
        _set_plainly(run, instance, name.text, value, arguments.place)
        return NONE
    if target.as_class is not None and name.text is not None and arguments.place is not None:
        _set_in_class(run, target.as_class, name.text, value, arguments.place)
        return NONE
    unknown = reasons.unknown(reasons.UNSUPPORTED, "object.__setattr__() of this object", arguments.place)
    poison_arguments(run, arguments, unknown)
    if instance is not None:
        forget_names(run, instance, unknown)
    return unknown


_REMAKING = frozenset({"__name__", "__qualname__", "__module__", "__annotations__", "__fields__"})
"""Attributes of a class that change its schema when they are set."""


@ATTRIBUTE_SETTING.of(Choice)
def _set_on_either(run: Interpreter, target: Choice, name: str, value: Value, place: Place) -> None:
    if not is_small_choice(target):
        _set_on_one(run, target, name, value, place)
        return
    run.on_each(target, lambda side: set_attribute(run, side, name, value, place))


@ATTRIBUTE_SETTING.of(UnknownValue)
def _set_on_one(run: Interpreter, target: UnknownValue | Choice, name: str, value: Value, place: Place) -> None:
    """Make the attribute unknown on every object that ``target`` may be or hold, classes apart."""
    _by_methods_of_one(run, target, name, "__setattr__", place)
    if (unsettled := target.as_unknown) is not None:
        tamper(unsettled)
    for item in all_in(run, target):
        if isinstance(item, Namespace) and item.as_class is None:
            unknown = reasons.unknown(reasons.CONDITION, "set on one of several objects", place)
            set_in(run, item, name, with_aliases(unknown, value, item.names.get(name, NONE)))


@ATTRIBUTE_SETTING.of(KnownObject)
def _set_on_known(run: Interpreter, target: KnownObject, name: str, _value: Value, place: Place) -> None:
    """Make the attribute of a library object unknown; a model that owns the object becomes opaque.

    Most of these objects refuse to be changed.
    """
    unknown = reasons.unknown(reasons.MUTATED, f"{name} of a {target.kind} is set by the program", place)
    target.set(name, unknown)
    run.risk(unknown, "soft")


# --- deleting ---------------------------------------------------------------------------------------------------------

ATTRIBUTE_DELETING: Kinds[Callable[[Interpreter, Any, str, Place], None]] = Kinds()


def delete_attribute(run: Interpreter, target: Value, name: str, place: Place) -> None:
    """``del target.name``"""
    ATTRIBUTE_DELETING[type(target)](run, target, name, place)


@ATTRIBUTE_DELETING.of(Value)
def _delete_from_any(run: Interpreter, target: Value, name: str, place: Place) -> None:
    poison(run, target, reasons.unknown(reasons.UNSUPPORTED, f"{name} of {describe(target)} is deleted", place))


@ATTRIBUTE_DELETING.of(Namespace)
def _delete_from_namespace(run: Interpreter, target: Namespace, name: str, _place: Place) -> None:
    run.trail.touch(target)
    target.names.pop(name, None)


@ATTRIBUTE_DELETING.of(Choice)
def _delete_from_either(run: Interpreter, target: Choice, name: str, place: Place) -> None:
    if not is_small_choice(target):
        _delete_from_one(run, target, name, place)
        return
    run.on_each(target, lambda side: delete_attribute(run, side, name, place))


@ATTRIBUTE_DELETING.of(UnknownValue)
def _delete_from_one(run: Interpreter, target: UnknownValue | Choice, name: str, place: Place) -> None:
    """Let every object that ``target`` may be or hold, classes apart, have the attribute only under a condition."""
    _by_methods_of_one(run, target, name, "__delattr__", place)
    if (unsettled := target.as_unknown) is not None:
        tamper(unsettled)
    unknown = reasons.unknown(reasons.CONDITION, "deleted from one of several objects", place)
    guard = Guard(f"{name} is still there", unknown, otherwise=f"{name} is deleted")
    for item in all_in(run, target):
        if isinstance(item, Namespace) and item.as_class is None and (found := item.names.get(name)) is not None:
            set_in(run, item, name, Choice(guard, found, Unbound()))


def _by_methods_of_one(run: Interpreter, target: Value, name: str, method: str, place: Place) -> None:
    """Forget what a property or method may change that sets or deletes the attribute of one of several objects."""
    unknown = reasons.unknown(reasons.CONDITION, f"{name} of one of several objects changes", place)
    maybe_by_class(run, (method,), unknown, target)
    found = (item.as_instance for item in all_in(run, target))
    if any(instance is not None and is_property(class_lookup(instance.cls, name)[0]) for instance in found):
        disturb(run, with_aliases(unknown, target))


@ATTRIBUTE_DELETING.of(External, KnownObject)
def _set_unknown(run: Interpreter, target: Value, name: str, place: Place) -> None:
    unknown = reasons.unknown(reasons.MUTATED, f"{name} is deleted, or was another", place)
    set_attribute(run, target, name, unknown, place)


@ATTRIBUTE_DELETING.of(ModuleValue)
def _delete_from_module(run: Interpreter, target: ModuleValue, name: str, _place: Place) -> None:
    _remove(run, run.run_module(target.module.path).scope, name, f"module {target.module.name}")


@ATTRIBUTE_DELETING.of(ClassValue)
def _delete_from_class(run: Interpreter, target: ClassValue, name: str, place: Place) -> None:
    if target.kind != "plain" or name.startswith("__"):
        reason = f"{target.name}.{name} is deleted"
        target.opaque = target.opaque or reasons.unknown(reasons.MUTATED, reason, place)
    _remove(run, target, name, f"class {target.name}", target.opaque)


@ATTRIBUTE_DELETING.of(Instance)
def _delete_from_instance(run: Interpreter, target: Instance, name: str, place: Place) -> None:
    if call_own(run, target, "__delattr__", const(name), place=place) is not None:
        return
    _delete_by(run, *class_lookup(target.cls, name), target, name, place)


def _delete_by(
    run: Interpreter, found: Value | None, outside: Value | None, target: Instance, name: str, place: Place
) -> None:
    """Delete an attribute for which the class has ``found``, and may have more in ``outside``."""
    if isinstance(found, Choice) and is_small_choice(found) and not all(map(_is_plain, alternatives(found))):
        run.on_each(found, lambda side: _delete_by(run, side if side.is_bound else None, outside, target, name, place))
    elif is_property(found) and "cached" not in found.names:
        through_property(run, found, target, "fdel", place)
    elif found is None or call_own(run, found, "__delete__", target, place=place) is None:
        inner = target.names.get("<server>") or target.cls.opaque or outside
        _remove(run, target, name, f"{target.cls.name} object", inner)


def _remove(run: Interpreter, target: Namespace, name: str, owner: str, doubt: Value | None = None) -> None:
    """Remove a name.

    Raises:
        AbstractRaise: there certainly is no such name; ``doubt`` says why nobody knows.
    """
    found = target.names.get(name)
    if found is None and target.rest is None and doubt is None:
        raise run.failure("AttributeError", f"{owner} has no attribute {name}")
    if found is None or not found.is_bound:
        run.risk(reasons.unknown(reasons.CONDITION, f"whether {owner} has the attribute {name}"))
    run.trail.touch(target)
    target.names.pop(name, None)
