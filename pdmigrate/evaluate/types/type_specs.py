"""Convert evaluated classes and annotations to the specs from which ``pdmigrate.schemas`` builds real types."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.operations import evaluate
from pdmigrate.evaluate.core.provenance import site_of
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    EllipsisValue,
    External,
    FunctionValue,
    Instance,
    ListValue,
    Native,
    Partial,
    SetValue,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
    doubt_among,
)
from pdmigrate.evaluate.types.class_specs import class_spec, not_certain
from pdmigrate.evaluate.types.library_types import made_type
from pdmigrate.evaluate.types.model_names import FieldDefault, accepted
from pdmigrate.evaluate.types.models import fields_of
from pdmigrate.evaluate.types.typing_cache import in_another_order
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter

DEEPEST = 40
MOST_PARTS = 4_000
"""The most parts of a type, members of a literal or elements of a default: more take pydantic and us seconds."""
DEEPEST_ARGUMENTS = 8
"""pydantic names a generic class by all of its arguments, so nested ones have names that grow without bound."""

GENERIC = frozenset({"typing.Generic", "typing_extensions.Generic", "typing.Protocol", "typing_extensions.Protocol"})


class Specs:
    """One conversion: a class that mentions itself becomes a reference the second time."""

    def __init__(self, run: Interpreter) -> None:
        self.run = run
        self.open: set[Value] = set()
        """The classes, and the types that library calls made, that are being converted now."""
        self.named: dict[tuple[str, str], ClassValue] = {}
        self.numbers: dict[Value, int] = {}
        self.done: dict[ClassValue, specs.ClassSpec | specs.UnknownSpec] = {}
        """The classes converted so far inside the outermost open class."""
        self.arguments = 0
        """How deeply types are nested in the arguments of generic classes."""
        self.depth = 0
        self.nested = self.parts = 0
        """How deep the current type is nested in others, and how many parts the outermost type has so far."""

    def number(self, value: Value) -> int:
        """A number that tells objects of one name apart; an object has the same number each time."""
        return self.numbers.setdefault(value, len(self.numbers))

    @staticmethod
    def unknown(value: UnknownValue) -> specs.UnknownSpec:
        return specs.UnknownSpec(value.reason, value.code, site_of(value.place))

    # --- types --------------------------------------------------------------------------------------------------------

    def type(self, value: Value, frame: Frame | None = None) -> specs.TypeSpec:
        """The type that an evaluated annotation means."""
        # A type that is part of many types is traversed once for each of them.
        self.run.budget.step()
        self.parts = self.parts + 1 if self.nested else 0
        if self.parts > MOST_PARTS:
            return specs.UnknownSpec(f"a type of more than {MOST_PARTS:,} parts", reasons.BUDGET)
        self.nested += 1
        try:
            return self._parts_of(value, frame)
        finally:
            self.nested -= 1

    def _parts_of(self, value: Value, frame: Frame | None) -> specs.TypeSpec:
        unknown = first_unknown(value)
        if unknown is not None:
            return self.unknown(unknown)
        if isinstance(value, ClassValue):
            return self.cls(value)
        if isinstance(value, Subscripted):
            return self._subscripted(value, frame)
        if isinstance(value, External):
            return self._named(value)
        if isinstance(value, Native):
            return specs.NameSpec(value.name if "." in value.name else f"builtins.{value.name}")
        if value.is_just(None):
            return specs.NONE
        if (text := value.text) is not None and frame is not None:
            return self._forward(text, frame)
        if isinstance(value, EllipsisValue):
            return specs.ELLIPSIS
        return specs.UnknownSpec(f"{describe(value)} as a type", reasons.UNSUPPORTED)

    def _named(self, value: External) -> specs.TypeSpec:
        if value.arguments is None:
            return specs.NameSpec(value.name)
        if value.arguments.unknown is not None:
            return self.unknown(value.arguments.unknown)
        return made_type(self, value) or specs.CallValue(
            value.name.removesuffix("()"),
            tuple(self.value(item) for item in value.arguments.positional),
            self.pairs(value.arguments.keywords),
        )

    def _forward(self, text: str, frame: Frame) -> specs.TypeSpec:
        """The type that an annotation written as text means."""
        try:
            node = cst.parse_expression(text.strip())
        except (cst.ParserSyntaxError, RecursionError):
            return specs.UnknownSpec(f"{text!r} is no type", reasons.INVALID)
        return self.annotation(node, frame)

    def annotation(self, node: cst.BaseExpression, frame: Frame) -> specs.TypeSpec:
        """The type of an annotation in source."""
        if isinstance(node, cst.Subscript) and len(node.slice) > MOST_PARTS:
            return specs.UnknownSpec(f"a type of {len(node.slice):,} parts", reasons.BUDGET)
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                return specs.UnknownSpec("the types are nested too deeply", reasons.BUDGET)
            return self.type(evaluate(self.run, node, frame), frame)
        except AbstractRaise as raised:
            return specs.UnknownSpec(f"the annotation raises {raised}", reasons.FAILS)
        finally:
            self.depth -= 1

    def _subscripted(self, value: Subscripted, frame: Frame | None) -> specs.TypeSpec:
        base = value.base
        name = base.library_name.rpartition(".")[2]
        if len(value.args) > MOST_PARTS:
            return specs.UnknownSpec(f"a type of {len(value.args):,} parts", reasons.BUDGET)
        if name == "Literal":
            charge(len(value.args))
            return specs.LiteralSpec(tuple(self.value(item) for item in value.args))
        if (order := in_another_order(self.run, value)) is not None:
            return self.unknown(order)
        text = any(arg.text is not None for arg in value.args)
        if text and isinstance(base, ClassValue) and base.kind == "model":
            # pydantic takes the text itself for the type.
            return specs.UnknownSpec(f"{base.name} has text for a type among its arguments", reasons.UNSUPPORTED)
        if isinstance(base, ClassValue) and self.arguments >= DEEPEST_ARGUMENTS:
            return specs.UnknownSpec("generic classes are nested too deeply", reasons.BUDGET)
        if name == "Annotated" and value.args:
            return specs.AnnotatedSpec(self.type(value.args[0], frame), tuple(map(self.value, value.args[1:])))
        if name == "Union":
            return specs.UnionSpec(tuple(self.type(item, frame) for item in value.args))
        if name == "Optional" and value.args:
            return specs.UnionSpec((self.type(value.args[0], frame), specs.NONE))
        self.arguments += isinstance(base, ClassValue)
        types = tuple(self._argument(item, frame) for item in value.args)
        self.arguments -= isinstance(base, ClassValue)
        return specs.SubscriptSpec(self.type(base, frame), types)

    def _argument(self, value: Value, frame: Frame | None) -> specs.ValueSpec:
        if isinstance(value, ListValue):
            return specs.ItemsValue("list", tuple(self.type(item, frame) for item in value.items))
        return self.type(value, frame)

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> specs.ValueSpec:
        """The spec of a default, or of metadata."""
        if isinstance(value, Const):
            return _timedelta(value.value) if isinstance(value.value, timedelta) else specs.PlainValue(value.value)
        if isinstance(value, FieldDefault):
            callee = {"pydantic": "pydantic.Field", "dataclass": "dataclasses.field"}.get(value.which, value.which)
            return specs.CallValue(callee, tuple(map(self.value, value.positional)), self.pairs(value.keywords))
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
            # pydantic is never let call it: a part of a schema that depends on the function is unknown.
            return specs.FunctionValue(value.name if isinstance(value, FunctionValue) else "")
        return self.type(value)

    def _items(self, value: ListValue | TupleValue | SetValue) -> specs.ValueSpec:
        if not isinstance(value, TupleValue) and not value.exact:
            return self._unknown(value)
        items = list(value.items.values()) if isinstance(value, SetValue) else value.items
        charge(len(items))
        if len(items) > MOST_PARTS:
            return specs.UnknownSpec(f"a value of {len(items):,} parts", reasons.BUDGET)
        kind = "set" if isinstance(value, SetValue) else "list" if isinstance(value, ListValue) else "tuple"
        return specs.ItemsValue(kind, tuple(map(self.value, items)))

    def _unknown(self, value: ListValue | SetValue | DictValue) -> specs.UnknownSpec:
        items = value.items if isinstance(value, ListValue) else ()
        doubt = doubt_among(items)
        unknown = value.rest or doubt or reasons.unknown(reasons.CONDITION, "part of it depends on a condition")
        return self.unknown(unknown)

    def _instance(self, value: Instance) -> specs.ValueSpec:
        name = value.names.get("_name_")
        if value.cls.kind == "enum" and isinstance(name, Const):
            enum = self.cls(value.cls)
            if isinstance(enum, (specs.EnumSpec, specs.RefSpec)):
                return specs.MemberValue(enum, str(name.value))
        if value.cls.kind in ("model", "dataclass") and value.rest is None and not is_generic(value.cls):
            cls, given = self.cls(value.cls), _given(value)
            if isinstance(given, UnknownValue):
                return self.unknown(given)
            if not isinstance(cls, specs.UnknownSpec):
                return specs.InstanceValue(cls, self.pairs(given))
        return specs.UnknownSpec(f"{describe(value)} as a default", reasons.UNSUPPORTED)

    def pairs(self, values: dict[str, Value]) -> tuple[tuple[str, specs.ValueSpec], ...]:
        return tuple((name, self.value(item)) for name, item in values.items())

    # --- classes ------------------------------------------------------------------------------------------------------

    def cls(self, cls: ClassValue) -> specs.ClassSpec | specs.RefSpec | specs.UnknownSpec:
        """The spec of a class as it stands in source, or a reference if that class is being converted."""
        identity = f"{cls.module.name if cls.module else ''}:{cls.name}:{cls.serial}"
        if cls in self.open:
            return specs.RefSpec(identity)
        if cls.module is None or len(self.open) > DEEPEST:
            return specs.UnknownSpec(f"the class {cls.name} cannot be read", reasons.UNSUPPORTED)
        if cls in self.done:
            return self.done[cls]
        unknown = not_certain(self, cls)
        if unknown is not None:
            return self.unknown(unknown)
        self.open.add(cls)
        try:
            made = self.done[cls] = class_spec(self, cls, identity)
        finally:
            self.open.discard(cls)
        if not self.open:
            # A reference resolves only to a class that was converted together with it.
            self.done.clear()
        return made


def _given(value: Instance) -> dict[str, Value] | UnknownValue:
    """The values of an instance by the keywords under which its class accepts them."""
    if not value.cls.by_pydantic:
        return value.names
    fields, given = fields_of(value.cls), {}
    for name, item in value.names.items():
        names = accepted(value.cls, fields[name].owner, name) if name in fields else (name,)
        if isinstance(names, UnknownValue):
            return names
        given[names[0]] = item
    return given


def _timedelta(value: timedelta) -> specs.CallValue:
    parts = {"days": value.days, "seconds": value.seconds, "microseconds": value.microseconds}
    return specs.CallValue(
        "datetime.timedelta", (), tuple((name, specs.PlainValue(number)) for name, number in parts.items() if number)
    )


def is_generic(cls: ClassValue) -> bool:
    """Whether the types of a class's fields may depend on its type arguments."""
    return not cls.outside.isdisjoint(GENERIC)
