"""What modules have besides the names that their statements bind: those of ``from module import *``, and Python's."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from importlib import import_module

from pdmigrate.sdk.names import canonical, exported_names
from pdmigrate.understand.demand.positions import Loaded
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.values.containers import ListValue
from pdmigrate.understand.values.core import NONE, OUTSIDE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.objects import text_of
from pdmigrate.understand.values.outside import Called, External, ModuleValue, PathValue

_STARRED = frozenset(
    ("abc", "collections", "collections.abc", "contextlib", "dataclasses", "datetime", "enum", "functools", "itertools",
     "json", "math", "os", "os.path", "pathlib", "random", "re", "string", "struct", "sys", "time", "typing", "uuid")
)  # fmt: skip
"""Modules of Python whose names are looked up where pdmigrate runs; their import does nothing that can be noticed."""


def starred(run: Run, loaded: Loaded, name: str) -> Value | None:
    """The value of a name that ``from module import *`` binds; ``None`` if none does."""
    module, tree = loaded.module, run.program.tree
    perhaps: Unknown | None = None
    for node in reversed(module.starred):
        target = tree.beside(module, node)
        found: Value | None = None
        if target is None:
            found = _of_library(canonical(node.module or ""), name)
        elif target in run.program.loaded and target != module.path:
            units = (unit for unit in module.units if any(each is node for each, _ in unit.uses.imports))
            at, before = next((loaded.position(unit) for unit in units), run.program.position), run.program.position
            if at <= before:
                run.program.position = at
                found = exported(run, target, name)
                run.program.position = before
        if isinstance(found, Unknown) and target is None:
            perhaps = perhaps or found
        elif found is not None:
            return found
    return perhaps


def _of_library(module: str, name: str) -> Value | None:
    if name in exported_names(module):
        return External(canonical(f"{module}.{name}"))
    if module in _STARRED:
        real = import_module(module)
        public = getattr(real, "__all__", None) or [each for each in vars(real) if not each.startswith("_")]
        return External(canonical(f"{module}.{name}")) if name in public else None
    known = name.startswith("_") or hasattr(builtins, name)
    return None if known else Unknown(f"{name} may come from {module}", OUTSIDE)


def is_lacking(module: str, name: str) -> bool:
    """Whether a module of Python has no such name, where pdmigrate runs."""
    return module in _STARRED and not hasattr(import_module(module), name)


def exported(run: Run, path: str, name: str) -> Value | None:
    """``name`` of a module of the program, if ``*`` stands for it, too."""
    program = run.program
    loaded = program.loaded[path]
    if (path, name) in program.looking:
        return None
    program.looking.add((path, name))
    try:
        listed = _listed(run, loaded, name)
        if listed is False:
            return None
        found = program.read(path, name, handed_on=True) if name in loaded.module.bound else None
        found = found if found is not None else starred(run, loaded, name)
        inner = program.loaded.get(program.tree.member(path, name) or "") if found is None else None
        if inner is not None and inner.first <= program.position:
            found = ModuleValue(inner.module)  # which its import has put there
        if found is not None and listed is None and name.startswith("_"):
            return Unknown(f"{loaded.module.name} may not export {name}", OUTSIDE, loaded.module.site(None))
        return found
    finally:
        program.looking.discard((path, name))


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
    bound = [at for at, _ in loaded.history.get(name, ()) if at <= run.program.position]
    return there is not None and bool(bound) and bound[-1] < there.first <= run.program.position


def imported_as(run: Run, module: Module) -> str:
    """The ``__name__`` of a module, which its functions and classes have as ``__module__``."""
    return "__main__" if run.program.main == module.path else module.name


def special_name(run: Run, loaded: Loaded, name: str) -> Value | None:
    """What Python itself binds in a module."""
    module = loaded.module
    if not name.startswith("__"):
        return None
    if name == "__name__":
        return Const(imported_as(run, module))
    if name == "__path__" and module.path.endswith("__init__.py"):
        return Called("<path>", (ModuleValue(module),))
    if name in ("__annotations__", "__cached__", "__spec__", "__loader__"):
        return run.unsettled(f"{name} of {module.name}")
    known_package = bool(module.package) or run.program.main != module.path
    known = {
        "__package__": Const(module.package) if known_package else run.unsettled("the package of a script"),
        "__file__": PathValue(module.path),
        "__doc__": Const(ast.get_docstring(module.tree, clean=False)),
    }
    return known.get(name)
