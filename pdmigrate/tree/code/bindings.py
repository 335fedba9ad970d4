"""How often a module binds a name, as syntax tells."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.tree.code.syntax import syntax_children

if TYPE_CHECKING:
    from pdmigrate.tree.code.modules import SourceModule


def bound_again(module: SourceModule, node: cst.CSTNode) -> str | None:
    """A name in the forward reference ``node`` that is bound more than once where it is seen; ``None`` if none is."""
    stack: list[cst.CSTNode] = [node]
    while stack:
        item = stack.pop()
        match item:
            case cst.Name() if _bindings(module, item.value, node) > 1:
                return item.value
            case cst.SimpleString():
                with suppress(cst.ParserSyntaxError, RecursionError):
                    stack.append(cst.parse_expression(str(item.evaluated_value).strip()))
        stack += syntax_children(item)
    return None


def _bindings(module: SourceModule, name: str, mention: cst.CSTNode) -> int:
    """The number of bindings of a name that ``mention`` may see; a binding in a loop counts twice."""
    outline = module.outline
    visible = {None, *_scopes_above(module, mention)}
    count = 0
    for node in outline.bound(name):
        if type(outline.parents.get(node)) is cst.NameItem:
            return 2  # declared global or nonlocal
        if times := binds(module, node):
            scopes = _scopes_above(module, node)
            owner = next(scopes, None)
            if getattr(owner, "name", None) is node:
                owner = next(scopes, None)  # a class or function binds its name in the scope around it
            count += times if owner in visible else 0
    return count


def _scopes_above(module: SourceModule, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    return (item for item in module.outline.above(node) if type(item) in _SCOPES)


def binds(module: SourceModule, node: cst.CSTNode) -> int:
    """How often ``node`` binds its name (2 in a loop); compares types, since this runs for most names in a file."""
    parents = module.outline.parents
    target: cst.CSTNode = node
    above = parents.get(node)
    while type(above) in _HOLDING:
        assert above is not None
        target, above = above, parents.get(above)
    if type(above) is cst.For or type(above) is cst.CompFor:
        return 2 if above.target is target else 0
    if type(above) is cst.ClassDef or type(above) is cst.FunctionDef or type(above) is cst.TypeAlias:
        binds = above.name is node
    elif type(above) is cst.AnnAssign:
        binds = above.target is node and above.value is not None
    elif type(above) is cst.AugAssign or type(above) is cst.NamedExpr:
        binds = above.target is node
    else:
        binds = type(above) in _BINDING
    if not binds:
        return 0
    return 2 if any(type(item) in _LOOPS for item in module.outline.above(node)) else 1


_SCOPES = frozenset({cst.ClassDef, cst.FunctionDef, cst.Lambda})
_LOOPS = frozenset({cst.For, cst.While})
_HOLDING = frozenset({cst.Element, cst.StarredElement, cst.Tuple, cst.List})
_BINDING = frozenset(
    {cst.AssignTarget, cst.ImportAlias, cst.AsName, cst.Del, cst.MatchAs, cst.MatchStar, cst.MatchMapping}
)
