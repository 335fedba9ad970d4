"""Statements put into a file on lines of their own: where, and the text with its indentation and newline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from pdmigrate.blocks import Place
from pdmigrate.source import ParsedFile

if TYPE_CHECKING:
    import libcst as cst

Insertion: TypeAlias = tuple[int, str]
"""An offset into the text of a file, and what goes there."""

_LINE_END = re.compile(r"[^\r\n]*(\r\n|\r|\n)")


def line_after(parsed: ParsedFile, node: cst.CSTNode, statement: str, *, blank: bool = False) -> Insertion:
    """A line below a statement, after a comment that ends its line; a blank line between them if asked for."""
    source, span = parsed.source, parsed.span(node)
    indent = _indent(parsed, span.start)
    ends = _LINE_END.match(source.text, span.end)
    if ends is None:
        # The last line has no newline; then the new last line has none either.
        return len(source.text), source.newline * (1 + blank) + indent + statement
    return ends.end(), ends[1] * blank + indent + statement + ends[1]


def line_before(parsed: ParsedFile, node: cst.CSTNode, statement: str) -> Insertion:
    """A line directly above a statement, above its decorators."""
    import libcst as cst

    if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and node.decorators:
        node = node.decorators[0]
    start = parsed.span(node).start
    indent = _indent(parsed, start)
    return start - len(indent), indent + statement + parsed.source.newline


def before_place(place: Place, statement: str) -> Insertion:
    """Directly before the statement that holds a place, in the same block."""
    import libcst as cst

    if isinstance(place.holder, cst.SimpleStatementSuite):
        return place.parsed.span(place.small).start, f"{statement}; "
    return line_before(place.parsed, place.holder, statement)


def _indent(parsed: ParsedFile, start: int) -> str:
    """The blanks between the start of its line and a statement."""
    text = parsed.source.text
    prefix = text[parsed.source.line_start(start) : start]
    return prefix[len(prefix.rstrip(" \t")) :]
