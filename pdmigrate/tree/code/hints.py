"""What the body of a function may do to names, found with CPython's parser, which is ten times as fast as libcst.

A body that contains a name is parsed with libcst only if it may bind or change the name: most tools of a server only
use ``str`` or ``client``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

ADDING = frozenset({"append", "extend", "add", "insert", "appendleft", "setdefault"})
CHANGING = frozenset({"update", "pop", "popitem", "remove", "discard", "clear", "sort", "reverse"})
_METHODS = ADDING | CHANGING


class Hints(NamedTuple):
    """Sets that may contain too much, never too little: a name outside a set certainly lacks the property."""

    bound: frozenset[str]
    """Names that a statement, a parameter or a part of an expression binds, or declares ``global``."""
    changed: frozenset[str]
    """Names and attributes that are assigned, or whose value is changed in place."""
    yields: bool
    """Whether the function is a generator."""


def hints_of(text: str) -> Hints | None:
    """The hints for ``text``, the definition of one function; ``None`` if CPython cannot parse it.

    Names outside of ASCII may differ from the source: CPython normalises them.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    bound: set[str] = set()
    changed: set[str] = set()
    for node in ast.walk(tree):
        bound.update(_bound(node))
        changed.update(_changed(node))
    return Hints(frozenset(bound), frozenset(changed | bound), any(map(_yields, tree.body)))


def _yields(function: ast.AST) -> bool:
    """Whether a function yields, nested definitions apart."""
    stack = list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, _DEFINITIONS):
            stack += ast.iter_child_nodes(node)
    return False


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def _bound(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.alias(name=name, asname=alias):
            yield from (alias or name).split(".")
            yield from name.split(".")
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            yield from names
        case ast.arg(arg=name):
            yield name
        case _ if isinstance(node, _NAMED):
            yield from (name for name in (getattr(node, "name", None), getattr(node, "rest", None)) if name)


_NAMED = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.ExceptHandler,
    ast.MatchAs,
    ast.MatchStar,
    ast.MatchMapping,
    *(getattr(ast, name) for name in ("TypeVar", "ParamSpec", "TypeVarTuple") if hasattr(ast, name)),
)


def _changed(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Attribute(value=owner, attr=name, ctx=ast.Store() | ast.Del()):
            yield name
            yield from _last_name(owner)
        case ast.Attribute(value=owner, attr=name) if name in _METHODS:
            yield from _last_name(owner)
        case ast.Subscript(value=owner, ctx=ast.Store() | ast.Del()):
            yield from _last_name(owner)


def _last_name(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
