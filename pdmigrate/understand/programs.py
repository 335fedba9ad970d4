"""From a file that makes servers to what these servers list."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pdmigrate.families import SERVER
from pdmigrate.understand import everything
from pdmigrate.understand.by_hand import by_hand
from pdmigrate.understand.demand.classes import needed
from pdmigrate.understand.demand.functions import unknown_arguments
from pdmigrate.understand.demand.program import END, INFINITY, Loaded, Place, Program, statement_unit
from pdmigrate.understand.demand.run import ExhaustedError, RaisedError, Run
from pdmigrate.understand.demand.scopes import set_global
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.units import Unit, Uses
from pdmigrate.understand.servers.agreeing import as_one
from pdmigrate.understand.servers.answers import Answer
from pdmigrate.understand.servers.listing import answer
from pdmigrate.understand.servers.objects import ServerValue
from pdmigrate.understand.sites import server_calls
from pdmigrate.understand.starting import Start, starts, users_of
from pdmigrate.understand.unseen import commands, uncalled, unseen_code, unseen_registrations
from pdmigrate.understand.values.codes import BUDGET, CONDITION, FAILS
from pdmigrate.understand.values.containers import Mutable
from pdmigrate.understand.values.core import Unknown, Value
from pdmigrate.understand.values.objects import Instance

MOST_STARTS = 4
ANSWERING = 200_000
"""The steps that are kept for the answers, whatever the program has used."""
_BESIDE, _ENTRY = 0.5, 1.0


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A server and what it lists, as one way to start the program leaves them."""

    server: ServerValue
    answer: Answer
    start: Start
    has_defaults: bool
    """Whether the program gives a setting a default."""


def found_servers(
    root: Path, names: Names, path: str, versions: Mapping[str, str], required: frozenset[str]
) -> list[FoundServer]:
    """The servers that the file at ``path`` makes."""
    sites = server_calls(names, path)
    if not sites:
        return []
    best: list[FoundServer] = []
    serving: list[FoundServer] = []
    for start in starts(root, names, path)[:MOST_STARTS]:
        if serving and not start.function and (start.path == path or not any(name for _, name in sites)):
            break  # the scripts say how the server is started
        found = _started(Evaluation(names, start, versions, required), names, path, sites)
        if found and all(item.server.started and item.answer.tools for item in found):
            serving += found
        elif not serving and _worth(found) > _worth(best):
            best = found
            if all(item.answer.incomplete is None and item.answer.tools for item in found):
                break
        elif not serving and best:
            break  # another way to start says no more
    for start in dict.fromkeys(item.start for item in serving or best if _depends_on_settings(item)):
        assumed = Evaluation(names, start, versions, required, with_defaults=True)
        known = [item for item in serving or best if item.start == start]
        _mark_optional(known, _started(assumed, names, path, sites))
    return _once_each(serving) if serving else best


def _depends_on_settings(item: FoundServer) -> bool:
    """Whether a server's list is known but for conditions, of a program that gives defaults for its settings."""
    conditional = any(tool.conditions for tool in item.answer.tools)
    return conditional and item.has_defaults and item.answer.incomplete is None


def _mark_optional(found: list[FoundServer], usual: list[FoundServer]) -> None:
    """Mark the tools that are not listed if every setting has its default, as it has in ``usual``."""
    for item in found:
        same = [other for other in usual if other.server.site == item.server.site]
        if len(same) == 1 and same[0].answer.incomplete is None:
            names = {tool.name for tool in same[0].answer.tools}
            for tool in item.answer.tools:
                tool.optional = bool(tool.conditions) and tool.name not in names


