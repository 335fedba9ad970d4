"""The methods of the program's classes that operators call: which one answers, and in which order they are asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.aliasing import alternatives, choice_unknown, leading_to
from pdmigrate.evaluate.core.members import call_own
from pdmigrate.evaluate.core.values import Choice, Guard, Place, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

Attempt = Callable[[], Value | None]
"""Asks one operand for the result of an operator; ``None`` if its class has no method for it."""


def declines(value: Value) -> bool:
    """Whether the result of a method is ``NotImplemented``, which leaves the operator to the other operand."""
    return value.library_name == "builtins.NotImplemented"


def first_answer(run: Interpreter, attempts: Sequence[Attempt]) -> Value | None:
    """The result of the first method that does not decline; ``None`` if there is none.

    If it depends on something unknown whether a method declines, the next one is called under that condition.  The
    result of a method that is unknown as a whole is taken for an answer.
    """
    for number, attempt in enumerate(attempts, 1):
        result = attempt()
        if result is None or declines(result):
            continue
        if not isinstance(result, Choice) or not any(declines(side) for side in alternatives(result)):
            return result
        unknown = choice_unknown(result)
        guard = Guard("the operand leaves the answer to the other one", unknown, otherwise="the operand answers")
        other = run.under(guard, partial(first_answer, run, attempts[number:]))
        return leading_to(unknown, other) if other is not None else unknown
    return None


def is_derived(value: Value, other: Value) -> bool:
    """Whether the class of ``value`` is a proper subclass of the class of ``other``, so that it is asked first."""
    instance, base = value.as_instance, other.as_instance
    return instance is not None and base is not None and base.cls in instance.cls.mro[1:]


def method_attempt(run: Interpreter, value: Value, name: str, other: Value, place: Place | None) -> Attempt:
    return lambda: call_own(run, value, name, other, place=place)
