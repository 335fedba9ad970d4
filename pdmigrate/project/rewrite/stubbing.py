"""The edits that turn a literal tool into its stub, down to the comma."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping

from pdmigrate.errors import SourceError
from pdmigrate.findings import finding
from pdmigrate.model import Edit, Finding, JsonValue, Movable, Site, Span, Tool
from pdmigrate.project.rewrite.literals import LiteralLayout, display_width, python_literal
from pdmigrate.source.documents import same_json
from pdmigrate.source.source import SourceFile

_PRAGMA = re.compile(r"#\s*(noqa|type:|pragma|pylint:|ruff:|pyright:|mypy:|nosec|fmt:|yapf:|isort:)", re.IGNORECASE)


def stub_edits(tool: Tool, stub: Mapping[str, JsonValue], sources: Mapping[str, SourceFile]) -> tuple[Edit, ...]:
    """The edits that turn a literal tool into its stub; none for a tool that stays in code or is a stub already.

    Raises SourceError if a stub cannot be written as a literal of Python (PD502), KeyError if ``sources`` lacks a file
    that the declaration names, or the declaration an argument of the stub.
    """
    if not isinstance(tool.declaration, Movable):
        return ()
    edits = []
    for name, wanted in stub.items():
        place = tool.declaration.literals[name]
        source = sources[place.file]
        if not _evaluates_to(source.code(place), wanted):
            span = _with_parentheses(source, place)
            text = _checked(wanted, _layout(source, span.start, span.end), source)
            edits.append(Edit(span, text, "stubs of tools"))
    return tuple(edits)


def _with_parentheses(source: SourceFile, span: Span) -> Span:
    """``span`` with the grouping parentheses around it, but none that may be in a comment, after ``#`` on its line."""
    text = source.text
    while True:
        opening = len(text[: span.start].rstrip()) - 1
        closing = len(text) - len(text[span.end :].lstrip())
        grouping = text[opening : opening + 1] == "(" and text[closing : closing + 1] == ")"
        before = text[: max(opening, 0)].rstrip()
        if not grouping or not before.endswith(("=", ",", "(", "[")):
            return span
        if "#" in text[source.line_start(opening) : opening]:
            return span
        span = Span(span.file, opening, closing + 1)


def _checked(wanted: JsonValue, layout: LiteralLayout, source: SourceFile) -> str:
    try:
        text = python_literal(wanted, layout)
    except ValueError as error:
        raise SourceError(f"{source.path}: a stub cannot be written as Python: {error}", code="PD502") from error
    if not _evaluates_to(text, wanted):
        raise SourceError(f"{source.path}: a stub does not survive being written as Python", code="PD501")
    return text


def _layout(source: SourceFile, start: int, end: int) -> LiteralLayout:
    text, line = source.text, source.line_start(start)
    prefix = text[line:start]
    indent = prefix[: len(prefix) - len(prefix.lstrip(" \t\f"))]
    rest = re.compile(r"[^\r\n#]*").match(text, end)
    tail = rest.group().rstrip() if rest else ","
    return LiteralLayout(
        indent=indent,
        column=display_width(prefix),
        tail=display_width(tail),
        unit=source.indent_unit,
        newline=source.newline,
        encoding=source.encoding,
        width=source.style.width,
        quote=source.quote,
        # Between other arguments on one line, a text in pieces reads worse than a long line.
        breakable=not any(character in prefix for character in "([{,"),
    )


def _evaluates_to(text: str, wanted: JsonValue) -> bool:
    try:
        value = ast.literal_eval(f"({text}\n)")
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return same_json(value, wanted)


def stub_findings(tool: Tool, edits: Iterable[Edit], sources: Mapping[str, SourceFile]) -> tuple[Finding, ...]:
    """A finding (PD504) for every comment inside text that moves, since it is lost."""
    return tuple(
        finding("PD504", f"a comment inside the text that moves is not kept: {comment}", site=site, tool=tool.name)
        for edit in edits
        for comment, site in _comments(sources[edit.span.file], edit.span)
    )


def _comments(source: SourceFile, span: Span) -> Iterator[tuple[str, Site]]:
    """The comments in a span of arguments, without pragmas such as ``noqa``, each with its site."""
    text = source.code(span)
    if "#" not in text:
        return
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline))
    except (tokenize.TokenError, SyntaxError):
        return
    first = source.line_of(span.start)
    for token in tokens:
        if token.type == tokenize.COMMENT and not _PRAGMA.match(token.string):
            yield token.string.lstrip("# "), Site(source.path, first + token.start[0] - 1)
