"""Calls: of functions of the program, of what the evaluator knows, and of what it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.functions import call_function
from pdmigrate.evaluate.python_values import describe
from pdmigrate.evaluate.scopes import choice_unknown
from pdmigrate.evaluate.values import (
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    Const,
    DictValue,
    External,
    FunctionValue,
    ListValue,
    Maybe,
    Native,
    Partial,
    Place,
    SdkObject,
    SetValue,
    Subscripted,
    TupleValue,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Interpreter


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
    if isinstance(function, FunctionValue):
        return call_function(run, function, arguments)
    if isinstance(function, BoundMethod):
        return _bound(run, function, arguments)
    if isinstance(function, Native):
        return _native(run, function, arguments)
    if isinstance(function, ClassValue):
        from pdmigrate.evaluate.classes import instantiate

        return instantiate(run, function, arguments)
    if isinstance(function, Partial):
        return call_with(run, function.function, _with_partial(function, arguments))
    if isinstance(function, Subscripted):
        return call_with(run, function.base, arguments)
    if isinstance(function, External):
        return _external(run, function, arguments)
    return _other(run, function, arguments)


def _bound(run: Interpreter, method: BoundMethod, arguments: Arguments) -> Value:
    whole = arguments._replace(positional=(method.receiver, *arguments.positional))
    return call_with(run, method.function, whole)


def _with_partial(partial: Partial, arguments: Arguments) -> Arguments:
    return arguments._replace(
        positional=(*partial.positional, *arguments.positional), keywords={**partial.keywords, **arguments.keywords}
    )


def _native(run: Interpreter, function: Native, arguments: Arguments) -> Value:
    if arguments.unknown is not None:
        poison_arguments(run, arguments, arguments.unknown)
        return arguments.unknown
    return function.call(run, arguments)


def _other(run: Interpreter, function: Value, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.attributes import find_method

    method = find_method(run, function, "__call__")
    if isinstance(method, BoundMethod):
        return _bound(run, method, arguments)
    if isinstance(function, Choice):
        unknown = choice_unknown(function)
    elif isinstance(function, UnknownValue):
        unknown = function
    elif isinstance(function, (Const, ListValue, DictValue, SetValue, TupleValue)):
        raise run.failure("TypeError", f"{describe(function)} is not callable")
    else:
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"calling {describe(function)}", arguments.place)
    poison_arguments(run, arguments, unknown)
    run.risk(unknown)
    return unknown


def _external(run: Interpreter, function: External, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.sdk_objects import sdk_call
    from pdmigrate.evaluate.stdlib import inert, inert_result, unknown_call

    known = sdk_call(run, function, arguments)
    if known is not None:
        return known
    if inert(function.name):
        return inert_result(function.name, arguments)
    unknown = unknown_call(function.name, arguments)
    poison_arguments(run, arguments, unknown)
    run.risk(unknown)
    return unknown


def poison_arguments(run: Interpreter, arguments: Arguments, unknown: UnknownValue) -> None:
    """Everything mutable that an unknown function received may have been changed by it."""
    seen: set[int] = set()
    for value in (*arguments.positional, *arguments.keywords.values()):
        poison(run, value, unknown, seen)


def poison(run: Interpreter, value: Value, unknown: UnknownValue, seen: set[int] | None = None) -> None:
    """Forget the content of ``value`` and of the containers inside it.

    Attributes of the program's own objects are not followed: a library does not know them.
    """
    seen = set() if seen is None else seen
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        run.budget.step()
        stack += reachable(item)
        if isinstance(item, (ListValue, DictValue, SetValue, SdkObject)):
            run.trail.touch(item)
            item.rest = item.rest or _poisoned(unknown)
            if isinstance(item, ListValue):
                item.items = []


def _poisoned(unknown: UnknownValue) -> UnknownValue:
    if unknown.code == reasons.MUTATED:
        return unknown
    return UnknownValue(
        f"it is handed to something that may change it: {unknown.reason}", reasons.MUTATED, unknown.place
    )


def reachable(value: Value) -> list[Value]:
    """The values directly inside a container."""
    if isinstance(value, (ListValue, TupleValue)):
        return list(value.items)
    if isinstance(value, SetValue):
        return list(value.items.values())
    if isinstance(value, DictValue):
        return [entry.value for entry in value.entries.values()]
    if isinstance(value, Choice):
        return [value.first, value.second]
    if isinstance(value, Maybe):
        return [value.value]
    if isinstance(value, Partial):
        return [*value.positional, *value.keywords.values()]
    return []
