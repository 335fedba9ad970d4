"""Servers whose class is not simply called by its name in the file that imports it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.recognise.starting.driving import CallSite, call_sites, site_around
from pdmigrate.tree.code.modules import SDK_PACKAGES

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.recognise.world import World
    from pdmigrate.tree.code.modules import SourceModule


def passed_on(module: SourceModule, names: frozenset[str]) -> bool:
    """Whether a class is passed on as a value: ``make = Server``, ``partial(Server, "x")``, ``{"x": sdk.Server}``."""
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
    """Whether a call certainly belongs to a library other than an SDK (``uvicorn.Server(...)``).

    It does if all that the module does with the name is to import it from there, call it, read attributes of it, or
    annotate with it.
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
    """The import alias that a name stands in, as a part of the imported name or as the local name."""
    around = module.outline.above(node)
    return (item for item in around if isinstance(item, cst.ImportAlias))


def _is_used(module: SourceModule, node: cst.Name) -> bool:
    """Whether a name is called here, its attribute read, or used as an annotation: neither bound nor passed on."""
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
    """The calls of a module, besides ``known``, that made a server while the module was executed."""
    nodes = {site.node for site in known}
    for server in run.servers:
        place = server.place
        if place is None or place.module is not module or place.node in nodes or not isinstance(place.node, cst.Call):
            continue
        nodes.add(place.node)
        yield site_around(module, place.node)


def calls_elsewhere(
    world: World, module: SourceModule, names: frozenset[str]
) -> Iterator[tuple[SourceModule, list[CallSite]]]:
    """Calls in other modules of server classes that they import from ``module``: the SDK's, or derived from that."""
    derived = {node.name.value for node in module.outline.classes if node.name.value in names}
    handed_on = names - derived if _importable(module) else frozenset()
    if not names or not module.name.rpartition(".")[2].isidentifier():
        return
    for path, called in world.whole.calling(module.path, tuple(sorted(derived)), tuple(sorted(handed_on))):
        try:
            other = world.index.at(path)
            sites = list(call_sites(other, frozenset(called)))
        except SourceError:
            continue  # reported where that file is read
        if sites:
            yield other, sites


def _importable(module: SourceModule) -> bool:
    return any(isinstance(statement, cst.ImportFrom) for statement in module.outline.imports)
