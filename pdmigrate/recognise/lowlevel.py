"""From a file to servers and their tools, for the families with a low-level ``Server``.

Its tools are those that the handler of ``tools/list`` returns.  Until mcp 2.0 the handler is registered with
``@server.list_tools()`` or stored in ``server.request_handlers``; since then it is an argument of the constructor
(``on_list_tools``) or registered with ``server.add_request_handler``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate import disk
from pdmigrate.evaluate.core.budget import STEPS, BudgetExceededError
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.interpreter import Interpreter
from pdmigrate.evaluate.core.values import NONE, SdkObject, UnknownValue
from pdmigrate.findings import finding
from pdmigrate.model import Anchor, Finding, Fixed, Sdk, Server, Site, Tool
from pdmigrate.recognise.by_hand import by_hand
from pdmigrate.recognise.listing.answering import forget
from pdmigrate.recognise.listing.handlers import Listed, Listing, listed_by
from pdmigrate.recognise.sdk.objects import SERVER, has_handler, list_handler, servers_made
from pdmigrate.recognise.sdk.wire import tool_fields
from pdmigrate.recognise.servers.record import outside_changer
from pdmigrate.recognise.source.anchors import anchor_of
from pdmigrate.recognise.source.branches import once_each
from pdmigrate.recognise.source.moving import Handler, declaration_of, handler_of
from pdmigrate.recognise.source.sites import (
    CallSite,
    call_sites,
    calls_elsewhere,
    imported_names,
    is_server_call,
    made_sites,
    of_other_library,
    passed_on,
    site_around,
)
from pdmigrate.recognise.starting.driving import MOST_ENTRIES, call_entry, drive, drive_more, enter, start
from pdmigrate.recognise.starting.entries import EntryPoint
from pdmigrate.recognise.starting.joining import as_one, nameless
from pdmigrate.recognise.starting.runs import MOST_LEFT_OUT
from pdmigrate.tree.code.clues import registers_as

if TYPE_CHECKING:
    from pdmigrate.families import Family
    from pdmigrate.recognise.world import World
    from pdmigrate.tree.code.modules import SourceModule


@dataclass(frozen=True)
class LowLevel:
    """A family, and the release of its SDK that the servers of a file run on."""

    id: str
    sdk: Sdk


def _sdk_of(path: str, world: World, major: int) -> Sdk | None:
    """The SDK of the servers in the file at ``path``; ``None`` if its major version is not ``major``.

    A lock file, an installation or a pin decides.  If a requirement allows more than one major version, or there is no
    requirement, the way in which the code registers handlers decides.
    """
    newest = world.sdk(path, "mcp")
    if newest.basis in ("requirement", "assumed") and (shape := _shape(path, world)) is not None:
        fitting = world.sdk(path, "mcp", major=shape)
        if fitting.basis == newest.basis:
            newest = fitting
    return newest if _major(newest.version) == major else None


def _major(version: str) -> int:
    """The major version of the family: 0.x belongs to the same family as 1.x, 0 is none."""
    return 2 if version.startswith("2.") else 1 if version.startswith(("0.", "1.")) else 0


def _shape(path: str, world: World) -> int | None:
    """The major version whose way of registering handlers the file uses, or else any file of the tree; or ``None``."""
    found = registers_as(disk.read(world.root, path))
    return found if found is not None else world.whole.shape()


def servers(path: str, world: World, row: Family) -> Iterator[Server]:
    """The servers of the family of ``row`` that the file at ``path`` constructs.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    name = row.server.name
    if not re.search(rb"\b%s\b" % re.escape(name).encode(), disk.read(world.root, path)):
        return
    sdk = _sdk_of(path, world, major=row.major)
    if sdk is None:
        return
    family = LowLevel(row.id, sdk)
    module = world.index.at(path)
    names = imported_names(module, name)
    sites = [site for site in call_sites(module, names) if not of_other_library(world, site)]
    if sites or passed_on(module, names):
        yield from _made_in(module, sites, world, family)
    for other, calls in calls_elsewhere(world, module, names):
        yield from _made_in(other, calls, world, family)


