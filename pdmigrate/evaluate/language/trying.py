"""``try``, and what its handlers catch."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame, Leaving, Pending, Risk
from pdmigrate.evaluate.core.operations import STATEMENTS, evaluate, run_block
from pdmigrate.evaluate.core.state import Delta
from pdmigrate.evaluate.core.values import NONE, Guard, Mutable, UnknownValue, Value
from pdmigrate.evaluate.language.scopes import bind, unbind

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

ANY = "an exception"
"""The type of an exception of which nothing is known."""
_LINE = 60
"""The most characters of a source line that a reason quotes."""


@STATEMENTS.of(cst.Try, cst.TryStar)
def run_try(run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame) -> Leaving | None:
    """``try``: a handler runs if the body certainly raises, and on a separate branch if the body may raise."""
    if node.finalbody is None:
        return _guarded(run, node, frame)
    last, start = node.finalbody.body.body, len(frame.pending)
    try:
        outcome = _guarded(run, node, frame)
    except AbstractRaise:
        finish_pending(run, frame, start, lambda: run_block(run, last, frame))
        # A ``return``, ``break`` or ``continue`` of ``finally`` drops the exception.
        if (left := run_block(run, last, frame)) is not None:
            return left
        raise
    finish_pending(run, frame, start, lambda: run_block(run, last, frame))
    return run_block(run, last, frame) or outcome


def finish_pending(run: Interpreter, frame: Frame, start: int, finish: Callable[[], Leaving | None]) -> None:
    """Have the sides of branches that left a block, ``pending`` from ``start`` on, do what is done whenever it ends."""
    mine = frame.pending[start:]
    del frame.pending[start:]
    for pending in mine:
        before: dict[Mutable, Any] = {}
        for opened in run.trail.levels[frame.since(pending.outcome.kind) :]:
            for target, saved in opened.items():
                before.setdefault(target, saved)
        run.trail.fork()
        run.guards.append(pending.guard)
        for target, state in {**before, **pending.states}.items():
            run.trail.touch(target)
            target.restore(state)
        outcome: Leaving | None = None
        raised = False
        try:
            outcome = finish()
        except AbstractRaise:
            raised = True
            run.risk(pending.guard.unknown)
        finally:
            run.guards.pop()
        states = Delta({**pending.states, **run.trail.capture()}, born=pending.states.born)
        if not raised:
            frame.pending.append(Pending(pending.guard, outcome or pending.outcome, states))


def _guarded(run: Interpreter, node: cst.Try | cst.TryStar, frame: Frame) -> Leaving | None:
    run.trail.fork()
    raised: AbstractRaise | None = None
    outcome: Leaving | None = None
    with run.collected_risks() as risks:
        try:
            outcome = run_block(run, node.body.body, frame)
        except AbstractRaise as error:
            raised = error
    mine: list[Risk] = []
    others: list[Risk] = []
    for risk in risks:
        (mine if _may_catch(run, node, risk, frame) else others).append(risk)
    run.risks += others

    def ended() -> Leaving | None:
        if raised is not None:
            return _handle(run, node, raised, frame)
        if outcome is None and node.orelse is not None:
            return run_block(run, node.orelse.body.body, frame)
        return outcome

    if not mine or not node.handlers:
        run.risks += mine
        run.trail.keep()
        return ended()
    return _may_fail(run, node, mine, ended, frame)


def _may_fail(
    run: Interpreter,
    node: cst.Try | cst.TryStar,
    mine: list[Risk],
    ended: Callable[[], Leaving | None],
    frame: Frame,
) -> Leaving | None:
    """Join both outcomes: the body ran as far as was seen, or it stopped earlier and a handler took over."""
    delta = run.trail.capture()
    what = _named(frame, node)
    cause = mine[0].unknown
    guard = Guard(f"{what} fails", cause, otherwise=f"{what} does not fail")

    def doubt(text: str) -> UnknownValue:
        return UnknownValue(f"{text}: {cause.root}", cause.code, cause.place, cause=cause.root)

    def through() -> Leaving | None:
        run.trail.apply(delta)
        return ended()

    def failed() -> Leaving | None:
        run.trail.havoc(delta, doubt(f"{what} may fail"))
        raised = any_of(mine, doubt(f"the exception that {what} may raise"))
        return _handle(run, node, raised, frame)

    return run.branch(guard.inverse(), frame, through, failed)


def any_of(risks: Sequence[Risk], unknown: UnknownValue) -> AbstractRaise:
    """An exception that one of ``risks`` raises."""
    types = {_type_of(risk) for risk in risks}
    return AbstractRaise(types.pop() if len(types) == 1 else ANY, value=unknown)


def _type_of(risk: Risk) -> str:
    if risk.raised is not None:
        own = risk.raised.value is not None and risk.raised.value.as_instance is not None
        return ANY if own else risk.raised.type
    return "ImportError" if risk.kind == "import" else ANY


def _named(frame: Frame, node: cst.Try | cst.TryStar) -> str:
    """The body of ``node`` by its first line of code, without the comments above it."""
    body = node.body.body
    stripped = [line.strip() for line in frame.module.code(body[0]).splitlines()]
    lines = [line for line in stripped if line and not line.startswith("#")]
    line = lines[0] if lines else "try"
    short = line if len(line) <= _LINE else line[: _LINE - 4] + " ..."
    return f"`{short}`" if len(body) == len(lines) == 1 else f"the block at `{short}`"


def _may_catch(run: Interpreter, node: cst.Try | cst.TryStar, risk: Risk, frame: Frame) -> bool:
    """Whether a handler of ``node`` may catch what ``risk`` raises."""
    return any(may_be_of(_caught(run, handler, frame), risk) for handler in node.handlers)


def may_be_of(names: set[str] | None, risk: Risk) -> bool:
    """Whether what ``risk`` raises may be of one of the classes ``names``, which may be unknown."""
    if names is not None and risk.raised is not None and risk.raised.type != ANY:
        return catches(names, risk.raised)
    if names is None or names & {"Exception", "BaseException"}:
        return True
    missing = {"ImportError", "ModuleNotFoundError"}
    return bool(names & missing if risk.kind == "import" else names - missing)


def _caught(run: Interpreter, handler: cst.ExceptHandler | cst.ExceptStarHandler, frame: Frame) -> set[str] | None:
    """The names of the exceptions that a handler catches; ``None`` for all or for unknown ones."""
    if handler.type is None:
        return None
    value = evaluate(run, handler.type, frame)
    return class_names(value.as_tuple.items if value.as_tuple is not None else (value,))


def class_names(values: tuple[Value, ...]) -> set[str] | None:
    names: set[str] = set()
    for item in values:
        name = item.as_class.name if item.as_class is not None else item.library_name.removeprefix("builtins.")
        if not name:
            return None
        names.add(name)
    return names


def _handle(run: Interpreter, node: cst.Try | cst.TryStar, raised: AbstractRaise, frame: Frame) -> Leaving | None:
    if isinstance(node, cst.TryStar) and raised.type in ("ExceptionGroup", "BaseExceptionGroup"):
        _handle_parts(run, node, frame)
        return None
    return _handle_by(run, node.handlers, raised, frame)


def _handle_parts(run: Interpreter, node: cst.TryStar, frame: Frame) -> None:
    """Each of the handlers may take its part of a group of exceptions."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, "a group of exceptions", frame.place(node))
    guard = Guard("the group holds such an exception", unknown, otherwise="the group holds no such exception")
    for handler in node.handlers:
        run.under(guard, partial(_handle_by, run, (handler,), AbstractRaise(ANY, value=unknown), frame))
    run.risk(unknown)


