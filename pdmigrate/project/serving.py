"""Which of the servers that were found are the project's, and which only look like it.

A server that nothing runs is not served (``idle.py``); the file of an example or a self-test makes one beside the
project's own; and where the project speaks the protocol by hand, a server of an SDK is a side door.  These are named
and left alone, unless the user names their files.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pdmigrate import disk
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Server, Site
from pdmigrate.project import idle
from pdmigrate.project.commands import SCRIPT
from pdmigrate.project.starters import Starters
from pdmigrate.sdk.families import HOMES, alternation
from pdmigrate.source.discover import gated, is_test
from pdmigrate.source.entries import project_of
from pdmigrate.source.outline import FUNCTIONS
from pdmigrate.source.source import tree_of

_SPOKEN = "which speaks the protocol by hand"
_TO_USE = "take it out, or write down how it is started: run, mount, import or export it, or name it in a setting"

_OF_SERVERS = re.compile(rb"(?m)^[ \t]*(?:from|import)[ \t]+%s\b" % alternation(HOMES))
_ASIDE = re.compile(
    r"(?:^|[_-])(?:examples?|demos?|samples?|probes?|benchmarks?|self[_-]?tests?|smoke[_-]?tests?|playground)(?:[_-]|$)"
)

_REGISTERS = re.compile(
    r"(?:^|_)(?:register|add|on|handles?|handler|route|bind|expose|set|method|rpc|command|endpoint|when|map|hook)(?:_|$)"
)
"""Functions that are told what handles a method; others that are given a name and a function may send a request."""


@dataclass(frozen=True)
class Tree:
    """What decides whose server one is: the Python ``files`` below ``root``, what starts them, what they import."""

    root: Path
    files: tuple[str, ...]
    starters: Starters
    libraries: frozenset[str]

    @cached_property
    def by_hand(self) -> tuple[Site, ...]:
        """The files that find out by the name of a method what to answer to ``tools/list``, and greet hosts as well.

        One that imports what servers of an SDK are made of looks at methods to change what such a server answers.
        """
        found: list[Site] = []
        for path in gated(self.root, self.files, (b"tools/list",)):
            if is_test(path) or _is_aside(path):
                continue
            raw = disk.content(self.root, path) or b""
            line = dispatched(raw, "tools/list") if not _OF_SERVERS.search(raw) else 0
            if line and ((b"protocolVersion" in raw and b"serverInfo" in raw) or dispatched(raw, "initialize")):
                found.append(Site(path, line))
        return tuple(found)


def left_aside(tree: Tree, every: Sequence[Server], enabled: Collection[Site], part: str) -> dict[Site, str]:
    """The places of those of ``every`` server that are not the project's own, each with the reason.

    ``part`` is what the user named: a server whose file it is stays, unless another of the file is the one that is run.
    Those that are ``enabled`` already stay, too.
    """
    servers = [server for server in every if server.site not in enabled and server.site.file != part]
    found: dict[Site, str] = {}
    for server in servers:
        if reason := _side_door(tree, server):
            found[server.site] = reason
    own = [server for server in every if server.site not in found and not _is_aside(server.site.file)]
    for server in servers:
        if server.site in found:
            continue
        around = project_of(tree.root, server.site.file)
        beside = [other for other in own if other is not server and project_of(tree.root, other.site.file) == around]
        if beside and _is_aside(server.site.file) and not _is_aside(f"{part}/"):
            found[server.site] = "its file is an example or a check, and the project has a server beside it"
        elif any(other.site not in found for other in beside) and (
            reason := _scratch(tree, server) or _unreached(tree, server, beside)
        ):
            found[server.site] = reason
    for server in every:
        if server.site not in found and server.site not in enabled and (reason := _unrun(tree, server, every)):
            found[server.site] = reason
    return found


def said_of(tree: Tree, aside: Mapping[Site, str]) -> Iterator[Finding]:
    """The findings about servers left ``aside``, and about what speaks the protocol by hand and is meant to be started.

    A file that is only a script may be anything; it is named where it is the reason for another's being left.
    """
    for site, reason in aside.items():
        hint = _TO_USE if reason.startswith(idle.UNRUN) else ""
        yield finding("PD207", f"left as it is: {reason}", hint=hint, site=site)
    for site in tree.by_hand:
        started = any(one.rank < SCRIPT for one in tree.starters.of(site.file))
        if started or _beside(site) in aside.values():
            yield finding("PD206", "MCP is spoken here without an SDK, which is out of reach", site=site)


def _is_aside(path: str) -> bool:
    *folders, name = path.split("/")
    return any(_ASIDE.search(word.lower()) for word in (*folders, name.partition(".")[0]))


# --- beside a server that speaks by hand ------------------------------------------------------------------------------


def _beside(place: Site) -> str:
    return f"the project's server is at {place}, {_SPOKEN}"


def _side_door(tree: Tree, server: Server) -> str:
    """Why a server is not the one that the project's command starts; empty unless another speaks by hand.

    A command of its own that is no less certain makes it a second server of the project.
    """
    file = server.site.file
    for place in tree.by_hand:
        if place.file == file or project_of(tree.root, place.file) != project_of(tree.root, file):
            continue
        theirs, own = next(iter(tree.starters.of(place.file)), None), next(iter(tree.starters.of(file)), None)
        if theirs is not None and (own is None or own.command == theirs.command or own.rank > theirs.rank):
            return _beside(place)
    return ""


# --- that nothing runs ------------------------------------------------------------------------------------------------


def _scratch(tree: Tree, server: Server) -> str:
    raw = disk.content(tree.root, server.site.file) or b""
    return idle.scratch(raw, server.site.line, tree.libraries)


def _unreached(tree: Tree, server: Server, beside: Sequence[Server]) -> str:
    """Why a server is none of the project's: nothing leads to its file, which runs none; a command starts another."""
    site = server.site
    if not idle.is_still(disk.content(tree.root, site.file) or b"", site.line) or tree.starters.reach(site.file):
        return ""
    ways = (next(iter(tree.starters.of(other.site.file)), None) for other in beside)
    way = next((one for one in ways if one is not None and one.rank < SCRIPT), None)
    return f"{idle.UNRUN} its file, and the project is started by `{way.command}`" if way is not None else ""


