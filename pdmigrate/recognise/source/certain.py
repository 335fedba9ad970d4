"""The servers of a program that exceeds the budget, as far as its imports and classes alone prove them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.recognise.starting.runs import sites_of
from pdmigrate.sdk_names import canonical
from pdmigrate.tree.code.syntax import dotted, last_name
from pdmigrate.tree.code.whole import DEEPEST

if TYPE_CHECKING:
    from pdmigrate.recognise.starting.driving import CallSite
    from pdmigrate.recognise.world import World
    from pdmigrate.tree.code.modules import ModuleIndex, SourceModule


def certain_sites(world: World, path: str, wanted: str) -> Iterator[CallSite]:
    """The calls that make a server of the SDK's class ``wanted``, or of a class derived from it in the tree.

    A name counts if every import and class that binds it leads to ``wanted``, and nothing else in the file binds it.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    module = world.index.at(path)
    for site in sites_of(world, module):
        function = site.node.func
        if isinstance(function, cst.Name) and _is_class(world.index, module, function.value, wanted, DEEPEST):
            yield site


def _is_class(index: ModuleIndex, module: SourceModule, name: str, wanted: str, depth: int) -> bool:
    if depth == 0 or re.search(rf"(?m)^[ \t]*(?:(?:async[ \t]+)?def[ \t]+{name}\b|{name}\s*[:=])", module.source.text):
        return False
    found = [*_imported(index, module, name, wanted, depth), *_defined(index, module, name, wanted, depth)]
    return bool(found) and all(found)


def _imported(index: ModuleIndex, module: SourceModule, name: str, wanted: str, depth: int) -> Iterator[bool]:
    for statement in module.outline.imports:
        if not isinstance(statement, cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
            continue
        for alias in statement.names:
            original = last_name(alias.name)
            if (last_name(alias.asname.name) if alias.asname is not None else original) != name:
                continue
            source = dotted(statement.module) if statement.module is not None else ""
            if statement.relative:
                file = index.relative(module, len(statement.relative), source)
            else:
                file = index.find(source, module.path)
            if file is None:
                yield not statement.relative and canonical(f"{source}.{original}") == wanted
            else:
                yield not file.endswith("/") and _is_class_at(index, file, original, wanted, depth - 1)


def _is_class_at(index: ModuleIndex, path: str, name: str, wanted: str, depth: int) -> bool:
    try:
        return _is_class(index, index.at(path), name, wanted, depth)
    except SourceError:
        return False  # reported when that file is read for its own servers


def _defined(index: ModuleIndex, module: SourceModule, name: str, wanted: str, depth: int) -> Iterator[bool]:
    for definition in module.outline.classes:
        if definition.name.value == name:
            yield any(_is_class(index, module, base, wanted, depth - 1) for base in _bases(definition))


def _bases(definition: cst.ClassDef) -> Iterator[str]:
    for base in definition.bases:
        value = base.value.value if isinstance(base.value, cst.Subscript) else base.value
        if isinstance(value, cst.Name):
            yield value.value