def _worth(found: list[FoundServer]) -> tuple[int, int]:
    tools = sum(len(item.answer.tools) for item in found)
    return tools, len(found) + sum(item.server.started for item in found)


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Evaluation:
    """One start of a program."""

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
        self.trouble: list[str] = []
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
        journal, regions, yields, place = run.journal.levels, run.regions, run.yields, run.place
        # What a statement of another time may raise is no concern of the code that asks for it.
        risk, escapes = run.risk, run.escapes
        run.journal.levels, run.regions, run.yields, run.escapes = [], [], [], []
        run.journal.touched.append(loaded.done.setdefault(unit.index, set()))
        try:
            with Mutable.births.earlier(journal[0].start if journal else None), run.demand():
                run.execute(unit.node, loaded.scope)
        except RaisedError as raised:
            self.trouble.append(f"{loaded.module.site(unit.node)}: {raised.message}")
            if raised.kind not in ("builtins.SystemExit", "builtins.KeyboardInterrupt"):
                why = Unknown(f"a statement of the program raises: {raised.message}", FAILS, raised.site)
                run.memory.setdefault("raises", why)
        except ExhaustedError:
            run.journal.levels, run.regions, run.yields = [], [], []
            self._given_up(loaded, unit)
        finally:
            run.journal.levels, run.regions, run.yields, run.place = journal, regions, yields, place
            run.journal.touched.pop()
            run.risk, run.escapes = risk, escapes

    def _given_up(self, loaded: Loaded, unit: Unit) -> None:
        """A statement took too long: what it binds, and what it may change, is not known; nothing else is lost."""
        why = Unknown("there is too much to evaluate here", BUDGET, loaded.module.site(unit.node))
        self.trouble.append(f"{why.site}: {why.reason}")
        self.run.disturb([value for node in self.program.touched_by(loaded, unit) if (value := self._now(node))], why)
        for name in unit.binds:
            set_global(self.run, loaded.scope, name, why)

    def _now(self, node: Node) -> Value | None:
        """The value that a name has by now."""
        loaded = self.program.loaded.get(node[0])
        return loaded.scope.data.get(node[1]) if loaded is not None else None

    def call(self, function: Value) -> None:
        """A function that only something outside the program calls."""
        before, self.program.position = self.program.position, END
        try:
            with self.run.demand():
                self._complete(self.run.call(function, unknown_arguments(function)))
        except (RaisedError, ExhaustedError) as error:
            self.trouble.append(str(error))
        finally:
            self.program.position = before

    @contextmanager
    def alone(self, function: Value) -> Iterator[None]:
        """The program as a call of ``function`` from outside leaves it; after that, as if there had been none."""
        count = len(self.run.servers)
        self.run.journal.push()
        self.call(function)
        yield
        self.run.journal.undo()
        del self.run.servers[count:]

    def complete(self, place: Place) -> None:
        """Carry out the constructors of the objects that a statement binds: they may make servers."""
        _, loaded, unit = place
        try:
            with self.run.demand():
                for name in sorted(unit.binds):
                    self._complete(loaded.scope.data.get(name))
        except (RaisedError, ExhaustedError) as error:
            self.trouble.append(str(error))

    def _complete(self, value: Value | None) -> None:
        if isinstance(value, Instance):
            needed(self.run, value)

    def answers(self, path: str) -> Iterator[tuple[ServerValue, Answer]]:
        """What the servers that the file at ``path`` made list at the end."""
        self.program.position, self.run.answering = END, True
        self.run.whole = max(self.run.whole, ANSWERING)
        for server in list(self.run.servers):
            if not _made_in(server, path):
                continue
            self.run.journal.push()
            for site, told in server.starts:
                self.run.journal.join(
                    told, {}, Unknown("it depends on how the program runs the server", CONDITION, site)
                )
            try:
                with self.run.demand():
                    made = answer(self.run, server)
                if server.cls is SERVER:
                    made.by_hand = by_hand(self.run, server, [tool.name for tool in made.tools if tool.name])
                yield server, made
            except (ExhaustedError, RaisedError) as error:
                yield server, Answer([], str(error) or "there is too much to evaluate")
            self.run.journal.undo()
        self.run.answering = False


def _made_in(server: ServerValue, path: str) -> bool:
    """Whether a file makes the server, or defines the class that it is an object of."""
    cls = server.instance.cls if isinstance(server.instance, Instance) else None
    own = cls is not None and any(base.module.path == path for base in cls.classes)
    return server.site is not None and (server.site.file == path or own)


def _started(evaluation: Evaluation, names: Names, path: str, sites: list[tuple[ast.Call, str]]) -> list[FoundServer]:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    assert everything.ALL
    if evaluation.load(evaluation.start.path) is None or evaluation.program.load(path, (_BESIDE,)) is None:
        return []
    entry = evaluation.entry()
    wanted = {(path, name) for _, name in sites}
    looked: set[str] = set()

    def carry_out_seeds() -> None:
        """What makes servers in the modules that are loaded by now."""
        seeds = _seeds(evaluation, names, path, sites, wanted)
        for _, loaded, unit in seeds:
            for name in sorted(unit.binds):
                evaluation.program.advance((loaded.module.path, name), END)
        for place in seeds:
            evaluation.program.perform(place)
            evaluation.complete(place)
        looked.update(evaluation.program.loaded)

    carry_out_seeds()
    if entry is not None:
        evaluation.program.perform(entry)
    if not any(_made_in(server, path) and server.site for server in evaluation.run.servers):
        evaluation.program.position = END
        for user in sorted(users_of(names, path)):
            evaluation.program.load_now(user)
    if evaluation.program.loaded.keys() - looked:
        carry_out_seeds()
    carry_out_seeds()
    if any(_made_in(server, path) for server in evaluation.run.servers):
        found = _from_commands(evaluation, names, path)
    else:
        found = _from_outside(evaluation, names, path, sites)
    return _once_each(found)


