"""Calls of methods that Python calls itself, such as ``__len__``, where a class of the program defines them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.members import find_method
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import Place, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def call_own(run: Interpreter, value: Value, name: str, *arguments: Value, place: Place | None = None) -> Value | None:
    """The result of the method ``name`` of ``value``; ``None`` if the program defines none."""
    method = find_method(value, name)
    return call(run, method, arguments, place=place) if method is not None else None
