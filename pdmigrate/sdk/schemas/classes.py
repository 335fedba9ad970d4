"""Build the classes of the target from their specs, under their real names."""

from __future__ import annotations

import abc
import enum
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pdmigrate.sdk.schemas import catalogue
from pdmigrate.sdk.schemas.attribute_docstrings import with_description
from pdmigrate.sdk.schemas.members import check_class, decorate, placeholder
from pdmigrate.sdk.schemas.settings import (
    check_encoded,
    check_no_encoders,
    given_settings,
    is_documented,
    settings_of,
    takes_encoders,
)
from pdmigrate.sdk.schemas.spec_objects import arguments, build_value
from pdmigrate.sdk.schemas.specs import (
    AnnotatedSpec,
    CallValue,
    ClassSpec,
    DataclassSpec,
    EnumSpec,
    FieldSpec,
    ModelSpec,
    NamedTupleSpec,
    NameSpec,
    NewTypeSpec,
    PlainClassSpec,
    PlainValue,
    SubscriptSpec,
    TypeAliasSpec,
    TypedDictSpec,
    TypeSpec,
    UnknownSpec,
)
from pdmigrate.sdk.schemas.unsettled import NOT_EVALUATED, UnsettledError, at, refusing, unsettled

if TYPE_CHECKING:
    from pdmigrate.sdk.schemas.builder import Builder

CLASS_VARIABLES = frozenset({"typing.ClassVar", "typing_extensions.ClassVar"})


def build_class(builder: Builder, spec: ClassSpec) -> Any:
    """The class that a spec describes.

    Raises:
        UnsettledError: a part of the spec that the schema depends on is not known.
    """
    check_class(spec)
    if isinstance(spec, ModelSpec):
        built = _model(builder, spec)
    elif isinstance(spec, DataclassSpec):
        built = _dataclass(builder, spec)
    elif isinstance(spec, TypedDictSpec):
        built = _typed_dict(builder, spec)
    elif isinstance(spec, EnumSpec):
        built = _enum(builder, spec)
    elif isinstance(spec, NamedTupleSpec):
        bases = [typing.NamedTuple, *_bases(builder, spec.bases)]
        built = _new(spec, bases, {}, _fields(builder, spec, spec.fields, documented=False))
    elif isinstance(spec, NewTypeSpec):
        built = _new_type(builder, spec)
    elif isinstance(spec, TypeAliasSpec):
        built = _alias(builder, spec)
    else:
        built = _plain(builder, spec)
    return decorate(builder, spec, built)


def _new(spec: ClassSpec, bases: list[Any], keywords: Mapping[str, Any], body: Mapping[str, Any]) -> Any:
    """Create a class as the class statement does, but in the module that the spec names."""
    names: dict[str, Any] = {"__module__": spec.module, "__qualname__": spec.name}
    if spec.doc is not None:
        names["__doc__"] = spec.doc
    entries = {**names, **body}
    with refusing(f"{spec.name} is not a class"):
        return types.new_class(spec.name, tuple(bases), dict(keywords), _filler(entries))


def _filler(entries: Mapping[str, Any]) -> Callable[[dict[str, Any]], None]:
    def fill(namespace: dict[str, Any]) -> None:
        for name, value in entries.items():
            namespace[name] = value

    return fill


def _bases(builder: Builder, bases: tuple[TypeSpec, ...]) -> list[Any]:
    return [builder.type(base) for base in bases]


# --- models -----------------------------------------------------------------------------------------------------------


def _model(builder: Builder, spec: ModelSpec) -> Any:
    from pydantic import BaseModel

    bases = _bases(builder, spec.bases)
    config = {**settings_of(builder, spec.config_class), **settings_of(builder, spec.config)}
    keywords = settings_of(builder, spec.keywords)
    documented = is_documented(builder, bases, config, keywords)
    encoded = takes_encoders(config, keywords)
    body: dict[str, Any] = _fields(builder, spec, spec.fields, documented=documented)
    for method in spec.methods:
        if not method.name.startswith("__") and not hasattr(BaseModel, method.name):
            body[method.name] = placeholder(builder, method)
    if not builder.finishing:
        config["defer_build"] = True
    if config:
        body["model_config"] = config
    built = _new(spec, bases, keywords, body)
    check_encoded(builder, built, encoded=encoded)
    builder.pending.append(built)
    if documented:
        builder.documented.add(built)
    return built


