"""The modules of a tree: parsed once, found by the names under which the program's imports know them."""

from __future__ import annotations

import ast
import posixpath
import re
import sys
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.model import Site
from pdmigrate.names import MODULE, is_generated
from pdmigrate.sdk.families import CLASS_NAMES, IMPORTED
from pdmigrate.source.discover import is_test
from pdmigrate.source.requirements import Folder, requirement_lines
from pdmigrate.source.source import read_source, syntax
from pdmigrate.understand.index.habits import Changes, changes_of
from pdmigrate.understand.index.syntax import chain, walk
from pdmigrate.understand.index.units import Unit, Uses, units_of

if TYPE_CHECKING:
    from pathlib import Path

    from pdmigrate.source.whole import Whole

_LARGEST = 4_000_000  # the most bytes of a file that is parsed
_AT_START = "abc atexit builtins codecs encodings errno faulthandler gc genericpath io itertools marshal os posixpath"
_LOADED_AT_START = frozenset([*_AT_START.split(), "site", "stat", "sys", "time", "zipimport"])
"""Modules of Python that are there before a program starts: its own files of these names are never imported."""


class Module:
    """One file of the program.  ``name`` is its ``__name__``, ``package`` what its relative imports start from."""

    def __init__(self, path: str, name: str, tree: ast.Module) -> None:
        self.path, self.name, self.tree = path, name, tree
        is_package = posixpath.basename(path) == "__init__.py"
        self.package = name if is_package else name.rpartition(".")[0]

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the module's tree."""
        return tuple(walk(self.tree))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The statements of the module, in order."""
        return units_of(self.tree)

    @cached_property
    def uses(self) -> tuple[Uses, ...]:
        """What the statements use, and the functions and classes in them when they run."""
        return tuple(uses for unit in self.units for uses in (unit.uses, *unit.bodies.values()))

    @cached_property
    def bound(self) -> dict[str, list[Unit]]:
        """The names that the module binds, each with the statements that bind it."""
        found: dict[str, list[Unit]] = {}
        for unit in self.units:
            for name in unit.binds:
                found.setdefault(name, []).append(unit)
        return found

    @cached_property
    def starred(self) -> list[ast.ImportFrom]:
        """The statements ``from ... import *`` of the module, in order."""
        found = (node for unit in self.units for node, _ in unit.uses.imports)
        return [node for node in found if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]

    @cached_property
    def changes(self) -> dict[ast.AST, Changes]:
        """What each function in the module changes when it runs."""
        return changes_of(self.nodes)

    @cached_property
    def is_replaced(self) -> bool:
        """Whether the module puts something in its own place: ``sys.modules[__name__] = ...``"""
        stored = (node for node in self.nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store))
        return any(chain(node.slice) == "__name__" and chain(node.value).endswith("modules") for node in stored)

    @cached_property
    def set_by_functions(self) -> frozenset[str]:
        """The names that ``global`` statements let functions bind."""
        return frozenset().union(*(uses.globals for uses in self.uses))

    @cached_property
    def late_annotations(self) -> bool:
        """Whether annotations are text at run time: ``from __future__ import annotations``."""
        future = (each for each in self.tree.body if isinstance(each, ast.ImportFrom) and each.module == "__future__")
        return any(alias.name == "annotations" for node in future for alias in node.names)

    def site(self, node: ast.AST | None) -> Site:
        return Site(self.path, getattr(node, "lineno", 1))


class Tree:
    """The Python files below a root, read and parsed when they are asked for."""

    def __init__(self, whole: Whole) -> None:
        self.root = whole.root
        self.files = frozenset(path for path in whole.files() if MODULE not in path or not self._is_generated(path))
        self.folders = whole.once(("folders", self.files), lambda: _folders(self.files))
        self.unread: dict[str, SourceError] = {}  # the files that cannot be read or parsed, and why
        self._whole = whole
        self._modules: dict[str, Module | None] = {}
        self._data: set[str] = set()
        self._found: dict[tuple[str, str], str | None] = {}  # by the name, and the file that imports it

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
        """The content of a file that the program reads.  Raises OSError if it cannot be read."""
        content = disk.read(self.root, path, largest)
        self._data.add(path)
        return content

    def may_import(self, path: str) -> tuple[str, ...]:
        """The files whose import statements may name the module at ``path``."""
        return self._whole.may_import(path)

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
            reason = f"{path} {error.strerror}, and is not read"
            self.unread[path] = SourceError(reason, hint="exclude it", code="PD107")
        except SourceError as error:
            self.unread[path] = error
        return None

    def _parsed(self, path: str, raw: bytes) -> Module:
        return Module(path, self.name_of(path), syntax(read_source(path, raw)))

    def name_of(self, path: str) -> str:
        """The dotted name of a file: from the first folder above it that is no package."""
        inner = path.removeprefix(f"{top}/" if (top := self._top(path)) else "")
        return inner.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def is_surely_named(self, path: str) -> bool:
        """Whether there is but one folder from which imports can come to a file."""
        top = self._top(path)
        return not top or (posixpath.basename(top) == "src" and "." in self.name_of(path))

    def _top(self, path: str) -> str:
        return _parents(path)[len(self.packages(path))]

    def packages(self, path: str) -> list[str]:
        """The ``__init__.py`` files of the packages that a file is in, the innermost first."""
        return [*takewhile(self.files.__contains__, (f"{folder}/__init__.py" for folder in _parents(path)))]

    # --- imports ------------------------------------------------------------------------------------------------------

    def find(self, name: str, importer: str) -> str | None:
        """The file that ``import name`` means in the file ``importer``; a folder without ``__init__.py`` ends in ``/``.

        ``None``: the name is not the program's.
        """
        if (name, importer) not in self._found:
            self._found[name, importer] = self._looked_for(name, importer)
        return self._found[name, importer]

    def _looked_for(self, name: str, importer: str) -> str | None:
        top = name.partition(".")[0]
        if top in _LOADED_AT_START or (top in IMPORTED and top != self.name_of(importer).partition(".")[0]):
            return None
        for folder in self._search(importer):
            if self._is_standard(name) and self._is_within_package(folder):
                continue  # such a folder is not on the path, and the standard library is
            found = self._at(posixpath.join(folder, *name.split(".")))
            if found is not None and not (found.endswith("/") and self._is_standard(name)):
                return found
        return self._sibling(name, top, importer)

    def named(self, name: str) -> set[str]:
        """The files, tests aside, that ``import name`` means where their folder is searched."""
        endings = tuple(f"/{name.replace('.', '/')}{ending}" for ending in (".py", "/__init__.py"))
        found = (path for path in self.files if f"/{path}".endswith(endings) and self.name_of(path) == name)
        return {path for path in found if not is_test(path)}

    def is_on_path(self, name: str, importer: str, main: str | None) -> bool:
        """Whether ``importer`` certainly finds ``name``, if the module ``main`` is what is run as a script."""
        folders = {posixpath.dirname(main)} if main is not None else set()
        folders |= {self._top(importer)} if importer != main else set()
        return any(self._at(posixpath.join(folder, name.partition(".")[0])) is not None for folder in folders)

    def _search(self, importer: str) -> list[str]:
        top = self._top(importer)
        folders = [top, *_parents(f"{top}/x")[1:]] if top else [""]
        return [*folders, *(posixpath.join(folder, "src") for folder in folders)]

    def _is_within_package(self, folder: str) -> bool:
        return any(f"{above}/__init__.py" in self.files for above in (folder, *_parents(folder)) if above)

    def _at(self, start: str) -> str | None:
        """The module or package at a path without its ending, or the folder there."""
        for path in (posixpath.join(start, "__init__.py"), f"{start}.py"):
            if path in self.files:
                return path
        return f"{start}/" if start in self.folders else None

    def _sibling(self, name: str, top: str, importer: str) -> str | None:
        """What a file of a package finds in its own folder, which is on the path where the file is run as a script.

        A module that imports its own name is named after a library, as is one that the project requires.
        """
        folder = posixpath.dirname(importer)
        beside = self._at(f"{folder}/{top}") if folder != self._top(importer) else None
        if beside in (None, importer) or self._is_standard(name) or _is_required(self.root, folder, top):
            return None
        module = self.module(beside or "")
        if module is not None and any(top == _top_named(node) for node in module.nodes):
            return None
        return self._at(posixpath.join(folder, *name.split(".")))

    @staticmethod
    def _is_standard(name: str) -> bool:
        return name.partition(".")[0] in sys.stdlib_module_names

    def beside(self, module: Module, node: ast.ImportFrom) -> str | None:
        """The file (or folder, ending in ``/``) that a ``from`` import names."""
        if not node.level:
            return self.find(node.module or "", module.path)
        folder = posixpath.dirname(module.path)
        for _ in range(node.level - 1):
            folder = posixpath.dirname(folder)
        return self._at(posixpath.join(folder, *(node.module or "").split(".")) if node.module else folder)

    def member(self, package: str, name: str) -> str | None:
        """The file of the module ``name`` in the package whose file (or folder) is ``package``."""
        if not package.endswith(("/", "__init__.py")):
            return None
        return self._at(posixpath.join(posixpath.dirname(package), name))


def _top_named(node: ast.AST) -> str:
    """The package that an import statement names first; empty if it is relative, or no import."""
    if isinstance(node, ast.Import):
        return node.names[0].name.partition(".")[0]
    return (node.module or "").partition(".")[0] if isinstance(node, ast.ImportFrom) and not node.level else ""


def _is_required(root: Path, folder: str, package: str) -> bool:
    """Whether the project around a folder requires the library that has a package."""
    named = re.compile(rf"[ \t]*{re.escape(package).replace('_', '[-_.]')}[ \t]*(?:[<>=~!\[;,@#]|$)", re.IGNORECASE)
    around = (Folder(root, above) for above in _parents(f"{folder}/x"))
    return any(named.match(line) for each in around for line in requirement_lines(each))


@lru_cache(maxsize=10_000)
def _parents(path: str) -> tuple[str, ...]:
    """The folders above ``path``, the innermost first, the root (empty) last."""
    folder, found = posixpath.dirname(path), []
    while folder.strip("/"):
        found.append(folder)
        folder = posixpath.dirname(folder)
    return (*found, "")


def _folders(files: Iterable[str]) -> frozenset[str]:
    """The folders of files, and those above them."""
    folders = {posixpath.dirname(path) for path in files}
    return frozenset(above for folder in folders for above in (folder, *_parents(folder)))
