"""Attribute look-up on every kind of value, ``super()`` included."""

from __future__ import annotations

import collections
from collections.abc import Callable, Hashable
from types import GeneratorType
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import (
    READING,
    alternatives,
    bound,
    changeable,
    choice_unknown,
    namespace_of,
    scope_in,
    taken_from,
    with_aliases,
)
from pdmigrate.evaluate.core.deriving import (
    INITIALISERS,
    INSTANCE_ATTRIBUTES,
    SUPER_ATTRIBUTES,
    SUPER_OF_INSTANCES,
    TUPLE_ATTRIBUTES,
    derived,
)
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.joining import held, join_values
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import bind_to, class_lookup, described, function_in, is_inert_base, method_of
from pdmigrate.evaluate.core.natives import NAMES
from pdmigrate.evaluate.core.operations import ATTRIBUTES, METHODS, get_attribute, type_of
from pdmigrate.evaluate.core.python_values import describe, enum_payload
from pdmigrate.evaluate.core.usage import attribute_changed, changed_elsewhere
from pdmigrate.evaluate.core.values import (
    INSIDE,
    NONE,
    Arguments,
    BoundMethod,
    Choice,
    Const,
    DictValue,
    Entry,
    External,
    FunctionValue,
    Instance,
    IteratorValue,
    ListValue,
    ModuleValue,
    Native,
    Place,
    RangeValue,
    SetValue,
    Super,
    TupleValue,
    UnknownValue,
    Value,
    const,
    is_property,
)
from pdmigrate.evaluate.language.calls import is_small_choice
from pdmigrate.evaluate.language.class_attributes import NAMED_TUPLE, inherits
from pdmigrate.evaluate.language.classes import plain_instance
from pdmigrate.evaluate.language.functions import call_function
from pdmigrate.evaluate.language.imports import external, submodule
from pdmigrate.evaluate.language.properties import property_attribute

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@ATTRIBUTES.of(UnknownValue)
def _of_unknown(_run: Interpreter, value: UnknownValue, name: str, _place: Place | None) -> Value:
    """The value itself, or a method that does not change its unknown receiver, such as ``get``."""
    if not (value.aliases or value.owner) or name not in READING:
        return value

    def call(run: Interpreter, arguments: Arguments) -> Value:
        poison_arguments(run, arguments._replace(positional=arguments.positional[1:]), value)
        run.risk(value)
        return taken_from(value, value) if scope_in(value) is not None else value

    return BoundMethod(Native("a method", call), value)


ATTRIBUTES.of(Choice)(lambda run, value, name, place: _of_sides(run, value, name, place, {}))


def _of_sides(run: Interpreter, value: Choice, name: str, place: Place | None, known: dict[int, Value]) -> Value:
    """The joined attributes of both sides of ``value``; ``known`` caches them by ``id()``: choices may share sides."""

    def of_side(side: Value) -> Value:
        if id(side) not in known:
            run.budget.step()
            of_one = _of_sides(run, side, name, place, known) if isinstance(side, Choice) else None
            known[id(side)] = of_one or get_attribute(run, side, name, place)
        return known[id(side)]

    if is_small_choice(value) and any(_computes(side, name) for side in alternatives(value)):
        return run.of_each(value, lambda side: get_attribute(run, side, name, place))
    if (only := _not_none(value)) is not None and not hasattr(None, name):
        run.risk(value.guard.unknown)
        return get_attribute(run, only, name, place)
    if not (changeable(value.first) and changeable(value.second)):
        return get_attribute(run, choice_unknown(value), name, place)
    try:
        first, second = of_side(value.first), of_side(value.second)
    except AbstractRaise:
        return get_attribute(run, choice_unknown(value), name, place)
    return join_values(value.guard, first, second)


def _not_none(value: Choice) -> Value | None:
    """The side of ``value`` that is not ``None`` where the other one is."""
    first, second = value.sides
    return second if first.is_just(None) else first if second.is_just(None) else None


def _computes(value: Value, name: str) -> bool:
    """Whether code of the program runs when the attribute ``name`` of an object is read, or makes a new property."""
    if (instance := value.as_instance) is None:
        return is_property(value) and name in ("getter", "setter", "deleter")
    found = class_lookup(instance.cls, name)[0]
    if found is None:
        return name not in instance.names and function_in(instance.cls, "__getattr__") is not None
    return any(is_property(side) or method_of(side, "__get__") is not None for side in alternatives(found))


OF_RESULTS: dict[str, Callable[[Interpreter, Arguments, Arguments], Value]] = {}
"""Methods of objects that a library's callable makes, by ``module.Class().method``; they get both calls' arguments."""


@ATTRIBUTES.of(External)
def _of_external(run: Interpreter, value: External, name: str, _place: Place | None) -> Value:
    if (made := value.made_with) is not None and (method := OF_RESULTS.get(f"{value.name}.{name}")) is not None:
        return Native(name, lambda run, arguments: method(run, made, arguments))
    return external(run, f"{value.name}.{name}")


