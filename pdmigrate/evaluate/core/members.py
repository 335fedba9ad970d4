"""Attributes that instances get from the classes of the program: look-up along the MRO, and binding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.aliasing import alternatives, unbound, where_bound
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import (
    NONE,
    BoundMethod,
    Choice,
    ClassValue,
    FunctionValue,
    Guard,
    Instance,
    Native,
    Place,
    UnknownValue,
    Value,
    is_property,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def class_lookup(cls: ClassValue, name: str) -> tuple[Value | None, Value | None]:
    """A pair: the attribute found along the MRO, or the first class from outside the tree that may have it.

    Both parts are ``None`` if no class has the attribute.
    """
    for index, base in enumerate(cls.mro):
        if isinstance(base, ClassValue):
            if (value := base.names.get(name)) is not None:
                return value if value.is_bound else _or_inherited(cls, index, value, name), None
            if base.rest is not None:
                return base.rest, None
        elif not is_inert_base(base, name):
            return None, base
    return None, None


def _or_inherited(cls: ClassValue, index: int, value: Value, name: str) -> Value:
    """An attribute that the class at ``index`` of the MRO has only under a condition: else that of the next classes."""
    inherited, _ = class_lookup(ClassValue(mro=cls.mro[index + 1 :]), name)
    return where_bound(value, inherited or unbound(value, name, None))


def function_in(cls: ClassValue, name: str) -> FunctionValue | None:
    """The function ``name`` that the program defines in ``cls`` or inherits from its classes."""
    found, _ = class_lookup(cls, name)
    return found.as_function if found is not None else None


def method_of(value: Value | None, name: str) -> FunctionValue | None:
    """The method ``name`` that the program defines for the class of ``value``."""
    instance = value.as_instance if value is not None else None
    return function_in(instance.cls, name) if instance is not None else None


def find_method(value: Value, name: str) -> Value | None:
    """The method ``name`` that the program defines for ``value``, bound; ``None`` if there is none."""
    instance = value.as_instance
    found = class_lookup(instance.cls, name)[0] if instance is not None else None
    if instance is None or found is None or not is_method(found):
        return None
    return bind_to(found, value, instance.cls)


def is_method(value: Value) -> bool:
    """Whether a class attribute of this value is a function of the program, if only under a condition."""
    return value.as_function is not None or any(side.as_function is not None for side in alternatives(value))


def call_own(run: Interpreter, value: Value, name: str, *arguments: Value, place: Place | None = None) -> Value | None:
    """Call the special method ``name`` of ``value``, as Python does; ``None`` if the program defines no such method."""
    method = find_method(value, name)
    return call(run, method, arguments, place=place) if method is not None else None


def bind_to(found: Value, receiver: Value, cls: ClassValue) -> Value:
    """A class attribute as read through an instance: a method is bound to ``receiver``, a class method to ``cls``."""
    if found.branches:
        (guard, first), (_, second) = found.branches
        return Choice(guard, _bound_side(guard, first, receiver, cls), _bound_side(guard, second, receiver, cls))
    function = found.as_function
    if function is not None and function.kind != "static":
        return BoundMethod(function, cls if function.kind == "class" else receiver)
    return BoundMethod(found, receiver) if found.outer_name.startswith("method ") else found


def _bound_side(guard: Guard, found: Value, receiver: Value, cls: ClassValue) -> Value:
    if is_property(found):
        return UnknownValue(f"{found.name} is a property {guard}", guard.unknown.code)
    return bind_to(found, receiver, cls)


def described(run: Interpreter, found: Value, owner: Instance | ClassValue, name: str) -> Value | None:
    """``owner.name`` as the descriptor ``found`` gives it; ``None`` if it has no ``__get__`` or ``owner`` hides it."""
    getter = method_of(found, "__get__")
    if getter is None:
        return None
    instance = owner.as_instance
    if instance is None:
        return call(run, getter, (found, NONE, owner))
    hidden = name in owner.names and method_of(found, "__set__") is None and method_of(found, "__delete__") is None
    return call(run, getter, (found, owner, instance.cls)) if not hidden else None


INERT_BASES = frozenset(
    {
        "builtins.object",
        "abc.ABC",
        "typing.Protocol",
        "typing.Generic",
        "typing_extensions.Protocol",
        "enum.Enum",
        "enum.StrEnum",
        "enum.IntEnum",
        "enum.Flag",
        "enum.IntFlag",
        "typing.NamedTuple",
        "typing.TypedDict",
        "typing_extensions.TypedDict",
        "pydantic.BaseModel",
        "pydantic.main.BaseModel",
        "pydantic.RootModel",
        "pydantic.root_model.RootModel",
        "pydantic.v1.BaseModel",
        "typing_extensions.Generic",
        "typing_extensions.NamedTuple",
        "builtins.Exception",
    }
)
"""Classes from outside the tree from which subclasses inherit no attribute of interest."""


def is_inert_base(base: Value, name: str = "") -> bool:
    if isinstance(base, Native):
        return base.name in ("object", "str", "int", "dict", "list") and not (name and _of_native_type(base.name, name))
    return base.library_name in INERT_BASES


def _of_native_type(kind: str, name: str) -> bool:
    return kind != "object" and hasattr({"str": str, "int": int, "dict": dict, "list": list}[kind], name)
