"""Attributes of the program's classes, and what their instances have from classes of the standard library."""

from __future__ import annotations

import abc
import collections
import enum
import re
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives
from pdmigrate.evaluate.core.deriving import CLASS_ATTRIBUTES, CLASS_PARTS, derived
from pdmigrate.evaluate.core.members import INERT_BASES, class_lookup, described, is_inert_base
from pdmigrate.evaluate.core.operations import ATTRIBUTES
from pdmigrate.evaluate.core.python_values import describe, mixes_in
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    DictValue,
    Entry,
    Native,
    Origin,
    Place,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.metaclasses import from_metaclass

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


class _Plain:
    pass


class _Abstract(abc.ABC):  # noqa: B024 - only the attributes matter that it has from ``ABC``
    pass


_Members = enum.IntFlag("_Members", "A")
NAMED_TUPLE = collections.namedtuple("NAMED_TUPLE", ())
_PLAIN = _Plain()
_INERT: dict[str, object] = {
    "abc.ABC": _Abstract(),
    **dict.fromkeys(("enum.Enum", "enum.StrEnum", "enum.IntEnum", "enum.Flag", "enum.IntFlag"), _Members.A),
    **dict.fromkeys(("typing.NamedTuple", "typing_extensions.NamedTuple"), NAMED_TUPLE()),
    "typing.TypedDict": {},
    "typing_extensions.TypedDict": {},
    "builtins.Exception": Exception(),
}
"""Objects that have what instances get from those classes in ``INERT_BASES`` that give them anything."""


def inherits(cls: ClassValue, name: str) -> bool:
    """Whether instances have an attribute from ``object``, or from a class of ``INERT_BASES``."""
    given = [base.library_name for base in cls.mro]
    if name == "add_note" and "builtins.Exception" in given:
        return True  # since Python 3.11
    return hasattr(_PLAIN, name) or any(hasattr(_INERT[base], name) for base in given if base in _INERT)


@ATTRIBUTES.of(ClassValue)
def _of_class(run: Interpreter, value: ClassValue, name: str, place: Place | None) -> Value:
    if name in ("__name__", "__qualname__"):
        where = Place(value.module, value.node) if value.module is not None and value.node is not None else None
        return const(value.name, Origin("the name of the class", where))
    if name == "__members__" and value.kind == "enum":
        return DictValue({key: Entry(const(key), member) for key, member in value.members.items()}, value.opaque)
    if name in value.members:
        return value.members[name]
    if (known := derived(CLASS_PARTS, run, value, name, place)) is not None:
        return known
    found, outside = class_lookup(value, name)
    if found is not None:
        return _from_body(run, value, found, name)
    if value.opaque is not None:
        return value.opaque
    given = from_metaclass(run, value, name) or derived(CLASS_ATTRIBUTES, run, value, name)
    if given is not None:
        return given
    if outside is not None or mixes_in(value) is not None:
        return reasons.unknown(reasons.OUTSIDE, f"{value.name}.{name} comes from outside the package", place)
    if name == "register" and _registers(value):
        return Native(f"{value.name}.register", lambda _run, arguments: _register(value, arguments))
    if name.startswith("__") or hasattr(type, name) or inherits(value, name):
        return UnknownValue(f"{name} of the class {value.name}", reasons.UNSUPPORTED, place, owner=value)
    raise run.failure("AttributeError", f"class {value.name} has no attribute {name}")


def _from_body(run: Interpreter, cls: ClassValue, found: Value, name: str) -> Value:
    """An attribute that the body of a class, or of an ancestor, binds, as read through the class."""
    if found.sides and any(_is_class_method(side) for side in alternatives(found)):
        return _of_sides_of_class(cls, found)
    if _is_class_method(found):
        return BoundMethod(found, cls)
    return _remade(cls, found, name) or described(run, found, cls, name) or found


def _remade(cls: ClassValue, found: Value, name: str) -> UnknownValue | None:
    """Why what the body of a class binds may not be its attribute: something that is not followed made the class."""
    if found.as_function is not None or found.as_class is not None:
        return None
    metaclass = any("metaclass" in base.options and base.options["metaclass"].as_class is None for base in cls.lineage)
    if cls.opaque is not None and (metaclass or any(base.as_unknown or base.sides for base in cls.mro)):
        return cls.opaque
    if name == "__doc__" and cls.maker and cls.names["__doc__"].is_just(None):
        return reasons.unknown(reasons.UNSUPPORTED, f"the docstring that {cls.maker} makes for {cls.name}")
    enums = (base for base in cls.mro if _LIKE_ENUM.search(base.library_name) and not is_inert_base(base))
    if (enum_base := next(enums, None)) is None or name.startswith("_"):
        return None
    return reasons.unknown(reasons.OUTSIDE, f"what {describe(enum_base)} makes of {cls.name}.{name}")


_LIKE_ENUM = re.compile(r"(?:Enum|Flag|Choices)\Z")
"""The names of classes that turn the values in the bodies of their subclasses into members."""


def _registers(cls: ClassValue) -> bool:
    """Whether the metaclass of a class is ``abc.ABCMeta``, or derives from it."""
    given = {base.options["metaclass"].library_name for base in cls.lineage if "metaclass" in base.options}
    return "abc.ABCMeta" in given or not cls.outside.isdisjoint(_ABSTRACT)


_ABSTRACT = INERT_BASES - {base for base in INERT_BASES if base.startswith(("enum.", "builtins."))}


def _register(cls: ClassValue, arguments: Arguments) -> Value:
    """``cls.register(other)`` of ``abc.ABCMeta``: from then on other classes count as subclasses, too."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"which classes {cls.name}.register() adds", arguments.place)
    cls.opaque = cls.opaque or unknown
    return arguments.at(0, unknown)


def _is_class_method(value: Value) -> bool:
    return (function := value.as_function) is not None and function.kind == "class"


def _of_sides_of_class(cls: ClassValue, found: Value) -> Value:
    """A class attribute, bound on those sides where it is a class method."""
    if isinstance(found, Choice):
        return Choice(found.guard, _of_sides_of_class(cls, found.first), _of_sides_of_class(cls, found.second))
    return BoundMethod(found, cls) if _is_class_method(found) else found
