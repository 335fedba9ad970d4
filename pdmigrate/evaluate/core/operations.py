"""Operations on values and on syntax, dispatched by kind.

The module of a kind registers its implementation: ``@CALLS.of(FunctionValue)`` decorates the function that calls such a
value.  Callers use the functions below and need not know the kinds.  ``everything.py`` imports every module that
registers an implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import libcst as cst

from pdmigrate.evaluate.core.aliasing import alternatives
from pdmigrate.evaluate.core.docstrings import documented
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.values import Arguments, Choice, Place, UnknownValue, Value, doubt_among

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame, Leaving
    from pdmigrate.evaluate.core.interpreter import Interpreter


# --- values -----------------------------------------------------------------------------------------------------------

CALLS: Kinds[Callable[[Interpreter, Any, Arguments], Value]] = Kinds()
ATTRIBUTES: Kinds[Callable[[Interpreter, Any, str, Place | None], Value]] = Kinds()
TRUTHS: Kinds[Callable[[Interpreter, Any], bool | UnknownValue]] = Kinds()
ELEMENTS: Kinds[Callable[[Interpreter, Any, Place | None], Spread]] = Kinds()
LENGTHS: Kinds[Callable[[Interpreter, Any, Place | None], int | Value]] = Kinds()
METHODS: Kinds[Callable[[Any, str], Value | None]] = Kinds()
"""The bound methods of built-in values; ``None`` for a name that the evaluator does not know."""
TYPES: Kinds[Callable[[Any], Value | None]] = Kinds()
INSTANCES: Kinds[Callable[[Any, Value, str], bool | UnknownValue]] = Kinds()


def call(
    run: Interpreter,
    function: Value,
    positional: tuple[Value, ...],
    keywords: dict[str, Value] | None = None,
    *,
    place: Place | None = None,
) -> Value:
    return call_with(run, function, Arguments(positional, keywords or {}, None, place))


def call_with(run: Interpreter, function: Value, arguments: Arguments) -> Value:
    """``function(*arguments)``"""
    run.budget.step()
    return CALLS[type(function)](run, function, arguments)


def get_attribute(run: Interpreter, value: Value, name: str, place: Place | None = None) -> Value:
    """``value.name``; the program's AttributeError is raised if there certainly is no such attribute."""
    found = ATTRIBUTES[type(value)](run, value, name, place)
    return documented(run, found) if name == "__doc__" else found


def truth(run: Interpreter, value: Value) -> bool | UnknownValue:
    """``bool(value)``, or why that is unknown."""
    return TRUTHS[type(value)](run, value)


class Spread(NamedTuple):
    """The elements of an iterable, and (``rest``) why there may be more or others; an element may be a ``Maybe``."""

    items: list[Value]
    rest: UnknownValue | None = None

    @property
    def uncertain(self) -> UnknownValue | None:
        """Why the number of elements is not known."""
        if self.rest is not None:
            return self.rest
        return doubt_among(self.items)


def spread(run: Interpreter, value: Value, place: Place | None = None) -> Spread:
    """The elements that iterating over ``value`` gives, in order; with a ``rest``, in any order."""
    return ELEMENTS[type(value)](run, value, place)


def length(run: Interpreter, value: Value, place: Place | None = None) -> int | Value:
    """``len(value)`` of a known value: a number, the result of ``__len__``, or an unknown value with the reason."""
    return LENGTHS[type(value)](run, value, place)


def type_of(value: Value) -> Value | None:
    """``type(value)``; ``None`` if that is not known."""
    return TYPES[type(value)](value)


# --- syntax -----------------------------------------------------------------------------------------------------------

EXPRESSIONS: Kinds[Callable[[Interpreter, Any, Frame], Value]] = Kinds()
STATEMENTS: Kinds[Callable[[Interpreter, Any, Frame], Leaving | None]] = Kinds()
TARGETS: Kinds[Callable[[Interpreter, Any, Value, Frame], None]] = Kinds()


def evaluate(run: Interpreter, node: cst.BaseExpression, frame: Frame) -> Value:
    """The value of ``node``.

    Raises:
        AbstractRaise: the program certainly raises here.
        BudgetExceededError: the program asks for too much.
    """
    run.budget.step()
    return noted(run, node, EXPRESSIONS[type(node)](run, node, frame))


def noted(run: Interpreter, node: cst.CSTNode, value: Value) -> Value:
    """``value`` of ``node``, after noting that computing it may raise if it is unknown."""
    if (type(value) is UnknownValue or type(value) is Choice) and type(node) in _MAY_RAISE:
        unknown = next(filter(None, (side.as_unknown for side in alternatives(value))), None)
        if unknown is not None:
            run.soft_risk(unknown, node)
    return value


_MAY_RAISE = frozenset(
    {cst.Call, cst.BinaryOperation, cst.Subscript, cst.Attribute, cst.Comparison, cst.UnaryOperation, cst.AugAssign}
)
"""Syntax that applies an operation, which may raise on an unknown value."""


def run_block(run: Interpreter, body: Sequence[cst.CSTNode], frame: Frame) -> Leaving | None:
    """Run statements in order; return the outcome of the statement that leaves the block, ``None`` if none does."""
    for statement in body:
        run.budget.step()
        outcome = STATEMENTS[type(statement)](run, statement, frame)
        if outcome is not None:
            return outcome
    return None


def assign(run: Interpreter, target: cst.BaseExpression, value: Value, frame: Frame) -> None:
    """``target = value``"""
    TARGETS[type(target)](run, target, value, frame)