def _unrun(tree: Tree, server: Server, every: Sequence[Server]) -> str:
    """Why a server is none of the project's: its file runs another, and nothing in the project uses this one."""
    file = server.site.file
    lines = [other.site.line for other in every if other.site.file == file and other is not server]
    made = idle.unrun(disk.content(tree.root, file) or b"", server.site.line, lines) if lines else None
    if made is None:
        return ""
    used = any(tree.starters.uses(file, name) for name in made.names)
    picked = made.is_picked and any(idle.PICKS.search(one.command) for one in tree.starters.of(file))
    return "" if used or picked else made.reason


# --- that speaks by hand ----------------------------------------------------------------------------------------------


def dispatched(raw: bytes, method: str) -> int:
    """The first line in which a module compares the name of a method, or registers what handles it; 0 if none does."""
    if (tree := tree_of(raw)) is None:
        return 0
    nodes = [*ast.walk(tree)]
    names = {
        target.id
        for node in nodes
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is(node.value, method, ())
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    known = {node.name for node in nodes if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
    known |= {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    found = (part for node in nodes for part in _decided_by(node, known) if _is(part, method, names))
    return min((part.lineno for part in found), default=0)


def _is(node: ast.expr | None, method: str, names: Collection[str]) -> bool:
    """Whether an expression is the name of the method, or one of the ``names`` that it is bound to in the module."""
    match node:
        case ast.Constant(value=text):
            return text == method
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr="value", value=member):
            return _is(member, method, names)
        case ast.Attribute(attr=name):
            return name in names
    return False


def _decided_by(node: ast.AST, known: Collection[str]) -> Iterator[ast.expr]:
    """The parts of a node that decide what is done, or for what something is registered."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            yield from (left, right)
        case ast.Compare(
            ops=[ast.In()], comparators=[ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts)]
        ):
            yield from parts
        case ast.MatchValue(value=value):
            yield value
        case ast.Dict(keys=keys, values=values):
            yield from (key for key, value in zip(keys, values, strict=True) if key is not None and _handles(value))
        case ast.Assign(targets=[ast.Subscript(slice=key)], value=value) if _handles(value):
            yield key
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            yield from (part for each in decorators if isinstance(each, ast.Call) for part in _given(each))
        case ast.ClassDef(decorator_list=decorators):
            yield from (part for each in decorators if isinstance(each, ast.Call) for part in _given(each))
        case ast.Call(func=ast.Call() as decorator, args=[handler]) if _is_function(handler, known):
            yield from _given(decorator)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if _REGISTERS.search(name):
            given = [*_given(node)]
            yield from given if any(_is_function(part, known) for part in given) else ()
        case ast.Tuple(elts=[name, handler]) | ast.List(elts=[name, handler]) if _is_function(handler, known):
            yield name


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _handles(value: ast.expr) -> bool:
    """Whether a value in a table may be what handles a method, or hold it."""
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return any(isinstance(part, (ast.Name, ast.Attribute, ast.Lambda)) for part in parts)
    return isinstance(value, (ast.Name, ast.Attribute, ast.Lambda, ast.Call))


def _is_function(value: ast.expr, known: Collection[str]) -> bool:
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in known
    return isinstance(value, ast.Lambda)
