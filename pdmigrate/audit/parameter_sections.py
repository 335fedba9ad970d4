"""Sections of a description that list parameters: ``Args:`` of docstrings, and the lists that people write like it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TITLE = re.compile(
    r"^[ \t]*(?:#+[ \t]*|\*\*)?(?:args|arguments|params|parameters|inputs?)(?:\*\*)?:?(?:\*\*)?[ \t]*$", re.IGNORECASE
)
_UNDERLINE = re.compile(r"^[ \t]*-{3,}[ \t]*$")
_ENTRY = re.compile(
    r"^(?P<indent>[ \t]*)(?:[-*•][ \t]+)?[`*]{0,2}(?P<name>[A-Za-z_]\w*)[`*]{0,2}"
    r"(?P<annotation>[ \t]*\([^)\n]*\))?[ \t]*(?::|–|—|- )"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One parameter: its ``name``, the ``annotation`` in parentheses, and the whole ``text``, of which ``head`` is what
    stands before the parameter's own text.  Annotation, head and text are as they stand in the description.
    """

    name: str
    annotation: str
    head: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """The ``text`` of a section as it stands in the description, title included, and its entries."""

    text: str
    entries: tuple[Entry, ...]


def parameter_sections(description: str) -> Iterator[Section]:
    """The sections of ``description`` that list parameters; a title without entries below it is no section."""
    lines = description.split("\n")
    number = 0
    while number < len(lines):
        end = _end(lines, number + 1) if _TITLE.match(lines[number]) else number + 1
        entries = tuple(_entries(lines[number + 1 : end]))
        if entries:
            yield Section("\n".join(lines[number:end]).rstrip(), entries)
        number = end


def _end(lines: list[str], start: int) -> int:
    """The number of the first line after the section whose text begins at ``start``."""
    if start < len(lines) and _UNDERLINE.match(lines[start]):
        start += 1
    first = _ENTRY.match(lines[start]) if start < len(lines) else None
    if first is None:
        return start
    indent, end = len(first["indent"]), start
    for number in range(start, len(lines)):
        line = lines[number]
        if not line.strip():
            continue
        entry = _ENTRY.match(line)
        deeper = len(line) - len(line.lstrip()) > indent
        if not deeper and (entry is None or len(entry["indent"]) != indent or _TITLE.match(line)):
            break
        if not deeper and _starts_section(lines, number):
            break
        end = number + 1
    return end


def _starts_section(lines: list[str], number: int) -> bool:
    """Whether a line like ``Returns:`` is the title of what follows, and no parameter."""
    return re.match(r"^[ \t]*[A-Z]\w*:[ \t]*$", lines[number]) is not None


def _entries(lines: list[str]) -> Iterator[Entry]:
    found = [match for line in lines if (match := _ENTRY.match(line))]
    if not found:
        return
    indent = len(found[0]["indent"])
    starts = [n for n, line in enumerate(lines) if (m := _ENTRY.match(line)) and len(m["indent"]) == indent]
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        match = _ENTRY.match(lines[start])
        if match is not None:
            text = "\n".join(lines[start:stop]).rstrip()
            yield Entry(match["name"], match["annotation"] or "", match[0], text)
