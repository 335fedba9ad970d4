"""The modules of the tree: which file a dotted name means, and its syntax tree, parsed on first use."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeGuard

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.families import IMPORTED
from pdmigrate.tree.source import ParsedFile, SourceFile, read_source, too_deep

if TYPE_CHECKING:
    import libcst as cst

    from pdmigrate.model import Site, Span
    from pdmigrate.tree.code.bodies import DeferredFile
    from pdmigrate.tree.code.effects import Effects
    from pdmigrate.tree.code.syntax import Outline
    from pdmigrate.tree.code.whole import Whole

LARGEST = 4_000_000
"""Files beyond this many bytes are not read: no person wrote them."""

SDK_PACKAGES = IMPORTED | {
    "pydantic",
    "pydantic_core",
    "pydantic_settings",
    "typing_extensions",
    "annotated_types",
}


@dataclass(eq=False)
class SourceModule:
    """One file of the tree as a module: ``name`` is what ``__name__`` holds when it is imported."""

    path: str
    name: str
    source: SourceFile

    @property
    def is_package(self) -> bool:
        return self.path.endswith("__init__.py")

    @property
    def package(self) -> str:
        """The package from which relative imports start."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @cached_property
    def parsed(self) -> ParsedFile | DeferredFile:
        """The file with its syntax tree; raises SourceError if it cannot be parsed."""
        from pdmigrate.tree.code.bodies import parse_deferred

        return parse_deferred(self.source, refuse_hostile_nesting(self.source))

    @cached_property
    def outline(self) -> Outline:
        """The parents and names of the whole syntax tree."""
        from pdmigrate.tree.code.syntax import outline

        return outline(self.tree)

    @cached_property
    def postponed(self) -> bool:
        """Whether annotations are strings when the module runs; found without walking the whole tree."""
        from pdmigrate.tree.code.syntax import says_postponed

        return "__future__" in self.source.text and says_postponed(self.tree)

    @cached_property
    def may_yield(self) -> bool:
        """Whether the module may contain a generator."""
        return b"yield" in self.source.raw

    @property
    def tree(self) -> cst.Module:
        return self.parsed.module

    def site(self, node: cst.CSTNode) -> Site:
        return self.parsed.site(node)

    def span(self, node: cst.CSTNode) -> Span:
        return self.parsed.span(node)

    def code(self, node: cst.CSTNode) -> str:
        return self.parsed.code(node)


