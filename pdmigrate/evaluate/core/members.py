"""What the classes of the program give their instances: the attributes of the MRO, bound."""

from __future__ import annotations

from pdmigrate.evaluate.core.values import BoundMethod, ClassValue, External, FunctionValue, Instance, Native, Value


def class_lookup(cls: ClassValue, name: str) -> tuple[Value | None, Value | None]:
    """The attribute that the classes of the MRO give, and the outside class that might have given another."""
    for base in cls.mro:
        if isinstance(base, ClassValue):
            if name in base.names:
                return base.names[name], None
            if base.rest is not None:
                return base.rest, None
        elif not is_inert_base(base, name):
            return None, base
    return None, None


def find_method(value: Value, name: str) -> Value | None:
    """A special method that the program defines for ``value``, bound."""
    if not isinstance(value, Instance):
        return None
    found, _ = class_lookup(value.cls, name)
    return bind_to(found, value, value.cls) if isinstance(found, FunctionValue) else None


def bind_to(found: Value, receiver: Value, cls: ClassValue) -> Value:
    """What a class attribute becomes when it is read through an instance (or, for ``classmethod``, a class)."""
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
"""Classes from outside that add no attributes of interest to those that derive from them."""


def is_inert_base(base: Value, name: str = "") -> bool:
    if isinstance(base, Native):
        return base.name in ("object", "str", "int", "dict", "list") and not (name and _of_native_type(base.name, name))
    return isinstance(base, External) and base.name in INERT_BASES


def _of_native_type(kind: str, name: str) -> bool:
    return kind != "object" and hasattr({"str": str, "int": int, "dict": dict, "list": list}[kind], name)
