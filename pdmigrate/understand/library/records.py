"""Objects whose class writes their constructor: dataclasses and pydantic models."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import Any

from pdmigrate.model import Known
from pdmigrate.model import Unknown as UnknownField
from pdmigrate.sdk.schemas import agrees, json_schema, model_fields
from pdmigrate.understand.demand.attributes import CLASS_RULES
from pdmigrate.understand.demand.classes import MODELS, FieldOf, is_strict
from pdmigrate.understand.demand.functions import from_plain
from pdmigrate.understand.demand.run import ATTRIBUTES, INSTANCES, SETTERS, RaisedError, Run
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.types.annotations import Specs, class_scope
from pdmigrate.understand.values.calls import Arguments, Native
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import FALSE, MUTATED, NONE, OUTSIDE, TRUE, Const, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import ClassValue, Instance, SdkObject, text_of
from pdmigrate.understand.values.outside import Called, External, Subscripted, UnionType, external_name

_FIELDS = ("pydantic.Field", "pydantic.fields.Field", "dataclasses.field", "pydantic.PrivateAttr")


def fields_of(cls: ClassValue) -> dict[str, tuple[ClassValue, FieldOf]]:
    """The fields of a record, those of its bases first."""
    found: dict[str, tuple[ClassValue, FieldOf]] = {}
    for base in reversed(cls.classes):
        # A class that only derives from a dataclass has its constructor, whatever stands in its own body.
        makes = base.kind == cls.kind and (base.kind != "dataclass" or base.maker)
        for name, field in base.fields.items() if makes else ():
            own = _type_name(field.annotation) not in ("", "ClassVar", "KW_ONLY") and name != "model_config"
            if own or (name in found and cls.kind != "dataclass"):
                found[name] = (base, field)
    return found


@lru_cache(maxsize=2_000)
def _type_name(annotation: ast.expr | None) -> str:
    """The last name of a type that is written with its module and arguments, or as text; empty if there is none."""
    named = re.match(r"[\"']?(?:\w+\.)*(\w+)", ast.unparse(annotation)) if annotation is not None else None
    return named[1] if named is not None else "" if annotation is None else "?"


def _option(field: FieldOf, name: str) -> Value | None:
    value = field.default
    return dict(value.kwargs).get(name) if isinstance(value, Called) and value.callee in _FIELDS else None


def _parameters(fields: dict[str, tuple[ClassValue, FieldOf]]) -> dict[str, bool]:
    """The parameters of the constructor of a dataclass: whether each may be given by its position."""
    found = {}
    for name, (cls, field) in fields.items():
        names = list(cls.fields)
        marked = any(_type_name(cls.fields[each].annotation) == "KW_ONLY" for each in names[: names.index(name)])
        keyword = _option(field, "kw_only") or (TRUE if marked else cls.options.get("kw_only", FALSE))
        if _option(field, "init") != FALSE:
            found[name] = keyword == FALSE
    return found


def default_of(run: Run, field: FieldOf) -> Value | None:
    """The default of a field; ``None`` if it has none."""
    value = field.default
    if not isinstance(value, Called) or value.callee not in _FIELDS:
        return value
    given = dict(value.kwargs)
    if (factory := given.get("default_factory")) is not None:
        return run.call(factory, Arguments(site=run.site()))
    first = value.args[0] if value.args and value.callee != "dataclasses.field" else Const(...)
    return given.get("default", first if first != Const(...) else None)


def _record(run: Run, cls: ClassValue, arguments: Arguments) -> Value | None:
    """An object of a record class, with the values of its fields."""
    if cls.kind == "typeddict" and cls.refused is None:
        return run.call(External("builtins.dict"), arguments)
    if cls.refused is not None or cls.kind not in ("dataclass", "model", "settings", "namedtuple"):
        return None
    if cls.find("__init__") is not None and cls.kind != "dataclass":
        return run.unsettled(f"{cls.name} has a constructor of its own")
    made = Instance(cls, arguments.site)
    fields = fields_of(cls)
    if cls.kind in ("dataclass", "namedtuple"):
        return _filled(run, made, fields, arguments) if _is_written(cls) else None
    defaults = {name: default_of(run, field) for name, (_, field) in fields.items()}
    known = {name: value for name, value in defaults.items() if value is not None}
    made.rest = arguments.unknown
    if cls.kind == "settings":
        made.rest = run.unsettled(f"{cls.name} is read from the environment", "PD301")
        usual = {name: value for name, value in known.items() if value != NONE}
        known = usual if usual and run.default_is_given() else {}
    if arguments.all or _validates(cls):
        made.rest = made.rest or run.risky(f"{cls.name} validates what it is given", code=OUTSIDE)
        given = unsettled(made.rest, *arguments.all)
        known = dict.fromkeys((*fields, *arguments.keywords), given)
    # pydantic makes containers of its own of those that are defaults
    copied = {name: value for name, value in known.items() if isinstance(value, (ListValue, DictValue))}
    made.data = {**known, **{name: type(value)(value.data.copy(), value.rest) for name, value in copied.items()}}
    return made


def _validates(cls: ClassValue) -> bool:
    """Whether code of the program may change the fields of a model that is made."""
    held = [value for base in cls.classes for value in base.data.values()]
    return (
        is_strict(cls)
        or cls.find("model_post_init") is not None
        or any("validator" in getattr(each, "callee", "") for each in held)
    )


def _is_written(cls: ClassValue) -> bool:
    """Whether the constructor of a record is one that its class, or ``dataclass``, writes."""
    makers = ("__init__" in base.data for base in cls.classes if "__init__" in base.data or _makes(base))
    return cls.kind == "namedtuple" or not next(makers, True)


def _makes(cls: ClassValue) -> bool:
    return bool(cls.maker) and cls.options.get("init") != FALSE


def _filled(run: Run, made: Instance, fields: dict[str, tuple[ClassValue, FieldOf]], arguments: Arguments) -> Instance:
    """An object of a dataclass, as the constructor that is written for the class leaves it."""
    name, parameters = made.cls.name, _parameters(fields)
    by_position = tuple(each for each, may in parameters.items() if may)
    given = arguments.named(by_position)
    if len(arguments.positional) > len(by_position) or not given.keys() <= parameters.keys():
        raise RaisedError("builtins.TypeError", f"{name}() takes no such arguments", run.site())
    run.risk |= not arguments.keywords.keys().isdisjoint(by_position[: len(arguments.positional)])
    made.rest = arguments.unknown
    passed: list[Value] = [made]
    for each, (_, field) in fields.items():
        value = (given.get(each) or arguments.unknown if each in parameters else None) or default_of(run, field)
        if value is None and each in parameters:
            raise RaisedError("builtins.TypeError", f"{name}() needs {each}", run.site())
        if value is not None and _type_name(field.annotation) == "InitVar":
            passed.append(value)
        elif value is not None:
            made.data[each] = value
    if (post := made.cls.find("__post_init__")) is not None and made.cls.kind == "dataclass":
        run.call(post, Arguments(passed, site=run.site()))
    return made


# --- schemas of models ------------------------------------------------------------------------------------------------


def _schema_of(run: Run, kind: Value, arguments: Arguments) -> Value:
    """The JSON Schema of a model of the program, if the version of pydantic makes the same as this one's."""
    known = all(name in ("by_alias", "mode", "ref_template") for name in arguments.keywords)
    options: dict[str, Any] = {
        name: value.value for name, value in arguments.keywords.items() if isinstance(value, Const)
    }
    if not known or len(options) < len(arguments.all) or arguments.unknown is not None:
        return run.unsettled("the options of a schema")
    spec = Specs(run).type(kind)
    agreed = agrees(run.versions.get("pydantic", ""), spec)
    made = json_schema(spec, **options) if agreed is True else agreed
    if isinstance(made, Known):
        return from_plain(made.value)
    return Unknown(made.reason, made.code, made.site or run.site())


