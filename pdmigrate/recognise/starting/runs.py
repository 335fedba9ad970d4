"""Run a program until its servers of a decorator family answer, and read what each of them lists then.

Each way to start the program is tried in an interpreter of its own: the entry points that the packaging names, the
module as a script, and last the definitions around the calls that make servers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate import disk
from pdmigrate.evaluate.core.budget import Budget, BudgetExceededError, account_to
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.values import UnknownValue
from pdmigrate.recognise.source.sites import CallSite, hands_on, sites_of
from pdmigrate.recognise.starting.driving import MOST_ENTRIES
from pdmigrate.recognise.starting.readings import (
    Reading,
    Starts,
    beside,
    collected,
    doubted,
    interrupted,
    note_start,
    unless_started,
)
from pdmigrate.recognise.starting.ways import Way, as_commands, as_programs, in_parts
from pdmigrate.tree.code.followed import Consulted, Followed
from pdmigrate.tree.code.modules import ModuleIndex

if TYPE_CHECKING:
    from pdmigrate.recognise.world import World

STEPS = 640_000
"""Steps for all ways to start one file: registering a function costs what its annotations cost."""
STEPS_OF_ENTRY = 480_000
"""Steps for an entry point, which is started once for all files: it runs the same whichever file is asked about."""


@dataclass
class Ways:
    """The readings of one file's servers so far."""

    world: World
    path: str
    versions: dict[str, str]
    steps: int = field(default_factory=lambda: STEPS)
    too_much: str | None = None
    ended: bool = False
    """Whether some way executed the file and was followed to its end."""
    failed: str | None = None
    doubt: UnknownValue | None = None
    """Why unknown code may have run in a way that made the file's servers."""
    readings: dict[cst.CSTNode, Reading] = field(default_factory=dict)

    def settled(self, sites: list[CallSite]) -> bool:
        """Whether every server of the file was seen to start with tools."""
        good = {node for node, reading in self.readings.items() if reading.good or reading.mounted}
        return bool(good) and len(good) == len(self.readings) and all(site.node in good for site in sites)


