"""Evaluated annotations and values as specs, from which ``pdmigrate.sdk.schemas`` builds real types."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeAlias

from pdmigrate.sdk.schemas import specs
from pdmigrate.understand.demand.classes import is_renamed
from pdmigrate.understand.demand.flow import guarded
from pdmigrate.understand.demand.later import is_settled, is_text, module_scope
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.types.orders import in_another_order, kept
from pdmigrate.understand.values.calls import BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import BUDGET, MUTATED, UNSUPPORTED, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import bare_value
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, Scope, SdkObject, describe, text_of
from pdmigrate.understand.values.outside import Called, External, PathValue, Subscripted, UnionType, external_name

MOST_PARTS = 4_000
_LITERAL = frozenset({"typing.Literal", "typing_extensions.Literal"})
_COLLECTIONS: dict[type, str] = {ListValue: "list", SetValue: "set", TupleValue: "tuple"}
_NO_HINTS: Mapping[ast.expr, Value] = {}
Texts: TypeAlias = Scope | specs.UnknownSpec | None
"""Where a text that stands for a type is looked up, or why it is not."""


class Specs:
    """One conversion: a class that mentions itself becomes a reference the second time."""

    def __init__(self, run: Run, read: Mapping[ast.expr, Value] = _NO_HINTS, *, official: bool = False) -> None:
        self.run, self.read, self.official = run, read, official
        self.open: set[ClassValue] = set()
        self.done: dict[ClassValue, specs.ClassSpec | specs.UnknownSpec] = {}
        self.made: dict[ast.ClassDef | None, ClassValue] = {}
        self.parts = 0

    @staticmethod
    def unknown(value: Unknown) -> specs.UnknownSpec:
        return specs.UnknownSpec(value.reason, value.code, value.site)

    def annotation(
        self, node: ast.expr | None, scope: Scope, hints: Mapping[ast.expr, Value] = _NO_HINTS, inside: Texts = None
    ) -> specs.TypeSpec | None:
        """The type that an annotation means; ``inside``: where texts in it are looked up, if not in ``scope``."""
        if node is None:
            return None
        if node in hints:
            return self.type(hints[node], inside or scope)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.text(node.value, scope, inside)
        found: list[Value] = []
        why = ""

        def act() -> bool:
            nonlocal why
            try:
                found.append(self.run.evaluate(node, scope))
            except RaisedError as raised:
                why = f"the annotation raises {raised}"
                raise
            return True

        with suppress(RaisedError):
            guarded(self.run, act)
        return specs.UnknownSpec(why, "PD312", scope.module.site(node)) if why else self.type(found[0], inside or scope)

    def text(self, text: str, scope: Scope, inside: Texts = None) -> specs.TypeSpec:
        """The type that a text means as an annotation."""
        try:
            return self.late(ast.parse(text.strip(), mode="eval").body, scope, inside)
        except SyntaxError:
            return specs.UnknownSpec(f"{text!r} is not an annotation", UNSUPPORTED)

    def late(self, node: ast.expr, scope: Scope, inside: Texts = None) -> specs.TypeSpec:
        """The type that an annotation means that is read at any time."""
        if not is_settled(self.run, node, scope):
            return specs.UnknownSpec(f"{ast.unparse(node)!r} has a name that is bound more than once", MUTATED)
        return self.annotation(node, scope, inside=inside) or specs.NONE

    def type(self, value: Value, scope: Texts = None) -> specs.TypeSpec:
        """The type that an evaluated annotation means."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            return specs.UnknownSpec(f"a type of more than {MOST_PARTS:,} parts", BUDGET)
        if isinstance(value, Unknown):
            return self.unknown(value)
        if isinstance(value, Const) and value.value in (None, ...):
            return specs.NONE if value.value is None else specs.ELLIPSIS
        if isinstance(value, Const) and isinstance(value.value, str) and scope is not None:
            return scope if isinstance(scope, specs.UnknownSpec) else self.text(value.value, scope)
        if isinstance(value, External):
            return specs.NameSpec(value.name)
        if isinstance(value, ClassValue):
            return self.cls(value)
        if isinstance(value, (Subscripted, UnionType)):
            made = self._composed(value, scope)
            other = in_another_order(self.run, kept(value, made))
            return made if other is None else self.unknown(other)
        if isinstance(value, Called):
            return self.call(value)
        return specs.UnknownSpec(f"{describe(value)} as a type", UNSUPPORTED)

    def _composed(self, value: Subscripted | UnionType, scope: Texts) -> specs.TypeSpec:
        name = external_name(value.base) if isinstance(value, Subscripted) else "typing.Union"
        args = value.args if isinstance(value, Subscripted) else value.options
        if name in _LITERAL:
            return specs.LiteralSpec(tuple(map(self.value, self._flat(args))))
        form = name.rpartition(".")[2] if name.startswith(("typing.", "typing_extensions.")) else ""
        if form == "Annotated":
            return specs.AnnotatedSpec(self.type(args[0], scope), tuple(map(self.value, args[1:])))
        if form == "Optional":
            return specs.UnionSpec((self.type(args[0], scope), specs.NONE))
        base = self.type(value.base, scope) if isinstance(value, Subscripted) and form != "Union" else None
        inner = tuple(self.type(item, scope) for item in args)
        return specs.SubscriptSpec(base, inner) if base is not None else specs.UnionSpec(inner)

    @staticmethod
    def _flat(items: Iterable[Value]) -> list[Value]:
        found: list[Value] = []
        for item in items:
            nested = isinstance(item, Subscripted) and external_name(item) in _LITERAL
            found += Specs._flat(item.args) if nested and isinstance(item, Subscripted) else [item]
        return found

    def call(self, value: Called) -> specs.CallValue:
        return specs.CallValue(value.callee, tuple(map(self.value, value.args)), self.pairs(dict(value.kwargs)))

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> specs.ValueSpec:
        """A default, or an argument of ``Field``, as data."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            return specs.UnknownSpec(f"a value of more than {MOST_PARTS:,} parts", BUDGET)
        if isinstance(value, Maybe):
            return self.unknown(value.why)
        if isinstance(value, Const):
            return specs.ELLIPSIS if value.value is ... else specs.PlainValue(value.value)
        if isinstance(value, (ListValue, SetValue, DictValue, SdkObject)) and value.rest is not None:
            return self.unknown(value.rest)
        if isinstance(value, (ListValue, SetValue, TupleValue)):
            items = value.items if isinstance(value, TupleValue) else value.held
            return specs.ItemsValue(_COLLECTIONS[type(value)], tuple(map(self.value, items)))
        if isinstance(value, DictValue):
            return specs.MappingValue(tuple((self.value(key), self.value(item)) for key, item in value.entries()))
        if isinstance(value, (FunctionValue, BoundMethod, Partial, Native)):
            return specs.CodeValue()
        if isinstance(value, SdkObject):
            return specs.CallValue(value.type, (), self.pairs(value.data))
        if isinstance(value, Instance):
            return self._instance(value)
        if isinstance(value, Called):
            return self.call(value)
        if isinstance(value, PathValue):
            return specs.UnknownSpec("a path depends on where the program is installed", "PD303")
        return self.type(value)

    def _instance(self, value: Instance) -> specs.ValueSpec:
        spec, name = self.cls(value.cls), value.data.get("name")
        if value.cls.kind == "enum" and isinstance(name, Const) and isinstance(spec, specs.EnumSpec):
            return specs.MemberValue(spec, str(name.value))
        return specs.UnknownSpec(f"{describe(value)} as a default", UNSUPPORTED)

    def pairs(self, values: dict[str, Value]) -> tuple[tuple[str, specs.ValueSpec], ...]:
        return tuple((name, self.value(item)) for name, item in values.items())

    # --- classes ------------------------------------------------------------------------------------------------------

    def _changed(self, cls: ClassValue) -> Unknown | None:
        """Why a class is not what its body says: what it was made of was changed, or there is another one like it."""
        if is_renamed(cls) or any(item.save()[:2] != state[:2] for item, state in cls.watched):
            return Unknown(f"{cls.name} is changed after it is made", MUTATED, cls.module.site(cls.node))
        if self.made.setdefault(cls.node, cls) is not cls:
            return Unknown(f"{cls.name} is made more than once", UNSUPPORTED, cls.module.site(cls.node))
        return None

    def cls(self, cls: ClassValue) -> specs.ClassSpec | specs.UnknownSpec:
        """The spec of a class as its body says."""
        if cls in self.open:
            site = cls.module.site(cls.node)
            return specs.UnknownSpec(f"{cls.name} refers to itself", UNSUPPORTED, site, endless=True)
        if cls in self.done:
            return self.done[cls]
        refused = cls.refused or self._changed(cls)
        if refused is not None:
            return self.unknown(refused)
        self.open.add(cls)
        try:
            made = self.done[cls] = class_spec(self, cls)
        finally:
            self.open.discard(cls)
        if not self.open:
            self.done.clear()
        return made


_CONFIG = {"model": "model_config", "settings": "model_config"}


def class_spec(convert: Specs, cls: ClassValue) -> specs.ClassSpec | specs.UnknownSpec:
    """The spec of a class whose body is known."""
    documented, odd = cls.data.get("__doc__"), specs.UnknownSpec(f"a decorator of {cls.name}", "PD307")
    common: dict[str, Any] = {
        "name": cls.name,
        "module": _module(convert.run, cls) or "",
        "qualname": text_of(cls.data.get("__qualname__")) or "",
        "doc": documented.value if isinstance(documented, Const) else None,
        "decorators": tuple(convert.value(v) if isinstance(v, (External, Called)) else odd for v in cls.decorators),
        "methods": tuple(_methods(convert, cls)),
        "identity": f"{cls.module.path}:{cls.name}:{getattr(cls.node, 'lineno', 0)}",
        "bases": tuple(convert.type(base, cls.scope) for base in cls.bases),
    }
    if cls.kind == "enum":
        return specs.EnumSpec(**common, members=tuple(_members(convert, cls)))
    if "__pydantic_config__" in cls.data:
        return specs.UnknownSpec(f"{cls.name} has settings of its own", "PD307")
    if cls.kind == "plain":
        return specs.PlainClassSpec(**common)
    common["fields"] = tuple(_fields(convert, cls))
    if cls.kind in ("model", "settings"):
        config, inner = _config(convert, cls), _inner_config(convert, cls)
        return specs.ModelSpec(**common, config=config, config_class=inner, keywords=convert.pairs(cls.options))
    if cls.kind == "dataclass":
        common |= {"decorators": (), "maker": cls.maker or "dataclasses.dataclass"}
        return specs.DataclassSpec(**common, options=convert.pairs(cls.options))
    if cls.kind == "typeddict":
        given, minor = {**cls.options}, int(convert.run.versions.get("minor of python") or 0)
        total = given.pop("total", Const(True))
        if not isinstance(total, Const):
            return specs.UnknownSpec(f"whether {cls.name} is total is not known", "PD307")
        common["total"] = bool(total.value)
        common["refused"] = "typing.TypedDict" in cls.outside and (minor < 12 if minor else None)
        return specs.TypedDictSpec(**common, keywords=convert.pairs(given))
    return specs.UnknownSpec(f"{cls.name} is a named tuple", "PD307")


def _module(run: Run, cls: ClassValue) -> str | None:
    """The ``__module__`` of a class; ``None`` if another way to start, or to import, gives it another one."""
    program, module = run.program, cls.module
    if program.main == module.path:
        sure = any(server.started for server in run.servers) and not _is_imported(run, module.path)
    else:
        sure = program.tree.is_surely_named(module.path)
    return text_of(cls.data.get("__module__")) if sure else None


def _is_imported(run: Run, path: str) -> bool:
    known: dict[str, bool] = run.memory.setdefault("imported", {})
    return known[path] if path in known else known.setdefault(path, any(run.program.names.importers(path, tests=False)))


def _fields(convert: Specs, cls: ClassValue) -> Iterator[specs.FieldSpec]:
    for name, field in cls.fields.items():
        if name == _CONFIG.get(cls.kind) or (field.annotation is None and cls.kind != "model"):
            continue
        annotation = _field_type(convert, cls, field.annotation)
        default = convert.value(field.default) if field.default is not None else None
        yield specs.FieldSpec(name, annotation, default, cls.module.site(field.node))


def _field_type(convert: Specs, cls: ClassValue, node: ast.expr | None) -> specs.TypeSpec | None:
    """The type of a field.  pydantic keeps the names around a model; of other classes it knows their modules."""
    if node is None or cls.kind in _CONFIG:
        return convert.annotation(node, class_scope(cls), cls.hints)
    late = Scope("class", cls.module, module_scope(cls.scope))
    late.data = cls.data
    if is_text(cls.module, node):
        return convert.late(node, late)
    return convert.annotation(node, class_scope(cls), cls.hints, late)


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
    # What is assigned may be a hook, or what a decorator of pydantic made.
    for name, field in cls.fields.items():
        made = bare_value(field.default) if field.default is not None and field.annotation is None else None
        odd = isinstance(made, (Called, Unknown)) and cls.kind in ("dataclass", *_CONFIG) and name != "model_config"
        if field.annotation is None:
            decorators = (specs.UnknownSpec(f"{name} may be a validator", "PD307"),) if odd else ()
            yield specs.MethodSpec(name, decorators, cls.module.site(field.node))


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
        return specs.UnknownSpec(f"the decorator raises {raised}", "PD312")
    return specs.CallValue(value.name, args, convert.pairs(pairs))


def _config(convert: Specs, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
    value = cls.data.get(_CONFIG.get(cls.kind, ""))
    if value is None:
        return None
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
