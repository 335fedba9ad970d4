"""``for`` and ``while``, over what is known and over what is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.iteration import spread
from pdmigrate.evaluate.values import Guard, Maybe, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Frame, Interpreter, Outcome


def run_for(run: Interpreter, node: cst.For, frame: Frame) -> Outcome | None:
    """A ``for`` loop; elements that may be absent run under their condition, unknown ones any number of times."""
    elements = spread(run, run.evaluate(node.iter, frame), frame.place(node.iter))

    def body() -> Outcome | None:
        for item in elements.items:
            outcome = _turn(run, node, item, frame)
            if outcome is not None:
                return outcome
        if elements.rest is not None:
            return _any_number(run, elements.rest, frame, lambda: _once(run, node, elements.rest, frame))
        return None

    return _loop(run, node, frame, body)


def run_while(run: Interpreter, node: cst.While, frame: Frame) -> Outcome | None:
    """A ``while`` loop, turn by turn while its condition is known."""
    from pdmigrate.evaluate.comparison import truth

    def body() -> Outcome | None:
        while True:
            run.budget.step()
            known = truth(run, run.evaluate(node.test, frame))
            if known is False:
                return None
            if isinstance(known, UnknownValue):
                return _any_number(run, known, frame, lambda: _body(run, node, frame))
            broken = len(frame.pending)
            outcome = _body(run, node, frame)
            if outcome is not None:
                return outcome
            left = [p for p in frame.pending[broken:] if p.outcome.kind == "break"]
            if left:
                return _any_number(run, left[0].guard.unknown, frame, lambda: _body(run, node, frame))

    return _loop(run, node, frame, body)


def _loop(
    run: Interpreter, node: cst.For | cst.While, frame: Frame, body: Callable[[], Outcome | None]
) -> Outcome | None:
    from pdmigrate.evaluate.statements import run_block

    level, start = len(run.trail.levels), len(frame.pending)
    run.trail.fork()
    run.loops += 1
    try:
        outcome = body()
        run.settle(frame, level, "break", None, start)
    finally:
        run.loops -= 1
        run.trail.keep()
    if outcome is not None and outcome.kind == "break":
        return None
    if outcome is None and node.orelse is not None:
        return run_block(run, node.orelse.body.body, frame)
    return outcome


def _turn(run: Interpreter, node: cst.For, item: Value, frame: Frame) -> Outcome | None:
    if isinstance(item, Maybe):
        inner = item
        return run.branch(inner.guard, frame, lambda: _turn(run, node, inner.value, frame), lambda: None)
    return _once(run, node, item, frame)


def _once(run: Interpreter, node: cst.For, item: Value | None, frame: Frame) -> Outcome | None:
    from pdmigrate.evaluate.statements import assign

    run.budget.step()
    assert item is not None
    assign(run, node.target, item, frame)
    return _body(run, node, frame)


def _body(run: Interpreter, node: cst.For | cst.While, frame: Frame) -> Outcome | None:
    """One turn; ``continue`` ends it, also where only one side of a condition says so."""
    from pdmigrate.evaluate.statements import run_block

    level, start = len(run.trail.levels), len(frame.pending)
    run.trail.fork()
    try:
        outcome = run_block(run, node.body.body, frame)
        run.settle(frame, level, "continue", None, start)
    finally:
        run.trail.keep()
    return None if outcome is not None and outcome.kind == "continue" else outcome


def _any_number(
    run: Interpreter, unknown: UnknownValue, frame: Frame, turn: Callable[[], Outcome | None]
) -> Outcome | None:
    """The body runs zero or more times: forget what it changes, twice, since the second turn may change more."""
    from pdmigrate.evaluate.interpreter import AbstractRaise, Pending

    reason = UnknownValue(
        f"it changes in a loop over something not known: {unknown.reason}", unknown.code, unknown.place
    )
    guard = Guard("the loop gets there", unknown)
    for _ in range(2):
        run.trail.fork()
        run.guards.append(guard)
        outcome: Outcome | None = None
        try:
            outcome = turn()
        except AbstractRaise:
            run.risk(unknown)
        finally:
            run.guards.pop()
        delta = run.trail.capture()
        run.trail.havoc(delta, reason)
    if outcome is not None and outcome.kind == "return":
        frame.pending.append(Pending(guard, outcome, run.trail.since(frame.level)))
    return None


__all__ = ["reasons", "run_for", "run_while"]
