"""Statements to insert on lines of their own: the offset, and the text with indentation and newlines."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from pdmigrate.errors import SourceError
from pdmigrate.project.rewrite.blocks import NodePath
from pdmigrate.source.source import ParsedFile

if TYPE_CHECKING:
    import libcst as cst

Insertion: TypeAlias = tuple[int, str]
"""An offset into the text of a file, and the text to insert there."""

_LINE_END = re.compile(r"[^\r\n]*(\r\n|\r|\n)")


def line_after(parsed: ParsedFile, node: cst.CSTNode, statement: str, *, blank: int = 0) -> Insertion:
    """The insertion of ``statement`` on a new line below the last line of ``node``, after ``blank`` empty lines."""
    source, span = parsed.source, parsed.span(node)
    indent = _indent(parsed, span.start)
    ends = _LINE_END.match(source.text, span.end)
    if ends is None:
        # The file does not end in a newline, and stays without one.
        return len(source.text), source.newline * (1 + blank) + _indented(indent, statement, source.newline)
    return ends.end(), ends[1] * blank + _indented(indent, statement, ends[1]) + ends[1]


def line_before(
    parsed: ParsedFile, node: cst.CSTNode, statement: str, *, blank: int = 0, above_comments: bool = False
) -> Insertion:
    """The insertion of ``statement`` above ``node`` and its decorators, with ``blank`` empty lines between them.

    ``above_comments``: also above the comments that stand directly on top of ``node``.
    """
    start = parsed.span(_first(node)).start
    indent, newline = _indent(parsed, start), parsed.source.newline
    start -= len(indent)
    for _ in range(comments_above(node) if above_comments else 0):
        start = parsed.source.line_start(start - 1)
    return start, _indented(indent, statement, newline) + newline * (1 + blank)


def _first(node: cst.CSTNode) -> cst.CSTNode:
    import libcst as cst

    if isinstance(node, (cst.FunctionDef, cst.ClassDef)) and node.decorators:
        return node.decorators[0]
    return node


def comments_above(node: cst.CSTNode) -> int:
    """The number of comment lines directly above a statement."""
    import libcst as cst

    lines = node.leading_lines if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement)) else ()
    return sum(1 for _ in takewhile(lambda line: line.comment is not None, reversed(lines)))


def before_place(place: NodePath, statement: str) -> Insertion:
    """The insertion of ``statement`` directly before the statement that contains a place, in the same block.

    Raises:
        SourceError: the block is written on one line, and ``statement`` takes several (PD503).
    """
    import libcst as cst

    if not isinstance(place.holder, cst.SimpleStatementSuite):
        return line_before(place.parsed, place.holder, statement, above_comments=True)
    if "\n" in statement:
        raise SourceError(
            f"{place.parsed.source.site(place.span.start)}: there is no place for an import of several lines",
            hint="give the function a body on lines of its own",
            code="PD503",
        )
    return place.parsed.span(place.small).start, f"{statement}; "


def _indented(indent: str, statement: str, newline: str) -> str:
    """A statement, with ``\\n`` between its lines, in the indentation and newlines of the file."""
    return newline.join(indent + line for line in statement.split("\n"))


def indent_of(parsed: ParsedFile, node: cst.CSTNode) -> str:
    """The white space that a statement's line starts with."""
    return _indent(parsed, parsed.span(node).start)


def _indent(parsed: ParsedFile, start: int) -> str:
    """The white space directly before a statement on its line."""
    text = parsed.source.text
    prefix = text[parsed.source.line_start(start) : start]
    return prefix[len(prefix.rstrip(" \t")) :]