class ModuleIndex:
    """Finds and reads modules of a tree for one program; files that others have read are read again, for the trace."""

    def __init__(self, whole: Whole, program: ModuleIndex | None = None) -> None:
        """``program`` is the index of the same program, if this one serves a part of it that is traced separately."""
        self.root = whole.root
        self.whole = whole
        self._held: dict[str, SourceModule] = program._held if program is not None else {}
        """The modules that the program keeps: all parts of the program share the nodes of their trees."""
        self.modules: dict[str, SourceModule] = {}
        self.refused: dict[str, SourceError] = {}
        self.effects: dict[cst.CSTNode, Effects] = program.effects if program is not None else {}
        """The effects of the nodes that were asked about so far."""
        self._listings: dict[str, frozenset[str]] = {}
        self._bases_of: dict[str, str] = {}
        self._dotted: dict[str, str] = {}
        self._above: dict[str, tuple[str, ...]] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        self._siblings: dict[tuple[str, str], bool] = {}

    def at(self, path: str) -> SourceModule:
        """The module at ``path``, relative to the root.

        Raises:
            SourceError: it cannot be read.
        """
        if path in self.refused:
            raise self.refused[path]
        if path not in self.modules:
            try:
                raw, name = self._read(path), self.dotted_name(path)
                known = self._held.get(path)
                if known is None or known.source.raw != raw or known.name != name:
                    known = self.whole.module(path, raw, name, lambda: SourceModule(path, name, read_source(path, raw)))
                self.modules[path] = self._held[path] = known
            except SourceError as error:
                self.refused[path] = error
                raise
        return self.modules[path]

    def _read(self, path: str) -> bytes:
        try:
            return disk.read(self.root, path, LARGEST)
        except disk.RefusedError as error:
            raise SourceError(f"{path} {error.strerror}, and is not read", hint="exclude it", code="PD107") from error
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror}", code="PD107") from error

    def dotted_name(self, path: str) -> str:
        """The name of a module: ``src/pkg/tools/base.py`` is ``pkg.tools.base`` if ``pkg`` is the outermost package."""
        known = self._dotted.get(path)
        if known is None:
            known = self._dotted[path] = self._named(path)
        return known

    def _named(self, path: str) -> str:
        folder, _, name = path.rpartition("/")
        parts = [] if name == "__init__.py" else [PurePosixPath(name).stem]
        while folder and self.is_file(f"{folder}/__init__.py"):
            folder, _, name = folder.rpartition("/")
            parts.append(name)
        return ".".join(reversed(parts)) or "__init__"

    def base_of(self, path: str) -> str:
        """The folder from which absolute imports within the package of the file at ``path`` start."""
        known = self._bases_of.get(path)
        if known is None:
            folder = path.rpartition("/")[0]
            while folder and self.is_file(f"{folder}/__init__.py"):
                folder = folder.rpartition("/")[0]
            known = self._bases_of[path] = folder or "."
        return known

    def is_file(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return name in self._listing(folder)

    def is_folder(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return f"{name}/" in self._listing(folder)

    @property
    def listed(self) -> list[str]:
        """The folders that were listed so far."""
        return sorted(self._listings)

    def names_in(self, folder: str) -> frozenset[str]:
        """The names in a folder, those of folders with a trailing slash."""
        return self._listing(folder)

    def _listing(self, folder: str) -> frozenset[str]:
        if folder in (".", ""):
            folder = ""
        if folder not in self._listings:
            try:
                found = disk.listing(self.root, folder)
                self._listings[folder] = frozenset(
                    f"{name}/" if kind == disk.FOLDER else name for name, kind, _ in found
                )
            except OSError:
                self._listings[folder] = frozenset()
        return self._listings[folder]

    def find(self, dotted: str, importer: str) -> str | None:
        """The file (or, with a trailing slash, the namespace folder) that ``import dotted`` means in ``importer``.

        ``None`` when the name comes from outside the tree.
        """
        top = dotted.partition(".")[0]
        base = self.base_of(importer)
        own = self.dotted_name(importer).partition(".")[0]
        if top != own and (top in SDK_PACKAGES or top in sys.stdlib_module_names):
            return None
        if (base, dotted) not in self._found:
            below = (self._below(folder, dotted) for folder in self._bases(base) if self._holds(folder, top))
            self._found[base, dotted] = next(filter(None, below), None)
        return self._found[base, dotted] or self._beside(dotted, top, importer)

    def _beside(self, dotted: str, top: str, importer: str) -> str | None:
        """What a file of a package finds in its own folder, which is on the path where the file is run as a script.

        A module that imports its own name is named after a library, as is one that the project requires.
        """
        folder = importer.rpartition("/")[0]
        if not top or folder in ("", self.base_of(importer)) or not self._holds(folder, top):
            return None
        if (folder, top) not in self._siblings:
            self._siblings[folder, top] = not self._is_library(folder, top)
        found = self._below(folder, dotted) if self._siblings[folder, top] else None
        return found if found != importer else None

    def _is_library(self, folder: str, top: str) -> bool:
        sibling = self._below(folder, top)
        raw = (disk.content(self.root, sibling, LARGEST) or b"") if sibling and not sibling.endswith("/") else b""
        word = re.escape(top.encode()).replace(b"_", b"[-_.]")
        if re.search(rb"(?m)^[ \t]*(?:from|import)[ \t]+%s\b" % re.escape(top.encode()), raw):
            return True
        named = re.compile(rb"(?im)(?:^|[\"'])[ \t]*%s[ \t]*(?:[\"'<>=~!\[;,@]|$)" % word)
        above = (folder, *map(str, PurePosixPath(folder).parents))
        wanted = (f"{place}/{name}" for place in above for name in ("pyproject.toml", "requirements.txt"))
        return any(named.search(disk.content(self.root, path, LARGEST) or b"") for path in wanted)

    def _holds(self, folder: str, top: str) -> bool:
        """Whether a folder may contain a module or package named ``top``; a quick check, as most names are outside."""
        names = self._listing(folder)
        return not top or top in names or f"{top}.py" in names or f"{top}/" in names

    def _bases(self, base: str) -> tuple[str, ...]:
        if base not in self._above:
            folders, folder = [], PurePosixPath(base)
            while folder.name:
                folders += [str(folder), str(folder / "src")]
                folder = folder.parent
            self._above[base] = (*folders, "", "src")
        return self._above[base]

    def _below(self, folder: str, dotted: str) -> str | None:
        path = "/".join(part for part in (folder if folder != "." else "", *dotted.split(".")) if part)
        if self.is_file(f"{path}/__init__.py"):
            return f"{path}/__init__.py"
        if self.is_file(f"{path}.py"):
            return f"{path}.py"
        return f"{path}/" if self.is_folder(path) else None

    def relative(self, module: SourceModule, level: int, dotted: str) -> str | None:
        """The file or namespace folder that ``from ..dotted import`` means in ``module``; ``None`` if there is none."""
        folder = PurePosixPath(module.path).parent
        for _ in range(level - 1):
            folder = folder.parent
        if not dotted:
            path = str(folder / "__init__.py")
            return path if self.is_file(path) else f"{folder}/"
        return self._below(str(folder), dotted)


DEEPEST = 400
"""How deep a syntax tree may be; the parser in libcst overflows the native stack somewhere beyond 1,500."""
DEEPEST_BRACKETS = 100
_BRACKETS = re.compile(r"[\[\](){}]")
_STEPS_DOWN = re.compile(r"[-+*/%&|^~.]|\b(?:and|or|not|if|lambda|await)\b|[\[({]")


def refuse_hostile_nesting(source: SourceFile) -> ast.Module | None:
    """Refuse a file that would overflow the stack of libcst's native parser, which would end the process.

    The depth of CPython's syntax tree decides; CPython's parser has limits of its own.  If it cannot parse the file,
    which may use newer grammar, the tokens that can nest are counted.  Return CPython's tree if one was made.

    Raises:
        SourceError: the file is nested too deeply (PD106).
    """
    if len(source.raw) < 2 * DEEPEST and source.raw.count(b"(") + source.raw.count(b"[") < DEEPEST_BRACKETS:
        return None
    tree = None
    try:
        tree = ast.parse(source.raw)
        deep = _is_deep(tree) or _nests_beyond(source, 2 * DEEPEST_BRACKETS)
    except (RecursionError, MemoryError):
        deep = True
    except (SyntaxError, ValueError):
        deep = _nests_beyond(source, DEEPEST_BRACKETS) or _longest_nesting(source.text) > 4 * DEEPEST
    if deep:
        raise too_deep(source)
    return tree


def _is_deep(tree: ast.AST) -> bool:
    stack: list[tuple[ast.AST, int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        # libcst nests ``a and b and c`` where CPython has one node.
        depth += len(node.values) if isinstance(node, ast.BoolOp) else 1
        if depth > DEEPEST:
            return True
        for name in node._fields:
            value = getattr(node, name, None)
            if type(value) in _FLAT:
                continue
            if isinstance(value, list):
                stack += [(item, depth) for item in value if type(item) not in _FLAT and _may_be_deep(item, depth)]
            elif _may_be_deep(value, depth):
                stack.append((value, depth))
    return False


_FLAT = frozenset({ast.Name, ast.Constant, ast.Load, ast.Store, ast.Del, str, int, type(None)})
"""Types that are most of a tree, and in which nothing nests."""
_UNWRITTEN = 5
"""More than the number of levels that take no character, such as an expression statement or an element of a slice."""


def _may_be_deep(node: object, above: int) -> TypeGuard[ast.AST]:
    """Whether the tree below ``node`` may be too deep, the depth ``above`` it included.

    Every level of nesting takes a character, so most expressions are too short for that.
    """
    if not isinstance(node, (ast.stmt, ast.expr)) or node.end_col_offset is None or node.end_lineno != node.lineno:
        return isinstance(node, ast.AST)
    return above + node.end_col_offset - node.col_offset + _UNWRITTEN > DEEPEST


def _nests_beyond(source: SourceFile, most: int) -> bool:
    """Whether more brackets than ``most`` are open at once."""
    left = source.raw.translate(_ROUND, _NO_BRACKETS)
    pairs = 0
    while b"()" in left and pairs <= most:
        left = left.replace(b"()", b"")
        pairs += 1
    # Brackets that are open at the same place are removed in different turns, or are never closed.
    return pairs + left.count(b"(") > most and _bracket_depth(source.text) > most


_ROUND = bytes.maketrans(b"[]{}", b"()()")
_NO_BRACKETS = bytes(set(range(256)) - set(b"()[]{}"))


def _bracket_depth(text: str) -> int:
    depth = deepest = 0
    for match in _BRACKETS.finditer(text):
        depth = depth + 1 if match[0] in "([{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def _longest_nesting(text: str) -> int:
    """An upper bound of the nesting: the most tokens that can nest between two blank lines."""
    return max((len(_STEPS_DOWN.findall(block)) for block in text.split("\n\n")), default=0)
