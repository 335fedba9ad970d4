"""Which statements may raise when a module is loaded, by their text."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pdmigrate.understand.index.units import FUNCTIONS, bound_names, chain, inside

_SAFE = (ast.Constant, ast.Name, ast.List, ast.Tuple, ast.Dict, ast.JoinedStr, ast.Lambda, ast.expr_context)
_REGISTERING = frozenset({"tool", "resource", "prompt", "list_tools", "call_tool", "list_resources", "list_prompts"})
"""Decorators that do not raise in a program that was started once."""
_LOADING = frozenset({"import_module", "__import__", "exec", "eval"})
_ALWAYS = (ast.Import, ast.ImportFrom, ast.Raise, ast.Assert, ast.Delete, ast.For, ast.AsyncFor, ast.AsyncWith)


@lru_cache(maxsize=50_000)
def may_raise(tree: ast.Module, statement: ast.stmt, *, missing: bool) -> bool:
    """Whether a statement at the level of a module may raise; with ``missing``, whether it may raise ``ImportError``.

    What a library raises where it is called is taken for no ``ImportError``.
    """
    return any(_raises(node, _defined(tree), missing=missing) for node in _carried_out([statement]))


@lru_cache(maxsize=5_000)
def _defined(tree: ast.Module) -> frozenset[str]:
    """The names of functions and classes that may be the program's."""
    own = (node for node in tree.body if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.ImportFrom)))
    return frozenset(name for node in own for name in bound_names([node]))


def _carried_out(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, and those in them, without the bodies of functions."""
    for node in body:
        yield node
        if not isinstance(node, FUNCTIONS):
            inner = [
                part for part in ast.iter_child_nodes(node) if isinstance(part, (ast.ExceptHandler, ast.match_case))
            ]
            yield from _carried_out(part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt))
            yield from _carried_out(part for each in inner for part in each.body)


def _raises(node: ast.stmt, defined: frozenset[str], *, missing: bool) -> bool:
    """Whether a statement itself may raise, apart from the statements in it."""
    if isinstance(node, _ALWAYS):
        return True
    written = getattr(node, "decorator_list", ())
    expressions = [part for part in inside(_evaluated(node)) if isinstance(part, ast.expr)]
    called = {chain(part.func) for part in expressions if isinstance(part, ast.Call)}
    decorating = {chain(part.func if isinstance(part, ast.Call) else part) for part in written}
    called |= {name for name in decorating if name.rpartition(".")[2] not in _REGISTERING}
    if missing:
        return any(name in defined or name.rpartition(".")[2] in _LOADING for name in called)
    unpacks = isinstance(node, ast.Assign) and not all(isinstance(each, ast.Name) for each in node.targets)
    plain = all(isinstance(part, _SAFE) for part in expressions)
    return unpacks or not plain or bool(called) or isinstance(node, (ast.With, ast.Match))


def _evaluated(node: ast.stmt) -> list[ast.AST]:
    """The expressions that a statement evaluates, without annotations and decorators."""
    if isinstance(node, ast.AnnAssign):
        return [node.value] if node.value is not None else []
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return [part for part in (*node.args.defaults, *node.args.kw_defaults) if part is not None]
    parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, (ast.expr, ast.keyword))]
    return [part for part in parts if part not in getattr(node, "decorator_list", ())]
