"""``try`` and ``with``."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, with_aliases
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame, Leaving, Pending, Risk
from pdmigrate.evaluate.core.known_objects import FILE, known_object
from pdmigrate.evaluate.core.members import call_own
from pdmigrate.evaluate.core.operations import STATEMENTS, assign, evaluate, run_block, spread, truth
from pdmigrate.evaluate.core.state import Delta
from pdmigrate.evaluate.core.values import NONE, Guard, ListValue, Mutable, Place, UnknownValue, Value
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.evaluate.language.iterators import uncertain_effects
from pdmigrate.evaluate.language.scopes import bind, unbind

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_ANY = "an exception"
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
        _finish_pending(run, frame, start, lambda: run_block(run, last, frame))
        # A ``return``, ``break`` or ``continue`` of ``finally`` drops the exception.
        if (left := run_block(run, last, frame)) is not None:
            return left
        raise
    _finish_pending(run, frame, start, lambda: run_block(run, last, frame))
    return run_block(run, last, frame) or outcome


def _finish_pending(run: Interpreter, frame: Frame, start: int, finish: Callable[[], Leaving | None]) -> None:
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
    pending = len(frame.pending)
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
    if raised is not None:
        run.trail.keep()
        return _handle(run, node, raised, frame)
    if not mine or not node.handlers:
        run.risks += mine
        run.trail.keep()
        return _otherwise(run, node, outcome, frame)
    return _may_fail(run, node, mine, outcome, pending, frame)


def _otherwise(run: Interpreter, node: cst.Try | cst.TryStar, outcome: Leaving | None, frame: Frame) -> Leaving | None:
    if outcome is None and node.orelse is not None:
        return run_block(run, node.orelse.body.body, frame)
    return outcome


def _may_fail(
    run: Interpreter,
    node: cst.Try | cst.TryStar,
    mine: list[Risk],
    outcome: Leaving | None,
    pending: int,
    frame: Frame,
) -> Leaving | None:
    """Join both outcomes: the body ran to its end, or it stopped somewhere and a handler took over."""
    early = frame.pending[pending:]
    delta = run.trail.capture()
    what = _named(frame, node)
    cause = mine[0].unknown
    guard = Guard(f"{what} fails", cause, otherwise=f"{what} does not fail")

    def doubt(text: str) -> UnknownValue:
        return UnknownValue(f"{text}: {cause.root}", cause.code, cause.place, cause=cause.root)

    def through() -> Leaving | None:
        run.trail.apply(delta)
        return _otherwise(run, node, outcome, frame)

    def failed() -> Leaving | None:
        run.trail.havoc(delta, doubt(f"{what} may fail"))
        kinds = {_type_of(risk) for risk in mine}
        kind = kinds.pop() if len(kinds) == 1 else _ANY
        return _handle(run, node, AbstractRaise(kind, value=doubt(f"the exception that {what} may raise")), frame)

    frame.pending[pending:] = early
    return run.branch(guard.inverse(), frame, through, failed)


def _type_of(risk: Risk) -> str:
    if risk.raised is not None:
        own = risk.raised.value is not None and risk.raised.value.as_instance is not None
        return _ANY if own else risk.raised.type
    return "ImportError" if risk.kind == "import" else _ANY


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
    for handler in node.handlers:
        names = _caught(run, handler, frame)
        if names is not None and risk.raised is not None and risk.raised.type != _ANY:
            if _catches(names, risk.raised):
                return True
            continue
        if names is None or names & {"Exception", "BaseException"}:
            return True
        missing = {"ImportError", "ModuleNotFoundError"}
        if names & missing if risk.kind == "import" else names - missing:
            return True
    return False


def _caught(run: Interpreter, handler: cst.ExceptHandler | cst.ExceptStarHandler, frame: Frame) -> set[str] | None:
    """The names of the exceptions that a handler catches; ``None`` for all or for unknown ones."""
    if handler.type is None:
        return None
    value = evaluate(run, handler.type, frame)
    return _class_names(value.as_tuple.items if value.as_tuple is not None else (value,))


def _class_names(values: tuple[Value, ...]) -> set[str] | None:
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
        run.under(guard, partial(_handle_by, run, (handler,), AbstractRaise(_ANY, value=unknown), frame))
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
        any_other = raised.type == _ANY and names is not None and not names & {"Exception", "BaseException"}
        if any_other and number < len(handlers) and (unknown := first_unknown(raised.value or NONE)) is not None:
            guard = Guard("the exception is another", unknown, otherwise="the exception is the one that is named")
            return run.branch(
                guard.inverse(),
                frame,
                partial(_handle_by, run, handlers[number - 1 : number], raised, frame),
                partial(_handle_by, run, handlers[number:], raised, frame),
            )
        if names is None or raised.type == _ANY or _catches(names, raised):
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


def _catches(names: set[str], raised: AbstractRaise) -> bool:
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


@STATEMENTS.of(cst.With)
def run_with(run: Interpreter, node: cst.With, frame: Frame) -> Leaving | None:
    """``with``: only the program's managers are entered; others, ``suppress`` apart, are taken to swallow nothing."""
    return _within(run, node, node.items, frame)


