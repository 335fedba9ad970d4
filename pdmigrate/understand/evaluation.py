"""One start of a program: its statements and functions, carried out as far as they are asked for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules

from pdmigrate.sdk.families import ServerClass
from pdmigrate.understand import demand, library, servers
from pdmigrate.understand.demand.flow import either
from pdmigrate.understand.demand.functions import unknown_arguments
from pdmigrate.understand.demand.imports import doubts, is_tried, may_fail
from pdmigrate.understand.demand.positions import END, IMPORTS, INFINITY, Branch, Loaded, Place
from pdmigrate.understand.demand.program import Program, statement_unit
from pdmigrate.understand.demand.run import ExhaustedError, RaisedError, Run
from pdmigrate.understand.demand.scopes import set_global
from pdmigrate.understand.demand.unfollowed import handed
from pdmigrate.understand.index.naming import Names
from pdmigrate.understand.index.syntax import chain
from pdmigrate.understand.index.units import Unit, Uses
from pdmigrate.understand.servers.answers import Answer
from pdmigrate.understand.servers.listing import answer
from pdmigrate.understand.servers.making import CLASSES, server_in
from pdmigrate.understand.servers.objects import ServerValue
from pdmigrate.understand.starting import Start
from pdmigrate.understand.unseen import passed_over
from pdmigrate.understand.values.containers import Mutable
from pdmigrate.understand.values.core import BUDGET, CONDITION, FAILS, MUTATED, Either, Unknown, Value
from pdmigrate.understand.values.journal import Delta
from pdmigrate.understand.values.objects import ClassValue, Instance
from pdmigrate.understand.values.outside import External

PARTS = [
    import_module(f"{room.__name__}.{module.name}")
    for room in (demand, library, servers)
    for module in iter_modules(room.__path__)
]
"""All that enters its functions in the tables of ``demand.run``."""
ANSWERING = 200_000
"""The steps that are kept for the answers, whatever the program has used."""
_ENTRY = 1.0
_OF_A_STATEMENT = ("regions", "yields", "escapes", "place", "branch", "ending", "risk", "awaiting", "answering")
"""What is known of a run about the statement that is being carried out."""


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server and what it lists, as one way to start the program leaves them."""

    server: ServerValue
    answer: Answer
    start: Start
    has_defaults: bool = False
    """Whether the program gives a setting a default."""


