"""Annotations that may mean something else when a schema is made of them: these are evaluated where they stand."""

from __future__ import annotations

import ast
from functools import lru_cache

from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.values.codes import MUTATED
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.objects import Scope

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Match)


def hint(run: Run, node: ast.expr | None, scope: Scope) -> Value | None:
    """What an annotation means here; ``None`` if it means the same to the end of the program."""
    written = _written(node) if node is not None else None
    if written is None or is_settled(run, written, scope):
        return None
    try:
        return run.evaluate(written, scope)
    except RaisedError:
        return run.unsettled("an annotation has a name that is bound later, and more than once", MUTATED)


def is_settled(run: Run, node: ast.expr, scope: Scope) -> bool:
    """Whether every name in an annotation is bound once, and no attribute in it is set."""
    names, attributes = _names(node)
    return attributes.isdisjoint(run.program.names.changed) and all(_is_bound_once(name, scope) for name in names)


def _is_bound_once(name: str, scope: Scope) -> bool:
    inner: Scope | None = scope
    while inner is not None and inner.kind != "module":
        if name in inner.data:
            return False
        inner = inner.parent
    statements = [unit.node for unit in scope.module.bound.get(name, ())]
    if all(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in statements):
        return True
    return len(statements) == 1 and not isinstance(statements[0], _LOOPS)


@lru_cache(maxsize=50_000)
def _names(node: ast.expr) -> tuple[frozenset[str], frozenset[str]]:
    """The names and the attributes in an annotation, those in texts included."""
    names: set[str] = set()
    attributes: set[str] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            names.add(part.id)
        elif isinstance(part, ast.Attribute):
            attributes.add(part.attr)
        elif isinstance(part, ast.Constant) and (inner := _written(part)) is not None and inner is not part:
            found = _names(inner)
            names |= found[0]
            attributes |= found[1]
    return frozenset(names), frozenset(attributes)


def _written(node: ast.expr) -> ast.expr | None:
    """The expression of an annotation, which may be written as a text; ``None`` if the text is none."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return node
    try:
        return ast.parse(node.value.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return None
