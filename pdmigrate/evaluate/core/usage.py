"""State that functions which did not run at start may have changed by the time the list handler runs.

The list handler runs late: after everything that the program did at start, and between other requests.  By then a
function that waits for a request, or whose call was not seen, may have run, so that a module-level name or an attribute
that it assigns or changes in place is unknown.  Functions that nothing mentions are dead code, and change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import reachable
from pdmigrate.evaluate.core.values import (
    ClassValue,
    Const,
    Instance,
    ListValue,
    ModuleValue,
    Place,
    Scope,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.tree.code.hints import ADDING, CHANGING
from pdmigrate.tree.code.syntax import Change

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter, ModuleRun
    from pdmigrate.tree.code.modules import SourceModule


def changed_elsewhere(run: Interpreter, scope: Scope, name: str) -> UnknownValue | None:
    """Why a module-level name may have another value than the evaluator sees; ``None`` if it may not."""
    if not run.assumed.after_start or scope.module is None:
        return None
    module, value = scope.module, scope.names[name]
    for statement in module.outline.globals.get(name, ()):
        function = next(module.outline.functions_above(statement), None)
        if function is not None and _may_run(run, module, function):
            return _assigned(name, module, statement, function)
    stored = _stored_from_outside(run, module, name)
    if stored is not None or isinstance(value, (Const, TupleValue, ModuleValue)):
        return stored
    return _judge(run, name, value, list(_name_changes(run, module, name)))


def attribute_changed(run: Interpreter, owner: Instance, name: str, value: Value) -> UnknownValue | None:
    """Why an attribute of an object of the program may have another value: methods of its classes change it."""
    if not run.assumed.after_start:
        return None
    changes: list[tuple[SourceModule, Change]] = []
    for base in owner.cls.lineage:
        if base.module is not None and base.node is not None:
            written = _as_written(base, name)
            changes += [(base.module, c) for c in _attribute_changes(base.module, base.node, written)]
    return _judge(run, name, value, changes)


def _as_written(cls: ClassValue, name: str) -> str:
    """The name of an attribute as the class body spells it: ``__name`` for the mangled ``_Class__name``."""
    prefix = f"_{cls.name.lstrip('_')}"
    return name.removeprefix(prefix) if name.startswith(f"{prefix}__") else name


def _stored_from_outside(run: Interpreter, module: SourceModule, name: str) -> UnknownValue | None:
    """The unknown value of a name that a function of another module assigns (``config.name = ...``); else ``None``."""
    for other in _others(run, module):
        for node, parent in _stores(other.module, name):
            owner = other.scope.names.get(parent.value.value) if isinstance(parent.value, cst.Name) else None
            function = next(other.module.outline.functions_above(node), None)
            ours = isinstance(owner, ModuleValue) and owner.module is module
            if ours and function is not None and _may_run(run, other.module, function):
                return _assigned(name, other.module, node, function)
    return None


def _stores(module: SourceModule, name: str) -> list[tuple[cst.Name, cst.Attribute]]:
    """Where a module assigns an attribute ``name`` of any object; cached by name."""
    outline = module.outline
    known = outline.stores.get(name)
    if known is None:
        known = outline.stores[name] = [
            (node, parent)
            for node in outline.changed(name)
            if isinstance(parent := outline.parents[node], cst.Attribute)
            and parent.attr is node
            and _is_target(outline.parents, parent)
        ]
    return known


def _assigned(name: str, module: SourceModule, node: cst.CSTNode, function: cst.CSTNode) -> UnknownValue:
    where = f"{function.name.value}()" if isinstance(function, cst.FunctionDef) else "a lambda"
    return reasons.unknown(reasons.MUTATED, f"{name} is changed in {where}, which runs later", Place(module, node))


def _judge(
    run: Interpreter, name: str, value: Value, changes: list[tuple[SourceModule, Change]]
) -> UnknownValue | None:
    for module, change in changes:
        if not _may_run(run, module, change.function):
            continue
        unknown = _assigned(name, module, change.node, change.function)
        if (change.adds and not _holds_scalars(value)) or (change.item and _holds_objects(value)):
            run.doubt = run.doubt or unknown
        else:
            return unknown
    return None


def _holds_scalars(value: Value) -> bool:
    """Whether a list or set holds scalars: it is then not a list of tools, but a listing may show what is added."""
    return isinstance(value, (ListValue, SetValue)) and any(item.scalar for item in reachable(value))


def _holds_objects(value: Value) -> bool:
    """Whether a dict is a registry of objects, which item assignment extends, rather than a table of scalars."""
    return value.as_dict is not None and not any(entry.value.scalar for entry in value.as_dict.entries.values())


def _may_run(run: Interpreter, module: SourceModule, function: cst.CSTNode) -> bool:
    """Whether a function that did not run may run later: it is mentioned or decorated, or a lambda."""
    if function in run.calls.executed:
        return False
    return not isinstance(function, cst.FunctionDef) or bool(function.decorators) or mentioned(run, module, function)


def mentioned(run: Interpreter, module: SourceModule, function: cst.FunctionDef) -> bool:
    """Whether a module of this run names a function anywhere but in its definition."""
    name = function.name.value
    key = (module.path, function)
    if key not in run.remembered.mentions:
        here = len(module.outline.names.get(name, ())) > 1
        run.remembered.mentions[key] = here or any(name in other.module.outline.names for other in _others(run, module))
    return run.remembered.mentions[key]


def _others(run: Interpreter, module: SourceModule) -> Iterator[ModuleRun]:
    return (other for path, other in run.modules.items() if path != module.path)


def _name_changes(run: Interpreter, module: SourceModule, name: str) -> Iterator[tuple[SourceModule, Change]]:
    """In-place changes of a module-level name, in its own module and in the modules that import it."""
    for change in _changes(module, name):
        yield module, change
    for other in _others(run, module):
        if other.module.outline.imports_name(name):
            for change in _changes(other.module, name):
                yield other.module, change


def _changes(module: SourceModule, name: str) -> list[Change]:
    """The in-place changes of ``name`` in a module; cached by name."""
    known = module.outline.changes.get(name)
    if known is None:
        known = module.outline.changes[name] = list(_changes_found(module, name))
    return known


def _changes_found(module: SourceModule, name: str) -> Iterator[Change]:
    for node in module.outline.changed(name):
        parent = module.outline.parents[node]
        if type(parent) is cst.Attribute and parent.attr is node:
            continue
        change = _change(module, node)
        if change is not None and not _is_local(module, node, change.function):
            yield change


def _is_local(module: SourceModule, node: cst.Name, function: cst.CSTNode) -> bool:
    """Whether a parameter or an assignment of the function shadows the module's name."""
    for item in module.outline.bound(node.value):
        parent = module.outline.parents[item]
        binds = isinstance(parent, (cst.Param, cst.AssignTarget, cst.For, cst.CompFor))
        if binds and getattr(parent, "target", item) is item and function in module.outline.above(item):
            return True
    return False


