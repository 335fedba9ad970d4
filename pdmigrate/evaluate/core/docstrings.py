"""``__doc__``: a text in two versions, since Python strips the indentation of docstrings from 3.13 on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.python_values import from_python, to_python
from pdmigrate.evaluate.core.values import Arguments, Const, ListValue, Origin, UnknownValue, Value
from pdmigrate.schemas.signatures.parsed_docstrings import compiled

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

FIRST = "3.13"
"""The first version of Python that strips the indentation."""
DOCSTRING = "docstring"
"""``Origin.text`` of every docstring."""


@dataclass(slots=True, eq=False)
class VersionedText(UnknownValue):
    """A text with two versions, before Python 3.13 and since; an operation is known if both give the same result."""

    older: str = ""
    newer: str = ""


def documented(run: Interpreter, value: Value) -> Value:
    """A docstring as the program reads it: known if every Python has the same text, or Python's version is known."""
    if (text := value.text) is None:
        return value
    if value.origin is None or value.origin.text != DOCSTRING:
        return value
    python = run.versions.get("python", "")
    if python:
        return Const(compiled(text, python), origin=value.origin)
    return _either(text, compiled(text, FIRST), value.origin)


def _either(older: Any, newer: Any, origin: Origin | None) -> Value:
    """The value that is ``older`` before Python 3.13 and ``newer`` since: known where both agree."""
    if type(older) is type(newer) and older == newer:
        return from_python(older, origin)
    reason = "the indentation of a docstring depends on the Python that runs the server (3.13 takes it away)"
    place = origin.place if origin is not None else None
    match older, newer:
        case str(), str():
            return VersionedText(reason, reasons.PLATFORM, place, origin=origin, older=older, newer=newer)
        case list(), list() if len(older) == len(newer):
            return ListValue([_either(*pair, origin) for pair in zip(older, newer, strict=True)], origin=origin)
    return reasons.unknown(reasons.PLATFORM, reason, place)


def on_both(run: Interpreter, arguments: Arguments, function: Callable[..., Any]) -> Value:
    """Apply ``function`` to the older and to the newer version of its arguments, and combine the two results.

    Raises:
        NotPlain: an argument is unknown.
    """
    results: list[Any] = []
    for newer in (False, True):
        plain = [_version(value, newer=newer) for value in arguments.positional]
        keywords = {key: _version(value, newer=newer) for key, value in arguments.keywords.items()}
        run.budget.read(16 * sum(len(text) for text in plain if isinstance(text, str)))
        try:
            results.append(function(*plain, **keywords))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise run.failure(type(error).__name__, str(error)) from None
        run.budget.text(len(results[-1]) if isinstance(results[-1], str) else 0)
    source = next((value for value in arguments.positional if isinstance(value, VersionedText)), None)
    return _either(results[0], results[1], source.origin if source is not None else None)


def _version(value: Value, *, newer: bool) -> Any:
    if isinstance(value, VersionedText):
        return value.newer if newer else value.older
    return to_python(value)
