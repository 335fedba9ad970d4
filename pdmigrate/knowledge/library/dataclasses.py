"""``dataclasses``: classes that a decorator makes, their fields, and copies of their instances."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import charge
from pdmigrate.evaluate.core.natives import Function, declare, first_argument, native, unfit
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    ClassValue,
    DictValue,
    Entry,
    FieldDefault,
    Instance,
    ListValue,
    Native,
    Origin,
    TupleValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.classes import conditional_field
from pdmigrate.evaluate.language.copying import deep_copy
from pdmigrate.knowledge.types.models import construct, fields_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def decorator(maker: str) -> Function:
    """The implementation of the decorator ``maker``, which is called with options, or with the class itself."""

    def dataclass(run: Interpreter, arguments: Arguments) -> Value:
        def decorate(_run: Interpreter, inner: Arguments) -> Value:
            given = inner.positional[0]
            if (cls := given.as_class) is not None:
                cls.kind, cls.maker = "dataclass", maker
                cls.opaque = cls.opaque or conditional_field(cls)
                cls.options = {**cls.options, **arguments.keywords}
            return given

        return decorate(run, arguments) if arguments.positional else Native("dataclass()", decorate)

    return dataclass


def field(maker: str, what: str) -> Function:
    """The implementation of a function that describes a field."""
    return lambda _run, arguments: FieldDefault(maker, arguments, origin=Origin(what, arguments.place))


declare(
    {
        "dataclasses.dataclass": decorator("dataclasses.dataclass"),
        "dataclasses.field": field("dataclasses.field", "dataclass field"),
    }
)


@native("dataclasses.asdict")
def _asdict(run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    if len(arguments.positional) > 1 or arguments.keywords:
        return reasons.unknown(reasons.UNSUPPORTED, "asdict() with a dict_factory", arguments.place)
    if value.as_instance is None or value.as_instance.cls.kind != "dataclass":
        raise unfit(value, f"asdict of {describe(value)}", arguments.place)
    return _plain_copy(value)


def _plain_copy(value: Value) -> Value:
    """The result of ``asdict``: dataclasses become dicts, containers are copied."""
    charge(1)
    made = value.as_instance
    if made is not None and made.cls.kind == "dataclass":
        copied = {name: _plain_copy(made.names.get(name, NONE)) for name in fields_of(made.cls)}
        return DictValue(
            {name: Entry(const(name), item) for name, item in copied.items()}, made.rest, origin=made.origin
        )
    if isinstance(value, ListValue):
        return replace(value, items=[_plain_copy(item) for item in value.items])
    if isinstance(value, TupleValue):
        return replace(value, items=tuple(_plain_copy(item) for item in value.items))
    if isinstance(value, DictValue):
        return replace(value, entries={k: Entry(e.key, _plain_copy(e.value)) for k, e in value.entries.items()})
    return deep_copy(value)


@native("dataclasses.replace")
def _replace(run: Interpreter, arguments: Arguments) -> Value:
    given = first_argument(run, arguments)
    if (value := given.as_instance) is None:
        raise unfit(given, "replace()", arguments.place)
    names = {name: value.names[name] for name in fields_of(value.cls) if name in value.names}
    return construct(run, value.cls, Arguments((), {**names, **arguments.keywords}, value.rest, arguments.place))


@native("dataclasses.fields")
def _fields(run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    cls = value.as_instance.cls if value.as_instance is not None else value.as_class
    if cls is None or cls.opaque is not None:
        raise unfit((cls.opaque if cls is not None else None) or value, "fields()", arguments.place)
    return TupleValue(tuple(Instance({"name": const(name)}, cls=_FIELD) for name in fields_of(cls)))


_FIELD = ClassValue(name="Field")
_FIELD.mro = (_FIELD,)
_FIELD.rest = reasons.unknown(reasons.UNSUPPORTED, "an attribute of a dataclass field")
