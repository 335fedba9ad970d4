"""The methods that dataclasses, named tuples and pydantic models inherit from their library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to
from pdmigrate.evaluate.core.members import class_lookup
from pdmigrate.evaluate.core.operations import ATTRIBUTES, CALLS, call_with, get_attribute
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    ClassValue,
    FunctionValue,
    Instance,
    Native,
    Place,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.types.models import construct, field_values, fields_of, is_old
from pdmigrate.evaluate.types.type_schemas import schema_method

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def instance_method(run: Interpreter, value: Instance, name: str) -> Value | None:
    """A method of an instance that its library provides; ``None`` if the library has none of that name."""
    if value.cls.kind != "model":
        return None
    return class_method(run, value.cls, name) or (
        reasons.unknown(reasons.UNSUPPORTED, f"{name} of a pydantic model")
        if name.startswith(("model_", "__"))
        else None
    )


_OLD_NAMES = frozenset(
    {"construct", "copy", "dict", "from_orm", "json", "parse_file", "parse_raw", "schema_json", "validate"}
)
"""A model's methods that do not start with ``model_``; their results are not followed."""


def class_method(run: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """A class method or attribute that a model, dataclass or named tuple has from its library; or ``None``."""
    if cls.kind == "model":
        if is_old(cls) and name.startswith("model_"):
            raise run.failure("AttributeError", f"class {cls.name} has no attribute {name}")
        if name in SCHEMAS:
            return schema_method(cls, name)
        if name in ("model_validate", "parse_obj"):
            return BoundMethod(Native(name, _validate), cls)
        if name in _OLD_NAMES:
            return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a pydantic model")
        if name in ("model_rebuild", "update_forward_refs"):
            return BoundMethod(Native(name, _rebuild), cls)
        if name in ("__fields__", "__pydantic_fields__") or name.startswith("model_"):
            owner = cls if name not in ("model_construct", "model_validate_json") else None
            return UnknownValue(f"{name} of a pydantic model", reasons.UNSUPPORTED, owner=owner)
    if cls.kind == "namedtuple" and name == "_fields":
        return TupleValue(tuple(const(field) for field in fields_of(cls)))
    if cls.kind in ("dataclass", "namedtuple") and name in ("__dataclass_fields__", "_make"):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {cls.name}")
    return None


@ATTRIBUTES.of(Subscripted)
def _parametrised_attribute(run: Interpreter, value: Subscripted, name: str, place: Place | None) -> Value:
    """``Page[Item].name``, which may differ from ``Page.name``."""
    if not isinstance(value.base, ClassValue) or value.base.kind not in ("model", "settings"):
        return get_attribute(run, value.base, name, place)
    found, _ = class_lookup(value.base, name)
    if isinstance(found, FunctionValue) and found.kind == "class":
        return BoundMethod(found, value)
    if found is not None and not name.startswith("__"):
        return get_attribute(run, value.base, name, place)
    if found is None and value.base.opaque is None and name in SCHEMAS:
        return schema_method(value, name)
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {value.base.name}[...]", place)


@CALLS.of(Subscripted)
def _parametrised_instance(run: Interpreter, function: Subscripted, arguments: Arguments) -> Value:
    """``Page[Item](...)``: the type arguments decide how its fields convert their values."""
    if isinstance(function.base, ClassValue) and function.base.kind in ("model", "settings"):
        reason = f"an instance of {function.base.name}[...]"
        unknown = reasons.unknown(reasons.UNSUPPORTED, reason, arguments.place)
        return leading_to(unknown, *arguments.values)
    return call_with(run, function.base, arguments)


def _rebuild(_run: Interpreter, arguments: Arguments) -> Value:
    """``model_rebuild()`` reads forward references again; with arguments, it may resolve them in any way."""
    cls = arguments.positional[0]
    unknown = reasons.unknown(reasons.UNSUPPORTED, "model_rebuild with arguments", arguments.place)
    if isinstance(cls, ClassValue) and (len(arguments.positional) > 1 or arguments.keywords.keys() - {"raise_errors"}):
        cls.opaque = cls.opaque or unknown
    return reasons.unknown(reasons.UNSUPPORTED, "what model_rebuild gives", arguments.place)


def _validate(run: Interpreter, arguments: Arguments) -> Value:
    cls, data = arguments.positional[0], arguments.positional[1] if len(arguments.positional) > 1 else NONE
    assert isinstance(cls, ClassValue)
    unknown = first_unknown(data)
    if unknown is not None:
        return unknown
    if (keywords := data.by_key) is None:
        return reasons.unknown(
            reasons.UNSUPPORTED, "model_validate of something that is no known dict", arguments.place
        )
    return construct(run, cls, Arguments((), keywords, None, arguments.place))


def base_initialiser(cls: ClassValue, receiver: Value, name: str) -> Value:
    """The method that ``super().__init__`` reaches when no class of the program is left in the MRO."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        if name == "__init__" and cls.kind in ("model", "dataclass") and isinstance(receiver, Instance):
            run.trail.touch(receiver)
            receiver.names.update(field_values(run, cls, arguments))
        return NONE

    return Native(f"super().{name}", call)


SCHEMAS = frozenset({"model_json_schema", "schema"})
"""The class methods of a model that return its schema."""
