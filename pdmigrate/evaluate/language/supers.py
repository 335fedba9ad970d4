"""``super()``: attributes of the next class in the MRO."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.deriving import INITIALISERS, SUPER_ATTRIBUTES, SUPER_OF_INSTANCES, derived
from pdmigrate.evaluate.core.members import bind_to, is_inert_base
from pdmigrate.evaluate.core.operations import ATTRIBUTES
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ClassValue,
    Instance,
    Namespace,
    Native,
    Place,
    Super,
    Value,
    is_property,
)
from pdmigrate.evaluate.language.attributes import read_property
from pdmigrate.evaluate.language.classes import type_call
from pdmigrate.evaluate.language.descriptors import described, super_setting
from pdmigrate.evaluate.language.metaclasses import plain_new, type_new

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@ATTRIBUTES.of(Super)
def of_super(run: Interpreter, value: Super, name: str, place: Place | None) -> Value:
    """``super().name``"""
    receiver = value.receiver
    known = derived(SUPER_OF_INSTANCES, receiver, value.cls, name)
    if known is not None:
        return known
    cls = receiver if isinstance(receiver, ClassValue) and value.cls in receiver.mro else value.cls
    cls = receiver.program_class or cls
    after = False
    for base in cls.mro:
        of_type = _of_type(base, receiver, name) if after else None
        if of_type is not None:
            return of_type
        if after and isinstance(base, ClassValue) and name in base.names:
            found = base.names[name]
            if is_property(found) and isinstance(receiver, Instance):
                return read_property(run, found, receiver, name, place)
            given = described(run, found, receiver, name) if isinstance(receiver, (Instance, ClassValue)) else None
            return given or bind_to(found, receiver, cls)
        if after and not isinstance(base, ClassValue) and not is_inert_base(base):
            return _outside_super(run, base, receiver, name, place)
        after = after or base is value.cls
    if name == "__new__":
        return Native("object.__new__", plain_new)
    if name == "__setattr__":
        return super_setting(receiver)
    if name in ("__init__", "__init_subclass__", "__post_init__"):
        return derived(INITIALISERS, cls, receiver, name) or Native(f"super().{name}", lambda _run, _arguments: NONE)
    return reasons.unknown(reasons.OUTSIDE, f"super().{name} comes from outside the package", place)


def _of_type(base: Value, receiver: Value, name: str) -> Value | None:
    """An attribute that a metaclass of the program has from ``type``; ``None`` for other bases and names."""
    if base.outer_name not in ("type", "abc.ABCMeta"):
        return None
    if name == "__call__" and isinstance(receiver, ClassValue):
        return type_call(receiver)
    if name == "__init__":
        return Native("type.__init__", lambda _run, _arguments: NONE)
    return Native("type.__new__", type_new) if name == "__new__" else None


def _outside_super(run: Interpreter, base: Value, receiver: Value, name: str, place: Place | None) -> Value:
    known = derived(SUPER_ATTRIBUTES, run, base, receiver, name)
    if known is not None:
        return known
    unknown = reasons.unknown(
        reasons.OUTSIDE, f"super().{name} comes from {describe(base)}, outside the package", place
    )

    def call(run: Interpreter, _arguments: Arguments) -> Value:
        if isinstance(receiver, Namespace):
            run.trail.touch(receiver)
            receiver.rest = receiver.rest or unknown
        return unknown

    return Native(f"super().{name}", call)
