"""Turning values into text: ``str``, ``repr``, ``format`` and f-string conversions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.budget import LARGEST_TEXT, charge
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.members import call_own
from pdmigrate.evaluate.core.python_values import NotPlain, describe, enum_payload, to_python
from pdmigrate.evaluate.core.values import (
    Const,
    DictValue,
    Instance,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


_LONGEST_NUMBER = 4_000
"""How many bits of a number are written out at the most."""


def text_of(run: Interpreter, value: Value) -> Value:
    """``str(value)``"""
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown
    if isinstance(value, Const):
        if (value.number or 0).bit_length() > _LONGEST_NUMBER:
            return reasons.unknown(reasons.BUDGET, "the number is too long")
        return value if value.text is not None else const(f"{value.value!s}", value.origin)
    if isinstance(value, KnownObject) and isinstance(value.payload, Value):
        return value.payload
    own = call_own(run, value, "__str__")
    if own is not None:
        return own
    if isinstance(value, Instance) and value.cls.kind == "enum":
        return _member_text(value)
    return representation(run, value)


def _member_text(value: Instance) -> Value:
    bases = value.cls.outside
    payload = value.names.get("_value_")
    if "enum.StrEnum" in bases and payload is not None:
        return payload
    if bases & {"enum.IntEnum", "enum.IntFlag", "enum.Flag"}:
        return reasons.unknown(reasons.VOLATILE, "the text of this enum member differs between Python versions")
    name = value.names.get("_name_")
    return (
        const(f"{value.cls.name}.{name.value!s}")
        if isinstance(name, Const)
        else reasons.unknown(reasons.UNSUPPORTED, "")
    )


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
    """Raise ``NotPlain`` if the text of ``value`` is not that of its plain data.

    Such are enum members, sets of several elements, named tuples and special dicts, also inside containers.
    """
    if enum_payload(value) is not None or depth > 40:
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "the text of an enum member"))
    if value.sequence is not None:
        charge(len(value.sequence))
        for item in value.sequence:
            refuse_members(item, depth + 1)
    if isinstance(value, SetValue) and len(value.items) > 1:
        raise NotPlain(reasons.unknown(reasons.VOLATILE, "the order of a set differs from run to run"))
    if isinstance(value, TupleValue) and value.fields:
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "the text of a named tuple"))
    if isinstance(value, DictValue):
        if value.kind != "dict":
            raise NotPlain(_dict_text(value))
        charge(len(value.entries))
        for entry in value.entries.values():
            refuse_members(entry.value, depth + 1)
            refuse_members(entry.key, depth + 1)


def _dict_text(value: DictValue) -> UnknownValue:
    name = value.kind.rpartition(".")[2]
    if name == "OrderedDict":
        return reasons.unknown(reasons.PLATFORM, "the text of an OrderedDict differs between Python versions")
    return reasons.unknown(reasons.UNSUPPORTED, f"the text of a {name}")


def conversion(run: Interpreter, value: Value, kind: str | None) -> Value:
    """``!s``, ``!r`` and ``!a`` of an f-string."""
    if kind is None:
        return value
    if kind == "s":
        return text_of(run, value)
    text = representation(run, value)
    if kind == "a" and isinstance(text, Const):
        return const(ascii(value.value)) if isinstance(value, Const) else const(ascii(text.value)[1:-1])
    return text


def format_value(run: Interpreter, value: Value, specification: Value) -> str | UnknownValue:
    """``format(value, specification)``"""
    unknown = first_unknown(value, specification)
    if unknown is not None:
        return unknown
    pattern = specification.value if isinstance(specification, Const) else ""
    own = call_own(run, value, "__format__", specification)
    if own is not None:
        value, pattern = own, ""
    elif not isinstance(value, Const):
        value = _formattable(run, value)
    if isinstance(value, UnknownValue):
        return value
    return _format_scalar(run, value, str(pattern))


def _formattable(run: Interpreter, value: Value) -> Value:
    if enum_payload(value) is not None and isinstance(value, Instance):
        strict = "enum.StrEnum" in value.cls.outside
        own = value.cls.defines("__str__")
        if not strict and not own:
            reason = "the text of a member of a mixed enum in a format differs between Python versions"
            return reasons.unknown(reasons.VOLATILE, reason)
    return text_of(run, value)


def _format_scalar(run: Interpreter, value: Value, pattern: str) -> str | UnknownValue:
    if not isinstance(value, Const):
        return reasons.unknown(reasons.UNSUPPORTED, f"the text of {describe(value)}")
    digits = "".join(character if character.isdigit() else " " for character in pattern).split()
    if any(len(number) > 6 or int(number) > LARGEST_TEXT for number in digits):
        return reasons.unknown(reasons.BUDGET, "the format asks for a very long text")
    if "n" in pattern[-1:]:
        return reasons.unknown(reasons.ENVIRONMENT, "the number format depends on the locale")
    if (value.number or 0).bit_length() > _LONGEST_NUMBER:
        return reasons.unknown(reasons.BUDGET, "the number is too long")
    try:
        text = format(value.value, pattern)
    except (ValueError, TypeError) as error:
        raise run.failure(type(error).__name__, str(error)) from None
    run.budget.text(len(text))
    return text
