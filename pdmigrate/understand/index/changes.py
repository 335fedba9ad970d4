"""What functions change besides their own names: while a server runs, a handler may change what its list is made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from pdmigrate.understand.index.units import FUNCTIONS, chain, local_names

_CHANGING = frozenset(
    {
        *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "update", "setdefault", "sort", "reverse"),
        *("add", "discard", "difference_update", "intersection_update", "symmetric_difference_update", "appendleft"),
    }
)
"""Methods of containers that change them."""


@dataclass(eq=False)
class Changes:
    """``names`` holds the names of a module, as dotted chains, that code binds anew, or whose values it changes in
    place; ``attributes`` the names of attributes of other objects that it sets, or changes in place.
    """

    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)


def changes_of(tree: ast.Module) -> dict[ast.AST, Changes]:
    """The changes that each function of a module makes when it runs."""
    return {
        node: _changes(node) for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


def _changes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Changes:
    made = Changes()
    own = local_names(function)
    for node in _inside(function):
        for target in _changed(node):
            name = chain(target)
            if name and name.partition(".")[0] not in own:
                made.names.add(name)
            if isinstance(target, ast.Attribute) and name.partition(".")[0] in own | {""}:
                made.attributes.add(target.attr)
    return made


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    """What one piece of code changes: a name, an attribute, or a container."""
    if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield node
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        yield _container(node)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        yield _container(node.func)


def _container(node: ast.Subscript | ast.Attribute) -> ast.expr:
    """The name or attribute that holds the container of which a part is changed."""
    inner = node.value
    while isinstance(inner, ast.Subscript):
        inner = inner.value
    return inner


def _inside(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's body; functions and classes in it are their own."""
    stack: list[ast.AST] = list(getattr(function, "body", ()))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            stack += ast.iter_child_nodes(node)
