"""``importlib``: package data, and all ways to import by a call (``__import__``, ``runpy``, loaders, ``exec``)."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.natives import NAMES, Function, native
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    Const,
    Executing,
    ModuleValue,
    PathValue,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.imports import any_import, import_module, module_at
from pdmigrate.knowledge.library.pathlib import io, join_path, read_text

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@native("importlib.import_module")
def _import_module(run: Interpreter, arguments: Arguments) -> Value:
    """``importlib.import_module(name, package)``"""
    given = arguments.by_name(("name", "package"))
    name = given.get("name", NONE)
    if (text := name.text) is None or arguments.place is None:
        return _not_known(run, name, arguments)
    if not text.startswith("."):
        return _imported(run, text, arguments)[-1]
    return _relative(run, text, given.get("package", NONE), arguments)


def import_top(run: Interpreter, arguments: Arguments) -> Value:
    """``__import__(name)``, which returns the topmost package, or with a ``fromlist`` the module of that name."""
    given = arguments.by_name(("name", "globals", "locals", "fromlist", "level"))
    name, level = given.get("name", NONE), given.get("level", Const(0))
    if (text := name.text) is None or level.number != 0 or arguments.place is None:
        return _not_known(run, name, arguments)
    parts = _imported(run, text, arguments)
    wanted = given.get("fromlist", NONE)
    if wanted.scalar is not None and not wanted.scalar.value:
        return parts[0]
    return first_unknown(wanted) or parts[-1]


def _imported(run: Interpreter, name: str, arguments: Arguments) -> list[Value]:
    """Import a module after the packages that it is in; return them all, the module last."""
    assert arguments.place is not None
    parts, importer = name.split("."), arguments.place.module
    return [import_module(run, ".".join(parts[: n + 1]), importer, arguments.place) for n in range(len(parts))]


def _relative(run: Interpreter, name: str, package: Value, arguments: Arguments) -> Value:
    assert arguments.place is not None
    if package.scalar is None:
        return _not_known(run, package, arguments)
    importer, rest = arguments.place.module, name.lstrip(".")
    level = len(name) - len(rest)
    if package.text != importer.package:
        return _imported(run, _absolute(run, rest, level, package.text), arguments)[-1]
    path = run.index.relative(importer, level, rest)
    if path is None:
        raise run.failure("ModuleNotFoundError", name)
    return module_at(run, path, arguments.place)


def _absolute(run: Interpreter, name: str, level: int, package: str | None) -> str:
    """The absolute name of a relative name in a package, by the rule of ``importlib.util.resolve_name``."""
    if not package:
        raise run.failure("TypeError", "the 'package' argument is required to perform a relative import")
    parts = package.split(".")
    if level > len(parts):
        raise run.failure("ImportError", "attempted relative import beyond top-level package")
    return ".".join([*parts[: len(parts) - level + 1], *([name] if name else [])])


def _not_known(run: Interpreter, value: Value, arguments: Arguments) -> UnknownValue:
    unknown = first_unknown(value) or reasons.unknown(reasons.UNSUPPORTED, "import_module()", arguments.place)
    return any_import(run, unknown, arguments)


# --- code that is not followed ----------------------------------------------------------------------------------------


def _executes(name: str) -> Function:
    """The implementation of a function that executes a file, or makes an object that will execute one."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        return any_import(run, reasons.unknown(reasons.UNSUPPORTED, f"{name}()", arguments.place), arguments)

    return call


def executed(name: str) -> Function:
    """The implementation of ``exec`` or ``eval`` of code that is not followed: it may change all of its arguments."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"{name}() cannot be followed", arguments.place)
        poison_arguments(run, arguments, unknown)
        return any_import(run, unknown, arguments)

    return call


_EXECUTE = (
    "code.InteractiveConsole",
    "code.InteractiveInterpreter",
    "imp.load_module",
    "imp.load_source",
    "importlib.metadata.entry_points",
    "importlib.reload",
    "importlib.util.module_from_spec",
    "importlib.util.spec_from_file_location",
    "importlib.machinery.SourceFileLoader",
    "importlib_metadata.entry_points",
    "pkg_resources.iter_entry_points",
    "pkg_resources.load_entry_point",
    "pkgutil.resolve_name",
    "pydoc.locate",
    "runpy.run_module",
    "runpy.run_path",
    "site.addsitedir",
    "stevedore.DriverManager",
    "stevedore.EnabledExtensionManager",
    "stevedore.ExtensionManager",
    "stevedore.NamedExtensionManager",
    "timeit.repeat",
    "timeit.timeit",
    "zipimport.zipimporter",
)
NAMES.update({name: Executing(name, _executes(name)) for name in _EXECUTE})


# --- package data -----------------------------------------------------------------------------------------------------


@native("importlib.resources.files")
def _files(run: Interpreter, arguments: Arguments) -> Value:
    """``importlib.resources.files(package)``"""
    package = arguments.first
    path: str | None = None
    if isinstance(package, ModuleValue):
        path = package.module.path
    elif (name := package.text) is not None and arguments.place is not None:
        path = run.index.find(name, arguments.place.module.path)
    if path is None:
        return first_unknown(package) or io("data of a package outside the tree", run, arguments.place)
    return PathValue(path.rstrip("/") if path.endswith("/") else posixpath.dirname(path))


@native("importlib.resources.read_text")
def _read_text(run: Interpreter, arguments: Arguments) -> Value:
    """``importlib.resources.read_text(package, name)``"""
    folder = _files(run, arguments._replace(positional=arguments.positional[:1]))
    if folder.as_path is None or len(arguments.positional) < 2:
        return first_unknown(folder) or io("package data", run, arguments.place)
    path = join_path(run, folder.as_path, arguments.positional[1])
    return read_text(run, path.as_path, arguments, first=2) if path.as_path is not None else path
