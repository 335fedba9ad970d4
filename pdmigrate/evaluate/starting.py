"""Running a program until its servers of a decorator family answer, and what each of them lists then.

A way to start is tried in an interpreter of its own: the entry points that the packaging names, the module as a
script, and last the definitions around the places where servers are made.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.answering import Answer, answer, joined
from pdmigrate.evaluate.budget import BudgetExceededError
from pdmigrate.evaluate.driving import CallSite, call_entry, call_sites, drive, drive_more, imported_names
from pdmigrate.evaluate.imports import module_at
from pdmigrate.evaluate.interpreter import AbstractRaise, Interpreter
from pdmigrate.evaluate.registered import Mounted
from pdmigrate.evaluate.registries import EVENTS, FAMILIES, REMOTE
from pdmigrate.evaluate.values import Guard, ListValue, Maybe, SdkObject

if TYPE_CHECKING:
    from pdmigrate.evaluate.entries import EntryPoint
    from pdmigrate.evaluate.modules import SourceModule
    from pdmigrate.evaluate.world import World

STEPS = 400_000
"""Steps for all ways of one file: registering a function costs what its annotations cost."""
MOST_ENTRIES = 6


@dataclass
class Reading:
    """What a server lists at one moment."""

    server: SdkObject
    site: CallSite
    answer: Answer
    started: bool
    run: Interpreter
    mounted: bool = False
    """Another server lists its tools."""

    @property
    def good(self) -> bool:
        return self.started and bool(self.answer.tools)


@dataclass
class Ways:
    """The readings of one file's servers so far."""

    world: World
    path: str
    versions: dict[str, str]
    steps: int = STEPS
    too_much: str | None = None
    failed: str | None = None
    readings: dict[cst.CSTNode, Reading] = field(default_factory=dict)

    def settled(self, sites: list[CallSite]) -> bool:
        """Whether every server of the file was seen to start with tools."""
        good = {node for node, reading in self.readings.items() if reading.good or reading.mounted}
        return bool(good) and len(good) == len(self.readings) and all(site.node in good for site in sites)


def readings_of(world: World, path: str, versions: dict[str, str]) -> Ways:
    """Start the program of ``path`` in one way after the other until every server of the file has started.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    ways = Ways(world, path, versions)
    module = world.index.at(path)
    sites = sites_of(world, module)
    if not sites:
        return ways
    for way in _ways(world, path, sites, module):
        _try(ways, module, way)
        if ways.settled(sites):
            break
    return ways


def sites_of(world: World, module: SourceModule) -> list[CallSite]:
    """Where the file calls something that may be a server class."""
    names = REMOTE | _derived(world)
    for wanted in ("FastMCP", "MCPServer"):
        names |= imported_names(module, wanted)
    return list(call_sites(module, names))


_CLASS = re.compile(rb"(?m)^[ \t]*class[ \t]+(\w+)[ \t]*\(([^:]*)\)[ \t]*:")


def _derived(world: World) -> frozenset[str]:
    """The names of the classes of the tree that may derive from a server class."""
    known = world.memo.get(("classes",))
    if isinstance(known, frozenset):
        return known
    classes: list[tuple[str, bytes]] = []
    for path in world.files:
        try:
            raw = (world.root / path).read_bytes()
        except OSError:
            continue  # said of that file when its turn comes
        if b"class" in raw:
            classes += [(match[1].decode(), match[2]) for match in _CLASS.finditer(raw)]
    found = {"FastMCP", "MCPServer"}
    for _ in range(DEEPEST):
        pattern = re.compile(rb"\b(?:%s)\b" % b"|".join(sorted(name.encode() for name in found)))
        more = {name for name, bases in classes if pattern.search(bases)}
        if more <= found:
            break
        found |= more
    names = frozenset(found)
    world.memo["classes",] = names
    return names


DEEPEST = 5
"""How many classes may stand between a server and the SDK's class."""


Way = Callable[[Interpreter], None]


