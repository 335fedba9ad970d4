"""Statements put into a file on lines of their own: where, and the text with its indentation and newline."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from pdmigrate.errors import SourceError
from pdmigrate.rewrite.blocks import Place
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
        return len(source.text), source.newline * (1 + blank) + _indented(indent, statement, source.newline)
    return ends.end(), ends[1] * blank + _indented(indent, statement, ends[1]) + ends[1]


def line_before(parsed: ParsedFile, node: cst.CSTNode, statement: str) -> Insertion:
    """A line directly above a statement, above its decorators."""
    import libcst as cst

    if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and node.decorators:
        node = node.decorators[0]
    start = parsed.span(node).start
    indent = _indent(parsed, start)
    newline = parsed.source.newline
    return start - len(indent), _indented(indent, statement, newline) + newline


def before_place(place: Place, statement: str) -> Insertion:
    """Directly before the statement that holds a place, in the same block.

    Raises:
        SourceError: that block stands on one line, and the statement takes several (PD503).
    """
    import libcst as cst

    if not isinstance(place.holder, cst.SimpleStatementSuite):
        return line_before(place.parsed, place.holder, statement)
    if "\n" in statement:
        raise SourceError(
            f"{place.parsed.source.site(place.span.start)}: there is no place for an import of several lines",
            hint="give the function a body on lines of its own",
            code="PD503",
        )
    return place.parsed.span(place.small).start, f"{statement}; "


def after_import(parsed: ParsedFile, line: cst.CSTNode, statement: str) -> Insertion:
    """Below an import, or behind it where its block stands on one line."""
    import libcst as cst

    if isinstance(line, cst.SimpleStatementSuite):
        return parsed.span(line.body[-1]).end, f"; {statement}"
    return line_after(parsed, line, statement)


def _indented(indent: str, statement: str, newline: str) -> str:
    """A statement of one or several lines (``\\n`` between them) as it stands in the file."""
    return newline.join(indent + line for line in statement.split("\n"))


def _indent(parsed: ParsedFile, start: int) -> str:
    """The blanks between the start of its line and a statement."""
    text = parsed.source.text
    prefix = text[parsed.source.line_start(start) : start]
    return prefix[len(prefix.rstrip(" \t")) :]
