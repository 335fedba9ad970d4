"""Helpers of native functions: reading their arguments, and lifting functions of plain Python values."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.docstrings import VersionedText, on_both
from pdmigrate.evaluate.core.outside import ATTRIBUTES_OUTSIDE
from pdmigrate.evaluate.core.python_values import NotPlain, from_python, to_python
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    Native,
    Origin,
    Place,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


T = TypeVar("T")
Function = Callable[["Interpreter", Arguments], Value]


BUILTINS: dict[str, Value] = {}
"""The names in ``builtins``, with their values."""
NAMES: dict[str, Value] = {}
"""Full names of the standard library and of pydantic whose values are known."""


WRITTEN_IN_PYTHON = 16
"""How many times slower than a string method a function written in Python is on a text, at worst."""


def declare(functions: Mapping[str, Function]) -> None:
    """Register implementations of library functions by full name."""
    NAMES.update({name: Native(name, function) for name, function in functions.items()})


def native(*names: str) -> Callable[[Function], Function]:
    """A decorator for the implementation of a function that a library exports under these full names."""

    def declared(function: Function) -> Function:
        declare(dict.fromkeys(names, function))
        return function

    return declared


def declare_plain(*functions: Callable[..., Any]) -> None:
    """Register functions of the standard library that take and return plain values; the real functions are called."""
    for function in functions:
        name = f"{function.__module__}.{function.__qualname__}"
        declare({name: plain_function(name, function)})


def real_builtin(value: Value) -> object | None:
    """The built-in function or class of Python that ``value`` stands for; ``None`` for all other values."""
    name = value.outer_name
    ours = BUILTINS.get(name) is value or (name.startswith("builtins.") and not value.is_result)
    return vars(builtins).get(name.removeprefix("builtins.")) if ours else None


def known(answer: T | UnknownValue) -> T:
    """The answer of a question such as ``truth``.

    Raises:
        NotPlain: the answer is unknown.
    """
    if isinstance(answer, UnknownValue):
        raise NotPlain(answer)
    return answer


def settled(value: Value) -> Value:
    """``value`` itself.

    Raises:
        NotPlain: the value is unknown, or a ``Choice``.
    """
    unknown = first_unknown(value)
    if unknown is not None:
        raise NotPlain(unknown)
    return value


def unfit(value: Value, reason: str, place: Place | None = None, code: str = reasons.UNSUPPORTED) -> NotPlain:
    """The exception for a value that a native does not take: with its own reason if it is unknown, else ``reason``."""
    return NotPlain(first_unknown(value) or reasons.unknown(code, reason, place))


def first_argument(run: Interpreter, arguments: Arguments, index: int = 0) -> Value:
    if len(arguments.positional) <= index:
        raise run.failure("TypeError", "an argument is missing")
    return arguments.positional[index]


def call_origin(name: str, arguments: Arguments) -> Origin:
    sources = tuple(value.origin for value in arguments.positional[:2] if value.origin)
    return Origin(f"{name}()", arguments.place, sources)


def plain_function(name: str, function: Callable[..., Any]) -> Function:
    """Lift ``function``, which takes and returns plain Python values, to the evaluator's values."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        if any(isinstance(value, VersionedText) for value in arguments.positional):
            return on_both(run, arguments, function)
        size = 0
        plain: list[Any] = []
        keywords: dict[str, Any] = {}
        try:
            for value in arguments.positional:
                plain.append(to_python(value))
                size += run.budget.plain
            for key, value in arguments.keywords.items():
                keywords[key] = to_python(value)
                size += run.budget.plain
        except NotPlain as reason:
            return reason.unknown
        run.budget.read(WRITTEN_IN_PYTHON * size)
        try:
            return from_python(function(*plain, **keywords), call_origin(name, arguments))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise run.failure(type(error).__name__, str(error)) from None

    return call


def methods_from(table: Mapping[str, Function]) -> Callable[[Value, str], Value | None]:
    """The entry in ``METHODS`` for a built-in type whose methods are the functions in ``table``."""
    return lambda value, name: BoundMethod(Native(name, table[name]), value) if name in table else None


def known_name(name: str) -> Value | None:
    """The value of a full name of the standard library or pydantic, unknown for some names; ``None`` if not listed."""
    found = NAMES.get(name)
    if found is not None:
        return found
    if name in ATTRIBUTES_OUTSIDE and name not in ("os.environ", "sys.modules"):
        return reasons.unknown(*ATTRIBUTES_OUTSIDE[name])
    return None
