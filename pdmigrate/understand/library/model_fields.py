"""``Model.model_fields``: the fields of a program's model, as pydantic reports them for the rebuilt model."""

from __future__ import annotations

from typing import Any

from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.schemas import agrees, model_fields
from pdmigrate.understand.demand.attributes import CLASS_RULES
from pdmigrate.understand.demand.functions import from_plain
from pdmigrate.understand.demand.run import ATTRIBUTES, SETTERS, RaisedError, Run
from pdmigrate.understand.library.records import fields_of
from pdmigrate.understand.types.annotations import Specs
from pdmigrate.understand.types.classes import class_scope
from pdmigrate.understand.values.calls import Native
from pdmigrate.understand.values.codes import MUTATED, UNSUPPORTED
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue, SdkObject
from pdmigrate.understand.values.outside import Called, External, Subscripted, UnionType, external_name

_TEXTS = ("title", "description", "alias", "validation_alias", "serialization_alias", "examples", "json_schema_extra")
_SCALARS = (bool, int, float, str, type(None))
_QUALIFIERS = ("Final", "ClassVar", "Required", "NotRequired", "ReadOnly")
UNDEFINED = External("pydantic_core.PydanticUndefined")


class FieldInfo(SdkObject):
    """A field of a model.  To set its parts changes the model."""

    def __init__(self, cls: ClassValue, data: dict[str, Value]) -> None:
        super().__init__("pydantic.fields.FieldInfo", data)
        self.cls = cls


def _part(run: Run, value: FieldInfo, name: str) -> Value:
    return value.data[name] if name in value.data else run.unsettled(f"{name} of a field of {value.cls.name}")


def _set(run: Run, value: FieldInfo, name: str, _new: Value) -> None:
    run.journal.blur(value.cls, run.unsettled(f"{name} of a field of {value.cls.name} is set", MUTATED))


def _of_class(run: Run, cls: ClassValue, name: str) -> Value | None:
    if cls.kind != "model" or name not in ("model_fields", "__pydantic_fields__"):
        return None
    known = run.memory.get(("model_fields", cls))
    if isinstance(known, DictValue):
        return known
    spec = Specs(run).type(cls)
    agreed = agrees(run.versions.get("pydantic", ""), spec)
    infos = model_fields(spec) if agreed is True else agreed
    if isinstance(infos, UnknownField):
        return run.unsettled(f"model_fields of {cls.name}: {infos.reason}", infos.code)
    made = DictValue({(True, key): (Const(key), _field(run, cls, key, info)) for key, info in infos.items()})
    run.memory["model_fields", cls] = made
    cls.watched = (*cls.watched, (made, made.save()))
    return made


def _field(run: Run, cls: ClassValue, name: str, info: Any) -> FieldInfo:
    required = TRUE if info.is_required() else FALSE
    return FieldInfo(
        cls,
        {
            "annotation": _annotation(run, cls, name),
            "default": _default(cls, name, info),
            "default_factory": NONE if info.default_factory is None else _unknown("a default factory"),
            "metadata": _unknown("the constraints of a field") if info.metadata else ListValue(),
            **{part: _plain(getattr(info, part), part) for part in _TEXTS},
            "is_required": Native("is_required", lambda _run, _arguments: required),
        },
    )


def _unknown(what: str) -> Unknown:
    return Unknown(what, UNSUPPORTED)


def _plain(value: Any, what: str) -> Value:
    return from_plain(value) if _is_plain(value) else _unknown(f"{what} of a field")


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    return all(map(_is_plain, value)) if isinstance(value, list) else type(value) in _SCALARS


def _default(cls: ClassValue, name: str, info: Any) -> Value:
    from pydantic_core import PydanticUndefined

    if info.default is PydanticUndefined:
        return UNDEFINED
    if _is_plain(info.default):
        return from_plain(info.default)
    known = fields_of(cls).get(name)
    written = known[1].default if known is not None else None
    return written if isinstance(written, (SdkObject, TupleValue)) else _unknown("the default of a field")


def _annotation(run: Run, cls: ClassValue, name: str) -> Value:
    """The type of a field without its ``Annotated``, whose metadata pydantic keeps apart."""
    known = fields_of(cls).get(name)
    if known is None or known[1].annotation is None:
        return _unknown("the annotation of a field")
    try:
        hint = known[0].hints.get(known[1].annotation)
        value = hint or run.evaluate(known[1].annotation, class_scope(known[0]))
    except RaisedError as raised:
        return _unknown(f"the annotation of a field raises: {raised.message}")
    while external_name(value).endswith(".Annotated") and isinstance(value, Subscripted) and value.args:
        value = value.args[0]
    if external_name(value).rpartition(".")[2] in _QUALIFIERS:
        return _unknown("the qualifier of a field")
    return _unsettled(value) or value


def _unsettled(value: Value) -> Unknown | None:
    """Why a type is not known as it stands: a part of it is unknown, or is text; ``None`` if it is known."""
    if isinstance(value, Unknown):
        return value
    if isinstance(value, Called):  # what a variable stands for depends on the class through which it is reached
        return _unknown("a type variable in the annotation of a field")
    if isinstance(value, Const) and isinstance(value.value, str):
        return _unknown("a forward reference in the annotation of a field")
    literal = external_name(value).endswith(".Literal")
    parts = value.args if isinstance(value, Subscripted) and not literal else ()
    parts = value.options if isinstance(value, UnionType) else parts
    return next((why for part in parts if (why := _unsettled(part)) is not None), None)


ATTRIBUTES[FieldInfo] = _part
SETTERS[FieldInfo] = _set
CLASS_RULES.append(_of_class)