def _attribute_changes(module: SourceModule, cls: cst.ClassDef, name: str) -> Iterator[Change]:
    for node in module.outline.changed(name):
        parent = module.outline.parents[node]
        match parent:
            case cst.Attribute(value=cst.Name(value="self" | "cls"), attr=attr) if attr is node:
                change = _change(module, parent, whole=True) if cls in module.outline.above(parent) else None
                if change is not None:
                    yield change


def _change(module: SourceModule, node: cst.CSTNode, *, whole: bool = False) -> Change | None:
    """The change that the code around ``node`` makes to its value, if any; with ``whole``, assignment counts, too."""
    parents = module.outline.parents
    parent = parents[node]
    if not (whole or type(parent) in _CHANGED):
        return None
    function = next(module.outline.functions_above(node), None)
    if function is None:
        return None
    if whole and _is_target(parents, node):
        return Change(node, function, adds=False, item=False)
    match parent:
        case cst.Attribute(attr=cst.Name(value=name)):
            outer = parents[parent]
            if type(outer) is cst.Call and outer.func is parent and name in ADDING | CHANGING:
                return Change(node, function, adds=name in ADDING, item=name == "update")
            return Change(node, function, adds=False, item=False) if _is_target(parents, parent) else None
        case cst.Subscript(value=value) if value is node and _is_target(parents, parent):
            return Change(node, function, adds=False, item=type(parents[parent]) is not cst.Del)
        case cst.AugAssign(target=target) if target is node:
            return Change(node, function, adds=True, item=False)
    return None


_CHANGED = frozenset({cst.Attribute, cst.Subscript, cst.AugAssign})
"""Types of nodes around an expression that is changed in place; compared as types: ``isinstance`` is slow for nodes."""
_TARGETS = frozenset({cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Del})


def _is_target(parents: dict[cst.CSTNode, cst.CSTNode], node: cst.CSTNode) -> bool:
    parent = parents[node]
    return type(parent) in _TARGETS and getattr(parent, "target", None) is node
