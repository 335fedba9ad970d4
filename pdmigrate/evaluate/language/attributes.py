"""Attribute look-up on every kind of value."""

from __future__ import annotations

import collections
from collections.abc import Callable, Hashable
from types import GeneratorType
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import (
    READING,
    bound_choice,
    changeable,
    choice_unknown,
    leading_to,
    namespace_of,
    out_of,
    scope_in,
)
from pdmigrate.evaluate.core.deriving import (
    CLASS_ATTRIBUTES,
    CLASS_PARTS,
    INSTANCE_ATTRIBUTES,
    TUPLE_ATTRIBUTES,
    derived,
)
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.joining import join_values
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import bind_to, class_lookup, function_in
from pdmigrate.evaluate.core.operations import ATTRIBUTES, METHODS, get_attribute, type_of
from pdmigrate.evaluate.core.python_values import describe, enum_payload, mixes_in
from pdmigrate.evaluate.core.usage import attribute_changed, changed_elsewhere
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    Const,
    DictValue,
    Entry,
    External,
    FunctionValue,
    Instance,
    IteratorValue,
    ListValue,
    Maybe,
    ModuleValue,
    Native,
    Origin,
    Place,
    SdkObject,
    SetValue,
    TupleValue,
    Unbound,
    UnknownValue,
    Value,
    const,
    is_property,
)
from pdmigrate.evaluate.language.descriptors import described
from pdmigrate.evaluate.language.functions import call_function
from pdmigrate.evaluate.language.imports import external, submodule
from pdmigrate.evaluate.language.metaclasses import from_metaclass

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@ATTRIBUTES.of(UnknownValue)
def _of_unknown(_run: Interpreter, value: UnknownValue, name: str, _place: Place | None) -> Value:
    return _reading(value) if (value.aliases or value.owner) and name in READING else value


ATTRIBUTES.of(Choice)(lambda run, value, name, place: _of_sides(run, value, name, place, {}))


def _of_sides(run: Interpreter, value: Choice, name: str, place: Place | None, known: dict[int, Value]) -> Value:
    """The attribute of either side of ``value``; ``known`` holds it by the ``id()`` of sides, which choices share."""

    def of_side(side: Value) -> Value:
        if id(side) not in known:
            run.budget.step()
            of_one = _of_sides(run, side, name, place, known) if isinstance(side, Choice) else None
            known[id(side)] = of_one or get_attribute(run, side, name, place)
        return known[id(side)]

    if not (changeable(value.first) and changeable(value.second)):
        return get_attribute(run, choice_unknown(value), name, place)
    try:
        first, second = of_side(value.first), of_side(value.second)
    except AbstractRaise:
        return get_attribute(run, choice_unknown(value), name, place)
    return join_values(value.guard, first, second)


def _reading(value: UnknownValue) -> Value:
    """A method that does not change its unknown receiver, such as ``get``."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        poison_arguments(run, arguments._replace(positional=arguments.positional[1:]), value)
        run.risk(value)
        return out_of(value, value) if scope_in(value) is not None else value

    return BoundMethod(Native("a method", call), value)


OF_RESULTS: dict[str, Callable[[Interpreter, Arguments, Arguments], Value]] = {}
"""Methods of what a library's callable makes, by ``module.Class().method``, from the arguments of both calls."""


@ATTRIBUTES.of(External)
def _of_external(run: Interpreter, value: External, name: str, _place: Place | None) -> Value:
    if name == "__name__":
        return const(value.name.rpartition(".")[2])
    if (made := value.arguments) is not None and (method := OF_RESULTS.get(f"{value.name}.{name}")) is not None:
        return Native(name, lambda run, arguments: method(run, made, arguments))
    return external(run, f"{value.name}.{name}")


@ATTRIBUTES.of(ModuleValue)
def module_attribute(run: Interpreter, value: ModuleValue, name: str, place: Place | None) -> Value:
    """An attribute of a module of the tree; a submodule is found even if no import has bound its name."""
    executed = run.run_module(value.module.path)
    scope = executed.scope
    if name in scope.names:
        found = scope.names[name]
        elsewhere = changed_elsewhere(run, scope, name)
        if elsewhere is not None:
            return elsewhere
        if isinstance(found, Choice):
            return bound_choice(found, name, place)
        return found if not isinstance(found, Unbound) else reasons.unknown(reasons.CONDITION, name, place)
    if scope.rest is not None:
        return scope.rest
    child = submodule(run, value.module, name, place)
    if child is not None:
        return child
    if "__getattr__" in scope.names:
        return reasons.unknown(reasons.UNSUPPORTED, f"{value.module.name} computes its attributes", place)
    if not executed.done:
        return reasons.unknown(reasons.UNSUPPORTED, f"{value.module.name} is imported in a circle", place)
    if name.startswith("__"):
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"{name} of the module {value.module.name}", place)
        return namespace_of(scope, unknown) if name == "__dict__" else unknown
    raise run.failure("AttributeError", f"module {value.module.name} has no attribute {name}")


