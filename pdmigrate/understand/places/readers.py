"""Who else reads a name: in its own module, and in the other files of the tree."""

from __future__ import annotations

import ast
import posixpath
from dataclasses import dataclass

from pdmigrate import disk
from pdmigrate.understand.index.modules import Module, Tree
from pdmigrate.understand.places.outline import Outline


@dataclass(frozen=True, slots=True)
class Mention:
    """A use of a name: the name itself, an attribute of that name, or the statement that declares it."""

    node: ast.AST
    line: int
    column: int


class Readers:
    """Finds the files of a tree that use a name of another one."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def elsewhere(self, module: Module, name: str) -> tuple[str, ...]:
        """The other files that use ``name`` of ``module``, or may."""
        key = (module.path, name)
        if key not in self._known:
            # A file that uses the name imports the module, or imports the name from it or from a package around it.
            folder = posixpath.basename(posixpath.dirname(module.path))
            near = self._tree.may_hold(_last(module), folder, name, "*")
            found = (path for path in near if path != module.path and self._uses(path, module, name))
            self._known[key] = tuple(found)
        return self._known[key]

    def _uses(self, path: str, module: Module, name: str) -> bool:
        try:
            raw = disk.read(self._tree.root, path)
        except OSError:
            return False  # reported where the file is read for itself
        if name.encode() not in raw:
            return False
        other = self._tree.module(path)
        if other is None:
            return _last(module).encode() in raw  # a file that cannot be parsed may use it
        roots: set[str] = set()
        for node in ast.walk(other.tree):
            if isinstance(node, ast.ImportFrom):
                target = self._tree.beside(other, node)
                if target is not None and self._is_imported(node, target, module, name):
                    return True
                named = [item for item in node.names if target and self._tree.member(target, item.name) == module.path]
                roots |= {alias.asname or alias.name for alias in named}
            elif isinstance(node, ast.Import):
                named = [item for item in node.names if self._tree.find(item.name, path) == module.path]
                roots |= {alias.asname or alias.name.partition(".")[0] for alias in named}
        found = (node for node in ast.walk(other.tree) if isinstance(node, ast.Attribute) and node.attr == name)
        return any(_root(node) in roots for node in found)

    @staticmethod
    def _is_imported(node: ast.ImportFrom, target: str, module: Module, name: str) -> bool:
        """Whether a file imports the name: any package of the tree may hand it on."""
        named = any(alias.name in (name, "*") for alias in node.names)
        return named and (target == module.path or target.endswith("__init__.py"))


def _last(module: Module) -> str:
    return module.name.rpartition(".")[2]


def _root(node: ast.Attribute) -> str:
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        inner = inner.value
    return inner.id if isinstance(inner, ast.Name) else ""


def mentions(outline: Outline, name: str, *, attributes: bool = False) -> list[Mention]:
    """The reads of the variable ``name`` in a module, in order; with ``attributes``, of attributes of that name."""
    kind = ast.Attribute if attributes else (ast.Name, ast.Global, ast.Nonlocal)
    found = [
        Mention(node, node.lineno, node.col_offset)
        for node in outline.parents
        if isinstance(node, kind) and _is_read(outline, node, name)
    ]
    return sorted(found, key=lambda mention: (mention.line, mention.column))


def _is_read(outline: Outline, node: ast.AST, name: str) -> bool:
    """Whether a node is ``name``, and more than a plain target that only binds it."""
    if isinstance(node, ast.Attribute):
        return node.attr == name
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return name in node.names
    if not isinstance(node, ast.Name) or node.id != name:
        return False
    plain = isinstance(outline.parents[node], (ast.Assign, ast.AnnAssign, ast.withitem))
    return not (plain and isinstance(node.ctx, ast.Store))
