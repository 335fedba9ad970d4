"""Which files an entry point may come to run: what is asked of text, before anything is parsed or evaluated.

A repository holds programs that have nothing to do with each other, and each of them would be run once for every
server of the others.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pdmigrate.evaluate.servers.entries import EntryPoint

if TYPE_CHECKING:
    from pdmigrate.evaluate.world import World


def may_reach(world: World, point: EntryPoint, path: str) -> bool:
    """Whether the packages that ``point`` imports, and those that they import, have the module at ``path`` among them.

    Packages and modules are known by their first name.  An import that is computed leads nowhere here; what registers
    tools and was not seen to run is looked for elsewhere.
    """
    key = ("reachable", point.module.partition(".")[0])
    known = world.memo.get(key)
    if not isinstance(known, frozenset):
        known = world.memo[key] = _closure(_imports(world), point.module.partition(".")[0])
    return not known.isdisjoint(_names(world, path))


def may_share(world: World, path: str, parts: tuple[str, ...]) -> bool:
    """Whether a server made in ``path`` may have anything to do with the files in ``parts`` of the tree.

    It has when it is one of them, stands beside one of them, imports one of them or is imported by one, directly or
    not, and when both import the same module of the project: it may list a tool that stands there.
    """
    files = [
        file for file in world.files if any(part in ("", ".", file) or file.startswith(f"{part}/") for part in parts)
    ]
    if path in files or PurePosixPath(path).parent in {PurePosixPath(file).parent for file in files}:
        return True
    reached, theirs = _reached(world, path), [_reached(world, file) for file in files]
    if reached is None or None in theirs:
        # Imports from one's own package do not say its name.
        tops = {PurePosixPath(file).parts[0] for file in files}
        if PurePosixPath(path).parts[0] in tops:
            return True
    wanted = {name for names in theirs for name in names or ()}
    own = {name for file in files for name in _names(world, file)}
    return not (wanted | own).isdisjoint(reached or ()) or not wanted.isdisjoint(_names(world, path))


def _reached(world: World, path: str) -> frozenset[str] | None:
    """The first names of the project's modules that a file imports, and that these import.

    ``None`` when it imports from its own package without saying its name.
    """
    glance = world.glances.at(path)
    if glance is None:
        return frozenset()  # said of that file where it is read
    if glance.relative:
        return None
    imports = _imports(world)
    return frozenset(name for start in glance.imports for name in _closure(imports, start) if name in imports)


def _closure(imports: dict[str, set[str]], start: str) -> frozenset[str]:
    found, waiting = {start}, [start]
    while waiting:
        for name in imports.get(waiting.pop(), set()) - found:
            found.add(name)
            waiting.append(name)
    return frozenset(found)


def _imports(world: World) -> dict[str, set[str]]:
    """The first names that the files of each first name import."""
    known = world.memo.get(("imports",))
    if isinstance(known, dict):
        return known
    found: dict[str, set[str]] = defaultdict(set)
    for path in world.files:
        glance = world.glances.at(path)
        if glance is None:
            continue  # said of that file where it is read
        for name in _names(world, path):
            found[name].update(glance.imports)  # also when there are none: the name is the project's
    world.memo["imports",] = found
    return found


def _names(world: World, path: str) -> set[str]:
    """The first names by which the module at ``path`` may be imported: a folder needs no ``__init__.py`` for that."""
    return {world.index.dotted_name(path).partition(".")[0], *path.split("/")[:-1]}
