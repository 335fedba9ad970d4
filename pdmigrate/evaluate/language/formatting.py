"""``str.format``."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.operations import get_attribute
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import Arguments, Origin, Value, const
from pdmigrate.evaluate.language.subscripts import get_item
from pdmigrate.evaluate.language.text import conversion, format_value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def format_text(run: Interpreter, arguments: Arguments) -> Value:
    """``text.format(*args, **keywords)``"""
    receiver, *rest = arguments.positional

    def field(key: str) -> Value:
        if key.isdigit():
            if int(key) >= len(rest):
                raise run.failure("IndexError", "replacement index out of range")
            return rest[int(key)]
        if key in arguments.keywords:
            return arguments.keywords[key]
        raise run.failure("KeyError", key)

    if (template := receiver.text) is None:
        return first_unknown(receiver) or reasons.unknown(reasons.UNSUPPORTED, "this format", arguments.place)
    try:
        text = _Formatting(run, field, arguments).text(template, 0)
    except NotPlain as reason:
        return reason.unknown
    run.budget.text(len(text))
    return const(text, Origin(".format()", arguments.place, receiver.sources))


class _Formatting:
    """One ``format`` call: unnamed fields are numbered in one sequence, including those in format specifications."""

    def __init__(self, run: Interpreter, field: Callable[[str], Value], arguments: Arguments) -> None:
        self.run, self.field, self.arguments = run, field, arguments
        self.next, self.manual = 0, False

    def text(self, pattern: str, depth: int) -> str:
        if depth > 1:
            raise self.run.failure("ValueError", "max string recursion exceeded")
        try:
            parts = list(string.Formatter().parse(pattern))
        except ValueError as error:
            raise self.run.failure("ValueError", str(error)) from None
        pieces: list[str] = []
        for literal, name, specification, kind in parts:
            pieces.append(literal)
            if name is not None:
                pieces.append(self._one(name, specification or "", kind, depth))
        return "".join(pieces)

    def _one(self, name: str, specification: str, kind: str | None, depth: int) -> str:
        value = self._value(name)
        if kind is not None and kind not in ("s", "r", "a"):
            raise self.run.failure("ValueError", f"unknown conversion specifier {kind}")
        value = conversion(self.run, value, kind)
        return format_value(self.run, value, const(self.text(specification, depth + 1) if specification else ""))

    def _value(self, name: str) -> Value:
        """``name.attribute[key]``"""
        first = re.match(r"[^.\[]*", name)
        assert first is not None
        value, rest = self.field(self._numbered(first[0])), name[first.end() :]
        while rest:
            part = re.match(r"\.([^.\[]+)|\[([^\]]+)\]", rest)
            if part is None or self.arguments.place is None:
                raise self.run.failure("ValueError", "this replacement field")
            if part[1] is not None:
                value = get_attribute(self.run, value, part[1], self.arguments.place)
            else:
                key = const(int(part[2]) if part[2].isdigit() else part[2])
                value = get_item(self.run, value, key, self.arguments.place)
            rest = rest[part.end() :]
        return value

    def _numbered(self, name: str) -> str:
        automatic = not name
        if (automatic or name.isdigit()) and ((automatic and self.manual) or (not automatic and self.next)):
            raise self.run.failure("ValueError", "cannot switch between manual and automatic numbering")
        if not automatic:
            self.manual = self.manual or name.isdigit()
            return name
        self.next += 1
        return str(self.next - 1)
