"""``for`` and ``while`` loops, over known and unknown elements, under known and unknown conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives, taken_from
from pdmigrate.evaluate.core.frames import AbstractRaise, Leaving, Pending
from pdmigrate.evaluate.core.operations import STATEMENTS, assign, evaluate, run_block, truth
from pdmigrate.evaluate.core.state import Delta
from pdmigrate.evaluate.core.values import Choice, Guard, Maybe, SetValue, UnknownValue, Value, now
from pdmigrate.evaluate.language.any_order import register
from pdmigrate.evaluate.language.iterators import Several, in_turn, read_in_part
from pdmigrate.evaluate.language.trying import ANY
from pdmigrate.tree.code.syntax import own_nodes

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter


@STATEMENTS.of(cst.For)
def run_for(run: Interpreter, node: cst.For, frame: Frame) -> Leaving | None:
    """Run the body for each element: under a condition if it may be absent, any number of times if it is unknown."""
    source = evaluate(run, node.iter, frame)
    return _loop(run, node, frame, lambda: _over(run, node, source, frame))


def _over(run: Interpreter, node: cst.For, source: Value, frame: Frame) -> Leaving | None:
    """Run the turns of a loop over ``source``."""
    if (elements := source.as_set) is not None and elements.exact and len(elements.items) > 1:
        _in_any_order(run, node, elements, frame)
        return None
    if isinstance(source, Choice) and any(side.as_set is not None for side in alternatives(source)):
        first, second = (partial(_over, run, node, side, frame) for side in (source.first, source.second))
        return run.branch(source.guard, frame, first, second)
    waiting = len(frame.pending)
    try:
        with closing(in_turn(run, source, frame.place(node.iter))) as items:
            for item in items:
                outcome = _turn(run, node, item, frame)
                if outcome is not None:
                    return outcome
        return None
    finally:
        left = frame.pending[waiting:]
        if left and source.as_iterator is not None:
            read_in_part(run, source.as_iterator, left[0].guard.unknown)


def _in_any_order(run: Interpreter, node: cst.For, source: SetValue, frame: Frame) -> None:
    """Run the body once for each element of a set, in an order that differs from run to run.

    What the turns change is unknown afterwards, except for tools that a turn registers whatever turns came before it.
    """
    unknown = reasons.unknown(reasons.VOLATILE, "the order of a set differs from run to run", frame.place(node.iter))
    items, waiting = list(source.items.values()), len(frame.pending)
    for _ in range(_ROUNDS):
        for item in items:
            _any_number(run, unknown, frame, partial(_once, run, node, item, frame))
        if len(frame.pending) > waiting or not source.exact:
            break
        turns = [_alone(run, node, item, frame) for item in items]
        known = [turn for turn in turns if turn is not None]
        if len(known) < len(turns):
            break
        if register(run, known, unknown):
            return
    _any_number(run, unknown, frame, lambda: _once(run, node, taken_from(source, unknown), frame))


_ROUNDS = 4
"""How many rounds may pass until the turns of a loop, each of which may depend on the others, reach a fixed point."""


def _alone(run: Interpreter, node: cst.For, item: Value, frame: Frame) -> Delta | None:
    """The changes that a turn makes, rolled back; ``None`` if the turn raises or may leave the loop."""
    waiting = len(frame.pending)
    run.trail.fork()
    try:
        outcome = _once(run, node, item, frame)
    except AbstractRaise:
        outcome = Leaving("raise")
    left = run.trail.capture()
    if outcome is None and len(frame.pending) == waiting:
        return left
    del frame.pending[waiting:]
    return None


@STATEMENTS.of(cst.While)
def run_while(run: Interpreter, node: cst.While, frame: Frame) -> Leaving | None:
    """Run a ``while`` loop turn by turn while its condition is known, then any number of times."""

    def body() -> Leaving | None:
        for turn in count():
            run.budget.step()
            if run.nesting.tasks and turn == TURNS_OF_A_TASK:
                unknown = reasons.unknown(reasons.VOLATILE, "how often a task does something", frame.place(node))
                return _any_number(run, unknown, frame, lambda: _body(run, node, frame))
            broken, risky = len(frame.pending), len(run.risks)
            run.trail.fork()
            try:
                known = truth(run, evaluate(run, node.test, frame))
                outcome = _body(run, node, frame) if known is True else None
                changed = bool(run.trail.levels[-1])
            finally:
                run.trail.keep()
            if known is False or outcome is not None:
                return outcome
            if known is not True:
                return _any_number(run, known, frame, lambda: _body(run, node, frame))
            left = frame.pending[broken:]
            if left:
                return _any_number(run, left[0].guard.unknown, frame, lambda: _body(run, node, frame))
            if not changed and _only_raises(run, node, frame):
                unknown = reasons.unknown(reasons.FAILS, "the exception that ends an endless loop", frame.place(node))
                raised = ANY if len(run.risks) > risky else "KeyboardInterrupt"
                raise AbstractRaise(raised, value=unknown, endless=True)
        return None

    return _loop(run, node, frame, body)


def _only_raises(run: Interpreter, node: cst.While, frame: Frame) -> bool:
    """Whether only an exception ends a loop whose turns change nothing: no condition, other thread or cancellation."""
    ending = (cst.Break, cst.Return, cst.Await, cst.Yield, cst.Asynchronous)
    endless = frame.module.code(node.test) in ("True", "1") and not run.nesting.tasks and frame.yields is None
    return endless and not any(isinstance(part, ending) for part in own_nodes(node.body))


TURNS_OF_A_TASK = 3
"""How many turns of a ``while`` loop in a task are followed: most such loops run until the program ends."""


def _loop(
    run: Interpreter, node: cst.For | cst.While, frame: Frame, body: Callable[[], Leaving | None]
) -> Leaving | None:
    level, start = len(run.trail.levels), len(frame.pending)
    outer, frame.loop = (frame.loop, frame.turn), level
    run.trail.fork()
    run.nesting.loops += 1
    try:
        outcome = _unless_left(run, frame, start, "break", body)
        broken = _take(frame, start, "break")
        if outcome is None and node.orelse is not None:
            orelse = node.orelse.body.body
            frame.loop, frame.turn = outer
            # A ``break`` in the ``else`` block leaves the loop around this one.
            outcome = _unless_left(run, frame, start, "break", lambda: run_block(run, orelse, frame), broken)
        elif outcome is not None and outcome.kind == "break":
            outcome = None
        return _rejoin(run, frame, level, start, broken, outcome)
    finally:
        frame.loop, frame.turn = outer
        run.nesting.loops -= 1
        run.trail.keep()


def _unless_left(
    run: Interpreter,
    frame: Frame,
    start: int,
    kind: str,
    block: Callable[[], Leaving | None],
    left: Sequence[Pending] = (),
) -> Leaving | None:
    """Run ``block``; if it certainly raises, but a branch left it before by ``kind``, go on from that branch."""
    try:
        return block()
    except AbstractRaise:
        mine = [*left, *(p for p in frame.pending[start:] if p.outcome.kind == kind)]
        if not mine:
            raise
        run.risk(mine[0].guard.unknown)
        return Leaving(kind) if not left else None


def _take(frame: Frame, start: int, kind: str) -> list[Pending]:
    """Remove and return the pending branches that left with ``kind``."""
    mine = [p for p in frame.pending[start:] if p.outcome.kind == kind]
    frame.pending[start:] = [p for p in frame.pending[start:] if p.outcome.kind != kind]
    return mine


def _rejoin(
    run: Interpreter, frame: Frame, level: int, start: int, left: list[Pending], outcome: Leaving | None
) -> Leaving | None:
    """Join the end of a block, reached with ``outcome``, with the branches in ``left`` that left it before."""
    if not left:
        return outcome
    if outcome is not None:
        guard = left[0].guard.inverse() if len(left) == 1 else Guard("the loop goes on", left[0].guard.unknown)
        _leave_later(run, frame, guard, outcome)
    others, frame.pending[start:] = frame.pending[start:], left
    run.settle(frame, level, left[0].outcome.kind, None, start)
    frame.pending[start:] = others
    return None


def _leave_later(run: Interpreter, frame: Frame, guard: Guard, outcome: Leaving) -> None:
    frame.pending.append(Pending(guard, outcome, Delta(run.trail.since(frame.since(outcome.kind)), born=now())))


def _turn(run: Interpreter, node: cst.For, item: Value | Several, frame: Frame) -> Leaving | None:
    if isinstance(item, Several):
        return _any_number(run, item.unknown, frame, lambda: _once(run, node, item.unknown, frame))
    if isinstance(item, Maybe):
        return run.branch(item.guard, frame, lambda: _turn(run, node, item.value, frame))
    return _once(run, node, item, frame)


def _once(run: Interpreter, node: cst.For, item: Value, frame: Frame) -> Leaving | None:
    run.budget.step()
    assign(run, node.target, item, frame)
    return _body(run, node, frame)


def _body(run: Interpreter, node: cst.For | cst.While, frame: Frame) -> Leaving | None:
    """Run one turn; ``continue`` ends the turn, even if only one branch of a condition has it."""
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
    run: Interpreter, unknown: UnknownValue, frame: Frame, turn: Callable[[], Leaving | None]
) -> Leaving | None:
    """Run the body zero or more times."""
    reason = UnknownValue(
        f"it changes in a loop over something not known: {unknown.reason}", unknown.code, unknown.place
    )
    guard = Guard("the loop reaches this element", unknown)
    outcome = run.any_number(guard, turn, reason)
    if outcome is not None:
        # The body may have left the loop in some turn, or in none.
        _leave_later(run, frame, guard, outcome)
    return None
