"""Coroutines: calling an ``async`` function runs nothing yet; awaiting the coroutine runs the body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import bound_choice
from pdmigrate.evaluate.core.disturbing import HANDED_OVER
from pdmigrate.evaluate.core.natives import declare
from pdmigrate.evaluate.core.operations import call_with
from pdmigrate.evaluate.core.values import (
    FALSE,
    NONE,
    TRUE,
    Arguments,
    Choice,
    Executing,
    External,
    Guard,
    Instance,
    ListValue,
    Namespace,
    Native,
    Origin,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


class Coroutine(Namespace):
    """A coroutine, which ``compute`` runs when it is awaited; awaiting it again is an error of the program."""

    __slots__ = ("compute", "what")

    def __init__(self, compute: Callable[[], Value], what: str, origin: Origin | None = None) -> None:
        super().__init__(origin=origin)
        self.compute = compute
        self.what = what


def awaited(run: Interpreter, value: Value) -> Value:
    """``await value``; a value that is not a ``Coroutine`` stands for its own result."""
    if not isinstance(value, Coroutine):
        return value
    before = value.names.get("result")
    if isinstance(before, (Choice, UnknownValue)):
        return bound_choice(before, value.what, None) if isinstance(before, Choice) else before
    if before is not None:
        raise run.failure("RuntimeError", f"cannot await {value.what} again")
    result = value.compute()
    run.trail.touch(value)
    value.names["result"] = result if isinstance(result, UnknownValue) else TRUE
    return result


def hand_over(run: Interpreter, values: Iterable[Value]) -> None:
    """Hand coroutines, and functions such as ``exec``, to unknown code that runs them at some time, or never."""
    for value in values:
        if isinstance(value, Coroutine) and not value.names:
            text = f"{value.what} has run by then"
            unknown = reasons.unknown(reasons.VOLATILE, f"{value.what} is run as a task")
            _perhaps(run, value, Guard(text, unknown, otherwise=f"{value.what} has not run by then"))
        elif isinstance(value, Executing):
            reason = f"{value.name} is handed to something that may call it"
            run.doubt = run.doubt or reasons.unknown(reasons.UNSUPPORTED, reason)


@HANDED_OVER.of(Coroutine, Executing)
def _handed_over(run: Interpreter, value: Coroutine | Executing) -> None:
    hand_over(run, (value,))


def _perhaps(run: Interpreter, value: Coroutine, guard: Guard) -> None:
    def side() -> None:
        run.tasks += 1
        try:
            awaited(run, value)
        finally:
            run.tasks -= 1

    run.branch(guard, None, side)
    run.trail.touch(value)
    value.names["result"] = guard.unknown


RUNNERS = frozenset({"run", "run_until_complete", "wait_for", "shield"})
"""Names of the event-loop functions that return the result of the coroutine they are given."""


def run_by(run: Interpreter, name: str, arguments: Arguments) -> Value | None:
    """The result of the event-loop function ``name``; ``None`` if it is not in ``RUNNERS`` or gets no coroutine."""
    first = arguments.positional[0] if arguments.positional else NONE
    last = name.rpartition(".")[2]
    if last not in RUNNERS or not isinstance(first, Coroutine):
        return None
    if last in ("wait_for", "shield"):
        return Coroutine(lambda: awaited(run, first), first.what, origin=first.origin)
    return awaited(run, first)


def gather(run: Interpreter, arguments: Arguments) -> Value:
    """``asyncio.gather()``: the coroutines run one after the other, as they do if none has to wait."""
    if arguments.keywords:
        hand_over(run, arguments.positional)
        return reasons.unknown(reasons.UNSUPPORTED, "asyncio.gather() with keywords", arguments.place)
    origin = Origin("asyncio.gather()", arguments.place)

    def compute() -> Value:
        return ListValue([awaited(run, value) for value in arguments.positional], origin=origin)

    return Coroutine(compute, "asyncio.gather()", origin=origin)


def run_function(run: Interpreter, arguments: Arguments) -> Value:
    """``anyio.run(function, ...)``"""
    if not arguments.positional:
        raise run.failure("TypeError", "an argument is missing")
    function, *others = arguments.positional
    return awaited(run, call_with(run, function, Arguments(tuple(others), {}, None, arguments.place)))


def run_coroutine(run: Interpreter, arguments: Arguments) -> Value:
    """``asyncio.run(coroutine)``"""
    if not arguments.positional:
        raise run.failure("TypeError", "an argument is missing")
    return awaited(run, arguments.positional[0])


def _is_awaitable(_run: Interpreter, arguments: Arguments) -> Value:
    value = arguments.positional[0] if arguments.positional else NONE
    if isinstance(value, Coroutine):
        return TRUE
    if isinstance(value, (UnknownValue, External, Instance, Native)):
        reason = "whether a value can be awaited"
        return value if isinstance(value, UnknownValue) else reasons.unknown(reasons.UNSUPPORTED, reason)
    return FALSE


declare(
    {
        "asyncio.run": run_coroutine,
        "anyio.run": run_function,
        "asyncio.gather": gather,
        **dict.fromkeys(("inspect.isawaitable", "inspect.iscoroutine", "asyncio.iscoroutine"), _is_awaitable),
    }
)
