"""Which servers may have to do with given files, answered from text before anything is parsed."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from pathlib import PurePosixPath

from pdmigrate.source.glances import Glances


class Reachable:
    """Which modules import which, directly or not; modules are grouped by the first part of their dotted name.

    Computed imports are not followed.
    """

    def __init__(self, glances: Glances) -> None:
        self._glances = glances
        self._paths = frozenset(glances.files)
        self._closures: dict[str, frozenset[str]] = {}

    def may_concern(self, path: str, parts: tuple[str, ...]) -> bool:
        """Whether a server made in ``path`` may have anything to do with the files in ``parts`` of the tree.

        It may if ``path`` is one of these files, lies beside one, imports one or is imported by one, directly or not,
        or if both import the same module of the project: the server may list a tool defined there.
        """
        whole, inside = not {"", "."}.isdisjoint(parts), tuple(f"{part}/" for part in parts)
        files = [file for file in self._glances.files if whole or file in parts or file.startswith(inside)]
        if path in files or PurePosixPath(path).parent in {PurePosixPath(file).parent for file in files}:
            return True
        reached, theirs = self._reached(path), [self._reached(file) for file in files]
        if reached is None or None in theirs:
            # Relative imports do not name the package: a common top folder is enough.
            tops = {PurePosixPath(file).parts[0] for file in files}
            if PurePosixPath(path).parts[0] in tops:
                return True
        wanted = {name for names in theirs for name in names or ()}
        own = {name for file in files for name in self._names(file)}
        return not (wanted | own).isdisjoint(reached or ()) or not wanted.isdisjoint(self._names(path))

    def _reached(self, path: str) -> frozenset[str] | None:
        """The first names of the project that a file imports, also indirectly; ``None`` if an import is relative."""
        if (glance := self._glances.at(path)) is None:
            return frozenset()  # reported where that file is read
        if glance.relative:
            return None
        return frozenset(name for start in glance.imports for name in self._closure(start) if name in self._imports)

    def _closure(self, start: str) -> frozenset[str]:
        if (known := self._closures.get(start)) is None:
            found, waiting = {start}, [start]
            while waiting:
                for name in self._imports.get(waiting.pop(), set()) - found:
                    found.add(name)
                    waiting.append(name)
            known = self._closures[start] = frozenset(found)
        return known

    @cached_property
    def _imports(self) -> dict[str, set[str]]:
        """For each first name of the project: the first names that its files import."""
        found: dict[str, set[str]] = defaultdict(set)
        for path in self._glances.files:
            if (glance := self._glances.at(path)) is not None:  # reported where that file is read
                for name in self._names(path):
                    found[name].update(glance.imports)  # even if empty: the key says that the name is the project's
        return dict(found)

    def _names(self, path: str) -> set[str]:
        """The first names by which a module may be imported: a folder needs no ``__init__.py`` for that."""
        file = PurePosixPath(path)
        return {*file.parts[:-1], *(() if str(file.with_name("__init__.py")) in self._paths else (file.stem,))}
