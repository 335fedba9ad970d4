"""Registrations that are in the source and were not seen to happen: a server may list more than what was seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.core.usage import mentioned
from pdmigrate.evaluate.language.imports import dotted
from pdmigrate.evaluate.tree.mentions import mentions_of
from pdmigrate.tree.glances import REGISTERS

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.tree.modules import SourceModule
    from pdmigrate.evaluate.world import World

REGISTERING = ("tool", "add_tool", "import_server", "mount")
_TEST = re.compile(r"(?:^|/)(?:tests?|examples?)/|(?:^|/)(?:test_[^/]*|conftest)\.py$")


def unseen_registrations(run: Interpreter, world: World, path: str) -> str | None:
    """Why the server that the module at ``path`` makes may have more tools; ``None`` when nothing says so."""
    for executed in list(run.modules.values()):
        module = executed.module
        if REGISTERS.search(module.source.raw):
            for function in _registering(module):
                if function not in run.executed and mentioned(run, module, function):
                    return f"{function.name.value}() in {module.path} registers tools, and was not seen to run"
    for other in _may_import(world, path):
        if other not in run.modules and not _TEST.search(other) and _registers_with(world, other, path):
            return f"{other} registers tools, and was not seen to be imported"
    return None


def importers(world: World, path: str) -> list[str]:
    """The other files that import the module at ``path`` and register tools or are run as scripts."""
    found = []
    for other in _may_import(world, path):
        if other == path or _TEST.search(other):
            continue
        glance = world.glances.at(other)
        if glance is not None and (glance.registers or glance.starts) and _imports(world, other, path):
            found.append(other)
    # What imports several of them comes first: it is where the parts of a program meet.
    return sorted(found, key=lambda other: -sum(_imports(world, other, part) for part in found if part != other))


def _may_import(world: World, path: str) -> list[str]:
    """The files, in their order, whose import statements may name the module at ``path``."""
    may = world.glances.importing(path)
    return [other for other in world.files if other in may]


def _registering(module: SourceModule) -> Iterator[cst.FunctionDef]:
    """The functions whose bodies register tools."""
    seen: set[cst.FunctionDef] = set()
    for name in REGISTERING:
        for node in module.outline.names.get(name, ()):
            parent = module.outline.parents[node]
            if not (isinstance(parent, cst.Attribute) and parent.attr is node) or _mounts_a_path(module, parent):
                continue
            function = _function_around(module, parent)
            if function is not None and function not in seen:
                seen.add(function)
                yield function


def _mounts_a_path(module: SourceModule, mount: cst.Attribute) -> bool:
    """Whether something is mounted at a path or an address, as in web frameworks; tools of a server get a prefix."""
    call = module.outline.parents[mount]
    if mount.attr.value != "mount" or not isinstance(call, cst.Call) or call.func is not mount or not call.args:
        return False
    return re.match(r"""[rRfF]{0,2}['"]{1,3}(?:/|\w*://)""", module.code(call.args[0].value)) is not None


def _function_around(module: SourceModule, node: cst.CSTNode) -> cst.FunctionDef | None:
    """The function whose body holds ``node``; a decorator stands outside of the function that it decorates."""
    decorates, registers = False, False
    for above in module.outline.above(node):
        if isinstance(above, cst.Decorator):
            decorates = registers = True
        elif isinstance(above, cst.Call):
            registers = True
        elif isinstance(above, cst.FunctionDef):
            if not decorates:
                return above if registers else None
            decorates = False
    return None


def _registers_with(world: World, file: str, path: str) -> bool:
    """Whether a file that did not run imports the module at ``path`` and registers tools."""
    glance = world.glances.at(file)
    return glance is not None and glance.registers and _imports(world, file, path)


def _imports(world: World, file: str, path: str) -> bool:
    """Whether a file may import the one at ``path``; asked for every two of them."""
    return path in world.once(("files imported by", file), lambda: frozenset(_imported_by(world, file)))


def _imported_by(world: World, file: str) -> Iterator[str]:
    """CPython's parser reads most files, ten times as fast as libcst; what it cannot read is parsed by that."""
    try:
        module = world.index.at(file)
        mentions = mentions_of(world.index, file, module.source.raw)
        if not mentions.readable:
            for statement in module.outline.imports:
                yield from _imported(world, module, *_parts(statement))
            return
    except SourceError:
        return  # said of that file where it is read
    yield from _imported(world, module, [alias.name for node in mentions.whole for alias in node.names], 0)
    for node in mentions.named:
        yield from _imported(world, module, _with_base(node.module or "", [a.name for a in node.names]), node.level)


def _parts(statement: cst.Import | cst.ImportFrom) -> tuple[list[str], int]:
    """The dotted names that an import statement may mean, and the level that they start from."""
    if isinstance(statement, cst.Import):
        return [dotted(alias.name) for alias in statement.names], 0
    base = dotted(statement.module) if statement.module is not None else ""
    aliases = [] if isinstance(statement.names, cst.ImportStar) else [dotted(alias.name) for alias in statement.names]
    return _with_base(base, aliases), len(statement.relative)


def _with_base(base: str, names: Iterable[str]) -> list[str]:
    return [base, *(f"{base}.{name}" if base else name for name in names)]


def _imported(world: World, module: SourceModule, names: Iterable[str], level: int) -> set[str]:
    """The files that an import may lead to."""
    if level:
        return {found for name in names if (found := world.index.relative(module, level, name))}
    return {found for name in names if name and (found := world.index.find(name, module.path))}


__all__ = ["unseen_registrations"]
