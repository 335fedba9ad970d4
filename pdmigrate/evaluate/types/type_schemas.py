"""JSON Schemas from the program's own classes and annotations: ``Model.model_json_schema()``, ``TypeAdapter``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pdmigrate import schemas
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.python_values import NotPlain, from_python, to_python
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    Native,
    Origin,
    Place,
    Subscripted,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.types.type_specs import Specs
from pdmigrate.model import Known, Unknown

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.schemas import specs

_NAMES = ("model_json_schema", "schema", "json_schema")
_OPTIONS = frozenset({"by_alias", "mode", "ref_template"})


def schema_method(cls: ClassValue | Subscripted, name: str) -> Value:
    """``cls.model_json_schema`` and its older names; ``cls`` may be a generic model with its arguments."""

    def schema(run: Interpreter, arguments: Arguments) -> Value:
        return _schema(run, Specs(run).type(cls), _named(arguments, name), _model_origin(cls))

    return BoundMethod(Native(name, schema), cls)


def _model_origin(cls: ClassValue | Subscripted) -> Origin:
    """The model as the origin of its schema, placed at its class statement."""
    model = cls if isinstance(cls, ClassValue) else cls.base
    if not isinstance(model, ClassValue) or model.module is None or model.node is None:
        return Origin("model")
    return Origin(f"model {model.name}", Place(model.module, model.node))


_POSITIONAL = {
    "model_json_schema": ("by_alias", "ref_template", "schema_generator", "mode"),
    "schema": ("by_alias", "ref_template"),
}


def _named(arguments: Arguments, name: str) -> Arguments:
    """``arguments`` with positional ones turned into keywords; the first is the class and stays."""
    given = arguments.positional[1:]
    names = _POSITIONAL.get(name, ())[: len(given)]
    if len(names) < len(given):
        return arguments
    named = dict(zip(names, given, strict=True))
    return arguments._replace(positional=arguments.positional[:1], keywords={**named, **arguments.keywords})


def adapter_schema(run: Interpreter, made: Arguments, arguments: Arguments) -> Value:
    """``TypeAdapter(T).json_schema(...)``"""
    if not made.positional:
        return reasons.unknown(reasons.UNSUPPORTED, "TypeAdapter without a type", arguments.place)
    return _schema(run, Specs(run).type(made.positional[0]), arguments)


def _schema(run: Interpreter, spec: specs.TypeSpec, arguments: Arguments, model: Origin | None = None) -> Value:
    """The schema of ``spec``; ``model`` is the origin of the model, ``None`` for any other type."""
    options = _options(arguments)
    if isinstance(options, UnknownValue):
        return options
    agreed = schemas.agrees(run.versions.get("pydantic", ""), spec)
    if isinstance(agreed, Unknown):
        return _unknown(agreed, arguments)
    make = schemas.model_json_schema if model is not None else schemas.type_adapter_json_schema
    made = make(spec, **options)
    if isinstance(made, Known):
        return from_python(
            made.value, Origin("schema from a type", arguments.place, (model,) if model is not None else ())
        )
    return _unknown(made, arguments)


def _options(arguments: Arguments) -> dict[str, Any] | UnknownValue:
    receiver = [value for value in arguments.positional if not isinstance(value, (ClassValue, Subscripted))]
    if arguments.unknown is not None:
        return arguments.unknown
    if receiver or arguments.keywords.keys() - _OPTIONS:
        return reasons.unknown(reasons.UNSUPPORTED, "a schema with these arguments", arguments.place)
    try:
        return {name: to_python(value) for name, value in arguments.keywords.items()}
    except NotPlain as reason:
        return reason.unknown


def _unknown(unknown: Unknown, arguments: Arguments) -> UnknownValue:
    reason = f"{unknown.path}: {unknown.reason}" if unknown.path else unknown.reason
    return UnknownValue(reason, unknown.code, arguments.place)
