"""From a file that makes servers to what these servers list."""

from __future__ import annotations

import ast
import itertools
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pdmigrate import disk
from pdmigrate.model import Server
from pdmigrate.sdk.families import SERVER
from pdmigrate.source.whole import Whole
from pdmigrate.understand import unseen
from pdmigrate.understand.demand.positions import END, Place
from pdmigrate.understand.evaluation import Evaluation, FoundServer
from pdmigrate.understand.index.modules import Tree
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.syntax import Function, walk
from pdmigrate.understand.places.placing import Placing
from pdmigrate.understand.servers.answers import Answer, as_one, blurred
from pdmigrate.understand.servers.making import family_of
from pdmigrate.understand.servers.objects import ServerValue
from pdmigrate.understand.starting import ServerCall, Start, is_run, server_calls, starts, users_of
from pdmigrate.understand.values.core import FAILS, MUTATED, UNSUPPORTED, Unknown
from pdmigrate.understand.versions import Versions, versions_of

MOST_STARTS = 4
_BESIDE = 0.5


@dataclass(frozen=True)
class Understood:
    """What one file of servers declares, and the files that were read to find out."""

    servers: tuple[Server, ...] = ()
    sources: tuple[str, ...] = ()
    nothing_made: Unknown | None = None
    """Why no server was found: where the program raises, or what it executes that no source shows."""
    given_up: Unknown | None = None
    """Where there is too much to evaluate, if some server is not known for that."""


def understood(path: str, whole: Whole, given: Mapping[str, str]) -> Understood:
    """The servers that the file at ``path`` makes.  Raises SourceError if the file cannot be read or parsed."""
    names = Names(Tree(whole))
    if names.tree.module(path) is None and path in names.tree.unread:
        raise names.tree.unread[path]
    versions = versions_of(whole, given, path)
    sites = server_calls(names, path)
    best, evaluations = _found(whole.root, names, path, versions.named(), sites) if sites else ([], [])
    nothing_made = _nothing_made(evaluations) if not best else None
    given_up = next((item.given_up for item in evaluations if item.given_up), None)
    if given_up is not None:
        best += _unreached(names, path, versions, best, f"{given_up.reason}: {given_up.site}")
    if best and all(item.answer.incomplete is None for item in best):
        given_up = None
    own = [item for item in best if not item.server.mounted or item.server.started]
    return Understood(tuple(Placing(names).servers(own, versions.sdks)), names.tree.read, nothing_made, given_up)


def _nothing_made(evaluations: list[Evaluation]) -> Unknown | None:
    raised = (Unknown(item.raised, FAILS) for item in evaluations if item.raised)
    executed = (Unknown(code.reason, UNSUPPORTED) for item in evaluations if (code := unseen.code(item.run)))
    return next(itertools.chain(raised, executed), None)


def unevaluated(path: str, whole: Whole, given: Mapping[str, str], reason: str) -> tuple[Server, ...]:
    """The servers that the file at ``path`` makes for sure; none of their tools is known, for ``reason``."""
    names = Names(Tree(whole))
    versions = versions_of(whole, given, path)
    return tuple(Placing(names).servers(_unreached(names, path, versions, [], reason), versions.sdks))


def _found(
    root: Path, names: Names, path: str, versions: Mapping[str, str], sites: list[ServerCall]
) -> tuple[list[FoundServer], list[Evaluation]]:
    """The servers that the file at ``path`` makes, and the evaluations by which they were found."""
    required = _required_by(root)
    best: list[FoundServer] = []
    serving: list[FoundServer] = []
    evaluations: list[Evaluation] = []
    settled = False
    every = starts(root, names, path)[:MOST_STARTS]
    for number, start in enumerate(every):
        if serving and not start.function and (start.path == path or not any(site.owner for site in sites)):
            if any(item.start.function for item in serving):
                break  # the scripts say how the server is started
            if not is_run(names, start.path):
                continue
        evaluations.append(Evaluation(names, start, versions, required))
        found = _started(evaluations[-1], path, sites)
        if not found and _are_made_elsewhere(evaluations[-1], path, sites):
            break
        if found and all(item.server.started and item.answer.tools for item in found):
            serving += found
        elif not serving and not settled and _worth(found) > _worth(best):
            best = found
            settled = all(item.answer.incomplete is None and item.answer.tools for item in found)
        elif not serving and best:
            settled = True  # another way to start says no more
        if settled and not any(is_run(names, other.path) for other in every[number + 1 :]):
            break
    best = serving or best
    conditional = (item for item in best if item.has_defaults and any(tool.conditions for tool in item.answer.tools))
    for start in dict.fromkeys(item.start for item in conditional):
        assumed = Evaluation(names, start, versions, required, with_defaults=True)
        _mark_optional([item for item in best if item.start == start], _started(assumed, path, sites))
    best = _once_each(best)
    return [*best, *_beside(evaluations, path, sites, best)], evaluations