def _fields(builder: Builder, spec: ClassSpec, fields: tuple[FieldSpec, ...], *, documented: bool) -> dict[str, Any]:
    """The namespace of a class body: its annotations, and the values of the fields that have one."""
    annotations: dict[str, Any] = {}
    body: dict[str, Any] = {"__annotations__": annotations}
    for written in fields:
        field = written
        if _is_irrelevant_to_schema(spec, field):
            continue
        with at(*_place(field), site=field.site):
            if documented and field.doc and not _is_class_variable(field.annotation):
                field = with_description(field, inspect.cleandoc(field.doc))
            if field.annotation is not None:
                annotations[field.name] = _annotation(builder, field)
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


def _annotation(builder: Builder, field: FieldSpec) -> Any:
    if field.annotation is None or _is_class_variable(field.annotation):
        return typing.ClassVar[typing.Any]
    return builder.type(field.annotation)


# --- other classes ----------------------------------------------------------------------------------------------------


def _dataclass(builder: Builder, spec: DataclassSpec) -> Any:
    maker = catalogue.resolve(spec.maker)
    options = {name: value for name, value in spec.options if name not in {"repr", "eq", "order", "unsafe_hash"}}
    given = given_settings(builder, options.pop("config", None))
    config = settings_of(builder, spec.config)
    check_no_encoders(given, config)
    bases = _bases(builder, spec.bases)
    documented = is_documented(builder, bases, config, given)
    body = _fields(builder, spec, spec.fields, documented=documented)
    if config:
        body["__pydantic_config__"] = config
    keywords = arguments(builder, tuple(options.items()))
    if given:
        keywords["config"] = given
    built = _new(spec, bases, {}, body)
    with refusing(f"{spec.name} is not a dataclass"):
        built = maker(**keywords)(built)
    builder.pending.append(built)
    if documented:
        builder.documented.add(built)
    return built


def _typed_dict(builder: Builder, spec: TypedDictSpec) -> Any:
    from typing_extensions import TypedDict, is_typeddict

    config = settings_of(builder, spec.config)
    check_no_encoders(config)
    bases = _bases(builder, spec.bases)
    documented = is_documented(builder, bases, config)
    body = _fields(builder, spec, spec.fields, documented=documented)
    if config:
        body["__pydantic_config__"] = config
    keywords = {**arguments(builder, spec.keywords), "total": spec.total}
    bases = [base for base in bases if base is not typing.TypedDict and base is not TypedDict]
    if not any(is_typeddict(base) for base in bases):
        # typing_extensions' TypedDict: pydantic requires it on older Pythons, and makes the same schema of both.
        bases = [TypedDict, *bases]
    built = _new(spec, bases, keywords, body)
    if documented:
        builder.documented.add(built)
    return built


def _enum(builder: Builder, spec: EnumSpec) -> Any:
    body: dict[str, Any] = {}
    for name, value in spec.members:
        with at("enum"):
            body[name] = enum.auto() if value == CallValue("enum.auto") else build_value(builder, value)
    return _new(spec, _bases(builder, spec.bases), {}, body)


def _alias(builder: Builder, spec: TypeAliasSpec) -> Any:
    from typing_extensions import TypeAliasType

    parameters = tuple(builder.type(parameter) for parameter in spec.parameters)
    value = builder.type(spec.value)
    # An alias takes its ``__module__`` from the code that creates it, and it cannot be set later.
    make = types.FunctionType(_make_alias.__code__, {"__name__": spec.module})
    with refusing(f"{spec.name} is not a type alias"):
        return make(TypeAliasType, spec.name, value, parameters)


def _make_alias(make: Any, name: str, value: Any, parameters: tuple[Any, ...]) -> Any:
    return make(name, value, type_params=parameters)


def _new_type(builder: Builder, spec: NewTypeSpec) -> Any:
    make: Any = typing.NewType
    built = make(spec.name, builder.type(spec.base))
    built.__module__ = spec.module
    return built


def _plain(builder: Builder, spec: PlainClassSpec) -> Any:
    built = _new(spec, _bases(builder, spec.bases), {}, _fields(builder, spec, spec.fields, documented=False))
    if type(built) is not type and type(built) is not abc.ABCMeta:
        raise UnsettledError(f"{spec.name} is more than a plain class", NOT_EVALUATED)
    return built