@ATTRIBUTES.of(ModuleValue)
def module_attribute(run: Interpreter, value: ModuleValue, name: str, place: Place | None) -> Value:
    """An attribute of a module of the tree; a submodule is found even if no import has bound its name."""
    executed = run.run_module(value.module.path)
    scope = executed.scope
    if name in scope.names:
        return changed_elsewhere(run, scope, name) or bound(run, scope.names[name], name, place)
    if scope.rest is not None:
        return scope.rest
    child = submodule(run, value.module, name, place)
    if child is not None:
        return child
    if "__getattr__" in scope.names or not executed.done or name.startswith("__"):
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"{name} of the module {value.module.name}", place)
        return namespace_of(scope, unknown) if name == "__dict__" else unknown
    raise run.failure("AttributeError", f"module {value.module.name} has no attribute {name}")


# --- instances and super() --------------------------------------------------------------------------------------------


@ATTRIBUTES.of(Instance)
def _of_instance(run: Interpreter, value: Instance, name: str, place: Place | None) -> Value:
    special = _special_attribute(value, name)
    if special is not None:
        return special
    found, outside = class_lookup(value.cls, name)
    if function_in(value.cls, "__getattribute__") is not None:
        return reasons.unknown(reasons.UNSUPPORTED, f"{value.cls.name} computes all its attributes", place)
    return _given_by(run, value, name, found, outside, place)


def _given_by(
    run: Interpreter, value: Instance, name: str, found: Value | None, outside: Value | None, place: Place | None
) -> Value:
    """An attribute of an instance, for which its class has ``found``, and may have more in ``outside``."""
    if isinstance(found, Choice) and is_small_choice(found) and any(map(is_property, alternatives(found))):
        return run.of_each(
            found, lambda side: _given_by(run, value, name, side if side.is_bound else None, outside, place)
        )
    given = described(run, found, value, name) if found is not None else None
    if given is not None:
        return given
    if is_property(found):
        return _read_property(run, found, value, name, place)
    if name in value.names:
        own = value.names[name]
        changed = attribute_changed(run, value, name, own) if run.assumed.after_start else None
        return changed or bound(run, own, name, place, fails=found is None)
    if value.rest is not None and (found is None or found.as_function is None):
        return value.rest
    if found is not None:
        return bind_to(found, value, value.cls)
    return _missing(run, value, name, outside, place)


def _read_property(run: Interpreter, found: FunctionValue, value: Instance, name: str, place: Place | None) -> Value:
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
        names = value.names.items()
        entries: dict[Hashable, Entry] = {key: Entry(const(key), held(item)) for key, item in names}
        return DictValue(entries, value.rest, owner=value)
    return None


def _missing(run: Interpreter, value: Instance, name: str, outside: Value | None, place: Place | None) -> Value:
    # Private names of a member are those of its class, and not of the text or number that it is.
    inner = value.names.get(INSIDE) or (enum_payload(value) if not name.startswith("_") else None)
    if inner is not None:
        return get_attribute(run, inner, name, place)
    if (unknown := value.rest or value.cls.opaque) is not None:
        return unknown
    if outside is not None:
        return reasons.unknown(reasons.OUTSIDE, f"{name} comes from {describe(outside)}, outside the package", place)
    if (method := derived(INSTANCE_ATTRIBUTES, run, value, name)) is not None:
        return method
    if (computed := function_in(value.cls, "__getattr__")) is not None:
        return call_function(run, computed, Arguments((value, const(name)), {}, None, place))
    if inherits(value.cls, name):
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of {describe(value)}", place)
    raise run.failure("AttributeError", f"{value.cls.name} object has no attribute {name}")


@ATTRIBUTES.of(Super)
def _of_super(run: Interpreter, value: Super, name: str, place: Place | None) -> Value:
    """``super().name``"""
    receiver = value.receiver
    if (known := derived(SUPER_OF_INSTANCES, receiver, value.cls, name)) is not None:
        return known
    of_class = receiver.as_class if receiver.as_class is not None and value.cls in receiver.as_class.mro else value.cls
    cls = receiver.program_class or of_class
    owner = receiver.as_instance or receiver.as_class
    for base in cls.mro[cls.mro.index(value.cls) + 1 :] if value.cls in cls.mro else ():
        own = base.as_class
        if (of_type := _of_type(base, receiver, name)) is not None:
            return of_type
        if own is not None and name in own.names:
            found = own.names[name]
            if is_property(found) and (instance := receiver.as_instance) is not None:
                return _read_property(run, found, instance, name, place)
            given = described(run, found, owner, name) if owner is not None else None
            return given or bind_to(found, receiver, cls)
        if own is None and not is_inert_base(base):
            return _outside_super(run, base, receiver, name, place)
    if name == "__new__":
        return NAMES["object.__new__"]
    if name == "__setattr__":
        return BoundMethod(NAMES["object.__setattr__"], receiver)
    if name in ("__init__", "__init_subclass__", "__post_init__"):
        return derived(INITIALISERS, cls, receiver, name) or Native(f"super().{name}", lambda _run, _arguments: NONE)
    return reasons.unknown(reasons.OUTSIDE, f"super().{name} comes from outside the package", place)


