"""The names by which pydantic accepts a model's fields as keywords."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.values import (
    ClassValue,
    Const,
    DictValue,
    External,
    Origin,
    Subscripted,
    UnknownValue,
    Value,
)


class FieldDefault(Value):
    """``dataclasses.field(...)`` or ``pydantic.Field(...)`` as it stands in a class body."""

    __slots__ = ("keywords", "positional", "which")

    def __init__(self, which: str, positional: tuple[Value, ...], keywords: dict[str, Value], origin: Origin) -> None:
        super().__init__(origin=origin)
        self.which = which
        self.positional = positional
        self.keywords = keywords


def setting(cls: ClassValue, name: str) -> Value | None:
    """The value of a model's setting; ``None`` if the model and its ancestors do not set it."""
    for base in cls.lineage:
        found = base.options.get(name)
        for holder in (base.names.get("model_config"), base.options.get("config")):
            found = found if found is not None or holder is None else _in(holder, name)
        inner = base.names.get("Config")
        if found is None and inner is not None:
            found = _in(inner, name)
        if found is not None:
            return found
    return None


def _in(holder: Value, name: str) -> Value | None:
    if isinstance(holder, External) and holder.arguments is not None:
        return holder.arguments.unknown or holder.arguments.keywords.get(name)
    if isinstance(holder, DictValue):
        entry = holder.entries.get(name)
        return holder.rest or (entry.value if entry is not None else None)
    if isinstance(holder, ClassValue):
        return holder.rest or holder.opaque or holder.names.get(name)
    return first_unknown(holder) or reasons.unknown(reasons.UNSUPPORTED, "the settings of a model")


def is_set(cls: ClassValue, *names: str) -> bool | UnknownValue:
    """Whether one of the settings is true; unknown if its value is."""
    for name in names:
        value = setting(cls, name)
        if value is not None and not isinstance(value, Const):
            return first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, f"the setting {name}")
        if value is not None and value.value:
            return True
    return False


def field_options(owner: ClassValue, name: str) -> Iterator[FieldDefault]:
    """The calls of ``Field`` for a field of ``owner``, in order of precedence."""
    record = next((item for item in reversed(owner.records) if item.name == name), None)
    default = owner.names.get(name)
    if isinstance(default, FieldDefault):
        yield default
    annotation = record.annotation if record is not None else None
    if isinstance(annotation, Subscripted) and annotation.generic.endswith(".Annotated"):
        yield from (item for item in reversed(annotation.args[1:]) if isinstance(item, FieldDefault))


def option(owner: ClassValue, name: str, *words: str) -> Value | None:
    """The value of the first of ``words`` that a field gets as an argument of ``Field``; ``None`` if it gets none."""
    for word in words:
        for call in field_options(owner, name):
            found = call.keywords.get(word)
            if found is not None and not found.is_just(None):
                return found
    return None


def accepted(cls: ClassValue, owner: ClassValue, name: str) -> tuple[str, ...] | UnknownValue:
    """The keywords by which a model accepts a field; the first keyword that is given wins."""
    alias = option(owner, name, "validation_alias", "alias")
    if alias is None:
        generator = setting(cls, "alias_generator")
        if generator is None or generator.is_just(None):
            return (name,)
        return reasons.unknown(reasons.UNSUPPORTED, f"the alias of {cls.name}.{name}")
    if (text := alias.text) is None:
        return first_unknown(alias) or reasons.unknown(reasons.UNSUPPORTED, f"the alias of {cls.name}.{name}")
    named = is_set(cls, "populate_by_name", "validate_by_name")
    if isinstance(named, UnknownValue):
        return named
    if setting(cls, "validate_by_alias") is not None:
        return reasons.unknown(reasons.UNSUPPORTED, f"by which name {cls.name} takes {name}")
    return (text, name) if named else (text,)