def _ways(world: World, path: str, sites: list[CallSite], module: SourceModule) -> Iterator[Way]:
    for point in world.entries[:MOST_ENTRIES]:
        yield lambda run, point=point: _enter(run, point)  # type: ignore[misc]
    yield lambda run: _as_script(run, path)
    for site in sites:
        if site.inside:
            yield lambda run, site=site: _drive(run, path, site)  # type: ignore[misc]
    for site in sites:
        yield lambda run, site=site: _drive_more(run, path, module, site)  # type: ignore[misc]


def _enter(run: Interpreter, point: EntryPoint) -> None:
    found = run.index.find(point.module, "pyproject.toml")
    if found is None or found.endswith("/"):
        return
    module_at(run, found, None)
    call_entry(run, point)


def _as_script(run: Interpreter, path: str) -> None:
    run.script = path
    module_at(run, path, None)


def _drive(run: Interpreter, path: str, site: CallSite) -> None:
    module_at(run, path, None)
    drive(run, site)


def _drive_more(run: Interpreter, path: str, module: SourceModule, site: CallSite) -> None:
    module_at(run, path, None)
    drive(run, site)
    drive_more(run, module, site)


def _try(ways: Ways, module: SourceModule, way: Way) -> None:
    if ways.steps <= 0:
        return
    with ways.world.interpreter(ways.versions) as run:
        run.budget.steps = ways.steps
        starts: dict[SdkObject, list[tuple[Answer, tuple[Guard, ...]]]] = {}
        run.on_start = lambda server: _started(run, starts, server)
        try:
            way(run)
        except AbstractRaise as raised:
            ways.failed = ways.failed or f"importing the module raises {raised}"
        except BudgetExceededError as exceeded:
            ways.too_much = ways.too_much or f"the program is too much to evaluate: {exceeded}"
        except RecursionError:
            ways.too_much = ways.too_much or "the program is nested too deeply to evaluate"
        finally:
            run.on_start = None
            ways.steps = run.budget.steps if run.budget.steps > 0 else 0
        _collect(ways, run, module, starts)


def _started(
    run: Interpreter, starts: dict[SdkObject, list[tuple[Answer, tuple[Guard, ...]]]], server: SdkObject
) -> None:
    owner = server.names.get("<owner>", server)
    if isinstance(owner, SdkObject) and owner.type in FAMILIES:
        starts.setdefault(owner, []).append((answer(run, owner), tuple(run.guards)))


def _collect(
    ways: Ways,
    run: Interpreter,
    module: SourceModule,
    starts: dict[SdkObject, list[tuple[Answer, tuple[Guard, ...]]]],
) -> None:
    parts = _mounted(run)
    for node, made in run.made.items():
        for server in made:
            if not isinstance(server, SdkObject) or server.type not in FAMILIES or server.place is None:
                continue
            if server.place.module.path != module.path or not isinstance(node, cst.Call):
                continue
            started = starts.get(server)
            found = joined(started) if started else answer(run, server)
            around = [item for item in module.outline.above(node) if isinstance(item, (cst.FunctionDef, cst.ClassDef))]
            site = CallSite(node, tuple(reversed(around)))
            _keep(ways, Reading(server, site, found, bool(started), run, mounted=server in parts))


def _mounted(run: Interpreter) -> set[SdkObject]:
    """The servers that are parts of others."""
    found: set[SdkObject] = set()
    for made in run.made.values():
        for server in made:
            events = server.names.get(EVENTS) if isinstance(server, SdkObject) else None
            for event in events.items if isinstance(events, ListValue) else ():
                inner = event.value if isinstance(event, Maybe) else event
                if isinstance(inner, Mounted):
                    found.add(inner.server)
    return found


def _keep(ways: Ways, new: Reading) -> None:
    old = ways.readings.get(new.site.node)
    if old is None or _rank(new) > _rank(old):
        ways.readings[new.site.node] = new


def _rank(reading: Reading) -> tuple[bool, bool, bool]:
    return (reading.good, bool(reading.answer.tools), reading.started)


__all__ = ["Reading", "SourceError", "Ways", "readings_of"]
