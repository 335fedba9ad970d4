"""What is in a folder of a package, as programs list it to import their own modules: ``os.listdir``, ``Path.glob``."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.values import (
    Arguments,
    Const,
    Guard,
    ListValue,
    Maybe,
    Origin,
    PathText,
    PathValue,
    UnknownValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

COMPILED = "__pycache__"


def as_path(value: Value) -> Value:
    """``value``, or the path whose text it is."""
    return value.of if isinstance(value, PathText) else value


def path_text(path: PathValue, unknown: Value) -> Value:
    """``str(path)``, whose text depends on where the program is installed: as ``unknown`` as its text is."""
    if not isinstance(unknown, UnknownValue):
        return unknown
    return PathText(unknown.reason, unknown.code, unknown.place, origin=unknown.origin, of=path)


def list_folder(run: Interpreter, arguments: Arguments) -> Value:
    """``os.listdir(path)``"""
    given = arguments.positional[0] if arguments.positional else arguments.keywords.get("path")
    folder = as_path(given) if given is not None else None
    if not isinstance(folder, PathValue):
        unknown = first_unknown(folder) if folder is not None else None
        return unknown or reasons.unknown(reasons.INPUT_OUTPUT, "os.listdir() asks the machine", arguments.place)
    return _listed(run, folder, arguments, "*", const)


def iterate(run: Interpreter, folder: PathValue, arguments: Arguments) -> Value:
    """``folder.iterdir()``"""
    return _listed(run, folder, arguments, "*", lambda name: PathValue(posixpath.join(folder.path, name)))


def match(run: Interpreter, folder: PathValue, arguments: Arguments) -> Value:
    """``folder.glob(pattern)``, of a pattern for names in the folder itself."""
    pattern = arguments.positional[0] if len(arguments.positional) == 1 and not arguments.keywords else None
    if not isinstance(pattern, Const) or not isinstance(pattern.value, str):
        return reasons.unknown(reasons.INPUT_OUTPUT, "glob() of a path depends on the files", arguments.place)
    if "/" in pattern.value or "**" in pattern.value or "\\" in pattern.value:
        return reasons.unknown(reasons.INPUT_OUTPUT, f"glob({pattern.value!r}) looks into folders", arguments.place)
    return _listed(run, folder, arguments, pattern.value, lambda name: PathValue(posixpath.join(folder.path, name)))


def is_folder(run: Interpreter, path: PathValue, arguments: Arguments) -> Value:
    """``path.is_dir()``"""
    if run.index.is_folder(path.path) or posixpath.basename(path.path) == COMPILED:
        return const(True)
    if run.index.is_file(path.path):
        return const(False)
    return reasons.unknown(reasons.INPUT_OUTPUT, f"whether {path.path} is a folder", arguments.place)


def _listed(
    run: Interpreter, folder: PathValue, arguments: Arguments, pattern: str, element: Callable[[str], Value]
) -> Value:
    """Modules and packages are there wherever the program is installed; of other files that is not certain."""
    if not folder.path or not run.index.is_folder(folder.path):
        # At the top of the tree stands, once it is installed, everything else that is installed.
        return reasons.unknown(reasons.INPUT_OUTPUT, "what is in a folder depends on the machine", arguments.place)
    items: list[Value] = []
    for name, certain in _names(run, folder.path):
        run.budget.step()
        if fnmatchcase(name, pattern):
            value = element(name)
            items.append(value if certain else Maybe(value, _guard(f"{folder.path}/{name}", arguments)))
    kind = "list" if element is const else "iterator"
    return ListValue(items, None, kind, origin=Origin("the files of a package", arguments.place))


def _names(run: Interpreter, folder: str) -> Iterator[tuple[str, bool]]:
    """Each name, and whether it is certainly there, in alphabetical order: the machine's own order is any."""
    names = {name.rstrip("/"): name.endswith("/") for name in run.index.names_in(folder)} | {COMPILED: True}
    for name in sorted(names):
        certain = _has_module(run, f"{folder}/{name}") if names[name] else name.endswith(".py")
        yield name, certain and name != COMPILED


def _has_module(run: Interpreter, folder: str) -> bool:
    return any(name.endswith(".py") for name in run.index.names_in(folder))


def _guard(path: str, arguments: Arguments) -> Guard:
    unknown = reasons.unknown(reasons.INPUT_OUTPUT, f"whether {path} is installed", arguments.place)
    return Guard(f"{path} is there", unknown, otherwise=f"{path} is not there")
