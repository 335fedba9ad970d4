"""The modules of a tree: parsed once, found by the names under which the program's imports know them."""

from __future__ import annotations

import ast
import posixpath
import sys
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.families import CLASS_NAMES
from pdmigrate.model import Site
from pdmigrate.names import MODULE, is_generated
from pdmigrate.tree.source import read_source, syntax
from pdmigrate.understand.index.changes import Changes, changes_of
from pdmigrate.understand.index.units import Unit, units_of

if TYPE_CHECKING:
    from pdmigrate.tree.whole import Whole

_LARGEST = 4_000_000
"""The most bytes of a file that is parsed."""


class Module:
    """One file of the program.  ``name`` is its ``__name__``, ``package`` what its relative imports start from."""

    def __init__(self, path: str, name: str, tree: ast.Module) -> None:
        self.path, self.name, self.tree = path, name, tree
        is_package = posixpath.basename(path) == "__init__.py"
        self.package = name if is_package else name.rpartition(".")[0]

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The statements of the module, in order."""
        return units_of(self.tree)

    @cached_property
    def bound(self) -> dict[str, list[Unit]]:
        """The names that the module binds, each with the statements that bind it."""
        found: dict[str, list[Unit]] = {}
        for unit in self.units:
            for name in unit.binds:
                found.setdefault(name, []).append(unit)
        return found

    @cached_property
    def changes(self) -> dict[ast.AST, Changes]:
        """What each function in the module changes when it runs."""
        return changes_of(self.tree)

    @cached_property
    def late_annotations(self) -> bool:
        """Whether annotations are text at run time: ``from __future__ import annotations``."""
        return any(
            isinstance(node, ast.ImportFrom)
            and node.module == "__future__"
            and any(alias.name == "annotations" for alias in node.names)
            for node in self.tree.body
        )

    def site(self, node: ast.AST | None) -> Site:
        return Site(self.path, getattr(node, "lineno", 1))


class Tree:
    """The Python files below a root, read and parsed when they are asked for."""

    def __init__(self, whole: Whole) -> None:
        self.root = whole.root
        self.files = frozenset(path for path in whole.files() if MODULE not in path or not self._is_generated(path))
        self.folders = frozenset(parent for path in self.files for parent in _parents(path))
        self.unread: dict[str, SourceError] = {}
        """The files that cannot be read or parsed, and why."""
        self._whole = whole
        self._modules: dict[str, Module | None] = {}
        self._users: dict[str, tuple[str, ...]] = {}
        self._data: set[str] = set()

    def _is_generated(self, path: str) -> bool:
        return is_generated(path, disk.content(self.root, path) or b"")

    def module(self, path: str) -> Module | None:
        """The module of a file; ``None`` if it cannot be read, or is generated and therefore no part of the program."""
        if path not in self._modules:
            self._modules[path] = self._read(path) if path in self.files else None
        return self._modules[path]

    @property
    def read(self) -> tuple[str, ...]:
        """The files that were read, sorted."""
        return tuple(sorted({*self._data, *(path for path, module in self._modules.items() if module is not None)}))

    def data(self, path: str, largest: int) -> bytes:
        """The content of a file that the program reads.

        Raises:
            OSError: it cannot be read.
        """
        content = disk.read(self.root, path, largest)
        self._data.add(path)
        return content

    def may_import(self, path: str) -> tuple[str, ...]:
        """The files whose import statements may name the module at ``path``."""
        if path not in self._users:
            self._users[path] = self._whole.may_import(path)
        return self._users[path]

    def importers(self, path: str) -> tuple[str, ...]:
        """The files with an import statement that means the module at ``path``."""
        return tuple(other for other in self.may_import(path) if other != path and path in self._imported(other))

    def _imported(self, path: str) -> Iterator[str | None]:
        module = self.module(path)
        for node in ast.walk(module.tree) if module is not None else ():
            if isinstance(node, ast.Import):
                yield from (self.find(alias.name, path) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and module is not None:
                package = self.beside(module, node)
                yield package
                yield from (self.member(package, alias.name) for alias in node.names if package is not None)

    def may_hold(self, *words: str) -> tuple[str, ...]:
        """The files that may have one of these words in an import statement, which may be ``*``."""
        return tuple(path for path in self._whole.may_hold(*words) if path in self.files)

    def saying(self, word: str) -> tuple[str, ...]:
        """The files, tests aside, that contain a word anywhere."""
        return tuple(path for path in self._whole.saying(word) if path in self.files and not is_test(path))

    @cached_property
    def server_classes(self) -> frozenset[str]:
        """The names of the SDKs' server classes, of classes that may derive from one, and the aliases of all these."""
        return frozenset({*CLASS_NAMES, *self._whole.server_classes(), *self._whole.renamed()})

    def _read(self, path: str) -> Module | None:
        try:
            raw = disk.read(self.root, path, _LARGEST)
            return self._whole.parsed(path, raw, lambda: self._parsed(path, raw))
        except OSError as error:
            self.unread[path] = SourceError(
                f"{path} {error.strerror}, and is not read", hint="exclude it", code="PD107"
            )
        except SourceError as error:
            self.unread[path] = error
        return None

    def _parsed(self, path: str, raw: bytes) -> Module:
        return Module(path, self.name_of(path), syntax(read_source(path, raw)))

    def name_of(self, path: str) -> str:
        """The dotted name of a file: from the first folder above it that is no package."""
        top = self._top(path)
        inner = path.removeprefix(f"{top}/") if top else path
        return inner.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def _top(self, path: str) -> str:
        folder = posixpath.dirname(path)
        while folder and f"{folder}/__init__.py" in self.files:
            folder = posixpath.dirname(folder)
        return folder

    # --- imports ------------------------------------------------------------------------------------------------------

    def find(self, name: str, importer: str) -> str | None:
        """The file that ``import name`` means in the file ``importer``; a folder without ``__init__.py`` ends in ``/``.

        ``None``: the name is not the program's.
        """
        relative = name.replace(".", "/")
        for folder in self._search(importer):
            start = f"{folder}/{relative}" if folder else relative
            for path in (f"{start}/__init__.py", f"{start}.py"):
                if path in self.files:
                    return path
            if start in self.folders and not self._is_standard(name):
                return f"{start}/"
        return None

    def _search(self, importer: str) -> list[str]:
        top = self._top(importer)
        folders = [top, *_parents(f"{top}/x")[1:]] if top else [""]
        return [*folders, *(f"{folder}/src" if folder else "src" for folder in folders)]

    @staticmethod
    def _is_standard(name: str) -> bool:
        return name.partition(".")[0] in sys.stdlib_module_names

    def absolute(self, module: Module, node: ast.ImportFrom) -> str:
        """The dotted name of the module that a ``from`` import names."""
        if not node.level:
            return node.module or ""
        base = module.package
        for _ in range(node.level - 1):
            base = base.rpartition(".")[0]
        return f"{base}.{node.module}" if node.module and base else node.module or base

    def beside(self, module: Module, node: ast.ImportFrom) -> str | None:
        """The file (or folder, ending in ``/``) that a ``from`` import names."""
        if not node.level:
            return self.find(node.module or "", module.path)
        folder = posixpath.dirname(module.path)
        for _ in range(node.level - 1):
            folder = posixpath.dirname(folder)
        start = posixpath.join(folder, *(node.module or "").split(".")) if node.module else folder
        for path in (f"{start}/__init__.py" if start else "__init__.py", f"{start}.py"):
            if path in self.files:
                return path
        return f"{start}/" if start in self.folders else None

    def member(self, package: str, name: str) -> str | None:
        """The file of the module ``name`` in the package whose file (or folder) is ``package``."""
        if not package.endswith(("/", "__init__.py")):
            return None
        folder = posixpath.dirname(package)
        start = f"{folder}/{name}" if folder else name
        for path in (f"{start}/__init__.py", f"{start}.py"):
            if path in self.files:
                return path
        return f"{start}/" if start in self.folders else None


def is_test(path: str) -> bool:
    """Whether a file belongs to a project's tests, by where it is and what it is called."""
    parts = path.split("/")
    return any(part in ("tests", "test") for part in parts[:-1]) or parts[-1].startswith(("test_", "conftest"))


def _parents(path: str) -> list[str]:
    """The folders above ``path``, the innermost first, the root (empty) last."""
    folder, found = posixpath.dirname(path), []
    while folder:
        found.append(folder)
        folder = posixpath.dirname(folder)
    return [*found, ""]
