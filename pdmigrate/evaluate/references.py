"""Who mentions a name of a module: in the module itself, in the rest of the tree, in its tests.

In the module itself the syntax tree decides.  Other files are looked at only when they hold the name, and then with a
cheap look (``ast``): one counts when it imports the name, or the module, from where it is defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from pdmigrate.evaluate.tree.modules import SourceModule


@dataclass(frozen=True)
class Mention:
    """A use of a name in its own module, with every node above it, the innermost first."""

    node: cst.CSTNode
    parent: cst.CSTNode
    inside: tuple[cst.CSTNode, ...]


def mentions(module: SourceModule, name: str, *, attributes: bool = False) -> Iterator[Mention]:
    """Reads of ``name`` in ``module`` (as an attribute of anything, with ``attributes``)."""
    for node in module.outline.names.get(name, ()):
        parent = module.outline.parents[node]
        is_attribute = isinstance(parent, cst.Attribute) and parent.attr is node
        if is_attribute == attributes and not _is_binding(node, parent):
            yield Mention(node, parent, tuple(module.outline.above(node)))


def _is_binding(node: cst.Name, parent: cst.CSTNode) -> bool:
    """Whether the name is only bound or named here: a target, a parameter, a keyword, the name of a definition."""
    if isinstance(parent, (cst.FunctionDef, cst.ClassDef)):
        return parent.name is node
    if isinstance(parent, cst.Arg):
        return parent.keyword is node
    if isinstance(parent, cst.AssignTarget):
        return parent.target is node
    if isinstance(parent, cst.AnnAssign):
        return parent.target is node
    return isinstance(parent, (cst.Param, cst.ImportAlias, cst.AsName))
