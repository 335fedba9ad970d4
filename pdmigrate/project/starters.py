"""Which commands start the files of a project (``commands.py``), found from its texts on disk; nothing is run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pdmigrate import disk
from pdmigrate.project.commands import ENVIRONMENTS, Candidate, candidates, is_script
from pdmigrate.project.depending import DYNAMIC, Imports, last
from pdmigrate.source.discover import gated, is_test, on_shelf
from pdmigrate.source.entries import entry_points, scripts_of
from pdmigrate.source.glances import Glances
from pdmigrate.source.requirements import toml_of

_MOST = 60
"""The most files that are looked at as ways to start a server."""


class Starters:
    """The commands of a project, whose Python files (``tree``) are those of ``glances``; what is read is kept."""

    def __init__(self, glances: Glances) -> None:
        self._glances = glances
        self.tree = glances.files
        self._root = glances.root
        self._known: dict[str, tuple[Candidate, ...]] = {}
        self._scripts: dict[str, bool] = {}
        self._near: dict[str, tuple[str, ...]] = {}

    def of(self, file: str) -> tuple[Candidate, ...]:
        """The commands that start what ``file`` makes, the most certain first."""
        if file not in self._known:
            leading = self._leading(file)
            ways = [path for path in self._names if path in leading and (path == file or path in self._targets)]
            ways += [path for path in self._names if path in leading and path not in ways and self._is_script(path)]
            near = {path: self._names[path] for path in ways[:_MOST]}
            self._known[file] = candidates(file, self._text, self._build, near)
        return self._known[file]

    def apart(self, files: Sequence[str]) -> dict[str, Candidate]:
        """By file, the command that starts it; where there is a choice, one that starts none of the other ``files``."""
        every = {file: self.of(file) for file in dict.fromkeys(files)}
        shared = [one.command for found in every.values() for one in found]
        return {
            file: next((one for one in found if shared.count(one.command) == 1), found[0])
            for file, found in every.items()
            if found
        }

    @cached_property
    def scripts(self) -> dict[str, str]:
        """The console scripts of the project's build file, with their targets."""
        return scripts_of(self._build)

    @cached_property
    def _build(self) -> dict[str, Any]:
        return toml_of(self._root, "pyproject.toml")

    def _text(self, path: str) -> str | None:
        root, folder = self._root, path.partition("/")[0]
        if folder in ENVIRONMENTS:  # a root of its own: the folder may be a link that leads elsewhere
            root, path = root / folder, path.removeprefix(f"{folder}/")
        raw = disk.content_or_empty(root, path) if disk.is_file(root, path) else None
        return raw.decode("utf-8", "replace") if raw is not None else None

    def _leading(self, file: str) -> set[str]:
        """The files that import ``file``, directly or through others, and itself; tests are left out."""
        found, waiting = {file}, [file]
        while waiting:
            item = waiting.pop()
            for user in self._users(last(item)):
                if user not in found and item in self._imports.of(user):
                    found.add(user)
                    waiting.append(user)
        return found

    def _users(self, name: str) -> tuple[str, ...]:
        """The files, tests aside, that may import a module whose own name is ``name``."""
        if name not in self._near:
            may = self._glances.holding(name) | self._computing
            self._near[name] = tuple(path for path in self._names if path in may)
        return self._near[name]

    @cached_property
    def _computing(self) -> set[str]:
        return {*gated(self._root, tuple(self._names), DYNAMIC)}

    @cached_property
    def _imports(self) -> Imports:
        return Imports(self._root, self._glances.files)

    @cached_property
    def _names(self) -> dict[str, str]:
        """The names by which files are imported, if the root or a shelf is where imports start; tests are left out."""
        files = (path for path in self._glances.files if not is_test(path))
        return {path: on_shelf(path).removesuffix(".py").replace("/", ".") for path in files}

    @cached_property
    def _targets(self) -> set[str]:
        """The files that the project's console scripts and ``python -m`` import first."""
        modules = {point.module for point in entry_points(self._root)}
        names = self._names.items()
        return {path for path, name in names if name.endswith(".__main__") or name.removesuffix(".__init__") in modules}

    def _is_script(self, path: str) -> bool:
        if path not in self._scripts:
            self._scripts[path] = is_script(self._text(path) or "")
        return self._scripts[path]
