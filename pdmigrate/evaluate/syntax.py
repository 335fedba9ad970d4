"""Walking syntax trees: children without white space, parents, and where each name stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import libcst as cst

_FIELDS: dict[type, tuple[str, ...]] = {}
_NOT_SYNTAX = frozenset(
    {"lpar", "rpar", "leading_lines", "lines_after_decorators", "header", "footer", "comma", "semicolon", "equal",
     "colon", "trailing_whitespace", "lbracket", "rbracket", "lbrace", "rbrace", "indent", "encoding", "dot"}
)  # fmt: skip


def syntax_children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Children that may hold statements or expressions; white space is left out, which is most of a tree."""
    for name in _fields_of(type(node)):
        child = getattr(node, name)
        kind = type(child)
        if kind is list or kind is tuple:
            for item in child:
                if _is_node(type(item)):
                    yield item
        elif _is_node(kind):
            yield child


_NODES: dict[type, bool] = {}


def _is_node(kind: type) -> bool:
    """Remembered: nodes have an abstract base class, for which ``isinstance`` is slow."""
    known = _NODES.get(kind)
    if known is None:
        known = _NODES[kind] = issubclass(kind, cst.CSTNode)
    return known


def _fields_of(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    if kind not in _FIELDS:
        names = [name for name in kind.__dataclass_fields__ if name not in _NOT_SYNTAX and "whitespace" not in name]
        _FIELDS[kind] = tuple(names)
    return _FIELDS[kind]


@dataclass
class Outline:
    """One walk over a module: the parent of every node, and every place where a name or attribute is written."""

    parents: dict[cst.CSTNode, cst.CSTNode] = field(default_factory=dict)
    names: dict[str, list[cst.Name]] = field(default_factory=dict)
    calls: list[cst.Call] = field(default_factory=list)
    imports: list[cst.ImportFrom | cst.Import] = field(default_factory=list)
    classes: list[cst.ClassDef] = field(default_factory=list)
    globals: dict[str, list[cst.CSTNode]] = field(default_factory=dict)
    """Names in ``global`` statements, with the statement."""
    stores: dict[str, list[tuple[cst.Name, cst.Attribute]]] = field(default_factory=dict)
    """Where ``something.name`` is assigned, for the names that somebody asked for (``usage.py``)."""

    @cached_property
    def imported(self) -> frozenset[str]:
        """The names that ``from module import name`` statements name."""
        return frozenset(
            alias.name.value
            for statement in self.imports
            if isinstance(statement, cst.ImportFrom) and not isinstance(statement.names, cst.ImportStar)
            for alias in statement.names
            if isinstance(alias.name, cst.Name)
        )

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around ``node``, the innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def functions_above(self, node: cst.CSTNode) -> Iterator[cst.FunctionDef | cst.Lambda]:
        return (item for item in self.above(node) if isinstance(item, (cst.FunctionDef, cst.Lambda)))


def outline(root: cst.Module) -> Outline:
    """Walk ``root`` once, in source order."""
    result = Outline()
    parents = result.parents
    stack: list[cst.CSTNode] = [root]
    while stack:
        node = stack.pop()
        note = _NOTES.get(type(node))
        if note is not None:
            note(result, node)
        children = list(syntax_children(node))
        for child in children:
            parents[child] = node
        children.reverse()
        stack += children
    return result


def _name(result: Outline, node: cst.Name) -> None:
    result.names.setdefault(node.value, []).append(node)


def _global(result: Outline, node: cst.Global) -> None:
    for item in node.names:
        result.globals.setdefault(item.name.value, []).append(node)


_NOTES: dict[type, Callable[[Outline, Any], None]] = {
    cst.Name: _name,
    cst.Call: lambda result, node: result.calls.append(node),
    cst.ImportFrom: lambda result, node: result.imports.append(node),
    cst.Import: lambda result, node: result.imports.append(node),
    cst.ClassDef: lambda result, node: result.classes.append(node),
    cst.Global: _global,
}
"""By the type itself: nodes have an abstract base class, for which ``isinstance`` is slow."""


def last_name(node: cst.CSTNode) -> str:
    """The last identifier of a dotted expression; empty for anything else."""
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""
