"""The state of one abstract run: its branches, its modules, and what was found on the way.

Nothing of the evaluated program is ever imported or executed: the evaluator walks its syntax tree and computes with the
values of ``values.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.bookkeeping import Assumed, Calls, Defined, Made, Nesting, Remembered
from pdmigrate.evaluate.core.budget import DEPTH, Budget, account_to
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame, Leaving, Pending, Risk
from pdmigrate.evaluate.core.joining import alike, join_states, join_values
from pdmigrate.evaluate.core.operations import run_block
from pdmigrate.evaluate.core.state import Delta, Trail
from pdmigrate.evaluate.core.values import (
    Guard,
    ListValue,
    Mutable,
    Namespace,
    Origin,
    PathValue,
    Scope,
    UnknownValue,
    Value,
    const,
    now,
)
from pdmigrate.tree.code.bodies import docstring

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.disturbing import Disturbed
    from pdmigrate.tree.code.modules import ModuleIndex, SourceModule


T = TypeVar("T")

_NEVER_RAISE = frozenset({reasons.ENVIRONMENT, reasons.VOLATILE, reasons.PLATFORM})
"""Reason codes of unknown values that are read without failing: only operations on the values may raise."""


@dataclass(eq=False)
class ModuleRun:
    """A module that was, or is being, executed."""

    module: SourceModule
    scope: Scope
    done: bool = False


class _Side(NamedTuple):
    """How one side of a branch ended, and what it changed."""

    outcome: Leaving | None
    delta: Delta
    raised: AbstractRaise | None = None


class Interpreter:
    """One abstract run over the modules of a tree."""

    def __init__(
        self, index: ModuleIndex, *, versions: Mapping[str, str] | None = None, budget: Budget | None = None
    ) -> None:
        self.index = index
        self.versions = versions if versions is not None else {}
        self.budget = budget or Budget()
        account_to(self.budget)
        self.trail = Trail(self.budget)
        self.modules: dict[str, ModuleRun] = {}
        self.failures: dict[str, SourceError] = {}
        self.read_files: set[str] = set()
        self.guards: list[Guard] = []
        self.risks: list[Risk] = []
        self.disturbed: Disturbed | None = None
        """The values that need not be disturbed again."""
        self.doubt: UnknownValue | None = None
        """Why unknown code may have run, which may have registered anything."""
        self.patched = Namespace()
        """Full names in libraries and in ``builtins`` that the program rebinds, with the new values."""
        self.calls = Calls()
        self.made = Made()
        self.defined = Defined()
        self.assumed = Assumed()
        self.nesting = Nesting()
        self.remembered = Remembered()

    # --- unknowns and failures ---------------------------------------------------------------------------------------

    def risk(self, unknown: UnknownValue, kind: str = "any") -> None:
        """Note that an operation may raise, because of ``unknown``."""
        self.risks.append(Risk(kind, unknown))

    def soft_risk(self, unknown: UnknownValue, node: cst.CSTNode) -> None:
        """Note an operation on an unknown value: it may raise, which matters only where the program catches it."""
        fresh = unknown.place is not None and unknown.place.node is node
        if fresh and unknown.code == reasons.ENVIRONMENT and isinstance(node, cst.Subscript):
            self.risks.append(Risk("soft", unknown, AbstractRaise("KeyError")))  # ``os.environ["NAME"]``
        elif not (fresh and unknown.code in _NEVER_RAISE):
            self.risks.append(Risk("soft", unknown))

    @contextmanager
    def collected_risks(self) -> Iterator[list[Risk]]:
        """Collect the risks noted inside the ``with`` block, separately from earlier ones."""
        outer, self.risks = self.risks, []
        try:
            yield self.risks
        finally:
            self.risks = outer

    def failure(self, type_name: str, message: str = "") -> AbstractRaise:
        """The exception that the program certainly raises here."""
        return AbstractRaise(type_name, message)

    def guard_since(self, start: int) -> Guard:
        """The conjunction of the conditions that hold here, from index ``start`` of ``guards`` on."""
        guards = self.guards[start:]
        if len(guards) == 1:
            return guards[0]
        text = " and ".join(guard.condition for guard in guards)
        return Guard(text, guards[0].unknown)

    # --- branches ----------------------------------------------------------------------------------------------------

    def branch(
        self,
        guard: Guard,
        frame: Frame | None,
        first: Callable[[], Leaving | None],
        second: Callable[[], Leaving | None] | None = None,
    ) -> Leaving | None:
        """Run both sides of an unknown condition, and continue from the join of both.

        Without ``second``, nothing happens if the condition does not hold.  Only statements need a ``frame``.

        Raises:
            AbstractRaise: both sides raise.
        """
        one = self._side(guard, first)
        two = self._side(guard.inverse(), second) if second is not None else _Side(None, Delta(born=now()))
        if one.raised is not None and two.raised is not None:
            self.trail.join(guard, one.delta, two.delta)
            raise one.raised
        if one.raised is None and two.raised is None:
            return self._meet(guard, frame, one, two)
        self.risks.append(Risk("any", guard.unknown, one.raised or two.raised))
        left = one if one.raised is None else two
        self.trail.apply(left.delta)
        return left.outcome

    def under(self, guard: Guard, compute: Callable[[], T]) -> T | None:
        """The result of ``compute``, which runs only if the unknown ``guard`` holds; ``None`` if it raises.

        Its changes are joined under that condition; if it raises, they are dropped, and a risk is noted.
        """
        found: list[T] = []

        def side() -> None:
            found.append(compute())

        self.branch(guard, None, side)
        return found[0] if found else None

    def either(self, guard: Guard, first: Callable[[], Value], second: Callable[[], Value]) -> Value:
        """The result of ``first`` if the unknown ``guard`` holds, else of ``second``; of the other if one raises."""
        results: dict[bool, Value] = {}
        self.branch(guard, None, lambda: results.update({True: first()}), lambda: results.update({False: second()}))
        if len(results) < 2:
            return next(iter(results.values()), guard.unknown)
        return join_values(guard, results[True], results[False])

    def of_each(self, value: Value, compute: Callable[[Value], Value]) -> Value:
        """The results for both sides of the choice ``value``, each computed under its condition, joined."""
        (guard, first), (_, second) = value.branches
        return self.either(guard, lambda: compute(first), lambda: compute(second))

    def on_each(self, value: Value, act: Callable[[Value], None]) -> None:
        """Do the same with both sides of the choice ``value``, each under its condition."""
        (guard, first), (_, second) = value.branches
        self.branch(guard, None, lambda: act(first), lambda: act(second))

    def any_number(self, guard: Guard, turn: Callable[[], T], reason: UnknownValue | None = None) -> T | None:
        """Run ``turn`` zero or more times: the state that it changes is unknown afterwards, for ``reason``.

        ``turn`` is repeated until it changes nothing that is still known, and runs at least twice, since one turn may
        hand a value to the next.  Return the result of the last turn; ``None`` if that turn raises.
        """
        result: T | None = None
        for number in count(1):
            self.trail.fork()
            self.guards.append(guard)
            result = None
            try:
                result = turn()
            except AbstractRaise:
                self.risk(guard.unknown)
            finally:
                self.guards.pop()
            changed = self.trail.capture()
            settled = number > 1 and self.trail.allows(changed)
            self.trail.havoc(changed, reason or guard.unknown)
            if settled:
                break
        return result

    def _side(self, guard: Guard, run: Callable[[], Leaving | None]) -> _Side:
        self.trail.fork()
        self.guards.append(guard)
        born, modules = self.trail.levels[-1].born, len(self.modules)
        outcome, raised = None, None
        try:
            outcome = run()
        except AbstractRaise as error:
            raised = error
            self._forget_modules(modules, born)
        finally:
            self.guards.pop()
        return _Side(outcome, self.trail.capture(), raised)

    def _forget_modules(self, known: int, born: int) -> None:
        """Forget that modules were executed in a branch that raised.

        ``known`` is the number of modules before the branch, ``born`` the serial at its start.  What a module
        registered there was rolled back, and it has to register again if the program imports it later.  All modules
        stay if the branch made a server: it may have been started.
        """
        if len(self.modules) == known:
            return
        if any(item.is_server and item.serial > born for item in self.made.objects):
            return
        for path in list(islice(self.modules, known, None)):
            del self.modules[path]
        self.made.forget_since(born)

    def _meet(self, guard: Guard, frame: Frame | None, one: _Side, two: _Side) -> Leaving | None:
        """Continue after both sides of a branch ended without an exception."""
        first, second = one.outcome, two.outcome
        if first is None and second is None:
            self.trail.join(guard, one.delta, two.delta)
            return None
        if first is not None and second is not None and first.kind == second.kind == "return":
            self.trail.join(guard, one.delta, two.delta)
            assert first.value is not None
            assert second.value is not None
            return Leaving("return", join_values(guard, first.value, second.value))
        assert frame is not None
        if first is not None:
            self._suspend(guard, frame, first, one.delta)
            self.trail.apply(two.delta)
            return second
        assert second is not None
        self._suspend(guard.inverse(), frame, second, two.delta)
        self.trail.apply(one.delta)
        return first

    def _suspend(self, guard: Guard, frame: Frame, outcome: Leaving, delta: Delta) -> None:
        """Set aside a side that left its block; ``settle`` joins it where its ``return`` (or ``break``) leads."""
        self.guards.append(guard)
        whole = self.guard_since(frame.guards_from)
        self.guards.pop()
        states = Delta({**self.trail.since(frame.since(outcome.kind)), **delta}, born=delta.born)
        frame.pending.append(Pending(whole, outcome, states))

    def settle(self, frame: Frame, level: int, kind: str, value: Value | None, start: int = 0) -> Value | None:
        """Join the current state with the pending sides that left with ``kind``, and ``value`` with their values.

        ``level`` is the trail level at the start of the block that they left, ``start`` the index in ``pending`` from
        which on sides belong to that block.
        """
        mine = [p for p in frame.pending[start:] if p.outcome.kind == kind]
        frame.pending[start:] = [p for p in frame.pending[start:] if p.outcome.kind != kind]
        before: dict[Mutable, Any] = {}
        for opened in self.trail.levels[level:] if mine else ():
            for target, saved in opened.items():
                before.setdefault(target, saved)
        for pending in reversed(mine):
            for target in {**before, **pending.states}:
                self._settle_one(pending, target, before)
            if value is not None and pending.outcome.value is not None:
                value = join_values(pending.guard, pending.outcome.value, value)
        return value

    def _settle_one(self, pending: Pending, target: Mutable, before: dict[Mutable, Any]) -> None:
        young = target.serial > pending.states.born
        if young and target not in pending.states:
            return
        current = target.snapshot()
        self.trail.touch(target)
        before.setdefault(target, current)
        if young:
            target.restore(pending.states[target])
        else:
            then = pending.states.get(target, before[target])
            if not alike(then, current):
                target.restore(join_states(target, pending.guard, then, current))

    # --- modules -----------------------------------------------------------------------------------------------------

    def run_module(self, path: str) -> ModuleRun:
        """Execute the module at ``path``, unless it was executed before; its packages are not executed here.

        Raises:
            SourceError: the module cannot be read or parsed.
        """
        known = self.modules.get(path)
        if known is not None:
            return known
        if path in self.failures:
            raise self.failures[path]
        try:
            module = self.index.at(path)
            tree = module.tree
        except SourceError as error:
            self.failures[path] = error
            raise
        self.read_files.add(path)
        scope = Scope(kind="module", module=module)
        scope.names.update(self._module_names(module))
        done = self.modules[path] = ModuleRun(module, scope)
        frame = Frame(scope, module, level=len(self.trail.levels), guards_from=len(self.guards))
        if len(self.calls.under_way) + len(self.modules) > 40 * DEPTH:
            scope.rest = reasons.unknown(reasons.BUDGET, "the imports are nested too deeply")
            return done

        loops, self.nesting.loops = self.nesting.loops, 0
        try:
            run_block(self, tree.body, frame)
        except AbstractRaise as raised:
            scope.rest = reasons.unknown(reasons.FAILS, f"importing {module.name} raises {raised}")
            raise
        finally:
            done.done = True
            self.nesting.loops = loops
        return done

    def _module_names(self, module: SourceModule) -> dict[str, Value]:
        folder = module.path.rpartition("/")[0]
        path: dict[str, Value] = {"__path__": ListValue([PathValue(folder)])} if module.is_package else {}
        return {
            **path,
            "__name__": const("__main__" if module.path == self.assumed.script else module.name),
            "__package__": const(module.package),
            "__file__": PathValue(module.path, origin=Origin("__file__")),
            "__doc__": const(docstring(module.tree), Origin("docstring")),
        }
