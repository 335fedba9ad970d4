"""The state of one abstract run, and how its parts find each other.

Nothing of the evaluated program is ever imported or executed: the evaluator walks its syntax tree and computes with the
values of ``values.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Any, TypeVar

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import DEPTH, Budget, account_to
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame, Outcome, Pending, Risk
from pdmigrate.evaluate.core.operations import run_block
from pdmigrate.evaluate.core.state import Delta, Trail, alike, join_states, join_values
from pdmigrate.evaluate.core.values import (
    ClassValue,
    DictValue,
    FunctionValue,
    Guard,
    Instance,
    ListValue,
    Mutable,
    Namespace,
    Origin,
    PathValue,
    Scope,
    SdkObject,
    UnknownValue,
    Value,
    const,
    now,
)
from pdmigrate.evaluate.tree.bodies import docstring

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.evaluate.core.disturbing import Disturbed
    from pdmigrate.evaluate.language.metaclasses import Making
    from pdmigrate.evaluate.tree.modules import ModuleIndex, SourceModule


T = TypeVar("T")

_NEVER_RAISE = frozenset({reasons.ENVIRONMENT, reasons.VOLATILE, reasons.PLATFORM})
"""Asking for these gives an answer; only what is done with the answer may fail."""


@dataclass(eq=False)
class ModuleRun:
    """A module that was, or is being, executed."""

    module: SourceModule
    scope: Scope
    done: bool = False


LEAST_TO_LEAVE_OUT = 2_000
"""Steps below which nothing is won by leaving a function out."""


class Interpreter:
    """One abstract run over the modules of a tree."""

    def __init__(
        self, index: ModuleIndex, *, versions: dict[str, str] | None = None, budget: Budget | None = None
    ) -> None:
        self.index = index
        self.versions = versions or {}
        self.budget = budget or Budget()
        account_to(self.budget)
        self.trail = Trail(self.budget)
        self.modules: dict[str, ModuleRun] = {}
        self.failures: dict[str, SourceError] = {}
        self.read_files: set[str] = set()
        self.guards: list[Guard] = []
        self.risks: list[Risk] = []
        self.calls: list[FunctionValue] = []
        self.executed: set[cst.CSTNode] = set()
        """The functions that ran at least once."""
        self.spent: dict[FunctionValue, int] = {}
        """The steps that calls of each function took, with what they call."""
        self.left_out: Container[cst.CSTNode | None] = ()
        """Functions of which no call is followed, since they take too many steps."""
        self.kept: set[cst.CSTNode | None] = set()
        """Functions without which there is no server: they are where one is made, or where the program begins."""
        self.loops = 0
        """How many loops of the program the evaluator is in."""
        self.tasks = 0
        """How many tasks, which run beside the program, the evaluator is in."""
        self.disturbed: Disturbed | None = None
        """What need not be disturbed again."""
        self.made: dict[cst.CSTNode, list[Value]] = {}
        """The SDK objects that each call made."""
        self.servers: list[SdkObject] = []
        self.reading: list[list[ListValue]] = []
        """For each iterator whose elements are being computed: the iterators that were read for that."""
        self.watchful = False
        """Whether code that did not run may have run in between: while the list handler is evaluated."""
        self.mentions: dict[tuple[str, cst.CSTNode], bool] = {}
        self.doubt: UnknownValue | None = None
        """Why code that is not known may have run and registered anything."""
        self.on_start: Callable[[SdkObject], None] | None = None
        self.usual = False
        """Whether settings that the program has defaults for have these."""
        self.has_defaults = False
        """Whether the program has any: where it has none, ``usual`` changes nothing."""
        self.options: dict[str, Value] = {}
        """The defaults of the options of its command, where ``usual`` holds."""
        self.script: str | None = None
        """The module that is run as a script: its ``__name__`` is ``__main__``."""
        self.locals: dict[cst.FunctionDef | cst.Lambda, frozenset[str]] = {}
        """The names that each function binds."""
        self.yields: dict[cst.FunctionDef, bool] = {}
        """Whether each function is a generator, for those that were asked."""
        self.making: list[Making] = []
        """The classes that their metaclasses are making."""
        self.patched = Namespace()
        """Names of libraries, and of Python itself, that the program binds to something else."""
        self.functions: dict[cst.CSTNode, list[FunctionValue]] = {}
        self.classes: dict[cst.CSTNode, list[ClassValue]] = {}
        self.instances: dict[ClassValue, list[Instance]] = {}
        self.model_fields: dict[ClassValue, DictValue] = {}
        """What ``model_fields`` gave for each class that was asked for it."""

    def forget_made(self) -> None:
        """Start counting anew how often each call makes an object: for one server at a time."""
        self.made = {
            node: made
            for node, made in self.made.items()
            if any(
                isinstance(item, SdkObject) and (item.type.endswith(".Server") or not item.repeated) for item in made
            )
        }

    def told(self, exceeded: Exception) -> str:
        """Why the budget ended, and in which function most of it went."""
        most = self._ancestors()
        if not most:
            return str(exceeded)
        least = most[0]
        place = f" in {least.module.path}" if least.module is not None else ""
        return f"{exceeded}; most of them went into {least.name}(){place}"

    def _ancestors(self) -> list[FunctionValue]:
        """The functions that took more than half of the steps, the innermost first; ``main`` always took all."""
        total = max(self.spent.values(), default=0)
        most = [function for function, steps in self.spent.items() if 2 * steps > total and function.node is not None]
        return sorted(most, key=lambda function: self.spent[function])

    def too_long(self) -> cst.CSTNode | None:
        """The function whose calls are best left out, where the budget ended."""
        most = self._ancestors()
        total = max(self.spent.values(), default=0)
        # Where most of it went into one step of the program, what comes after its worst part is too much as well.
        steps = [function for function in most if 0.75 * total < self.spent[function] < 0.95 * total]
        for function in (*steps[:1], *most[:1]):
            if function.node not in self.kept:
                return function.node
        others = [function for function in self.spent if function not in most and function.node not in self.kept]
        heaviest = max(others, key=lambda function: self.spent[function], default=None)
        return heaviest.node if heaviest is not None and self.spent[heaviest] >= LEAST_TO_LEAVE_OUT else None

    # --- unknowns and failures ---------------------------------------------------------------------------------------

    def risk(self, unknown: UnknownValue, kind: str = "any") -> None:
        """Something that may raise happens here."""
        self.risks.append(Risk(kind, unknown))

    def soft_risk(self, unknown: UnknownValue, node: cst.CSTNode) -> None:
        """An operation on something unknown: it may raise, which matters only where the program catches it."""
        fresh = unknown.place is not None and unknown.place.node is node
        if not (fresh and unknown.code in _NEVER_RAISE):
            self.risks.append(Risk("soft", unknown))

    @contextmanager
    def collected_risks(self) -> Iterator[list[Risk]]:
        """Collect what may raise in the block, apart from what happened before."""
        outer, self.risks = self.risks, []
        try:
            yield self.risks
        finally:
            self.risks = outer

    def failure(self, type_name: str, message: str = "") -> AbstractRaise:
        """The exception that the program certainly raises here."""
        return AbstractRaise(type_name, message)

    def guard_since(self, start: int) -> Guard:
        """All conditions that have to hold here, as one."""
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
        first: Callable[[], Outcome | None],
        second: Callable[[], Outcome | None] | None = None,
    ) -> Outcome | None:
        """Run both sides of a condition that is not known, and go on from both.

        Without ``second``, nothing is done where it does not hold.  Only statements need a ``frame``.
        """
        one, one_delta = self._side(guard, first)
        two: Outcome | AbstractRaise | None = None
        two_delta = Delta(born=now())
        if second is not None:
            two, two_delta = self._side(guard.inverse(), second)
        if isinstance(one, AbstractRaise) and isinstance(two, AbstractRaise):
            self.trail.join(guard, one_delta, two_delta)
            raise one
        if isinstance(one, AbstractRaise):
            self.risk(guard.unknown)
            self.trail.apply(two_delta)
            return None if isinstance(two, AbstractRaise) else two
        if isinstance(two, AbstractRaise):
            self.risk(guard.unknown)
            self.trail.apply(one_delta)
            return one
        return self._meet(guard, frame, (one, one_delta), (two, two_delta))

    def under(self, guard: Guard, compute: Callable[[], T]) -> T | None:
        """``compute``, if ``guard`` holds, which is not known; ``None`` where it raises then.

        What it changes is changed under that condition, and what it raises may not be raised.
        """
        found: list[T] = []

        def side() -> None:
            found.append(compute())

        self.branch(guard, None, side)
        return found[0] if found else None

    def any_number(self, guard: Guard, turn: Callable[[], T], reason: UnknownValue | None = None) -> T | None:
        """``turn``, zero or more times: what it changes is not known afterwards, for ``reason``.

        It runs until a turn changes nothing that is still known, which may have been handed down from one turn to the
        next, and at least twice.  The result is that of the last, ``None`` where it raises.
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

    def _side(self, guard: Guard, run: Callable[[], Outcome | None]) -> tuple[Outcome | AbstractRaise | None, Delta]:
        self.trail.fork()
        self.guards.append(guard)
        born, modules = self.trail.levels[-1].born, len(self.modules)
        outcome: Outcome | AbstractRaise | None
        try:
            outcome = run()
        except AbstractRaise as raised:
            outcome = raised
            self._forget_modules(modules, born)
        finally:
            self.guards.pop()
        return outcome, self.trail.capture()

    def _forget_modules(self, known: int, born: int) -> None:
        """Take back that modules were executed on a side that the program does not go on from.

        ``known`` is how many there were before it, ``born`` when it began.  What a module registered there is gone, and
        it registers it again where the program goes on.  A module that made a server stays: the server may have been
        started.
        """
        if len(self.modules) == known:
            return
        made = [item for items in self.made.values() for item in items if _serial(item) > born]
        if any(isinstance(item, SdkObject) and item.is_server for item in made):
            return
        for path in list(islice(self.modules, known, None)):
            del self.modules[path]
        for node, items in self.made.items():
            self.made[node] = [item for item in items if _serial(item) <= born]

    def _meet(
        self,
        guard: Guard,
        frame: Frame | None,
        first: tuple[Outcome | None, Delta],
        second: tuple[Outcome | None, Delta],
    ) -> Outcome | None:
        (one, one_delta), (two, two_delta) = first, second
        if one is None and two is None:
            self.trail.join(guard, one_delta, two_delta)
            return None
        if one is not None and two is not None and one.kind == two.kind == "return":
            self.trail.join(guard, one_delta, two_delta)
            assert one.value is not None
            assert two.value is not None
            return Outcome("return", join_values(guard, one.value, two.value))
        assert frame is not None
        if one is not None:
            self._suspend(guard, frame, one, one_delta)
            self.trail.apply(two_delta)
            return two
        assert two is not None
        self._suspend(guard.inverse(), frame, two, two_delta)
        self.trail.apply(one_delta)
        return one

    def _suspend(self, guard: Guard, frame: Frame, outcome: Outcome, delta: Delta) -> None:
        """Leave one side where it ends; it is joined again where its ``return`` (or ``break``) arrives."""
        self.guards.append(guard)
        whole = self.guard_since(frame.guards_from)
        self.guards.pop()
        states = Delta({**self.trail.since(frame.since(outcome.kind)), **delta}, born=delta.born)
        frame.pending.append(Pending(whole, outcome, states))

    def settle(self, frame: Frame, level: int, kind: str, value: Value | None, start: int = 0) -> Value | None:
        """Join the sides that left with ``kind`` since ``level`` was opened (and from ``start`` on in the list)."""
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
        """Execute the module at ``path`` once, its packages first.

        Raises:
            SourceError: it cannot be read or parsed.
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
        if len(self.calls) + len(self.modules) > 40 * DEPTH:
            scope.rest = reasons.unknown(reasons.BUDGET, "the imports are nested too deeply")
            return done

        loops, self.loops = self.loops, 0
        try:
            run_block(self, tree.body, frame)
        except AbstractRaise as raised:
            scope.rest = reasons.unknown(reasons.FAILS, f"importing {module.name} raises {raised}")
            raise
        finally:
            done.done = True
            self.loops = loops
        return done

    def _module_names(self, module: SourceModule) -> dict[str, Value]:
        folder = module.path.rpartition("/")[0]
        path: dict[str, Value] = {"__path__": ListValue([PathValue(folder)])} if module.is_package else {}
        return {
            **path,
            "__name__": const("__main__" if module.path == self.script else module.name),
            "__package__": const(module.package),
            "__file__": PathValue(module.path, origin=Origin("__file__")),
            "__doc__": const(docstring(module.tree), Origin("docstring")),
        }


def _serial(item: Value) -> int:
    return item.serial if isinstance(item, SdkObject) else 0
