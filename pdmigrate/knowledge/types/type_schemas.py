"""JSON Schemas from the program's own classes and annotations: ``Model.model_json_schema()``, ``TypeAdapter``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pdmigrate import schemas
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.python_values import from_python, to_python
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
from pdmigrate.evaluate.language.attributes import OF_RESULTS
from pdmigrate.knowledge.types.type_specs import Specs
from pdmigrate.model import Known

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.schemas import specs

_OPTIONS = frozenset({"by_alias", "mode", "ref_template"})
_POSITIONAL = {
    "model_json_schema": ("by_alias", "ref_template", "schema_generator", "mode"),
    "schema": ("by_alias", "ref_template"),
}


def schema_method(cls: ClassValue | Subscripted, name: str) -> Value:
    """``cls.model_json_schema`` and its older names; ``cls`` may be a generic model with its arguments."""

    def schema(run: Interpreter, arguments: Arguments) -> Value:
        spec, names = Specs(run).type(cls), _POSITIONAL[name]
        given, extra = arguments.by_name(names, skip=1), arguments.positional[1 + len(names) :]
        return _schema(run, spec, arguments._replace(positional=extra, keywords=given), _model_origin(cls))

    return BoundMethod(Native(name, schema), cls)


def _model_origin(cls: ClassValue | Subscripted) -> Origin:
    """The model as the origin of its schema, placed at its class statement."""
    model = cls.as_class or next(iter(cls.types_inside)).as_class
    if model is None or model.module is None or model.node is None:
        return Origin("model")
    return Origin(f"model {model.name}", Place(model.module, model.node))


def _adapter_schema(run: Interpreter, made: Arguments, arguments: Arguments) -> Value:
    """``TypeAdapter(T).json_schema(...)``"""
    if not made.positional:
        return reasons.unknown(reasons.UNSUPPORTED, "TypeAdapter without a type", arguments.place)
    return _schema(run, Specs(run).type(made.positional[0]), arguments)


def _schema(run: Interpreter, spec: specs.TypeSpec, arguments: Arguments, model: Origin | None = None) -> Value:
    """The schema of ``spec``; ``model`` is the origin of the model, ``None`` for any other type."""
    if arguments.positional or arguments.keywords.keys() - _OPTIONS:
        return reasons.unknown(reasons.UNSUPPORTED, "a schema with these arguments", arguments.place)
    options: dict[str, Any] = {name: to_python(value) for name, value in arguments.keywords.items()}
    agreed = schemas.agrees(run.versions.get("pydantic", ""), spec)
    make = schemas.model_json_schema if model is not None else schemas.type_adapter_json_schema
    made = make(spec, **options) if agreed is True else agreed
    if isinstance(made, Known):
        return from_python(made.value, Origin("schema from a type", arguments.place, (model,) if model else ()))
    reason = f"{made.path}: {made.reason}" if made.path else made.reason
    return UnknownValue(reason, made.code, arguments.place)


OF_RESULTS["pydantic.TypeAdapter().json_schema"] = _adapter_schema
