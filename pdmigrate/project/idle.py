"""Servers that nothing runs, by the syntax of their file: locals that are asked for their tools, and spare ones.

The claim needs proof: a use that is not understood is one that may run the server.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pdmigrate.sdk.families import DISTRIBUTIONS, IMPORTED
from pdmigrate.source.outline import FUNCTIONS, SCOPES
from pdmigrate.source.source import tree_of

UNRUN = "nothing uses"
"""How the reason of a server begins that is bound in its module and never run."""
PICKS = re.compile(r"\b(?:fastmcp|mcp) (?:run|dev|install)\b(?!.*\.py:)")
"""Matches commands of the SDKs that pick the server of a file by its name."""
_PICKED = ("mcp", "server", "app")
"""The names by which they pick it, the first that is bound."""
_RUNS = re.compile(
    r"(?:^|_)(?:run|serve|server|start|launch|main|host|listen|stdio|http|sse|app)(?:_|$)|^_mcp_server$|^_lowlevel_server$"
)
_HOLDS = re.compile(r"(?:^|_)(?:mount|include|attach|add|expose|publish|export|combine|compose|install|proxy)(?:_|$)")
"""Functions that may hand a server on to another."""
_COMPUTED = re.compile(rb"\b(?:globals|locals|vars|eval|exec|getmembers|get_objects)\(|__dict__|\bsys\.modules\b")
"""Code that reaches names of a module without writing them."""
_MAKES_NOTHING = frozenset({"len", "print", "str", "repr", "type", "isinstance", "id", "Client"})
"""Calls that take a server and start none: the client of an SDK talks to it within the process."""
_DEEPEST = 3
"""How many functions a server is followed through that are handed it in turn."""


@dataclass(frozen=True, slots=True)
class Unrun:
    """A server that no code of its file runs, by the ``names`` of the module; ``beside`` are those of one that runs."""

    names: tuple[str, ...]
    beside: tuple[str, ...]

    @property
    def reason(self) -> str:
        return f"{UNRUN} {self.names[0]}, and {self.beside[0]} is run beside it"

    @property
    def is_picked(self) -> bool:
        """Whether a command that picks the server of the file by its name picks this one."""
        return next((name in self.names for name in _PICKED if name in self.names or name in self.beside), False)


def unrun(raw: bytes, line: int, others: Collection[int]) -> Unrun | None:
    """The server made in a ``line`` of a module, if nothing in it may run the server, and one of ``others`` is run."""
    tree = tree_of(raw)
    if tree is None or _COMPUTED.search(raw):
        return None
    bound = [pair for pair in _bindings(_outside_functions(tree)) if _is_made_in(pair[1], line)]
    names = tuple(target.id for target, _ in bound if isinstance(target, ast.Name))
    made = {id(node) for _, value in bound for node in ast.walk(value)}
    if not bound or len(names) < len(bound) or len({id(value) for _, value in bound}) > 1:
        return None
    if not all(isinstance(value, ast.Call) and _is_of_sdk(value.func, tree) for _, value in bound):
        return None
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in made)
    if any(_says(text, name) for text in texts if isinstance(text, str) for name in names):
        return None
    known = {node.name: node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)}
    if not all(_is_spare(use, tree, known, 0) for name in names for use in _uses(tree, name)):
        return None
    beside = next((found for other in others if (found := _run(tree, other)) and not {*found} & {*names}), None)
    return Unrun(names, beside) if beside is not None else None


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


def is_still(raw: bytes, line: int) -> bool:
    """Whether a module binds the server made in a ``line`` when it is imported, and has no code that may run one."""
    tree = tree_of(raw)
    if tree is None or _COMPUTED.search(raw):
        return False
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    runs = any(_RUNS.search(getattr(func, "attr", getattr(func, "id", ""))) for func in called)
    return not runs and any(_is_made_in(value, line) for _, value in _bindings(_outside_functions(tree)))


def _says(text: str, name: str) -> bool:
    """Whether a text may lead to a name of the module: by itself, or as ``module:name``."""
    return text == name or re.search(rf"\w:{re.escape(name)}\b", text) is not None


# --- what is bound where ----------------------------------------------------------------------------------------------


def _outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a module that run when it is imported, at every depth."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        yield node
        waiting += [child for child in ast.iter_child_nodes(node) if not isinstance(child, SCOPES)]


def _bindings(nodes: Iterator[ast.AST]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What assignments bind, each with its value; those that unpack a display bind one by one."""
    for node in nodes:
        match node:
            case ast.AnnAssign(target=bound, value=ast.expr() as value):
                yield bound, value
            case ast.NamedExpr(target=name, value=value):
                yield name, value
            case ast.Assign(targets=targets, value=ast.Tuple(elts=values) | ast.List(elts=values)):
                for target in targets:
                    yield from zip(getattr(target, "elts", [target]), values, strict=False)
            case ast.Assign(targets=targets, value=value):
                yield from ((target, value) for target in targets)


def _is_of_sdk(called: ast.expr, tree: ast.Module) -> bool:
    """Whether what is called is imported from an SDK: a class of the program may keep its objects."""
    while isinstance(called, (ast.Attribute, ast.Subscript)):
        called = called.value
    found = {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
        if ((node.module or "") if isinstance(node, ast.ImportFrom) else alias.name).partition(".")[0] in IMPORTED
    }
    return isinstance(called, ast.Name) and called.id in found


def _is_made_in(value: ast.expr, line: int) -> bool:
    """Whether a value is a call in this line that is given no other call, which might keep what it returns."""
    inner = (node for part in getattr(value, "args", ()) for node in ast.walk(part))
    return isinstance(value, ast.Call) and value.lineno == line and not any(isinstance(n, ast.Call) for n in inner)


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


def _run(tree: ast.Module, line: int) -> tuple[str, ...]:
    """What the server made in this line is bound to, if code of the module runs it under one of these names."""
    makers = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, FUNCTIONS) and node.lineno <= line <= (node.end_lineno or 0)
    }
    names: list[str] = []
    for target, value in _bindings(ast.walk(tree)):
        is_made = isinstance(value, ast.Call) and (value.lineno == line or ast.unparse(value.func) in makers)
        if is_made or ast.unparse(value) in names:
            names.append(ast.unparse(target))
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=attr, value=value) if _RUNS.search(attr) and ast.unparse(value) in names:
                return tuple(names)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if _RUNS.search(name):
                if ast.unparse(first) in names:
                    return tuple(names)
    return ()


# --- what is done with it ---------------------------------------------------------------------------------------------


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


def _is_spare(
    use: Sequence[ast.AST], tree: ast.Module, known: dict[str, ast.FunctionDef | ast.AsyncFunctionDef], depth: int
) -> bool:
    """Whether a use leaves a server that others may reach where it is, and so does a function that is handed it."""
    imported = {
        alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    match use[1]:
        case ast.Call(func=ast.Name(id=name), args=args) if name not in _MAKES_NOTHING:
            if _HOLDS.search(name) or not isinstance(use[2], (ast.Expr, ast.Await)) or depth >= _DEEPEST:
                return False
            if name not in known:
                return name in imported and _is_harmless(use, imported)
            place = next((at for at, arg in enumerate(args) if arg is use[0]), -1)
            parameters = [*known[name].args.posonlyargs, *known[name].args.args]
            if _RUNS.search(name) or not 0 <= place < len(parameters):
                return False
            inner = _uses(known[name], parameters[place].arg)
            return all(_is_spare(one, tree, known, depth + 1) for one in inner)
    return _is_harmless(use, ())
