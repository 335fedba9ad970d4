"""What the code of a tree does anywhere: what it sets on things that it did not make, and what runs unseen."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pdmigrate.understand.index.units import FUNCTIONS, Unit

OF_FUNCTIONS = frozenset(
    {
        *("__doc__", "__name__", "__qualname__", "__module__", "__signature__", "__annotations__", "__wrapped__"),
        *("__defaults__", "__kwdefaults__", "__code__", "__dict__", "?"),
    }
)
"""Attributes of functions whose change shows in a listing; ``?``: any, it is set under a name that is a value."""
OF_TOOLS = frozenset(
    {
        *("name", "title", "description", "parameters", "output_schema", "annotations", "icons", "meta", "tags"),
        *("enable", "disable", "enabled", "?"),
    }
)
"""Attributes of the tools that the decorators of some SDKs return, whose change or use shows in a listing."""
_ANNOUNCED = frozenset({"__init__", "__new__", "__enter__", "__exit__", "__aenter__", "__aexit__", "__post_init__"})
"""Methods that run only where their class is named, or where a ``with`` statement stands."""
_PURE = frozenset(
    {
        *("len", "str", "repr", "int", "float", "bool", "isinstance", "super", "hash", "tuple", "type", "getattr"),
        *("format", "sorted", "list", "join", "issubclass", "id", "min", "max", "sum", "any", "all"),
    }
)


def changed_attributes(units: Iterable[Unit]) -> frozenset[str]:
    """The attributes that statements set on objects other than their own."""
    uses = (uses for unit in units for uses in (unit.uses, *unit.bodies.values()))
    return frozenset().union(*(item.changes for item in uses))


def speaks(tree: ast.Module) -> bool:
    """Whether code of a class may run, and change something, where an object is only read, compared or printed."""
    return any(
        _runs_unseen(node) and not _is_pure(node)
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for node in ast.walk(owner)
        if isinstance(node, FUNCTIONS)
    )


def _runs_unseen(node: ast.AST) -> bool:
    if isinstance(node, ast.Lambda):
        return False
    name = getattr(node, "name", "")
    hidden = name.startswith("__") and name.endswith("__") and name not in _ANNOUNCED
    decorators = [ast.unparse(item) for item in getattr(node, "decorator_list", ())]
    return hidden or any("property" in text or text.endswith((".setter", ".getter", ".deleter")) for text in decorators)


def _is_pure(function: ast.AST) -> bool:
    for node in ast.walk(function):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await)):
            return False
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if called not in _PURE:
                return False
    return True