def unevaluated(path: str, world: World, row: Family, reason: str) -> Iterator[Server]:
    """The servers of the family of ``row`` that the file makes, with no tools, for ``reason``."""
    sdk = _sdk_of(path, world, major=row.major)
    module = world.index.at(path)
    for site in call_sites(module, imported_names(module, row.server.name)) if sdk is not None else ():
        if sdk is not None and not of_other_library(world, site):
            yield Server(row.id, site.site, None, sdk, anchor_of(site), (), reason)


def _made_in(module: SourceModule, sites: list[CallSite], world: World, family: LowLevel) -> Iterator[Server]:
    """The servers that ``sites`` make, or other calls that make one when the module is executed."""
    point, made = _made_first(module, sites, world, family)
    commands = [other for other in _commands(world, module) if other != point] if made else []
    others = [_by_command(module, world, family, other) for other in commands]
    joined = []
    for node, (server, driven) in made.items():
        ways = [found[node] for found in others if node in found]
        # A server made with unknown arguments tells less than the servers that commands were seen to make.
        joined.append((node, as_one(ways if driven and ways else [server, *ways])))
    yield from once_each(module, joined)


def _made_first(
    module: SourceModule, sites: list[CallSite], world: World, family: LowLevel
) -> tuple[EntryPoint | None, dict[cst.CSTNode, tuple[Server, bool]]]:
    """The command that starts the program first, and the servers that are made then, by the calls that make them.

    Each server comes with a flag: whether the code that makes it had to be called with unknown arguments.
    """
    for whole in (True, False):
        attempt = _without_too_long(module, sites, world, family, whole=whole)
        if not attempt.elsewhere:
            world.findings += attempt.findings
            return attempt.point, attempt.made
    return None, {}


