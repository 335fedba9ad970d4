"""The order of imports, and the blank lines between them, as ruff and isort sort them by default."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

Key: TypeAlias = tuple[int, bool, int, tuple[tuple[int, str], ...]]


class Section(IntEnum):
    """The sections of imports, in their order."""

    FUTURE = 0
    STANDARD_LIBRARY = 1
    THIRD_PARTY = 2
    FIRST_PARTY = 3
    LOCAL_FOLDER = 4


@dataclass(frozen=True, slots=True)
class Line:
    """An import of one module: ``module`` as it is written (``..pkg.mod``), and whether it is a ``from`` import."""

    module: str
    is_from: bool = True

    @property
    def level(self) -> int:
        return len(self.module) - len(self.module.lstrip("."))

    @property
    def package(self) -> str:
        """The top-level package; empty for a relative import."""
        return self.module.partition(".")[0]


def section_of(line: Line, first_party: Collection[str]) -> Section:
    """The section of an import; ``first_party`` are the packages and modules of the project itself."""
    if line.module == "__future__":
        return Section.FUTURE
    if line.level:
        return Section.LOCAL_FOLDER
    if line.package in sys.stdlib_module_names:
        return Section.STANDARD_LIBRARY
    return Section.FIRST_PARTY if line.package in first_party else Section.THIRD_PARTY


def key_of(line: Line, first_party: Collection[str]) -> Key:
    """The sort key of an import."""
    return section_of(line, first_party), line.is_from, -line.level, tuple(_natural(line.module))


def gap(one: Line, other: Line, first_party: Collection[str]) -> int:
    """The blank lines between two imports that follow each other."""
    return int(section_of(one, first_party) != section_of(other, first_party))


def are_sorted(lines: Sequence[Line], first_party: Collection[str]) -> bool:
    keys = [key_of(line, first_party) for line in lines]
    return keys == sorted(keys)


def _natural(module: str) -> Iterator[tuple[int, str]]:
    """The parts of a name for natural order: numbers by their value, letters regardless of case."""
    for part in re.findall(r"\d+|\D+", module.lstrip(".").lower()):
        yield (int(part), "") if part.isdecimal() else (-1, part)
