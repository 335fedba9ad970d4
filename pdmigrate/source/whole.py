"""Questions about all files of a tree at once, answered from what can be seen of them without parsing (``Glances``).

Every answer is a plain value, and recorded in the trace of the result that is made from it: a file that is added or
changed later matters only to results for which a question now has another answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

from pdmigrate import disk
from pdmigrate.sdk.families import DECORATED_NAMES
from pdmigrate.source.clues import Named, named_in, registers_as
from pdmigrate.source.deriving import renamed_in
from pdmigrate.source.glances import Glances

P = ParamSpec("P")
T = TypeVar("T")

QUESTIONS: dict[str, Callable[..., object]] = {}
"""The questions about a tree that a trace may hold, by name: methods of ``Whole``."""

DEEPEST = 5
"""How many levels of derivation from an SDK's server class are followed."""


def _question(method: Callable[Concatenate[Whole, P], T]) -> Callable[Concatenate[Whole, P], T]:
    """Make a method a question: recorded with its arguments and answer in a trace, and answered once."""
    name = f"whole.{method.__name__}"

    def ask(whole: Whole, /, *arguments: P.args, **named: P.kwargs) -> T:
        question = (name, *arguments)
        return disk.asked(question, lambda: whole.once(question, lambda: method(whole, *arguments, **named)))

    QUESTIONS[name] = ask
    return ask


class Whole:
    """The tree below ``root``; ``files`` are all its Python files, in their order."""

    def __init__(self, root: Path, files: tuple[str, ...] = (), glances: Glances | None = None) -> None:
        self.root = root
        self._files = files
        self._glances = glances or Glances(root, files)
        self._answers: dict[disk.Question, object] = {}
        self._parsed: dict[str, tuple[bytes, object]] = {}

    def once(self, question: disk.Question, answer: Callable[[], T]) -> T:
        """``answer()``, computed once for each ``question``: the files are taken not to change during a run."""
        if question not in self._answers:
            self._answers[question] = answer()
        return cast("T", self._answers[question])

    @property
    def state(self) -> str:
        """The state that all answers so far depend on: the paths and contents of all files."""
        return self._glances.digest

    def parsed(self, path: str, raw: bytes, make: Callable[[], T]) -> T:
        """``make()`` for a file with this content, made once; all programs that read the same content share it."""
        known, made = self._parsed.get(path, (b"", None))
        if made is None or known != raw:
            made = make()
            self._parsed[path] = raw, made
        return cast("T", made)

    @_question
    def files(self) -> tuple[str, ...]:
        """All Python files of the tree."""
        return self._files

    @_question
    def may_import(self, path: str) -> tuple[str, ...]:
        """The files whose import statements may name the module at ``path``."""
        may = self._glances.importing(path)
        return tuple(file for file in self._files if file in may)

    @_question
    def saying(self, word: str) -> tuple[str, ...]:
        """The files that contain a word anywhere, and the files that cannot be read, which may."""
        # A pattern that begins with a word is several times as fast as one at its boundary.
        whole = re.compile(rb"%s(?<!\w%s)(?!\w)" % ((re.escape(word.encode()),) * 2))
        return tuple(file for file, raw in self._known.items() if raw is None or whole.search(raw))

    @_question
    def server_classes(self) -> tuple[str, ...]:
        """The names of the SDKs' server classes, and of the classes of the tree that may derive from one."""
        glances = map(self._glances.at, self._files)
        classes = [found for glance in glances if glance is not None for found in glance.classes.items()]
        found = set(DECORATED_NAMES)
        for _ in range(DEEPEST):
            more = {name for name, words in classes if not found.isdisjoint(words)}
            if more <= found:
                break
            found |= more
        return tuple(sorted(found))

    @_question
    def renamed(self) -> tuple[str, ...]:
        """The aliases under which files import a server class: other files may import the class by such an alias."""
        return tuple(sorted(set(renamed_in(self.root, self._glances.of_mcp))))

    @_question
    def named(self) -> Named:
        """Which SDKs the imports of all files name."""
        return named_in(raw for _, raw in self._texts(self._glances.of_mcp) if raw is not None)

    @_question
    def shape(self) -> int | None:
        """The major version of ``mcp`` whose way of registering handlers is used in the first file that uses one."""
        texts = (raw for _, raw in self._texts(self._glances.of_mcp) if raw is not None and b"mcp" in raw)
        return next((found for raw in texts if (found := registers_as(raw)) is not None), None)

    @cached_property
    def _known(self) -> dict[str, bytes | None]:
        """The texts of all files; ``None`` for those that cannot be read."""
        return dict(self._texts(self._files))

    def _texts(self, files: tuple[str, ...]) -> Iterator[tuple[str, bytes | None]]:
        for file in files:
            try:
                yield file, disk.read(self.root, file)
            except OSError:
                yield file, None  # reported where that file is needed