def _within(run: Interpreter, node: cst.With, items: Sequence[cst.WithItem], frame: Frame) -> Leaving | None:
    """Run the body within the managers ``items``, each of which also leaves for what the next ones raise."""
    if not items:
        return run_block(run, node.body.body, frame)
    manager = evaluate(run, items[0].item, frame)
    entered = _enter(run, manager, frame, node, items[0])
    if items[0].asname is not None:
        assign(run, items[0].asname.name, entered, frame)

    def inner() -> Leaving | None:
        return _within(run, node, items[1:], frame)

    if manager.library_name == "contextlib.suppress()":
        return _suppressed(run, inner, frame, manager)
    start = len(frame.pending)
    try:
        outcome = inner()
    except AbstractRaise as raised:
        _finish_pending(run, frame, start, lambda: _exit(run, manager, frame, node))
        if _swallowed(run, manager, raised, frame, node):
            return None
        raise
    _finish_pending(run, frame, start, lambda: _exit(run, manager, frame, node))
    _exit(run, manager, frame, node)
    return outcome


def _exit(run: Interpreter, manager: Value, frame: Frame, node: cst.With) -> None:
    """Leave a manager after a block that raised nothing."""
    _by_manager(run, manager, "exit", node, frame.place(node), NONE, NONE, NONE)


def _enter(run: Interpreter, manager: Value, frame: Frame, node: cst.With, item: cst.WithItem) -> Value:
    if known_object(manager, FILE) is not None:
        return manager
    entered = _by_manager(run, manager, "enter", node, frame.place(item))
    if entered is not None:
        return entered
    if manager.as_unknown is not None:
        return manager
    if manager.as_iterator is not None:
        return _yielded(run, manager.as_iterator, frame, item)
    return reasons.unknown(reasons.OUTSIDE, "the value that the context manager returns", frame.place(item))


def _yielded(run: Interpreter, manager: ListValue, frame: Frame, node: cst.WithItem) -> Value:
    """The value that a generator yields as a context manager; its effects are forgotten: some happen only on exit."""
    elements = spread(run, manager, frame.place(node))
    uncertain_effects(run, manager)
    if elements.uncertain is None and len(elements.items) == 1:
        return elements.items[0]
    unknown = elements.uncertain or reasons.unknown(reasons.UNSUPPORTED, "the value that the context manager returns")
    return with_aliases(unknown, *elements.items)


def _by_manager(
    run: Interpreter, manager: Value, name: str, node: cst.With, place: Place, *details: Value
) -> Value | None:
    """The result of a manager's method such as ``__enter__`` or ``__aexit__``; ``None`` if it is not the program's."""
    for prefix in ("__a", "__") if node.asynchronous is not None else ("__", "__a"):
        result = call_own(run, manager, f"{prefix}{name}__", *details, place=place)
        if result is not None:
            return awaited(run, result)
    return None


def _swallowed(run: Interpreter, manager: Value, raised: AbstractRaise, frame: Frame, node: cst.With) -> bool:
    """Run ``__exit__`` of a manager of the program; return whether it swallows the exception."""
    unknown = reasons.unknown(reasons.FAILS, f"the exception {raised}", frame.place(node))
    details = (unknown, raised.value or unknown, unknown)
    left = _by_manager(run, manager, "exit", node, frame.place(node), *details)
    known = truth(run, left) if left is not None else False
    if known is not True and known is not False:
        run.risk(known)
    return known is True


def _suppressed(run: Interpreter, inner: Callable[[], Leaving | None], frame: Frame, manager: Value) -> Leaving | None:
    run.trail.fork()
    outcome: Leaving | None = None
    raised = False
    with run.collected_risks() as risks:
        try:
            outcome = inner()
        except AbstractRaise as error:
            names = _class_names(manager.made_with.positional if manager.made_with is not None else ())
            if names is not None and not _catches(names, error):
                run.trail.keep()
                raise
            raised = True
    if raised or not risks:
        run.trail.keep()
        return outcome
    delta = run.trail.capture()
    reason = risks[0].unknown

    def through() -> Leaving | None:
        run.trail.apply(delta)
        return outcome

    def failed() -> None:
        run.trail.havoc(delta, reason)

    return run.branch(
        Guard("no exception is suppressed", reason, otherwise="an exception is suppressed"), frame, through, failed
    )
