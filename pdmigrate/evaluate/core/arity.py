"""The arguments that built-in functions and methods take: a call with any others raises ``TypeError``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from pdmigrate.evaluate.core.natives import Function
from pdmigrate.evaluate.core.values import Arguments, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


class Arity(NamedTuple):
    """The fewest and most positional arguments, without a method's receiver, and the keywords; ``None`` allows any."""

    least: int
    most: int | None
    keywords: tuple[str, ...] | None = ()


ZERO, ONE, TWO = Arity(0, 0), Arity(1, 1), Arity(2, 2)
AT_MOST_ONE, ANY = Arity(0, 1), Arity(0, None)
Counted = tuple[Callable[..., Value], Arity]


def functions(table: Mapping[str, Counted]) -> dict[str, Function]:
    """Functions by name, each wrapped to raise ``TypeError`` for arguments that its arity excludes."""
    return {name: _counted(name, function, arity, 0) for name, (function, arity) in table.items()}


def methods(table: Mapping[str, Counted]) -> dict[str, Function]:
    """Methods by name, wrapped in the same way; each is called as ``method(run, receiver, arguments)``."""
    return {name: _counted(name, function, arity, 1) for name, (function, arity) in table.items()}


def _counted(name: str, function: Callable[..., Any], arity: Arity, receivers: int) -> Function:
    def call(run: Interpreter, arguments: Arguments) -> Value:
        given = len(arguments.positional) - receivers
        if given < arity.least or (arity.most is not None and given > arity.most):
            raise run.failure("TypeError", f"{name}() does not take {max(given, 0)} arguments")
        if arity.keywords is not None:
            strange = next((keyword for keyword in arguments.keywords if keyword not in arity.keywords), None)
            if strange is not None:
                raise run.failure("TypeError", f"{name}() got an unexpected keyword argument {strange}")
        result: Value = function(run, *arguments.positional[:receivers], arguments)
        return result

    return call
