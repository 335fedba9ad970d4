"""Build the classes of the target from their specs, under their real names."""

from __future__ import annotations

import abc
import enum
import types
import typing
from collections.abc import Mapping
from typing import Any

from pdmigrate.sdk.schemas import catalogue
from pdmigrate.sdk.schemas.members import check_class, check_method
from pdmigrate.sdk.schemas.spec_objects import Builder, arguments, bare, build_value, never, settings_of
from pdmigrate.sdk.schemas.specs import (
    AnnotatedSpec,
    CallValue,
    ClassSpec,
    DataclassSpec,
    EnumSpec,
    FieldSpec,
    ModelSpec,
    NameSpec,
    PlainClassSpec,
    PlainValue,
    SubscriptSpec,
    TypedDictSpec,
    TypeSpec,
    UnknownSpec,
)
from pdmigrate.sdk.schemas.unsettled import DECIDED_BY_CODE, NOT_EVALUATED, UnsettledError, at, refusing, unsettled

CLASS_VARIABLES = frozenset({"typing.ClassVar", "typing_extensions.ClassVar"})


def build_class(builder: Builder, spec: ClassSpec) -> Any:
    """The class that a spec describes.

    Raises:
        UnsettledError: a part of the spec that the schema depends on is not known.
    """
    check_class(spec)
    if isinstance(spec, ModelSpec):
        return _model(builder, spec)
    if isinstance(spec, DataclassSpec):
        return _dataclass(builder, spec)
    if isinstance(spec, TypedDictSpec):
        return _typed_dict(builder, spec)
    if isinstance(spec, EnumSpec):
        return _enum(builder, spec)
    return _plain(builder, spec)


def _new(spec: ClassSpec, bases: list[Any], keywords: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
    """Create a class as the class statement does, but in the module that the spec names."""
    names: dict[str, Any] = {"__module__": spec.module, "__qualname__": spec.name}
    if spec.doc is not None:
        names["__doc__"] = spec.doc
    with refusing(f"{spec.name} is not a class"):
        return types.new_class(
            spec.name, tuple(bases), dict(keywords), lambda namespace: namespace.update(names, **body)
        )


def _bases(builder: Builder, bases: tuple[TypeSpec, ...]) -> list[Any]:
    return [builder.type(base) for base in bases]


# --- models -----------------------------------------------------------------------------------------------------------


def _model(builder: Builder, spec: ModelSpec) -> Any:
    from pydantic import BaseModel

    bases = _bases(builder, spec.bases)
    config = {**settings_of(builder, spec.config_class), **settings_of(builder, spec.config)}
    keywords = settings_of(builder, spec.keywords)
    body = _fields(builder, spec, spec.fields)
    for method in spec.methods:
        if not method.name.startswith("__") and not hasattr(BaseModel, method.name):
            check_method(method, builder.mode)
            body[method.name] = bare(never)
    if not builder.finishing:
        config["defer_build"] = True
    if config:
        body["model_config"] = config
    built = _new(spec, bases, keywords, body)
    builder.pending.append(built)
    return built


def _fields(builder: Builder, spec: ClassSpec, fields: tuple[FieldSpec, ...]) -> dict[str, Any]:
    """The namespace of a class body: its annotations, and the values of the fields that have one."""
    annotations: dict[str, Any] = {}
    body: dict[str, Any] = {"__annotations__": annotations}
    for field in fields:
        if _is_irrelevant_to_schema(spec, field):
            continue
        with at(*_place(field), site=field.site):
            if field.annotation is not None:
                hidden = _is_class_variable(field.annotation)
                annotations[field.name] = typing.ClassVar[typing.Any] if hidden else builder.type(field.annotation)
            if field.default is not None and not _is_class_variable(field.annotation):
                with at(*(() if isinstance(field.default, CallValue) else ("default",))):
                    body[field.name] = build_value(builder, field.default)
    return body


def _place(field: FieldSpec) -> tuple[str, str]:
    """The path of a field in the schema of its class: under its alias, if that is a plain string."""
    if isinstance(field.default, CallValue):
        named = dict(field.default.kwargs)
        alias = named.get("validation_alias", named.get("alias"))
        if isinstance(alias, PlainValue) and isinstance(alias.value, str):
            return "properties", alias.value
    return "properties", field.name


def _is_irrelevant_to_schema(spec: ClassSpec, field: FieldSpec) -> bool:
    """Whether a name in a class body does not affect the schema.

    Raises:
        UnsettledError: the name has no annotation, and its value may be a validator.
    """
    if not isinstance(spec, (ModelSpec, PlainClassSpec)):
        return False
    if field.annotation is None and isinstance(field.default, UnknownSpec):
        raise unsettled(field.default)
    if field.annotation is None and isinstance(field.default, CallValue) and "valid" in field.default.callee:
        raise UnsettledError(f"{spec.name}.{field.name} may be a validator", NOT_EVALUATED, field.site)
    if field.name.startswith("_"):
        return field.name != "__pydantic_extra__"
    return field.annotation is None and isinstance(spec, PlainClassSpec)


def _is_class_variable(annotation: TypeSpec | None) -> bool:
    base = annotation.base if isinstance(annotation, (SubscriptSpec, AnnotatedSpec)) else annotation
    return isinstance(base, NameSpec) and base.name in CLASS_VARIABLES


# --- other classes ----------------------------------------------------------------------------------------------------


def _dataclass(builder: Builder, spec: DataclassSpec) -> Any:
    maker = catalogue.resolve(spec.maker)
    options = {name: value for name, value in spec.options if name not in {"repr", "eq", "order", "unsafe_hash"}}
    if "config" in options:
        raise UnsettledError("the settings of a dataclass are not followed", DECIDED_BY_CODE)
    keywords = arguments(builder, tuple(options.items()))
    built = _new(spec, _bases(builder, spec.bases), {}, _fields(builder, spec, spec.fields))
    with refusing(f"{spec.name} is not a dataclass"):
        built = maker(**keywords)(built)
    builder.pending.append(built)
    return built


def _typed_dict(builder: Builder, spec: TypedDictSpec) -> Any:
    from typing_extensions import TypedDict, is_typeddict

    bases = _bases(builder, spec.bases)
    body = _fields(builder, spec, spec.fields)
    keywords = {**arguments(builder, spec.keywords), "total": spec.total}
    bases = [base for base in bases if base is not typing.TypedDict and base is not TypedDict]
    if not any(is_typeddict(base) for base in bases):
        # typing_extensions' TypedDict: pydantic requires it on older Pythons, and makes the same schema of both.
        bases = [TypedDict, *bases]
    return _new(spec, bases, keywords, body)


def _enum(builder: Builder, spec: EnumSpec) -> Any:
    body: dict[str, Any] = {}
    for name, value in spec.members:
        with at("enum"):
            body[name] = enum.auto() if value == CallValue("enum.auto") else build_value(builder, value)
    return _new(spec, _bases(builder, spec.bases), {}, body)


def _plain(builder: Builder, spec: PlainClassSpec) -> Any:
    built = _new(spec, _bases(builder, spec.bases), {}, _fields(builder, spec, spec.fields))
    if type(built) is not type and type(built) is not abc.ABCMeta:
        raise UnsettledError(f"{spec.name} is more than a plain class", NOT_EVALUATED)
    return built
