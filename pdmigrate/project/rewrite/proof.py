"""Apply edits, and prove that the result is Python and that nothing else changed."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pdmigrate.errors import SourceError
from pdmigrate.model import Edit
from pdmigrate.source.source import SourceFile, apply_edits, parse, read_source


def edited(source: SourceFile, edits: Iterable[Edit]) -> bytes:
    """The file with ``edits`` applied, proven to parse, and to have changed nowhere else.

    Raises:
        SourceError: the result would not be valid Python, or would have changed outside the edits (PD501).
    """
    edits = tuple(edits)
    after = apply_edits(source, edits)
    result = read_source(source.path, after)
    try:
        ast.parse(result.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        _parse_newer(result)
    if not only_these_changed(source.text, result.text, edits):
        raise SourceError(f"{source.path}: an edit would change more than it names", code="PD501")
    return after


def _parse_newer(result: SourceFile) -> None:
    """Parse a file with libcst, whose grammar may be newer than that of the running Python."""
    try:
        parse(result)
    except SourceError as error:
        raise SourceError(
            f"{result.path} would not be valid Python after the edits: {error.message}",
            hint="please report it with the file; nothing was written",
            code="PD501",
        ) from error


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
