"""The methods that dataclasses, named tuples and pydantic models inherit from their library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.deriving import CLASS_ATTRIBUTES, INITIALISERS, INSTANCE_ATTRIBUTES
from pdmigrate.evaluate.core.members import class_lookup
from pdmigrate.evaluate.core.natives import unfit
from pdmigrate.evaluate.core.operations import ATTRIBUTES, CALLS, call_with, get_attribute
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    ClassValue,
    Instance,
    Native,
    Place,
    Subscripted,
    UnknownValue,
    Value,
)
from pdmigrate.knowledge.types.models import construct, field_values, is_old
from pdmigrate.knowledge.types.type_schemas import schema_method

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


SCHEMAS = frozenset({"model_json_schema", "schema"})
"""The class methods of a model that return its schema."""
_OLD_NAMES = frozenset(
    {"construct", "copy", "dict", "from_orm", "json", "parse_file", "parse_raw", "schema_json", "validate"}
)
"""A model's methods that do not start with ``model_``; their results are not followed."""
_OF_LIBRARY = {
    "dataclass": frozenset({"__dataclass_fields__"}),
    "namedtuple": frozenset({"_fields", "_make"}),
}
"""By kind of class: other attributes that classes have from their library; they are not followed."""


def _instance_method(run: Interpreter, value: Instance, name: str) -> Value | None:
    """A method of an instance that its library provides; ``None`` if the library has none of that name."""
    if value.cls.kind != "model":
        return None
    own = _class_method(run, value.cls, name)
    if own is None and name.startswith("__"):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a pydantic model")
    return own


def _class_method(run: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """A class method or attribute that a model, dataclass or named tuple has from its library; else ``None``."""
    if name in _OF_LIBRARY.get(cls.kind, ()):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {cls.name}")
    if cls.kind != "model":
        return None
    if is_old(cls) and name.startswith("model_"):
        raise run.failure("AttributeError", f"class {cls.name} has no attribute {name}")
    if name in SCHEMAS:
        return schema_method(cls, name)
    if name in _METHODS:
        return BoundMethod(Native(name, _METHODS[name]), cls)
    if name in _OLD_NAMES:
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of a pydantic model")
    if name in ("__fields__", "__pydantic_fields__") or name.startswith("model_"):
        owner = cls if name not in ("model_construct", "model_validate_json") else None
        return UnknownValue(f"{name} of a pydantic model", reasons.UNSUPPORTED, owner=owner)
    return None


def _model(value: Subscripted) -> ClassValue | None:
    """The model to which ``value`` adds type arguments; ``None`` if its base is not a model."""
    cls = value.base.as_class
    return cls if cls is not None and cls.kind in ("model", "settings") else None


@ATTRIBUTES.of(Subscripted)
def _parametrised_attribute(run: Interpreter, value: Subscripted, name: str, place: Place | None) -> Value:
    """``Page[Item].name``, which may differ from ``Page.name``."""
    if (model := _model(value)) is None:
        return get_attribute(run, value.base, name, place)
    found, _ = class_lookup(model, name)
    if found is None:
        if model.opaque is None and name in SCHEMAS:
            return schema_method(value, name)
    elif (function := found.as_function) is not None and function.kind == "class":
        return BoundMethod(found, value)
    elif not name.startswith("__"):
        return get_attribute(run, model, name, place)
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {model.name}[...]", place)


@CALLS.of(Subscripted)
def _parametrised_instance(run: Interpreter, function: Subscripted, arguments: Arguments) -> Value:
    """``Page[Item](...)``: unknown, since the type arguments decide how the fields convert their values."""
    if (model := _model(function)) is None:
        return call_with(run, function.base, arguments)
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"an instance of {model.name}[...]", arguments.place)
    return with_aliases(unknown, *arguments.values)


def _rebuild(_run: Interpreter, arguments: Arguments) -> Value:
    """``model_rebuild()`` reads forward references again; with arguments, it may resolve them in any way."""
    cls = arguments.first.as_class
    unknown = reasons.unknown(reasons.UNSUPPORTED, "model_rebuild with arguments", arguments.place)
    if cls is not None and (len(arguments.positional) > 1 or arguments.keywords.keys() - {"raise_errors"}):
        cls.opaque = cls.opaque or unknown
    return reasons.unknown(reasons.UNSUPPORTED, "what model_rebuild gives", arguments.place)


def _validate(run: Interpreter, arguments: Arguments) -> Value:
    cls, data = arguments.first.as_class, arguments.given(1, "obj") or NONE
    if cls is None or (keywords := data.by_key) is None:
        raise unfit(data, "model_validate of something that is no known dict", arguments.place)
    return construct(run, cls, Arguments((), keywords, None, arguments.place))


_METHODS = {
    **dict.fromkeys(("model_validate", "parse_obj"), _validate),
    **dict.fromkeys(("model_rebuild", "update_forward_refs"), _rebuild),
}


def _initialiser(cls: ClassValue, receiver: Value, name: str) -> Value | None:
    """The method that ``super().__init__`` reaches when no class of the program is left in the MRO."""
    instance = receiver.as_instance
    if name != "__init__" or cls.kind not in ("model", "dataclass") or instance is None:
        return None

    def call(run: Interpreter, arguments: Arguments) -> Value:
        run.trail.touch(instance)
        instance.names.update(field_values(run, cls, arguments))
        return NONE

    return Native(f"super().{name}", call)


INSTANCE_ATTRIBUTES.append(_instance_method)
CLASS_ATTRIBUTES.append(_class_method)
INITIALISERS.append(_initialiser)
