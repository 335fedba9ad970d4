"""A program as dialects see it: the modules of a tree, evaluated within a budget."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

from pdmigrate.evaluate.core.budget import PYTHON_FRAMES, Budget
from pdmigrate.model import Finding, Sdk
from pdmigrate.recognise.everything import make_interpreter
from pdmigrate.recognise.python_version import resolve_python
from pdmigrate.recognise.sdk_version import decided_by, resolve_sdk
from pdmigrate.recognise.starting.entries import EntryPoint, starts
from pdmigrate.tree.code.modules import ModuleIndex
from pdmigrate.tree.code.whole import Whole

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

T = TypeVar("T")


class World:
    """All that is read and computed for one file of servers, and for no other: the order of files has no effect.

    Questions about other files go to ``whole``, which all programs of a tree share, as they share syntax trees.
    """

    def __init__(self, whole: Whole, *, sdk: Mapping[str, str] | None = None) -> None:
        self.root = whole.root
        self.whole = whole
        self.given = dict(sdk or {})
        self.index = ModuleIndex(whole)
        self.entries = starts(self.root)
        self.sources: set[str] = set()
        self.findings: list[Finding] = []
        self.ended: str | None = None
        """Why the program ended before it made a server that it seems to make."""
        self.memo: dict[tuple[str, ...], object] = {}
        """Results that dialects computed for a file and may need again."""

    def commands(self, path: str) -> list[EntryPoint]:
        """The commands of the project that may come to execute the file at ``path``."""
        return [point for point in self.entries if self.whole.may_execute(point.module, point.function, path)]

    def sdk(self, file: str, package: str, *, major: int | None = None) -> Sdk:
        """The version of ``package`` that the server in ``file`` runs on; ``major`` is what its shape proves."""
        question = ("sdk", self._decided_by(file), package, str(major))
        return self.once(question, lambda: resolve_sdk(self.root, file, package, self.given, major=major))

    def python(self, file: str) -> str:
        """The Python that the server in ``file`` runs on; empty where its project leaves that open."""
        question = ("python", self._decided_by(file))
        return self.once(question, lambda: resolve_python(self.root, file, self.given))

    def _decided_by(self, file: str) -> str:
        return self.once(("decided by", file), lambda: decided_by(self.root, file))

    def once(self, question: tuple[str, ...], answer: Callable[[], T]) -> T:
        """``answer()``, computed once for each ``question``: the files are taken not to change during a run."""
        if question not in self.memo:
            self.memo[question] = answer()
        return cast("T", self.memo[question])

    @contextmanager
    def interpreter(
        self, versions: Mapping[str, str] | None = None, index: ModuleIndex | None = None
    ) -> Iterator[Interpreter]:
        """An interpreter with a budget of its own; the files that it reads become ``sources`` of the result."""
        run = make_interpreter(index or self.index, versions=versions, budget=Budget())
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, PYTHON_FRAMES))
        try:
            yield run
        finally:
            sys.setrecursionlimit(limit)
            self.sources |= run.read_files