class Evaluation:
    def __init__(
        self,
        names: Names,
        start: Start,
        versions: Mapping[str, str],
        required: frozenset[str],
        *,
        with_defaults: bool = False,
    ) -> None:
        self.program = Program(names.tree, names)
        self.program.required = required
        self.run = Run(self.program, versions, with_defaults=with_defaults)
        self.program.carry_out = self._carry_out
        self.program.lose = self.run.journal.blur
        self.start = start
        self.raised: str | None = None
        """Where the program raises, and what."""
        self.given_up: Unknown | None = None
        """Where there is first too much to evaluate."""
        if not start.function:
            self.program.main = start.path

    def load(self, path: str) -> Loaded | None:
        return self.program.load(path, (0.0,))

    def entry(self) -> Place | None:
        """The call with which a console script starts the program."""
        loaded = self.program.loaded.get(self.start.path)
        if loaded is None or not self.start.function:
            return None
        call = ast.parse(f"{self.start.function}()").body[0]
        unit = statement_unit(call, len(loaded.module.units), Uses(called={self.start.function}))
        return (_ENTRY, INFINITY), loaded, unit

    def _carry_out(self, loaded: Loaded, unit: Unit) -> None:
        run = self.run
        # What a statement of another time may raise is no concern of the code that asks for it.
        before = {name: getattr(run, name) for name in _OF_A_STATEMENT} | {"failing": {*run.failing}}
        journal, run.journal.levels = run.journal.levels, []
        run.regions, run.yields, run.escapes = [], [], []
        run.branch, run.ending, run.awaiting, run.answering = None, False, False, False
        run.journal.touched.append(loaded.done.setdefault(unit.index, set()))
        try:
            with Mutable.births.earlier(journal[0].start if journal else None), run.demand():
                branches = [*doubts(run, loaded, unit)]
                if is_tried(run, loaded, unit):
                    self._tried(loaded, unit, branches)
                else:
                    self._perhaps(loaded, unit, branches)
        except RaisedError as raised:
            what = f"{raised.site or loaded.module.site(unit.node)} raises {raised}"
            self.raised = self.raised or what
            if raised.kind not in ("builtins.SystemExit", "builtins.KeyboardInterrupt"):
                run.memory.setdefault("raises", Unknown(what, FAILS, raised.site))
        except ExhaustedError:
            run.journal.levels, run.regions, run.yields = [], [], []
            loaded.fails.setdefault(unit.index, "")
            self._given_up(loaded, unit)
        finally:
            vars(run).update(before)
            run.journal.levels = journal
            run.journal.touched.pop()

    def _perhaps(self, loaded: Loaded, unit: Unit, branches: Sequence[Branch]) -> bool:
        """Carry out a statement on the path that these branches are."""
        if not branches:
            fell = self.run.execute(unit.node, loaded.scope)
            if not fell and self.run.escapes:
                kind = self.run.escapes.pop()
                raise RaisedError(kind, "", loaded.module.site(unit.node))
            return fell
        why, holds = branches[0]

        def act() -> bool:
            return self._perhaps(loaded, unit, branches[1:])

        first, second = (lambda: True, act) if holds is False else (act, lambda: True)
        return either(self.run, why, first, second, holds=None if holds is None else True)

    def _tried(self, loaded: Loaded, unit: Unit, branches: Sequence[Branch]) -> None:
        """The same where somebody catches what the statement raises: if it may, its effects depend on that."""
        run, kind = self.run, "builtins.ImportError" if isinstance(unit.node, IMPORTS) else ""
        run.risk, failed = False, False
        level = run.journal.push()
        try:
            self._perhaps(loaded, unit, branches)
        except RaisedError as raised:
            kind, failed = raised.kind, True
            run.journal.keep(level + 1)
        changed = run.journal.undo()
        if run.escapes:
            kind, failed = run.escapes[0], True
        loaded.fails[unit.index] = kind if run.risk or failed else None
        if run.risk or failed:
            run.journal.join(changed, {}, may_fail(loaded.module.site(unit.node)))
        else:
            run.journal.apply(changed)

    def _given_up(self, loaded: Loaded, unit: Unit) -> None:
        """A statement took too long: what it binds, and what it may change, is not known; nothing else is lost."""
        why = Unknown("there is too much to evaluate here", BUDGET, loaded.module.site(unit.node))
        self.given_up = self.given_up or why
        touched = ((self.program.loaded.get(path), name) for path, name in self.program.touched_by(loaded, unit))
        values = (there.scope.data.get(name) for there, name in touched if there is not None)
        self.run.disturb([value for value in values if value is not None], why)
        for name in unit.binds:
            set_global(self.run, loaded.scope, name, why)

    def _call(self, function: Value, method: str) -> None:
        """A function that only something outside the program calls, or the method of an object of a class."""
        before, self.run.awaiting = self.run.awaiting, True
        with self._bounded():
            made = self.run.call(function, unknown_arguments(function))
            if method:
                bound = self.run.attribute(made, method)
                self.run.call(bound, unknown_arguments(bound))
        self.run.awaiting = before

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        """A demand of its own; what raises in it, or is too much, ends no more than what is done inside."""
        try:
            with self.run.demand():
                yield
        except RaisedError:
            return
        except ExhaustedError:
            self.given_up = self.given_up or Unknown("there is too much to evaluate here", BUDGET, self.run.site())

    def made_in(self, path: str) -> list[ServerValue]:
        """The servers that a file makes, or of whose classes it defines one."""
        found = []
        for server in self.run.servers:
            classes = server.instance.cls.classes if isinstance(server.instance, Instance) else ()
            if server.site is not None and path in (server.site.file, *(base.module.path for base in classes)):
                found.append(server)
        return found

    def at_end(self, expression: ast.expr, loaded: Loaded) -> Value | None:
        """What an expression means at the end of a module; ``None`` if it raises, or there is too much to evaluate."""
        found: list[Value] = []
        self.program.position = END
        with self._bounded():
            found.append(self.run.evaluate(expression, loaded.scope))
        return found[0] if found else None

    def passed_over(self) -> str | None:
        """Why a statement may register tools that was not carried out; ``None`` if none does."""
        for loaded, holder in passed_over(self.run):
            self.run.journal.push()
            value = self.at_end(holder, loaded)
            self.run.journal.undo()
            if value is None or isinstance(value, (Unknown, Either)) or server_in(value) is not None:
                return f"{loaded.module.site(holder)} may register tools, and was not seen to run"
        return None

    def class_of(self, name: ast.expr, path: str) -> ServerClass | None:
        """The class of an SDK that a name at the end of a module certainly is, or derives from; ``None`` if none."""
        loaded = self.program.loaded[path]
        value = self.at_end(name, loaded) if chain(name).partition(".")[0] in loaded.module.bound else None
        if isinstance(value, ClassValue):
            return next((CLASSES[base] for base in value.outside if base in CLASSES), None)
        return CLASSES.get(value.name) if isinstance(value, External) else None

    @contextmanager
    def alone(self, *functions: Value, method: str = "") -> Iterator[None]:
        """The program as calls of ``functions`` from outside leave it; after that, as if there had been none."""
        count = len(self.run.servers)
        self.program.position = END
        self.run.journal.push()
        for function in functions:
            self._call(function, method)
        yield
        self.run.journal.undo()
        del self.run.servers[count:]

    def answers(self, servers: Iterable[ServerValue]) -> Iterator[FoundServer]:
        """What these servers list at the end."""
        self.program.position, self.run.answering = END, True
        self.run.whole = max(self.run.whole, ANSWERING)
        for server in servers:
            if server.refused and self.raised is None:
                continue  # the program goes on without it
            self.run.journal.push()
            self._as_run(server)
            try:
                with self.run.demand():
                    self._live_through(server)
                    made = answer(self.run, server)
            except RaisedError as error:
                made = Answer([], str(error) or "an exception")
            except ExhaustedError:
                self.given_up = self.given_up or Unknown("there is too much to evaluate", BUDGET, server.site)
                made = Answer([], "there is too much to evaluate")
            yield FoundServer(server, made, self.start, self.run.has_defaults)
            self.run.journal.undo()
        self.run.answering = False

    def _live_through(self, server: ServerValue) -> None:
        """Forget what the lifespan of a server may change, which runs before the first request."""
        if (lifespan := server.options.get("lifespan")) is not None:
            self.run.answering = False
            handed(self.run, [lifespan], Unknown("the lifespan of the server may change it", MUTATED, server.site))
            self.run.answering = True

    def _as_run(self, server: ServerValue) -> None:
        """Leave a server as it is wherever the program runs it; as it is at the end if that is not seen."""
        end: Delta = {part: part.save() for part in (server, server.handlers)}
        for number, (site, told) in enumerate(server.starts):
            if number == 0:
                self.run.journal.apply(told)
            else:
                why = Unknown("it depends on how the program runs the server", CONDITION, site)
                self.run.journal.join(told or end, {}, why)
