"""Objects whose class writes their constructor: dataclasses, pydantic models, named tuples."""

from __future__ import annotations

import ast
import re
from typing import Any

from pdmigrate.model import Known
from pdmigrate.understand.demand.attributes import CLASS_RULES, INSTANCE_RULES
from pdmigrate.understand.demand.classes import FieldOf
from pdmigrate.understand.demand.functions import from_plain
from pdmigrate.understand.demand.run import INSTANCES, LIBRARY, RaisedError, Run
from pdmigrate.understand.library.calling import first
from pdmigrate.understand.schema_calls import schema_of
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.codes import OUTSIDE
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import NONE, Const, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance
from pdmigrate.understand.values.outside import Called, External

_FIELDS = {
    *("pydantic.Field", "pydantic.fields.Field", "dataclasses.field", "pydantic.PrivateAttr"),
    "pydantic.fields.PrivateAttr",
}


def fields_of(cls: ClassValue) -> dict[str, tuple[ClassValue, FieldOf]]:
    """The fields of a record, those of its bases first."""
    found: dict[str, tuple[ClassValue, FieldOf]] = {}
    for base in reversed(cls.mro):
        if isinstance(base, ClassValue) and base.kind == cls.kind:
            for name, field in base.fields.items():
                if _is_field(field) or name in found:
                    found[name] = (base, field)
    return found


def _is_field(field: FieldOf) -> bool:
    if field.annotation is None or field.name == "model_config":
        return False
    node = field.annotation
    text = getattr(getattr(node, "value", node), "id", "") or getattr(getattr(node, "value", node), "attr", "")
    return text != "ClassVar"


def default_of(run: Run, field: FieldOf) -> Value | None:
    """The default of a field; ``None`` if it has none."""
    value = field.default
    if isinstance(value, Called) and value.callee in _FIELDS:
        given = dict(value.kwargs)
        factory = given.get("default_factory")
        if factory is not None:
            return run.call(factory, Arguments(site=run.site()))
        if "default" in given:
            return given["default"]
        if value.args and value.callee != "dataclasses.field":
            return None if value.args[0] == Const(...) else value.args[0]
        return None
    return value


def _record(run: Run, cls: ClassValue, arguments: Arguments) -> Value | None:
    """An object of a record class, with the values of its fields."""
    if cls.kind == "typeddict" and cls.refused is None:
        return run.call(External("builtins.dict"), arguments)
    if cls.refused is not None or cls.kind not in ("dataclass", "model", "settings", "namedtuple"):
        return None
    if any(isinstance(base, ClassValue) and "__init__" in base.data for base in cls.mro):
        return None if cls.kind == "dataclass" else run.unsettled(f"{cls.name} has a constructor of its own")
    made = Instance(cls, arguments.site)
    fields = fields_of(cls)
    given = arguments.named(tuple(fields) if cls.kind in ("dataclass", "namedtuple") else ())
    if cls.kind == "settings":
        made.rest = run.unsettled(f"{cls.name} is read from the environment", "PD301")
        defaults = {name: default_of(run, field) for name, (_, field) in fields.items()}
        usual = {name: default for name, default in defaults.items() if default is not None and default != NONE}
        made.data = {**usual, **given} if usual and run.default_is_given() else given
        return made
    made.rest = arguments.unknown
    changes = cls.kind == "model" and _validates(cls)
    for name, (_, field) in fields.items():
        value = given.get(name)
        if value is None and arguments.unknown is not None:
            value = arguments.unknown
        if value is None:
            value = default_of(run, field)
        if value is None:
            if cls.kind == "model":
                value = run.unsettled(f"{name} of {cls.name} has no value")
                run.risk = True
            else:
                raise RaisedError("builtins.TypeError", f"{cls.name}() needs {name}", run.site())
        elif changes or (cls.kind == "model" and name in given and not _kept_by_pydantic(value, field)):
            value = run.unsettled(f"{name} of {cls.name} is validated", OUTSIDE)
        made.data[name] = _own_copy(value) if cls.kind == "model" else value
    post = next(
        (b.data["__post_init__"] for b in cls.mro if isinstance(b, ClassValue) and "__post_init__" in b.data), None
    )
    if post is not None and cls.kind == "dataclass":
        run.call(post, Arguments([made], site=run.site()))
    return made


def _validates(cls: ClassValue) -> bool:
    """Whether methods of a model may change what is passed for its fields."""
    for base in cls.mro:
        if isinstance(base, ClassValue) and base.node is not None:
            for value in base.data.values():
                if isinstance(value, Called) and "validator" in value.callee:
                    return True
                if isinstance(value, Unknown):
                    return True
    return False


