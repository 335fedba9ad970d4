"""Instances of classes that derive from ``dict``: dicts with attributes of their own.

Only classes that leave the behaviour of a dict as it is are followed, not those that define ``__getitem__`` or
``keys``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.deriving import INSTANCES as MADE
from pdmigrate.evaluate.core.deriving import SUPER_OF_INSTANCES
from pdmigrate.evaluate.core.members import bind_to, class_lookup, function_in
from pdmigrate.evaluate.core.natives import BUILTINS
from pdmigrate.evaluate.core.operations import ATTRIBUTES, INSTANCES, TYPES, call_with
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    ClassValue,
    DictValue,
    Namespace,
    Native,
    Origin,
    Place,
    Value,
    is_property,
)
from pdmigrate.evaluate.language.attribute_setting import ATTRIBUTE_SETTING
from pdmigrate.evaluate.language.copying import COPIES
from pdmigrate.evaluate.language.functions import call_function
from pdmigrate.evaluate.language.literals import update
from pdmigrate.knowledge.builtin.dict_methods import DICT_METHODS

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@dataclass(slots=True, eq=False)
class DictObject(DictValue):
    """An instance of a subclass of ``dict`` that the program defines."""

    cls: ClassValue = field(default_factory=ClassValue)
    attributes: Namespace = field(default_factory=Namespace)

    @property
    def program_class(self) -> ClassValue:
        return self.cls


TYPES.of(DictObject)(lambda value: value.cls)
INSTANCES.of(DictObject)(lambda value, kind, name: kind in value.cls.mro or INSTANCES[DictValue](value, kind, name))


@COPIES.of(DictObject)
def _copied(value: DictObject) -> Value:
    attributes = replace(value.attributes, names=dict(value.attributes.names))
    return replace(value, entries=dict(value.entries), attributes=attributes)


_DICTS = frozenset({"dict", "builtins.dict", "typing.Dict"})
_LEAVES = frozenset({"typing.Generic", "object", "builtins.object"})
_OWN = frozenset({"__init__", "__doc__", "__module__", "__qualname__", "__slots__", "__annotations__"})


def _make(run: Interpreter, cls: ClassValue, arguments: Arguments) -> DictObject | None:
    """``cls(...)``; ``None`` if ``cls`` does not derive from ``dict``, or changes the behaviour of a dict."""
    if not _is_plain_dict(cls):
        return None
    made = DictObject(cls=cls, origin=Origin(f"instance of {cls.name}", arguments.place))
    if (found := function_in(cls, "__init__")) is not None:
        call_function(run, found, arguments._replace(positional=(made, *arguments.positional)))
    else:
        _fill(run, made, arguments)
    return made


def _is_plain_dict(cls: ClassValue) -> bool:
    names = {base.outer_name for base in cls.mro} - {""}
    classes = cls.lineage
    if not names & _DICTS or names - _DICTS - _LEAVES or len(names) + len(classes) != len(cls.mro):
        return False
    if any(base.kind != "plain" or base.opaque is not None or base.rest is not None for base in classes):
        return False
    defined = {name for base in classes for name in base.names}
    return not any(name not in _OWN and (name.startswith("__") or hasattr(dict, name)) for name in defined)


def _fill(run: Interpreter, made: DictObject, arguments: Arguments) -> None:
    """``dict.__init__(made, ...)``"""
    given = call_with(run, BUILTINS["dict"], arguments)
    update(run, made, given)


@ATTRIBUTES.of(DictObject)
def dict_attribute(run: Interpreter, value: DictObject, name: str, place: Place | None) -> Value:
    """``value.name``"""
    found, _ = class_lookup(value.cls, name)
    if is_property(found):
        return call_function(run, found, Arguments((value,), {}, None, place))
    if name in value.attributes.names:
        return value.attributes.names[name]
    if name == "__class__":
        return value.cls
    if found is not None:
        return bind_to(found, value, value.cls)
    if name in DICT_METHODS:
        return BoundMethod(Native(name, DICT_METHODS[name]), value)
    if value.attributes.rest is not None:
        return value.attributes.rest
    if hasattr(dict, name) or name.startswith("__"):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of an instance of {value.cls.name}", place)
    raise run.failure("AttributeError", f"{value.cls.name} object has no attribute {name}")


@ATTRIBUTE_SETTING.of(DictObject)
def _set_attribute(run: Interpreter, value: DictObject, name: str, given: Value, place: Place) -> None:
    """``value.name = given``"""
    found, _ = class_lookup(value.cls, name)
    run.trail.touch(value.attributes)
    if is_property(found):
        reason = f"the property {name} of {value.cls.name} is set"
        value.attributes.rest = reasons.unknown(reasons.UNSUPPORTED, reason, place)
    else:
        value.attributes.names[name] = given


def _super(receiver: Value, cls: ClassValue, name: str) -> Value | None:
    """``super().name`` in a method of ``cls``; ``None`` if another class of the program defines it."""
    if not isinstance(receiver, DictObject):
        return None
    after = receiver.cls.mro[receiver.cls.mro.index(cls) + 1 :] if cls in receiver.cls.mro else ()
    if any(isinstance(base, ClassValue) and name in base.names for base in after):
        return None
    if name == "__init__":

        def initialise(run: Interpreter, arguments: Arguments) -> Value:
            _fill(run, receiver, arguments)
            return NONE

        return Native("dict.__init__", initialise)
    if name in DICT_METHODS:
        return BoundMethod(Native(name, DICT_METHODS[name]), receiver)
    return reasons.unknown(reasons.UNSUPPORTED, f"super().{name} of a dict")


MADE.append(_make)
SUPER_OF_INSTANCES.append(_super)