# --- instances and classes --------------------------------------------------------------------------------------------


@ATTRIBUTES.of(Instance)
def _of_instance(run: Interpreter, value: Instance, name: str, place: Place | None) -> Value:
    special = _special_attribute(value, name)
    if special is not None:
        return special
    found, outside = class_lookup(value.cls, name)
    if function_in(value.cls, "__getattribute__") is not None:
        return reasons.unknown(reasons.UNSUPPORTED, f"{value.cls.name} computes all its attributes", place)
    given = described(run, found, value, name) if isinstance(found, Instance) else None
    if given is not None:
        return given
    if is_property(found):
        return read_property(run, found, value, name, place)
    if name in value.names:
        own = value.names[name]
        elsewhere = attribute_changed(run, value, name, own) if run.watchful else None
        if elsewhere is not None:
            return elsewhere
        return bound_choice(own, name, place) if isinstance(own, Choice) else own
    if value.rest is not None and not isinstance(found, FunctionValue):
        return value.rest
    if found is not None:
        return bind_to(found, value, value.cls)
    return _missing(run, value, name, outside, place)


def read_property(run: Interpreter, found: FunctionValue, value: Instance, name: str, place: Place | None) -> Value:
    """The value of a property of the program; a ``cached_property`` runs once for each instance."""
    cached = "cached" in found.names
    if cached and name in value.names:
        return value.names[name]
    result = call_function(run, found, Arguments((value,), {}, None, place))
    if cached:
        run.trail.touch(value)
        value.names[name] = result
    return result


def _special_attribute(value: Instance, name: str) -> Value | None:
    if name == "__class__":
        return value.cls
    if value.cls.kind == "enum" and name in ("value", "name"):
        return value.names.get(f"_{name}_")
    if name == "__dict__":
        entries: dict[Hashable, Entry] = {key: Entry(const(key), _perhaps(item)) for key, item in value.names.items()}
        return DictValue(entries, value.rest, owner=value)
    return None


def _perhaps(value: Value) -> Value:
    """An attribute as the value of a dict entry: an attribute that may be unbound becomes a ``Maybe``."""
    if isinstance(value, Choice) and isinstance(value.first, Unbound):
        return Maybe(value.second, value.guard.inverse())
    return Maybe(value.first, value.guard) if isinstance(value, Choice) and isinstance(value.second, Unbound) else value


def _missing(run: Interpreter, value: Instance, name: str, outside: Value | None, place: Place | None) -> Value:
    inner = value.names.get("<server>")
    if isinstance(inner, SdkObject):
        return get_attribute(run, inner, name, place)
    payload = enum_payload(value)
    if payload is not None:
        return get_attribute(run, payload, name, place)
    if value.rest is not None or value.cls.opaque is not None:
        return value.rest or value.cls.opaque or value
    if outside is not None:
        return reasons.unknown(reasons.OUTSIDE, f"{name} comes from {describe(outside)}, outside the package", place)

    method = derived(INSTANCE_ATTRIBUTES, run, value, name)
    if method is not None:
        return method
    if (computed := function_in(value.cls, "__getattr__")) is not None:
        return call_function(run, computed, Arguments((value, const(name)), {}, None, place))
    raise run.failure("AttributeError", f"{value.cls.name} object has no attribute {name}")


@ATTRIBUTES.of(ClassValue)
def _of_class(run: Interpreter, value: ClassValue, name: str, place: Place | None) -> Value:
    if name in ("__name__", "__qualname__"):
        where = Place(value.module, value.node) if value.module is not None and value.node is not None else None
        return const(value.name, Origin("the name of the class", where))
    if name == "__members__" and value.kind == "enum":
        return DictValue({key: Entry(const(key), member) for key, member in value.members.items()}, value.opaque)
    if name in value.members:
        return value.members[name]
    if (known := derived(CLASS_PARTS, run, value, name, place)) is not None:
        return known
    found, outside = class_lookup(value, name)
    if isinstance(found, FunctionValue) and found.kind == "class":
        return BoundMethod(found, value)
    if found is not None:
        return (described(run, found, value, name) if isinstance(found, Instance) else None) or found
    if value.opaque is not None:
        return value.opaque

    given = from_metaclass(run, value, name) or derived(CLASS_ATTRIBUTES, run, value, name)
    if given is not None:
        return given
    if outside is not None or mixes_in(value) is not None:
        return reasons.unknown(reasons.OUTSIDE, f"{value.name}.{name} comes from outside the package", place)
    if name.startswith("__"):
        return UnknownValue(f"{name} of the class {value.name}", reasons.UNSUPPORTED, place, owner=value)
    raise run.failure("AttributeError", f"class {value.name} has no attribute {name}")