def _required_by(root: Path) -> frozenset[str]:
    """The distributions that the project of a tree needs, as far as its metadata says."""
    folders = sorted(name for name in disk.names(root) if name.endswith(".dist-info"))
    texts = ((disk.content(root, f"{folder}/METADATA") or b"").decode(errors="replace") for folder in folders)
    names = (match[1] for text in texts for match in _REQUIRES.finditer(text) if "extra ==" not in match[0])
    return frozenset(name.lower().replace("_", "-") for name in names)


_REQUIRES = re.compile(r"(?m)^Requires-Dist: ([A-Za-z0-9._-]+).*$")


def _beside(
    evaluations: list[Evaluation], path: str, sites: list[ServerCall], found: list[FoundServer]
) -> list[FoundServer]:
    """The servers that functions make beside those that were ``found``, if no way to start calls them."""
    if not found:
        return []
    made = {id(item.server.node) for item in found}
    called = {getattr(node, "name", "") for evaluation in evaluations for node in evaluation.run.executed}
    own = [site for site in sites if hasattr(site.node, "lineno") and id(site.node) not in made]
    others = [site for site in own if not {site.owner, site.method} & called]
    return [item for item in _from_outside(evaluations[-1], path, others) if id(item.server.node) not in made]


def _unreached(names: Names, path: str, versions: Versions, found: list[FoundServer], reason: str) -> list[FoundServer]:
    """The servers of calls that certainly make some, and were not come to."""
    evaluation = Evaluation(names, Start(path), versions.named(), frozenset())
    if (loaded := evaluation.load(path)) is None:
        return []
    made = {id(item.server.node) for item in found}
    servers: list[FoundServer] = []
    calls = (site.node for site in server_calls(names, path) if hasattr(site.node, "lineno"))
    for node in (call for call in calls if id(call) not in made):
        if (cls := evaluation.class_of(node.func, path)) is not None:
            server = ServerValue(cls, family_of(evaluation.run, cls), loaded.module.site(node))
            server.node = node
            servers.append(FoundServer(server, Answer([], reason), evaluation.start))
    return servers


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


def _started(evaluation: Evaluation, path: str, sites: list[ServerCall]) -> list[FoundServer]:
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    if evaluation.load(evaluation.start.path) is None or evaluation.program.load(path, (_BESIDE,)) is None:
        return []
    entry = evaluation.entry()
    wanted = {(path, site.owner) for site in sites}
    looked: set[str] = set()

    def carry_out_seeds() -> None:
        """What makes servers in the modules that are loaded by now."""
        seeds = _seeds(evaluation, path, sites, wanted)
        for _, loaded, unit in seeds:
            for name in sorted(unit.binds):
                evaluation.program.advance((loaded.module.path, name), END)
        for place in seeds:
            evaluation.program.perform(place)
        looked.update(evaluation.program.loaded)

    carry_out_seeds()
    if entry is not None:
        evaluation.program.perform(entry)
    if not evaluation.made_in(path):
        evaluation.program.position = END
        for user in sorted(users_of(evaluation.program.names, path)):
            evaluation.program.load_now(user)
    if evaluation.program.loaded.keys() - looked:
        carry_out_seeds()
    carry_out_seeds()
    made = evaluation.made_in(path)
    return _once_each(_from_commands(evaluation, path) if made else _from_outside(evaluation, path, sites))


def _answered(evaluation: Evaluation, path: str) -> list[FoundServer]:
    """The servers that the file at ``path`` has made by now."""
    found, run = [], evaluation.run
    added = next((reason for reason, _ in unseen.uses_of(run, "add_tool")), None)
    more = unseen.registrations(run, path) or added or evaluation.passed_over()
    removals = [*unseen.uses_of(run, "remove_tool")]
    code = unseen.code(run)
    own = [server for server in evaluation.made_in(path) if not _answers_elsewhere(run.program.names, server, path)]
    changed = unseen.changes(run)
    for item in evaluation.answers(own):
        made = blurred(item.answer, changed, MUTATED) if changed else item.answer
        registers = item.server.cls is not SERVER
        made.incomplete = made.incomplete or (more if registers else None) or (code.reason if code else None)
        taken = removals if registers else []
        for reason, name in [*taken, (code.reason, None)] if code and code.text else taken:
            for tool in made.tools:
                if name in (None, tool.name):
                    tool.conditions = (*tool.conditions, reason)
        found.append(item)
    return found


