"""The calls in a file that may make a server, as syntax and imports tell them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.families import DECORATED_NAMES, alternation
from pdmigrate.recognise.servers.record import REMOTE
from pdmigrate.sdk_names import canonical
from pdmigrate.tree.code.bindings import binds
from pdmigrate.tree.code.modules import SDK_PACKAGES
from pdmigrate.tree.code.syntax import assigned, dotted, imported_aliases, last_name
from pdmigrate.tree.code.whole import DEEPEST

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.evaluate.core.values import SdkObject
    from pdmigrate.model import Site
    from pdmigrate.recognise.world import World
    from pdmigrate.tree.code.modules import ModuleIndex, SourceModule

Definition = cst.FunctionDef | cst.ClassDef


@dataclass(frozen=True)
class CallSite:
    """A call in source, and the definitions around it, outermost first."""

    module: SourceModule
    node: cst.Call
    inside: tuple[Definition, ...]

    @property
    def site(self) -> Site:
        return self.module.site(self.node)


def call_sites(module: SourceModule, names: frozenset[str]) -> Iterator[CallSite]:
    """Calls of a name or attribute whose last part is one of ``names``."""
    return (site_around(module, node) for node in module.outline.calls_of(names))


def site_around(module: SourceModule, node: cst.Call) -> CallSite:
    """The call ``node`` with the definitions around it."""
    around = [item for item in module.outline.above(node) if isinstance(item, (cst.FunctionDef, cst.ClassDef))]
    return CallSite(module, node, tuple(reversed(around)))


def made_sites(made: Iterable[SdkObject], module: SourceModule, known: Iterable[CallSite]) -> Iterator[CallSite]:
    """The calls of a module, besides ``known``, that made one of the servers ``made``."""
    nodes: set[cst.CSTNode] = {site.node for site in known}
    for place in (server.place for server in made):
        if place is not None and place.module is module and place.node not in nodes:
            nodes.add(place.node)
            if isinstance(place.node, cst.Call):
                yield site_around(module, place.node)


def calls_elsewhere(
    world: World, module: SourceModule, names: frozenset[str]
) -> Iterator[tuple[SourceModule, list[CallSite]]]:
    """Calls in other modules of server classes that they import from ``module``: the SDK's, or derived from that."""
    if not names or not module.name.rpartition(".")[2].isidentifier():
        return
    derived = {node.name.value for node in module.outline.classes if node.name.value in names}
    importable = any(isinstance(statement, cst.ImportFrom) for statement in module.outline.imports)
    handed_on = names - derived if importable else frozenset()
    for path, called in world.whole.calling(module.path, tuple(sorted(derived)), tuple(sorted(handed_on))):
        try:
            other = world.index.at(path)
            sites = list(call_sites(other, frozenset(called)))
        except SourceError:
            continue  # reported where that file is read
        if sites:
            yield other, sites


# --- names of server classes ------------------------------------------------------------------------------------------


def imported_names(module: SourceModule, wanted: str) -> frozenset[str]:
    """The local names under which ``wanted``, or a class derived from it, may be known in the module."""
    names = {wanted, *(local for _, alias, local in imported_aliases(module.outline) if _original(alias) == wanted)}
    for definition in module.outline.classes:
        if any(last_name(base.value) in names for base in definition.bases):
            names.add(definition.name.value)
    return frozenset(names.union(*(_renamed(module, name) for name in names)))


def _renamed(module: SourceModule, name: str) -> Iterator[str]:
    """The names that the module, or one of its classes, binds to the object called ``name``: ``FastMCP = Server``."""
    for node in module.outline.named(name, lambda _: False):
        targets, value = assigned(module.outline.parents[node])
        yield from (target.value for target in targets if value is node and isinstance(target, cst.Name))


def _original(alias: cst.ImportAlias) -> str:
    return last_name(alias.name)


def _class_names(world: World, module: SourceModule) -> frozenset[str]:
    """The names under which a file may call a server class whose tools are functions."""
    imported = {_original(alias) for _, alias, _ in imported_aliases(module.outline)}
    wanted = (*DECORATED_NAMES, *imported.intersection(world.whole.renamed()))
    return frozenset(world.whole.server_classes()).union(*(imported_names(module, name) for name in wanted))


