"""Attributes that instances get from the classes of the program: look-up along the MRO, and binding."""

from __future__ import annotations

from pdmigrate.evaluate.core.values import BoundMethod, ClassValue, FunctionValue, Instance, Native, Value


def class_lookup(cls: ClassValue, name: str) -> tuple[Value | None, Value | None]:
    """The attribute found along the MRO; else the first class from outside the tree that may have it.

    Both parts are ``None`` if no class has the attribute.
    """
    for base in cls.mro:
        if isinstance(base, ClassValue):
            if name in base.names:
                return base.names[name], None
            if base.rest is not None:
                return base.rest, None
        elif not is_inert_base(base, name):
            return None, base
    return None, None


def function_in(cls: ClassValue, name: str) -> FunctionValue | None:
    """The function ``name`` that the program defines in ``cls`` or inherits from its classes."""
    found, _ = class_lookup(cls, name)
    return found if isinstance(found, FunctionValue) else None


def method_of(value: Value | None, name: str) -> FunctionValue | None:
    """The method ``name`` that the program defines for the class of ``value``."""
    return function_in(value.cls, name) if isinstance(value, Instance) else None


def find_method(value: Value, name: str) -> Value | None:
    """The method ``name`` that the program defines for ``value``, bound; ``None`` if there is none."""
    found = method_of(value, name)
    return bind_to(found, value, value.cls) if found is not None and isinstance(value, Instance) else None


def bind_to(found: Value, receiver: Value, cls: ClassValue) -> Value:
    """A class attribute as read through an instance: a method is bound to ``receiver``, a class method to ``cls``."""
    if isinstance(found, FunctionValue):
        if found.kind == "static":
            return found
        return BoundMethod(found, cls if found.kind == "class" else receiver)
    if isinstance(found, Native) and found.name.startswith("method "):
        return BoundMethod(found, receiver)
    return found


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
