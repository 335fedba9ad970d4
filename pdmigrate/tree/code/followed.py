"""The result of following a command, in a form shared by all programs of a tree for which it makes no server.

A console script leads through many files, and each of them may be searched for servers.  The objects that the script
makes belong to the interpreter that made them.  The fact that it makes none in a file is shared as a few plain values,
with the questions that were asked to find it: a program that takes the values notes these questions as its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pdmigrate import disk

Budget = tuple[int, ...]
"""What was left of each bound of the budget at the end."""


class Consulted(Mapping[str, str]):
    """Versions of packages, and which of them were asked for: the others have no influence on the result."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self._asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self._asked.add(name)
        return self._given[name]

    def __iter__(self) -> Iterator[str]:
        self._asked.update(self._given)
        return iter(self._given)

    def __len__(self) -> int:
        self._asked.update(self._given)
        return len(self._given)

    def answers(self) -> tuple[tuple[str, str | None], ...]:
        """The names that were asked for, each with its version; ``None`` for a package without one."""
        return tuple((name, self._given.get(name)) for name in sorted(self._asked))


@dataclass(frozen=True, slots=True)
class Followed:
    """The result of following one command, for the files in which the command makes no server."""

    versions: tuple[tuple[str, str | None], ...]
    """The versions of packages that the result depends on."""
    made_in: tuple[str, ...]
    """The files in which the command makes servers: for these, it has to be followed again."""
    modules: tuple[str, ...]
    """The files that were executed."""
    sources: tuple[str, ...]
    """The files that were read."""
    steps: int
    budget: Budget
    too_much: str | None
    failed: str | None
    doubt: tuple[str, str, str] | None
    """Why unknown code may have run: reason, code and cause of an unknown value."""
    questions: tuple[tuple[disk.Question, str], ...]
    """The questions that were asked, with the digests of the answers."""
    listed: tuple[str, ...]
    """The folders that were listed to answer questions about the whole tree."""

    def holds_for(self, versions: Mapping[str, str]) -> bool:
        """Whether the result is valid for a program with these versions of packages."""
        return all(versions.get(name) == answer for name, answer in self.versions)

    def trace(self) -> disk.Trace:
        """The questions with their answers, for another program to note as its own."""
        trace = disk.Trace()
        trace.answers.update(self.questions)
        return trace
