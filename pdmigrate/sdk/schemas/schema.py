"""JSON Schemas of specs, made by pydantic from the real types."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any, Literal

from pdmigrate.model import JsonValue, Known, Unknown
from pdmigrate.sdk.schemas.builder import Builder
from pdmigrate.sdk.schemas.members import OVERRIDES, check_methods
from pdmigrate.sdk.schemas.specs import ModelSpec, SubscriptSpec, TypeSpec
from pdmigrate.sdk.schemas.unsettled import UnsettledError, at, refusing

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

Mode = Literal["validation", "serialization"]
_SCALARS = (bool, int, float, str, type(None))


def model_fields(spec: TypeSpec) -> dict[str, FieldInfo] | Unknown:
    """``Model.model_fields`` of the model that ``spec`` describes; ``Unknown`` if it is not known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return dict(Builder((spec,)).type(spec).model_fields)
        except UnsettledError as error:
            return error.unknown()


def json_schema(
    spec: TypeSpec,
    *,
    adapted: bool = False,
    by_alias: bool | None = None,
    mode: Mode = "validation",
    ref_template: str | None = None,
) -> Known | Unknown:
    """The result of ``Model.model_json_schema(...)`` or, if ``adapted``, of ``TypeAdapter(T).json_schema(...)``.

    Pass ``by_alias`` and ``ref_template`` only if the call does: pydantic's defaults depend on its version.
    ``Unknown`` says which part of the schema the source does not settle, and why.
    """
    from pydantic import TypeAdapter

    given = {"by_alias": by_alias, "ref_template": ref_template}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if not adapted:
                _check_asked(spec)
            builder = Builder((spec,), mode)
            built = builder.type(spec)
            with refusing("pydantic makes no schema of this"):
                ask = TypeAdapter(built).json_schema if adapted else built.model_json_schema
                made = ask(**options, mode=mode)
            return Known(as_json(made))
        except UnsettledError as error:
            return error.unknown()


def _check_asked(spec: TypeSpec) -> None:
    """Refuse a model that overrides its schema methods, or whose base does."""
    if isinstance(spec, SubscriptSpec):
        _check_asked(spec.base)
    elif isinstance(spec, ModelSpec):
        check_methods(spec, OVERRIDES)
        for base in spec.bases:
            _check_asked(base)


def as_json(value: Any, *path: str) -> JsonValue:
    """``value``, which stands at ``path``, as JSON; only ``json_schema_extra`` puts into a schema what is not JSON.

    Raises UnsettledError if a part of ``value`` has no single form in JSON.
    """
    if type(value) in _SCALARS and (type(value) is not float or math.isfinite(value)):
        scalar: JsonValue = value
        return scalar
    if isinstance(value, dict) and all(type(key) is str for key in value):
        return {key: as_json(item, *path, key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item, *path) for item in value]
    with at(*path):
        raise UnsettledError(f"a value of type {type(value).__name__} in the schema has no single form in JSON")
