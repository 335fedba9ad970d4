"""How the programs of a tree may start: the scripts that its metadata names, modules that are run, main guards."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdmigrate import disk
from pdmigrate.source.reaching import is_test
from pdmigrate.source.requirements import toml_of
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
    found = [start for start in scripts(root, names) if start.path in users]
    known = {(start.path, start.function) for start in found}
    mains = [item for item in users if _is_run(names, item) and not _calls(names, item, known)]
    mains.sort(key=lambda item: (item != path, item))
    found += [Start(item) for item in mains if posixpath.basename(item) == "__main__.py"]
    found += [Start(item) for item in mains if posixpath.basename(item) != "__main__.py"]
    found += [Start(item) for item in _joining(names, path, users)] if not found else []
    return list(dict.fromkeys([*found, Start(path)]))


def _calls(names: Names, path: str, known: set[Node]) -> bool:
    """Whether a module that is run only calls one of these functions, as a script does."""
    module = names.tree.module(path)
    is_alone = posixpath.basename(path) == "__main__.py"
    units = [unit for unit in module.units if unit.is_main or is_alone] if module is not None else []
    calls = [node for unit in units for node in ast.walk(unit.node) if isinstance(node, ast.Call)]
    return any(not call.args and not call.keywords and names.origin(path, chain(call.func)) in known for call in calls)


def _joining(names: Names, path: str, users: set[str]) -> list[str]:
    """The modules that nothing imports and where parts of the program that use ``path`` come together."""
    found = []
    for user in sorted(users - {path}):
        module = names.tree.module(user)
        parts = {path, *users} - {user}
        if module is not None and len(parts & set(names.imports_of(module))) > 1 and not names.importers(user):
            found.append(user)
    return found


def users_of(names: Names, path: str) -> set[str]:
    """The modules that load ``path``, directly or through others, at once or in a function."""
    found, stack = {path}, [path]
    while stack:
        item = stack.pop()
        for user in names.importers(item):
            if user not in found and not is_test(user):
                found.add(user)
                stack.append(user)
        if item.endswith("/__init__.py"):
            # A package is loaded by whatever imports a module in it; only its own importers are of use.
            continue
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


def scripts(root: Path, names: Names) -> list[Start]:
    """The console scripts of the projects in a tree."""
    found: list[Start] = []
    for name, target in _targets(root, names):
        module, _, function = target.partition(":")
        path = names.tree.find(module.strip(), "x.py")
        if path is not None and not path.endswith("/") and name:
            found.append(Start(path, function.partition("[")[0].strip()))
    return list(dict.fromkeys(found))


def _targets(root: Path, names: Names) -> Iterator[tuple[str, str]]:
    folders = {""} | {posixpath.dirname(path) for path in names.tree.files if path.count("/") < 2}
    for folder in sorted(folders):
        project: dict[str, Any] = toml_of(root, posixpath.join(folder, "pyproject.toml"))
        tables = [project.get("project", {}).get("scripts"), project.get("tool", {}).get("poetry", {}).get("scripts")]
        for table in tables:
            if isinstance(table, dict):
                yield from ((key, value) for key, value in table.items() if isinstance(value, str))
    for name in sorted(name for name in disk.names(root) if name.endswith(".dist-info")):
        yield from _entry_points((disk.content(root, f"{name}/entry_points.txt") or b"").decode(errors="replace"))


def _entry_points(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == "console_scripts" and "=" in line:
            name, _, target = line.partition("=")
            yield name.strip(), target.strip()