def sites_of(world: World, module: SourceModule) -> list[CallSite]:
    """The calls in a file that may make a server whose tools are functions: of a class, a method of it, or a proxy."""
    names = _class_names(world, module)
    return [site for site in call_sites(module, names | REMOTE) if _may_make(_called(site), names)]


def _called(site: CallSite) -> cst.BaseExpression:
    """What is called, without type arguments: ``FastMCP`` of ``FastMCP[State]("demo")``."""
    function = site.node.func
    return function.value if isinstance(function, cst.Subscript) else function


def _may_make(function: cst.BaseExpression, names: frozenset[str]) -> bool:
    if last_name(function) in {*names, "create_proxy", "FastMCPProxy"}:
        return True
    return isinstance(function, cst.Attribute) and last_name(function.value) in names


def hands_on(world: World, module: SourceModule) -> bool:
    """Whether the module may make a server without calling a class by name: a function returns class or name."""
    if passed_on(module, _class_names(world, module)):
        return True
    # A module that calls nothing but what other modules define makes no server: code of those modules would.
    as_text = _AS_TEXT.search(module.source.raw) is not None
    return as_text and not all(_of_other_module(world, module, call) for call in module.outline.calls)


_AS_TEXT = re.compile(rb"""["']%s["']""" % alternation(DECORATED_NAMES))


def _of_other_module(world: World, module: SourceModule, call: cst.Call) -> bool:
    """Whether a call is certainly one of a function or class that another module of the tree defines."""
    if not isinstance(call.func, cst.Name):
        return False
    return _only_imported(module, call.func, lambda alias: _is_defined(world.index, module, alias))


def _is_defined(index: ModuleIndex, module: SourceModule, alias: cst.ImportAlias) -> bool:
    """Whether ``from module import name`` imports what one ``def`` or ``class`` of a file of the tree binds."""
    statement = module.outline.parents[alias]
    file = _imported_file(index, module, statement) if isinstance(statement, cst.ImportFrom) else None
    if file is None or file.endswith("/"):
        return False
    name = _original(alias)
    try:
        other = index.at(file)
    except SourceError:
        return False  # reported where that file is read
    bindings = [node for node in other.outline.bound(name) if binds(other, node)]
    return len(bindings) == 1 and isinstance(other.outline.parents[bindings[0]], (cst.FunctionDef, cst.ClassDef))


def passed_on(module: SourceModule, names: frozenset[str]) -> bool:
    """Whether a class is passed on as a value: ``make = Server``, ``partial(Server, "x")``, ``{"x": sdk.Server}``."""
    return any(_is_handed_on(module, node) for name in names for node in module.outline.names.get(name, ()))


def _is_handed_on(module: SourceModule, node: cst.Name) -> bool:
    parents = module.outline.parents
    value: cst.CSTNode = node
    parent = parents[node]
    if isinstance(parent, cst.Attribute) and parent.attr is node:
        value, parent = parent, parents[parent]
    match parent:
        case cst.AnnAssign(value=held) | cst.Return(value=held) | cst.Param(default=held):
            return held is value
        case cst.Arg():
            return isinstance(parents[parent], cst.Call)
        case cst.Assign() | cst.DictElement() | cst.Element():
            return True
    return False


# --- calls that certainly make a server of a class, or none -----------------------------------------------------------


def is_server_call(run: Interpreter, site: CallSite, wanted: str) -> bool:
    """Whether the call names the class ``wanted``, by the executed module's bindings or a function's import."""
    name = dotted(_called(site))
    if not name.isidentifier():
        return False
    executed = run.modules.get(site.module.path)
    value = executed.scope.names.get(name) if executed is not None else None
    if value is not None or not site.inside:
        return value is not None and value.library_name == wanted
    return any(
        local == name and canonical(f"{dotted(statement.module)}.{_original(alias)}") == wanted
        for statement, alias, local in imported_aliases(site.module.outline)
        if statement.module is not None and not statement.relative
    )


