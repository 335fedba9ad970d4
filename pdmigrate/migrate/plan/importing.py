"""The name by which a server's file imports the generated module beside it.

A module of a package is imported with a dot, a module beside a script without; if the project is installed, the full
name works however the file is run.  A file that may be reached in both ways, and imports nothing of its project at the
top, tries both names.  The evidence, in order: the file's own imports of its project, then those of its
neighbours and tests, the packaging, and the commands in documents (``running.py``).  A file that imports its project in
two ways, in two branches, goes on doing so.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from pathlib import PurePosixPath
from typing import NamedTuple

from pdmigrate.describe.homes import Home
from pdmigrate.project.commands import is_script
from pdmigrate.project.rewrite.blocks import Imported, imports
from pdmigrate.project.rewrite.import_place import Import
from pdmigrate.project.running import INSTALLED, PACKAGE, SCRIPT, package_of
from pdmigrate.sdk.families import DISTRIBUTIONS
from pdmigrate.source.outline import TRY, Outline

_ELSEWHERE = sys.stdlib_module_names | {*DISTRIBUTIONS, "pydantic"}


class Kind(IntEnum):
    """How an import names a module of the same project; of several in a file, the first kind counts."""

    RELATIVE = 0
    ABSOLUTE = 1
    BARE = 2
    UNSEEN = 3
    """Absolute, but of a module that is not seen in the project: it may mean a library of the same name."""


class Form(NamedTuple):
    """How the generated module is imported: as another module of the project is."""

    kind: Kind
    name: str = ""


class Around(NamedTuple):
    """What surrounds a file.

    ``tree`` holds the Python files beside the server and above it, relative to the root; ``ways`` says how the file is
    known (``running.ways_of``); ``libraries`` are the packages that the project requires.
    """

    tree: Collection[str]
    ways: Collection[str] = ()
    libraries: Collection[str] = ()


def imports_of(home: Home, outline: Outline, around: Around, before: int) -> tuple[Import, ...]:
    """The import by which ``outline`` gets the module of ``home``, or one for each of two branches.

    Only imports above the offset ``before`` can have the new one beside them.
    """
    file = PurePosixPath(outline.path)
    found = [(one, form) for one in imports(outline) if (form := form_of(one, file, around)) is not None]
    above = [(one, form) for one, form in found if not one.functions and outline.span(one.node).end <= before]
    for pair in _alternatives(above):
        return tuple(Import(_joined(form, home.stem), imported.node) for imported, form in pair)
    certain = [form for imported, form in found if imported.is_certain]
    chosen = min(certain or [form for _, form in found], key=lambda form: form.kind, default=None)
    if chosen is None or (not certain and chosen.kind is Kind.RELATIVE):
        chosen = _by_evidence(outline, around, is_known=chosen is not None)
        if chosen.kind is Kind.RELATIVE and _may_be_run(outline, around):
            return (Import(_joined(chosen, home.stem), otherwise=home.stem),)
    beside = [imported.node for imported, form in above if form.kind is chosen.kind is not Kind.RELATIVE]
    return (Import(_joined(chosen, home.stem), beside[-1] if beside else None),)


def _joined(form: Form, stem: str) -> str:
    return f".{stem}" if form.kind is Kind.RELATIVE else ".".join(filter(None, (form.name, stem)))


def _by_evidence(outline: Outline, around: Around, *, is_known: bool) -> Form:
    """The form for a file whose own imports do not settle it; ``is_known``: they show that it is part of a package."""
    tree, ways, libraries = around
    file = PurePosixPath(outline.path)
    package, initialised = package_of(file.parent, tree), _is_initialised(file, tree)
    if file.name == "__init__.py":
        return Form(Kind.RELATIVE)
    if package and (initialised or is_known) and INSTALLED in ways and package[0] not in libraries:
        return Form(Kind.ABSOLUTE, ".".join(package))
    # A module of a package that nothing imports or names is a script if it starts itself.
    is_module = initialised and SCRIPT not in ways and not is_script(outline.source.text)
    return Form(Kind.RELATIVE if is_known or PACKAGE in ways or is_module else Kind.BARE)


def _may_be_run(outline: Outline, around: Around) -> bool:
    """Whether a module of a package may be run by its path, too: a name with a dot fails then."""
    file, is_known = PurePosixPath(outline.path), PACKAGE in around.ways
    is_run = SCRIPT in around.ways or is_script(outline.source.text)
    return file.name != "__init__.py" and (is_run or not (is_known or _is_initialised(file, around.tree)))


def form_of(imported: Imported, file: PurePosixPath, around: Around) -> Form | None:
    """How an import in ``file`` names a module of its own project; ``None`` if it names another project's."""
    tree, _, libraries = around
    if imported.module.startswith("."):
        return Form(Kind.RELATIVE)
    first = imported.package
    if first in _ELSEWHERE:
        return None
    # A folder further out than the package may be on the path: ``src.pkg`` where that is the project's.
    for base in file.parent.parents:
        parts = file.parent.relative_to(base).parts
        if parts[0] == first and _is_seen(imported, base, tree):
            return Form(Kind.ABSOLUTE, ".".join(parts))
    if {f"{(file.parent / first).as_posix()}.py", (file.parent / first / "__init__.py").as_posix()} & {*tree}:
        return Form(Kind.BARE)
    package = package_of(file.parent, tree)
    is_own = first == next(iter(package), "") and first not in libraries
    return Form(Kind.UNSEEN, ".".join(package)) if is_own else None


def _is_seen(imported: Imported, base: PurePosixPath, tree: Collection[str]) -> bool:
    """Whether a module that is imported by its full name, or its package, is a file of the tree below ``base``."""
    prefix = f"{imported.module}." if imported.module else ""
    names = [f"{prefix}{name}".split(".") for name in imported.names.values()]
    places = [base.joinpath(*name[:2]).as_posix() for name in names if len(name) > 1]
    return any(f"{place}.py" in tree or f"{place}/__init__.py" in tree for place in places)


def _is_initialised(file: PurePosixPath, tree: Collection[str]) -> bool:
    return (file.parent / "__init__.py").as_posix() in tree


def _alternatives(found: Sequence[tuple[Imported, Form]]) -> Iterator[tuple[tuple[Imported, Form], ...]]:
    """The pairs of imports of different forms in two branches of one ``try`` or ``if``, in order."""
    for position, (first, form) in enumerate(found):
        for second, other in found[position + 1 :]:
            shared = [a for a, b in zip(first.way, second.way, strict=False) if a is b]
            if form != other and isinstance(shared[-1], (*TRY, ast.If)):
                yield (first, form), (second, other)
