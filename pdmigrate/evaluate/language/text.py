"""Turning values into text: ``str``, ``repr``, ``format`` and f-string conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.budget import LARGEST_TEXT, charge
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import call_own, class_lookup
from pdmigrate.evaluate.core.natives import settled, unfit
from pdmigrate.evaluate.core.python_values import NotPlain, describe, enum_payload, to_python
from pdmigrate.evaluate.core.values import (
    DictValue,
    EllipsisValue,
    FunctionValue,
    Instance,
    ListValue,
    SetValue,
    TupleValue,
    Value,
    ViewValue,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


_LONGEST_NUMBER = 4_000
"""The most bits of a number that is converted to text."""


def text_of(run: Interpreter, value: Value) -> Value:
    """``str(value)``"""
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown
    if (scalar := value.scalar) is not None:
        if (value.number or 0).bit_length() > _LONGEST_NUMBER:
            return reasons.unknown(reasons.BUDGET, "the number is too long")
        return value if value.text is not None else const(f"{scalar.value!s}", value.origin)
    if isinstance(value, KnownObject) and isinstance(value.payload, Value):
        return value.payload
    own = call_own(run, value, "__str__")
    if own is not None:
        return own
    if (instance := value.as_instance) is not None and instance.cls.kind == "enum":
        return _member_text(instance)
    return representation(run, value)


def _member_text(value: Instance) -> Value:
    bases = value.cls.outside
    payload = value.names.get("_value_")
    if "enum.StrEnum" in bases and payload is not None:
        return payload
    if bases & {"enum.IntEnum", "enum.IntFlag", "enum.Flag"}:
        return reasons.unknown(reasons.VOLATILE, "the text of this enum member differs between Python versions")
    name = value.names["_name_"].text if "_name_" in value.names else None
    if name is None:
        return reasons.unknown(reasons.UNSUPPORTED, "the name of this enum member")
    return const(f"{value.cls.name}.{name}")


def representation(run: Interpreter, value: Value) -> Value:
    """``repr(value)``"""
    own = call_own(run, value, "__repr__")
    if own is not None:
        return own
    try:
        refuse_members(value)
        plain = to_python(value)
    except NotPlain as reason:
        return reason.unknown
    text = repr(plain)
    run.budget.text(len(text))
    return const(text, value.origin)


def refuse_members(value: Value, depth: int = 0) -> None:
    """Raise ``NotPlain`` if the text of ``value`` differs from that of its plain data.

    That is so for enum members, sets of several elements, named tuples and special dicts, also inside containers.
    """
    if enum_payload(value) is not None or depth > 40:
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "the text of an enum member"))
    if value.sequence is not None:
        charge(len(value.sequence))
        for item in value.sequence:
            refuse_members(item, depth + 1)
    if value.as_set is not None and len(value.as_set.items) > 1:
        raise NotPlain(reasons.unknown(reasons.VOLATILE, "the order of a set differs from run to run"))
    if value.as_tuple is not None and value.as_tuple.fields:
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "the text of a named tuple"))
    if isinstance(value, DictValue):
        if value.kind != "dict":
            # The text of an ``OrderedDict`` differs between versions of Python.
            code = reasons.PLATFORM if value.kind == "collections.OrderedDict" else reasons.UNSUPPORTED
            raise NotPlain(reasons.unknown(code, f"the text of a value of type {value.kind}"))
        charge(len(value.entries))
        for entry in value.entries.values():
            refuse_members(entry.value, depth + 1)
            refuse_members(entry.key, depth + 1)


def conversion(run: Interpreter, value: Value, kind: str | None) -> Value:
    """``value`` after the conversion ``!s``, ``!r`` or ``!a`` of an f-string; unchanged if ``kind`` is ``None``."""
    if kind is None:
        return value
    if kind == "s":
        return text_of(run, value)
    text = representation(run, value)
    if kind == "a" and text.text is not None:
        return const(text.text.encode("ascii", "backslashreplace").decode(), text.origin)
    return text


def format_value(run: Interpreter, value: Value, specification: Value) -> str:
    """``format(value, specification)``

    Raises:
        NotPlain: the text is not known.
    """
    known, pattern = settled(value), settled(specification).scalar
    own = call_own(run, known, "__format__", specification)
    if own is not None:
        return _format_scalar(run, settled(own), "")
    if known.scalar is None:
        if (pattern is None or pattern.value != "") and _takes_no_format(known):
            raise run.failure("TypeError", f"unsupported format string for {describe(known)}")
        known = settled(_formattable(run, known))
    return _format_scalar(run, known, str(pattern.value) if pattern is not None else "")


def _takes_no_format(value: Value) -> bool:
    """Whether a value has only the ``__format__`` of ``object``, which refuses every format."""
    instance = value.as_instance
    if instance is None:
        return isinstance(value, (ListValue, DictValue, SetValue, TupleValue, ViewValue, EllipsisValue, FunctionValue))
    cls = instance.cls
    return cls.kind != "enum" and cls.opaque is None and class_lookup(cls, "__format__") == (None, None)


def _formattable(run: Interpreter, value: Value) -> Value:
    cls = value.as_instance.cls if value.as_instance is not None else None
    if cls is None or enum_payload(value) is None or "enum.StrEnum" in cls.outside or cls.defines("__str__"):
        return text_of(run, value)
    reason = "the text of a member of a mixed enum in a format differs between Python versions"
    return reasons.unknown(reasons.VOLATILE, reason)


def _format_scalar(run: Interpreter, value: Value, pattern: str) -> str:
    if (scalar := value.scalar) is None:
        raise unfit(value, f"the text of {describe(value)}")
    digits = "".join(character if character.isdigit() else " " for character in pattern).split()
    if any(len(number) > 6 or int(number) > LARGEST_TEXT for number in digits):
        raise unfit(value, "the format asks for a very long text", code=reasons.BUDGET)
    if "n" in pattern[-1:]:
        raise unfit(value, "the number format depends on the locale", code=reasons.ENVIRONMENT)
    if (value.number or 0).bit_length() > _LONGEST_NUMBER:
        raise unfit(value, "the number is too long", code=reasons.BUDGET)
    try:
        text = format(scalar.value, pattern)
    except (OverflowError, TypeError, ValueError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    run.budget.text(len(text))
    return text