def of_other_library(world: World, site: CallSite) -> bool:
    """Whether a call certainly belongs to a library other than an SDK (``uvicorn.Server(...)``).

    It does if all that the module does with the name is to import it from there, call it, read attributes of it, or
    annotate with it.
    """
    root = site.node.func
    while isinstance(root, (cst.Attribute, cst.Subscript)):
        root = root.value
    if not isinstance(root, cst.Name):
        return False
    return _only_imported(site.module, root, lambda alias: _is_foreign(world, site.module, alias))


def _only_imported(module: SourceModule, name: cst.Name, expected: Callable[[cst.ImportAlias], bool]) -> bool:
    """Whether a name is imported, by ``expected`` imports alone, and the module only ever uses it besides."""
    uses = [(node, [*module.outline.around(node, cst.ImportAlias)]) for node in module.outline.names[name.value]]
    return any(aliases for _, aliases in uses) and all(
        _is_used(module, node, aliases) or any(expected(alias) for alias in aliases) for node, aliases in uses
    )


def _is_used(module: SourceModule, node: cst.Name, aliases: list[cst.ImportAlias]) -> bool:
    """Whether a name is called here, its attribute read, or used as an annotation: neither bound nor passed on."""
    match parent := module.outline.parents[node]:
        case cst.Attribute():
            around = module.outline.parents[parent]
            bound = isinstance(around, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.Del))
            return not aliases and not bound
        case cst.Call() | cst.Annotation():
            return True
    return False


def _is_foreign(world: World, module: SourceModule, alias: cst.ImportAlias) -> bool:
    match module.outline.parents[alias]:
        case cst.Import():
            name = module.code(alias.name)
        case cst.ImportFrom(module=cst.CSTNode() as imported, relative=[]):
            name = module.code(imported)
        case _:
            return False
    return name.partition(".")[0] not in SDK_PACKAGES and world.index.find(name, module.path) is None


def certain_sites(world: World, path: str, wanted: str) -> Iterator[CallSite]:
    """The calls that make a server of the SDK's class ``wanted``, or of a class derived from it in the tree.

    A name counts if every import and class that binds it leads to ``wanted``, and nothing else in the file binds it:
    this is what is known of a program that is too complex to evaluate.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    module = world.index.at(path)
    for site in sites_of(world, module):
        name = dotted(site.node.func)
        if name.isidentifier() and _is_class(world.index, module, name, wanted, DEEPEST):
            yield site


def _is_class(index: ModuleIndex, module: SourceModule, name: str, wanted: str, depth: int) -> bool:
    if depth == 0 or re.search(rf"(?m)^[ \t]*(?:(?:async[ \t]+)?def[ \t]+{name}\b|{name}\s*[:=])", module.source.text):
        return False
    defined = (
        any(_is_class(index, module, base, wanted, depth - 1) for base in _bases(definition))
        for definition in module.outline.classes
        if definition.name.value == name
    )
    found = [*_imported(index, module, name, wanted, depth), *defined]
    return bool(found) and all(found)


def _imported(index: ModuleIndex, module: SourceModule, name: str, wanted: str, depth: int) -> Iterator[bool]:
    for statement, alias, local in imported_aliases(module.outline):
        if local != name:
            continue
        file, original = _imported_file(index, module, statement), _original(alias)
        if file is None:
            yield not statement.relative and canonical(f"{_source(statement)}.{original}") == wanted
        else:
            yield not file.endswith("/") and _is_class_at(index, file, original, wanted, depth - 1)


def _imported_file(index: ModuleIndex, module: SourceModule, statement: cst.ImportFrom) -> str | None:
    """The file, or folder with a slash at the end, of the tree that ``from ... import`` means."""
    if statement.relative:
        return index.relative(module, len(statement.relative), _source(statement))
    return index.find(_source(statement), module.path)


def _source(statement: cst.ImportFrom) -> str:
    return dotted(statement.module) if statement.module is not None else ""


def _is_class_at(index: ModuleIndex, path: str, name: str, wanted: str, depth: int) -> bool:
    try:
        return _is_class(index, index.at(path), name, wanted, depth)
    except SourceError:
        return False  # reported when that file is read for its own servers


def _bases(definition: cst.ClassDef) -> Iterator[str]:
    for base in definition.bases:
        value = base.value.value if isinstance(base.value, cst.Subscript) else base.value
        if isinstance(value, cst.Name):
            yield value.value
