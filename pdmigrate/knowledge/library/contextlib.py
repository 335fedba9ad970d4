"""``contextlib``: a decorated generator function is represented by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.natives import first_argument, native
from pdmigrate.evaluate.core.python_values import describe

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import Arguments, Value


@native("contextlib.contextmanager", "contextlib.asynccontextmanager")
def _manager(run: Interpreter, arguments: Arguments) -> Value:
    """The generator function itself, whose generator a ``with`` statement enters."""
    given = first_argument(run, arguments)
    if (function := given.as_function) is not None and function.generator:
        return function
    return reasons.unknown(reasons.OUTSIDE, f"a context manager of {describe(given)}", arguments.place)
