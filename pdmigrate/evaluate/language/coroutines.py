"""Coroutines: calling an ``async`` function runs nothing yet; awaiting the coroutine runs the body."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import bound
from pdmigrate.evaluate.core.disturbing import HANDED_OVER
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.natives import declare, first_argument
from pdmigrate.evaluate.core.operations import call
from pdmigrate.evaluate.core.values import (
    FALSE,
    TRUE,
    Arguments,
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


RESULT = "<result>"
"""The name bound in a coroutine that has run (``True``, or its unknown result) or may have run (an unknown value)."""


class Coroutine(Namespace):
    """A coroutine: awaiting it calls ``compute``, which runs the body; awaiting it again is an error of the program."""

    __slots__ = ("compute", "what")

    def __init__(self, compute: Callable[[], Value], what: str, origin: Origin | None = None) -> None:
        super().__init__(origin=origin)
        self.compute = compute
        self.what = what


_AWAITED: Kinds[Callable[[Interpreter, Any], Value]] = Kinds()
_AWAITED.of(Value)(lambda _run, value: value)


def awaited(run: Interpreter, value: Value) -> Value:
    """``await value``; a value that is not a ``Coroutine`` is its own result."""
    return _AWAITED[type(value)](run, value)


@_AWAITED.of(Coroutine)
def _run_coroutine(run: Interpreter, value: Coroutine) -> Value:
    if RESULT in value.names:
        before = bound(run, value.names[RESULT], value.what, None, fails=False)
        if before.is_just(True):
            raise run.failure("RuntimeError", f"cannot await {value.what} again")
        return before
    result = value.compute()
    run.trail.touch(value)
    value.names[RESULT] = result.as_unknown or TRUE
    return result


def hand_over(run: Interpreter, values: Iterable[Value]) -> None:
    """Hand coroutines, and functions such as ``exec``, to unknown code that runs them at some time, or never."""
    for value in values:
        if isinstance(value, (Coroutine, Executing)):
            HANDED_OVER[type(value)](run, value)


@HANDED_OVER.of(Executing)
def _executed(run: Interpreter, value: Executing) -> None:
    reason = f"{value.name} is handed to something that may call it"
    run.doubt = run.doubt or reasons.unknown(reasons.UNSUPPORTED, reason)


@HANDED_OVER.of(Coroutine)
def _made_a_task(run: Interpreter, value: Coroutine) -> None:
    if value.names:
        return
    unknown = reasons.unknown(reasons.VOLATILE, f"{value.what} is run as a task")
    guard = Guard(f"{value.what} has run by then", unknown, otherwise=f"{value.what} has not run by then")

    def side() -> None:
        run.nesting.tasks += 1
        try:
            awaited(run, value)
        finally:
            run.nesting.tasks -= 1

    run.branch(guard, None, side)
    run.trail.touch(value)
    value.names[RESULT] = unknown


def run_by(run: Interpreter, name: str, arguments: Arguments) -> Value | None:
    """The result of handing a coroutine to the event-loop function ``name``; ``None`` for other functions or values."""
    first, last = arguments.first, name.rpartition(".")[2]
    if not isinstance(first, Coroutine):
        return None
    if last in ("wait_for", "shield"):
        return Coroutine(lambda: awaited(run, first), first.what, origin=first.origin)
    return awaited(run, first) if last in ("run", "run_until_complete") else None


def _gather(run: Interpreter, arguments: Arguments) -> Value:
    """``asyncio.gather()``: the coroutines run one after the other, as they do if none has to wait."""
    if arguments.keywords:
        hand_over(run, arguments.positional)
        return reasons.unknown(reasons.UNSUPPORTED, "asyncio.gather() with keywords", arguments.place)
    origin = Origin("asyncio.gather()", arguments.place)

    def compute() -> Value:
        return ListValue([awaited(run, value) for value in arguments.positional], origin=origin)

    return Coroutine(compute, "asyncio.gather()", origin=origin)


def _run_function(run: Interpreter, arguments: Arguments) -> Value:
    """``anyio.run(function, ...)``"""
    function = first_argument(run, arguments)
    return awaited(run, call(run, function, arguments.positional[1:], place=arguments.place))


_AWAITABLE: Kinds[Callable[[Any], Value]] = Kinds()
"""Whether a value can be awaited, by its kind."""
_AWAITABLE.of(Value)(lambda _: FALSE)
_AWAITABLE.of(Coroutine)(lambda _: TRUE)
_AWAITABLE.of(UnknownValue)(lambda value: value)
_AWAITABLE.of(External, Instance, Native)(
    lambda _: reasons.unknown(reasons.UNSUPPORTED, "whether a value can be awaited")
)


def _is_awaitable(_run: Interpreter, arguments: Arguments) -> Value:
    return _AWAITABLE[type(arguments.first)](arguments.first)


declare(
    {
        "asyncio.run": lambda run, arguments: awaited(run, first_argument(run, arguments)),
        "anyio.run": _run_function,
        "asyncio.gather": _gather,
        **dict.fromkeys(("inspect.isawaitable", "inspect.iscoroutine", "asyncio.iscoroutine"), _is_awaitable),
    }
)
