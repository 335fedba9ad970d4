"""Convert the program's classes to specs: their bodies, decorators and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    FieldRecord,
    Place,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.annotations import changed_since, is_late, outer_scope, rebound
from pdmigrate.evaluate.language.classes import AutoValue
from pdmigrate.evaluate.language.expressions import arguments_of
from pdmigrate.schemas import specs
from pdmigrate.tree.code.bodies import docstring, mere_text

if TYPE_CHECKING:
    from pdmigrate.knowledge.types.type_specs import Specs


def not_certain(convert: Specs, cls: ClassValue) -> UnknownValue | None:
    """Why a class, or its name, may mean another class than its body defines; ``None`` if it cannot."""
    if not cls.fields.exact:
        return reasons.unknown(reasons.CONDITION, f"the fields of {cls.name} depend on a condition")
    if cls.opaque is not None:
        return cls.opaque
    other = convert.named.setdefault((cls.module.path if cls.module else "", cls.name), cls)
    if other is not cls and any(made.scope is None or made.scope.kind != "module" for made in (cls, other)):
        return reasons.unknown(reasons.UNSUPPORTED, f"two classes are called {cls.name}")
    if cls.kind == "namedtuple" and any(base.as_class is not None for base in cls.bases):
        return reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} derives from a named tuple")
    return changed_since(cls)


def class_spec(convert: Specs, cls: ClassValue, identity: str) -> specs.ClassSpec | specs.UnknownSpec:
    """The spec of a class for which ``not_certain`` returns ``None``."""
    assert cls.module is not None
    # Forward references are looked up among the names of the class, then around it.
    frame = Frame(outer_scope(cls.names, cls.records, cls.scope, cls.module), cls.module)
    body = tuple(cls.node.body.body) if cls.node is not None else ()
    common: dict[str, Any] = {
        "name": cls.name,
        "module": cls.module.name,
        "doc": cls.names.get("__doc__", NONE).text,
        "decorators": tuple(_decorator(convert, item, frame) for item in (cls.node.decorators if cls.node else ())),
        "methods": tuple(_methods(convert, body, frame)),
        "identity": identity,
        "bases": tuple(convert.type(base) for base in cls.bases),
    }
    if cls.kind == "enum":
        return specs.EnumSpec(**common, members=tuple(_members(convert, cls)))
    fields = tuple(field for field in _fields(convert, cls, body, frame) if field.name != _CONFIGS.get(cls.kind))
    return _KINDS.get(cls.kind, _plain)(convert, cls, {**common, "fields": fields})


def _plain(_convert: Specs, _cls: ClassValue, common: dict[str, Any]) -> specs.PlainClassSpec:
    return specs.PlainClassSpec(**common)


def _model(convert: Specs, cls: ClassValue, common: dict[str, Any]) -> specs.ModelSpec:
    config, inner = _config(convert, cls), _config_class(convert, cls)
    return specs.ModelSpec(**common, config=config, config_class=inner, keywords=convert.pairs(cls.options))


def _dataclass(convert: Specs, cls: ClassValue, common: dict[str, Any]) -> specs.DataclassSpec:
    maker = cls.maker or "dataclasses.dataclass"
    made_by = (maker, maker.rpartition(".")[2])
    common["decorators"] = tuple(item for item in common["decorators"] if _decorator_name(item) not in made_by)
    config = _config(convert, cls)
    return specs.DataclassSpec(**common, maker=maker, options=convert.pairs(cls.options), config=config)


def _typed_dict(convert: Specs, cls: ClassValue, common: dict[str, Any]) -> specs.TypedDictSpec:
    total = not cls.options.get("total", NONE).is_just(False)
    keywords = convert.pairs({key: item for key, item in cls.options.items() if key != "total"})
    return specs.TypedDictSpec(**common, total=total, keywords=keywords, config=_config(convert, cls))


def _named_tuple(_convert: Specs, _cls: ClassValue, common: dict[str, Any]) -> specs.NamedTupleSpec:
    generic = tuple(base for base in common.pop("bases") if isinstance(base, specs.SubscriptSpec))
    return specs.NamedTupleSpec(**common, bases=generic)


_KINDS: dict[str, Callable[[Specs, ClassValue, dict[str, Any]], specs.ClassSpec]] = {
    **dict.fromkeys(("model", "settings"), _model),
    "dataclass": _dataclass,
    "typeddict": _typed_dict,
    "namedtuple": _named_tuple,
}


# --- fields -----------------------------------------------------------------------------------------------------------


def _fields(convert: Specs, cls: ClassValue, body: Sequence[cst.CSTNode], frame: Frame) -> Iterator[specs.FieldSpec]:
    texts = dict(_texts_below(body))
    for record in cls.records:
        annotation = _annotated(convert, cls, record, frame)
        default = convert.value(record.default) if record.default is not None else None
        site = site_of(Place(frame.module, record.statement))
        yield specs.FieldSpec(record.name, annotation, default, texts.get(record.statement), site)


def _annotated(convert: Specs, cls: ClassValue, record: FieldRecord, frame: Frame) -> specs.TypeSpec | None:
    """The type of a field as it was when the class was made, or as a forward reference resolves now."""
    if (value := record.annotation) is None:
        return None
    statement = record.statement
    written = statement.annotation.annotation if isinstance(statement, cst.AnnAssign) and cls.node else None
    at_creation = cls.kind == "settings" or cls.by_pydantic
    if not _has_unknown(value) and (at_creation or written is None or not is_late(frame.module, written)):
        return convert.type(value, frame)
    node = written or statement
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


def _texts_below(body: Sequence[cst.CSTNode]) -> Iterator[tuple[cst.CSTNode, str]]:
    """The simple statements of a class body that are followed by a text, with that text."""
    for pair in pairwise(body):
        match pair:
            case cst.SimpleStatementLine() as line, cst.SimpleStatementLine() as after:
                if (text := mere_text(after.body[0])) is not None:
                    yield line.body[-1], text


# --- functions and decorators -----------------------------------------------------------------------------------------


def _methods(convert: Specs, body: Sequence[cst.CSTNode], frame: Frame) -> Iterator[specs.MethodSpec]:
    for statement in body:
        if type(statement) is cst.FunctionDef:
            returns = convert.annotation(statement.returns.annotation, frame) if statement.returns is not None else None
            decorators = tuple(_decorator(convert, item, frame) for item in statement.decorators)
            site = site_of(Place(frame.module, statement))
            yield specs.MethodSpec(statement.name.value, decorators, returns, docstring(statement), site)


def _decorator(convert: Specs, decorator: cst.Decorator, frame: Frame) -> specs.ValueSpec:
    """A decorator as a name or call, without calling it."""
    node = decorator.decorator
    called = node if isinstance(node, cst.Call) else None
    function = called.func if called is not None else node
    if isinstance(function, cst.Attribute) and function.attr.value in ("setter", "deleter", "getter"):
        return specs.NameSpec("builtins.property")
    try:
        name = evaluate(convert.run, function, frame).outer_name
        if not name:
            return specs.UnknownSpec("a decorator of the program", reasons.UNSUPPORTED)
        if called is None:
            return specs.NameSpec(full_name(name))
        given = arguments_of(convert.run, called, frame)
    except AbstractRaise as raised:
        return specs.UnknownSpec(f"the decorator raises {raised}", reasons.FAILS)
    return convert.call(full_name(name), given)


def full_name(name: str) -> str:
    """The name of a native function or class, with its module."""
    return name if "." in name else f"builtins.{name}"


def _decorator_name(decorator: specs.ValueSpec) -> str:
    match decorator:
        case specs.NameSpec(name=name) | specs.CallValue(callee=name):
            return name
    return ""


# --- settings ---------------------------------------------------------------------------------------------------------


_CONFIGS = {
    **dict.fromkeys(("model", "settings"), "model_config"),
    **dict.fromkeys(("dataclass", "typeddict"), "__pydantic_config__"),
}
"""By kind of class: the name that is not a field but holds pydantic's settings."""


def _config(convert: Specs, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
    value = cls.names.get(_CONFIGS[cls.kind])
    if value is None:
        return None
    unknown = first_unknown(value)
    if unknown is not None:
        return convert.unknown(unknown)
    given, config = value.made_with, value.by_key
    if config is None and given is not None and given.unknown is None:
        config = given.keywords
    if config is None:
        return specs.UnknownSpec(f"{describe(value)} as {_CONFIGS[cls.kind]}", reasons.UNSUPPORTED)
    return convert.pairs(config)


def _config_class(convert: Specs, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
    inner = cls.names.get("Config", NONE).as_class
    if inner is None:
        return None
    if inner.bases:
        return specs.UnknownSpec("the inner class Config has a base", reasons.UNSUPPORTED)
    if inner.opaque is not None:
        return convert.unknown(inner.opaque)
    return convert.pairs({name: item for name, item in inner.names.items() if not name.startswith("__")})
