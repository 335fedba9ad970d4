"""``with``: entering and leaving context managers, which may swallow what their block raises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import alternatives, with_aliases
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame, Leaving, Risk
from pdmigrate.evaluate.core.known_objects import FILE, known_object
from pdmigrate.evaluate.core.members import call_own, class_lookup
from pdmigrate.evaluate.core.operations import STATEMENTS, assign, evaluate, run_block, spread, truth
from pdmigrate.evaluate.core.values import NONE, Guard, ListValue, Place, Scope, UnknownValue, Value
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.evaluate.language.iterators import uncertain_effects
from pdmigrate.evaluate.language.trying import ANY, any_of, catches, class_names, finish_pending, may_be_of
from pdmigrate.tree.code.leaving import catches_at_yield
from pdmigrate.tree.code.syntax import last_name

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


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
    start = len(frame.pending)

    def inner() -> Leaving | None:
        if items[0].asname is not None:
            assign(run, items[0].asname.name, entered, frame)
        return _within(run, node, items[1:], frame)

    def leave() -> None:
        _by_manager(run, manager, "exit", node, frame.place(node), NONE, NONE, NONE)

    try:
        outcome = _managed(run, node, manager, inner, leave, frame)
    except AbstractRaise:
        finish_pending(run, frame, start, leave)
        raise
    finish_pending(run, frame, start, leave)
    return outcome


def _managed(
    run: Interpreter,
    node: cst.With,
    manager: Value,
    inner: Callable[[], Leaving | None],
    leave: Callable[[], None],
    frame: Frame,
) -> Leaving | None:
    """Run ``inner`` and leave the manager; where a statement may raise, and the manager swallow that, do both."""
    run.trail.fork()
    outcome: Leaving | None = None
    raised: AbstractRaise | None = None
    with run.collected_risks() as risks:
        try:
            outcome = inner()
        except AbstractRaise as error:
            raised = error
    mine = [risk for risk in risks if _may_swallow(manager, risk)]

    def ended() -> Leaving | None:
        if raised is not None:
            return _leave_for(run, manager, raised, frame, node)
        leave()
        return outcome

    if not mine:
        run.risks += risks
        run.trail.keep()
        return ended()
    run.risks += [risk for risk in risks if risk not in mine]
    delta = run.trail.capture()
    reason = mine[0].unknown

    def through() -> Leaving | None:
        run.trail.apply(delta)
        return ended()

    def failed() -> Leaving | None:
        run.trail.havoc(delta, reason)
        try:
            return _leave_for(run, manager, any_of(mine, reason), frame, node)
        except AbstractRaise:
            run.risks += mine
            raise

    guard = Guard("no exception is suppressed", reason, otherwise="an exception is suppressed")
    return run.branch(guard, frame, through, failed)


# --- entering ---------------------------------------------------------------------------------------------------------


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


# --- leaving for an exception -----------------------------------------------------------------------------------------


def _may_swallow(manager: Value, risk: Risk) -> bool:
    """Whether the manager may swallow what ``risk`` raises, before it is asked."""
    if manager.library_name == _SUPPRESS:
        return may_be_of(_suppressed(manager), risk)
    return any(map(_is_asked, alternatives(manager)))


def _is_asked(manager: Value) -> bool:
    """Whether code of the program, or ``suppress``, is told of an exception, and may swallow it."""
    cls = manager.program_class
    own = cls is not None and any(class_lookup(cls, name)[0] is not None for name in ("__exit__", "__aexit__"))
    return own or manager.library_name == _SUPPRESS or _resumes(manager)


def _leave_for(run: Interpreter, manager: Value, raised: AbstractRaise, frame: Frame, node: cst.With) -> Leaving | None:
    """Leave the manager for an exception, which goes on unless the manager swallows it.

    Raises:
        AbstractRaise: the exception is not swallowed.
    """
    swallowed = _swallows(run, manager, raised, frame, node)
    if swallowed is True:
        return None

    def go_on() -> Leaving | None:
        raise raised

    if swallowed is False:
        return go_on()
    guard = Guard("the context manager swallows it", swallowed, otherwise="the context manager does not swallow it")
    return run.branch(guard, frame, lambda: None, go_on)


def _swallows(
    run: Interpreter, manager: Value, raised: AbstractRaise, frame: Frame, node: cst.With
) -> bool | UnknownValue:
    """Whether a manager swallows an exception, once the method that leaves it has run."""
    unknown = reasons.unknown(reasons.FAILS, f"the exception {raised}", frame.place(node))
    if manager.library_name == _SUPPRESS:
        names = _suppressed(manager)
        if names is None or (raised.type == ANY and not names & {"Exception", "BaseException"}):
            return unknown
        return catches(names, raised)
    details = (unknown, raised.value or unknown, unknown)
    left = _by_manager(run, manager, "exit", node, frame.place(node), *details)
    if left is not None:
        return truth(run, left)
    return unknown if any(map(_is_asked, alternatives(manager))) else False


_SUPPRESS = "contextlib.suppress()"


def _suppressed(manager: Value) -> set[str] | None:
    """The names of the exceptions that ``contextlib.suppress`` suppresses; ``None`` for unknown ones."""
    return class_names(manager.made_with.positional if manager.made_with is not None else ())


def _resumes(manager: Value) -> bool:
    """Whether a manager that a generator of the program makes may go on after its ``yield`` raised."""
    deferred = manager.as_iterator.deferred if manager.as_iterator is not None else None
    if deferred is None or not isinstance(deferred.node, cst.FunctionDef):
        return False
    return catches_at_yield(deferred.node, lambda item: _is_of_program(item, deferred.own))


def _is_of_program(manager: cst.BaseExpression, scope: Scope | None) -> bool:
    """Whether an expression may make a manager of the program, or one of a library that swallows exceptions."""
    root = manager
    while isinstance(root, (cst.Call, cst.Attribute, cst.Subscript)):
        if isinstance(root, cst.Call) and last_name(root.func) in ("suppress", "ExitStack", "AsyncExitStack"):
            return True
        root = root.func if isinstance(root, cst.Call) else root.value
    while scope is not None and isinstance(root, cst.Name):
        if (found := scope.names.get(root.value)) is not None:
            return not found.library_name and found.as_unknown is None
        scope = scope.parent
    return False
