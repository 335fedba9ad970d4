"""Names: where each is looked up, and where an assignment puts it."""

from __future__ import annotations

import ast
from functools import lru_cache

from pdmigrate.understand.demand import stars
from pdmigrate.understand.demand.later import BUILTINS, changed_name, own_names
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.index.syntax import declared
from pdmigrate.understand.values.containers import IteratorValue
from pdmigrate.understand.values.core import Const, Maybe, Unknown, Value
from pdmigrate.understand.values.objects import Scope, text_of
from pdmigrate.understand.values.outside import External


@lru_cache(maxsize=50_000)
def outer_names(node: ast.AST) -> frozenset[str]:
    return frozenset(declared(node.body)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else frozenset()


def look_up(run: Run, name: str, scope: Scope) -> Value:
    """The value of a name as code in ``scope`` sees it.

    Raises:
        RaisedError: the name is certainly not bound.
    """
    found = find(run, name, scope)
    if found is None:
        return _builtin(run, name)
    if isinstance(found, Maybe):
        run.risk = True
        # Python looks no further for a name of a function, nor for one of a module unless it is a builtin's.
        elsewhere = name in BUILTINS or (scope.kind == "class" and name in scope.data)
        return found.why if elsewhere and not isinstance(found.value, Unknown) else found.value
    return found


def find(run: Run, name: str, scope: Scope) -> Value | None:
    """The value of a name that the program binds; a ``Maybe`` if only some paths bind it; ``None`` if none does."""
    inner: Scope | None = scope
    while inner is not None and inner.kind != "module":
        visible = inner.kind != "class" or inner is scope
        if visible and name in inner.data:
            return inner.data[name]
        if visible and inner.rest is not None:
            return inner.rest
        if inner.kind == "function" and inner.node is not None and name in own_names(inner.node):
            raise RaisedError("builtins.UnboundLocalError", f"{name} is not bound yet", run.site())
        inner = inner.parent
    return find_global(run, name, inner or scope)


def qualified(run: Run, scope: Scope, name: str) -> Value:
    """The ``__qualname__`` of a function or a class that code in ``scope`` defines."""
    if scope.kind == "module":
        return Const(name)
    outer = scope.data.get("__qualname__") if scope.kind == "class" else None
    inside = scope.kind == "function" and scope.node is not None and name not in outer_names(scope.node)
    if inside and scope.parent is not None:  # Python leaves the function out where the name is a global one
        outer = qualified(run, scope.parent, getattr(scope.node, "name", "<lambda>"))
    text, between = text_of(outer), "." if scope.kind == "class" else ".<locals>."
    return run.unsettled("a qualified name") if text is None else Const(f"{text}{between}{name}")


def find_global(run: Run, name: str, scope: Scope) -> Value | None:
    module = scope.module
    loaded = run.program.loaded.get(module.path)
    if loaded is None:
        return run.unsettled(f"{module.name} is not loaded")
    if name in module.bound or name in module.set_by_functions or name in scope.data:
        found = run.program.read(module.path, name)
        if found is not None and module.path.endswith("__init__.py") and stars.is_replaced(run, loaded, name):
            return run.risky(f"{name} of a package, or its module")
        if found is not None:
            return changed_name(run, module, name) or found
    if (found := stars.starred(run, loaded, name)) is not None:
        return run.program.caught_up(module.path, name, found)
    later = any(loaded.position(unit) >= run.program.position for unit in module.bound.get(name, ()))
    if later and name not in BUILTINS:
        return run.risky(f"{name} of {module.name}, which is being imported")
    return stars.special_name(run, loaded, name)


def _builtin(run: Run, name: str) -> Value:
    if name == "Ellipsis":
        return Const(...)
    if name in BUILTINS:
        return External(f"builtins.{name}")
    raise RaisedError("builtins.NameError", f"{name} is not defined", run.site())


def put(run: Run, name: str, value: Value, scope: Scope) -> None:
    """Bind a name in ``scope``, or where its ``global`` and ``nonlocal`` statements say."""
    target = scope
    if scope.kind == "function" and scope.node is not None and name in outer_names(scope.node):
        target = _outer(scope, name)
    while target.kind == "comprehension" and target.parent is not None:
        target = target.parent
    if target.kind == "module":
        set_global(run, target, name, value)
        return
    _note(run, target, name)
    run.journal.touch(target)
    target.data[name] = value


def set_global(run: Run, scope: Scope, name: str, value: Value) -> None:
    program = run.program
    if name in scope.module.bound:
        program.advance((scope.module.path, name), program.position)  # what comes earlier is bound first
    _note(run, scope, name)
    late = isinstance(value, IteratorValue) and value.is_late
    run.journal.touch(scope.place(name))
    if isinstance(value, IteratorValue) and not late:
        value.seen = value.work.changes  # to give it a name changes nothing of what it goes through
    scope.data[name] = value
    program.bind(program.loaded[scope.module.path], name, value)


def _note(run: Run, scope: Scope, name: str) -> None:
    for region in run.regions:
        if region.kind == "raise":
            region.bound.setdefault(scope.place(name), set()).add(name)


def _outer(scope: Scope, name: str) -> Scope:
    outer = scope.parent
    while outer is not None and outer.kind != "module":
        if outer.kind == "function" and name in outer.data:
            return outer
        outer = outer.parent
    return outer or scope
