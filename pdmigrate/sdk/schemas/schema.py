"""JSON Schemas of specs, made by pydantic from the real types."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from pdmigrate.model import JsonValue, Known, Unknown
from pdmigrate.sdk.schemas.builder import Builder
from pdmigrate.sdk.schemas.members import check_overrides
from pdmigrate.sdk.schemas.specs import ClassSpec, ModelSpec, RefSpec, SubscriptSpec, TypeSpec, ValueSpec
from pdmigrate.sdk.schemas.unsettled import NOT_EVALUATED, REFUSED, UnsettledError, at, refusing

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

Mode = Literal["validation", "serialization"]
_SCALARS = (bool, int, float, str, type(None))


def model_fields(spec: TypeSpec) -> dict[str, FieldInfo] | Unknown:
    """``Model.model_fields`` of the model that ``spec`` describes; ``Unknown`` if it is not known.

    The model is left unfinished: making its schema, which checks its types, would take most of the time.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            builder = Builder((spec,), finishing=False)
            return dict(builder.type(spec).model_fields)
        except UnsettledError as error:
            return error.unknown()


def model_json_schema(
    spec: TypeSpec,
    *,
    by_alias: bool | None = None,
    mode: Mode = "validation",
    ref_template: str | None = None,
    definitions: Iterable[ClassSpec] = (),
) -> Known | Unknown:
    """The result of ``Model.model_json_schema(...)`` for the model that ``spec`` describes.

    Pass ``by_alias`` only if the call does.
    ``Unknown`` says which part of the schema the source does not settle, and why.
    """

    def make() -> Any:
        _check_asked(spec)
        model = _build(spec, definitions, mode)
        with refusing("pydantic makes no schema of this"):
            return model.model_json_schema(**_options(by_alias, ref_template), mode=mode)

    return _schema(make)


def type_adapter_json_schema(
    spec: TypeSpec,
    *,
    by_alias: bool | None = None,
    mode: Mode = "validation",
    ref_template: str | None = None,
    definitions: Iterable[ClassSpec] = (),
) -> Known | Unknown:
    """The result of ``TypeAdapter(T).json_schema(...)`` for the type that ``spec`` describes."""

    def make() -> Any:
        from pydantic import TypeAdapter

        built = _build(spec, definitions, mode)
        with refusing("pydantic makes no schema of this"):
            return TypeAdapter(built).json_schema(**_options(by_alias, ref_template), mode=mode)

    return _schema(make)


def _options(by_alias: bool | None, ref_template: str | None) -> dict[str, Any]:
    """The options that are given: pydantic's defaults depend on its version, in newer ones on the model's settings."""
    given = {"by_alias": by_alias, "ref_template": ref_template}
    return {name: value for name, value in given.items() if value is not None}


def _schema(make: Callable[[], Any]) -> Known | Unknown:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Known(as_json(make()))
        except UnsettledError as error:
            return error.unknown()


def _build(spec: ValueSpec, definitions: Iterable[ClassSpec], mode: Mode) -> Any:
    builder = Builder((spec, *definitions), mode)
    built = builder.type(spec)
    builder.complete()
    return built


def _check_asked(spec: TypeSpec) -> None:
    """Refuse a model that overrides its schema methods, or whose base does."""
    if isinstance(spec, SubscriptSpec):
        _check_asked(spec.base)
    elif isinstance(spec, ModelSpec):
        check_overrides(spec)
        for base in spec.bases:
            _check_asked(base)
    elif isinstance(spec, RefSpec):
        raise UnsettledError("a reference has no schema of its own", REFUSED)


def as_json(value: Any) -> JsonValue:
    """``value`` as JSON; only ``json_schema_extra`` can put values into a schema that are not JSON.

    Raises:
        UnsettledError: a part of ``value`` has no single form in JSON.
    """
    if (
        isinstance(value, _SCALARS)
        and type(value) in _SCALARS
        and not (isinstance(value, float) and not math.isfinite(value))
    ):
        return value
    if isinstance(value, dict) and all(type(key) is str for key in value):
        built: dict[str, JsonValue] = {}
        for key, item in value.items():
            if type(item) is str or type(item) is bool:
                # Most values of a schema are of these types, and they cannot raise an error that needs a path.
                built[key] = item
                continue
            with at(key):
                built[key] = as_json(item)
        return built
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    raise UnsettledError(
        f"a value of type {type(value).__name__} in the schema has no single form in JSON", NOT_EVALUATED
    )
