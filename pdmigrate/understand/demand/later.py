"""What may mean something else later: annotations, and what functions change while a server runs."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache

from pdmigrate.understand.demand.live import is_live
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Node
from pdmigrate.understand.index.syntax import FUNCTIONS, Function, bound_names, chain, local_names, walk
from pdmigrate.understand.values.core import FAILS, MUTATED, Unknown, Value
from pdmigrate.understand.values.objects import Instance, Scope

BUILTINS = frozenset(dir(builtins))
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Match)


def is_text(module: Module, node: ast.expr) -> bool:
    """Whether an annotation is text at run time: who reads it looks its names up in the module alone, and only then."""
    return module.late_annotations or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def module_scope(scope: Scope) -> Scope:
    """The names of the module around ``scope``."""
    while scope.parent is not None:
        scope = scope.parent
    return scope


def hint(run: Run, node: ast.expr, scope: Scope) -> Value | None:
    """What an annotation means here; ``None`` if it means the same to the end of the program."""
    written = _written(node)
    if written is None or is_settled(run, written, scope):
        return None
    in_class = scope.kind == "class"
    try:
        return run.evaluate(written, _of_model(scope) if in_class and is_text(scope.module, node) else scope)
    except RaisedError as raised:  # pydantic reads the body of a class again when all names are bound
        return run.unsettled(f"the annotation raises {raised}", MUTATED if in_class else FAILS)


def _of_model(scope: Scope) -> Scope:
    """The names that pydantic finds for a text in the body of a model: of these around it, only the innermost ones."""
    around, made = Scope("function", scope.module, module_scope(scope)), Scope("class", scope.module, scope.parent)
    around.data = scope.parent.data if scope.parent is not None and scope.parent.kind != "module" else {}
    made.parent, made.data = around, scope.data
    return made


def as_read(run: Run, node: ast.expr, scope: Scope) -> Value | None:
    """What a text means that an SDK reads here as an annotation; ``None`` if it means the same to the end."""
    written = _written(node)
    for name in (part.id for part in walk(written) if isinstance(part, ast.Name)) if written is not None else ():
        if name not in BUILTINS and _is_bound_later(run, name, scope.module):
            return Unknown(f"{name} is bound after an annotation is read that names it", FAILS, scope.module.site(node))
    return hint(run, node, scope)


def _is_bound_later(run: Run, name: str, module: Module) -> bool:
    loaded, units = run.program.loaded.get(module.path), module.bound.get(name, [])
    position = run.program.position
    return loaded is not None and bool(units) and all(loaded.position(unit) > position for unit in units)


def is_settled(run: Run, node: ast.expr, scope: Scope) -> bool:
    """Whether every name in an annotation is bound once, to what stays as it is, and no attribute in it is set."""
    names, attributes = _names(node)
    once = attributes.isdisjoint(run.program.names.changed) and all(_is_bound_once(name, scope) for name in names)
    return once and not any(_may_change(run, name, scope.module, attributes) for name in names)


def _may_change(run: Run, name: str, module: Module, attributes: frozenset[str] = frozenset()) -> bool:
    """Whether a name means a function, which may answer otherwise later, or a value that is no class and may change.

    Of a module, it is asked whether one of its names among ``attributes`` does.
    """
    path, own = run.program.names.origin(module.path, name) or (module.path, name)
    origin = run.program.tree.module(path)
    if origin is not None and not own:
        return any(_may_change(run, each, origin) for each in attributes)
    bound = [unit.node for unit in origin.bound.get(own, ())] if origin is not None else []
    if any(isinstance(each, Function) for each in bound):
        return True
    return not all(isinstance(each, ast.ClassDef) for each in bound) and is_live(run.program.names, (path, own))


def _is_bound_once(name: str, scope: Scope) -> bool:
    inner: Scope | None = scope
    while inner is not None and inner.kind != "module":
        if name in inner.data or (inner.node is not None and name in own_names(inner.node)):
            return False
        inner = inner.parent
    if name in scope.module.set_by_functions:
        return False
    statements = [unit.node for unit in scope.module.bound.get(name, ())]
    if all(isinstance(statement, (ast.Import, ast.ImportFrom)) for statement in statements):
        return True
    return len(statements) == 1 and name not in BUILTINS and not isinstance(statements[0], _LOOPS)


@lru_cache(maxsize=50_000)
def own_names(node: ast.AST) -> frozenset[str]:
    """The names that a function or the body of a class binds, be it before or after it is asked for them."""
    if isinstance(node, ast.ClassDef):
        return frozenset(bound_names(node.body))
    return local_names(node) if isinstance(node, FUNCTIONS) else frozenset()


@lru_cache(maxsize=50_000)
def _names(node: ast.expr) -> tuple[frozenset[str], frozenset[str]]:
    """The names and the attributes in an annotation, those in texts included that may be types."""
    names: set[str] = set()
    attributes: set[str] = set()
    plain = {inner for part in walk(node) if _holds_values(part) for inner in walk(part)}
    for part in walk(node):
        if isinstance(part, ast.Name):
            names.add(part.id)
        elif isinstance(part, ast.Attribute):
            attributes.add(part.attr)
        elif isinstance(part, ast.Constant) and part not in plain and (inner := _written(part)) not in (None, part):
            found = _names(inner)
            names |= found[0]
            attributes |= found[1]
    return frozenset(names), frozenset(attributes)


def _holds_values(node: ast.AST) -> bool:
    """Whether the texts in a part of an annotation are values: ``Literal["a"]``, ``Field(title="A")``"""
    literal = isinstance(node, ast.Subscript) and chain(node.value).rpartition(".")[2] == "Literal"
    return literal or isinstance(node, ast.Call)


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
    for cls in value.cls.classes:
        for method in cls.node.body if cls.node is not None else ():
            made = cls.module.changes.get(method)
            if made is not None and name in made.attributes and method not in run.executed:
                return run.unsettled(f"{name} of {value.cls.name} is changed in a method that runs later", MUTATED)
    return None
