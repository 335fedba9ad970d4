"""What programs were found to declare, kept between runs: in the user's cache folder, never in the tree.

A record holds what was asked of the tree while the program was read and evaluated, with the digests of the answers
(``disk.tracing``).  It counts for as long as the same code, on the same libraries and the same Python, gets the same
answers to all of them; then it would find the same.  Nothing is believed of times or of names.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

from pdmigrate import disk
from pdmigrate.dialects import Family
from pdmigrate.errors import SourceError
from pdmigrate.evaluate.tree import whole as tree
from pdmigrate.project.programs import Program, program
from pdmigrate.project.storing import UnstorableError, dumped, loaded
from pdmigrate.tree import kept

_FOLDER = "programs"
_MOST = 1_000
"""How many programs are remembered, of all trees; those that were written down longest ago are forgotten."""
_LIBRARIES = ("libcst", "pydantic", "pydantic_core", "typing_extensions", "annotated_types", "packaging")
"""Where these are installed stands all that decides what is found."""


class Programs:
    """The programs of a tree, with versions of packages that were given."""

    def __init__(self, whole: tree.Whole, given: Mapping[str, str]) -> None:
        self._whole = whole
        self._given = dict(given)
        self._answers: dict[disk.Question, str | None] = {}
        self._added = False

    def at(self, path: str, families: tuple[Family, ...]) -> Program:
        """The program that the file at ``path`` is, as it was found before where nothing has changed of that."""
        ids = [family.id for family in families]
        name, key = kept.name_of(self._whole.root, path), [path, ids, self._given]
        body = kept.load(_FOLDER, name, self._form)
        known = self._known(body, key) if body is not None else None
        if known is not None:
            return known
        with disk.tracing() as trace:
            found = program(path, families, self._whole, self._given)
        self._answers.update(trace.answers)
        if trace.whole:
            self._keep(name, key, trace, found)
        return found

    def finish(self) -> None:
        """Let the oldest go, where there are many now."""
        if self._added:
            kept.forget_oldest(_FOLDER, _MOST)

    def _known(self, body: bytes, key: list[Any]) -> Program | None:
        asked, found = zlib.decompress(body).split(b"\n", 1)
        wanted, state, *questions = json.loads(asked)
        if wanted != key or not self._are_answered(questions, state):
            return None
        try:
            known: Program = loaded(found, Program)
        except UnstorableError:
            return None  # whoever finds it again says what is too deep
        return known

    def _keep(self, name: str, key: list[Any], trace: disk.Trace, found: Program) -> None:
        try:
            body = dumped(found, Program)
        except UnstorableError:
            return  # it is found again the next time
        asked = json.dumps([key, self._whole.state(), *trace.answers.items()], separators=(",", ":")).encode()
        self._added |= kept.save(_FOLDER, name, self._form, zlib.compress(asked + b"\n" + body, 1))

    def _are_answered(self, questions: list[Any], state: list[Any]) -> bool:
        """Whether all these questions have the answers that they had in this state of the tree as a whole."""
        unchanged: bool | None = None
        for question, answer in questions:
            if question[0] in tree.QUESTIONS:
                unchanged = self._whole.is_as(state) if unchanged is None else unchanged
                if unchanged:
                    continue
            if self._answer(_tuples(question)) != answer:
                return False
        return True

    def _answer(self, question: disk.Question) -> str | None:
        """The digest of today's answer to a question; ``None`` where it has none."""
        if question not in self._answers:
            with disk.tracing() as trace, suppress(OSError, SourceError):  # noted, too
                self._ask(question)
            self._answers[question] = trace.answers.get(question)
        return self._answers[question]

    def _ask(self, question: disk.Question) -> None:
        name, *arguments = question
        of_disk: Callable[..., object] | None = disk.QUESTIONS.get(str(name))
        if of_disk is not None:
            of_disk(*arguments)
        else:
            tree.QUESTIONS[str(name)](self._whole, *arguments)

    @cached_property
    def _form(self) -> str:
        """Who has found it: everything but the tree that may decide what is found."""
        parts = [sys.version, sys.platform, disk.own_digest(), *disk.releases_beside(_LIBRARIES)]
        return f"pdmigrate {disk.digest(repr(parts).encode())}"


def _tuples(form: Any) -> Any:
    """A question as it was before JSON made lists of it."""
    return tuple(map(_tuples, form)) if isinstance(form, list) else form
