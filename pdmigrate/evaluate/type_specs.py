"""From evaluated classes and annotations to the specs that ``pdmigrate.schemas`` builds real types from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.models import FieldDefault
from pdmigrate.evaluate.provenance import site_of
from pdmigrate.evaluate.python_values import describe
from pdmigrate.evaluate.scopes import first_unknown
from pdmigrate.evaluate.values import (
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    EllipsisValue,
    External,
    FieldRecord,
    FunctionValue,
    Instance,
    ListValue,
    Maybe,
    Native,
    Partial,
    Place,
    Scope,
    SetValue,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Frame, Interpreter

DEEPEST = 40


class Specs:
    """One conversion: a class that mentions itself is a reference the second time."""

    def __init__(self, run: Interpreter) -> None:
        self.run = run
        self.open: set[ClassValue] = set()
        self.named: dict[tuple[str, str], ClassValue] = {}
        self.depth = 0

    # --- types --------------------------------------------------------------------------------------------------------

    def type(self, value: Value, frame: Frame | None = None) -> specs.TypeSpec:
        """The type that an evaluated annotation means."""
        unknown = first_unknown(value)
        if unknown is not None:
            return specs.UnknownSpec(unknown.reason, unknown.code, site_of(unknown.place))
        if isinstance(value, ClassValue):
            return self.cls(value)
        if isinstance(value, Subscripted):
            return self._subscripted(value, frame)
        if isinstance(value, External):
            return self._named(value)
        if isinstance(value, Native):
            return specs.NameSpec(value.name if "." in value.name else f"builtins.{value.name}")
        if isinstance(value, Const) and value.value is None:
            return specs.NONE
        if isinstance(value, Const) and isinstance(value.value, str) and frame is not None:
            return self._forward(value.value, frame)
        if isinstance(value, EllipsisValue):
            return specs.ELLIPSIS
        return specs.UnknownSpec(f"{describe(value)} as a type", reasons.UNSUPPORTED)

    def _named(self, value: External) -> specs.NameSpec | specs.CallValue:
        if value.arguments is None:
            return specs.NameSpec(value.name)
        return specs.CallValue(
            value.name.removesuffix("()"),
            tuple(self.value(item) for item in value.arguments.positional),
            tuple((name, self.value(item)) for name, item in value.arguments.keywords.items()),
        )

    def _forward(self, text: str, frame: Frame) -> specs.TypeSpec:
        """A type written as text."""
        try:
            node = cst.parse_expression(text.strip())
        except (cst.ParserSyntaxError, RecursionError):
            return specs.UnknownSpec(f"{text!r} is no type", reasons.INVALID)
        return self.annotation(node, frame)

    def annotation(self, node: cst.BaseExpression, frame: Frame) -> specs.TypeSpec:
        """The type of an annotation in source."""
        from pdmigrate.evaluate.interpreter import AbstractRaise

        self.depth += 1
        try:
            if self.depth > DEEPEST:
                return specs.UnknownSpec("the types are nested too deeply", reasons.BUDGET)
            return self.type(self.run.evaluate(node, frame), frame)
        except AbstractRaise as raised:
            return specs.UnknownSpec(f"the annotation raises {raised}", reasons.FAILS)
        finally:
            self.depth -= 1

    def _subscripted(self, value: Subscripted, frame: Frame | None) -> specs.TypeSpec:
        base = value.base
        name = base.name.rpartition(".")[2] if isinstance(base, External) else ""
        if name == "Literal":
            return specs.LiteralSpec(tuple(self.value(item) for item in value.args))
        types = tuple(self._argument(item, frame) for item in value.args)
        if name == "Annotated" and value.args:
            return specs.AnnotatedSpec(self.type(value.args[0], frame), tuple(map(self.value, value.args[1:])))
        if name == "Union":
            return specs.UnionSpec(tuple(self.type(item, frame) for item in value.args))
        if name == "Optional" and value.args:
            return specs.UnionSpec((self.type(value.args[0], frame), specs.NONE))
        return specs.SubscriptSpec(self.type(base, frame), types)

    def _argument(self, value: Value, frame: Frame | None) -> specs.ValueSpec:
        if isinstance(value, ListValue):
            return specs.ItemsValue("list", tuple(self.type(item, frame) for item in value.items))
        return self.type(value, frame)

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> specs.ValueSpec:
        """A default, or metadata."""
        if isinstance(value, Const) and not isinstance(value.value, timedelta):
            return specs.PlainValue(value.value)
        if isinstance(value, FieldDefault):
            callee = {"pydantic": "pydantic.Field", "dataclass": "dataclasses.field"}.get(value.which, value.which)
            return specs.CallValue(callee, tuple(map(self.value, value.positional)), self._pairs(value.keywords))
        if isinstance(value, (ListValue, TupleValue, SetValue)):
            return self._items(value)
        if isinstance(value, DictValue):
            if not value.exact:
                return self._unknown(value)
            return specs.DictValue(
                tuple((self.value(entry.key), self.value(entry.value)) for entry in value.entries.values())
            )
        if isinstance(value, Instance):
            return self._instance(value)
        if isinstance(value, (FunctionValue, BoundMethod, Partial)):
            return specs.FunctionValue(getattr(value, "name", ""))
        return self.type(value)

    def _items(self, value: ListValue | TupleValue | SetValue) -> specs.ValueSpec:
        if not isinstance(value, TupleValue) and not value.exact:
            return self._unknown(value)
        items = list(value.items.values()) if isinstance(value, SetValue) else value.items
        kind = "set" if isinstance(value, SetValue) else "list" if isinstance(value, ListValue) else "tuple"
        return specs.ItemsValue(kind, tuple(map(self.value, items)))

    def _unknown(self, value: ListValue | SetValue | DictValue) -> specs.UnknownSpec:
        items = value.items if isinstance(value, ListValue) else ()
        doubt = next((item.guard.unknown for item in items if isinstance(item, Maybe)), None)
        unknown = value.rest or doubt or reasons.unknown(reasons.CONDITION, "part of it depends on a condition")
        return specs.UnknownSpec(unknown.reason, unknown.code, site_of(unknown.place))

    def _instance(self, value: Instance) -> specs.ValueSpec:
        name = value.names.get("_name_")
        if value.cls.kind == "enum" and isinstance(name, Const):
            enum = self.cls(value.cls)
            if isinstance(enum, (specs.EnumSpec, specs.RefSpec)):
                return specs.MemberValue(enum, str(name.value))
        if value.cls.kind in ("model", "dataclass") and value.rest is None:
            cls = self.cls(value.cls)
            if not isinstance(cls, specs.UnknownSpec):
                return specs.InstanceValue(cls, self._pairs(value.names))
        return specs.UnknownSpec(f"{describe(value)} as a default", reasons.UNSUPPORTED)

    def _pairs(self, values: dict[str, Value]) -> tuple[tuple[str, specs.ValueSpec], ...]:
        return tuple((name, self.value(item)) for name, item in values.items())

    # --- classes ------------------------------------------------------------------------------------------------------

    def cls(self, cls: ClassValue) -> specs.ClassSpec | specs.RefSpec | specs.UnknownSpec:
        """The class as it stands in source."""
        identity = f"{cls.module.name if cls.module else ''}:{cls.name}:{cls.serial}"
        if cls in self.open:
            return specs.RefSpec(identity)
        if cls.node is None or cls.module is None or len(self.open) > DEEPEST:
            return specs.UnknownSpec(f"the class {cls.name} cannot be read", reasons.UNSUPPORTED)
        if not cls.fields.exact:
            return specs.UnknownSpec(f"the fields of {cls.name} depend on a condition", reasons.CONDITION)
        if cls.opaque is not None:
            return specs.UnknownSpec(cls.opaque.reason, cls.opaque.code, site_of(cls.opaque.place))
        changed = self._changed(cls)
        if changed is not None:
            return specs.UnknownSpec(changed.reason, changed.code, site_of(changed.place))
        self.open.add(cls)
        try:
            return self._class(cls, cls.node, identity)
        finally:
            self.open.discard(cls)

    def _changed(self, cls: ClassValue) -> UnknownValue | None:
        """Why a class is not certainly the one that its body made, by its name and for itself."""
        from pdmigrate.evaluate.annotations import changed_since

        other = self.named.setdefault((cls.module.path if cls.module else "", cls.name), cls)
        if other is not cls and any(made.scope is None or made.scope.kind != "module" for made in (cls, other)):
            return reasons.unknown(reasons.UNSUPPORTED, f"two classes are called {cls.name}")
        return changed_since(cls)

    def _class(self, cls: ClassValue, node: cst.ClassDef, identity: str) -> specs.ClassSpec | specs.UnknownSpec:
        assert cls.module is not None
        frame = self._frame(cls)
        doc = cls.names.get("__doc__")
        text = doc.value if isinstance(doc, Const) and isinstance(doc.value, str) else None
        decorators, methods = self._decorators(cls, node, frame), tuple(self._methods(node, frame))
        bases = tuple(self.type(base, frame) for base in cls.bases)
        name, module = cls.name, cls.module.name
        if cls.kind == "enum":
            return specs.EnumSpec(
                name=name, module=module, doc=text, decorators=decorators, methods=methods, identity=identity,
                bases=bases, members=tuple(self._members(cls)),
            )  # fmt: skip
        fields = tuple(self._fields(cls, node, frame))
        if cls.kind in ("model", "settings"):
            return specs.ModelSpec(
                name=name, module=module, doc=text, decorators=decorators, methods=methods, identity=identity,
                bases=bases, fields=tuple(f for f in fields if f.name != "model_config"),
                config=self._config(cls, "model_config"), config_class=self._config_class(cls),
                keywords=self._pairs(cls.options),
            )  # fmt: skip
        if cls.kind == "dataclass":
            maker = cls.maker or "dataclasses.dataclass"
            own = tuple(d for d in decorators if _decorator_name(d) not in (maker, maker.rpartition(".")[2]))
            return specs.DataclassSpec(
                name=name, module=module, doc=text, decorators=own, methods=methods, identity=identity,
                maker=maker, options=self._pairs(cls.options), bases=bases, fields=fields,
            )  # fmt: skip
        if cls.kind == "typeddict":
            total = cls.options.get("total")
            rest = {key: item for key, item in cls.options.items() if key != "total"}
            return specs.TypedDictSpec(
                name=name, module=module, doc=text, decorators=decorators, methods=methods, identity=identity,
                bases=bases, fields=fields, total=not (isinstance(total, Const) and total.value is False),
                keywords=self._pairs(rest),
            )  # fmt: skip
        if cls.kind == "namedtuple":
            return specs.NamedTupleSpec(
                name=name, module=module, doc=text, decorators=decorators, methods=methods, identity=identity,
                fields=fields,
            )  # fmt: skip
        return specs.PlainClassSpec(
            name=name, module=module, doc=text, decorators=decorators, methods=methods, identity=identity,
            bases=bases, fields=fields,
        )  # fmt: skip

    def _frame(self, cls: ClassValue) -> Frame:
        """Where forward references of ``cls`` are looked up: its own names, then those around it."""
        from pdmigrate.evaluate.annotations import hiding
        from pdmigrate.evaluate.interpreter import Frame

        assert cls.module is not None
        fields = {record.name for record in _records(cls) if record.annotation is not None}
        names = hiding(cls.names, fields)
        return Frame(Scope(names=names, kind="class", parent=cls.scope, module=cls.module), cls.module)

    def _fields(self, cls: ClassValue, node: cst.ClassDef, frame: Frame) -> Iterator[specs.FieldSpec]:
        texts = dict(_texts_below(node.body.body))
        for record in _records(cls):
            annotation = None
            if isinstance(record.statement, cst.AnnAssign) and record.annotation is not None:
                annotation = self._annotated(cls, record.annotation, record.statement.annotation.annotation, frame)
            default = self.value(record.default) if record.default is not None else None
            site = site_of(Place(frame.module, record.statement))
            yield specs.FieldSpec(record.name, annotation, default, texts.get(record.statement), site)

    def _annotated(self, cls: ClassValue, value: Value, node: cst.BaseExpression, frame: Frame) -> specs.TypeSpec:
        """The type of a field: as it was when the class was made, or what a forward reference means by now."""
        from pdmigrate.evaluate.annotations import is_late, rebound

        at_creation = cls.kind in ("model", "settings") or cls.maker.startswith("pydantic.")
        if not _has_unknown(value) and (at_creation or not is_late(frame.module, node)):
            return self.type(value, frame)
        unknown = rebound(frame.module, node)
        if unknown is not None:
            return specs.UnknownSpec(unknown.reason, unknown.code, site_of(Place(frame.module, node)))
        return self.annotation(node, frame)

    def _members(self, cls: ClassValue) -> Iterator[tuple[str, specs.ValueSpec]]:
        from pdmigrate.evaluate.classes import AutoValue

        for record in _records(cls):
            if record.name in cls.members and record.default is not None:
                automatic = isinstance(record.default, AutoValue)
                yield record.name, specs.CallValue("enum.auto") if automatic else self.value(record.default)

    def _methods(self, node: cst.ClassDef, frame: Frame) -> Iterator[specs.MethodSpec]:
        for statement in node.body.body:
            if isinstance(statement, cst.FunctionDef):
                returns = (
                    self.annotation(statement.returns.annotation, frame) if statement.returns is not None else None
                )
                yield specs.MethodSpec(
                    statement.name.value,
                    tuple(self._decorator(item.decorator, frame) for item in statement.decorators),
                    returns,
                    statement.get_docstring(clean=False),
                    site_of(Place(frame.module, statement)),
                )

    def _decorators(self, cls: ClassValue, node: cst.ClassDef, frame: Frame) -> tuple[specs.ValueSpec, ...]:
        del cls
        return tuple(self._decorator(item.decorator, frame) for item in node.decorators)

    def _decorator(self, node: cst.BaseExpression, frame: Frame) -> specs.ValueSpec:
        """A decorator by its name, without calling it."""
        from pdmigrate.evaluate.expressions import arguments_of
        from pdmigrate.evaluate.interpreter import AbstractRaise

        function = node.func if isinstance(node, cst.Call) else node
        if isinstance(function, cst.Attribute) and function.attr.value in ("setter", "deleter", "getter"):
            return specs.NameSpec("builtins.property")
        try:
            value = self.run.evaluate(function, frame)
            name = value.name if isinstance(value, (External, Native)) else None
            if name is None:
                return specs.UnknownSpec("a decorator of the program", reasons.UNSUPPORTED)
            name = name if "." in name else f"builtins.{name}"
            if not isinstance(node, cst.Call):
                return specs.NameSpec(name)
            given = arguments_of(self.run, node, frame)
        except AbstractRaise as raised:
            return specs.UnknownSpec(f"the decorator raises {raised}", reasons.FAILS)
        return specs.CallValue(name, tuple(map(self.value, given.positional)), self._pairs(given.keywords))

    def _config(self, cls: ClassValue, name: str) -> specs.Arguments | specs.UnknownSpec | None:
        value = cls.names.get(name)
        if value is None:
            return None
        unknown = first_unknown(value)
        if unknown is not None:
            return specs.UnknownSpec(unknown.reason, unknown.code, site_of(unknown.place))
        if isinstance(value, External) and value.arguments is not None and value.arguments.unknown is None:
            return self._pairs(value.arguments.keywords)
        if isinstance(value, DictValue) and value.exact:
            return tuple((str(key), self.value(entry.value)) for key, entry in value.entries.items())
        return specs.UnknownSpec(f"{describe(value)} as {name}", reasons.UNSUPPORTED)

    def _config_class(self, cls: ClassValue) -> specs.Arguments | specs.UnknownSpec | None:
        value = cls.names.get("Config")
        if not isinstance(value, ClassValue):
            return None
        if value.bases:
            return specs.UnknownSpec("the inner class Config has a base", reasons.UNSUPPORTED)
        if value.opaque is not None:
            return specs.UnknownSpec(value.opaque.reason, value.opaque.code, site_of(value.opaque.place))
        return self._pairs({name: item for name, item in value.names.items() if not name.startswith("__")})


def _records(cls: ClassValue) -> list[FieldRecord]:
    return [record for record in cls.fields.items if isinstance(record, FieldRecord)]


def _has_unknown(value: Value) -> bool:
    """Whether a type, or an argument of it, is not known, or is text that stands for a type."""
    if isinstance(value, Subscripted):
        literal = isinstance(value.base, External) and value.base.name.endswith(".Literal")
        annotated = isinstance(value.base, External) and value.base.name.endswith(".Annotated")
        args = () if literal else value.args[:1] if annotated else value.args
        return _has_unknown(value.base) or any(map(_has_unknown, args))
    if isinstance(value, (ListValue, TupleValue)):
        return any(map(_has_unknown, value.items))
    return first_unknown(value) is not None or (isinstance(value, Const) and isinstance(value.value, str))


def _texts_below(
    body: Sequence[cst.BaseStatement | cst.BaseSmallStatement],
) -> Iterator[tuple[cst.CSTNode, str]]:
    """The simple statements of a class body that a text stands below, with that text."""
    for line, after in pairwise(body):
        if isinstance(line, cst.SimpleStatementLine) and isinstance(after, cst.SimpleStatementLine):
            text = _text(after.body[0])
            if text is not None:
                yield line.body[-1], text


def _text(statement: cst.BaseSmallStatement) -> str | None:
    if isinstance(statement, cst.Expr) and isinstance(statement.value, (cst.SimpleString, cst.ConcatenatedString)):
        value = statement.value.evaluated_value
        return value if isinstance(value, str) else None
    return None


def _decorator_name(decorator: specs.ValueSpec) -> str:
    if isinstance(decorator, specs.NameSpec):
        return decorator.name
    return decorator.callee if isinstance(decorator, specs.CallValue) else ""
