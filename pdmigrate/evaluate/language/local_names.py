"""The names that a function binds itself: until it has bound one, Python looks for that name nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

import libcst as cst

from pdmigrate.tree.code.syntax import syntax_children


def local_names(node: cst.FunctionDef | cst.Lambda) -> frozenset[str]:
    """The names that the body of a function binds, without those that functions and classes inside it bind."""
    found: set[str] = set()
    elsewhere: set[str] = set()
    stack: list[cst.CSTNode] = [node.body] if isinstance(node, cst.FunctionDef) else []
    while stack:
        item = stack.pop()
        # This runs for every node below a function, and ``isinstance`` is slow for nodes.
        kind = type(item)
        if kind is cst.FunctionDef or kind is cst.ClassDef:
            found.add(cast("cst.FunctionDef | cst.ClassDef", item).name.value)
        elif kind is cst.Global or kind is cst.Nonlocal:
            elsewhere |= {name.name.value for name in cast("cst.Global | cst.Nonlocal", item).names}
        elif kind is not cst.Lambda:
            bound = _BINDING.get(kind)
            if bound is not None:
                found |= set(bound(item))
            stack += _inside(item)
    return frozenset(found - elsewhere)


def _inside(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The children of ``node``, without a comprehension's target: of its bindings, only ``:=`` is the function's."""
    children = syntax_children(node)
    return (child for child in children if child is not node.target) if type(node) is cst.CompFor else children


def _targets(node: cst.BaseExpression) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, (cst.Tuple, cst.List)):
        for element in node.elements:
            yield from _targets(element.value)


def _imported(node: cst.ImportAlias) -> Iterator[str]:
    if node.asname is not None:
        yield from _targets(cst.ensure_type(node.asname.name, cst.Name))
        return
    name: cst.BaseExpression = node.name
    while isinstance(name, cst.Attribute):
        name = name.value
    yield from _targets(name)


def _named(node: Any) -> Iterator[str]:
    if node.name is not None:
        yield from _targets(node.name)


_BINDING: dict[type, Callable[[Any], Iterator[str]]] = {
    cst.AssignTarget: lambda node: _targets(node.target),
    cst.AnnAssign: lambda node: _targets(node.target),
    cst.AugAssign: lambda node: _targets(node.target),
    cst.For: lambda node: _targets(node.target),
    cst.NamedExpr: lambda node: _targets(node.target),
    cst.AsName: lambda node: _targets(node.name),
    cst.ImportAlias: _imported,
    cst.Del: lambda node: _targets(node.target),
    cst.MatchAs: _named,
    cst.MatchStar: _named,
}