def _answered(evaluation: Evaluation, names: Names, path: str) -> list[FoundServer]:
    """The servers that the file at ``path`` has made by now."""
    found = []
    unseen = unseen_registrations(evaluation.run, names, path)
    code = unseen_code(evaluation.run, names)
    for server, made in evaluation.answers(path):
        made.incomplete = made.incomplete or (unseen if server.cls is not SERVER else None) or code
        found.append(FoundServer(server, made, evaluation.start, evaluation.run.has_defaults))
    return found


def _from_commands(evaluation: Evaluation, names: Names, path: str) -> list[FoundServer]:
    """The servers of a program whose modules start none of them: as its commands leave those that they start."""
    own = [server for server in evaluation.run.servers if _made_in(server, path)]
    if any(server.started for server in own):
        return _answered(evaluation, names, path)
    evaluation.program.position = END
    found: list[FoundServer] = []
    for command in commands(evaluation.run):
        with evaluation.alone(command):
            if any(server.started for server in evaluation.run.servers if _made_in(server, path)):
                found += [item for item in _answered(evaluation, names, path) if item.server.started]
        for server in own:
            server.started = False
    for item in found:
        item.server.started = True
    if own and all(server.started for server in own):
        return found
    return [*found, *(item for item in _with_uncalled(evaluation, names, path) if not item.server.started)]


def _with_uncalled(evaluation: Evaluation, names: Names, path: str) -> list[FoundServer]:
    """The servers as the modules leave them, with the tools that functions register which nothing calls."""
    found = _answered(evaluation, names, path)
    started = [item.server.started for item in found]
    for function in uncalled(evaluation.run, names):
        with evaluation.alone(function):
            for item, other in zip(found, _answered(evaluation, names, path), strict=False):
                item.answer.add(other.answer, f"only {function.name}() registers it, which nothing calls")
        for item, before in zip(found, started, strict=True):
            item.server.started = before
    return found


def _once_each(found: list[FoundServer]) -> list[FoundServer]:
    """One server for each call that makes some."""
    by_call: dict[object, list[FoundServer]] = {}
    for item in found:
        by_call.setdefault(item.server.node or item.server.site, []).append(item)
    return [_one_of(made) for made in by_call.values()]


def _one_of(found: list[FoundServer]) -> FoundServer:
    """The server of one place, which may have made several."""
    started = [item for item in found if item.server.started] or found
    return replace(started[0], answer=as_one([item.answer for item in started]))


def _seeds(
    evaluation: Evaluation, names: Names, path: str, sites: list[tuple[ast.Call, str]], wanted: set[Node]
) -> list[Place]:
    """The statements that make servers, or call the functions that do, in order."""
    found: list[Place] = []
    calls = {id(call) for call, name in sites if not name}
    for loaded in list(evaluation.program.loaded.values()):
        for unit in loaded.module.units:
            if unit.is_main and loaded.module.path != evaluation.program.main:
                continue
            if isinstance(unit.node, _DEFINITIONS) and not unit.node.decorator_list:
                continue
            direct = loaded.module.path == path and any(id(node) in calls for node in ast.walk(unit.node))
            if direct or unit.is_main or _reaches(names, loaded, unit, wanted):
                found.append((loaded.position(unit), loaded, unit))
    return sorted(found, key=lambda place: place[0])


def _reaches(names: Names, loaded: Loaded, unit: Unit, wanted: set[Node]) -> bool:
    nodes = names.resolved(loaded.module, unit.uses, unit.uses.called | unit.uses.touched)
    return any(node in wanted or names.closure(node) & wanted for node in nodes)


def _from_outside(
    evaluation: Evaluation, names: Names, path: str, sites: list[tuple[ast.Call, str]]
) -> list[FoundServer]:
    """The servers of functions that only somebody outside the program calls: of each as if it alone were called."""
    found: list[FoundServer] = []
    run = evaluation.run
    for name in dict.fromkeys(name for _, name in sites if name):
        evaluation.program.position = END
        value = evaluation.program.read(path, name)
        if value is not None:
            executed = set(run.executed)
            with evaluation.alone(value):
                found += _answered(evaluation, names, path)
            run.executed = executed
    return found
