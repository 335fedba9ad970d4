"""``pkgutil``: the modules of a package of the tree, which programs list to import them one by one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.natives import declare, settled, unfit
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    IteratorValue,
    Origin,
    TupleValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.imports import module_at

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

_FIELDS = ("module_finder", "name", "ispkg")
DEEPEST = 10


def _listed(depth: int, run: Interpreter, arguments: Arguments) -> Value:
    """``iter_modules(path, prefix)``; with a ``depth``, ``walk_packages``, which imports the packages that it finds."""
    given = arguments.by_name(("path", "prefix"))
    folders = _folders(run, settled(given.get("path", NONE)))
    prefix = given.get("prefix", const(""))
    if (text := prefix.text) is None:
        raise unfit(prefix, "the prefix of modules", arguments.place)
    found = [module for folder in folders for module in _modules(run, folder, text, arguments, depth)]
    return IteratorValue(found, None, origin=Origin("the modules of a package", arguments.place))


declare({"pkgutil.iter_modules": partial(_listed, 0), "pkgutil.walk_packages": partial(_listed, DEEPEST)})


def _folders(run: Interpreter, path: Value) -> list[str]:
    if path.sequence is None:
        raise unfit(path, "the modules that can be imported", code=reasons.INPUT_OUTPUT)
    elements = spread(run, path)
    items = [item.as_path.path for item in elements.items if item.as_path is not None]
    if elements.uncertain is not None or len(items) != len(elements.items):
        raise NotPlain(elements.uncertain or reasons.unknown(reasons.UNSUPPORTED, "the folders of a package"))
    return items


def _modules(run: Interpreter, folder: str, prefix: str, arguments: Arguments, depth: int) -> Iterator[Value]:
    """The entries for one folder, sorted by name; with a ``depth``, entries inside a package follow its own entry."""
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
        if is_package and depth:
            inner = f"{folder}/{name}"
            module_at(run, f"{inner}/__init__.py", arguments.place)
            yield from _modules(run, inner, f"{prefix}{name}.", arguments, depth - 1)


def _is_module(name: str) -> bool:
    return name.endswith(".py") and name != "__init__.py" and name.removesuffix(".py").isidentifier()
