"""Servers that nothing runs: locals of functions that are only asked for their tools.

The claim needs proof: a use that is not understood is one that may run the server.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from pdmigrate.sdk.families import DISTRIBUTIONS
from pdmigrate.source.outline import FUNCTIONS
from pdmigrate.source.source import tree_of

_RUNS = re.compile(
    r"(?:^|_)(?:run|serve|server|start|launch|main|host|listen|stdio|http|sse|app)(?:_|$)|^_mcp_server$|^_lowlevel_server$"
)
_MAKES_NOTHING = frozenset({"len", "print", "str", "repr", "type", "isinstance", "id", "Client"})
"""Calls that take a server and start none: the client of an SDK talks to it within the process."""


def scratch(raw: bytes, line: int, libraries: Collection[str]) -> str:
    """Why a server is never run: it is the local of a function, and used there for its tools alone; else empty."""
    tree = tree_of(raw)
    if tree is None:
        return ""
    outside = sys.stdlib_module_names | {*DISTRIBUTIONS, *libraries}
    known = {node.name for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] not in outside):
            known |= {alias.asname or alias.name for alias in node.names}
    for function in ast.walk(tree):
        if isinstance(function, FUNCTIONS):
            name = _bound_in(function, line)
            if name and all(_is_harmless(use, known) for use in _uses(function, name)):
                return f"nothing runs it: it is created inside {function.name}(), which only reads its tools"
    return ""


def _bound_in(function: ast.FunctionDef | ast.AsyncFunctionDef, line: int) -> str:
    """The local name to which a statement of ``function`` binds what is made in this line; empty if there is none."""
    nested = [node for node in ast.walk(function) if isinstance(node, (*FUNCTIONS, ast.Lambda))]
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


def _uses(inside: ast.AST, name: str) -> Iterator[Sequence[ast.AST]]:
    """The uses of a name: the node, and those around it from the inside."""
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
            return not any(_RUNS.search(name) for name in _reached(use)) and (called or read or decorates)
        case ast.Call(func=ast.Name(id=name), args=args) if node in args:
            return name in _MAKES_NOTHING or (name in known and not _RUNS.search(name))
    return False


def _reached(use: Sequence[ast.AST]) -> Iterator[str]:
    """The attributes that a use goes through: ``session_manager`` and ``run`` in ``server.session_manager.run()``."""
    for inner, node in pairwise(use):
        match node:
            case ast.Attribute(attr=name):
                yield name
            case ast.Call(func=called) if called is inner:
                continue
            case _:
                return
