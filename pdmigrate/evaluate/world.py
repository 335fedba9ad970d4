"""What a dialect asks: the modules of a tree, evaluated within a budget."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar, cast

from pdmigrate.evaluate.core.budget import PYTHON_FRAMES, Budget
from pdmigrate.evaluate.core.interpreter import Interpreter
from pdmigrate.evaluate.servers.entries import starts
from pdmigrate.evaluate.tree.modules import ModuleIndex
from pdmigrate.model import Finding, Sdk
from pdmigrate.tree.glances import Glances

T = TypeVar("T")


class World:
    """The tree below ``root``: parsed once, evaluated anew for every file of servers."""

    def __init__(
        self,
        root: Path,
        *,
        sdk: Mapping[str, str] | None = None,
        files: tuple[str, ...] = (),
        glances: Glances | None = None,
    ) -> None:
        self.root = root
        self.given = dict(sdk or {})
        self.files = files
        """Every Python file of the tree, for questions of who else uses something."""
        self.glances = glances or Glances(root, files)
        self.index = ModuleIndex(root, self.glances)
        self.entries = starts(root)
        self.sources: set[str] = set()
        self.findings: list[Finding] = []
        self.memo: dict[tuple[str, ...], object] = {}
        """What dialects computed of a file and want again."""

    def sdk(self, file: str, package: str, *, major: int | None = None) -> Sdk:
        """The version of ``package`` that the server in ``file`` runs on; ``major`` is what its shape proves."""
        from pdmigrate.project.sdk import resolve_sdk

        question = ("sdk", self._decided_by(file), package, str(major))
        return self.once(question, lambda: resolve_sdk(self.root, file, package, self.given, major=major))

    def python(self, file: str) -> str:
        """The Python that the server in ``file`` runs on; empty where its project leaves that open."""
        from pdmigrate.project.python_version import resolve_python

        question = ("python", self._decided_by(file))
        return self.once(question, lambda: resolve_python(self.root, file, self.given))

    def _decided_by(self, file: str) -> str:
        from pdmigrate.project.sdk import decided_by

        return self.once(("decided by", file), lambda: decided_by(self.root, file))

    def once(self, question: tuple[str, ...], answer: Callable[[], T]) -> T:
        """``answer()``, asked once for each ``question``: the files of a tree do not change while it is looked at."""
        if question not in self.memo:
            self.memo[question] = answer()
        return cast("T", self.memo[question])

    def forget(self, path: str) -> None:
        """Let go of what was computed of the file at ``path`` alone: whole programs as they stood at their end."""
        for question in [question for question in self.memo if path in question[:2] and question[0] in (path, "usual")]:
            del self.memo[question]

    @contextmanager
    def interpreter(self, versions: Mapping[str, str] | None = None) -> Iterator[Interpreter]:
        """An interpreter with a budget of its own; what it read counts as a source of the result."""
        run = Interpreter(self.index, versions=dict(versions or {}), budget=Budget())
        run.files = self.files
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, PYTHON_FRAMES))
        try:
            yield run
        finally:
            sys.setrecursionlimit(limit)
            self.sources |= run.read_files
