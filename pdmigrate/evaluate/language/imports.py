"""Import statements: modules of the tree are executed abstractly, everything else stays a name."""

from __future__ import annotations

import builtins
import sys
from importlib import import_module as import_library
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.natives import first_argument, known_name
from pdmigrate.evaluate.core.operations import STATEMENTS, get_attribute
from pdmigrate.evaluate.core.values import (
    Arguments,
    Choice,
    External,
    Guard,
    ModuleValue,
    Native,
    Place,
    Scope,
    Unbound,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.scopes import bind, executing_builtin, named, patched
from pdmigrate.sdk_names import absent, canonical, exported_names
from pdmigrate.tree.code.modules import SDK_PACKAGES
from pdmigrate.tree.code.syntax import dotted

GENERATED = "progressive_disclosure"
"""The prefix of the name of every generated module."""

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule


class NamespaceFolder(Value):
    """A package without ``__init__.py``."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path


_LAZY = tuple(each for name in ("LazyImport", "LazyImportFrom") if (each := getattr(cst, name, None)) is not None)
"""The statements of PEP 810, where the parser knows them."""


@STATEMENTS.of(*_LAZY)
def run_lazy_import(run: Interpreter, node: Any, frame: Frame) -> None:
    """``lazy import x``: a library's name is the same; whether a module of the tree is ever executed is not known."""
    for alias in node.names:
        name, place = dotted(alias.name), frame.place(alias)
        module = dotted(node.module) if getattr(node, "module", None) is not None else ""
        full = f"{module}.{name}" if module else name
        target = dotted(alias.asname.name) if alias.asname is not None else name.partition(".")[0]
        if getattr(node, "relative", ()) or run.index.find(module or name, frame.module.path) is not None:
            value: Value = reasons.unknown(reasons.UNSUPPORTED, f"{target} is imported lazily", place)
            run.doubt = run.doubt or UnknownValue(f"{full} is imported lazily", reasons.UNSUPPORTED, place)
        else:
            value = external(run, full if module or alias.asname is not None else target)
        bind(run, frame, target, value, place)


@STATEMENTS.of(cst.Import, cst.ImportFrom)
def run_import(run: Interpreter, node: cst.Import | cst.ImportFrom, frame: Frame) -> None:
    if isinstance(node, cst.Import):
        for alias in node.names:
            _import(run, alias, frame)
        return
    source = _generated(run, node) or _source(run, node, frame)
    if isinstance(node.names, cst.ImportStar):
        _star(run, source, frame, node)
        return
    for alias in node.names:
        name, place = dotted(alias.name), frame.place(alias)
        target = dotted(alias.asname.name) if alias.asname is not None else name
        _bind(run, frame, target, source, name, place)


def _bind(run: Interpreter, frame: Frame, target: str, source: Value, name: str, place: Place) -> None:
    """``from source import name as target``"""
    bind(run, frame, target, named(member(run, source, name, place), f"imported as {name}", place), place)


def _generated(run: Interpreter, node: cst.ImportFrom) -> Value | None:
    """The generated module, not executed, since only ``enable`` matters; ``None`` if ``node`` imports another."""
    name = dotted(node.module).rpartition(".")[2] if node.module is not None else ""
    return external(run, GENERATED) if name.startswith(GENERATED) else None


def _import(run: Interpreter, alias: cst.ImportAlias, frame: Frame) -> None:
    name, place = dotted(alias.name), frame.place(alias)
    parts = name.split(".")
    values = [import_module(run, ".".join(parts[: n + 1]), frame.module, place) for n in range(len(parts))]
    if alias.asname is not None:
        bind(run, frame, dotted(alias.asname.name), values[-1], place)
    else:
        bind(run, frame, parts[0], values[0], place)


def import_module(run: Interpreter, name: str, importer: SourceModule, place: Place | None) -> Value:
    """The module that ``import name`` gives in ``importer``."""
    path = run.index.find(name, importer.path)
    return _outside(run, name, place) if path is None else module_at(run, path, place)


def _outside(run: Interpreter, name: str, place: Place | None) -> Value:
    top = name.partition(".")[0]
    if top not in SDK_PACKAGES and top not in sys.stdlib_module_names:
        run.risk(reasons.unknown(reasons.OUTSIDE, f"whether {top} is installed", place), "import")
    _require_present(run, name)
    return external(run, name)


def _require_present(run: Interpreter, name: str) -> None:
    """Raise ModuleNotFoundError in the program if its version of ``mcp`` has no such module or name."""
    if name.startswith("mcp") and absent(run.versions, name):
        raise run.failure("ModuleNotFoundError", f"{name} is not in this version of mcp")


def module_at(run: Interpreter, path: str, place: Place | None) -> Value:
    """The module or namespace package at ``path``, executed after the packages around it."""
    if path.endswith("/"):
        return NamespaceFolder(path.rstrip("/"))
    try:
        _run_packages(run, path)
        return ModuleValue(run.run_module(path).module)
    except SourceError as error:
        unknown = reasons.unknown(reasons.UNSUPPORTED, str(error), place)
        run.risk(unknown, "import")
        return unknown


def _run_packages(run: Interpreter, path: str) -> None:
    parts = path.split("/")[:-1]
    for count in range(1, len(parts) + 1):
        package = "/".join((*parts[:count], "__init__.py"))
        if package != path and run.index.is_file(package) and package not in run.modules:
            run.run_module(package)


def _source(run: Interpreter, node: cst.ImportFrom, frame: Frame) -> Value:
    name = dotted(node.module) if node.module is not None else ""
    place = frame.place(node)
    if not node.relative:
        return import_module(run, name, frame.module, place)
    path = run.index.relative(frame.module, len(node.relative), name)
    if path is None:
        unknown = reasons.unknown(reasons.OUTSIDE, f"{'.' * len(node.relative)}{name} is not in the tree", place)
        run.risk(unknown, "import")
        return unknown
    return module_at(run, path, place)


def member(run: Interpreter, source: Value, name: str, place: Place | None) -> Value:
    """``from source import name``"""
    if isinstance(source, External):
        _require_present(run, f"{source.name}.{name}")
        return external(run, f"{source.name}.{name}")
    if isinstance(source, NamespaceFolder):
        found = _below(run, source.path, name, place)
        return found or reasons.unknown(reasons.OUTSIDE, f"{name} is not in {source.path}", place)
    if isinstance(source, ModuleValue):
        executed = run.run_module(source.module.path)
        scope = executed.scope
        child = submodule(run, source.module, name, place) if name not in scope.names else None
        if child is not None:
            return child
        if executed.done and scope.rest is None and scope.names.keys().isdisjoint((name, "__getattr__")):
            raise run.failure("ImportError", f"cannot import name {name} from {source.module.name}")
    return get_attribute(run, source, name, place)


def submodule(run: Interpreter, package: SourceModule, name: str, place: Place | None) -> Value | None:
    if not package.is_package:
        return None
    return _below(run, package.path.rpartition("/")[0], name, place)


def _below(run: Interpreter, folder: str, name: str, place: Place | None) -> Value | None:
    base = f"{folder}/{name}" if folder else name
    for path in (f"{base}/__init__.py", f"{base}.py"):
        if run.index.is_file(path):
            return module_at(run, path, place)
    return NamespaceFolder(base) if run.index.is_folder(base) else None


def _star(run: Interpreter, source: Value, frame: Frame, node: cst.ImportFrom) -> None:
    place = frame.place(node)
    if not isinstance(source, ModuleValue):
        library = source.library_name
        if library in _PLAIN:
            for known in _public(library):
                bind(run, frame, known, external(run, f"{library}.{known}"), place)
            return
        reason = f"it may come from {library or 'a module that is not known'} by a star import"
        run.trail.touch(frame.scope)
        frame.scope.rest = frame.scope.rest or reasons.unknown(reasons.OUTSIDE, reason, place)
        for known in exported_names(library) if library else ():
            bind(run, frame, known, external(run, f"{library}.{known}"), place)
        return
    scope = run.run_module(source.module.path).scope
    names, rest = _exported(scope, place)
    if rest is not None and scope.rest is None:
        _bind_perhaps(run, scope, frame, rest, place)
        rest = None
    for name in names:
        _bind(run, frame, name, source, name, place)
    if rest is not None and frame.scope.rest is None:
        run.trail.touch(frame.scope)
        frame.scope.rest = rest


def _exported(scope: Scope, place: Place) -> tuple[list[str], UnknownValue | None]:
    """The names that a star import of a module binds, and why it may bind others."""
    exported = scope.names.get("__all__")
    if exported is None:
        return [name for name in scope.names if not name.startswith("_")], scope.rest
    elements = exported.sequence or ()
    names = [text for item in elements if (text := item.text) is not None]
    if exported.sequence is None or len(names) < len(elements):
        unknown = first_unknown(exported, *elements) or reasons.unknown(reasons.UNSUPPORTED, "__all__", place)
        return names, UnknownValue(f"a star import may bind it: {unknown.reason}", unknown.code, place)
    return names, exported.rest or scope.rest


def _bind_perhaps(run: Interpreter, scope: Scope, frame: Frame, unknown: UnknownValue, place: Place) -> None:
    """Bind what a star import may bind where ``__all__`` is not known: names of the module, and no others."""
    guard = Guard("__all__ names it", unknown, otherwise="__all__ does not name it")
    for name, value in scope.names.items():
        known = frame.scope.names.get(name)
        if known is None and hasattr(builtins, name):
            known = unknown
        if value.is_bound and known is not value and not name.startswith("__"):
            bind(run, frame, name, Choice(guard, value, known or Unbound()), place)


_PLAIN = frozenset(
    {"typing", "os", "os.path", "pathlib", "datetime", "enum", "dataclasses", "collections", "collections.abc", "json"}
    | {"re", "math", "abc", "functools", "itertools", "time", "random", "decimal", "fractions", "string", "uuid"}
    | {"logging", "asyncio", "contextlib", "typing_extensions"}
)
"""Modules whose public names are the same in all versions of Python, as far as programs use them by a star import."""


def _public(library: str) -> list[str]:
    """The names that a star import of a module of the standard library binds."""
    module = import_library(library)
    return list(getattr(module, "__all__", None) or (name for name in vars(module) if not name.startswith("_")))


def external(run: Interpreter, name: str) -> Value:
    """The value of a name from outside the tree: what the evaluator knows under it, or an ``External``."""
    name = canonical(name)
    if name == f"{GENERATED}.enable":
        return Native(name, first_argument)  # ``enable(server, ...)`` returns the server
    if name in run.patched.names:
        return patched(run, name)
    return known_name(name) or executing_builtin(name) or External(name)


def any_import(run: Interpreter, unknown: UnknownValue, arguments: Arguments) -> UnknownValue:
    """Note that unknown code runs, which may register anything, itself or through other code; return the reason."""
    doubt = UnknownValue(f"a module that is not known is imported: {unknown.reason}", unknown.code, arguments.place)
    run.doubt = run.doubt or doubt
    run.risk(doubt)
    return doubt
