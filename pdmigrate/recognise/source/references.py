"""Where a module mentions a name, by its syntax tree; ``tree/users.py`` finds the other files that use a name of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from pdmigrate.tree.code.modules import SourceModule


@dataclass(frozen=True)
class Mention:
    """A use of a name in its own module, with every node above it, the innermost first."""

    node: cst.CSTNode
    parent: cst.CSTNode
    inside: tuple[cst.CSTNode, ...]


def mentions(module: SourceModule, name: str, *, attributes: bool = False) -> Iterator[Mention]:
    """Reads of the variable ``name`` in ``module``; with ``attributes``, of attributes of that name instead."""
    for node in module.outline.names.get(name, ()):
        parent = module.outline.parents[node]
        is_attribute = isinstance(parent, cst.Attribute) and parent.attr is node
        if is_attribute == attributes and not _is_binding(node, parent):
            yield Mention(node, parent, tuple(module.outline.above(node)))


def _is_binding(node: cst.Name, parent: cst.CSTNode) -> bool:
    """Whether the name is only bound or named here: a target, a parameter, a keyword, the name of a definition."""
    field = _BINDING.get(type(parent))
    return field is not None and (not field or getattr(parent, field) is node)


_BINDING = {
    cst.FunctionDef: "name",
    cst.ClassDef: "name",
    cst.Arg: "keyword",
    cst.AssignTarget: "target",
    cst.AnnAssign: "target",
    cst.Param: "",
    cst.ImportAlias: "",
    cst.AsName: "",
}
"""The field of a node in which a name is bound or named; empty where it is so in each."""
