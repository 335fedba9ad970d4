"""What programs were found to declare, cached between runs: in the user's cache folder, never in the tree.

A record holds the questions put to the tree while the program was read and evaluated, with the digests of the answers
(``disk.tracing``).  It is valid as long as the same code, with the same libraries and the same Python, gets the same
answers to all of them: evaluating again would give the same result.  Times and names prove nothing.
"""

from __future__ import annotations

import io
import pickle
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cached_property, partial

from pdmigrate import disk, model
from pdmigrate.errors import SourceError
from pdmigrate.model import Severity
from pdmigrate.source import kept
from pdmigrate.source import whole as tree
from pdmigrate.understand.inventory.programs import Program, program
from pdmigrate.understand.inventory.side_by_side import SECONDS, note, processors, side_by_side
from pdmigrate.understand.values import core as values

_FOLDER = "programs"
_MOST = 1_000
"""The most programs that are remembered, of all trees; those that were written longest ago are forgotten."""
_WORTH_A_COPY = 4
"""The least number of programs to evaluate for which copies of this process pay off."""
_LIBRARIES = ("libcst", "pydantic", "pydantic_core", "typing_extensions", "annotated_types", "packaging")
"""Libraries that affect the result; the folders where they are installed show their versions."""


class Programs:
    """The programs of a tree, under the given versions of packages."""

    def __init__(self, whole: tree.Whole, given: Mapping[str, str], seconds: float = SECONDS) -> None:
        self._whole = whole
        self._given = dict(given)
        self._seconds = seconds
        self._answers: dict[disk.Question, str | None] = {}
        self._added = False

    def all(self, wanted: Iterable[str]) -> list[Program]:
        """The programs of these files, in their order.

        A result is taken from its record if nothing it depends on has changed; the others are evaluated, side by side
        if they are many.
        """
        found = {path: self._known(path, kept.load(_FOLDER, self._name(path), self._form)) for path in wanted}
        missing = [path for path, known in found.items() if known is None]
        if len(missing) >= _WORTH_A_COPY and processors() > 1:
            first, *missing = missing
            found[first] = self._found(first)  # every copy starts with the modules and files loaded here,
            for question in (self._whole.server_classes, self._whole.renamed, self._whole.named):
                question()  # and with what every program asks
            waiting = dict.fromkeys(missing)
            note(*waiting)
            for number, message in side_by_side(len(missing), lambda n: self._evaluated(missing[n])[1]):
                path = missing[number]
                waiting.pop(path)
                note(*waiting)
                found[path] = self._known(path, message)  # none if no record can hold it
                self._keep(path, found[path], message)
        result = [known or self._found(path) for path, known in found.items()]
        note()
        if self._added:
            kept.forget_oldest(_FOLDER, _MOST)
        return result

    def _found(self, path: str) -> Program:
        note(path)
        found, body = self._evaluated(path)
        self._keep(path, found, body)
        return found

    def _evaluated(self, path: str) -> tuple[Program, bytes]:
        """The program as found now, and its record; the record is empty if none can be made."""
        with disk.tracing() as trace:
            found = program(path, self._whole, self._given, self._seconds)
        self._answers.update(trace.answers)
        if not trace.whole:
            return found, b""
        try:
            record = _written((path, self._given, self._whole.state, trace.answers, found))
        except (RecursionError, TypeError):
            return found, b""  # a part is nested too deeply, or cannot be written: the next run evaluates it again
        return found, zlib.compress(record, 1)

    def _name(self, path: str) -> str:
        return kept.name_of(self._whole.root, path)

    def _keep(self, path: str, found: Program | None, body: bytes) -> None:
        """Remember a program; one that took too long is not: another machine, or another run, may have the time."""
        if body and found is not None and not found.unfinished:
            self._added |= kept.save(_FOLDER, self._name(path), self._form, body)

    def _known(self, path: str, body: bytes | None) -> Program | None:
        """The program in a record; ``None`` if there is none of this program, or something has changed since."""
        if not body:
            return None
        try:
            *key, state, answers, found = _Reader(io.BytesIO(zlib.decompress(body))).load()
        except Exception:  # noqa: BLE001 - of a record that is not ours, anything may fail
            return None
        fits = isinstance(found, Program) and key == [path, self._given] and self._are_answered(answers, state)
        return found if fits else None

    def _are_answered(self, answers: Mapping[disk.Question, str], state: str) -> bool:
        """Whether all questions still have these answers; ``state`` is the recorded state of the whole tree."""
        of_whole = {question for question in answers if question[0] in tree.QUESTIONS}
        settled = of_whole if of_whole and state == self._whole.state else set()
        return all(self._answer(question) == answer for question, answer in answers.items() if question not in settled)

    def _answer(self, question: disk.Question) -> str | None:
        """The digest of the current answer to a question; ``None`` if it has none."""
        import pdmigrate.source.sdk_version  # noqa: F401 - one of its functions is among the questions

        if question not in self._answers:
            name, *arguments = question
            of_disk: Callable[..., object] | None = disk.QUESTIONS.get(str(name))
            ask = of_disk or partial(tree.QUESTIONS[str(name)], self._whole)
            with disk.tracing() as trace, suppress(OSError, SourceError):  # errors are traced as answers, too
                ask(*arguments)
            self._answers[question] = trace.answers.get(question)
        return self._answers[question]

    @cached_property
    def _form(self) -> str:
        """A digest of all but the tree that may affect a result: this code, its libraries, Python and the platform."""
        parts = [sys.version, sys.platform, disk.own_digest(), *disk.installed(_LIBRARIES)]
        return f"pdmigrate {disk.digest(repr(parts).encode())}"


def _written(record: object) -> bytes:
    """A record as ``_Reader`` reads it."""
    content = io.BytesIO()
    writer = pickle.Pickler(content, protocol=5)
    # Before Python 3.11.4 a member of an enum is written as a call of getattr.
    writer.dispatch_table = {Severity: lambda member: (Severity, (member.value,))}
    writer.dump(record)
    return content.getvalue()


class _Reader(pickle.Unpickler):
    """Makes values of the classes of records, and calls nothing else: whoever wrote a record, no code of it runs."""

    def find_class(self, module: str, name: str) -> type:
        if (module, name) not in _CLASSES:
            raise pickle.UnpicklingError(f"{module}.{name} has no place in a record")
        return _CLASSES[module, name]


_CLASSES = {
    (kind.__module__, kind.__name__): kind
    for kind in (*vars(model).values(), Program, values.Unknown, values.Test)
    if isinstance(kind, type) and kind.__module__.startswith("pdmigrate.")
}