def _handle_by(
    run: Interpreter,
    handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler],
    raised: AbstractRaise,
    frame: Frame,
) -> Leaving | None:
    """Run the first of the handlers that catches an exception; each of them may catch one that is not known."""
    for number, handler in enumerate(handlers, 1):
        names = _caught(run, handler, frame)
        any_other = raised.type == ANY and names is not None and not names & {"Exception", "BaseException"}
        if any_other and number < len(handlers) and (unknown := first_unknown(raised.value or NONE)) is not None:
            guard = Guard("the exception is another", unknown, otherwise="the exception is the one that is named")
            return run.branch(
                guard.inverse(),
                frame,
                partial(_handle_by, run, handlers[number - 1 : number], raised, frame),
                partial(_handle_by, run, handlers[number:], raised, frame),
            )
        if names is None or raised.type == ANY or catches(names, raised):
            target = handler.name.name if handler.name is not None else None
            name = target.value if isinstance(target, cst.Name) else None
            if name is not None:
                unknown = reasons.unknown(reasons.FAILS, f"the exception {raised}", frame.place(handler))
                bind(run, frame, name, raised.value or unknown, frame.place(handler))
            outcome = run_block(run, handler.body.body, frame)
            if name is not None:
                unbind(run, frame, name)
            return outcome
    raise raised


_BUILTIN_BASE = {
    "FrozenInstanceError": "AttributeError",
    "ValidationError": "ValueError",
    "JSONDecodeError": "ValueError",
}
"""The built-in base classes of exceptions that are not built-in, by their names."""


def catches(names: set[str], raised: AbstractRaise) -> bool:
    if raised.type in names or _BUILTIN_BASE.get(raised.type) in names:
        return True
    kind = getattr(builtins, raised.type, None)
    if isinstance(kind, type) and issubclass(kind, BaseException):
        return any(base.__name__ in names for base in kind.__mro__)
    if raised.value is None and raised.type in {name.rpartition(".")[2] for name in names}:
        return True  # a library's exception, which the program may name by any module that exports it
    instance = raised.value.as_instance if raised.value is not None else None
    own = {base.name for base in instance.cls.lineage} if instance is not None else set()
    return not names.isdisjoint(own | {"Exception", "BaseException"})
