"""Findings with their source lines and differences, for people who read a terminal or the log of a hook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pdmigrate import disk
from pdmigrate.escaping import one_line
from pdmigrate.model import Finding, Site
from pdmigrate.report.style import PLAIN, Colours
from pdmigrate.report.suppress import place
from pdmigrate.report.text import headline

Lines = Callable[[str], "list[str]"]
"""Gives the lines of a file by its path; none for a file that cannot be read."""

_AROUND = 1
_WIDTH = 120


def findings_full(findings: Iterable[Finding], style: Colours = PLAIN, source: Lines | None = None) -> str:
    """Every finding once, by place: its headline, the line with one before and after it, the differences, the hint."""
    blocks = ["\n".join(_block(found, style, source)) for found in sorted(set(findings), key=place)]
    return "\n\n".join(blocks)


def _block(found: Finding, style: Colours, source: Lines | None) -> Iterator[str]:
    yield headline(found, style)
    if found.site is not None and source is not None:
        yield from _excerpt(found.site, source(found.site.file), style)
    for line in found.detail.splitlines():
        yield f"      {_coloured(line, style)}"
    if found.hint:
        yield f"  hint: {found.hint}"


def _excerpt(site: Site, lines: list[str], style: Colours) -> Iterator[str]:
    if not 0 < site.line <= len(lines):
        return
    for number in range(max(1, site.line - _AROUND), min(len(lines), site.line + _AROUND) + 1):
        mark = ">" if number == site.line else " "
        text = one_line(lines[number - 1].expandtabs(4).rstrip())[:_WIDTH]
        yield style.dim(f"{mark} {number:>4} | {text}".rstrip())


def _coloured(line: str, style: Colours) -> str:
    if line.startswith("+"):
        return style.good(line)
    return style.bad(line) if line.startswith("-") else line


class Sources:
    """Reads the lines of files below a folder, each file once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, list[str]] = {}

    def __call__(self, path: str) -> list[str]:
        if path not in self._files:
            self._files[path] = disk.lines(*disk.upward(self._folder, path))
        return self._files[path]
