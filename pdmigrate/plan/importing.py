"""The name, or the two names, by which a server's file imports the generated module beside it.

A module of a package is imported with a dot, a module beside a script without; if the project is installed, the full
name works however the file is run.  The evidence, in order: the file's own imports of its project, those of its
neighbours, the packaging, and how the project says it is started (``running.py``).  Only a file that is really run in
two ways tries two names in turn: the import is longer, but the server starts either way.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pdmigrate.describe.homes import Home
from pdmigrate.families import DISTRIBUTIONS
from pdmigrate.project.running import PACKAGE, PROJECT, SCRIPT, package_of
from pdmigrate.rewrite.blocks import Imported, imports
from pdmigrate.rewrite.import_place import Import
from pdmigrate.tree.source import ParsedFile

if TYPE_CHECKING:
    import libcst as cst

_ELSEWHERE = sys.stdlib_module_names | {*DISTRIBUTIONS, "pydantic"}
_RUNS = frozenset({"main", "run", "serve", "start", "cli", "app"})


class Kind(Enum):
    """How an import names a module of the same project."""

    RELATIVE = "relative"
    ABSOLUTE = "by the package"
    BARE = "by the folder"


def import_of(home: Home, parsed: ParsedFile, tree: Collection[str], ways: Collection[str] = ()) -> Import:
    """The import by which ``parsed`` gets the module of ``home``.

    ``tree`` holds the Python files beside the server and the ``__init__.py`` above it, relative to the root; ``ways``
    says how the file is run (``running.ways_of``).
    """
    file = PurePosixPath(parsed.path)
    if PACKAGE in ways and (around := _package_around(file.parent, tree)) and _imports_always(parsed, around[0]):
        return Import((".".join((*around, file.parent.name, home.stem)),))
    names = {
        Kind.RELATIVE: f".{home.stem}",
        Kind.ABSOLUTE: ".".join((*package_of(file.parent, tree), home.stem)),
        Kind.BARE: home.stem,
    }
    found = [(imported, kind) for imported in imports(parsed) if (kind := kind_of(imported, file, tree))]
    pair: tuple[tuple[Imported, Kind], ...] = next(
        iter(sorted(alternatives(found), key=lambda pair: len(pair[0][0].functions))), ()
    )
    kinds = [kind for _, kind in pair] or _kinds(parsed, found, tree, ways)
    bare = [parsed.span(imported.node) for imported, kind in found if kind is Kind.BARE and not imported.functions]
    after = bare[-1] if bare else None
    if len(kinds) < 2:
        return Import((names[kinds[0]],), after)
    # A type checker sees a file in one way only: as a module of its package, if it is in one.
    unseen = names[Kind.BARE if _is_initialised(file, tree) else Kind.RELATIVE]
    return Import(tuple(names[kind] for kind in kinds), after, unseen)


def _kinds(
    parsed: ParsedFile, found: Sequence[tuple[Imported, Kind]], tree: Collection[str], ways: Collection[str]
) -> tuple[Kind, ...]:
    if any(kind is Kind.RELATIVE and imported.line in parsed.module.body for imported, kind in found):
        # A file that imports relatively at its top level cannot be a script, whatever else it imports.
        return (Kind.RELATIVE,)
    own = {kind for _, kind in found}
    if {Kind.RELATIVE, Kind.BARE} <= own:
        return Kind.RELATIVE, Kind.BARE
    if own == {Kind.BARE} and PACKAGE in ways and _is_initialised(PurePosixPath(parsed.path), tree):
        # The import works because the file's folder is on the path, or because an installed module has the same name.
        return Kind.RELATIVE, Kind.BARE
    if own:
        return (next(kind for kind in Kind if kind in own),)
    return _possible(parsed, tree, ways)


def _possible(parsed: ParsedFile, tree: Collection[str], ways: Collection[str]) -> tuple[Kind, ...]:
    """The kinds of import for a file that imports nothing of its project; one of them works however the file is run."""
    file = PurePosixPath(parsed.path)
    if file.name == "__init__.py":
        return (Kind.RELATIVE,)
    either_way = (Kind.RELATIVE, Kind.BARE)
    starts, initialised = runs_itself(parsed), _is_initialised(file, tree)
    if PACKAGE in ways:
        if PROJECT in ways and SCRIPT not in ways and initialised:
            return (Kind.ABSOLUTE,)
        return either_way if SCRIPT in ways or starts else (Kind.RELATIVE,)
    if ways or not initialised:
        return (Kind.BARE,)
    # A module of a package that nothing imports or names may be run with ``-m`` as well as by its path.
    return either_way if starts else (Kind.RELATIVE,)


def _package_around(folder: PurePosixPath, tree: Collection[str]) -> tuple[str, ...]:
    """The package around a ``folder`` without ``__init__.py``; empty if there is none, or the folder is a package.

    Python takes such a folder for a part of the package, and code that relies on that imports it by its full name.
    """
    above = folder.parent
    inside = folder.name.isidentifier() and above.name and (above / "__init__.py").as_posix() in tree
    return package_of(above, tree) if inside and (folder / "__init__.py").as_posix() not in tree else ()


def _imports_always(parsed: ParsedFile, package: str) -> bool:
    """Whether a file imports from ``package`` at its top level, and so in every way of running it."""
    return any(imported.package == package and imported.line in parsed.module.body for imported in imports(parsed))


# --- imports of the file itself ---------------------------------------------------------------------------------------


def kind_of(imported: Imported, file: PurePosixPath, tree: Collection[str]) -> Kind | None:
    """How an import in ``file`` names a module of its own project; ``None`` if it names another project's."""
    if imported.module.startswith("."):
        return Kind.RELATIVE
    first = imported.package
    if first in _ELSEWHERE:
        return None
    package = package_of(file.parent, tree)
    dotted = imported.module or next(iter(imported.names.values()), "")
    if package and first == package[0] and (len(package) > 1 or dotted != first or _is_initialised(file, tree)):
        return Kind.ABSOLUTE
    beside = {f"{(file.parent / first).as_posix()}.py", (file.parent / first / "__init__.py").as_posix()}
    return Kind.BARE if beside & set(tree) else None


def _is_initialised(file: PurePosixPath, tree: Collection[str]) -> bool:
    return (file.parent / "__init__.py").as_posix() in tree


def alternatives(found: Sequence[tuple[Imported, Kind]]) -> Iterator[tuple[tuple[Imported, Kind], ...]]:
    """The pairs of imports of different kinds in two branches of one ``try`` or ``if``, in order."""
    import libcst as cst

    for position, (first, kind) in enumerate(found):
        for second, other in found[position + 1 :]:
            fork = _fork(first, second)
            if other is not kind and isinstance(fork, (cst.Try, cst.If)):
                yield (first, kind), (second, other)


def _fork(one: Imported, other: Imported) -> cst.CSTNode | None:
    """The innermost node around both imports, if they are in different parts of it; otherwise ``None``."""
    shared = [a for a, b in zip(one.path, other.path, strict=False) if a is b]
    return shared[-1] if shared and len(shared) < min(len(one.path), len(other.path)) else None


def runs_itself(parsed: ParsedFile) -> bool:
    """Whether the file starts a program when it is run: by a test of ``__name__``, or a call such as ``main()``."""
    import libcst as cst

    for statement in parsed.module.body:
        if isinstance(statement, cst.If) and "__name__" in parsed.code(statement.test):
            return True
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.Expr) and isinstance(small.value, cst.Call) and _starts(small.value):
                    return True
    return False


def _starts(call: cst.Call) -> bool:
    import libcst as cst

    function = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    return isinstance(function, cst.Name) and function.value in _RUNS
