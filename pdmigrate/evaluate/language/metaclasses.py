"""Metaclasses of the program: how they make, register and call classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.disturbing import disturb
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.members import bind_to, call_own, class_lookup, function_in, is_method
from pdmigrate.evaluate.core.natives import native
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import (
    Arguments,
    Choice,
    ClassValue,
    DictValue,
    Entry,
    Instance,
    TupleValue,
    UnknownValue,
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
    if cls.opaque is not None:
        _make_opaque(run, cls, finish)
        return
    meta = cls.metaclass
    if meta is None:
        finish()
        return
    given = _given_to_metaclass(cls)
    if (maker := function_in(meta, "__new__")) is None:
        finish()
    else:
        run.nesting.open_classes.append((cls, finish))
        depth = len(run.nesting.open_classes)
        made = call_function(run, maker, Arguments((meta, *given), keywords_of(cls)))
        if len(run.nesting.open_classes) >= depth or made is not cls:
            del run.nesting.open_classes[depth - 1 :]
            reason = f"the metaclass of {cls.name} makes something else"
            cls.opaque = reasons.unknown(reasons.UNSUPPORTED, reason, cls.made_at)
            return
    if (starter := function_in(meta, "__init__")) is not None:
        call_function(run, starter, Arguments((cls, *given), keywords_of(cls)))


def _given_to_metaclass(cls: ClassValue) -> tuple[Value, ...]:
    """The name, the bases and the namespace of a class."""
    # Without a docstring, the namespace has no ``__doc__`` yet.
    names = {name: value for name, value in cls.names.items() if name != "__doc__" or not value.is_just(None)}
    namespace = DictValue({name: Entry(const(name), value) for name, value in names.items()})
    return const(cls.name), TupleValue(cls.bases), namespace


def _make_opaque(run: Interpreter, cls: ClassValue, finish: Callable[[], None]) -> None:
    """End the statement of a class that is not followed: its metaclass is run, since it may register the class."""
    finished: list[bool] = []

    def once() -> None:
        if not finished:
            finished.append(True)
            finish()

    for base in cls.bases:
        call_own(run, base, "__mro_entries__", TupleValue(cls.bases), place=cls.made_at)
    if (meta := _given_metaclass(cls)) is not None:
        try:
            _run_metaclass(run, meta, cls, _given_to_metaclass(cls), keywords_of(cls), once)
        except AbstractRaise:
            run.risk(cls.opaque or reasons.unknown(reasons.UNSUPPORTED, f"{cls.name} has a metaclass", cls.made_at))
    once()


def _given_metaclass(cls: ClassValue) -> Value | None:
    """The metaclass of a class: its own, one that it inherits, or the class of a base that is no class statement's."""
    given = (base.options["metaclass"] for base in cls.lineage if "metaclass" in base.options)
    if (found := next(given, None)) is not None:
        return found if found.as_function is None or cls.options.get("metaclass") is found else None
    made = (base.as_instance.cls for base in cls.bases if base.as_instance is not None)
    return next((meta for meta in made if any(base.outer_name in _ROOTS for base in meta.mro)), None)


def replaced(cls: ClassValue) -> UnknownValue | None:
    """What stands for a class where a condition decides what its metaclass makes of it."""
    if cls.opaque is None or (meta := _given_metaclass(cls)) is None:
        return None
    conditional = meta.sides or (meta.as_class is not None and meta.as_class.opaque is not None)
    return with_aliases(cls.opaque, cls) if conditional else None


def _run_metaclass(
    run: Interpreter,
    meta: Value,
    cls: Value,
    given: tuple[Value, ...],
    keywords: dict[str, Value],
    finish: Callable[[], None],
) -> None:
    """Run the code of a metaclass for what it does apart from making ``cls``."""
    if isinstance(meta, Choice):
        run.on_each(meta, lambda side: _run_metaclass(run, side, cls, given, keywords, _do_nothing))
    elif (unknown := meta.as_unknown) is not None:
        run.doubt = run.doubt or unknown
        run.risk(unknown)
        disturb(run, unknown)
    elif (function := meta.as_function) is not None:
        call_function(run, function, Arguments(given, keywords, None, cls.made_at))
    elif (made := meta.as_class) is not None:
        for name, first in (("__prepare__", made), ("__new__", made), ("__init__", cls)):
            if name == "__init__":
                finish()
            if (method := class_lookup(made, name)[0]) is None:
                continue
            depth = len(run.nesting.open_classes)
            if (known := cls.as_class) is not None:
                run.nesting.open_classes.append((known, finish))
            whole = (first, *given[: 2 if name == "__prepare__" else 3])
            _run_method(run, method, Arguments(whole, keywords, None, cls.made_at))
            del run.nesting.open_classes[depth:]


def _run_method(run: Interpreter, method: Value, arguments: Arguments) -> None:
    """Call a method of a metaclass, or each that it may be."""
    if (function := method.as_function) is not None:
        call_function(run, function, arguments)
    elif method.sides:
        run.on_each(method, lambda side: _run_method(run, side, arguments))


def _do_nothing() -> None:
    return None


def made_out_of_sight(
    run: Interpreter, bases: Sequence[Value], unknown: UnknownValue, name: Value | None = None
) -> UnknownValue:
    """Run what classes have run when a subclass is made, for one that a call makes; return ``unknown``, that class."""
    run.risk(unknown, "soft")
    for cls in filter(None, (base.as_class for base in bases)):
        hook = class_lookup(cls, "__init_subclass__")[0]
        if hook is not None and is_method(hook):
            call(run, hook, (unknown,))
        if (meta := _given_metaclass(cls)) is not None and meta.as_function is None:
            given = (name or unknown, TupleValue(tuple(bases)), unknown)
            _run_metaclass(run, meta, unknown, given, {}, _do_nothing)
    return unknown


@native("type.__new__")
def _type_new(run: Interpreter, arguments: Arguments) -> Value:
    """``type.__new__(metaclass, name, bases, namespace)`` in the ``__new__`` of a metaclass."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, "type() makes a class", arguments.place)
    if not run.nesting.open_classes or len(arguments.positional) != 4:
        run.doubt = run.doubt or unknown  # a call of the metaclass makes a class, and what happens to it then is lost
        return unknown
    cls, finish = run.nesting.open_classes[-1]
    _, name, bases, namespace = arguments.positional
    names = namespace.by_key
    if names is None or name.text != cls.name or not isinstance(bases, TupleValue) or bases.items != cls.bases:
        return unknown
    run.nesting.open_classes.pop()
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
