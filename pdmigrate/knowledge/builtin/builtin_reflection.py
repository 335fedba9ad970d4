"""Built-in functions that deal with types and attributes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import (
    alternatives,
    bound,
    first_unknown,
    namespace_of,
    taken_from,
    unbound,
)
from pdmigrate.evaluate.core.arity import ONE, TWO, Arity, functions
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.members import class_lookup, is_inert_base
from pdmigrate.evaluate.core.natives import BUILTINS, first_argument, known, known_name, real_builtin, settled
from pdmigrate.evaluate.core.operations import INSTANCES, TYPES, get_attribute, type_of
from pdmigrate.evaluate.core.python_values import describe, mixes_in
from pdmigrate.evaluate.core.values import (
    FALSE,
    NONE,
    TRUE,
    Arguments,
    ClassValue,
    Const,
    DictValue,
    External,
    Instance,
    IteratorValue,
    ListValue,
    ModuleValue,
    Namespace,
    Native,
    RangeValue,
    SdkObject,
    SetValue,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
    const,
)
from pdmigrate.evaluate.language.attribute_setting import delete_attribute, set_attribute
from pdmigrate.evaluate.language.metaclasses import made_out_of_sight
from pdmigrate.evaluate.language.operator_methods import by_metaclass
from pdmigrate.knowledge.builtin.dict_kinds import DEFAULT, ORDERED, PROXY

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _isinstance(_run: Interpreter, arguments: Arguments) -> Value:
    value, kind = arguments.positional
    kinds = [option for item in _several(kind) for option in _plain_kinds(item)]
    answers = [is_instance(value, item) for item in kinds]
    return const(True in answers or any(map(known, answers)))


def _several(kind: Value) -> Sequence[Value]:
    """The classes of a tuple of classes; otherwise the one class."""
    return kind.items if isinstance(kind, TupleValue) else (kind,)


def _plain_kinds(kind: Value) -> Sequence[Value]:
    """The members of a union (``int | str``); otherwise one class, ``list`` for ``list[int]``."""
    if kind.generic == "typing.Union":
        return kind.types_inside[1:]
    return (kind.base,) if isinstance(kind, Subscripted) else (kind,)


def is_instance(value: Value, kind: Value) -> bool | UnknownValue:
    """``isinstance(value, kind)``"""
    unknown = first_unknown(value, kind) or by_metaclass(kind, "__instancecheck__")
    if unknown is not None:
        return unknown
    name = kind.outer_name.removeprefix("builtins.")
    answer = name == "object" or INSTANCES[type(value)](value, kind, name)
    return _virtual(kind.as_class, answer=answer) or answer


def _virtual(cls: ClassValue | None, *, answer: bool | UnknownValue) -> UnknownValue | None:
    """Why a class may answer in another way than by its subclasses, which say ``answer``; ``None`` if it does not."""
    if cls is None or (answer is True and not cls.defines("__subclasshook__") and not _by_metaclass(cls)):
        return None
    if cls.defines("__subclasshook__") or _by_metaclass(cls) or not _PROTOCOLS.isdisjoint(map(_name_of, cls.bases)):
        return reasons.unknown(reasons.UNSUPPORTED, f"what {cls.name} takes for an instance")
    return next((base.opaque for base in cls.lineage if base.opaque is not None), None)


def _by_metaclass(cls: ClassValue) -> bool:
    return cls.metaclass is not None and cls.metaclass.defines("__instancecheck__", "__subclasscheck__")


def _name_of(base: Value) -> str:
    return base.generic or base.library_name


_PROTOCOLS = frozenset({"typing.Protocol", "typing_extensions.Protocol"})


_NAMES = frozenset(
    {"str", "bytes", "int", "float", "bool", "list", "dict", "set", "tuple", "frozenset", "NoneType", "type"}
)
_SPECIAL = frozenset({ORDERED, DEFAULT, PROXY})
INSTANCES.of(External)(lambda value, kind, name: _outside(value if name in _NAMES else kind))


@INSTANCES.of(Native)
def _of_native(value: Native, kind: Value, name: str) -> bool | UnknownValue:
    if name != "type":
        return _of_any(value, kind, name)
    real = real_builtin(value)
    return isinstance(real, type) if real is not None else _outside(value)


@INSTANCES.of(Subscripted)
def _of_generic(value: Subscripted, kind: Value, name: str) -> bool | UnknownValue:
    # Before Python 3.11, ``list[int]`` counts as a class.
    return _outside(kind) if name == "type" else _of_any(value, kind, name)


@INSTANCES.of(Value)
def _of_any(_value: Value, kind: Value, name: str) -> bool | UnknownValue:
    return False if name in _NAMES else _outside(kind)


@INSTANCES.of(Const, ListValue, DictValue, SetValue)
def _of_builtin(value: Value, kind: Value, name: str) -> bool | UnknownValue:
    if name in _NAMES or name in _SPECIAL:
        return name in NAMES_OF_TYPES[type(value)](value)
    return False if kind.as_class is not None else _abstract(value, name)


@INSTANCES.of(TupleValue)
def _of_tuple(value: TupleValue, kind: Value, name: str) -> bool | UnknownValue:
    return (value.cls is not None and kind in value.cls.mro) or _of_builtin(value, kind, name)


@INSTANCES.of(ViewValue)
def _of_view(value: ViewValue, kind: Value, name: str) -> bool | UnknownValue:
    return name in NAMES_OF_TYPES[ViewValue](value) if name in _SPECIAL else _of_any(value, kind, name)


@INSTANCES.of(Instance)
def _of_program(value: Instance, kind: Value, name: str) -> bool | UnknownValue:
    outside = {getattr(base, "name", None) for base in value.cls.mro if base.as_class is None}
    if kind in value.cls.mro or getattr(kind, "name", "") in outside or (name and mixes_in(value.cls) == name):
        return True
    return value.cls.opaque or (kind.as_class is None and _of_any(value, kind, name))


@INSTANCES.of(SdkObject)
def _of_sdk(value: SdkObject, kind: Value, name: str) -> bool | UnknownValue:
    cls = kind.as_class
    # An SDK object does not record its class if the program defines it; such a class derives from an outside class.
    if cls is not None and cls.opaque is None and all(is_inert_base(base) for base in cls.mro if base.library_name):
        return False
    return value.type == name or _of_any(value, kind, name)


@INSTANCES.of(ClassValue)
def _of_metaclass(value: ClassValue, kind: Value, name: str) -> bool | UnknownValue:
    if name == "type" or (value.metaclass is not None and kind in value.metaclass.mro):
        return True
    return kind.as_class is None and _of_any(value, kind, name)


NAMES_OF_TYPES: Kinds[Callable[[Any], Collection[str]]] = Kinds()
"""The names of the built-in types of which a value is an instance, its own first."""
NAMES_OF_TYPES.of(Value, RangeValue)(lambda _value: ())
NAMES_OF_TYPES.of(Const)(lambda value: [kind.__name__ for kind in type(value.value).__mro__])
NAMES_OF_TYPES.of(ListValue)(lambda value: (value.kind,))
NAMES_OF_TYPES.of(DictValue)(lambda value: (value.kind, "dict"))
NAMES_OF_TYPES.of(SetValue)(lambda value: ("frozenset" if value.frozen else "set",))
NAMES_OF_TYPES.of(TupleValue)(lambda _value: ("tuple",))
NAMES_OF_TYPES.of(ViewValue)(lambda value: (PROXY,) if value.kind == "mapping" else ())


@TYPES.of(Value)
def _own_type(value: Value) -> Value | None:
    name = next(iter(NAMES_OF_TYPES[type(value)](value)), "")
    return BUILTINS.get(name) or known_name(name)


TYPES.of(Instance)(lambda value: value.cls)
TYPES.of(TupleValue)(lambda value: value.cls or (None if value.fields else _own_type(value)))
TYPES.of(SdkObject)(lambda value: External(value.type))
TYPES.of(Const)(lambda value: _own_type(value) or External(f"builtins.{type(value.value).__name__}"))


def _abstract(value: Value, name: str) -> bool | UnknownValue:
    last = name.rpartition(".")[2]
    if last == "Mapping" or last == "MutableMapping":
        return value.as_dict is not None
    if last == "Sequence":
        items = value.string if value.sequence is None else value.sequence
        return items is not None and not isinstance(value, IteratorValue)
    if last == "Iterable":
        return value.scalar is None or value.string is not None
    if last in ("Callable", "Enum", "BaseModel", "Path", "Tool"):
        return False
    return reasons.unknown(reasons.OUTSIDE, f"whether a value is an instance of {name}")


def _outside(kind: Value) -> UnknownValue:
    return reasons.unknown(reasons.OUTSIDE, f"whether a value is an instance of {describe(kind)}")


def _issubclass(_run: Interpreter, arguments: Arguments) -> Value:
    value, kind = map(settled, arguments.positional)
    cls, kinds = value.as_class, _several(kind)
    if cls is None:
        return _outside(kind)
    derives = any(item in cls.mro or item.library_name in cls.outside for item in kinds)
    doubts = (_virtual(item.as_class, answer=derives) for item in kinds)
    if (doubt := next(filter(None, doubts), None)) is not None:
        return doubt
    return TRUE if derives else FALSE if all(item.as_class for item in kinds) else _outside(kind)


def _type(run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    if len(arguments.positional) > 1:
        unknown = reasons.unknown(reasons.UNSUPPORTED, "type() makes a class", arguments.place)
        return made_out_of_sight(run, arguments.at(1).sequence or (), unknown, value)
    return type_of(value) or first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, "type()", arguments.place)


def _getattr(run: Interpreter, arguments: Arguments) -> Value:
    value, name = arguments.positional[:2]
    unknown = first_unknown(value, name)
    if unknown is not None and isinstance(value, ModuleValue):
        # The attribute may be a function of the module that, when called, changes anything in the module.
        return taken_from(namespace_of(run.run_module(value.module.path).scope, unknown), unknown)
    if unknown is not None:
        return unknown
    if name.text is None:
        raise run.failure("TypeError", "attribute name must be string")
    own = _own(run, value, name.text)
    if own is not None and not own.is_bound and len(arguments.positional) > 2:
        return bound(run, own, name.text, arguments.place, fails=False)
    try:
        return get_attribute(run, value, name.text, arguments.place)
    except AbstractRaise as raised:
        if raised.type == "AttributeError" and len(arguments.positional) > 2:
            return arguments.positional[2]
        raise


def _own(run: Interpreter, owner: Value, name: str) -> Value | None:
    """The value that ``owner`` itself, or the namespace of a module, has for ``name``."""
    if isinstance(owner, ModuleValue):
        return run.run_module(owner.module.path).scope.names.get(name)
    instance = owner.as_instance
    return instance.names.get(name) if instance is not None else None


def _hasattr(run: Interpreter, arguments: Arguments) -> Value:
    owner, name = arguments.positional
    own = _own(run, owner, name.text) if name.text is not None else None
    if own is not None and not own.is_bound:
        return unbound(own, str(name.text), arguments.place)
    try:
        value = _getattr(run, arguments)
    except AbstractRaise as raised:
        if raised.type == "AttributeError":
            return FALSE
        raise
    if any(side.as_unknown for side in alternatives(value)) and not _declares(owner, name):
        return first_unknown(value) or value
    if owner.library_name and value.library_name:
        return reasons.unknown(reasons.OUTSIDE, f"whether {owner.library_name} has an attribute")
    return TRUE


def _declares(owner: Value, name: Value) -> bool:
    instance = owner.as_instance
    declared = instance.names.get(name.text or "") if instance is not None else None
    return declared is not None and declared.is_bound


def _setattr(run: Interpreter, arguments: Arguments) -> Value:
    target, name, value = arguments.positional
    if name.text is not None and arguments.place is not None:
        set_attribute(run, target, name.text, value, arguments.place)
        return NONE
    if name.scalar is not None and name.text is None:
        raise run.failure("TypeError", "attribute name must be string")
    unknown = first_unknown(name) or reasons.unknown(reasons.UNSUPPORTED, "setattr()", arguments.place)
    poison_arguments(run, arguments, unknown)
    if isinstance(target, Namespace):
        run.trail.touch(target)
        target.names = dict.fromkeys(target.names, unknown)
        target.rest = unknown
    return NONE


def _delattr(run: Interpreter, arguments: Arguments) -> Value:
    target, name = arguments.positional
    if name.text is None or arguments.place is None:
        more = (*arguments.positional, reasons.unknown(reasons.UNSUPPORTED, "delattr()", arguments.place))
        return _setattr(run, arguments._replace(positional=more))
    delete_attribute(run, target, name.text, arguments.place)
    return NONE


def _callable(run: Interpreter, arguments: Arguments) -> Value:
    value = settled(first_argument(run, arguments))
    instance = value.as_instance
    outside = instance is not None and (instance.cls.opaque or class_lookup(instance.cls, "__call__")[1])
    if value.is_callable is None or outside:
        return reasons.unknown(reasons.OUTSIDE, f"whether {describe(value)} can be called", arguments.place)
    return const(value.is_callable)


def _vars(run: Interpreter, arguments: Arguments) -> Value:
    return get_attribute(run, first_argument(run, arguments), "__dict__", arguments.place)


REFLECTION = {
    **functions(
        {
            "isinstance": (_isinstance, TWO),
            "issubclass": (_issubclass, TWO),
            "getattr": (_getattr, Arity(2, 3)),
            "hasattr": (_hasattr, TWO),
            "setattr": (_setattr, Arity(3, 3)),
            "delattr": (_delattr, TWO),
            "callable": (_callable, ONE),
        }
    ),
    "type": _type,
    "vars": _vars,
}
