"""``for`` and ``while``, over what is known and over what is not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.interpreter import AbstractRaise, Outcome
from pdmigrate.evaluate.core.values import Guard, ListValue, Maybe, UnknownValue, Value
from pdmigrate.evaluate.language.iterators import Several, in_turn, read_in_part

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Frame, Interpreter, Outcome, Pending


def run_for(run: Interpreter, node: cst.For, frame: Frame) -> Outcome | None:
    """A ``for`` loop; elements that may be absent run under their condition, unknown ones any number of times."""
    source = run.evaluate(node.iter, frame)
    elements = in_turn(run, source, frame.place(node.iter))

    def body() -> Outcome | None:
        waiting = len(frame.pending)
        try:
            with closing(elements):
                for item in elements:
                    outcome = _turn(run, node, item, frame)
                    if outcome is not None:
                        return outcome
            return None
        finally:
            left = frame.pending[waiting:]
            if left and isinstance(source, ListValue) and source.kind == "iterator":
                read_in_part(run, source, left[0].guard.unknown)

    return _loop(run, node, frame, body)


def run_while(run: Interpreter, node: cst.While, frame: Frame) -> Outcome | None:
    """A ``while`` loop, turn by turn while its condition is known."""
    from pdmigrate.evaluate.language.comparison import truth

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
            left = frame.pending[broken:]
            if left:
                return _any_number(run, left[0].guard.unknown, frame, lambda: _body(run, node, frame))

    return _loop(run, node, frame, body)


def _loop(
    run: Interpreter, node: cst.For | cst.While, frame: Frame, body: Callable[[], Outcome | None]
) -> Outcome | None:
    from pdmigrate.evaluate.language.statements import run_block

    level, start = len(run.trail.levels), len(frame.pending)
    outer, frame.loop = (frame.loop, frame.turn), level
    run.trail.fork()
    run.loops += 1
    try:
        outcome = _unless_left(run, frame, start, "break", body)
        broken = _take(frame, start, "break")
        if outcome is None and node.orelse is not None:
            orelse = node.orelse.body.body
            frame.loop, frame.turn = outer
            # A break in it is one of the loop around this one.
            outcome = _unless_left(run, frame, start, "break", lambda: run_block(run, orelse, frame), broken)
        elif outcome is not None and outcome.kind == "break":
            outcome = None
        return _rejoin(run, frame, level, start, broken, outcome)
    finally:
        frame.loop, frame.turn = outer
        run.loops -= 1
        run.trail.keep()


def _unless_left(
    run: Interpreter,
    frame: Frame,
    start: int,
    kind: str,
    block: Callable[[], Outcome | None],
    left: Sequence[Pending] = (),
) -> Outcome | None:
    """Run ``block``; where it certainly raises, but may have been left before, it goes on from there."""
    try:
        return block()
    except AbstractRaise:
        mine = [*left, *(p for p in frame.pending[start:] if p.outcome.kind == kind)]
        if not mine:
            raise
        run.risk(mine[0].guard.unknown)
        return Outcome(kind) if not left else None


def _take(frame: Frame, start: int, kind: str) -> list[Pending]:
    """The sides that left with ``kind``, taken out of those that are pending."""
    mine = [p for p in frame.pending[start:] if p.outcome.kind == kind]
    frame.pending[start:] = [p for p in frame.pending[start:] if p.outcome.kind != kind]
    return mine


def _rejoin(
    run: Interpreter, frame: Frame, level: int, start: int, left: list[Pending], outcome: Outcome | None
) -> Outcome | None:
    """Go on after a block that some sides left before its end, which was ``outcome``."""
    if not left:
        return outcome
    if outcome is not None:
        guard = left[0].guard.inverse() if len(left) == 1 else Guard("the loop goes on", left[0].guard.unknown)
        _leave_later(run, frame, guard, outcome)
    others, frame.pending[start:] = frame.pending[start:], left
    run.settle(frame, level, left[0].outcome.kind, None, start)
    frame.pending[start:] = others
    return None


def _leave_later(run: Interpreter, frame: Frame, guard: Guard, outcome: Outcome) -> None:
    from pdmigrate.evaluate.core.interpreter import Pending
    from pdmigrate.evaluate.core.state import Delta
    from pdmigrate.evaluate.core.values import now

    frame.pending.append(Pending(guard, outcome, Delta(run.trail.since(frame.since(outcome.kind)), born=now())))


def _turn(run: Interpreter, node: cst.For, item: Value | Several, frame: Frame) -> Outcome | None:
    if isinstance(item, Several):
        return _any_number(run, item.unknown, frame, lambda: _once(run, node, item.unknown, frame))
    if isinstance(item, Maybe):
        return run.branch(item.guard, frame, lambda: _turn(run, node, item.value, frame))
    return _once(run, node, item, frame)


def _once(run: Interpreter, node: cst.For, item: Value, frame: Frame) -> Outcome | None:
    from pdmigrate.evaluate.language.statements import assign

    run.budget.step()
    assign(run, node.target, item, frame)
    return _body(run, node, frame)


def _body(run: Interpreter, node: cst.For | cst.While, frame: Frame) -> Outcome | None:
    """One turn; ``continue`` ends it, also where only one side of a condition says so."""
    from pdmigrate.evaluate.language.statements import run_block

    level, start = len(run.trail.levels), len(frame.pending)
    outer, frame.turn = frame.turn, level
    run.trail.fork()
    try:
        outcome = _unless_left(run, frame, start, "continue", lambda: run_block(run, node.body.body, frame))
        if outcome is not None and outcome.kind == "continue":
            outcome = None
        return _rejoin(run, frame, level, start, _take(frame, start, "continue"), outcome)
    finally:
        frame.turn = outer
        run.trail.keep()


def _any_number(
    run: Interpreter, unknown: UnknownValue, frame: Frame, turn: Callable[[], Outcome | None]
) -> Outcome | None:
    """The body runs zero or more times."""
    reason = UnknownValue(
        f"it changes in a loop over something not known: {unknown.reason}", unknown.code, unknown.place
    )
    guard = Guard("the loop gets there", unknown)
    outcome = run.any_number(guard, turn, reason)
    if outcome is not None:
        # It may have left the loop by then, or not have got there.
        _leave_later(run, frame, guard, outcome)
    return None


__all__ = ["reasons", "run_for", "run_while"]
