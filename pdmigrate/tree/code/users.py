"""Which files of a tree use a module, or a name or class of it: questions to the whole tree, answered without libcst.

A file is looked at only if its text shows that it may matter, and then with CPython's parser, which takes a tenth of
libcst's time; a file that CPython cannot parse is parsed by libcst where no file may be missed.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from pdmigrate.errors import SourceError

if TYPE_CHECKING:
    from pdmigrate.tree.code.modules import ModuleIndex, SourceModule

_APART = re.compile(r"(?:^|/)(?:tests?|examples?)/|(?:^|/)(?:test_[^/]*|conftest)\.py$")
_TEST = re.compile(r"(?:^|/)(?:test_[^/]*|conftest\.py)$|(?:^|/)tests(?:/|$)")


# --- a name of a module -----------------------------------------------------------------------------------------------


def using(index: ModuleIndex, module: SourceModule, name: str) -> Iterator[str]:
    """The other files that use ``name`` of ``module``: they import the name, or access it as the module's attribute."""
    needle = name.encode()
    # A file that uses ``name`` imports the module, or imports ``name`` from the module or a package that exports it.
    last, folder = module.name.rpartition(".")[2], module.path.rpartition("/")[0].rpartition("/")[2]
    for path in index.whole.holding(last, folder, name, "*"):
        if path == module.path or needle not in index.whole.raw(path):
            continue
        try:
            raw = index.at(path).source.raw
        except SourceError:
            continue
        if _uses(index, path, raw, module, name):
            yield path


def _uses(index: ModuleIndex, path: str, raw: bytes, module: SourceModule, name: str) -> bool:
    mentions = index.whole.mentions(path, raw)
    if not mentions.readable:
        # A file that cannot be parsed may use the name.
        return os.fsencode(module.name.rpartition(".")[2]) in raw
    if any(_imports_name(index, path, node, module, name) for node in mentions.named):
        return True
    called = {
        alias.asname or alias.name
        for node in mentions.named
        for alias in node.names
        if _names_module(index, path, node, alias.name, module)
    }
    called |= {
        alias.asname or alias.name.partition(".")[0]
        for node in mentions.whole
        for alias in node.names
        if index.find(alias.name, path) == module.path
    }
    return bool(called) and mentions.takes(name, called)


def _imports_name(index: ModuleIndex, path: str, node: ast.ImportFrom, module: SourceModule, name: str) -> bool:
    if not any(alias.name in (name, "*") for alias in node.names):
        return False
    source = _resolve(index, path, node)
    # A package may re-export the name, so importing it from any package of the tree counts.
    return source == module.path or (source is not None and source.endswith("__init__.py"))


def _names_module(index: ModuleIndex, path: str, node: ast.ImportFrom, name: str, module: SourceModule) -> bool:
    source = _resolve(index, path, node)
    if source is None:
        return False
    folder = source.rstrip("/") if source.endswith("/") else source.rpartition("/")[0]
    base = f"{folder}/{name}" if folder else name
    return module.path in (f"{base}.py", f"{base}/__init__.py")


def _resolve(index: ModuleIndex, path: str, node: ast.ImportFrom) -> str | None:
    if node.level:
        return index.relative(index.at(path), node.level, node.module or "")
    return index.find(node.module or "", path)


# --- a module ---------------------------------------------------------------------------------------------------------


def importers(index: ModuleIndex, path: str) -> list[str]:
    """The other files that import the module at ``path`` and register tools or are run as scripts."""
    whole = index.whole
    found = [other for other in _importing(index, path) if whole.registers(other) or whole.starts(other)]
    # A file that imports several of the others comes first: it is where the parts of a program meet.
    return sorted(found, key=lambda other: -sum(_imports(index, other, part) for part in found if part != other))


def registering(index: ModuleIndex, path: str) -> Iterator[str]:
    """The files, tests apart, that import the module at ``path`` and register tools."""
    yield from (other for other in _importing(index, path) if index.whole.registers(other))


