"""Classes and plain values that calls of a library make: ``create_model``, ``namedtuple``, ``Enum("Color", ...)``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.scalars import make_scalar
from pdmigrate.evaluate.values import Arguments, External, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter


def library_call(run: Interpreter, function: External, arguments: Arguments) -> Value | None:
    """The result of a call of the standard library or of pydantic; ``None`` where nothing is known of it."""
    return make_scalar(run, function, arguments)
