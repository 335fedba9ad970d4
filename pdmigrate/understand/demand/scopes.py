"""Names: where each is looked up, where an assignment puts it, and what modules have besides what they bind."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module

from pdmigrate.understand.demand.later import BUILTINS, changed_name, own_names
from pdmigrate.understand.demand.positions import END, Loaded
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.syntax import declared
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue
from pdmigrate.understand.values.core import NONE, OUTSIDE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import Scope, text_of
from pdmigrate.understand.values.outside import Called, External, ModuleValue, PathValue

_MAKING = ("install", "builtins", "__builtins__")  # names in programs that make builtins: ``gettext.install()``


@lru_cache(maxsize=50_000)
def outer_names(node: ast.AST) -> frozenset[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(declared(node.body)) if isinstance(node, kinds) else frozenset()


@lru_cache(maxsize=50_000)
def _global_names(node: ast.AST | None) -> frozenset[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return frozenset(declared(node.body, (ast.Global,))) if isinstance(node, kinds) else frozenset()


@lru_cache(maxsize=5_000)
def _makes_builtins(module: Module) -> bool:
    parts = ("id", "attr", "name", "value")
    return any(getattr(node, part, None) in _MAKING for node in module.nodes for part in parts)


def look_up(run: Run, name: str, scope: Scope) -> Value:
    """The value of a name as code in ``scope`` sees it.  Raises RaisedError if the name is certainly not bound."""
    found = find(run, name, scope)
    if found is None and name not in BUILTINS:
        if any(_makes_builtins(loaded.module) for loaded in run.program.loaded.values()):
            return run.risky(f"{name} may be a builtin that the program makes")
        raise RaisedError("builtins.NameError", f"{name} is not defined", run.site())
    if found is None:
        return Const(...) if name == "Ellipsis" else External(f"builtins.{name}")
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
        if visible and name in _global_names(inner.node):
            return find_global(run, name, run.program.loaded[scope.module.path].scope)
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
    if (loaded := run.program.loaded.get(module.path)) is None:
        return run.unsettled(f"{module.name} is not loaded")
    if name in module.bound or name in module.set_by_functions or name in scope.data:
        found = run.program.read(module.path, name)
        if found is not None and module.path.endswith("__init__.py") and is_replaced(run, loaded, name):
            return run.risky(f"{name} of a package, or its module")
        if found is not None:
            return changed_name(run, module, name) or found
    if (found := starred(run, loaded, name)) is not None:
        return run.program.caught_up(module.path, name, found)
    later = any(loaded.position(unit) >= run.program.position for unit in module.bound.get(name, ()))
    if later and name not in BUILTINS:
        return run.risky(f"{name} of {module.name}, which is being imported")
    return special_name(run, loaded, name)


def put(run: Run, name: str, value: Value, scope: Scope) -> None:
    """Bind a name in ``scope``, or where its ``global`` and ``nonlocal`` statements say."""
    target = scope
    while target.kind == "comprehension" and target.parent is not None:
        target = target.parent
    if target.node is not None and name in outer_names(target.node):
        target = _outer(run, target, name)
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
    why, is_bound = program.kept.get((scope.module.path, name), (None, False))
    if why is not None and (is_bound or isinstance(value, (ListValue, DictValue, SetValue))):
        value = unsettled(why, value)
    scope.data[name] = value
    program.bind(program.loaded[scope.module.path], name)


def _note(run: Run, scope: Scope, name: str) -> None:
    for region in run.regions:
        if region.kind == "raise":
            region.bound.setdefault(scope.place(name), set()).add(name)


def _outer(run: Run, scope: Scope, name: str) -> Scope:
    outer = scope.parent if name not in _global_names(scope.node) else run.program.loaded[scope.module.path].scope
    while outer is not None and outer.kind != "module":
        own = outer.node is not None and name in own_names(outer.node)  # perhaps not bound yet
        if outer.kind == "function" and (own or name in outer.data):
            return outer
        outer = outer.parent
    return outer or scope


_STARRED = frozenset(
    ("abc", "collections", "collections.abc", "contextlib", "dataclasses", "datetime", "enum", "functools", "itertools",
     "json", "math", "os", "os.path", "pathlib", "random", "re", "string", "struct", "sys", "time", "typing", "uuid")
)  # fmt: skip
"""Modules of Python whose names are looked up where pdmigrate runs; their import does nothing that can be noticed."""


def starred(run: Run, loaded: Loaded, name: str, asked: frozenset[str] = frozenset()) -> Value | None:
    """The value of a name that ``from module import *`` binds; ``None`` if none does."""
    module, tree = loaded.module, run.program.tree
    perhaps: Unknown | None = None
    for node in reversed(module.starred):
        target = tree.beside(module, node)
        if target is None and not name.startswith("_") and not hasattr(builtins, name):
            perhaps = perhaps or Unknown(f"{name} may come from {node.module}", OUTSIDE)
        elif target in run.program.loaded and target != module.path:
            units = (unit for unit in module.units if any(each is node for each, _ in unit.uses.imports))
            at, before = next((loaded.position(unit) for unit in units), run.program.position), run.program.position
            if at <= before:
                run.program.position = at
                found = exported(run, target, name, asked)
                run.program.position = before
                if found is not None:
                    return found
    return perhaps


def is_lacking(module: str, name: str) -> bool:
    """Whether a module of Python has no such name, where pdmigrate runs."""
    return module in _STARRED and not hasattr(import_module(module), name)


def exported(run: Run, path: str, name: str, asked: frozenset[str] = frozenset()) -> Value | None:
    """``name`` of a module of the program, if ``*`` stands for it, too; not of those ``asked`` for it already."""
    program = run.program
    loaded = program.loaded[path]
    if path in asked or (listed := _listed(run, loaded, name)) is False:
        return None
    found = program.read(path, name, handed_on=True) if name in loaded.module.bound else None
    found = found if found is not None else starred(run, loaded, name, asked | {path})
    inner = program.loaded.get(program.tree.member(path, name) or "") if found is None else None
    if inner is not None and inner.first <= program.position:
        found = ModuleValue(inner.module)  # which its import has put there
    if found is not None and listed is None and name.startswith("_"):
        return Unknown(f"{loaded.module.name} may not export {name}", OUTSIDE, loaded.module.site(None))
    return found


def _listed(run: Run, loaded: Loaded, name: str) -> bool | None:
    """Whether the ``__all__`` of a module has a name; without one, ``*`` stands for what has no underscore."""
    if "__all__" not in loaded.module.bound:
        return not name.startswith("_")
    known = run.program.read(loaded.module.path, "__all__")
    items: Sequence[Value] = known.items if isinstance(known, TupleValue) else [NONE]
    items = known.data if isinstance(known, ListValue) and known.exact else items
    texts = [text_of(item) for item in items]
    return True if name in texts else (None if None in texts else False)


def is_replaced(run: Run, loaded: Loaded, name: str) -> bool:
    """Whether a module inside a package was imported after the package has bound its name."""
    inner = run.program.tree.member(loaded.module.path, name)
    there = run.program.loaded.get(inner) if inner is not None else None
    return there is not None and loaded.bound.get(name, END) < there.first <= run.program.position


def imported_as(run: Run, module: Module) -> str:
    """The ``__name__`` of a module, which its functions and classes have as ``__module__``."""
    return "__main__" if run.program.main == module.path else module.name


def special_name(run: Run, loaded: Loaded, name: str) -> Value | None:
    """What Python itself binds in a module."""
    module = loaded.module
    if not name.startswith("__") or (name == "__path__" and not module.path.endswith("__init__.py")):
        return None
    unread = run.unsettled(f"{name} of {module.name}")
    known = {
        "__name__": Const(imported_as(run, module)),
        "__path__": Called("<path>", (ModuleValue(module),)),
        "__package__": Const(module.package) if module.package or run.program.main != module.path else unread,
        "__file__": PathValue(module.path),
        "__doc__": Const(ast.get_docstring(module.tree, clean=False)),
        **dict.fromkeys(("__annotations__", "__cached__", "__spec__", "__loader__"), unread),
    }
    return known.get(name)