def _of_type(base: Value, receiver: Value, name: str) -> Value | None:
    """An attribute that a metaclass of the program has from ``type``; ``None`` for other bases and names."""
    if base.outer_name not in ("type", "abc.ABCMeta"):
        return None
    if name == "__call__" and (cls := receiver.as_class) is not None:
        return Native("type.__call__", lambda run, arguments: plain_instance(run, cls, arguments))
    if name == "__init__":
        return Native("type.__init__", lambda _run, _arguments: NONE)
    if name == "__setattr__":
        return BoundMethod(NAMES["object.__setattr__"], receiver)
    return NAMES["type.__new__"] if name == "__new__" else None


def _outside_super(run: Interpreter, base: Value, receiver: Value, name: str, place: Place | None) -> Value:
    known = derived(SUPER_ATTRIBUTES, run, base, receiver, name)
    if known is not None:
        return known
    reason = f"super().{name} comes from {describe(base)}, outside the package"
    unknown, owner = reasons.unknown(reasons.OUTSIDE, reason, place), receiver.as_instance or receiver.as_class

    def call(run: Interpreter, _arguments: Arguments) -> Value:
        if owner is not None:
            run.trail.touch(owner)
            owner.rest = owner.rest or unknown
        return unknown

    return Native(f"super().{name}", call)


# --- built-in values --------------------------------------------------------------------------------------------------


@ATTRIBUTES.of(Value)
def _of_builtin(run: Interpreter, value: Value, name: str, place: Place | None) -> Value:
    found = METHODS[type(value)](value, name) or (type_of(value) if name == "__class__" else None)
    if found is not None:
        return found
    kinds = _STANDS_FOR[type(value)](value)
    if not kinds or any(hasattr(kind, name) for kind in kinds):
        # The attribute may be a method that changes the value.
        return with_aliases(reasons.unknown(reasons.UNSUPPORTED, f"{name} of {describe(value)}", place), value)
    raise run.failure("AttributeError", f"{describe(value)} has no attribute {name}")


_STANDS_FOR: Kinds[Callable[[Any], tuple[type, ...]]] = Kinds()
"""The Python types that a value may have: any attribute of theirs may exist; empty if every attribute may exist."""
_STANDS_FOR.of(Value, RangeValue)(lambda _: ())
_STANDS_FOR.of(Const)(lambda value: (type(value.value),))
_STANDS_FOR.of(ListValue)(lambda _: (list,))
_STANDS_FOR.of(IteratorValue)(lambda _: (GeneratorType,))
_STANDS_FOR.of(DictValue)(lambda _: (collections.OrderedDict, collections.Counter, collections.defaultdict))
_STANDS_FOR.of(SetValue)(lambda value: (frozenset if value.frozen else set,))
_STANDS_FOR.of(TupleValue)(lambda _: (NAMED_TUPLE,))


@ATTRIBUTES.of(Native)
def _of_native(run: Interpreter, value: Native, name: str, place: Place | None) -> Value:
    known = METHODS[type(value)](value, name)
    if known is None and "." in value.name:
        return external(run, f"{value.name}.{name}")
    return known or reasons.unknown(reasons.UNSUPPORTED, f"{name} of {describe(value)}", place)


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
    """A field or method of a named tuple, or an attribute that every tuple has."""
    if name in value.fields:
        return value.items[value.fields.index(name)]
    cls = value.cls
    found = class_lookup(cls, name)[0] if cls is not None else derived(TUPLE_ATTRIBUTES, run, value, name)
    if cls is None or found is None:
        return found or _of_builtin(run, value, name, place)
    if is_property(found):
        return call_function(run, found, Arguments((value,), {}, None, place))
    return bind_to(found, value, cls)


@ATTRIBUTES.of(FunctionValue)
def _of_function(run: Interpreter, value: FunctionValue, name: str, _place: Place | None) -> Value:
    if name in value.names:
        return value.names[name]
    if is_property(value) and (part := property_attribute(value, name)) is not None:
        return part
    if name in _OF_FUNCTIONS:
        return reasons.unknown(reasons.UNSUPPORTED, f"{name} of the function {value.name}")
    if value.rest is not None:
        return value.rest
    raise run.failure("AttributeError", f"function {value.name} has no attribute {name}")


_OF_FUNCTIONS = frozenset(
    {"__annotations__", "__signature__", "__wrapped__", "__code__", "__defaults__", "__dict__", "__get__"}
    | {"cache_clear", "cache_info", "register", "fget"}
)
"""Attributes that functions, or the results of decorating them, have without the program setting them."""
