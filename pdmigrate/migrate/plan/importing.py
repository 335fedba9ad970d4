"""The name, or the two names, by which a server's file imports the generated module beside it.

A module of a package is imported with a dot, a module beside a script without; if the project is installed, the full
name works however the file is run.  The evidence, in order: the file's own imports of its project, those of its
neighbours and tests, the packaging, and how the project says it is started (``running.py``).  Only a file that may be
reached in two ways tries two names in turn: the import is longer, but the server starts either way.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from pathlib import PurePosixPath
from typing import NamedTuple

from pdmigrate.describe.homes import Home
from pdmigrate.model import Span
from pdmigrate.project.rewrite.blocks import Imported, imports
from pdmigrate.project.rewrite.import_place import Import
from pdmigrate.project.running import PACKAGE, PACKAGED, PROJECT, SCRIPT, package_of
from pdmigrate.sdk.families import DISTRIBUTIONS
from pdmigrate.source.outline import TRY, Outline

_ELSEWHERE = sys.stdlib_module_names | {*DISTRIBUTIONS, "pydantic"}
_RUNS = frozenset({"main", "run", "serve", "start", "cli", "app"})
_PATHS = ("sys.path", "addsitedir")
"""What code says that changes where modules are found."""


class Kind(IntEnum):
    """How an import names a module of the same project."""

    RELATIVE = 0
    ABSOLUTE = 1
    BARE = 2


class Form(NamedTuple):
    """How the generated module is imported: as another module of the project is."""

    kind: Kind
    name: str
    sure: bool = True
    """Whether the module is seen in the project; an import that is not may mean a library of the same name."""


class Around(NamedTuple):
    """What surrounds a file.

    ``tree`` holds the Python files beside the server and above it, relative to the root; ``ways`` says how the file is
    run (``running.ways_of``); ``libraries`` are the packages that the project requires.
    """

    tree: Collection[str]
    ways: Collection[str] = ()
    libraries: Collection[str] = ()


def import_of(home: Home, outline: Outline, around: Around) -> Import:
    """The import by which ``outline`` gets the module of ``home``."""
    file = PurePosixPath(outline.path)
    every = imports(outline)
    outer = _package_around(file.parent, around.tree) if PACKAGE in around.ways else ()
    if outer and any(imported.package == outer[0] and imported.is_certain for imported in every):
        return Import((".".join((*outer, file.parent.name, home.stem)),))
    found = [(one, form) for one in every if (form := form_of(one, file, around)) is not None]
    if any(form.kind is Kind.BARE and imported.is_certain for imported, form in found):
        found = [(imported, form) for imported, form in found if form.sure]
    pair = min(alternatives(found), key=lambda pair: len(pair[0][0].functions), default=())
    own = {Kind.RELATIVE: "", Kind.ABSOLUTE: ".".join(package_of(file.parent, around.tree)), Kind.BARE: ""}
    if not (forms := [form for _, form in pair]):
        named = {form.kind: form.name for _, form in reversed(found)}
        forms = [Form(kind, named.get(kind, own[kind])) for kind in _kinds(outline, found, around)]
    names = tuple(_joined(form, home.stem) for form in forms)
    after = _after(outline, pair or found, [form.kind for form in forms])
    if len(names) < 2:
        return Import(names, after)
    # A type checker sees a file in one way only: as a module of its package, if it is in one.
    unseen = Kind.BARE if _is_initialised(file, around.tree) else Kind.RELATIVE
    return Import(names, after, next((n for n, form in zip(names, forms, strict=True) if form.kind is unseen), ""))


def _joined(form: Form, stem: str) -> str:
    return f".{stem}" if form.kind is Kind.RELATIVE else ".".join(filter(None, (form.name, stem)))


def _after(outline: Outline, found: Sequence[tuple[Imported, Form]], kinds: Sequence[Kind]) -> Span | None:
    """The last import that may work only because of the code above it, such as a change of ``sys.path``."""
    moved = any(word in outline.source.text for word in _PATHS)
    needing = {Kind.BARE, *((Kind.ABSOLUTE,) if moved else ())}.intersection((*kinds, Kind.BARE))
    spans = [outline.span(i.node) for i, form in found if form.kind in needing and not i.functions]
    return spans[-1] if spans else None


def _kinds(outline: Outline, found: Sequence[tuple[Imported, Form]], around: Around) -> tuple[Kind, ...]:
    tree, ways, _ = around
    if any(form.kind is Kind.RELATIVE and imported.is_certain for imported, form in found):
        # A file that imports relatively at its top level cannot be a script, whatever else it imports.
        return (Kind.RELATIVE,)
    own = {form.kind for _, form in found}
    if {Kind.RELATIVE, Kind.BARE} <= own:
        return Kind.RELATIVE, Kind.BARE
    if own == {Kind.RELATIVE} and (SCRIPT in ways or runs_itself(outline)):
        # Imports in functions fail when a tool is called; that of the module would keep a script from starting at all.
        return Kind.RELATIVE, Kind.BARE
    if own == {Kind.BARE} and PACKAGE in ways and _is_initialised(PurePosixPath(outline.path), tree):
        # The import works because the file's folder is on the path, or because an installed module has the same name.
        return Kind.RELATIVE, Kind.BARE
    return (min(own),) if own else _possible(outline, around)


def _possible(outline: Outline, around: Around) -> tuple[Kind, ...]:
    """The kinds of import for a file that imports nothing of its project; one of them works however the file is run."""
    tree, ways, libraries = around
    file = PurePosixPath(outline.path)
    if file.name == "__init__.py":
        return (Kind.RELATIVE,)
    either_way = (Kind.RELATIVE, Kind.BARE)
    starts, initialised = runs_itself(outline), _is_initialised(file, tree)
    if PACKAGE in ways:
        if PROJECT in ways and SCRIPT not in ways and initialised and package_of(file.parent, tree)[0] not in libraries:
            return (Kind.ABSOLUTE,)
        return either_way if SCRIPT in ways or starts else (Kind.RELATIVE,)
    if SCRIPT in ways or PROJECT in ways:
        return (Kind.BARE,)
    if not initialised:
        # Python takes such a folder for a package as well, and an installer copies it as one.
        return either_way if PACKAGED in ways else (Kind.BARE,)
    # A module of a package that nothing imports or names may be run with ``-m`` as well as by its path.
    return either_way if starts else (Kind.RELATIVE,)


def _package_around(folder: PurePosixPath, tree: Collection[str]) -> tuple[str, ...]:
    """The package of which Python takes a ``folder`` without ``__init__.py`` for a part; empty if there is none."""
    above = folder.parent
    inside = folder.name.isidentifier() and above.name and (above / "__init__.py").as_posix() in tree
    return package_of(above, tree) if inside and (folder / "__init__.py").as_posix() not in tree else ()


def form_of(imported: Imported, file: PurePosixPath, around: Around) -> Form | None:
    """How an import in ``file`` names a module of its own project; ``None`` if it names another project's."""
    tree, _, libraries = around
    if imported.module.startswith("."):
        return Form(Kind.RELATIVE, "")
    first = imported.package
    if first in _ELSEWHERE:
        return None
    dotted = imported.module or next(iter(imported.names.values()), "")
    package = package_of(file.parent, tree)
    if package and first == package[0] and (len(package) > 1 or dotted != first or _is_initialised(file, tree)):
        sure = _is_seen(imported, dotted, file.parents[len(package)], tree)
        return Form(Kind.ABSOLUTE, ".".join(package), sure) if sure or first not in libraries else None
    if (outer := _from_above(imported, dotted, file.parent, tree)) is not None:
        return outer
    beside = {f"{(file.parent / first).as_posix()}.py", (file.parent / first / "__init__.py").as_posix()}
    return Form(Kind.BARE, "") if beside & set(tree) else None


