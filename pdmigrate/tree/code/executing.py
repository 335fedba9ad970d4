"""Which files a command may execute, judged by import statements before anything is evaluated.

A project may have a dozen commands of which one starts a server.  Without this, each of them would be followed to
its end for every file of servers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pdmigrate.errors import SourceError
from pdmigrate.tree.code.users import imported_by

if TYPE_CHECKING:
    from pdmigrate.tree.code.modules import ModuleIndex

_COMPUTED = re.compile(
    rb"\b(?:import_module|__import__|exec_module|load_module|module_from_spec|spec_from_file_location|resolve_name"
    rb"|runpy|pkgutil|entry_points)\b|\bexec[ \t]*\("
)
"""How a file may execute another one without an import statement that names it."""
_DELAYED = re.compile(rb"^[ \t]+(?:from|import)\b", re.MULTILINE)


def may_execute(index: ModuleIndex, module: str, function: str, path: str) -> bool:
    """Whether a command that calls ``function`` of ``module`` may execute the file at ``path``.

    Everything that an executed file imports anywhere is taken to be executed; of the imports in the command's own
    module, only those outside functions or in functions that the command may call count.  A computed import may execute
    any file.
    """
    start = index.find(module, "pyproject.toml")
    if start is None or start.endswith("/"):
        return False
    try:
        imported = imported_by(index, start)
        if not _reaches(index, start, path, imported):
            return False
        when_called = _imported_when_called(index, start, function)
        return when_called == imported or _reaches(index, start, path, when_called)
    except (SourceError, SyntaxError, ValueError, RecursionError, MemoryError):
        return True  # the file that cannot be read is reported where it is executed


def _reaches(index: ModuleIndex, start: str, path: str, imported: Iterable[str]) -> bool:
    """Whether executing ``start``, which imports ``imported``, may lead to executing the file at ``path``."""
    # A string may name the module, for a function that imports it: ``uvicorn.run("package.server:app")``.
    as_text = re.compile(rb"""["']%s\b""" % re.escape(index.dotted_name(path).encode()))
    found, waiting = {start}, [start]
    while waiting:
        file = waiting.pop()
        if file == path:
            return True
        raw = index.at(file).source.raw
        if _COMPUTED.search(raw) or as_text.search(raw) or not index.whole.mentions(file, raw).readable:
            return True
        following = imported if file == start else imported_by(index, file)
        if start in following:
            # Other code imports the command's module, and may call any function of it.
            following, imported = (*following, *imported_by(index, start)), imported_by(index, start)
        new = {each for one in (file, *following) for each in (one, *_packages(index, one)) if not each.endswith("/")}
        waiting += new - found
        found |= new
    return False


def _packages(index: ModuleIndex, file: str) -> Iterator[str]:
    """The ``__init__.py`` files that are executed before a module of their packages is."""
    for folder in PurePosixPath(file).parents:
        path = str(folder / "__init__.py")
        if not index.is_file(path):
            break
        yield path


def _imported_when_called(index: ModuleIndex, file: str, function: str) -> frozenset[str]:
    """The files that a module may import when it is executed and ``function`` is called."""
    raw = index.at(file).source.raw
    if not _DELAYED.search(raw):
        return imported_by(index, file)
    tree = ast.parse(raw)
    functions: dict[str, list[ast.AST]] = {}
    executed: list[ast.AST] = []
    waiting = [part for node in tree.body for part in _when_defined(node, functions)]
    named = {function.partition(".")[0], *_UNNAMED}
    while waiting or not named.isdisjoint(functions):
        waiting += [node for name in named & functions.keys() for node in functions.pop(name)]
        for node in ast.walk(waiting.pop()):
            executed.append(node)
            named |= _names(node)
        if not named.isdisjoint(_BY_TEXT):
            return imported_by(index, file)
    return imported_by(index, file, [node for node in executed if isinstance(node, (ast.Import, ast.ImportFrom))])


_BY_TEXT = ("globals", "locals", "vars", "modules", "__dict__")
"""Names by which a module may look up its functions under computed names."""
_UNNAMED = ("__getattr__", "__dir__")
"""Functions of a module that Python calls although nothing names them."""
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _when_defined(node: ast.stmt, later: dict[str, list[ast.AST]]) -> Iterator[ast.AST]:
    """What of a statement runs with its module; functions and classes are noted by name for ``later``, as a whole."""
    # A decorator may hand its function to whatever calls it.
    if not isinstance(node, _DEFINITIONS) or node.decorator_list:
        yield node
        return
    later.setdefault(node.name, []).append(node)
    if isinstance(node, ast.ClassDef):
        yield from (*node.bases, *node.keywords)
        for inner in node.body:
            yield from _when_defined(inner, later)
    else:
        yield from (node.args, *([node.returns] if node.returns is not None else []))


def _names(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return {name}
    return set()
