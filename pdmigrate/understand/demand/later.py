"""What may mean something else later: annotations, and what functions change while a server runs."""

from __future__ import annotations

import ast
from functools import lru_cache

from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Node
from pdmigrate.understand.values.core import MUTATED, Unknown, Value
from pdmigrate.understand.values.objects import ClassValue, Instance, Scope

_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Match)


def hint(run: Run, node: ast.expr | None, scope: Scope) -> Value | None:
    """What an annotation means here; ``None`` if it means the same to the end of the program."""
    written = _written(node) if node is not None else None
    if written is None or is_settled(run, written, scope):
        return None
    if isinstance(node, ast.Constant) and any(len(scope.module.bound.get(name, ())) > 1 for name in _names(written)[0]):
        return run.unsettled("an annotation that is a text has a name that is bound more than once", MUTATED)
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


def changed_name(run: Run, module: Module, name: str) -> Unknown | None:
    """Why the value of a name of ``module`` may be another one when the server lists; ``None`` if it stays."""
    if not run.answering:
        return None
    origin = run.program.names.origin(module.path, name) or (module.path, name)
    if all(function in run.executed for function in _changers(run).get(origin, ())):
        return None
    return run.unsettled(f"{name} is changed in a function that runs later", MUTATED)


def _changers(run: Run) -> dict[Node, list[ast.AST]]:
    """The functions of the loaded modules that change what a name means, by that name."""
    loaded = run.program.loaded
    known: tuple[int, dict[Node, list[ast.AST]]] = run.memory.get("changers", (0, {}))
    if known[0] != len(loaded):
        found: dict[Node, list[ast.AST]] = {}
        for each in loaded.values():
            for function, made in each.module.changes.items():
                for name in made.names:
                    origin = run.program.names.origin(each.module.path, name)
                    if origin is not None:
                        found.setdefault(origin, []).append(function)
        known = run.memory["changers"] = (len(loaded), found)
    return known[1]


def changed_attribute(run: Run, value: Instance, name: str) -> Unknown | None:
    """Why an attribute of an object may be another one when the server lists; ``None`` if it stays."""
    if not run.answering:
        return None
    for cls in value.cls.mro:
        for method in cls.node.body if isinstance(cls, ClassValue) and cls.node is not None else ():
            made = cls.module.changes.get(method) if isinstance(cls, ClassValue) else None
            if made is not None and name in made.attributes and method not in run.executed:
                return run.unsettled(f"{name} of {value.cls.name} is changed in a method that runs later", MUTATED)
    return None
