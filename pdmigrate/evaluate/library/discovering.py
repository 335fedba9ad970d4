"""``pkgutil``: the modules of a package of the tree, which programs list to import them one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    IteratorValue,
    Origin,
    PathValue,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.imports import module_at
from pdmigrate.evaluate.library.folders import as_path

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_FIELDS = ("module_finder", "name", "ispkg")
DEEPEST = 10


def iter_modules(run: Interpreter, arguments: Arguments) -> Value:
    """``pkgutil.iter_modules(path, prefix)``"""
    return _listed(run, arguments, deep=False)


def walk_packages(run: Interpreter, arguments: Arguments) -> Value:
    """``pkgutil.walk_packages(path, prefix)``, which imports the packages that it finds."""
    return _listed(run, arguments, deep=True)


def _listed(run: Interpreter, arguments: Arguments, *, deep: bool) -> Value:
    given = arguments.by_name(("path", "prefix"))
    folders = _folders(run, given.get("path", NONE))
    prefix = given.get("prefix", const(""))
    if isinstance(folders, UnknownValue):
        return folders
    if (text := prefix.text) is None:
        return first_unknown(prefix) or reasons.unknown(reasons.UNSUPPORTED, "the prefix of modules", arguments.place)
    found: list[Value] = []
    for folder in folders:
        found += _modules(run, folder, text, arguments, deep=deep, depth=0)
    return IteratorValue(found, None, origin=Origin("the modules of a package", arguments.place))


def _folders(run: Interpreter, path: Value) -> list[str] | UnknownValue:
    unknown = first_unknown(path)
    if unknown is not None:
        return unknown
    if path.sequence is None:
        return reasons.unknown(reasons.INPUT_OUTPUT, "the modules that can be imported")
    elements = spread(run, path)
    items = [item.path for item in map(as_path, elements.items) if isinstance(item, PathValue)]
    if elements.uncertain is not None or len(items) != len(elements.items):
        return elements.uncertain or reasons.unknown(reasons.UNSUPPORTED, "the folders of a package")
    return items


def _modules(
    run: Interpreter, folder: str, prefix: str, arguments: Arguments, *, deep: bool, depth: int
) -> Iterator[Value]:
    """The entries for one folder, sorted by name; if ``deep``, the entries inside a package follow the package's."""
    names = {name.removesuffix(".py"): name for name in sorted(run.index.names_in(folder)) if _is_module(name)}
    packages = {
        name.rstrip("/")
        for name in run.index.names_in(folder)
        if name.endswith("/") and run.index.is_file(f"{folder}/{name}__init__.py")
    }
    for name in sorted({*names, *packages}):
        run.budget.step()
        is_package = name in packages
        entry: tuple[Value, ...] = (NONE, const(f"{prefix}{name}"), const(is_package))
        yield TupleValue(entry, _FIELDS)
        if deep and is_package and depth < DEEPEST:
            inner = f"{folder}/{name}"
            module_at(run, f"{inner}/__init__.py", arguments.place)
            yield from _modules(run, inner, f"{prefix}{name}.", arguments, deep=deep, depth=depth + 1)


def _is_module(name: str) -> bool:
    return name.endswith(".py") and name != "__init__.py" and name.removesuffix(".py").isidentifier()


FUNCTIONS = {
    "pkgutil.iter_modules": iter_modules,
    "pkgutil.walk_packages": walk_packages,
}
