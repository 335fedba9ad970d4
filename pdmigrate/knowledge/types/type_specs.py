"""Convert evaluated classes and annotations to the specs from which ``pdmigrate.schemas`` builds real types."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.operations import evaluate
from pdmigrate.evaluate.core.provenance import site_of
from pdmigrate.evaluate.core.python_values import NotPlain, describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    EllipsisValue,
    External,
    FieldDefault,
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
from pdmigrate.knowledge.types.class_specs import class_spec, full_name, not_certain
from pdmigrate.knowledge.types.library_types import made_type
from pdmigrate.knowledge.types.model_names import accepted
from pdmigrate.knowledge.types.models import fields_of
from pdmigrate.knowledge.types.typing_cache import in_another_order
from pdmigrate.schemas import specs

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter

DEEPEST = 40
MOST_PARTS = 4_000
"""The most parts of a type, members of a literal or elements of a default: more take seconds, here and in pydantic."""
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
            unknown = first_unknown(value)
            return self.unknown(unknown) if unknown is not None else TYPE_SPECS[type(value)](self, value, frame)
        finally:
            self.nested -= 1

    def other_type(self, value: Value, frame: Frame | None) -> specs.TypeSpec:
        if value.is_just(None):
            return specs.NONE
        if (text := value.text) is not None and frame is not None:
            return self._forward(text, frame)
        return specs.UnknownSpec(f"{describe(value)} as a type", reasons.UNSUPPORTED)

    def outside(self, value: External, _frame: Frame | None) -> specs.TypeSpec:
        if value.arguments is None:
            return specs.NameSpec(value.name)
        return made_type(self, value) or self.call(value.name.removesuffix("()"), value.arguments)

    def _forward(self, text: str, frame: Frame) -> specs.TypeSpec:
        """The type that an annotation written as text means."""
        try:
            node = cst.parse_expression(text.strip())
        except (cst.ParserSyntaxError, RecursionError):
            return specs.UnknownSpec(f"{text!r} is not a type", reasons.INVALID)
        return self.annotation(node, frame)

    def annotation(self, node: cst.BaseExpression, frame: Frame) -> specs.TypeSpec:
        """The type of an annotation in source."""
        if (parts := len(getattr(node, "slice", ()))) > MOST_PARTS:
            return specs.UnknownSpec(f"a type of {parts:,} parts", reasons.BUDGET)
        self.depth += 1
        try:
            if self.depth > DEEPEST:
                return specs.UnknownSpec("the types are nested too deeply", reasons.BUDGET)
            return self.type(evaluate(self.run, node, frame), frame)
        except AbstractRaise as raised:
            return specs.UnknownSpec(f"the annotation raises {raised}", reasons.FAILS)
        finally:
            self.depth -= 1

    def subscripted(self, value: Subscripted, frame: Frame | None) -> specs.TypeSpec:
        cls, name = value.base.as_class, value.generic.rpartition(".")[2]
        if len(value.args) > MOST_PARTS:
            return specs.UnknownSpec(f"a type of {len(value.args):,} parts", reasons.BUDGET)
        if name == "Literal":
            charge(len(value.args))
            return specs.LiteralSpec(tuple(map(self.value, value.args)))
        if (order := in_another_order(self.run, value)) is not None:
            return self.unknown(order)
        if cls is not None and cls.kind == "model" and any(arg.text is not None for arg in value.args):
            # pydantic takes the text itself for the type.
            return specs.UnknownSpec(f"{cls.name} has text for a type among its arguments", reasons.UNSUPPORTED)
        if cls is not None and self.arguments >= DEEPEST_ARGUMENTS:
            return specs.UnknownSpec("generic classes are nested too deeply", reasons.BUDGET)
        if name == "Annotated" and value.args:
            return specs.AnnotatedSpec(self.type(value.args[0], frame), tuple(map(self.value, value.args[1:])))
        if name == "Union":
            return specs.UnionSpec(tuple(self.type(item, frame) for item in value.args))
        if name == "Optional" and value.args:
            return specs.UnionSpec((self.type(value.args[0], frame), specs.NONE))
        self.arguments += cls is not None
        types = tuple(self._argument(item, frame) for item in value.args)
        self.arguments -= cls is not None
        return specs.SubscriptSpec(self.type(value.base, frame), types)

    def _argument(self, value: Value, frame: Frame | None) -> specs.ValueSpec:
        if isinstance(value, ListValue):
            return specs.ItemsValue("list", tuple(self.type(item, frame) for item in value.items))
        return self.type(value, frame)

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> specs.ValueSpec:
        """The spec of a default, or of metadata."""
        return VALUE_SPECS[type(value)](self, value)

    def call(self, callee: str, given: Arguments) -> specs.CallValue | specs.UnknownSpec:
        if given.unknown is not None:
            return self.unknown(given.unknown)
        return specs.CallValue(callee, tuple(map(self.value, given.positional)), self.pairs(given.keywords))

    def mapping(self, value: DictValue) -> specs.ValueSpec:
        if not value.exact:
            return self._inexact(value)
        return specs.MappingValue(
            tuple((self.value(entry.key), self.value(entry.value)) for entry in value.entries.values())
        )

    def items(self, kind: str, value: ListValue | TupleValue | SetValue, items: Collection[Value]) -> specs.ValueSpec:
        if not value.exact:
            return self._inexact(value)
        charge(len(items))
        if len(items) > MOST_PARTS:
            return specs.UnknownSpec(f"a value of {len(items):,} parts", reasons.BUDGET)
        return specs.ItemsValue(kind, tuple(map(self.value, items)))

    def _inexact(self, value: Value) -> specs.UnknownSpec:
        unknown = value.rest or doubt_among(value.sequence or ())
        return self.unknown(unknown or reasons.unknown(reasons.CONDITION, "part of it depends on a condition"))

    def instance(self, value: Instance) -> specs.ValueSpec:
        cls, name = value.cls, value.names.get("_name_", NONE).scalar
        if cls.kind == "enum" and name is not None:
            enum = self.cls(cls)
            if isinstance(enum, (specs.EnumSpec, specs.RefSpec)):
                return specs.MemberValue(enum, str(name.value))
        if cls.kind in ("model", "dataclass") and value.rest is None and not is_generic(cls):
            spec = self.cls(cls)
            try:
                given = _given(value)
            except NotPlain as reason:
                return self.unknown(reason.unknown)
            if not isinstance(spec, specs.UnknownSpec):
                return specs.InstanceValue(spec, self.pairs(given))
        return specs.UnknownSpec(f"{describe(value)} as a default", reasons.UNSUPPORTED)

    def pairs(self, values: Mapping[str, Value]) -> tuple[tuple[str, specs.ValueSpec], ...]:
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


TYPE_SPECS: Kinds[Callable[[Specs, Any, Frame | None], specs.TypeSpec]] = Kinds()
TYPE_SPECS.of(Value)(Specs.other_type)
TYPE_SPECS.of(ClassValue)(lambda convert, value, _: convert.cls(value))
TYPE_SPECS.of(Subscripted)(Specs.subscripted)
TYPE_SPECS.of(External)(Specs.outside)
TYPE_SPECS.of(Native)(lambda _, value, _frame: specs.NameSpec(full_name(value.name)))
TYPE_SPECS.of(EllipsisValue)(lambda *_: specs.ELLIPSIS)
VALUE_SPECS: Kinds[Callable[[Specs, Any], specs.ValueSpec]] = Kinds()
VALUE_SPECS.of(Value)(lambda convert, value: convert.type(value))
VALUE_SPECS.of(FieldDefault)(lambda convert, value: convert.call(value.maker, value.given))
VALUE_SPECS.of(TupleValue)(lambda convert, value: convert.items("tuple", value, value.items))
VALUE_SPECS.of(ListValue)(lambda convert, value: convert.items("list", value, value.items))
VALUE_SPECS.of(SetValue)(lambda convert, value: convert.items("set", value, value.items.values()))
VALUE_SPECS.of(DictValue)(Specs.mapping)
VALUE_SPECS.of(Instance)(Specs.instance)
# pydantic never gets to call the function: a part of a schema that depends on it is unknown.
VALUE_SPECS.of(FunctionValue)(lambda _, value: specs.CodeValue(value.name))
VALUE_SPECS.of(BoundMethod, Partial)(lambda *_: specs.CodeValue(""))


def _given(value: Instance) -> Mapping[str, Value]:
    """The values of an instance by the keywords under which its class accepts them.

    Raises:
        NotPlain: the keywords are not known.
    """
    if not value.cls.by_pydantic:
        return value.names
    owners = {name: field.owner for name, field in fields_of(value.cls).items()}
    return {
        accepted(value.cls, owners[name], name)[0] if name in owners else name: item
        for name, item in value.names.items()
    }


@VALUE_SPECS.of(Const)
def _scalar(_convert: Specs, const: Const) -> specs.ValueSpec:
    value = const.value
    if not isinstance(value, timedelta):
        return specs.PlainValue(value)
    parts = {"days": value.days, "seconds": value.seconds, "microseconds": value.microseconds}
    return specs.CallValue(
        "datetime.timedelta", (), tuple((name, specs.PlainValue(number)) for name, number in parts.items() if number)
    )


def is_generic(cls: ClassValue) -> bool:
    """Whether the types of a class's fields may depend on its type arguments."""
    return not cls.outside.isdisjoint(GENERIC)
