"""``str.format``."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import Arguments, Origin, Value, const
from pdmigrate.evaluate.language.text import conversion, format_value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def format_text(run: Interpreter, arguments: Arguments) -> Value:
    """``text.format(*args, **keywords)``"""
    receiver = arguments.positional[0]
    if (template := receiver.text) is None:
        return first_unknown(receiver) or reasons.unknown(reasons.UNSUPPORTED, "this format", arguments.place)
    try:
        text = _filled(run, template, arguments, [])
    except NotPlain as reason:
        return reason.unknown
    run.budget.text(len(text))
    return const(text, Origin(".format()", arguments.place, receiver.sources))


def _filled(run: Interpreter, pattern: str, arguments: Arguments, numbers: list[str], depth: int = 0) -> str:
    """``pattern`` with its fields replaced; ``numbers`` collects the field names that mean positional arguments."""
    if depth > 1:
        raise run.failure("ValueError", "max string recursion exceeded")
    try:
        parts = list(string.Formatter().parse(pattern))
    except ValueError as error:
        raise run.failure("ValueError", str(error)) from None
    pieces: list[str] = []
    for literal, name, specification, kind in parts:
        pieces.append(literal)
        if name is None:
            continue
        value = _argument(run, name, arguments, numbers)
        if kind not in (None, "s", "r", "a"):
            raise run.failure("ValueError", f"unknown conversion specifier {kind}")
        value = conversion(run, value, kind)
        inner = _filled(run, specification, arguments, numbers, depth + 1) if specification else ""
        pieces.append(format_value(run, value, const(inner)))
    return "".join(pieces)


def _argument(run: Interpreter, name: str, arguments: Arguments, numbers: list[str]) -> Value:
    if "." in name or "[" in name:
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, "a part of an argument in a format", arguments.place))
    if name and not name.isdecimal():
        if name not in arguments.keywords:
            raise run.failure("KeyError", name)
        return arguments.keywords[name]
    numbers.append(name)
    if "" in numbers and any(numbers):
        raise run.failure("ValueError", "cannot switch between manual and automatic numbering")
    index = int(name) if name else len(numbers) - 1
    if index + 1 >= len(arguments.positional):
        raise run.failure("IndexError", "replacement index out of range")
    return arguments.positional[index + 1]
