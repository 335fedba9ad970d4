"""Sources with the place that a test is about between ``⟦`` and ``⟧``, and tables of them before and after."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from pdmigrate.migrate.plan.code import edited
from pdmigrate.model import Anchor, Edit, Span
from pdmigrate.source.outline import Outline, parse
from pdmigrate.source.source import SourceFile, read_source

PATH = "pkg/server.py"


def table(name: str) -> dict[str, tuple[str, str]]:
    """The cases of a file: ``=== what it shows``, the source before, ``--->``, the source after, a blank line."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8") + "\n"
    parts = re.split(r"^=== (.+)\n", text, flags=re.MULTILINE)
    cases: dict[str, tuple[str, str]] = {}
    for title, body in zip(parts[1::2], parts[2::2], strict=True):
        before, after = body.split("--->\n")
        cases[title] = (before, after.removesuffix("\n"))
    return cases


def source(text: str) -> SourceFile:
    return read_source(PATH, text.encode())


def marked(text: str) -> tuple[Outline, Span]:
    """The file without its marks, and what was between them."""
    start = text.index("⟦")
    end = text.index("⟧") - 1
    return parse(source(text.replace("⟦", "").replace("⟧", ""))), Span(PATH, start, end)


def anchored(text: str, target: str = "server") -> tuple[Outline, Anchor]:
    parsed, span = marked(text)
    return parsed, Anchor(span, target)


def after(parsed: Outline, edits: tuple[Edit, ...]) -> str:
    """The file with the edits carried out and proven, with its newlines as they are."""
    return edited(parsed.source, edits).decode(parsed.source.encoding)


def only_these_changed(before: str, after: str, edits: Iterable[Edit]) -> bool:
    """Whether ``after`` is ``before`` with nothing changed outside the spans of ``edits``."""
    position = taken = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        kept = before[position : edit.span.start]
        if not after.startswith(kept + edit.text, taken):
            return False
        taken += len(kept) + len(edit.text)
        position = edit.span.end
    return after[taken:] == before[position:]