def _answers_elsewhere(names: Names, server: ServerValue, path: str) -> bool:
    """Whether a server of a class that the file at ``path`` defines is answered for with the file that makes it."""
    made = server.site.file if server.site is not None else path
    return made != path and any(site.node is server.node for site in server_calls(names, made))


def _are_made_elsewhere(evaluation: Evaluation, path: str, sites: list[ServerCall]) -> bool:
    """Whether a file only defines classes of which other files have made servers."""
    only_classes = not any(hasattr(site.node, "lineno") for site in sites)
    return only_classes and bool(evaluation.made_in(path))


def _from_commands(evaluation: Evaluation, path: str) -> list[FoundServer]:
    """The servers of a program whose modules start none of them: as its commands leave those that they start."""
    own = evaluation.made_in(path)
    if any(server.started for server in own):
        return _answered(evaluation, path)
    evaluation.program.position = END
    found: list[FoundServer] = []
    for command in unseen.commands(evaluation.run):
        with evaluation.alone(*command):
            if any(server.started for server in evaluation.made_in(path)):
                found += [item for item in _answered(evaluation, path) if item.server.started]
        for server in own:
            server.started = False
            server.starts.clear()
    for item in found:
        item.server.started = True
    if own and all(server.started for server in own):
        return found
    started = {id(item.server) for item in found}
    return [*found, *(item for item in _with_uncalled(evaluation, path) if id(item.server) not in started)]


def _with_uncalled(evaluation: Evaluation, path: str) -> list[FoundServer]:
    """The servers as the modules leave them, or as functions do that nothing calls."""
    found = _answered(evaluation, path)
    for function in unseen.uncalled(evaluation.run):
        with evaluation.alone(function):
            others = {id(item.server): item.answer for item in _answered(evaluation, path)}
        reason = f"it depends on whether {function.name}() is called, which nothing does here"
        for number, item in enumerate(found):
            found[number] = replace(item, answer=as_one([item.answer, others[id(item.server)]], reason))
            item.server.started = False
            item.server.starts.clear()
    return found


def _once_each(found: list[FoundServer]) -> list[FoundServer]:
    """One server for each call that makes some."""
    by_call: dict[object, list[FoundServer]] = {}
    for item in found:
        by_call.setdefault(item.server.node or item.server.site, []).append(item)
    chosen = ([item for item in made if item.server.started] or made for made in by_call.values())
    return [replace(made[0], answer=as_one([item.answer for item in made])) for made in chosen]


def _seeds(evaluation: Evaluation, path: str, sites: list[ServerCall], wanted: set[Node]) -> list[Place]:
    """The statements that make servers, or call the functions that do, in order."""
    names, found = evaluation.program.names, list[Place]()
    calls = {id(site.node) for site in sites if not site.owner}
    for loaded, unit in unseen.executable(evaluation.run):
        if isinstance(unit.node, Function | ast.ClassDef) and not unit.node.decorator_list:
            continue
        direct = loaded.module.path == path and any(id(node) in calls for node in walk(unit.node))
        nodes = names.resolved(loaded.module, unit.uses, unit.uses.called | unit.uses.touched)
        if direct or unit.is_main or any(node in wanted or names.closure(node) & wanted for node in nodes):
            found.append((loaded.position(unit), loaded, unit))
    return sorted(found, key=lambda place: place[0])


def _from_outside(evaluation: Evaluation, path: str, sites: list[ServerCall]) -> list[FoundServer]:
    """The servers of functions that only somebody outside the program calls: of each as if it alone were called."""
    found: list[FoundServer] = []
    run = evaluation.run
    for owner in dict.fromkeys(site.owner for site in sites if site.owner):
        evaluation.program.position = END
        value = evaluation.program.read(path, owner)
        for method in dict.fromkeys(["", *(site.method for site in sites if site.owner == owner)]):
            wanted = {id(site.node) for site in sites if site.owner == owner and method in ("", site.method)}
            if value is not None and not wanted <= {id(item.server.node) for item in found}:
                executed = set(run.executed)
                with evaluation.alone(value, method=method):
                    found += _answered(evaluation, path)
                run.executed = executed
    return found
