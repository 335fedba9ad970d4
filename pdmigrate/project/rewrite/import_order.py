"""The order of imports, and the blank lines between them, as isort and ruff would sort them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TypeAlias

from pdmigrate.source.style import ImportStyle

Key: TypeAlias = tuple[int, int, int, tuple[tuple[int, str], ...]]


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


def section_of(line: Line, style: ImportStyle) -> str:
    """The section of an import; ``__future__`` has its own even in a style without sections."""
    if line.module == "__future__":
        return "future"
    if not style.sections:
        return style.default
    if line.level:
        return "local-folder"
    parts = line.module.split(".")
    for name in (".".join(parts[:end]) for end in range(len(parts), 0, -1)):
        for section, patterns in style.known.items():
            if any(fnmatchcase(name, pattern) for pattern in patterns):
                return section
    if line.package in sys.stdlib_module_names:
        return "standard-library"
    return "first-party" if line.package in style.first_party else style.default


def key_of(line: Line, style: ImportStyle) -> Key:
    """The sort key of an import."""
    rank = _rank(section_of(line, style), style)
    kind = 0 if style.mixed else int(line.is_from is not style.from_first)
    return rank, kind, line.level if style.closest_first else -line.level, tuple(_natural(line.module))


def _rank(section: str, style: ImportStyle) -> int:
    return style.order.index(section) if section in style.order else len(style.order)


def gap(one: Line, other: Line, style: ImportStyle) -> int:
    """The blank lines between two imports that follow each other."""
    before, after = (_rank(section_of(line, style), style) for line in (one, other))
    if before != after:
        # A blank line, unless each section after ``before`` up to ``after`` is joined to the one before it: sections
        # without imports count, too.
        return int(any(section not in style.joined for section in style.order[before + 1 : after + 1]))
    return 0 if style.mixed or one.is_from is other.is_from else style.lines_between_types


def style_followed_by(lines: Sequence[Line], style: ImportStyle) -> ImportStyle | None:
    """The style by which ``lines`` are sorted: the project's, or one that the lines follow; ``None`` if unsorted."""
    candidates = (style,) if style.settled else (style, replace(style, mixed=True))
    return next((candidate for candidate in candidates if _are_sorted(lines, candidate)), None)


def _are_sorted(lines: Sequence[Line], style: ImportStyle) -> bool:
    keys = [key_of(line, style) for line in lines]
    return keys == sorted(keys)


def _natural(module: str) -> Iterator[tuple[int, str]]:
    """The parts of a name for natural order: numbers by their value, letters regardless of case."""
    for part in re.findall(r"\d+|\D+", module.lstrip(".").lower()):
        yield (int(part), "") if part.isdecimal() else (-1, part)
