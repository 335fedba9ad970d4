"""Servers whose constructor is not called by its name in the file that imports it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.language.imports import dotted
from pdmigrate.evaluate.servers.driving import CallSite, call_sites
from pdmigrate.evaluate.tree.mentions import mentions_of
from pdmigrate.evaluate.tree.modules import SDK_PACKAGES
from pdmigrate.evaluate.tree.syntax import last_name

if TYPE_CHECKING:
    from pdmigrate.evaluate import World
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.tree.modules import SourceModule


def passed_on(module: SourceModule, names: frozenset[str]) -> bool:
    """Whether a class is handed on as a value: ``make = Server``, ``partial(Server, "x")``, ``{"x": sdk.Server}``."""
    return any(_is_handed_on(module, node) for name in names for node in module.outline.names.get(name, ()))


def _is_handed_on(module: SourceModule, node: cst.Name) -> bool:
    value: cst.CSTNode = node
    parent = module.outline.parents[node]
    if isinstance(parent, cst.Attribute) and parent.attr is node:
        value, parent = parent, module.outline.parents[parent]
    if isinstance(parent, (cst.AnnAssign, cst.Return)):
        return parent.value is value
    if isinstance(parent, cst.Param):
        return parent.default is value
    if isinstance(parent, cst.Arg):
        return isinstance(module.outline.parents[parent], cst.Call)
    return isinstance(parent, (cst.Assign, cst.DictElement, cst.Element))


def of_other_library(world: World, module: SourceModule, site: CallSite) -> bool:
    """Whether a call is certainly one of a library that is no SDK (``uvicorn.Server(...)``).

    So it is where all that the module does with the name is to import it, and to use what it is.
    """
    root: cst.BaseExpression = site.node.func
    while isinstance(root, (cst.Attribute, cst.Subscript)):
        root = root.value
    if not isinstance(root, cst.Name):
        return False
    imported = [alias for node in module.outline.names[root.value] for alias in _import_of(module, node)]
    return bool(imported) and all(
        _is_used(module, node) or any(_is_foreign(world, module, alias) for alias in _import_of(module, node))
        for node in module.outline.names[root.value]
    )


def _import_of(module: SourceModule, node: cst.CSTNode) -> Iterator[cst.ImportAlias]:
    """The import that a name stands in, as one of the parts of what is imported or as what it is called here."""
    around = module.outline.above(node)
    return (item for item in around if isinstance(item, cst.ImportAlias))


def _is_used(module: SourceModule, node: cst.Name) -> bool:
    """Whether a name is called, looked into or an annotation here: it is neither bound nor handed on."""
    parent = module.outline.parents[node]
    if isinstance(parent, cst.Attribute):
        around = module.outline.parents[parent]
        inside_import = any(True for _ in _import_of(module, node))
        return not inside_import and not isinstance(around, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Del))
    return isinstance(parent, (cst.Call, cst.Annotation))


def _is_foreign(world: World, module: SourceModule, alias: cst.ImportAlias) -> bool:
    statement = module.outline.parents[alias]
    if isinstance(statement, cst.Import):
        dotted = module.code(alias.name)
    elif isinstance(statement, cst.ImportFrom) and statement.module is not None and not statement.relative:
        dotted = module.code(statement.module)
    else:
        return False
    return dotted.partition(".")[0] not in SDK_PACKAGES and world.index.find(dotted, module.path) is None


def made_sites(run: Interpreter, module: SourceModule, known: list[CallSite]) -> Iterator[CallSite]:
    """The other calls of a module that made a server while it was executed."""
    nodes = {site.node for site in known}
    for server in run.servers:
        place = server.place
        if place is None or place.module is not module or place.node in nodes or not isinstance(place.node, cst.Call):
            continue
        nodes.add(place.node)
        around = [n for n in module.outline.above(place.node) if isinstance(n, (cst.FunctionDef, cst.ClassDef))]
        yield CallSite(place.node, tuple(reversed(around)))


def calls_elsewhere(
    world: World, module: SourceModule, names: frozenset[str]
) -> Iterator[tuple[SourceModule, list[CallSite]]]:
    """Calls in other modules of what they import from ``module``: the SDK's server, or a class derived from it."""
    derived = {node.name.value for node in module.outline.classes if node.name.value in names}
    handed_on = names - derived if _importable(module) else frozenset()
    may = world.glances.importing(module.path) if names and module.name.rpartition(".")[2].isidentifier() else ()
    for path in world.files if may else ():
        if path == module.path or path not in may or _is_test(path):
            continue
        try:
            raw = world.index.at(path).source.raw
            # A file that names the SDK itself is asked for its own servers when its turn comes.
            wanted = derived if b"mcp.server" in raw else derived | handed_on
            if not _may_import(raw, module, wanted):
                continue
            other = world.index.at(path)
            called = frozenset(_imported(world, other, module, wanted))
            sites = list(call_sites(other, called)) if called else []
        except SourceError:
            continue  # said about that file when its turn comes
        if sites:
            yield other, sites


def _importable(module: SourceModule) -> bool:
    return any(isinstance(statement, cst.ImportFrom) for statement in module.outline.imports)


def _may_import(raw: bytes, module: SourceModule, names: Iterable[str]) -> bool:
    """A cheap look: whether a file imports from a module of that name, and holds one of ``names``."""
    if not any(name.encode() in raw for name in names):
        return False
    last = module.name.rpartition(".")[2]
    return re.search(rb"\b(?:from|import)[ \t]+[.\w]*(?:\b%s\b|\.[ \t]+import\b)" % last.encode(), raw) is not None


@cache
def _is_test(path: str) -> bool:
    file = PurePosixPath(path)
    return file.name.startswith("test_") or file.name == "conftest.py" or "tests" in file.parts


def _imported(world: World, other: SourceModule, module: SourceModule, names: set[str]) -> Iterator[str]:
    """The local names in ``other`` of ``names`` that it imports from ``module``."""
    for statement in _imports_of(world, other):
        if isinstance(statement, ast.Import):
            # ``base.MyServer()`` is found by the last name alone.
            if any(world.index.find(alias.name, other.path) == module.path for alias in statement.names):
                yield from names
            continue
        level, base = statement.level, statement.module or ""
        source = world.index.relative(other, level, base) if level else world.index.find(base, other.path)
        for alias in statement.names:
            if alias.name == "*":
                yield from names if source == module.path else ()
            elif alias.name in names and source == module.path:
                yield alias.asname or alias.name
            elif alias.name == module.name.rpartition(".")[2]:
                yield from names


def _imports_of(world: World, other: SourceModule) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements of a file; what CPython's parser does not read is read by libcst, and slowly."""
    found = mentions_of(world.index, other.path, other.source.raw)
    if found.readable:
        yield from found.whole
        yield from found.named
        return
    for statement in other.outline.imports:
        aliases = [] if isinstance(statement.names, cst.ImportStar) else statement.names
        names = [
            ast.alias(dotted(alias.name), last_name(alias.asname.name) if alias.asname else None) for alias in aliases
        ]
        if isinstance(statement, cst.Import):
            yield ast.Import(names)
        else:
            module = dotted(statement.module) if statement.module is not None else None
            yield ast.ImportFrom(module, names or [ast.alias("*")], len(statement.relative))