def _from_above(imported: Imported, dotted: str, folder: PurePosixPath, tree: Collection[str]) -> Form | None:
    """The form of an import by a folder further out than the package: ``src.pkg`` where the project is on the path."""
    for base in folder.parents:
        parts = folder.relative_to(base).parts
        if parts[0] == dotted.partition(".")[0] and _is_seen(imported, dotted, base, tree):
            return Form(Kind.ABSOLUTE, ".".join(parts))
    return None


def _is_seen(imported: Imported, dotted: str, base: PurePosixPath, tree: Collection[str]) -> bool:
    """Whether a module that is imported by its full name is a file of the tree below ``base``."""
    path = base.joinpath(*dotted.split("."))
    modules = [path / name for name in imported.names.values()] if imported.module else []
    if "." in dotted:
        modules.append(path)
    return any(f"{m.as_posix()}.py" in tree or (m / "__init__.py").as_posix() in tree for m in modules)


def _is_initialised(file: PurePosixPath, tree: Collection[str]) -> bool:
    return (file.parent / "__init__.py").as_posix() in tree


def alternatives(found: Sequence[tuple[Imported, Form]]) -> Iterator[tuple[tuple[Imported, Form], ...]]:
    """The pairs of imports of different forms in two branches of one ``try`` or ``if``, in order."""
    for position, (first, form) in enumerate(found):
        for second, other in found[position + 1 :]:
            if (form.kind, form.name) != (other.kind, other.name) and _are_branches(first, second):
                yield (first, form), (second, other)


def _are_branches(one: Imported, other: Imported) -> bool:
    """Whether two imports stand in different parts of the innermost ``try`` or ``if`` around both."""
    shared = [a for a, b in zip(one.way, other.way, strict=False) if a is b]
    return isinstance(shared[-1], (*TRY, ast.If))


def runs_itself(outline: Outline) -> bool:
    """Whether the file starts a program when it is run: by a test of ``__name__``, or a call such as ``main()``."""
    for statement in outline.tree.body:
        if isinstance(statement, ast.If) and "__name__" in outline.code(statement.test):
            return True
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            function = statement.value.func
            if getattr(function, "attr", getattr(function, "id", "")) in _RUNS:
                return True
    return False