def _model_class(run: Run, cls: ClassValue, name: str) -> Value | None:
    if cls.kind not in MODELS:
        return None
    if name == "model_config":
        made = DictValue()
        cls.watched = (*cls.watched, (made, made.save()))
        return made
    if name == "model_fields" and cls.kind == "model":
        return _fields(run, cls)
    if name == "model_rebuild":
        return Native(name, lambda run, arguments: _rebuilt(run, cls, arguments))
    if name in ("model_fields", "__pydantic_fields__"):  # to change them changes the model
        run.journal.blur(cls, why := run.risky(f"{name} of {cls.name} is used", code=MUTATED))
        return why
    if name not in ("model_json_schema", "schema"):
        return None
    return Native(f"{cls.name}.{name}", lambda run, arguments: _schema_of(run, cls, arguments))


def _rebuilt(run: Run, cls: ClassValue, arguments: Arguments) -> Value:
    """``Model.model_rebuild()``, which may be given other names than those of the module."""
    if arguments.all:
        run.journal.blur(cls, run.unsettled(f"{cls.name} is built again with names that are handed to it"))
    return NONE


@library("dataclasses.replace")
def _replaced(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    if not isinstance(value, Instance) or value.cls.kind != "dataclass":
        return run.unsettled("a changed copy of an object")
    given = {name: value.data[name] for name in _parameters(fields_of(value.cls)) if name in value.data}
    return run.call(value.cls, Arguments([], {**given, **arguments.keywords}, arguments.unknown, run.site()))


INSTANCES.append(_record)
CLASS_RULES.append(_model_class)


# --- the fields of a model, as pydantic reports them for the rebuilt model --------------------------------------------

_SCALARS = (bool, int, float, str, type(None))
_QUALIFIERS = ("Final", "ClassVar", "Required", "NotRequired", "ReadOnly")
UNDEFINED = External("pydantic_core.PydanticUndefined")


class FieldInfo(SdkObject):
    """A field of a model: ``data`` holds its parts.  To set one changes the model."""

    def __init__(self, cls: ClassValue, data: dict[str, Value]) -> None:
        super().__init__("pydantic.fields.FieldInfo", data)
        self.cls = cls


def _set(run: Run, value: FieldInfo, name: str, _new: Value) -> None:
    run.journal.blur(value.cls, run.unsettled(f"{name} of a field of {value.cls.name} is set", MUTATED))


def _fields(run: Run, cls: ClassValue) -> Value:
    known: DictValue | None = run.memory.get(("model_fields", cls))
    if known is not None:
        return known
    spec = Specs(run).type(cls)
    agreed = agrees(run.versions.get("pydantic", ""), spec)
    infos = model_fields(spec) if agreed is True else agreed
    if isinstance(infos, UnknownField):
        return run.unsettled(f"model_fields of {cls.name}: {infos.reason}", infos.code)
    made = DictValue.of({name: _field(run, cls, name, info) for name, info in infos.items()})
    run.memory["model_fields", cls] = made
    cls.watched = (*cls.watched, (made, made.save()))
    return made


def _field(run: Run, cls: ClassValue, name: str, info: Any) -> FieldInfo:
    from pydantic_core import PydanticUndefined

    required, default = Const(info.is_required()), info.default
    odd = UNDEFINED if default is PydanticUndefined else Unknown("the default of a field")
    parts: dict[str, Value] = {part: Const(getattr(info, part)) for part in ("title", "description", "alias")}
    parts["default"] = from_plain(default) if _is_plain(default) else odd
    parts["annotation"] = _annotation(run, cls, name)
    parts["is_required"] = Native("is_required", lambda _run, _arguments: required)
    return FieldInfo(cls, parts)


def _is_plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and _is_plain(item) for key, item in value.items())
    return all(map(_is_plain, value)) if isinstance(value, list) else type(value) in _SCALARS