def _kept_by_pydantic(value: Value, field: FieldOf) -> bool:
    """Whether a model keeps such a value as it is in a field of this type."""
    written = ast.unparse(field.annotation) if field.annotation is not None else ""
    words = set(re.findall(r"[A-Za-z_]+", written))
    if isinstance(value, Unknown) or ("Any" in words - {"dict", "Dict"} and len(words) == 1):
        return True
    if isinstance(value, Const):
        kind = type(value.value).__name__
        return bool(words & ({"None", "Optional"} if value.value is None else {kind}))
    if isinstance(value, DictValue):
        return (words <= {"dict", "Dict", "str", "Any", "typing", "Optional", "None"} and "Any" in words) or words == {
            "dict"
        }
    if isinstance(value, ListValue):
        texts = all(isinstance(item, Const) and isinstance(item.value, str) for item in value.data)
        return words in ({"list"}, {"list", "Any"}, {"List", "Any"}) or (
            words in ({"list", "str"}, {"List", "str"}) and texts
        )
    return (isinstance(value, (FunctionValue, BoundMethod)) and "Callable" in words) or isinstance(
        value, (Instance, ClassValue)
    )


def _own_copy(value: Value) -> Value:
    """pydantic makes containers of its own of those that are passed to a model."""
    if isinstance(value, (ListValue, DictValue)):
        return type(value)(value.data.copy(), value.rest)
    return value


# --- schemas of models ------------------------------------------------------------------------------------------------


def _model_class(_run: Run, cls: ClassValue, name: str) -> Value | None:
    if cls.kind not in ("model", "settings"):
        return None
    if name in ("model_json_schema", "schema"):

        def make(run: Run, arguments: Arguments) -> Value:
            schema = schema_of(run, cls, arguments, "model")
            if isinstance(schema, Known):
                return from_plain(schema.value)
            return Unknown(schema.reason, schema.code, schema.site or run.site())

        return Native(f"{cls.name}.{name}", make)
    if name in ("model_validate", "parse_obj"):
        return Native(f"{cls.name}.{name}", lambda run, _a: run.unsettled(f"an object of {cls.name} that is validated"))
    return None


def _model_object(_run: Run, value: Instance, name: str) -> Value | None:
    if value.cls.kind not in ("model", "dataclass"):
        return None
    if name in ("model_dump", "dict", "model_dump_json", "json"):
        return Native(name, lambda run, _arguments: _dumped(run, value))
    if name in ("model_copy", "copy"):

        def copied(run: Run, arguments: Arguments) -> Value:
            made = Instance(value.cls, run.site())
            made.data, made.rest = dict(value.data), value.rest
            update = arguments.keywords.get("update", NONE)
            if isinstance(update, DictValue) and update.exact:
                for key, item in update.entries():
                    if isinstance(key, Const):
                        made.data[key.value] = item
            elif update != NONE:
                made.rest = run.unsettled("a copy with changes that are not known")
            return made

        return Native(name, copied)
    return None


def _dumped(run: Run, value: Instance) -> Value:
    return run.unsettled(f"an object of {value.cls.name} is dumped")


def _as_dict(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if isinstance(value, Instance) and value.cls.kind == "dataclass" and value.rest is None:
        entries: dict[Any, Any] = {}
        for name in fields_of(value.cls):
            item = value.data.get(name, NONE)
            inner = (
                _as_dict(run, Arguments([item]))
                if isinstance(item, Instance) and item.cls.kind == "dataclass"
                else item
            )
            entries[(True, name)] = (Const(name), inner)
        return DictValue(entries)
    return run.unsettled("an object as a dict")


def _replaced(run: Run, arguments: Arguments) -> Value:
    value = first(arguments)
    if not isinstance(value, Instance) or value.cls.kind != "dataclass":
        return run.unsettled("a changed copy of an object")
    given = {name: value.data[name] for name in fields_of(value.cls) if name in value.data}
    return run.call(value.cls, Arguments([], {**given, **arguments.keywords}, arguments.unknown, run.site()))


def _adapter(_run: Run, arguments: Arguments) -> Value:
    kind = first(arguments)

    def schema(run: Run, inner: Arguments) -> Value:
        made = schema_of(run, kind, inner, "adapter")
        return from_plain(made.value) if isinstance(made, Known) else Unknown(made.reason, made.code, made.site)

    return Called("pydantic.TypeAdapter()", (Native("json_schema", schema),))


INSTANCES.append(_record)
CLASS_RULES.append(_model_class)
INSTANCE_RULES.append(_model_object)
LIBRARY["dataclasses.asdict"] = _as_dict
LIBRARY["dataclasses.replace"] = _replaced
LIBRARY["pydantic.TypeAdapter"] = _adapter
