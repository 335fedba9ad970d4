"""Evaluated annotations and values as specs, from which ``pdmigrate.sdk.schemas`` builds real types."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from pdmigrate.sdk.schemas import specs
from pdmigrate.understand.demand.early import is_settled
from pdmigrate.understand.demand.flow import guarded
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.types.classes import class_spec
from pdmigrate.understand.types.orders import in_another_order
from pdmigrate.understand.values.calls import BoundMethod, Native, Partial
from pdmigrate.understand.values.codes import MUTATED, UNSUPPORTED
from pdmigrate.understand.values.containers import DictValue, ListValue, SetValue
from pdmigrate.understand.values.core import Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Instance, Scope, SdkObject, describe
from pdmigrate.understand.values.outside import Called, External, PathValue, Subscripted, UnionType, external_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_PARTS = 4_000
_UNIONS = frozenset({"typing.Union", "typing_extensions.Union"})
_OPTIONAL = frozenset({"typing.Optional", "typing_extensions.Optional"})
_LITERAL = frozenset({"typing.Literal", "typing_extensions.Literal"})
_ANNOTATED = frozenset({"typing.Annotated", "typing_extensions.Annotated"})
_INSIDE = frozenset({"enum.auto", "builtins.slice"})
_NO_HINTS: Mapping[ast.expr, Value] = {}


class Specs:
    """One conversion: a class that mentions itself becomes a reference the second time."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.open: set[ClassValue] = set()
        self.done: dict[ClassValue, specs.ClassSpec | specs.UnknownSpec] = {}
        self.made: dict[ast.ClassDef | None, ClassValue] = {}
        self.parts = 0

    @staticmethod
    def unknown(value: Unknown) -> specs.UnknownSpec:
        return specs.UnknownSpec(value.reason, value.code, value.site)

    def annotation(
        self, node: ast.expr | None, scope: Scope, hints: Mapping[ast.expr, Value] = _NO_HINTS
    ) -> specs.TypeSpec | None:
        """The type that a written annotation means in ``scope``, or meant; ``None`` if there is none."""
        if node is None:
            return None
        if node in hints:
            return self.type(hints[node], scope)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.text(node.value, scope)
        found: list[Value] = []

        def act() -> bool:
            found.append(self.run.evaluate(node, scope))
            return True

        try:
            guarded_ok = guarded(self.run, act)
        except RaisedError as raised:
            return specs.UnknownSpec(f"the annotation raises: {raised.message}", "PD312", scope.module.site(node))
        if not guarded_ok or not found:
            return specs.UnknownSpec("the annotation raises", "PD312", scope.module.site(node))
        return self.type(found[0], scope)

    def text(self, text: str, scope: Scope) -> specs.TypeSpec:
        """The type that a text means as an annotation."""
        try:
            parsed = ast.parse(text.strip(), mode="eval").body
        except SyntaxError:
            return specs.UnknownSpec(f"{text!r} is no annotation", "PD307")
        if not is_settled(self.run, parsed, scope):
            return specs.UnknownSpec(f"{text!r} has a name that is bound more than once", MUTATED)
        found = self.annotation(parsed, scope)
        return found if found is not None else specs.NONE

    def type(self, value: Value, scope: Scope | None = None) -> specs.TypeSpec:
        """The type that an evaluated annotation means."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            return specs.UnknownSpec(f"a type of more than {MOST_PARTS:,} parts", "PD308")
        if isinstance(value, Unknown):
            return self.unknown(value)
        if isinstance(value, Const):
            if value.value is None:
                return specs.NONE
            if value.value is ...:
                return specs.ELLIPSIS
            if isinstance(value.value, str) and scope is not None:
                return self.text(value.value, scope)
        if isinstance(value, External):
            return specs.NameSpec(value.name)
        if isinstance(value, ClassValue):
            return self.cls(value)
        if isinstance(value, UnionType):
            return specs.UnionSpec(tuple(self.type(item, scope) for item in value.options))
        if isinstance(value, Subscripted):
            return self._subscripted(value, scope)
        if isinstance(value, Called):
            return self._made(value, scope)
        return specs.UnknownSpec(f"{describe(value)} as a type", "PD307")

    def _subscripted(self, value: Subscripted, scope: Scope | None) -> specs.TypeSpec:
        name = external_name(value.base)
        if name in _LITERAL:
            return specs.LiteralSpec(tuple(self.value(item) for item in self._flat(value.args)))
        other = in_another_order(self.run, value) if name.startswith("typing.") else None
        if other is not None:
            return self.unknown(other)
        if name in _ANNOTATED:
            base = self.type(value.args[0], scope)
            return specs.AnnotatedSpec(base, tuple(self.value(item) for item in value.args[1:]))
        if name in _UNIONS:
            return specs.UnionSpec(tuple(self.type(item, scope) for item in value.args))
        if name in _OPTIONAL:
            return specs.UnionSpec((self.type(value.args[0], scope), specs.NONE))
        base = self.type(value.base, scope)
        return specs.SubscriptSpec(base, tuple(self._argument(item, scope) for item in value.args))

    @staticmethod
    def _flat(items: Iterable[Value]) -> list[Value]:
        found: list[Value] = []
        for item in items:
            if isinstance(item, Subscripted) and external_name(item.base) in _LITERAL:
                found += Specs._flat(item.args)
            else:
                found.append(item)
        return found

    def _argument(self, value: Value, scope: Scope | None) -> specs.ValueSpec:
        if isinstance(value, ListValue):
            return specs.ItemsValue("list", tuple(self.type(item, scope) for item in value.data))
        return self.type(value, scope)

    def _made(self, value: Called, scope: Scope | None) -> specs.TypeSpec:
        name = value.callee.rpartition(".")[2]
        if name == "TypeVar" and value.args and isinstance(value.args[0], Const):
            given = dict(value.kwargs)
            bound = self.type(given["bound"], scope) if "bound" in given else None
            constraints = tuple(self.type(item, scope) for item in value.args[1:])
            default = self.type(given["default"], scope) if "default" in given else None
            return specs.TypeVarSpec(str(value.args[0].value), bound, constraints, default, f"{id(value)}")
        return self.call(value)

    def call(self, value: Called) -> specs.CallValue:
        return specs.CallValue(value.callee, tuple(map(self.value, value.args)), self.pairs(dict(value.kwargs)))

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> specs.ValueSpec:
        """A default, or an argument of ``Field``, as data."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            return specs.UnknownSpec(f"a value of more than {MOST_PARTS:,} parts", "PD308")
        if isinstance(value, Maybe):
            return self.unknown(value.why)
        if isinstance(value, Const):
            return specs.ELLIPSIS if value.value is ... else specs.PlainValue(value.value)
        if isinstance(value, (ListValue, SetValue)):
            return self._items(value)
        if isinstance(value, TupleValue):
            return specs.ItemsValue("tuple", tuple(self.value(item) for item in value.items))
        if isinstance(value, DictValue):
            return self._mapping(value)
        if isinstance(value, (FunctionValue, BoundMethod, Partial, Native)):
            return specs.CodeValue(getattr(value, "name", ""))
        if isinstance(value, SdkObject):
            whole = specs.CallValue(value.type, (), self.pairs(value.data))
            return self.unknown(value.rest) if value.rest is not None else whole
        if isinstance(value, Instance):
            return self._instance(value)
        if isinstance(value, Called):
            return self.call(value)
        if isinstance(value, PathValue):
            return specs.UnknownSpec("a path depends on where the program is installed", "PD303")
        return self.type(value)

    def _items(self, value: ListValue | SetValue) -> specs.ValueSpec:
        if value.rest is not None:
            return self.unknown(value.rest)
        items = value.data if isinstance(value, ListValue) else value.data.values()
        return specs.ItemsValue("list" if isinstance(value, ListValue) else "set", tuple(map(self.value, items)))

    def _mapping(self, value: DictValue) -> specs.ValueSpec:
        if value.rest is not None:
            return self.unknown(value.rest)
        return specs.MappingValue(tuple((self.value(key), self.value(item)) for key, item in value.entries()))

    def _instance(self, value: Instance) -> specs.ValueSpec:
        spec = self.cls(value.cls)
        if value.cls.kind == "enum" and not isinstance(spec, specs.UnknownSpec):
            name = value.data.get("name")
            if isinstance(name, Const) and isinstance(spec, (specs.EnumSpec, specs.RefSpec)):
                return specs.MemberValue(spec, str(name.value))
        return specs.UnknownSpec(f"{describe(value)} as a default", "PD307")

    def pairs(self, values: dict[str, Value]) -> tuple[tuple[str, specs.ValueSpec], ...]:
        return tuple((name, self.value(item)) for name, item in values.items())

    # --- classes ------------------------------------------------------------------------------------------------------

    def _changed(self, cls: ClassValue) -> Unknown | None:
        """Why a class is not what its body says: what it was made of was changed, or there is another one like it."""
        if any(item.save()[:2] != state[:2] for item, state in cls.watched) or cls.data.get("__name__") != Const(
            cls.name
        ):
            return Unknown(f"{cls.name} is changed after it is made", MUTATED, cls.module.site(cls.node))
        if self.made.setdefault(cls.node, cls) is not cls:
            return Unknown(f"{cls.name} is made more than once", UNSUPPORTED, cls.module.site(cls.node))
        return None

    def cls(self, cls: ClassValue) -> specs.ClassSpec | specs.RefSpec | specs.UnknownSpec:
        """The spec of a class as its body says, or a reference if the class is being converted."""
        identity = f"{cls.module.name}:{cls.name}:{getattr(cls.node, 'lineno', 0)}"
        if cls in self.open:
            return specs.RefSpec(identity)
        if cls in self.done:
            return self.done[cls]
        refused = cls.refused or cls.rest or self._changed(cls)
        if refused is not None:
            return self.unknown(refused)
        self.open.add(cls)
        try:
            made = self.done[cls] = class_spec(self, cls, identity)
        finally:
            self.open.discard(cls)
        if not self.open:
            self.done.clear()
        return made
