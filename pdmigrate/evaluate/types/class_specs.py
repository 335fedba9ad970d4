"""Convert the program's classes to specs: their bodies, decorators and settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame
from pdmigrate.evaluate.core.operations import evaluate
from pdmigrate.evaluate.core.provenance import site_of
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    ClassValue,
    External,
    Place,
    Scope,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.classes import AutoValue
from pdmigrate.evaluate.language.expressions import arguments_of
from pdmigrate.evaluate.types.annotations import changed_since, hiding, is_late, rebound
from pdmigrate.schemas import specs
from pdmigrate.tree.code.bodies import docstring, mere_text

if TYPE_CHECKING:
    from pdmigrate.evaluate.types.type_specs import Specs


def not_certain(convert: Specs, cls: ClassValue) -> UnknownValue | None:
    """Why a class, or its name, may mean another class than its body defines; ``None`` if it cannot."""
    if not cls.fields.exact:
        return reasons.unknown(reasons.CONDITION, f"the fields of {cls.name} depend on a condition")
    if cls.opaque is not None:
        return cls.opaque
    other = convert.named.setdefault((cls.module.path if cls.module else "", cls.name), cls)
    if other is not cls and any(made.scope is None or made.scope.kind != "module" for made in (cls, other)):
        return reasons.unknown(reasons.UNSUPPORTED, f"two classes are called {cls.name}")
    if cls.kind == "namedtuple" and any(isinstance(base, ClassValue) for base in cls.bases):
        return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} derives from a named tuple")
    return changed_since(cls)


def class_spec(convert: Specs, cls: ClassValue, identity: str) -> specs.ClassSpec | specs.UnknownSpec:
    """The spec of a class that ``not_certain`` has no doubt about."""
    assert cls.module is not None
    frame = _frame(cls)
    body = tuple(cls.node.body.body) if cls.node is not None else ()
    common: dict[str, Any] = {
        "name": cls.name,
        "module": cls.module.name,
        "doc": cls.names.get("__doc__", NONE).text,
        "decorators": tuple(_decorator(convert, item.decorator, frame) for item in _decorators(cls)),
        "methods": tuple(_methods(convert, body, frame)),
        "identity": identity,
    }
    bases = tuple(convert.type(base) for base in cls.bases)
    if cls.kind == "enum":
        return specs.EnumSpec(**common, bases=bases, members=tuple(_members(convert, cls)))
    fields = tuple(field for field in _fields(convert, cls, body, frame) if field.name != _CONFIGS.get(cls.kind))
    if cls.kind in ("model", "settings"):
        return _model(convert, cls, {**common, "bases": bases, "fields": fields})
    if cls.kind == "dataclass":
        return _dataclass(convert, cls, {**common, "bases": bases, "fields": fields})
    if cls.kind == "typeddict":
        return _typed_dict(convert, cls, {**common, "bases": bases, "fields": fields})
    if cls.kind == "namedtuple":
        generic = tuple(base for base in bases if isinstance(base, specs.SubscriptSpec))
        return specs.NamedTupleSpec(**common, bases=generic, fields=fields)
    return specs.PlainClassSpec(**common, bases=bases, fields=fields)


def _model(convert: Specs, cls: ClassValue, common: dict[str, Any]) -> specs.ModelSpec:
    return specs.ModelSpec(
        **common,
        config=_config(convert, cls),
        config_class=_config_class(convert, cls),
        keywords=convert.pairs(cls.options),
    )


def _dataclass(convert: Specs, cls: ClassValue, common: dict[str, Any]) -> specs.DataclassSpec:
    maker = cls.maker or "dataclasses.dataclass"
    made_by = (maker, maker.rpartition(".")[2])
    common["decorators"] = tuple(item for item in common["decorators"] if _decorator_name(item) not in made_by)
    config = _config(convert, cls)
    return specs.DataclassSpec(**common, maker=maker, options=convert.pairs(cls.options), config=config)


def _typed_dict(convert: Specs, cls: ClassValue, common: dict[str, Any]) -> specs.TypedDictSpec:
    rest = {key: item for key, item in cls.options.items() if key != "total"}
    return specs.TypedDictSpec(
        **common,
        total=not cls.options.get("total", NONE).is_just(False),
        keywords=convert.pairs(rest),
        config=_config(convert, cls),
    )


# --- fields -----------------------------------------------------------------------------------------------------------


def _frame(cls: ClassValue) -> Frame:
    """The frame in which forward references of ``cls`` are looked up: its own names, then those around it."""
    assert cls.module is not None
    fields = {record.name for record in cls.records if record.annotation is not None}
    names = hiding(cls.names, fields)
    return Frame(Scope(names=names, kind="class", parent=cls.scope, module=cls.module), cls.module)


def _fields(convert: Specs, cls: ClassValue, body: Sequence[cst.CSTNode], frame: Frame) -> Iterator[specs.FieldSpec]:
    texts = dict(_texts_below(body))
    for record in cls.records:
        annotation = None
        if record.annotation is not None:
            statement = record.statement
            node = statement.annotation.annotation if isinstance(statement, cst.AnnAssign) else statement
            annotation = _annotated(convert, cls, record.annotation, node, frame)
        default = convert.value(record.default) if record.default is not None else None
        site = site_of(Place(frame.module, record.statement))
        yield specs.FieldSpec(record.name, annotation, default, texts.get(record.statement), site)


def _annotated(convert: Specs, cls: ClassValue, value: Value, node: cst.CSTNode, frame: Frame) -> specs.TypeSpec:
    """The type of a field as it was when the class was made, or as a forward reference resolves now."""
    written = node if isinstance(node, cst.BaseExpression) and cls.node is not None else None
    at_creation = cls.kind == "settings" or cls.by_pydantic
    if not _has_unknown(value) and (at_creation or written is None or not is_late(frame.module, written)):
        return convert.type(value, frame)
    unknown = rebound(frame.module, node)
    if unknown is not None:
        return specs.UnknownSpec(unknown.reason, unknown.code, site_of(Place(frame.module, node)))
    return convert.type(value, frame) if written is None else convert.annotation(written, frame)


def _has_unknown(value: Value) -> bool:
    """Whether a type, or an argument of it, is unknown or text."""
    stack, seen = [value], {value}
    while stack:
        item = stack.pop()
        if first_unknown(item) is not None or item.text is not None:
            return True
        stack += [part for part in item.types_inside if part not in seen]
        seen.update(item.types_inside)
    return False


def _members(convert: Specs, cls: ClassValue) -> Iterator[tuple[str, specs.ValueSpec]]:
    for record in cls.records:
        if record.name in cls.members and record.default is not None:
            automatic = isinstance(record.default, AutoValue)
            yield record.name, specs.CallValue("enum.auto") if automatic else convert.value(record.default)


def _texts_below(
    body: Sequence[cst.CSTNode],
) -> Iterator[tuple[cst.CSTNode, str]]:
    """The simple statements of a class body that are followed by a text, with that text."""
    for line, after in pairwise(body):
        if isinstance(line, cst.SimpleStatementLine) and isinstance(after, cst.SimpleStatementLine):
            text = mere_text(after.body[0])
            if text is not None:
                yield line.body[-1], text


# --- functions and decorators -----------------------------------------------------------------------------------------


def _methods(convert: Specs, body: Sequence[cst.CSTNode], frame: Frame) -> Iterator[specs.MethodSpec]:
    for statement in body:
        if type(statement) is cst.FunctionDef:
            returns = convert.annotation(statement.returns.annotation, frame) if statement.returns is not None else None
            yield specs.MethodSpec(
                statement.name.value,
                tuple(_decorator(convert, item.decorator, frame) for item in statement.decorators),
                returns,
                docstring(statement),
                site_of(Place(frame.module, statement)),
            )


def _decorators(cls: ClassValue) -> Sequence[cst.Decorator]:
    return cls.node.decorators if cls.node is not None else ()


def _decorator(convert: Specs, node: cst.BaseExpression, frame: Frame) -> specs.ValueSpec:
    """A decorator as a name or call, without calling it."""
    function = node.func if isinstance(node, cst.Call) else node
    if isinstance(function, cst.Attribute) and function.attr.value in ("setter", "deleter", "getter"):
        return specs.NameSpec("builtins.property")
    try:
        value = evaluate(convert.run, function, frame)
        name = value.outer_name
        if not name:
            return specs.UnknownSpec("a decorator of the program", reasons.UNSUPPORTED)
        if not isinstance(node, cst.Call):
            return specs.NameSpec(full_name(name))
        given = arguments_of(convert.run, node, frame)
    except AbstractRaise as raised:
        return specs.UnknownSpec(f"the decorator raises {raised}", reasons.FAILS)
    if given.unknown is not None:
        return convert.unknown(given.unknown)
    return specs.CallValue(full_name(name), tuple(map(convert.value, given.positional)), convert.pairs(given.keywords))


def full_name(name: str) -> str:
    """The name of a native function or class, with its module."""
    return name if "." in name else f"builtins.{name}"


def _decorator_name(decorator: specs.ValueSpec) -> str:
    if isinstance(decorator, specs.NameSpec):
        return decorator.name
    return decorator.callee if isinstance(decorator, specs.CallValue) else ""


# --- settings ---------------------------------------------------------------------------------------------------------


_CONFIGS = {
    **dict.fromkeys(("model", "settings"), "model_config"),
    **dict.fromkeys(("dataclass", "typeddict"), "__pydantic_config__"),
}
"""The name that is no field, but holds pydantic's settings, by the kind of class."""


def _config(convert: Specs, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
    value = cls.names.get(_CONFIGS[cls.kind])
    if value is None:
        return None
    unknown = first_unknown(value)
    if unknown is not None:
        return convert.unknown(unknown)
    if isinstance(value, External) and value.arguments is not None and value.arguments.unknown is None:
        return convert.pairs(value.arguments.keywords)
    if (config := value.by_key) is not None:
        return tuple((key, convert.value(item)) for key, item in config.items())
    return specs.UnknownSpec(f"{describe(value)} as {_CONFIGS[cls.kind]}", reasons.UNSUPPORTED)


def _config_class(convert: Specs, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
    value = cls.names.get("Config")
    if not isinstance(value, ClassValue):
        return None
    if value.bases:
        return specs.UnknownSpec("the inner class Config has a base", reasons.UNSUPPORTED)
    if value.opaque is not None:
        return convert.unknown(value.opaque)
    return convert.pairs({name: item for name, item in value.names.items() if not name.startswith("__")})
