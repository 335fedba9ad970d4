"""By syntax alone: where a file may make servers, and how the programs of a tree may start."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from pdmigrate.sdk.families import IMPORTED
from pdmigrate.source.entries import declared_in, entry_points
from pdmigrate.understand.index.modules import Module, Tree
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.syntax import Function, callee, chain, children, walk
from pdmigrate.understand.index.units import Unit
from pdmigrate.understand.servers.making import REMOTE


@dataclass(frozen=True, slots=True)
class ServerCall:
    node: ast.Call
    owner: str = ""
    """The function or class of the module that it stands in; empty if it stands in none."""
    method: str = ""


def server_calls(names: Names, path: str) -> list[ServerCall]:
    if (module := names.tree.module(path)) is None:
        return []
    classes = names.tree.server_classes | REMOTE
    makers = _makers(module.nodes, classes)
    classes |= _aliases(module.nodes, classes, makers)
    foreign = _foreign(names.tree, module)
    found: list[ServerCall] = []
    for unit in module.units:
        for part, owner, method in _parts(unit.node):
            calls = (node for node in walk(part) if isinstance(node, ast.Call) and _first(node.func) not in foreign)
            found += [ServerCall(node, owner, method) for node in calls if _is_class(node.func, classes, makers)]
        if isinstance(unit.node, ast.ClassDef) and any(_last(base) in classes for base in unit.node.bases):
            made = ast.Call(ast.Name(unit.node.name, ast.Load()), [], [])
            found.append(ServerCall(made, unit.node.name))
    return found


def _is_class(called: ast.expr, classes: AbstractSet[str], makers: AbstractSet[str]) -> bool:
    """Whether what is called is a server class, or what a function of the module returns that may be one."""
    if isinstance(called, ast.Call):
        return _last(called.func) in makers
    if isinstance(called, ast.Attribute) and called.attr in REMOTE and called.attr.startswith(("from_", "as_")):
        return _last(called.value) in classes
    return _last(called) in classes


def _parts(node: ast.stmt) -> Iterator[tuple[ast.AST, str, str]]:
    """The parts of a statement, each with the function or class around it, and with the method."""
    if isinstance(node, ast.ClassDef):
        yield from ((child, node.name, child.name if isinstance(child, Function) else "") for child in children(node))
    else:
        yield node, node.name if isinstance(node, Function) else "", ""


def _foreign(tree: Tree, module: Module) -> set[str]:
    """The names that a module imports from libraries alone that are no SDKs: ``uvicorn`` has a ``Server``, too."""
    found: dict[str, bool] = {}
    for node in module.nodes:
        for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            name = (node.module or "") if isinstance(node, ast.ImportFrom) else alias.name
            own = tree.beside(module, node) if isinstance(node, ast.ImportFrom) else tree.find(name, module.path)
            foreign = own is None and name.partition(".")[0] not in IMPORTED
            bound = alias.asname or alias.name.partition(".")[0]
            found[bound] = foreign and found.get(bound, True)
    return {name for name, foreign in found.items() if foreign}


def _makers(every: Iterable[ast.AST], classes: AbstractSet[str]) -> set[str]:
    """The functions that may return a server class: they name one, or its name as a text."""
    functions = (node for node in every if isinstance(node, Function))
    inside = ((each.name, node) for each in functions for part in each.body for node in walk(part))
    return {name for name, node in inside if any(getattr(node, w, "") in classes for w in ("id", "name", "value"))}


def _aliases(every: Iterable[ast.AST], classes: AbstractSet[str], makers: AbstractSet[str]) -> set[str]:
    """The names that a module gives to server classes, and to its classes that derive from one."""
    found: set[str] = set()
    for node in every:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname for alias in node.names if alias.asname and alias.name in classes}
        if isinstance(node, ast.ClassDef) and any(_last(base) in classes | found for base in node.bases):
            found.add(node.name)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if _is_class(node.value, classes | found, makers):
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def _first(node: ast.expr) -> str:
    return chain(node.value if isinstance(node, ast.Subscript) else node).partition(".")[0]


def _last(node: ast.expr) -> str:
    """The last name of a dotted name, whatever types its class is given."""
    return chain(node.value if isinstance(node, ast.Subscript) else node).rpartition(".")[2]


# --- how programs may start: the scripts of the metadata, modules that are run, main guards ---------------------------


@dataclass(frozen=True, slots=True)
class Start:
    """One way to start: the module at ``path`` is run as a script, or its ``function`` is called."""

    path: str
    function: str = ""


def starts(root: Path, names: Names, path: str) -> list[Start]:
    """The ways to start that load the module at ``path``, the likeliest first; the last loads the module alone."""
    users = users_of(names, path)
    folders = sorted({posixpath.dirname(file) for file in names.tree.files if file.count("/") == 1})
    declared = (point for folder in folders for point in declared_in(root, f"{folder}/pyproject.toml"))
    scripts = ((names.tree.find(point.module, "x.py"), point.function) for point in (*entry_points(root), *declared))
    found = [Start(file, function) for file, function in scripts if file in users]
    functions = {names.origin(start.path, start.function) for start in found}
    mains = [item for item in users if is_run(names, item) and not _repeats(names, item, functions)]
    mains.sort(key=lambda item: (posixpath.basename(item) != "__main__.py", item != path, item))
    found += [Start(item) for item in mains]
    if not found:  # where parts of the program come together in a module that nothing imports
        tops = ((user, names.tree.module(user)) for user in sorted(users - {path}) if not any(names.importers(user)))
        found = [Start(user) for user, module in tops if module and len(users & {*names.imports_of(module)}) > 1]
    return list(dict.fromkeys([*found, Start(path)]))


def users_of(names: Names, path: str) -> set[str]:
    """The modules that load ``path``, directly or through others, at once or in a function."""
    found = [path]
    for item in found:
        found += [user for user in names.importers(item, tests=False) if user not in found]
    return {*found}


_ROLES = frozenset({"command", "callback", "group", "default"})
_RUNNING = re.compile(r"^fire\.Fire$|^(?!(subprocess|asyncio|anyio|trio)\.).+\.run(_async)?$")


def is_run(names: Names, path: str) -> bool:
    """Whether a module does something only where it is run itself."""
    module = names.tree.module(path)
    return posixpath.basename(path) == "__main__.py" or (
        module is not None and any(_tells(unit) or roles(unit.node) or _runs(unit) for unit in module.units)
    )


def _repeats(names: Names, path: str, functions: AbstractSet[Node | None]) -> bool:
    """Whether a module that is run only calls, without arguments, one of these functions, as the scripts do."""
    module = names.tree.module(path)
    body: list[ast.stmt] = []
    for unit in module.units if module is not None else ():
        if isinstance(unit.node, ast.If) and unit.is_main:
            body += unit.node.body
        elif isinstance(unit.node, ast.Expr) and posixpath.basename(path) == "__main__.py":
            body.append(unit.node)
        elif _asks_for_name(unit.node) or roles(unit.node) or _runs(unit):
            return False
    done = [each for each in body if not isinstance(each, (ast.Import, ast.ImportFrom)) and not _is_docstring(each)]
    return all((name := _called_alone(each)) and names.origin(path, name) in functions for each in done)


def _asks_for_name(node: ast.stmt) -> bool:
    """Whether a statement, or code in it, may differ where its module is run: it reads ``__name__``, not for a log."""
    parts = walk(node)
    logs = [part for part in parts if isinstance(part, ast.Call) and _last(part.func) in ("getLogger", "get_logger")]
    of_logs = [argument for call in logs for argument in call.args]
    return any(isinstance(part, ast.Name) and part.id == "__name__" and part not in of_logs for part in parts)


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _called_alone(node: ast.stmt) -> str:
    """The function that a statement calls without arguments, and does no more, but for ending with what it returns."""
    value = node.exc if isinstance(node, ast.Raise) else getattr(node, "value", None)
    while isinstance(value, ast.Call) and chain(value.func) in ("exit", "sys.exit", "SystemExit") and value.args:
        value = value.args[0]
    return chain(value.func) if isinstance(value, ast.Call) and not value.args and not value.keywords else ""


def _runs(unit: Unit) -> bool:
    """Whether a statement runs something, as ``mcp.run()`` does, that does not come back."""
    return isinstance(unit.node, ast.Expr) and any(_RUNNING.search(name) for name in unit.uses.called)


def _tells(unit: Unit) -> bool:
    """Whether a statement does one thing where its module is run, and another one where it is imported."""
    test = unit.node.test if isinstance(unit.node, ast.If) else ast.Constant(None)
    return any(isinstance(part, ast.Constant) and part.value == "__main__" for part in walk(test))


def roles(node: ast.stmt) -> frozenset[str]:
    """What a function that a statement defines may be for a command line, by its decorators; empty for others."""
    called = map(callee, getattr(node, "decorator_list", ()))
    return _ROLES.intersection(each.attr for each in called if isinstance(each, ast.Attribute))
