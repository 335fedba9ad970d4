"""How classes control attributes: descriptors, ``__setattr__``, ``__slots__``, frozen classes, abstract methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.members import class_lookup, method_of
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ClassValue,
    Const,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Place,
    TupleValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def described(run: Interpreter, found: Value | None, owner: Instance | ClassValue, name: str) -> Value | None:
    """``owner.name`` by the descriptor ``found``; ``None`` if it has no ``__get__``, or an own attribute hides it."""
    getter = method_of(found, "__get__")
    if getter is None or found is None:
        return None
    hidden = isinstance(owner, Instance) and name in owner.names
    if hidden and method_of(found, "__set__") is None and method_of(found, "__delete__") is None:
        return None
    receiver: tuple[Value, Value] = (owner, owner.cls) if isinstance(owner, Instance) else (NONE, owner)
    return call(run, getter, (found, *receiver))


def name_descriptors(run: Interpreter, cls: ClassValue) -> None:
    """Call ``__set_name__`` of the objects that are bound in a class body."""
    for name, value in list(cls.names.items()):
        method = method_of(value, "__set_name__")
        if method is not None:
            call(run, method, (value, cls, const(name)))


def own_setting(run: Interpreter, target: Instance, name: str, value: Value, place: Place) -> bool:
    """Set an attribute by ``__setattr__`` or a descriptor of the class; ``False`` if the class has neither.

    Raises:
        AbstractRaise: the class is frozen, or its ``__slots__`` lack the attribute.
    """
    method = method_of(target, "__setattr__")
    if method is not None:
        call(run, method, (target, const(name), value), place=place)
        return True
    found, _ = class_lookup(target.cls, name)
    setter = method_of(found, "__set__")
    if setter is not None and found is not None:
        call(run, setter, (found, target, value), place=place)
        return True
    _refuse(run, target, name)
    return False


def _refuse(run: Interpreter, target: Instance, name: str) -> None:
    cls = target.cls
    if cls.kind == "dataclass" and cls.options.get("frozen", NONE).is_just(True):
        raise run.failure("FrozenInstanceError", f"cannot assign to field {name}")
    slots = _slots(cls)
    if slots is not None and name not in slots:
        raise run.failure("AttributeError", f"{cls.name} object has no attribute {name}")


def _slots(cls: ClassValue) -> set[str] | None:
    """The attributes that instances may have by ``__slots__``; ``None`` if they may have any."""
    slots: set[str] = set()
    for base in cls.mro:
        if isinstance(base, ClassValue):
            given = base.names.get("__slots__")
            if not isinstance(given, (TupleValue, ListValue, Const)):
                return None
            items = [given] if isinstance(given, Const) else given.items
            slots |= {str(item.value) for item in items if isinstance(item, Const)}
        elif base.outer_name not in ("object", "builtins.object", "abc.ABC", "typing.Generic"):
            return None
    return None if "__dict__" in slots else slots


def set_plainly(run: Interpreter, arguments: Arguments) -> Value:
    """``object.__setattr__(target, name, value)``"""
    if len(arguments.positional) != 3:
        raise run.failure("TypeError", "__setattr__() takes three arguments")
    target, name, value = arguments.positional
    if isinstance(target, Instance) and isinstance(name, Const):
        run.trail.touch(target)
        target.names[str(name.value)] = value
        return NONE

    unknown = reasons.unknown(reasons.UNSUPPORTED, "object.__setattr__() of this object", arguments.place)
    poison_arguments(run, arguments, unknown)
    return unknown


def super_setting(receiver: Value) -> Native:
    """``super().__setattr__``"""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        return set_plainly(run, arguments._replace(positional=(receiver, *arguments.positional)))

    return Native("super().__setattr__", call)


ABSTRACT = "<abstract>"
"""The key in ``FunctionValue.names`` that marks an abstract method."""


def abstract_methods(cls: ClassValue) -> list[str]:
    """The abstract methods that keep ``cls`` from being instantiated."""
    metaclasses = {getattr(base.options.get("metaclass"), "name", "") for base in cls.lineage}
    if "abc.ABC" not in cls.outside and "abc.ABCMeta" not in metaclasses:
        return []
    first: dict[str, Value] = {}
    for base in cls.lineage:
        for name, value in base.names.items():
            first.setdefault(name, value)
    return [name for name, value in first.items() if isinstance(value, FunctionValue) and ABSTRACT in value.names]
