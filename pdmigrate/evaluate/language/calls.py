"""Calls: of functions of the program, of what the evaluator knows, and of what it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import PLAIN, disturb, leading_to, present
from pdmigrate.evaluate.core.budget import PASSED_IN_A_STEP
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    Choice,
    ClassValue,
    Const,
    DictValue,
    Executing,
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
    Tolerant,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
)
from pdmigrate.evaluate.language.coroutines import Coroutine, hand_over, run_by
from pdmigrate.evaluate.language.functions import call_function
from pdmigrate.evaluate.language.iterators import start, uncertain_effects
from pdmigrate.evaluate.language.scopes import choice_unknown
from pdmigrate.evaluate.sdk.sdk_objects import sdk_call
from pdmigrate.evaluate.servers.usual import command_line
from pdmigrate.evaluate.types.made_classes import library_call

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

Container: TypeAlias = ListValue | DictValue | SetValue | SdkObject
"""What holds values that may be others after it was handed to something that is not known."""


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
        from pdmigrate.evaluate.language.classes import instantiate

        return instantiate(run, function, arguments)
    if isinstance(function, Partial):
        return call_with(run, function.function, _with_partial(function, arguments))
    if isinstance(function, Subscripted):
        from pdmigrate.evaluate.types.models import parametrised_instance

        return parametrised_instance(function, arguments) or call_with(run, function.base, arguments)
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
    if arguments.unknown is not None and not isinstance(function, Tolerant):
        poison_arguments(run, arguments, arguments.unknown)
        return arguments.unknown
    result = function.call(run, arguments)
    if isinstance(result, UnknownValue):
        return leading_to(result, *arguments.positional, *arguments.keywords.values())
    return result


def _other(run: Interpreter, function: Value, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.language.attributes import find_method

    method = find_method(run, function, "__call__")
    if isinstance(method, BoundMethod):
        return _bound(run, method, arguments)
    if isinstance(function, Choice):
        if _branches(function) <= MOST_SIDES:
            return _either(run, function, arguments)
        unknown = choice_unknown(function)
        disturb(run, unknown)
    elif isinstance(function, UnknownValue):
        unknown = function
        disturb(run, unknown)
    elif isinstance(function, (Const, ListValue, DictValue, SetValue, TupleValue)):
        raise run.failure("TypeError", f"{describe(function)} is not callable")
    else:
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"calling {describe(function)}", arguments.place)
    poison_arguments(run, arguments, unknown)
    # The SDK's own objects answer what they are asked.
    run.risk(unknown, "soft" if unknown.reason == reasons.REQUEST else "any")
    return leading_to(unknown, *arguments.positional, *arguments.keywords.values())


MOST_SIDES = 9
"""Functions that are tried one by one where it is not known which of them is called."""


def _branches(value: Value) -> int:
    """How many calls it takes to try them; counted as far as it matters, since conditions share their sides."""
    stack, found = [value], 0
    while stack and found <= MOST_SIDES:
        item = stack.pop()
        if isinstance(item, Choice):
            stack += (item.first, item.second)
        else:
            found += 1
    return found


def _either(run: Interpreter, function: Choice, arguments: Arguments) -> Value:
    """Call both functions, each under its condition."""
    from pdmigrate.evaluate.core.state import join_values

    results: dict[bool, Value] = {}

    def one() -> None:
        results[True] = call_with(run, function.first, arguments)

    def two() -> None:
        results[False] = call_with(run, function.second, arguments)

    run.branch(function.guard, None, one, two)
    if len(results) < 2:
        return next(iter(results.values()), function.guard.unknown)
    return join_values(function.guard, results[True], results[False])


def _external(run: Interpreter, function: External, arguments: Arguments) -> Value:
    from pdmigrate.evaluate.library.stdlib import inert, inert_result, unknown_call

    known = sdk_call(run, function, arguments) or library_call(run, function, arguments)
    known = known or command_line(run, function.name, arguments)
    if known is not None:
        return known
    result = run_by(run, function.name, arguments)
    if result is not None:
        return result
    if inert(function.name):
        hand_over(run, (*arguments.positional, *arguments.keywords.values()))
        return inert_result(function.name, arguments)
    unknown = unknown_call(function.name, arguments)
    poison_arguments(run, arguments, unknown)
    run.risk(unknown)
    return leading_to(unknown, *arguments.positional, *arguments.keywords.values())


def poison_arguments(run: Interpreter, arguments: Arguments, unknown: UnknownValue) -> None:
    """Everything mutable that an unknown function received may have been changed by it."""
    seen: dict[int, Value] = {}
    for value in (*arguments.positional, *arguments.keywords.values(), *_spread(arguments)):
        poison(run, value, unknown, seen)


def _spread(arguments: Arguments) -> tuple[Value, ...]:
    return (arguments.unknown,) if arguments.unknown is not None else ()


def poison(run: Interpreter, value: Value, unknown: UnknownValue, seen: dict[int, Value] | None = None) -> None:
    """Forget the content of ``value`` and of the containers inside it.

    Attributes of the program's own objects are not followed: a library does not know them.  What is in ``seen`` by its
    ``id()`` is passed over, and what is gone through is added to it.
    """
    seen = {} if seen is None else seen
    stack = [value]
    while stack:
        item = stack.pop()
        if id(item) in seen:
            continue
        seen[id(item)] = item
        if not len(seen) % PASSED_IN_A_STEP:
            run.budget.step()
        if isinstance(item, ListValue) and item.waiting:
            start(run, item)
            uncertain_effects(run, item)
        if isinstance(item, (Coroutine, Executing)):
            hand_over(run, (item,))
        stack += [inner for inner in map(present, reachable(item)) if type(inner) not in PLAIN]
        if isinstance(item, (ListValue, DictValue, SetValue, SdkObject)):
            _forget_content(run, item, unknown)


def _forget_content(run: Interpreter, item: Container, unknown: UnknownValue) -> None:
    lost = item.items if isinstance(item, ListValue) else ()
    if item.rest is not None and not lost:
        return  # nothing of it is known as it is
    run.trail.touch(item)
    item.rest = item.rest or _poisoned(unknown)
    # What it led to before stays in ``rest``: taken once more each time, it would double each time.
    before = set(map(id, item.rest.aliases))
    item.rest = leading_to(item.rest, *(value for value in map(present, lost) if id(value) not in before))
    # Each alias is looked at again by whoever meets this list: large ones must cost what they take.
    run.budget.step(len(item.rest.aliases) // PASSED_IN_A_STEP)
    if isinstance(item, ListValue):
        item.items = []


def _poisoned(unknown: UnknownValue) -> UnknownValue:
    if unknown.code == reasons.MUTATED:
        return unknown
    return UnknownValue(
        f"it is handed to something that may change it: {unknown.reason}",
        reasons.MUTATED,
        unknown.place,
        aliases=unknown.aliases,
    )


def reachable(value: Value) -> list[Value]:
    """The values directly inside a container."""
    if isinstance(value, TupleValue):
        return list(value.items)
    if isinstance(value, ListValue):
        return [*value.items, *_rest(value)]
    if isinstance(value, SetValue):
        return list(value.items.values())
    if isinstance(value, DictValue):
        return [*(entry.value for entry in value.entries.values()), *_rest(value)]
    if isinstance(value, ViewValue):
        return [value.source]
    if isinstance(value, Choice):
        return [value.first, value.second]
    if isinstance(value, Maybe):
        return [value.value]
    if isinstance(value, Partial):
        return [*value.positional, *value.keywords.values()]
    if isinstance(value, BoundMethod):
        return [value.receiver]
    return list(value.aliases) if isinstance(value, UnknownValue) else []


def _rest(value: ListValue | DictValue) -> tuple[Value, ...]:
    return value.rest.aliases if value.rest is not None else ()
