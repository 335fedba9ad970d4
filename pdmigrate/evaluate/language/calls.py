"""Calls of bound methods, built-ins, instances, unknown values and choices between callables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import choice_unknown, with_aliases
from pdmigrate.evaluate.core.disturbing import disturb, poison_arguments
from pdmigrate.evaluate.core.members import find_method
from pdmigrate.evaluate.core.operations import CALLS, call_with
from pdmigrate.evaluate.core.python_values import NotPlain, describe
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    Choice,
    Const,
    DictValue,
    Instance,
    IteratorValue,
    ListValue,
    Native,
    Partial,
    SetValue,
    Tolerant,
    TupleValue,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@CALLS.of(BoundMethod)
def _bound(run: Interpreter, method: BoundMethod, arguments: Arguments) -> Value:
    whole = arguments._replace(positional=(method.receiver, *arguments.positional))
    return call_with(run, method.function, whole)


@CALLS.of(Partial)
def _partial(run: Interpreter, partial: Partial, arguments: Arguments) -> Value:
    positional = (*partial.positional, *arguments.positional)
    keywords = {**partial.keywords, **arguments.keywords}
    return call_with(run, partial.function, arguments._replace(positional=positional, keywords=keywords))


@CALLS.of(Native)
def _native(run: Interpreter, function: Native, arguments: Arguments) -> Value:
    if arguments.unknown is not None:
        poison_arguments(run, arguments, arguments.unknown)
        return arguments.unknown
    return _tolerant(run, function, arguments)


@CALLS.of(Tolerant)
def _tolerant(run: Interpreter, function: Native, arguments: Arguments) -> Value:
    try:
        result = function.call(run, arguments)
    except NotPlain as reason:
        result = reason.unknown
    unknown = result.as_unknown
    return with_aliases(unknown, *arguments.values) if unknown is not None else result


@CALLS.of(Instance)
def _instance(run: Interpreter, function: Instance, arguments: Arguments) -> Value:
    method = find_method(function, "__call__")
    return CALLS[type(method)](run, method, arguments) if method is not None else _other(run, function, arguments)


@CALLS.of(Const, ListValue, DictValue, SetValue, TupleValue)
def _refused(run: Interpreter, function: Value, _arguments: Arguments) -> Value:
    raise run.failure("TypeError", f"{describe(function)} is not callable")


@CALLS.of(Value)
def _other(run: Interpreter, function: Value, arguments: Arguments) -> Value:
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"calling {describe(function)}", arguments.place)
    return not_followed(run, arguments, unknown)


CALLS.of(IteratorValue)(_other)
"""A generator may be a context manager made of one, which can decorate a function: no TypeError is certain."""


@CALLS.of(UnknownValue)
def _unknown(run: Interpreter, function: UnknownValue, arguments: Arguments) -> Value:
    disturb(run, function)
    return not_followed(run, arguments, function)


@CALLS.of(Choice)
def _choice(run: Interpreter, function: Choice, arguments: Arguments) -> Value:
    """Call both functions, each under its condition."""
    if not is_small_choice(function):
        return _unknown(run, choice_unknown(function), arguments)
    return run.of_each(function, lambda side: call_with(run, side, arguments))


def not_followed(run: Interpreter, arguments: Arguments, unknown: UnknownValue) -> UnknownValue:
    """The unknown result of a call that is not followed: it may change its arguments, and may return one of them."""
    poison_arguments(run, arguments, unknown)
    # Calls of objects that the SDK hands to a handler are assumed not to raise.
    run.risk(unknown, "soft" if unknown.reason == reasons.REQUEST else "any")
    return with_aliases(unknown, *arguments.values)


MOST_SIDES = 9
"""The most alternatives of a callee that are called one by one; a choice between more counts as unknown."""


def is_small_choice(value: Value) -> bool:
    """Whether ``value`` is a choice between so few values that an operation is applied to each of them."""
    return bool(value.sides) and _branches(value) <= MOST_SIDES


def _branches(value: Value) -> int:
    """The number of alternatives of ``value``, counted up to ``MOST_SIDES + 1``: choices that share sides have many."""
    stack, found = [value], 0
    while stack and found <= MOST_SIDES:
        sides = stack.pop().sides
        stack += sides
        found += not sides
    return found
