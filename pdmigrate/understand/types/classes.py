"""Classes of the program as specs: their fields, methods, decorators and settings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pdmigrate.sdk.schemas import specs
from pdmigrate.understand.demand.run import RaisedError
from pdmigrate.understand.values.containers import DictValue
from pdmigrate.understand.values.core import Const, Unknown
from pdmigrate.understand.values.objects import ClassValue, Instance, Scope
from pdmigrate.understand.values.outside import Called, External

if TYPE_CHECKING:
    from pdmigrate.understand.types.annotations import Specs

_CONFIG = {"model": "model_config", "settings": "model_config"}


def class_spec(convert: Specs, cls: ClassValue, identity: str) -> specs.ClassSpec | specs.UnknownSpec:
    """The spec of a class whose body is known."""
    documented, odd = cls.data.get("__doc__"), specs.UnknownSpec(f"a decorator of {cls.name}", "PD307")
    common: dict[str, Any] = {
        "name": cls.name,
        "module": cls.module.name,
        "doc": documented.value if isinstance(documented, Const) else None,
        "decorators": tuple(convert.value(v) if isinstance(v, (External, Called)) else odd for v in cls.decorators),
        "methods": tuple(_methods(convert, cls)),
        "identity": identity,
        "bases": tuple(convert.type(base, cls.scope) for base in cls.bases),
    }
    if cls.kind == "enum":
        return specs.EnumSpec(**common, members=tuple(_members(convert, cls)))
    if "__pydantic_config__" in cls.data:
        return specs.UnknownSpec(f"{cls.name} has settings of its own", "PD307")
    common["fields"] = tuple(_fields(convert, cls))
    if cls.kind in ("model", "settings"):
        config, inner = _config(convert, cls), _inner_config(convert, cls)
        return specs.ModelSpec(**common, config=config, config_class=inner, keywords=convert.pairs(cls.options))
    if cls.kind == "dataclass":
        common["decorators"] = ()
        maker = cls.maker or "dataclasses.dataclass"
        return specs.DataclassSpec(**common, maker=maker, options=convert.pairs(cls.options))
    if cls.kind == "typeddict":
        total = cls.options.get("total") != Const(False)
        keywords = convert.pairs({name: value for name, value in cls.options.items() if name != "total"})
        return specs.TypedDictSpec(**common, total=total, keywords=keywords)
    if cls.kind == "namedtuple":
        return specs.UnknownSpec(f"{cls.name} is a named tuple", "PD307")
    return specs.PlainClassSpec(**common)


def _fields(convert: Specs, cls: ClassValue) -> Iterator[specs.FieldSpec]:
    for name, field in cls.fields.items():
        if name == _CONFIG.get(cls.kind) or (field.annotation is None and cls.kind != "model"):
            continue
        annotation = convert.annotation(field.annotation, class_scope(cls), cls.hints)
        default = convert.value(field.default) if field.default is not None else None
        yield specs.FieldSpec(name, annotation, default, cls.module.site(field.node))


def class_scope(cls: ClassValue) -> Scope:
    """The scope in which annotations are read."""
    made = Scope("class", cls.module, cls.scope, cls.node)
    made.data = cls.data
    return made


def _members(convert: Specs, cls: ClassValue) -> Iterator[tuple[str, specs.ValueSpec]]:
    for name, field in cls.fields.items():
        member = cls.data.get(name)
        if isinstance(member, Instance) and member.cls is cls and field.default is not None:
            yield name, convert.value(field.default)


def _methods(convert: Specs, cls: ClassValue) -> Iterator[specs.MethodSpec]:
    for node in cls.node.body if cls.node is not None else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            decorators = tuple(_written(convert, item, cls.scope) for item in node.decorator_list)
            yield specs.MethodSpec(node.name, decorators, cls.module.site(node))


def _written(convert: Specs, node: ast.expr, scope: Scope) -> specs.ValueSpec:
    if isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter", "getter"):
        return specs.NameSpec("builtins.property")
    called = node if isinstance(node, ast.Call) else None
    run = convert.run
    try:
        value = run.evaluate(called.func if called is not None else node, scope)
        if not isinstance(value, External):
            return specs.UnknownSpec("a decorator of the program", "PD307")
        if called is None:
            return specs.NameSpec(value.name)
        args = tuple(convert.value(run.evaluate(item, scope)) for item in called.args)
        pairs = {item.arg: run.evaluate(item.value, scope) for item in called.keywords if item.arg is not None}
    except RaisedError as raised:
        return specs.UnknownSpec(f"the decorator raises: {raised.message}", "PD312")
    return specs.CallValue(value.name, args, convert.pairs(pairs))


def _config(convert: Specs, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
    value = cls.data.get(_CONFIG.get(cls.kind, ""))
    if value is None:
        return None
    if isinstance(value, Called) and not value.args:
        return convert.pairs(dict(value.kwargs))
    if isinstance(value, DictValue) and value.exact:
        return convert.pairs({key.value: item for key, item in value.entries() if isinstance(key, Const)})
    if isinstance(value, Unknown):
        return convert.unknown(value)
    return specs.UnknownSpec(f"the settings of {cls.name}", "PD307")


def _inner_config(convert: Specs, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
    inner = cls.data.get("Config")
    if not isinstance(inner, ClassValue):
        return None
    if inner.bases or inner.refused:
        return specs.UnknownSpec("the inner class Config is not plain", "PD307")
    return convert.pairs({name: item for name, item in inner.data.items() if not name.startswith("__")})
