"""What a file imports, and of what it takes which attributes: read once, however many names are asked for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pdmigrate.evaluate.tree.modules import ModuleIndex


@dataclass(frozen=True)
class Mentions:
    """The words of a file that may lead to a name of another one."""

    readable: bool = True
    named: list[ast.ImportFrom] = field(default_factory=list)
    """``from module import name``"""
    whole: list[ast.Import] = field(default_factory=list)
    """``import module``"""
    attributes: dict[str, set[str]] = field(default_factory=dict)
    """For each attribute: the names that its expressions begin with."""


def mentions_of(index: ModuleIndex, path: str, raw: bytes) -> Mentions:
    """Those of the file at ``path`` of ``index``, looked for once."""
    known = index.mentions.get(path)
    if known is None:
        known = index.mentions[path] = mentions_in(raw)
    return known


def mentions_in(raw: bytes) -> Mentions:
    """The mentions of a file; not readable where CPython's parser does not read it."""
    try:
        tree = ast.parse(raw)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Mentions(readable=False)
    found = Mentions()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            root = _root(node)
            if root:
                found.attributes.setdefault(node.attr, set()).add(root)
        elif isinstance(node, ast.ImportFrom):
            found.named.append(node)
        elif isinstance(node, ast.Import):
            found.whole.append(node)
    return found


def _root(node: ast.Attribute) -> str:
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) else ""