# --- built-in values --------------------------------------------------------------------------------------------------


@ATTRIBUTES.of(Value)
def _of_builtin(run: Interpreter, value: Value, name: str, place: Place | None) -> Value:
    method = METHODS[type(value)](value, name)
    if method is not None:
        return method
    if name == "__class__":
        return type_of(value) or reasons.unknown(reasons.UNSUPPORTED, "__class__", place)
    if isinstance(value, (Const, ListValue, DictValue, SetValue, TupleValue)):
        return _no_attribute(run, value, name)
    return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {describe(value)}", place)


ATTRIBUTES.of(Native)(
    lambda run, value, name, _place: METHODS[type(value)](value, name) or _no_attribute(run, value, name)
)


@ATTRIBUTES.of(KnownObject)
def _of_known(_run: Interpreter, value: KnownObject, name: str, place: Place | None) -> Value:
    return value.attribute(name) or reasons.unknown(reasons.UNSUPPORTED, f"{name} of a {value.kind}", place)


@ATTRIBUTES.of(BoundMethod)
def _of_method(run: Interpreter, value: BoundMethod, name: str, place: Place | None) -> Value:
    if name == "__self__":
        return value.receiver
    return value.function if name == "__func__" else get_attribute(run, value.function, name, place)


@ATTRIBUTES.of(TupleValue)
def _of_tuple(run: Interpreter, value: TupleValue, name: str, place: Place | None) -> Value:
    found = _tuple_member(run, value, name, place)
    return found if found is not None else _of_builtin(run, value, name, place)


def _tuple_member(run: Interpreter, value: TupleValue, name: str, place: Place | None) -> Value | None:
    """A field or method of a named tuple."""
    if name in value.fields:
        return value.items[value.fields.index(name)]
    found, _ = class_lookup(value.cls, name) if value.cls is not None else (None, None)
    if value.cls is None and value.fields:
        return derived(TUPLE_ATTRIBUTES, run, value, name)
    if value.cls is None:
        return None
    if found is None:
        return None
    if is_property(found):
        return call_function(run, found, Arguments((value,), {}, None, place))
    return bind_to(found, value, value.cls)


@ATTRIBUTES.of(FunctionValue)
def _of_function(run: Interpreter, value: FunctionValue, name: str, _place: Place | None) -> Value:
    if name in value.names:
        return value.names[name]
    if name in ("__annotations__", "__signature__", "__wrapped__", "__code__", "__defaults__", "__dict__"):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of the function {value.name}")
    if name in ("cache_clear", "cache_info", "register", "__get__"):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of the function {value.name}")
    if value.rest is not None:
        return value.rest
    raise run.failure("AttributeError", f"function {value.name} has no attribute {name}")


_KINDS: dict[type, tuple[type, ...]] = {
    ListValue: (list,),
    IteratorValue: (GeneratorType,),
    DictValue: (collections.OrderedDict, collections.Counter, collections.defaultdict),
    SetValue: (set,),
    TupleValue: (collections.namedtuple("Fields", ()),),
}
"""The Python types that a kind of value may stand for: asking for an attribute of any of them may succeed."""


def _no_attribute(run: Interpreter, value: Value, name: str) -> Value:
    """Raise AttributeError if the type certainly lacks the attribute; unknown if only the evaluator lacks it."""
    if isinstance(value, Native) and "." in value.name:
        return external(run, f"{value.name}.{name}")
    kinds = (type(value.value),) if isinstance(value, Const) else _KINDS.get(type(value), ())
    kinds = (frozenset,) if isinstance(value, SetValue) and value.frozen else kinds
    if not kinds or any(hasattr(kind, name) for kind in kinds):
        # The attribute may be a method that changes the value.
        return leading_to(reasons.unknown(reasons.UNSUPPORTED, f"{name} of {describe(value)}"), value)
    raise run.failure("AttributeError", f"{describe(value)} has no attribute {name}")
