"""The settings of classes (``model_config``, ``class Config``, keywords), and the effect of some on a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pdmigrate.sdk.schemas.spec_objects import IRRELEVANT, arguments, build_value
from pdmigrate.sdk.schemas.specs import Arguments, CallValue, MappingValue, UnknownSpec, ValueSpec
from pdmigrate.sdk.schemas.unsettled import DECIDED_BY_CODE, NOT_EVALUATED, UnsettledError, at, unsettled

if TYPE_CHECKING:
    from pdmigrate.sdk.schemas.builder import Builder


def check_encoded(builder: Builder, model: Any, *, encoded: bool) -> None:
    """Refuse a model with a default that functions of the program encode."""
    if not encoded and not any(ancestor in builder.encoded for ancestor in model.__mro__):
        return
    from pydantic_core import PydanticUndefined

    builder.encoded.add(model)
    for name, info in model.model_fields.items():
        if info.default is not None and info.default is not PydanticUndefined:
            with at("properties", name, "default"):
                raise UnsettledError("json_encoders of the model decide how this is written", DECIDED_BY_CODE)


def check_no_encoders(*settings: dict[str, Any]) -> None:
    if any("json_encoders" in setting for setting in settings):
        raise UnsettledError("json_encoders decide how this is written", DECIDED_BY_CODE)


def is_documented(builder: Builder, bases: list[Any], *settings: dict[str, Any]) -> bool:
    """Whether strings below fields are the fields' descriptions; removes the setting from ``settings``.

    pydantic would look for these strings in the source of the class, which does not exist.
    """
    found: Any = any(ancestor in builder.documented for base in bases for ancestor in getattr(base, "__mro__", ()))
    for setting in settings:
        found = setting.pop("use_attribute_docstrings", found)
    return bool(found)


def settings_of(builder: Builder, pairs: Arguments | UnknownSpec | None) -> dict[str, Any]:
    if isinstance(pairs, UnknownSpec):
        raise unsettled(pairs)
    if not pairs:
        return {}
    built: dict[str, Any] = {}
    for name, value in pairs:
        if name == "schema_generator" or (name == "json_encoders" and builder.mode == "serialization"):
            raise UnsettledError(f"the model has {name} of its own", DECIDED_BY_CODE)
        # ``defer_build`` changes only the moment at which building a model fails.
        if name == "defer_build":
            continue
        if name == "json_encoders":
            built[name] = True
            continue
        built.update(arguments(builder, ((name, value),), IRRELEVANT["ConfigDict"]))
    return built


def given_settings(builder: Builder, value: ValueSpec | None) -> dict[str, Any]:
    """The settings that ``config=`` of a decorator gives, as ``ConfigDict(...)`` or as a dict."""
    if value is None:
        return {}
    if isinstance(value, UnknownSpec):
        raise unsettled(value)
    if isinstance(value, CallValue) and not value.args:
        return settings_of(builder, value.kwargs)
    if isinstance(value, MappingValue):
        return settings_of(builder, tuple((build_value(builder, key), item) for key, item in value.items))
    raise UnsettledError("the configuration is not written as a dict", NOT_EVALUATED)


def takes_encoders(*settings: dict[str, Any]) -> bool:
    """Whether ``settings`` contain functions that encode values; removes them from ``settings``."""
    found = [setting.pop("json_encoders", False) for setting in settings]
    return any(found)
