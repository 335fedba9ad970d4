"""Who mentions a name of a module: in the module itself, in the rest of the tree, in its tests.

In the module itself the syntax tree decides.  Other files are looked at only when they hold the name, and then with a
cheap look (``ast``): one counts when it imports the name, or the module, from where it is defined.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.tree.mentions import mentions_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.tree.modules import SourceModule


@dataclass(frozen=True)
class Mention:
    """A use of a name in its own module, with every node above it, the innermost first."""

    node: cst.CSTNode
    parent: cst.CSTNode
    inside: tuple[cst.CSTNode, ...]


def mentions(module: SourceModule, name: str, *, attributes: bool = False) -> Iterator[Mention]:
    """Reads of ``name`` in ``module`` (as an attribute of anything, with ``attributes``)."""
    for node in module.outline.names.get(name, ()):
        parent = module.outline.parents[node]
        is_attribute = isinstance(parent, cst.Attribute) and parent.attr is node
        if is_attribute == attributes and not _is_binding(node, parent):
            yield Mention(node, parent, tuple(module.outline.above(node)))


def _is_binding(node: cst.Name, parent: cst.CSTNode) -> bool:
    """Whether the name is only bound or named here: a target, a parameter, a keyword, the name of a definition."""
    if isinstance(parent, (cst.FunctionDef, cst.ClassDef)):
        return parent.name is node
    if isinstance(parent, cst.Arg):
        return parent.keyword is node
    if isinstance(parent, cst.AssignTarget):
        return parent.target is node
    if isinstance(parent, cst.AnnAssign):
        return parent.target is node
    return isinstance(parent, (cst.Param, cst.ImportAlias, cst.AsName))


def other_files(run: Interpreter, module: SourceModule, name: str) -> Iterator[str]:
    """The other files of the tree that use ``name`` of ``module``."""
    needle = name.encode()
    # Whoever uses it imports the module by its name, or the name from there or from a package that hands it on.
    last = module.name.rpartition(".")[2]
    may = run.index.glances.holding(last, _folder_of(module), name, "*")
    for path in run.files:
        if path == module.path or path not in may:
            continue
        try:
            source = run.index.at(path).source
        except SourceError:
            continue
        if needle in source.raw and _uses(run, path, source.raw, module, name):
            yield path


def _folder_of(module: SourceModule) -> str:
    return module.path.rpartition("/")[0].rpartition("/")[2]


def _uses(run: Interpreter, path: str, raw: bytes, module: SourceModule, name: str) -> bool:
    mentions = mentions_of(run.index, path, raw)
    if not mentions.readable:
        # What cannot be looked into may use it.
        return os.fsencode(module.name.rpartition(".")[2]) in raw
    if any(_imports_name(run, path, node, module, name) for node in mentions.named):
        return True
    called = {
        alias.asname or alias.name
        for node in mentions.named
        for alias in node.names
        if _names_module(run, path, node, alias.name, module)
    }
    called |= {
        alias.asname or alias.name.partition(".")[0]
        for node in mentions.whole
        for alias in node.names
        if run.index.find(alias.name, path) == module.path
    }
    return bool(called) and mentions.takes(name, called)


def _imports_name(run: Interpreter, path: str, node: ast.ImportFrom, module: SourceModule, name: str) -> bool:
    if not any(alias.name in (name, "*") for alias in node.names):
        return False
    source = _resolve(run, path, node)
    # A package may hand the name on, so importing it from anywhere in the tree counts, unless it is defined there.
    return source == module.path or (source is not None and source.endswith("__init__.py"))


def _names_module(run: Interpreter, path: str, node: ast.ImportFrom, name: str, module: SourceModule) -> bool:
    source = _resolve(run, path, node)
    if source is None:
        return False
    folder = source.rstrip("/") if source.endswith("/") else source.rpartition("/")[0]
    base = f"{folder}/{name}" if folder else name
    return module.path in (f"{base}.py", f"{base}/__init__.py")


def _resolve(run: Interpreter, path: str, node: ast.ImportFrom) -> str | None:
    if node.level:
        try:
            importer = run.index.at(path)
        except SourceError:
            return None
        return run.index.relative(importer, node.level, node.module or "")
    return run.index.find(node.module or "", path)
