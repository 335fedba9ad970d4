"""The import statements and attribute accesses of a file, found once for questions about any number of names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Mentions:
    """The import statements of a file, through which it may use names of other files."""

    raw: bytes = b""
    readable: bool = True
    named: list[ast.ImportFrom] = field(default_factory=list)
    """``from module import name``"""
    whole: list[ast.Import] = field(default_factory=list)
    """``import module``"""

    def takes(self, attribute: str, roots: set[str]) -> bool:
        """Whether an expression that begins with one of the names ``roots`` accesses ``attribute``."""
        return not roots.isdisjoint(self._attributes.get(attribute, ()))

    @cached_property
    def _attributes(self) -> dict[str, set[str]]:
        """For each attribute: the names with which expressions that access it begin.

        Few files are asked for this, and they are parsed once more: keeping the trees of all files would take too much
        memory.
        """
        found: dict[str, set[str]] = {}
        for node in ast.walk(ast.parse(self.raw)):
            if isinstance(node, ast.Attribute):
                root = _root(node)
                if root:
                    found.setdefault(node.attr, set()).add(root)
        return found


def mentions_in(raw: bytes) -> Mentions:
    """The mentions of a file; not ``readable`` if CPython's parser cannot read it."""
    try:
        tree = ast.parse(raw)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Mentions(raw, readable=False)
    found = Mentions(raw)
    for statement in _statements(tree):
        match statement:
            case ast.ImportFrom():
                found.named.append(statement)
            case ast.Import():
                found.whole.append(statement)
    return found


def written(found: Mentions) -> list[Any]:
    """The import statements of a file as plain values, from which ``read_back`` restores them."""
    named = [[node.module, _names(node), node.level] for node in found.named]
    return [found.readable, named, [_names(node) for node in found.whole]]


def read_back(raw: bytes, values: list[Any]) -> Mentions:
    """The mentions of a file with this content, restored from the values that ``written`` made."""
    readable, named, whole = values
    return Mentions(
        raw,
        readable,
        [ast.ImportFrom(module, _aliases(names), level) for module, names, level in named],
        [ast.Import(_aliases(names)) for names in whole],
    )


def _names(node: ast.Import | ast.ImportFrom) -> list[list[str | None]]:
    return [[alias.name, alias.asname] for alias in node.names]


def _aliases(names: list[list[str]]) -> list[ast.alias]:
    return [ast.alias(name, asname) for name, asname in names]


_INSIDE = ("body", "orelse", "handlers", "finalbody", "cases")
"""The fields in which statements hold other statements; expressions, which are most of a tree, hold none."""


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [tree]
    for node in waiting:
        yield node
        for name in _INSIDE:
            inside = getattr(node, name, None)
            if isinstance(inside, list):
                waiting += inside


def _root(node: ast.Attribute) -> str:
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) else ""
