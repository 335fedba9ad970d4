"""Which of the servers that were found are the project's, and which only look like it.

A server that lives in a function which only reads its tools is never run; the file of an example or a
self-test makes one beside the project's own; and where the project speaks the protocol by hand, a server of an SDK is a
side door.  These are named and left alone, unless the user names their files.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from pdmigrate import disk
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Server, Site
from pdmigrate.project.commands import SCRIPT
from pdmigrate.project.starters import Starters
from pdmigrate.sdk.families import DISTRIBUTIONS
from pdmigrate.source.clues import spoken_by_hand
from pdmigrate.source.entries import project_of
from pdmigrate.source.outline import FUNCTIONS
from pdmigrate.source.source import tree_of

_ASIDE = re.compile(
    r"(?:^|[_-])(?:examples?|demos?|samples?|probes?|benchmarks?|self[_-]?tests?|smoke[_-]?tests?|playground)(?:[_-]|$)"
)


@dataclass(frozen=True)
class Tree:
    """What decides whose server one is: the Python ``files`` below ``root``, what starts them, what they import."""

    root: Path
    files: tuple[str, ...]
    starters: Starters
    libraries: frozenset[str]

    @cached_property
    def by_hand(self) -> tuple[Site, ...]:
        """The files that answer as a server without an SDK, examples aside."""
        return tuple(site for site in spoken_by_hand(self.root, self.files) if not _is_aside(site.file))


def left_aside(tree: Tree, every: Sequence[Server], enabled: Collection[Site], part: str) -> dict[Site, str]:
    """The places of servers that are not the project's own, with reasons; none ``enabled``, or made in ``part``."""
    servers = [server for server in every if server.site not in enabled and server.site.file != part]
    found = {server.site: reason for server in servers if (reason := _side_door(tree, server))}
    own = [server for server in every if server.site not in found and not _is_aside(server.site.file)]
    around = {file: project_of(tree.root, file) for file in {server.site.file for server in every}}
    for server in servers:
        if server.site in found:
            continue
        near = (other for other in own if around[other.site.file] == around[server.site.file])
        beside = [other for other in near if other is not server]
        if beside and _is_aside(server.site.file) and not _is_aside(f"{part}/"):
            found[server.site] = "its file is an example or a check, and the project has a server beside it"
        elif any(other.site not in found for other in beside) and (reason := _scratch(tree, server)):
            found[server.site] = reason
    return found


def said_of(tree: Tree, aside: Mapping[Site, str]) -> Iterator[Finding]:
    """The findings about servers left ``aside``, and about what speaks the protocol by hand and is meant to be started.

    A file that is only a script may be anything; it is named where it is the reason for another's being left.
    """
    for site, reason in aside.items():
        yield finding("PD207", f"left as it is: {reason}", site=site)
    for site in tree.by_hand:
        started = any(one.rank < SCRIPT for one in tree.starters.of(site.file))
        if started or _beside(site) in aside.values():
            yield finding("PD206", "MCP is spoken here without an SDK, which is out of reach", site=site)


def _is_aside(path: str) -> bool:
    *folders, name = path.split("/")
    return any(_ASIDE.search(word.lower()) for word in (*folders, name.partition(".")[0]))


def _beside(place: Site) -> str:
    return f"the project's server is at {place}, which speaks the protocol by hand"


def _side_door(tree: Tree, server: Server) -> str:
    """Why another server, by hand, is that of the project's command; empty if this one's command is as certain."""
    file = server.site.file
    for place in tree.by_hand:
        if place.file == file or project_of(tree.root, place.file) != project_of(tree.root, file):
            continue
        theirs, own = next(iter(tree.starters.of(place.file)), None), next(iter(tree.starters.of(file)), None)
        if theirs is not None and (own is None or own.command == theirs.command or own.rank > theirs.rank):
            return _beside(place)
    return ""


_RUNS = re.compile(
    r"(?:^|_)(?:run|serve|server|start|launch|main|host|listen|stdio|http|sse|app)(?:_|$)|^_mcp_server$|^_lowlevel_server$"
)
_MAKES_NOTHING = frozenset({"len", "print", "str", "repr", "type", "isinstance", "id", "Client"})
"""Calls that take a server and start none: the client of an SDK talks to it within the process."""


def _scratch(tree: Tree, server: Server) -> str:
    """Why a server is never run: it is the local of a function, and used there for its tools alone; else empty."""
    if (module := tree_of(disk.content_or_empty(tree.root, server.site.file))) is None:
        return ""
    outside = sys.stdlib_module_names | {*DISTRIBUTIONS, *tree.libraries}
    known = {node.name for node in ast.walk(module) if isinstance(node, FUNCTIONS)}
    for node in ast.walk(module):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] not in outside):
            known |= {alias.asname or alias.name for alias in node.names}
    for function in ast.walk(module):
        if isinstance(function, FUNCTIONS):
            name = _bound_in(function, server.site.line)
            if name and all(_is_harmless(use, known) for use in _uses(function, name)):
                return f"nothing runs it: it is created inside {function.name}(), which only reads its tools"
    return ""


def _bound_in(function: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> str:
    """The local name to which a statement of ``function`` binds what is made in this line; empty if there is none."""
    nested = [node for node in ast.walk(function) if isinstance(node, (*FUNCTIONS, ast.Lambda))]
    inner = {id(node) for one in nested if one is not function for node in ast.walk(one)}
    outer = {name for node in ast.walk(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(lineno=begun)) if begun == line:
                return name if id(node) not in inner and name not in outer else ""
    return ""


def _uses(inside: ast.AST, name: str) -> Iterator[Sequence[ast.AST]]:
    above = {id(child): node for node in ast.walk(inside) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(inside):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            around: list[ast.AST] = [node]
            while id(around[-1]) in above:
                around.append(above[id(around[-1])])
            yield around


def _is_harmless(use: Sequence[ast.AST], known: Collection[str]) -> bool:
    """Whether a use leaves the server where it is: a method that runs nothing, or a function of the project."""
    node, around, outer = (*use[:3], use[-1])[:3]
    match around:
        case ast.Attribute():
            called = isinstance(outer, ast.Call) and outer.func is around
            read = isinstance(outer, (ast.Attribute, ast.For, ast.comprehension, ast.Subscript))
            decorates = isinstance(outer, FUNCTIONS) and around in outer.decorator_list
            # ``session_manager`` and ``run`` in ``server.session_manager.run()``
            chain = takewhile(lambda part: isinstance(part, (ast.Attribute, ast.Call)), use[1:])
            starts = any(_RUNS.search(part.attr) for part in chain if isinstance(part, ast.Attribute))
            return not starts and (called or read or decorates)
        case ast.Call(func=ast.Name(id=name), args=args) if node in args:
            return name in _MAKES_NOTHING or (name in known and not _RUNS.search(name))
    return False
