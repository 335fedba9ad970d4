"""Which files an entry point may come to run: what is asked of text, before anything is parsed or evaluated.

A repository holds programs that have nothing to do with each other, and each of them would be run once for every
server of the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from pathlib import PurePosixPath

from pdmigrate.tree.glances import Glances


class Reachable:
    """Packages and modules are known by their first name.

    An import that is computed leads nowhere here; what registers tools and was not seen to run is looked for elsewhere.
    ``dotted_name`` gives the name by which a file is imported.
    """

    def __init__(self, files: tuple[str, ...], glances: Glances, dotted_name: Callable[[str], str]) -> None:
        self._files = files
        self._glances = glances
        self._dotted_name = dotted_name
        self._closures: dict[str, frozenset[str]] = {}

    def reaches(self, start: str, path: str) -> bool:
        """Whether what ``start`` imports, and what that imports, has the module at ``path`` among it."""
        return not self._closure(start).isdisjoint(self._names(path))

    def shares(self, path: str, parts: tuple[str, ...]) -> bool:
        """Whether a server made in ``path`` may have anything to do with the files in ``parts`` of the tree.

        It has when it is one of them, stands beside one of them, imports one of them or is imported by one, directly or
        not, and when both import the same module of the project: it may list a tool that stands there.
        """
        files = [
            file
            for file in self._files
            if any(part in ("", ".", file) or file.startswith(f"{part}/") for part in parts)
        ]
        if path in files or PurePosixPath(path).parent in {PurePosixPath(file).parent for file in files}:
            return True
        reached, theirs = self._reached(path), [self._reached(file) for file in files]
        if reached is None or None in theirs:
            # Imports from one's own package do not say its name.
            tops = {PurePosixPath(file).parts[0] for file in files}
            if PurePosixPath(path).parts[0] in tops:
                return True
        wanted = {name for names in theirs for name in names or ()}
        own = {name for file in files for name in self._names(file)}
        return not (wanted | own).isdisjoint(reached or ()) or not wanted.isdisjoint(self._names(path))

    def _reached(self, path: str) -> frozenset[str] | None:
        """The first names of the project's modules that a file imports, and that these import.

        ``None`` when it imports from its own package without saying its name.
        """
        glance = self._glances.at(path)
        if glance is None:
            return frozenset()  # said of that file where it is read
        if glance.relative:
            return None
        return frozenset(name for start in glance.imports for name in self._closure(start) if name in self._imports)

    def _closure(self, start: str) -> frozenset[str]:
        known = self._closures.get(start)
        if known is None:
            found, waiting = {start}, [start]
            while waiting:
                for name in self._imports.get(waiting.pop(), set()) - found:
                    found.add(name)
                    waiting.append(name)
            known = self._closures[start] = frozenset(found)
        return known

    @cached_property
    def _imports(self) -> dict[str, set[str]]:
        """The first names that the files of each first name import."""
        found: dict[str, set[str]] = defaultdict(set)
        for path in self._files:
            glance = self._glances.at(path)
            if glance is None:
                continue  # said of that file where it is read
            for name in self._names(path):
                found[name].update(glance.imports)  # also when there are none: the name is the project's
        return dict(found)

    def _names(self, path: str) -> set[str]:
        """The first names by which a module may be imported: a folder needs no ``__init__.py`` for that."""
        return {self._dotted_name(path).partition(".")[0], *path.split("/")[:-1]}
