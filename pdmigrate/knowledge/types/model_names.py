"""The settings of pydantic's models, and the names by which the models accept their fields as keywords."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.deriving import ASSIGNED
from pdmigrate.evaluate.core.natives import unfit
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import ClassValue, FieldDefault, Place, Subscripted, Value


def setting(cls: ClassValue, name: str) -> Value | None:
    """The value of a model's setting; ``None`` if the model and its ancestors do not set it."""
    for base in cls.lineage:
        if (found := base.options.get(name)) is not None:
            return found
        for holder in (base.names.get("model_config"), base.options.get("config"), base.names.get("Config")):
            if holder is not None and (found := _in(holder, name)) is not None:
                return found
    return None


def _in(holder: Value, name: str) -> Value | None:
    if (given := holder.made_with) is not None:
        return given.unknown or given.keywords.get(name)
    if (mapping := holder.mapping) is not None:
        entry = mapping.entries.get(name)
        return mapping.rest or (entry.value if entry is not None else None)
    if (cls := holder.as_class) is not None:
        return cls.rest or cls.opaque or cls.names.get(name)
    return first_unknown(holder) or reasons.unknown(reasons.UNSUPPORTED, "the settings of a model")


def _is_set(cls: ClassValue, *names: str) -> bool:
    for name in names:
        value = setting(cls, name)
        if value is not None and value.scalar is None:
            raise unfit(value, f"the setting {name}")
        if value is not None and value.scalar is not None and value.scalar.value:
            return True
    return False


def _calls(owner: ClassValue, name: str) -> Iterator[Value]:
    """The values that may be calls of ``Field`` for a field of ``owner``, in order of precedence."""
    if name in owner.names:
        yield owner.names[name]
    record = next((item for item in reversed(owner.records) if item.name == name), None)
    annotation = record.annotation if record is not None else None
    if isinstance(annotation, Subscripted) and annotation.generic.endswith(".Annotated"):
        yield from reversed(annotation.args[1:])


def _option(owner: ClassValue, name: str, *words: str) -> Value | None:
    """The value of the first of ``words`` that is an argument of ``Field`` for the field; ``None`` if none is."""
    for word in words:
        for call in _calls(owner, name):
            found = call.given.keywords.get(word) if isinstance(call, FieldDefault) else None
            if found is not None and not found.is_just(None):
                return found
    return None


def accepted(cls: ClassValue, owner: ClassValue, name: str) -> tuple[str, ...]:
    """The keywords by which a model accepts a field; the first keyword that is given wins.

    Raises:
        NotPlain: the keywords are not known.
    """
    alias = _option(owner, name, "validation_alias", "alias")
    if alias is None:
        generator = setting(cls, "alias_generator")
        if generator is None or generator.is_just(None):
            return (name,)
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"the alias of {cls.name}.{name}"))
    if (text := alias.text) is None:
        raise unfit(alias, f"the alias of {cls.name}.{name}")
    named = _is_set(cls, "populate_by_name", "validate_by_name")
    if setting(cls, "validate_by_alias") is not None:
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"by which name {cls.name} takes {name}"))
    return (text, name) if named else (text,)


def _assigned(cls: ClassValue, name: str, place: Place) -> Value | None:
    """Why the value of a model's attribute is unknown after an assignment; ``None`` if it is the assigned value."""
    if cls.kind != "model":
        return None
    odd = next((key for key in ("frozen", "validate_assignment", "extra") if setting(cls, key) is not None), None)
    if odd is None:
        return None
    return reasons.unknown(reasons.UNSUPPORTED, f"setting {name} where {cls.name} has the setting {odd}", place)


ASSIGNED.append(_assigned)
