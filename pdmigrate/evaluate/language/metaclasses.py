"""Metaclasses of the program, as far as they make, register and call classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.members import class_lookup, function_in
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    DictValue,
    Entry,
    FunctionValue,
    Instance,
    TupleValue,
    Value,
    const,
    is_property,
)
from pdmigrate.evaluate.language.functions import call_function

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_ROOTS = frozenset({"type", "builtins.type", "abc.ABCMeta"})
_FOLLOWED = frozenset({"__new__", "__init__", "__call__", "__doc__", "__module__", "__qualname__", "__init_subclass__"})


class Making(NamedTuple):
    """A class whose body has run, and which its metaclass has yet to make; ``finish`` ends its class statement."""

    cls: ClassValue
    finish: Callable[[], None]


def is_metaclass(value: Value) -> bool:
    return isinstance(value, ClassValue) and any(base.outer_name in _ROOTS for base in value.mro)


def metaclass_of(cls: ClassValue) -> ClassValue | None:
    """The metaclass that ``cls`` has or inherits, if the program defines it."""
    for base in cls.lineage:
        found = base.options.get("metaclass")
        if isinstance(found, ClassValue):
            return found
    return None


def is_followed(meta: Value) -> bool:
    """Whether the only special methods of a metaclass are those that the evaluator follows (``_FOLLOWED``)."""
    if not isinstance(meta, ClassValue) or not is_metaclass(meta) or meta.opaque is not None:
        return False
    names = {name for base in meta.lineage for name in base.names}
    return not any(name.startswith("__") and name.endswith("__") and name not in _FOLLOWED for name in names)


def from_metaclass(run: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """An attribute that a class has from its metaclass; ``None`` if that has none of this name."""
    meta = metaclass_of(cls)
    found = class_lookup(meta, name)[0] if meta is not None and not name.startswith("__") else None
    if is_property(found):
        return call_function(run, found, Arguments((cls,), {}))
    if isinstance(found, FunctionValue) and found.kind != "static":
        return BoundMethod(found, meta if found.kind == "class" and meta is not None else cls)
    return found


def make_class(run: Interpreter, cls: ClassValue, finish: Callable[[], None]) -> None:
    """Let the metaclass of ``cls`` make it; ``finish`` is what ``type`` does at the end of a class statement."""
    meta = metaclass_of(cls)
    if meta is None or cls.opaque is not None:
        finish()
        return
    names = {name: value for name, value in cls.names.items() if not _is_absent(name, value)}
    namespace = DictValue({name: Entry(const(name), value) for name, value in names.items()})
    given = (const(cls.name), TupleValue(cls.bases), namespace)
    keywords = {name: value for name, value in cls.options.items() if name != "metaclass"}
    if (maker := function_in(meta, "__new__")) is not None:
        run.making.append(Making(cls, finish))
        depth = len(run.making)
        made = call_function(run, maker, Arguments((meta, *given), keywords))
        if len(run.making) >= depth or made is not cls:
            del run.making[depth - 1 :]
            reason = f"the metaclass of {cls.name} makes something else"
            cls.opaque = reasons.unknown(reasons.UNSUPPORTED, reason, cls.origin.place if cls.origin else None)
            return
    else:
        finish()
    if (starter := function_in(meta, "__init__")) is not None:
        call_function(run, starter, Arguments((cls, *given), keywords))


def _is_absent(name: str, value: Value) -> bool:
    return name == "__doc__" and value.is_just(None)


def type_new(run: Interpreter, arguments: Arguments) -> Value:
    """``type.__new__(metaclass, name, bases, namespace)`` in the ``__new__`` of a metaclass."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, "type() makes a class", arguments.place)
    if not run.making or len(arguments.positional) != 4:
        return unknown
    cls, finish = run.making[-1]
    _, name, bases, namespace = arguments.positional
    names = namespace.by_key
    if names is None or name.text != cls.name or not isinstance(bases, TupleValue) or bases.items != cls.bases:
        return unknown
    run.making.pop()
    run.trail.touch(cls)
    doc = {"__doc__": cls.names["__doc__"]} if "__doc__" in cls.names else {}
    cls.names = {**doc, **names}
    finish()
    return cls


def plain_new(_run: Interpreter, arguments: Arguments) -> Value:
    """``object.__new__(cls)``"""
    cls = arguments.positional[0] if arguments.positional else None
    if isinstance(cls, ClassValue) and cls.kind == "plain":
        return Instance(cls=cls, rest=cls.opaque)
    return reasons.unknown(reasons.UNSUPPORTED, "object.__new__ of this class", arguments.place)