def _importing(index: ModuleIndex, path: str) -> list[str]:
    """The files that import the module at ``path``, or, if only packages hand its names on, those that import these."""
    found, ways = [], [path]
    for way in ways:
        others = [
            other
            for other in index.whole.importing(way)
            if other not in (path, way) and not _APART.search(other) and _imports(index, other, way)
        ]
        found += [other for other in others if other not in found]
        if all(other.endswith("/__init__.py") for other in found):
            ways += [other for other in others if other not in ways]
    return found


def _imports(index: ModuleIndex, file: str, path: str) -> bool:
    """Whether ``file`` may import the module at ``path``."""
    try:
        return path in imported_by(index, file)
    except SourceError:
        return False  # reported where that file is read


def imported_by(
    index: ModuleIndex, file: str, statements: Iterable[ast.Import | ast.ImportFrom] | None = None
) -> frozenset[str]:
    """The files that the import statements of ``file``, or only the given ``statements``, may import.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    if statements is not None:
        return frozenset(_imported_files(index, file, statements))
    # Cached by file, since this is asked for every pair of files.
    return index.whole.once(
        ("imported by", file), lambda: frozenset(_imported_files(index, file, _imports_of(index, index.at(file))))
    )


def _imported_files(index: ModuleIndex, file: str, statements: Iterable[ast.Import | ast.ImportFrom]) -> Iterator[str]:
    module = index.at(file)
    for statement in statements:
        names, level = [alias.name for alias in statement.names], 0
        if isinstance(statement, ast.ImportFrom):
            base, level = statement.module or "", statement.level
            names = [base, *(f"{base}.{name}" if base else name for name in names)]
        for name in names:
            found = index.relative(module, level, name) if level else index.find(name, file) if name else None
            if found:
                yield found


# --- classes of a module ----------------------------------------------------------------------------------------------


def calling(
    index: ModuleIndex, module: SourceModule, derived: Collection[str], handed_on: Collection[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The other files, tests apart, that may call classes of ``module``, with the names that they use for these.

    ``derived`` are classes that ``module`` defines.  ``handed_on`` are classes of the SDK that ``module`` imports; they
    count only in files that do not name the SDK, since files that do are searched for servers themselves.
    """
    for path in index.whole.importing(module.path):
        if path == module.path or _TEST.search(path):
            continue
        raw = index.whole.raw(path)
        wanted = {*derived} if b"mcp.server" in raw else {*derived, *handed_on}
        if not _may_import(raw, module, wanted):
            continue
        try:
            called = frozenset(_imported(index, index.at(path), module, wanted))
        except SourceError:
            continue  # reported where that file is read
        if called:
            yield path, tuple(sorted(called))


def _may_import(raw: bytes, module: SourceModule, names: Iterable[str]) -> bool:
    """A cheap check of the text: whether a file imports from a module of that name, and contains one of ``names``."""
    if not any(name.encode() in raw for name in names):
        return False
    last = module.name.rpartition(".")[2]
    return re.search(rb"\b(?:from|import)[ \t]+[.\w]*(?:\b%s\b|\.[ \t]+import\b)" % last.encode(), raw) is not None


def _imported(index: ModuleIndex, other: SourceModule, module: SourceModule, names: set[str]) -> Iterator[str]:
    """The names that ``other`` uses for those of ``names`` that it may import from ``module``."""
    for statement in _imports_of(index, other):
        if isinstance(statement, ast.Import):
            # ``base.MyServer()`` is found by the last name alone.
            if any(index.find(alias.name, other.path) == module.path for alias in statement.names):
                yield from names
            continue
        level, base = statement.level, statement.module or ""
        source = index.relative(other, level, base) if level else index.find(base, other.path)
        for alias in statement.names:
            if alias.name == "*":
                yield from names if source == module.path else ()
            elif alias.name in names and source == module.path:
                yield alias.asname or alias.name
            elif alias.name == module.name.rpartition(".")[2]:
                yield from names


# --- import statements ------------------------------------------------------------------------------------------------


def _imports_of(index: ModuleIndex, other: SourceModule) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements of a file; one that CPython cannot parse is parsed by libcst, which is slow."""
    found = index.whole.mentions(other.path, other.source.raw)
    if found.readable:
        yield from found.whole
        yield from found.named
        return
    import libcst as cst

    from pdmigrate.tree.code.syntax import dotted, last_name

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