@dataclass
class _Attempt:
    """The outcome of starting a program once."""

    point: EntryPoint | None = None
    made: dict[cst.CSTNode, tuple[Server, bool]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    elsewhere: bool = False
    """Whether the module on its own may get further than the program."""
    too_long: cst.CSTNode | None = None
    """A function that took too many steps; without it, a server may be found."""


def _without_too_long(
    module: SourceModule, sites: list[CallSite], world: World, family: LowLevel, *, whole: bool
) -> _Attempt:
    """Start the program; if it exceeds the budget, start it again without the functions that exceed it."""
    left_out: frozenset[cst.CSTNode] = frozenset()
    while True:
        again = len(left_out) < MOST_LEFT_OUT
        attempt = _attempt(module, sites, world, family, left_out, whole=whole, again=again)
        if attempt.too_long is None:
            break
        left_out |= {attempt.too_long}
    if left_out and not attempt.made:
        return _attempt(module, sites, world, family, frozenset(), whole=whole, again=False)
    return attempt


def _attempt(
    module: SourceModule,
    sites: list[CallSite],
    world: World,
    family: LowLevel,
    left_out: frozenset[cst.CSTNode],
    *,
    whole: bool,
    again: bool,
) -> _Attempt:
    """Start the program without the functions in ``left_out``; ``again`` says whether another attempt may follow."""
    done = _Attempt()
    with world.interpreter(_versions(world, module, family)) as run:
        run.calls.left_out = left_out
        started = _Started(run, module, family)
        done.point, failed, too_much = _import(run, module.path, world.entries, started, whole=whole)
        if too_much and again and (too_long := run.calls.too_long()) is not None:
            return _Attempt(too_long=too_long)
        more = bool(world.entries) or run.assumed.script == module.path
        if whole and more and (too_much or (failed is not None and run.assumed.script == module.path)):
            return _Attempt(elsewhere=True)  # the module by itself may stay within the budget, and not end early
        if too_much and failed is not None:
            done.findings.append(finding("PD201", failed, site=Site(module.path, 1)))
        for site in (*sites, *made_sites(run.made.servers, module, sites)):
            finder = _Finder(run, site, family, failed, again=again)
            server = started.at(site.node) or finder.find(done.point)
            if finder.too_long is not None:
                return _Attempt(too_long=finder.too_long)
            if server is not None and finder.too_much is not None:
                done.findings.append(finding("PD201", finder.too_much, site=server.site))
            if server is not None:
                done.made[site.node] = server, finder.driven
        return done


def _commands(world: World, module: SourceModule) -> list[EntryPoint]:
    """The commands of the project that may lead to the servers that a module makes."""
    points = world.commands(module.path)
    return points[:MOST_ENTRIES]


def _by_command(module: SourceModule, world: World, family: LowLevel, point: EntryPoint) -> dict[cst.CSTNode, Server]:
    """The servers of a module, by the calls that make them, as one command of the project starts them."""
    with world.interpreter(_versions(world, module, family)) as run:
        started = _Started(run, module, family)
        run.made.on_start = started.note
        try:
            enter(run, point)
            # A transport of the SDK may start a server that the program hands to it; such a start is not seen.
            seen = set(started.found)
            for server in run.made.objects:
                if has_handler(server) and server.place is not None and server.place.node not in seen:
                    started.note(server)
        except (AbstractRaise, BudgetExceededError, RecursionError):
            pass  # servers that started before the error count
        finally:
            run.made.on_start = None
        servers = ((node, started.at(node)) for node in started.found)
        return {node: server for node, server in servers if server is not None}


def _versions(world: World, module: SourceModule, family: LowLevel) -> dict[str, str]:
    python = world.python(module.path)
    return {"mcp": family.sdk.version, "pydantic": family.sdk.pydantic or "", "python": python}


class _Started:
    """The servers of a module that is run as the main program, each as it was when it started to answer."""

    def __init__(self, run: Interpreter, module: SourceModule, family: LowLevel) -> None:
        self.run, self.module, self.family = run, module, family
        self.found: dict[cst.CSTNode, list[Server]] = {}

    def note(self, server: SdkObject) -> None:
        place = server.place
        if place is None or place.module is not self.module or server not in servers_made(self.run, place.node):
            return
        if isinstance(place.node, cst.Call):
            self.found.setdefault(place.node, []).append(self._read(server, place.node))

    def _read(self, server: SdkObject, node: cst.Call) -> Server:
        """Read the server and roll the state back: the program itself does not list the tools at this point."""
        run, depth = self.run, len(self.run.trail.levels)
        run.trail.fork()
        try:
            return _Finder(run, site_around(self.module, node), self.family, None).read(server)
        finally:
            del run.trail.levels[depth + 1 :]
            run.trail.capture()

    def at(self, node: cst.CSTNode) -> Server | None:
        """The servers that a call makes in whatever branch, joined; ``None`` if none of them tells its tools."""
        found = [server for server in self.found.get(node, ()) if _is_told(server)]
        return as_one(found) if found else None


def _import(
    run: Interpreter, path: str, entries: tuple[EntryPoint, ...], started: _Started, *, whole: bool
) -> tuple[EntryPoint | None, str | None, bool]:
    """Execute the module as the project does; return entry point, why it ended early, if it was too much.

    With ``whole``, start at the entry points, and run the module as the main program if none leads to it.
    """
    run.made.on_start = started.note
    try:
        return start(run, path, entries if whole else (), script=whole), None, False
    except AbstractRaise as raised:
        if started.found or ((raised.type == "SystemExit" or raised.endless) and run.assumed.script == path):
            return None, None, False  # an expected end of the main program
        return None, f"importing the module {raised.outcome}", False
    except BudgetExceededError as exceeded:
        return None, f"the module is too complex to evaluate: {run.calls.explained(exceeded)}", True
    except RecursionError:
        return None, "the module is nested too deeply to evaluate", True
    finally:
        run.made.on_start = None


class _Finder:
    """The search for the server that one constructor call makes, in the state in which the server starts to answer."""

    def __init__(
        self,
        run: Interpreter,
        site: CallSite,
        family: LowLevel,
        failed: str | None,
        *,
        again: bool = False,
    ) -> None:
        self.run, self.site, self.family, self.failed = run, site, family, failed
        self.again = again
        """Whether the program may be started once more, without one of its functions."""
        self.too_long: cst.CSTNode | None = None
        self.found: list[Server] = []
        self.too_much: str | None = None
        self.driven = False
        """Whether code was called that the program was not seen to call."""

    def find(self, point: EntryPoint | None) -> Server | None:
        """Start the program in one way after another until the server has tools."""
        inside = bool(self.site.inside)
        ways: list[tuple[Callable[[], None], bool]] = [
            (lambda: drive(self.run, self.site), inside),
            (self._drive_more, True),
        ]
        if point is not None:
            ways.insert(0, (lambda: call_entry(self.run, point), False))
        for way, self.driven in ways:
            self.run.budget.steps = STEPS
            self._try(way)
            if told := [server for server in self.found if _is_told(server)]:
                return as_one(told)
            if self.too_much is not None and self.again:
                self.run.calls.never_leave_out(self.site.inside)
                self.too_long = self.run.calls.too_long()
                if self.too_long is not None:
                    return None
        return self.found[-1] if self.found else self._unfinished()

    def _drive_more(self) -> None:
        drive(self.run, self.site)
        drive_more(self.run, self.site)

    def _try(self, way: Callable[[], None]) -> None:
        run = self.run
        run.trail.fork()
        run.made.forget()
        run.made.on_start = self._started
        try:
            way()
            if not any(server.tools for server in self.found):
                made = servers_made(run, self.site.node)
                self.found += map(self.read, [server for server in made if has_handler(server)] or made[:1])
        except BudgetExceededError as exceeded:
            self.too_much = f"this server is too complex to evaluate: {self.run.calls.explained(exceeded)}"
        except RecursionError:
            self.too_much = "this server is nested too deeply to evaluate"
        finally:
            run.made.on_start = None
            del run.trail.levels[1:]
            run.trail.capture()
        self.failed = self.failed or self.too_much

    def _started(self, server: SdkObject) -> None:
        if server in servers_made(self.run, self.site.node):
            self.found.append(self.read(server))

    def read(self, server: SdkObject) -> Server:
        run, family = self.run, self.family
        handler = list_handler(server, run.versions)
        if handler is None:
            listing = Listing((), self.failed or _handlers_doubt(run, server) or _without_handler(server, family))
        else:
            listing = listed_by(run, server, handler)
        lister = handler_of(handler) if handler is not None else None
        changer = outside_changer(server)
        tools = tuple(_tool(run, listed, listing.doubt, lister, changer) for listed in listing.tools)
        incomplete = listing.incomplete or _handlers_doubt(run, server) or self.failed or nameless(tools)
        site, anchor = self.site.site, self._anchor()
        read = Server(family.id, site, server.names.get("name", NONE).text, family.sdk, anchor, tools, incomplete)
        enabled = isinstance(anchor, Anchor) and anchor.enabled is not None
        return read if enabled else replace(read, by_hand=by_hand(run, server, tools))

    def _unfinished(self) -> Server | None:
        if self.failed is None or not is_server_call(self.run, self.site, SERVER):
            return None
        site = self.site.site
        return Server(self.family.id, site, None, self.family.sdk, self._anchor(), (), self.failed)

    def _anchor(self) -> Anchor | Fixed:
        return anchor_of(self.site)


def _is_told(server: Server) -> bool:
    """Whether the server's list is known, at least in part."""
    return bool(server.tools) or server.incomplete is None


def _without_handler(server: SdkObject, family: LowLevel) -> str:
    handed_over = server.names.get("argument on_list_tools", NONE)
    if not has_handler(server) and handed_over.scalar is not None:
        return "no list handler of it was found"
    sdk = family.sdk
    return f"its list handler is registered in a way that {sdk.package} {sdk.version} ({sdk.basis}) has not"


def _handlers_doubt(run: Interpreter, server: SdkObject) -> str | None:
    handlers = server.names.get("request_handlers", NONE).mapping
    unknown = server.rest or run.doubt or (handlers.rest if handlers is not None else None)
    return f"other tools may be registered: {unknown.reason}" if unknown is not None else None


def _tool(
    run: Interpreter, listed: Listed, doubt: str | None, handler: Handler | None, changer: UnknownValue | None
) -> Tool:
    """``changer`` is code that was handed the server: it may wrap the list handler, as some libraries do."""
    place = listed.tool.place
    site = place.module.site(place.node) if place is not None else Site("", 1)
    conditions = [str(guard) for guard in listed.guards] + ([doubt] if doubt else [])
    fields = tool_fields(listed.tool, run.versions)
    if changer is not None:
        fields = forget(fields, changer)
        conditions.append(f"it may be hidden: {changer.reason}")
    return Tool(fields, site, declaration_of(run, listed.tool, fields, handler), "; ".join(conditions) or None)
