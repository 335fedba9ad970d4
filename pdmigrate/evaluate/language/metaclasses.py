"""Metaclasses of the program: how they make, register and call classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.members import bind_to, class_lookup, function_in
from pdmigrate.evaluate.core.natives import native
from pdmigrate.evaluate.core.values import (
    Arguments,
    ClassValue,
    DictValue,
    Entry,
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


def is_followed(meta: Value) -> bool:
    """Whether the only special methods of a metaclass are those that the evaluator follows (``_FOLLOWED``)."""
    cls = meta.as_class
    if cls is None or cls.opaque is not None or not any(base.outer_name in _ROOTS for base in cls.mro):
        return False
    names = {name for base in cls.lineage for name in base.names}
    return not any(name.startswith("__") and name.endswith("__") and name not in _FOLLOWED for name in names)


def from_metaclass(run: Interpreter, cls: ClassValue, name: str) -> Value | None:
    """An attribute that a class has from its metaclass; ``None`` if the metaclass does not define it."""
    meta = cls.metaclass
    if meta is None or name.startswith("__"):
        return None
    found, _ = class_lookup(meta, name)
    if is_property(found):
        return call_function(run, found, Arguments((cls,), {}))
    return bind_to(found, cls, meta) if found is not None and found.as_function is not None else found


def keywords_of(cls: ClassValue) -> dict[str, Value]:
    """The keywords of the class statement that are handed to the methods which make or register the class."""
    return {name: value for name, value in cls.options.items() if name != "metaclass"}


def make_class(run: Interpreter, cls: ClassValue, finish: Callable[[], None]) -> None:
    """Have the metaclass make ``cls``; ``finish`` does what ``type`` does at the end of a class statement."""
    meta = cls.metaclass if cls.opaque is None else None
    if meta is None:
        finish()
        return
    # Without a docstring, the namespace has no ``__doc__`` yet.
    names = {name: value for name, value in cls.names.items() if name != "__doc__" or not value.is_just(None)}
    namespace = DictValue({name: Entry(const(name), value) for name, value in names.items()})
    given = (const(cls.name), TupleValue(cls.bases), namespace)
    if (maker := function_in(meta, "__new__")) is None:
        finish()
    else:
        run.nesting.making.append((cls, finish))
        depth = len(run.nesting.making)
        made = call_function(run, maker, Arguments((meta, *given), keywords_of(cls)))
        if len(run.nesting.making) >= depth or made is not cls:
            del run.nesting.making[depth - 1 :]
            reason = f"the metaclass of {cls.name} makes something else"
            cls.opaque = reasons.unknown(reasons.UNSUPPORTED, reason, cls.made_at)
            return
    if (starter := function_in(meta, "__init__")) is not None:
        call_function(run, starter, Arguments((cls, *given), keywords_of(cls)))


@native("type.__new__")
def _type_new(run: Interpreter, arguments: Arguments) -> Value:
    """``type.__new__(metaclass, name, bases, namespace)`` in the ``__new__`` of a metaclass."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, "type() makes a class", arguments.place)
    if not run.nesting.making or len(arguments.positional) != 4:
        return unknown
    cls, finish = run.nesting.making[-1]
    _, name, bases, namespace = arguments.positional
    names = namespace.by_key
    if names is None or name.text != cls.name or not isinstance(bases, TupleValue) or bases.items != cls.bases:
        return unknown
    run.nesting.making.pop()
    run.trail.touch(cls)
    cls.names = {"__doc__": cls.names["__doc__"], **names} if "__doc__" in cls.names else names
    finish()
    return cls


@native("object.__new__")
def _plain_new(_run: Interpreter, arguments: Arguments) -> Value:
    """``object.__new__(cls)``"""
    cls = arguments.first.as_class
    if cls is not None and cls.kind == "plain":
        return Instance(cls=cls, rest=cls.opaque)
    return reasons.unknown(reasons.UNSUPPORTED, "object.__new__ of this class", arguments.place)
