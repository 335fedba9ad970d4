"""Statements to insert on lines of their own: the offset, and the text with indentation and newlines."""

from __future__ import annotations

import ast
import re
from itertools import pairwise, takewhile
from typing import TypeAlias

from pdmigrate.source.outline import Block, Outline

Insertion: TypeAlias = tuple[int, str]
"""An offset into the text of a file, and the text to insert there."""

_LINE_END = re.compile(r"[^\r\n]*(\r\n|\r|\n)")


def line_after(outline: Outline, line: Block, statement: str, *, blank: int = 0) -> Insertion:
    """The insertion of ``statement`` on a new line below the last line of ``line``, after ``blank`` empty lines."""
    source, indent = outline.source, indent_of(outline, line[0])
    if (ends := _LINE_END.match(source.text, outline.span(line[-1]).end)) is None:
        # The file does not end in a newline, and stays without one.
        return len(source.text), source.newline * (1 + blank) + _indented(indent, statement, source.newline)
    return ends.end(), ends[1] * blank + _indented(indent, statement, ends[1]) + ends[1]


def line_before(outline: Outline, node: ast.stmt, statement: str, *, blank: int = 0) -> Insertion:
    """The insertion of ``statement`` above ``node``, its decorators and the comments directly on top of them."""
    source, indent = outline.source, indent_of(outline, node)
    start = source.line_starts[_first_line(node) - 1 - comments_above(outline, node)]
    return start, _indented(indent, statement, source.newline) + source.newline * (1 + blank)


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def comments_above(outline: Outline, node: ast.stmt) -> int:
    """The number of comment lines directly above a statement, which are those of the file above its first one."""
    if node is outline.tree.body[0]:
        return 0
    starts, first, indent = outline.source.line_starts, _first_line(node), indent_of(outline, node)
    # No line of a text that ends above is a comment, whatever it begins with.
    ended = max(end for other in outline.parents if (end := int(getattr(other, "end_lineno", 0))) < first)
    above = (outline.source.text[start:end] for start, end in pairwise(starts[ended:first]))
    is_comment = re.compile(rf"[ \t]{{0,{len(indent)}}}#").match
    return sum(1 for _ in takewhile(is_comment, reversed([*above])))


def _indented(indent: str, statement: str, newline: str) -> str:
    """A statement, with ``\\n`` between its lines, in the indentation and newlines of the file."""
    return newline.join(indent + line for line in statement.split("\n"))


def indent_of(outline: Outline, node: ast.stmt) -> str:
    """The indentation of the line that a statement begins on."""
    source, start = outline.source, outline.span(node).start
    prefix = source.text[source.line_start(start) : start]
    return prefix[: len(prefix) - len(prefix.lstrip())].rpartition("\f")[2]
