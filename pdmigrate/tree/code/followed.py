"""What following a command led to, as all programs of a tree may know it that make no server there.

A console script leads through many files, each of which may be asked for its servers.  What it makes belongs to the
interpreter that made it; that it makes nothing in a file is said in a few plain values, with the questions that were
asked to find it: whoever takes them has asked the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pdmigrate import disk

Budget = tuple[int, ...]
"""What was left of each bound at the end."""


class Consulted(Mapping[str, str]):
    """Versions of packages, with the names that were asked for: what else differs decides nothing."""

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
        """What was asked for, with the answers."""
        return tuple((name, self._given.get(name)) for name in sorted(self._asked))


@dataclass(frozen=True, slots=True)
class Followed:
    """The end of one command, for the files in which it makes no server."""

    versions: tuple[tuple[str, str | None], ...]
    """The versions of packages that it depends on."""
    made_in: tuple[str, ...]
    """The files in which it makes servers, for which it has to be followed again."""
    modules: tuple[str, ...]
    """The files that were executed."""
    sources: tuple[str, ...]
    """The files that were read."""
    steps: int
    budget: Budget
    too_much: str | None
    failed: str | None
    doubt: tuple[str, str, str] | None
    """The reason, code and cause of what is not known to have run."""
    questions: tuple[tuple[disk.Question, str], ...]
    """What was asked, with the digests of the answers."""
    listed: tuple[str, ...]
    """The folders that were asked for their names when the tree as a whole was asked."""

    def holds_for(self, versions: Mapping[str, str]) -> bool:
        """Whether the command leads to the same in a program with these versions of packages."""
        return all(versions.get(name) == answer for name, answer in self.versions)

    def trace(self) -> disk.Trace:
        """What was asked, to be noted by others as asked by them."""
        trace = disk.Trace()
        trace.answers.update(self.questions)
        return trace
