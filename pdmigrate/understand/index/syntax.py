"""Questions about syntax alone: the names that code binds, its parts, and the dotted names in it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_WITHOUT_PARTS = {
    *("id", "attr", "arg", "module", "level", "kind", "type_comment", "conversion", "is_async", "simple"),
    *("ctx", "op", "ops"),
}
_KINDS = [kind for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)]
_FIELDS = {kind: tuple(name for name in kind._fields if name not in _WITHOUT_PARTS) for kind in _KINDS}
"""The fields of each kind of node in which other nodes may be."""


def children(node: ast.AST) -> list[ast.AST]:
    """The parts of a node as ``ast.iter_child_nodes`` gives them, without operators, and without what tells a read."""
    found: list[ast.AST] = []
    for name in _FIELDS[node.__class__]:
        part = getattr(node, name, None)
        if part.__class__ is list:
            found += [each for each in part if isinstance(each, ast.AST)]
        elif isinstance(part, ast.AST):
            found.append(part)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all parts of it, in the order of ``ast.walk`` and in half the time."""
    found = [node]
    for each in found:
        found += children(each)
    return found


def bound_names(body: Iterable[ast.AST]) -> Iterator[str]:
    """The names that statements bind in their own scope."""
    stack = [*body][::-1]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            yield from () if isinstance(node.ctx, ast.Load) else (node.id,)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            named = (inner.target for inner in walk(node) if isinstance(inner, ast.NamedExpr))
            yield from (target.id for target in named)
        else:
            yield from _bound_by(node)
            stack += children(node)[::-1]


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The names that a node binds itself, and no part of it."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or (alias.name.partition(".")[0] if isinstance(node, ast.Import) else alias.name)
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        yield from [name] if name else []


def parameters_of(node: ast.AST) -> list[ast.arg]:
    assert isinstance(node, FUNCTIONS)
    given = node.args
    found = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    return [*found, *(arg for arg in (given.vararg, given.kwarg) if arg is not None)]


def annotations_of(node: ast.AST) -> list[ast.expr]:
    """The annotations of a function's parameters and of its result."""
    written = (*(argument.annotation for argument in parameters_of(node)), getattr(node, "returns", None))
    return [item for item in written if item is not None]


def given_in(annotations: Iterable[ast.expr]) -> list[ast.expr]:
    """What calls in annotations are given, as ``Field(examples=EXAMPLES)``: objects that may change later."""
    calls = [each for written in annotations for each in walk(written) if isinstance(each, ast.Call)]
    return [value for call in calls for value in (*call.args, *(keyword.value for keyword in call.keywords))]


def local_names(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> frozenset[str]:
    """The names that are a function's own."""
    names = {arg.arg for arg in parameters_of(node)}
    if isinstance(node, ast.Lambda):
        return frozenset(names)
    names.update(bound_names(node.body))
    return frozenset(names - declared(node.body))


def declared(
    body: list[ast.stmt], kinds: tuple[type[ast.Global | ast.Nonlocal], ...] = (ast.Global, ast.Nonlocal)
) -> set[str]:
    """The names that ``global`` and ``nonlocal`` statements of a function declare."""
    found: set[str] = set()
    stack: list[ast.AST] = [*body]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)) and isinstance(node, kinds):
            found.update(node.names)
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack += (child for child in children(node) if not isinstance(child, ast.expr))
    return found


def inside(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of code; the bodies of functions and classes in it are their own."""
    stack = [*body]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack += children(node)


def callee(node: ast.expr) -> ast.expr:
    """What a call calls; another expression is itself, as in a decorator without arguments."""
    return node.func if isinstance(node, ast.Call) else node


def chain(node: ast.AST) -> str:
    """``a.b.c`` of an attribute of names; empty for every other expression."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = chain(node.value)
        return f"{base}.{node.attr}" if base else ""
    return ""
