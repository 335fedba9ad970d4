"""How the programs of a tree may start: the scripts that its metadata names, modules that are run, main guards."""

from __future__ import annotations

import ast
import posixpath
from dataclasses import dataclass
from pathlib import Path

from pdmigrate.source.entries import declared_in, entry_points
from pdmigrate.understand.index.naming import Names, Node
from pdmigrate.understand.index.units import chain


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
    known = {(start.path, start.function) for start in found}
    mains = [item for item in users if _is_run(names, item) and not _calls(names, item, known)]
    mains.sort(key=lambda item: (posixpath.basename(item) != "__main__.py", item != path, item))
    found += [Start(item) for item in mains]
    if not found:  # where parts of the program come together in a module that nothing imports
        tops = ((user, names.tree.module(user)) for user in sorted(users - {path}) if not any(names.importers(user)))
        found = [Start(user) for user, module in tops if module and len(users & {*names.imports_of(module)}) > 1]
    return list(dict.fromkeys([*found, Start(path)]))


def _calls(names: Names, path: str, known: set[Node]) -> bool:
    """Whether a module that is run only calls one of these functions, as a script does."""
    module = names.tree.module(path)
    is_alone = posixpath.basename(path) == "__main__.py"
    units = [unit for unit in module.units if unit.is_main or is_alone] if module is not None else []
    calls = [node for unit in units for node in ast.walk(unit.node) if isinstance(node, ast.Call)]
    return any(not call.args and not call.keywords and names.origin(path, chain(call.func)) in known for call in calls)


def users_of(names: Names, path: str) -> set[str]:
    """The modules that load ``path``, directly or through others, at once or in a function."""
    found, stack = {path}, [path]
    while stack:
        item = stack.pop()
        for user in names.importers(item, tests=False):
            if user not in found:
                found.add(user)
                stack.append(user)
    return found


_ROLES = frozenset({"command", "callback", "group", "default"})
_RUNNING = frozenset({"typer.run", "fire.Fire", "cyclopts.run"})


def _is_run(names: Names, path: str) -> bool:
    module = names.tree.module(path)
    return posixpath.basename(path) == "__main__.py" or (
        module is not None
        and any(unit.is_main or roles(unit.node) or unit.uses.called & _RUNNING for unit in module.units)
    )


def roles(node: ast.stmt) -> frozenset[str]:
    """What a function that a statement defines may be for a command line, by its decorators; empty for others."""
    given = getattr(node, "decorator_list", ())
    names = (item.func if isinstance(item, ast.Call) else item for item in given)
    return _ROLES.intersection(name.attr for name in names if isinstance(name, ast.Attribute))
