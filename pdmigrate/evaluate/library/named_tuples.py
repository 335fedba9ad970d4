"""Named tuples: their methods, and ``collections.namedtuple``."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import NotPlain, to_python
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    ClassValue,
    DictValue,
    Entry,
    External,
    FieldRecord,
    Native,
    Origin,
    Place,
    Scope,
    TupleValue,
    Value,
    const,
)
from pdmigrate.evaluate.types.made_classes import remember_contents
from pdmigrate.evaluate.types.models import construct

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def member(value: TupleValue, name: str) -> Value | None:
    """A method or attribute that every named tuple has."""
    if name == "_fields":
        return TupleValue(tuple(const(field) for field in value.fields))
    function = _METHODS.get(name)
    return BoundMethod(Native(name, function), value) if function is not None else None


def _receiver(arguments: Arguments) -> TupleValue:
    receiver = arguments.positional[0]
    assert isinstance(receiver, TupleValue)
    return receiver


def _replace(run: Interpreter, arguments: Arguments) -> Value:
    value = _receiver(arguments)
    if len(arguments.positional) > 1:
        raise run.failure("TypeError", "_replace() takes keywords only")
    strange = arguments.keywords.keys() - set(value.fields)
    if strange:
        raise run.failure("ValueError", f"got unexpected field names: {min(strange)}")
    items = (arguments.keywords.get(name, item) for name, item in zip(value.fields, value.items, strict=True))
    origin = Origin("_replace()", arguments.place, (value.origin,) if value.origin else ())
    return TupleValue(tuple(items), value.fields, value.cls, origin=origin)


def _asdict(_run: Interpreter, arguments: Arguments) -> Value:
    value = _receiver(arguments)
    pairs = zip(value.fields, value.items, strict=True)
    return DictValue({name: Entry(const(name), item) for name, item in pairs}, origin=value.origin)


_METHODS: dict[str, Callable[[Interpreter, Arguments], Value]] = {"_replace": _replace, "_asdict": _asdict}


def make_from(run: Interpreter, arguments: Arguments) -> Value:
    """``Point._make(iterable)``"""
    cls, *given = arguments.positional
    assert isinstance(cls, ClassValue)
    elements = spread(run, given[0], arguments.place) if len(given) == 1 else None
    if elements is None:
        raise run.failure("TypeError", "_make() takes one argument")
    if elements.uncertain is not None:
        return elements.uncertain
    return construct(run, cls, Arguments(tuple(elements.items), {}, None, arguments.place))


def make_class(run: Interpreter, arguments: Arguments) -> Value:
    """``collections.namedtuple("Point", "x y", defaults=...)``"""
    try:
        given = [to_python(value) for value in arguments.positional]
        keywords = {name: to_python(v) for name, v in arguments.keywords.items() if name != "defaults"}
        defaults = arguments.keywords.get("defaults")
        values = spread(run, defaults, arguments.place) if defaults is not None else None
    except NotPlain as reason:
        return reason.unknown
    if values is not None and values.uncertain is not None:
        return values.uncertain
    if keywords.keys() - {"typename", "field_names", "rename", "module"} or "rename" in keywords:
        return reasons.unknown(reasons.UNSUPPORTED, "namedtuple() with these arguments", arguments.place)
    try:
        real = namedtuple(*given, **keywords)  # type: ignore[misc]
    except (TypeError, ValueError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    return _class(run, real.__name__, real._fields, list(values.items) if values is not None else [], arguments.place)


def _class(run: Interpreter, name: str, fields: tuple[str, ...], defaults: list[Value], place: Place | None) -> Value:
    if len(defaults) > len(fields):
        raise run.failure("TypeError", "got more default values than field names")
    cls = ClassValue(name=name, kind="namedtuple", origin=Origin(f"namedtuple {name}", place))
    cls.mro = (cls,)
    # Every field has a type that says nothing: a constructor looks at the names only.
    cls.annotations = {field: cst.Annotation(cst.Name("object")) for field in fields}
    cls.names.update(zip(fields[len(fields) - len(defaults) :], defaults, strict=True))
    if place is not None:
        cls.module, cls.scope = place.module, Scope(kind="function", module=place.module)
        anything = External("typing.Any")
        cls.fields.items += [FieldRecord(field, place.node, anything, cls.names.get(field)) for field in fields]
        remember_contents(run, cls)
    return cls