def _annotation(run: Run, cls: ClassValue, name: str) -> Value:
    """The type of a field without its ``Annotated``, whose metadata pydantic keeps apart."""
    owner, field = fields_of(cls).get(name, (cls, None))
    if field is None or field.annotation is None:
        return Unknown("the annotation of a field")
    try:
        value = owner.hints.get(field.annotation) or run.evaluate(field.annotation, class_scope(owner))
    except RaisedError as raised:
        return Unknown(f"the annotation of a field raises {raised}")
    while external_name(value).endswith(".Annotated") and isinstance(value, Subscripted) and value.args:
        value = value.args[0]
    if external_name(value).rpartition(".")[2] in _QUALIFIERS:
        return Unknown("the qualifier of a field")
    return _unsettled(value) or value


def _unsettled(value: Value) -> Unknown | None:
    """Why a type is not known as it stands: a part of it is unknown, or is text; ``None`` if it is known."""
    if isinstance(value, Unknown):
        return value
    # What a type variable stands for depends on the class through which it is reached.
    if isinstance(value, Called) or text_of(value) is not None:
        return Unknown("a type variable or a forward reference in the annotation of a field")
    literal = external_name(value).endswith(".Literal")
    parts = value.args if isinstance(value, Subscripted) and not literal else ()
    parts = value.options if isinstance(value, UnionType) else parts
    return next((why for part in parts if (why := _unsettled(part)) is not None), None)


ATTRIBUTES[FieldInfo] = lambda run, value, name: value.data.get(name) or run.unsettled(f"{name} of a field")
SETTERS[FieldInfo] = _set
