"""Import statements: modules of the program are loaded, everything else is a name of a library."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter

from pdmigrate.model import Site
from pdmigrate.names import MODULE
from pdmigrate.sdk.families import IMPORTED
from pdmigrate.sdk.names import absent, canonical, exported, is_generated
from pdmigrate.understand.demand import scopes
from pdmigrate.understand.demand.positions import END, INFINITY, Branch, Loaded, Place, Position
from pdmigrate.understand.demand.run import CONSTANTS, RaisedError, Run
from pdmigrate.understand.index.habits import may_raise
from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.syntax import chain
from pdmigrate.understand.index.units import Unit
from pdmigrate.understand.values.containers import Followed, Mutable
from pdmigrate.understand.values.core import CONDITION, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, unsettled
from pdmigrate.understand.values.objects import Scope
from pdmigrate.understand.values.outside import External, ModuleValue

_SURE = {*IMPORTED, "pydantic", "pydantic_core", "typing_extensions", "annotated_types", "anyio", "starlette"}
"""Packages that are there wherever an SDK is."""
_OF_PLATFORMS = frozenset(
    ("curses", "dbm", "fcntl", "grp", "msvcrt", "nt", "ossaudiodev", "posix", "pty", "pwd", "readline", "resource",
     "spwd", "syslog", "termios", "tkinter", "tty", "turtle", "winreg", "winsound", "_winapi")
)  # fmt: skip
"""Modules of Python that only some systems have."""


def imported(run: Run, node: ast.Import | ast.ImportFrom, scope: Scope) -> Iterator[tuple[str, Value]]:
    """The names that an import statement binds, with their values."""
    module, tree = scope.module, run.program.tree
    if isinstance(node, ast.Import):
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            if (why := _displaced(run, alias.name, module.path)) is not None:
                yield alias.asname or name, why
            elif (path := tree.find(alias.name, module.path)) is None:
                outside(run, alias.name)
                yield alias.asname or name, External(name)
            else:
                _look_up(run, alias.name, module.path)
                load(run, path)
                yield alias.asname or name, _module(run, tree.find(name, module.path) or path, alias.name)
        return
    if not node.level and (why := _displaced(run, node.module or "", module.path)) is not None:
        yield from ((alias.asname or alias.name, why) for alias in node.names)
        return
    if (target := tree.beside(module, node)) is None:
        yield from _of_library(run, node, module)
        return
    if node.level and module.path == run.program.main:  # a file that is started by its path has no package
        run.failing.add("builtins.ImportError")
    if not node.level:
        _look_up(run, node.module or "", module.path)
    load(run, target)
    for alias in node.names:
        if alias.name != "*":
            yield alias.asname or alias.name, member(run, target, alias.name)
        elif target in run.program.loaded and target != module.path:  # what else it gives is found where it is read
            exported = ((name, scopes.exported(run, target, name)) for name in module.bound)
            yield from ((name, value) for name, value in exported if value is not None)


def _of_library(run: Run, node: ast.ImportFrom, module: Module) -> Iterator[tuple[str, Value]]:
    name = node.module or ""
    if is_generated(name):  # the generated module is not followed: of what it has, only ``enable`` matters
        yield from ((alias.asname or alias.name, External(f"{MODULE}.{alias.name}")) for alias in node.names)
        return
    outside(run, name)
    for alias in node.names:
        if alias.name != "*":
            _require_present(run, f"{name}.{alias.name}")
            run.risk |= scopes.is_lacking(name, alias.name)
            full = canonical(f"{name}.{alias.name}")
            yield alias.asname or alias.name, CONSTANTS[full](run) if full in CONSTANTS else External(full)
        else:
            yield from _rebound(run, name, module)


def _rebound(run: Run, name: str, module: Module) -> Iterator[tuple[str, Value]]:
    """The names of a module that ``from library import *`` may bind once more."""
    why = run.unsettled(f"{name} may have the name, too")
    public = (own for own in module.bound if not own.startswith("_") and not scopes.is_lacking(name, own))
    for own in public:
        value = run.program.read(module.path, own)
        if value is not None and not isinstance(bare_value(value), (External, Followed, ModuleValue)):
            yield own, unsettled(why, value)


def _displaced(run: Run, name: str, importer: str) -> Unknown | None:
    """Why it is not known which file a module is: the program puts a folder before those that Python searches."""
    tree = run.program.tree
    if not any(_puts_first(loaded.module) for loaded in run.program.loaded.values()):
        return None
    alone = tree.named(name) <= {tree.find(name, importer)}
    return None if alone else run.unsettled(f"which file {name} means where sys.path is changed")


@lru_cache(maxsize=5_000)
def _puts_first(module: Module) -> bool:
    """Whether code puts something at the front of ``sys.path``, or another list in its place."""
    stored = [node for node in module.nodes if isinstance(getattr(node, "ctx", None), ast.Store)]
    set_whole = any("sys.path" in (chain(node), chain(getattr(node, "value", node))) for node in stored)
    calls = (node for node in module.nodes if isinstance(node, ast.Call))
    return set_whole or any(chain(call.func).endswith("path.insert") for call in calls)


def _look_up(run: Run, name: str, importer: str) -> None:
    """A module of the program may be where not every way to start it finds it; somebody may catch that."""
    if not run.program.tree.is_on_path(name, importer, run.program.main):
        run.failing.add("builtins.ModuleNotFoundError")


def outside(run: Run, name: str) -> None:
    """An import of a library: it may fail where the library need not be installed."""
    _require_present(run, name)
    top = name.partition(".")[0]
    required = top.lower().replace("_", "-") in run.program.required
    run.risk |= not (required or top in _SURE or (top in sys.stdlib_module_names and top not in _OF_PLATFORMS))


def _require_present(run: Run, name: str) -> None:
    package = name.partition(".")[0]
    if package not in IMPORTED:
        return
    if absent(run.versions, name):
        raise RaisedError("builtins.ModuleNotFoundError", f"{name} is not in this version of mcp", run.site())
    present = exported(run.versions, canonical(name))
    if present is False:
        raise RaisedError("builtins.ImportError", f"{name} is not in this version of {package}", run.site())
    run.risk |= present is None


def load(run: Run, path: str) -> None:
    """Load a module of the program where its import is carried out, under the conditions of that place."""
    if path.endswith("/"):
        return
    program, known, before = run.program, path in run.program.loaded, len(run.program.tried)
    catching = [region for region in run.regions if region.kind == "raise"] if not run.ending else []
    branch = run.branch
    if catching and run.risk:
        branch = branch or (may_fail(run.site()), None)
    if run.ending or any(region.kind == "function" for region in run.regions):
        branch = None  # a path of a function that loads modules mostly ends there, and loads them for nobody else
    tried = all(region.missing for region in catching) if catching else None
    moved = program.load_now(path, tried=tried, branch=branch)
    loaded = program.loaded.get(path)
    if branch is not None:  # on other paths they come later
        _carry_out_again(run, [program.loaded[each] for each in sorted(moved)], branch[0])
    if known and loaded is not None:
        for prefix in [each for each in program.tried if _is_below(loaded, each)]:
            if (found := first_failing(run, prefix, (*prefix, INFINITY))) is not None:
                _carry_out_again(run, [loaded], may_fail(found[0]), found[2])
    elif tried is not None and loaded is not None:
        at = [*program.tried][before]  # which packages around it are loaded at, too
        found = first_failing(run, at, (*at, INFINITY))
        run.failing |= {found[1]} if found is not None else set()


def _carry_out_again(run: Run, modules: list[Loaded], why: Unknown, end: Position = END) -> None:
    """Forget what modules change elsewhere before ``end``: that may be done once more, or later."""
    program, own = run.program, {loaded.module.path for loaded in modules}
    units = ((loaded, unit) for loaded in modules for unit in loaded.module.units if loaded.position(unit) <= end)
    for path, name in sorted({node for loaded, unit in units for node in program.touched_by(loaded, unit)}):
        value = program.read(path, name) if path in program.loaded and path not in own else None
        if value is not None:
            run.disturb([value], why)
            if not isinstance(value, (Mutable, ModuleValue, External)):
                scopes.set_global(run, program.loaded[path].scope, name, unsettled(why, value))


def _module(run: Run, path: str, name: str) -> Value:
    if path.endswith("/"):
        return run.unsettled(f"{name}, a folder")
    if (module := run.program.tree.module(path)) is None:
        return run.unsettled(f"the module {name} cannot be read{_why(run, path)}")
    return run.risky(f"the replacement of {module.name}") if module.is_replaced else ModuleValue(module)


def _why(run: Run, path: str) -> str:
    error = run.program.tree.unread.get(path)
    return f": {error.message}" if error is not None else ""


def member(run: Run, path: str, name: str, *, imports: bool = True) -> Value:
    """``name`` of the module in the file (or folder) ``path``: what it binds, or the module of that name inside it.

    ``imports``: an import statement asks for it, which imports that module.  Raises RaisedError if there is no such
    name.
    """
    module = run.program.tree.module(path) if not path.endswith("/") else None
    loaded = run.program.loaded.get(path) if module is not None else None
    if module is not None and loaded is not None:
        if module.is_replaced:
            return run.risky(f"the replacement of {module.name}")
        bound = name in module.bound or name in loaded.scope.data
        found = run.program.read(path, name, handed_on=True) if bound else None
        if (found := found or scopes.starred(run, loaded, name)) is not None:
            if scopes.is_replaced(run, loaded, name):
                return run.risky(f"{name} of a package, or its module")
            run.risk |= isinstance(found, Maybe)
            return bare_value(found)
    inner = run.program.tree.member(path, name)
    if inner is not None and not imports and not inner.endswith("/") and not run.program.is_complete(inner):
        return run.risky(f"{name} of {path}, which may not be imported")  # its package has it once it has ended
    if inner is not None:
        load(run, inner)
        return _module(run, inner, name)
    if module is None or loaded is None:
        return run.unsettled(f"{name} of a module that cannot be read{_why(run, path)}")
    if (special := scopes.special_name(run, loaded, name)) is not None:
        return special
    if name == "__version__" or "__getattr__" in module.bound:
        return run.unsettled(f"{name} of {module.name}")
    if not run.program.is_complete(path):
        return run.risky(f"{name} of {module.name}, which is being imported")
    raise RaisedError("builtins.ImportError", f"{module.name} has no {name}", run.site())


def may_fail(site: Site | None) -> Unknown:
    """On what all depends that stands behind a statement which may raise."""
    return Unknown(f"it depends on whether {site or 'the program'} raises", CONDITION, site)


def doubts(run: Run, loaded: Loaded, unit: Unit) -> Iterator[Branch]:
    """On what it depends whether a statement at the level of a module is carried out."""
    program = run.program
    yield from (branch for prefix, branch in program.perhaps.items() if _is_below(loaded, prefix))
    for prefix in [*program.tried]:
        found = first_failing(run, prefix, loaded.position(unit)) if _is_below(loaded, prefix) else None
        if found is not None:
            yield may_fail(found[0]), None


def is_tried(run: Run, loaded: Loaded, unit: Unit) -> bool:
    """Whether somebody catches what a statement at the level of a module may raise."""
    tried = run.program.tried
    return any(_is_below(loaded, at) and may_raise(loaded.module.tree, unit.node, missing=tried[at]) for at in tried)


def first_failing(run: Run, prefix: Position, end: Position) -> tuple[Site | None, str, Position] | None:
    """The first statement before ``end``, of the modules loaded at a place, that may raise; what, and its position."""
    program, missing = run.program, run.program.tried[prefix]
    key = ("passed", prefix, len(program.loaded))
    if key not in run.memory:
        below = [loaded for loaded in program.loaded.values() if _is_below(loaded, prefix)]
        units = [(loaded, unit) for loaded in below for unit in loaded.module.units if not unit.is_main]
        found = [each for each in units if may_raise(each[0].module.tree, each[1].node, missing=missing)]
        run.memory[key] = sorted(((each[0].position(each[1]), *each) for each in found), key=itemgetter(0))
    suspects: list[Place] = run.memory[key]
    while suspects and suspects[0][0] < end:
        at, loaded, unit = suspects[0]
        program.perform(suspects[0])
        if key[2] < len(program.loaded):  # it has loaded others, which come before its end
            return first_failing(run, prefix, end)
        if unit.index not in loaded.fails:
            return None  # it is being carried out
        if (kind := loaded.fails[unit.index]) is not None:
            return loaded.module.site(unit.node), kind, at
        del suspects[0]
    return None


def _is_below(loaded: Loaded, prefix: Position) -> bool:
    return loaded.start[: len(prefix)] == prefix
