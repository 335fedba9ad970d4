"""The files that the answer of a running server depends on, and digests of what in them can change that answer."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

from pdmigrate import disk
from pdmigrate.record.lock import source_digest
from pdmigrate.source.documents import is_too_much
from pdmigrate.source.outline import FUNCTIONS
from pdmigrate.source.source import tree_of

DYNAMIC = (b"import_module", b"__import__", b"pkgutil", b"iter_modules", b"walk_packages")
"""What code that imports by computed names mentions."""
_CALLED_LATER = frozenset({"tool", "resource", "prompt", "call_tool", "read_resource", "get_prompt", "custom_route"})
"""Decorators whose functions run when a client calls them: their bodies, docstrings aside, change no listing."""


class Imports:
    """What the files of a tree import; they are read when they are asked about.

    The answers are generous: an import by a name is followed to every file whose path ends with that name, and a file
    that imports by computed names depends on all files below its topmost package.
    """

    def __init__(self, root: Path, files: Iterable[str]) -> None:
        self._root = root
        self._by_tail: dict[str, list[str]] = {}
        self._known: dict[str, frozenset[str]] = {}
        for path in files:
            if path.endswith(".py"):
                self._by_tail.setdefault(last(path), []).append(path)

    def behind(self, *starts: str) -> dict[str, bytes]:
        """The bytes of ``starts`` and of every file that they import, directly or indirectly, by path."""
        found: dict[str, bytes] = {}
        waiting = [path for path in starts if path.endswith(".py")]
        while waiting:
            path = waiting.pop()
            raw = self._content(path) if path not in found else None
            if raw is not None:
                found[path] = raw
                waiting += _imported(path, raw, self._by_tail)
        return found

    def of(self, path: str) -> frozenset[str]:
        """What a file imports; nothing if it cannot be read."""
        if path not in self._known:
            self._known[path] = frozenset(_imported(path, self._content(path) or b"", self._by_tail))
        return self._known[path]

    def _content(self, path: str) -> bytes | None:
        return disk.content_or_empty(self._root, path) if disk.is_file(self._root, path) else None


def moved(known: Mapping[str, str], files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The files whose digests in ``known`` are not those of today; a file that is gone is one of them."""
    return tuple(path for path in sorted(known) if path not in files or digest(files[path]) != known[path])


def digest(raw: bytes) -> str:
    """A digest of the source of a module, without what only runs when a client calls a tool."""
    tree = tree_of(raw) if not is_too_much(raw) else None
    if tree is None:
        return source_digest(raw)
    for node in [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and _is_called_later(node)]:
        node.body = [ast.Expr(ast.Constant(ast.get_docstring(node, clean=False)))]
    try:
        return source_digest(ast.unparse(ast.fix_missing_locations(tree)).encode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):
        return source_digest(raw)


def _is_called_later(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if len(node.decorator_list) != 1:
        return False
    decorator = node.decorator_list[0]
    named = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(named, ast.Attribute) and named.attr in _CALLED_LATER


def last(path: str) -> str:
    """The last part of the name by which a file is imported."""
    pure = PurePosixPath(path)
    return pure.parent.name if pure.name in ("__init__.py", "__main__.py") else pure.stem


def _imported(path: str, raw: bytes, by_tail: Mapping[str, list[str]]) -> Iterator[str]:
    if any(word in raw for word in DYNAMIC):
        top = f"{PurePosixPath(path).parts[0]}/" if "/" in path else ""
        yield from (one for paths in by_tail.values() for one in paths if one.startswith(top))
    if (tree := tree_of(raw)) is None:
        return
    nodes = [node for node in _statements(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for parts in {parts for node in nodes for parts in _modules(path, node)}:
        for other in by_tail.get(parts[-1], ()):
            whole = PurePosixPath(other).with_suffix("").parts
            whole = whole[:-1] if whole[-1] in ("__init__", "__main__") else whole
            if whole[-len(parts) :] == parts:
                yield other


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """The statements of a module at every depth; expressions, most of a tree, hold no import."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, part, ())


def _modules(path: str, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, ...]]:
    """The modules that an import may read, as the parts of their names; packages above them among them."""
    if isinstance(node, ast.Import):
        names = [tuple(alias.name.split(".")) for alias in node.names]
    else:
        module = tuple(node.module.split(".")) if node.module else ()
        if node.level:
            folders = PurePosixPath(path).parts[:-1]
            module = (*folders[: len(folders) - node.level + 1], *module)
        names = [module, *((*module, alias.name) for alias in node.names)]
    yield from {name[:length] for name in names for length in range(1, len(name) + 1)}
