"""Which of the servers that were found are the project's, and which only look like it.

A server that only lives within one function, for its list of tools, is never run; the file of an example or a self-test
makes one beside the project's own; and where the project speaks the protocol by hand, a server of an SDK is a side
door.  These are named and left alone, unless the user names their files.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath

from pdmigrate import disk
from pdmigrate.families import DISTRIBUTIONS
from pdmigrate.findings import finding
from pdmigrate.model import Finding, Server, Site
from pdmigrate.project.model import Project, restricted
from pdmigrate.tree.code.reaching import is_test
from pdmigrate.tree.discover import gated
from pdmigrate.tree.marks import is_project

_SPOKEN = "which speaks the protocol by hand"

_ASIDE = re.compile(
    r"(?:^|[_-])(?:examples?|demos?|samples?|probes?|benchmarks?|self[_-]?tests?|smoke[_-]?tests?|playground)(?:[_-]|$)"
)
_RUNS = re.compile(
    r"(?:^|_)(?:run|serve|server|start|launch|main|host|listen|stdio|http|sse|app)(?:_|$)|^_mcp_server$|^_lowlevel_server$"
)
_MAKES_NOTHING = frozenset({"len", "print", "str", "repr", "type", "isinstance", "id", "Client"})
"""Calls that take a server and start none: the client of an SDK talks to it within the process."""


def own_servers(project: Project, part: str) -> tuple[Project, tuple[Finding, ...]]:
    """The project without the servers that are not its own, and a finding about each; ``part`` is what the user named.

    Servers that are migrated already stay, as does a server whose file was named.
    """
    by_hand = tuple(_speaking_by_hand(project)) if project.inventory.servers else ()
    reasons = _reasons(project, part, by_hand)
    said = [finding("PD207", f"left as it is: {reason}", site=site) for site, reason in reasons.items()]
    said += [
        finding("PD206", "MCP is spoken here without an SDK, which is out of reach", site=site) for site in by_hand
    ]
    return restricted(project, lambda server, _: server.site not in reasons), tuple(said)


def _reasons(project: Project, part: str, by_hand: tuple[Site, ...]) -> dict[Site, str]:
    servers = [s for s in project.inventory.servers if not s.is_enabled and s.site.file != part]
    found: dict[Site, str] = {}
    for server in servers:
        if reason := _side_door(project, server, by_hand):
            found[server.site] = reason
    own = [s for s in project.inventory.servers if s.site not in found and not _is_aside(s.site.file)]
    for server in servers:
        if server.site in found:
            continue
        around = _project_of(project, server.site.file)
        beside = [o for o in own if o is not server and _project_of(project, o.site.file) == around]
        if beside and _is_aside(server.site.file) and not _is_aside(f"{part}/"):
            found[server.site] = "its file is an example or a check, and the project has a server beside it"
        elif any(other.site not in found for other in beside) and (reason := _scratch(project, server)):
            found[server.site] = reason
    return found


def _is_aside(path: str) -> bool:
    *folders, name = path.split("/")
    return any(_ASIDE.search(word.lower()) for word in (*folders, name.partition(".")[0]))


def _project_of(project: Project, file: str) -> str:
    around = (folder.as_posix() for folder in PurePosixPath(file).parents if folder.name)
    return next((folder for folder in around if is_project(project.root, folder)), "")


# --- beside a server that speaks by hand ------------------------------------------------------------------------------


def _speaking_by_hand(project: Project) -> Iterator[Site]:
    """The files that find out by the name of a method what to answer to ``tools/list``, and greet hosts as well."""
    for path in gated(project.root, project.use.tree, (b"tools/list",)):
        if is_test(path) or _is_aside(path):
            continue
        raw = disk.content(project.root, path) or b""
        listing = _dispatched(b"tools/list").search(raw)
        greets = _dispatched(b"initialize").search(raw) or (b"protocolVersion" in raw and b"serverInfo" in raw)
        if listing is not None and greets:
            yield Site(path, raw.count(b"\n", 0, listing.start()) + 1)


@cache
def _dispatched(method: bytes) -> re.Pattern[bytes]:
    """Matches code that compares the name of a method, or maps it to what handles it."""
    name = rb"[\"']%s[\"']" % re.escape(method)
    return re.compile(
        rb"(?:==|\bcase\b|\bin[ \t]*[(\[{])[ \t]*%s|%s[ \t]*(?:==|:[ \t]*(?:lambda\b|[\w.]+\s*[,}(]))" % (name, name)
    )


def _side_door(project: Project, server: Server, by_hand: tuple[Site, ...]) -> str:
    """Why a server is not the one that the project's command starts; empty unless another speaks by hand."""
    file = server.site.file
    for place in by_hand:
        same = place.file != file and _project_of(project, place.file) == _project_of(project, file)
        if same and _is_started(project, place.file):
            return f"the project's server is at {place}, {_SPOKEN}"
    return ""


def _is_started(project: Project, file: str) -> bool:
    """Whether a command of the project may execute the file; without any command, whether it says how it is run."""
    from pdmigrate.tree.code.whole import Whole

    if project.use.starts:
        whole = Whole(project.root, project.use.tree)
        return any(whole.may_execute(point.module, point.function, file) for point in project.use.starts)
    return file in project.use.ways and bool(project.use.ways[file])


# --- within one function ----------------------------------------------------------------------------------------------


def _scratch(project: Project, server: Server) -> str:
    """Why a server is never run: it is the local of a function, and used there for its tools alone; else empty."""
    try:
        tree = ast.parse(project.files.get(server.site.file, b""))
    except (SyntaxError, ValueError, RecursionError):
        return ""  # what cannot be read proves nothing
    outside = sys.stdlib_module_names | {*DISTRIBUTIONS} | project.use.libraries
    known = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] not in outside):
            known |= {alias.asname or alias.name for alias in node.names}
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            name = _bound_in(function, server.site.line)
            if name and all(_is_harmless(use, known) for use in _uses(function, name)):
                return f"nothing runs it: it lives within {function.name}() and is asked for its tools there"
    return ""


def _bound_in(function: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> str:
    """The local name to which a statement of ``function`` binds what is made in this line; empty if there is none."""
    nested = [
        node for node in ast.walk(function) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
    ]
    inner = {id(node) for one in nested if one is not function for node in ast.walk(one)}
    shared = {
        name for node in ast.walk(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and id(node) not in inner and node.lineno <= line <= (node.end_lineno or 0):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(lineno=begun)) if begun == line:
                    return name if name not in shared else ""
    return ""


def _uses(function: ast.AST, name: str) -> Iterator[tuple[ast.AST, ast.AST, ast.AST]]:
    """The uses of a name: the nodes around each, from the inside."""
    above = {id(child): node for node in ast.walk(function) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            around = above[id(node)]
            yield node, around, above.get(id(around), function)


def _is_harmless(use: tuple[ast.AST, ast.AST, ast.AST], known: set[str]) -> bool:
    """Whether a use leaves the server where it is: a method that runs nothing, or a function of the project."""
    node, around, outer = use
    match around:
        case ast.Attribute(attr=name):
            called = isinstance(outer, ast.Call) and outer.func is around
            read = isinstance(outer, (ast.Attribute, ast.For, ast.comprehension, ast.Subscript))
            return not _RUNS.search(name) and (called or read)
        case ast.Call(func=ast.Name(id=name), args=args) if node in args:
            return name in _MAKES_NOTHING or (name in known and not _RUNS.search(name))
    return False
