"""``Model.model_fields``: the fields of a program's model, as pydantic reports them for the rebuilt model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pdmigrate import schemas
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.deriving import CLASS_PARTS
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.python_values import from_python
from pdmigrate.evaluate.core.values import (
    FALSE,
    NONE,
    TRUE,
    ClassValue,
    DictValue,
    Entry,
    External,
    FieldRecord,
    ListValue,
    Origin,
    Place,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.knowledge.types.models import is_old
from pdmigrate.knowledge.types.type_specs import Specs, is_generic
from pdmigrate.model import Unknown
from pdmigrate.schemas.remembering import Memory

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.schemas.specs import TypeSpec

INFO = "pydantic.fields.FieldInfo"
_TEXTS = ("title", "description", "alias", "validation_alias", "serialization_alias")
_SCALARS = (bool, int, float, str, type(None))


_PARTS = frozenset({"model_config", "model_fields", "__annotations__", "__fields__", "__pydantic_fields__"})
"""Attributes through which the fields of a class may be changed."""


def _part(run: Interpreter, cls: ClassValue, name: str, place: Place | None) -> Value | None:
    if name in ("model_fields", "__pydantic_fields__") and cls.kind == "model":
        return model_fields(run, cls, place)
    if name in _PARTS and cls.kind in ("model", "settings", "dataclass"):
        return UnknownValue(f"{name} of {cls.name}", reasons.UNSUPPORTED, place, owner=cls)
    return None


CLASS_PARTS.append(_part)


def model_fields(run: Interpreter, cls: ClassValue, place: Place | None = None) -> Value:
    """The fields of ``cls`` by name, in pydantic's order; the same object each time.

    A program that changes this object changes the class: the object is one of the class's ``contents``.
    """
    known = run.remembered.model_fields.get(cls)
    if known is not None and known in cls.contents:
        return known
    infos = _infos(run, cls)
    if isinstance(infos, Unknown):
        reason = f"model_fields of {cls.name}: {infos.reason}"
        return UnknownValue(reason, infos.code, place, owner=cls)
    records = _records(cls)
    made = DictValue(origin=Origin(f"the fields of {cls.name}", place))
    for name, info in infos.items():
        made.entries[name] = Entry(const(name), _field(cls, info, records.get(name)))
    cls.contents[made] = made.snapshot()
    run.remembered.model_fields[cls] = made
    return made


def _infos(run: Interpreter, cls: ClassValue) -> dict[str, Any] | Unknown:
    """The real model's fields, if the installed pydantic and the program's agree about the class."""
    if cls.kind != "model" or is_old(cls) or is_generic(cls):
        return Unknown("the fields of such a class", reasons.UNSUPPORTED)
    spec = Specs(run).type(cls)
    version = run.versions.get("pydantic", "")
    return _INFOS.recall((version, spec), lambda: _of_spec(version, spec))


_INFOS: Memory[dict[str, Any] | Unknown] = Memory()


def _of_spec(version: str, spec: TypeSpec) -> dict[str, Any] | Unknown:
    agreed = schemas.agrees(version, spec)
    return schemas.model_fields(spec) if agreed is True else agreed


def _records(cls: ClassValue) -> dict[str, FieldRecord]:
    """The last record of each field in the bodies; a class overrides its ancestors."""
    found: dict[str, FieldRecord] = {}
    for base in reversed(cls.lineage):
        found |= {item.name: item for item in base.records}
    return found


def _field(cls: ClassValue, info: Any, record: FieldRecord | None) -> KnownObject:
    """One ``FieldInfo``; its ``payload`` is the class, because setting an attribute changes the class."""
    attributes: dict[str, Value] = {
        "annotation": _annotation(record),
        "default": _default(info, record),
        "default_factory": NONE if info.default_factory is None else _unknown("a default factory"),
        "metadata": _unknown("the constraints of a field") if info.metadata else ListValue(),
        **{name: _plain(getattr(info, name), name) for name in (*_TEXTS, "examples", "json_schema_extra")},
    }
    required = TRUE if info.is_required() else FALSE
    return KnownObject(INFO, attributes, {"is_required": lambda _run, _arguments: required}, payload=cls)


def _unknown(what: str) -> UnknownValue:
    return reasons.unknown(reasons.UNSUPPORTED, what)


def _plain(value: Any, what: str) -> Value:
    return from_python(value) if _is_plain(value) else _unknown(f"{what} of a field")


def _is_plain(value: Any) -> bool:
    if type(value) in _SCALARS:
        return True
    match value:
        case list():
            return all(map(_is_plain, value))
        case dict():
            return all(type(key) is str and _is_plain(item) for key, item in value.items())
    return False


def _default(info: Any, record: FieldRecord | None) -> Value:
    from pydantic_core import PydanticUndefined

    if info.default is PydanticUndefined:
        return UNDEFINED
    if _is_plain(info.default):
        return from_python(info.default)
    written = record.default if record is not None else None
    if written is None or written.made_with is not None or written.library_name:
        return _unknown("the default of a field")
    return first_unknown(written) or written


UNDEFINED = External("pydantic_core.PydanticUndefined")


def _annotation(record: FieldRecord | None) -> Value:
    """The type without its ``Annotated`` wrapper, whose metadata pydantic keeps apart."""
    value = record.annotation if record is not None else None
    if value is None:
        return _unknown("the annotation of a field")
    while _is_named(value, "Annotated") and len(parts := value.types_inside) > 1:
        value = parts[1]
    if _is_named(value, "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"):
        return _unknown("the qualifier of a field")
    return _unsettled(value) or value


def _is_named(value: Value, *names: str) -> bool:
    module, _, name = (value.generic or value.library_name).rpartition(".")
    return name in names and module in ("typing", "typing_extensions")


def _unsettled(value: Value) -> UnknownValue | None:
    """Why a type is not known as it stands: a part of it is unknown, or is text; ``None`` if it is known."""
    stack = [value]
    while stack:
        item = stack.pop()
        if (unknown := first_unknown(item)) is not None:
            return unknown
        if item.text is not None:
            return _unknown("a forward reference in the annotation of a field")
        stack += item.types_inside
    return None