def readings_of(world: World, path: str, versions: dict[str, str]) -> Ways:
    """Start the program of ``path`` in one way after another until every server of the file has started.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    ways = Ways(world, path, versions)
    module = world.index.at(path)
    sites = sites_of(world, module)
    if not sites and not hands_on(world, module):
        return ways
    points = world.commands(path)
    for way in as_programs(world, path, points):
        # A user may start the program by another of its commands, and gets the server that this command makes.
        if way.entry is None and ways.settled(sites):
            break
        _try(ways, way)
    if ways.settled(sites):
        return ways
    for way in islice(as_commands(world, path, points), MOST_ENTRIES):
        _try(ways, way)
    for way in () if ways.settled(sites) else in_parts(sites):
        _try(ways, way)
        if ways.settled(sites):
            break
    return ways


@dataclass(frozen=True)
class Run:
    """The result of one way to start the program, for all files."""

    readings: tuple[tuple[str, Reading], ...]
    steps: int
    too_much: str | None
    failed: str | None
    doubt: UnknownValue | None
    modules: frozenset[str]
    """The files that were executed."""
    budget: Budget
    """What is left of its bounds, for what is read of it afterwards."""
    too_long: cst.CSTNode | None = None
    """A function without which the program may be evaluated, if the run exceeded its budget."""


def _try(ways: Ways, way: Way) -> None:
    if way.entry is not None:
        key = ("run", *way.entry, *ways.versions.values())
        known = ways.world.once(key, lambda: _followed(ways, way))
    elif ways.steps > 0:
        # Grant half of the rest, so that the next way has steps left.
        known = _run(ways, way, ways.steps // 2)
        ways.steps -= known.steps
    else:
        return
    if way.command and not any(path == ways.path and reading.started for path, reading in known.readings):
        return  # a command may use a server without starting it
    ways.too_much = ways.too_much or known.too_much
    ways.ended = ways.ended or (known.too_much is None and ways.path in known.modules)
    ways.failed = ways.failed or known.failed
    if not way.forced and ways.path in known.modules:
        ways.doubt = ways.doubt or known.doubt
    for path, reading in known.readings:
        reading.way = reading.way or way
        if path == ways.path and (reading.started or not way.command):
            node = reading.site.node
            before = ways.readings.get(node)
            ways.readings[node] = beside(before, doubted(reading, before) if way.forced else reading)


def _followed(ways: Ways, way: Way) -> Run:
    """The run of an entry point; what another program of the tree saw of it, where it makes no server in this file."""
    whole = ways.world.whole
    # Where a server was seen to start, functions that take too long are not left out.
    key = (*(way.entry or ()), str(any(reading.good for reading in ways.readings.values())))
    known = next((each for each in whole.followed.get(key, ()) if each.holds_for(ways.versions)), None)
    if known is not None and ways.path not in known.made_in:
        disk.repeat(known.trace())
        ways.world.sources.update(known.sources)
        account_to(budget := Budget(*known.budget))
        doubt = UnknownValue(known.doubt[0], known.doubt[1], cause=known.doubt[2]) if known.doubt is not None else None
        return Run((), known.steps, known.too_much, known.failed, doubt, frozenset(known.modules), budget)
    versions = Consulted(ways.versions)
    before, ways.world.sources = ways.world.sources, set()
    try:
        with disk.tracing_part() as trace:
            # An index that knows nothing asks for everything that the command depends on.
            index = ModuleIndex(whole, ways.world.index)
            found = _run(ways, way, STEPS_OF_ENTRY, index=index, versions=versions)
    finally:
        sources, ways.world.sources = ways.world.sources, ways.world.sources | before
    if trace.whole and known is None:
        end = Followed(
            versions=versions.answers(),
            made_in=tuple(sorted({path for path, _ in found.readings})),
            modules=tuple(sorted(found.modules)),
            sources=tuple(sorted(sources)),
            steps=found.steps,
            budget=astuple(found.budget),
            too_much=found.too_much,
            failed=found.failed,
            doubt=(found.doubt.reason, found.doubt.code, found.doubt.cause) if found.doubt is not None else None,
            questions=tuple(trace.answers.items()),
            listed=whole.listed,
        )
        whole.followed[key] = (*whole.followed.get(key, ()), end)
    return found


def _run(
    ways: Ways,
    way: Way,
    granted: int,
    *,
    with_defaults: bool = False,
    index: ModuleIndex | None = None,
    versions: Mapping[str, str] | None = None,
) -> Run:
    """The result of a way; if it exceeds its budget, the result without the functions that exceed it.

    ``index`` and ``versions`` are those of the program, for a run of which is noted what it asks them.
    """
    asked = versions if versions is not None else ways.versions
    once = partial(_run_once, ways, way, with_defaults=with_defaults, index=index, versions=asked)
    found = first = once(granted, frozenset())
    left_out: frozenset[cst.CSTNode] = frozenset()
    good = any(reading.good for reading in ways.readings.values())
    while found.too_much is not None and not good and not any(reading.good for _, reading in found.readings):
        if found.too_long is None or len(left_out) == MOST_LEFT_OUT:
            return first
        left_out |= {found.too_long}
        found = once(min(granted, STEPS_IF_LEFT_OUT), left_out)
    return found


STEPS_IF_LEFT_OUT = 160_000
"""Steps for an entry point that exceeded its budget once, without the functions that most steps went into."""
MOST_LEFT_OUT = 3
"""The most functions that are left out of a program, one after another, because they exceed the budget."""


def _run_once(
    ways: Ways,
    way: Way,
    granted: int,
    left_out: frozenset[cst.CSTNode],
    *,
    with_defaults: bool,
    index: ModuleIndex | None,
    versions: Mapping[str, str],
) -> Run:
    too_much = failed = too_long = None
    with ways.world.interpreter(versions, index) as run:
        run.assumed.with_defaults, run.calls.left_out = with_defaults, left_out
        run.budget.steps = granted
        starts: Starts = {}
        run.made.on_start = lambda server: note_start(run, starts, server)
        try:
            way.start(run)
        except AbstractRaise as raised:
            if not raised.endless:  # an endless loop keeps all that was registered
                failed = f"importing the module {raised.outcome}"
        except BudgetExceededError as exceeded:
            too_much = f"the program is too complex to evaluate: {run.calls.explained(exceeded)}"
            too_long = run.calls.too_long()
        except RecursionError:
            too_much = "the program is nested too deeply to evaluate"
        finally:
            run.made.on_start = None
        left = max(run.budget.steps, 0)
        run.budget.steps = max(left, FOR_READING)
        readings = tuple(collected(run, starts))
        if way.entry is not None:
            readings = tuple((path, unless_started(reading)) for path, reading in readings)
        if too_much is not None:
            readings = tuple((path, interrupted(reading, too_much)) for path, reading in readings)
        return Run(readings, granted - left, too_much, failed, run.doubt, frozenset(run.modules), run.budget, too_long)


def names_with_defaults(ways: Ways, reading: Reading) -> frozenset[str] | None:
    """The names of the tools that a server lists, or may list, if every setting has its default.

    ``None`` if a name is not known, or if no setting has a default: the server lists the same then.
    """
    if reading.way is None or reading.way.forced or not reading.good or not reading.run.assumed.has_defaults:
        return None
    key = ("with defaults", ways.path, *(reading.way.entry or ()), *ways.versions.values())
    known = ways.world.memo.get(key)
    if not isinstance(known, Run):
        known = ways.world.memo[key] = _run(ways, reading.way, STEPS_WITH_DEFAULTS, with_defaults=True)
    found = next((item for _, item in known.readings if item.site.node is reading.site.node and item.good), None)
    if found is None or known.too_much is not None or found.answer.incomplete or found.run.doubt is not None:
        return None
    names = [tool.name for tool in found.answer.tools]
    return None if None in names else frozenset(name for name in names if name is not None)


STEPS_WITH_DEFAULTS = 320_000
"""Steps for running a program once more, with the defaults of its settings."""
FOR_READING = 50_000
"""Steps for reading the servers' lists when starting the program has used up its own."""
