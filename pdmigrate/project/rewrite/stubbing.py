"""The edits that turn a literal tool into its stub, down to the comma.

Nothing here touches the disk.  ``enabling.py`` has the edits that enable a server, ``plan/code.py`` applies edits.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping

from pdmigrate.errors import SourceError
from pdmigrate.findings import finding
from pdmigrate.model import Argument, Edit, Finding, JsonValue, Movable, Site, Span, Tool
from pdmigrate.project.rewrite.literals import LiteralLayout, display_width, python_literal
from pdmigrate.source.documents import same_json
from pdmigrate.source.source import SourceFile

_NAMED = re.compile(r"(?P<name>[^\W\d]\w*)[ \t]*=(?!=)|(?P<quote>['\"])\w+(?P=quote)\s*:")
_PRAGMA = re.compile(r"#\s*(noqa|type:|pragma|pylint:|ruff:|pyright:|mypy:|nosec|fmt:|yapf:|isort:)", re.IGNORECASE)


# --- stubs in place ---------------------------------------------------------------------------------------------------


def stub_edits(tool: Tool, stub: Mapping[str, JsonValue], sources: Mapping[str, SourceFile]) -> tuple[Edit, ...]:
    """The edits that turn a literal tool into its stub; none for a tool that stays in code or is a stub already.

    The description becomes the summary and the input schema the stub schema, each as a literal.  A missing description
    is inserted before the input schema, because a stub always has a summary; a missing output schema after it.

    Raises:
        SourceError: the arguments are not written with their names, so that none can be inserted (PD502).
        KeyError: ``sources`` lacks a file that the declaration names.
    """
    if not isinstance(tool.declaration, Movable):
        return ()
    arguments = tool.declaration.arguments
    edits: list[Edit | None] = []
    for name, wanted in stub.items():
        if (argument := arguments.get(name)) is None:
            edits.append(_insertion(name, wanted, tool, arguments, sources))
        else:
            edits.append(_replacement(name, wanted, argument, sources[argument.value.file]))
    return tuple(edit for edit in edits if edit is not None)


def _replacement(name: str, wanted: JsonValue, argument: Argument, source: SourceFile) -> Edit | None:
    if _evaluates_to(source.code(argument.value), wanted):
        return None
    span = _with_parentheses(source, argument.value)
    return Edit(span, _rendered(source, span, wanted), f"{name} of the stub")


def _insertion(
    name: str, wanted: JsonValue, tool: Tool, arguments: Mapping[str, Argument], sources: Mapping[str, SourceFile]
) -> Edit:
    if (beside := arguments.get("inputSchema")) is None:
        raise _not_editable(tool, f"it has no argument beside which {name} could be put")
    source, place = sources[beside.keyword.file], beside.keyword
    named = _NAMED.match(source.text, place.start)
    if not named:
        raise _not_editable(tool, "its arguments are not written with their names")
    head = f"{_spelled(name, arguments, source)}=" if named["name"] else f"{named['quote']}{name}{named['quote']}: "
    layout = _layout(source, place.start, place.start, head)
    prefix = source.text[place.start - len(layout.indent) : place.start]
    own_line = prefix == layout.indent and _starts_line(source, place.start)
    separator = source.newline + layout.indent if own_line else " "
    text = f"{head}{_checked(wanted, layout, source)}"
    if name == "description":
        return Edit(Span(place.file, place.start, place.start), f"{text},{separator}", f"{name} of the stub")
    return Edit(Span(place.file, place.end, place.end), f",{separator}{text}", f"{name} stays in the code")


def _spelled(name: str, arguments: Mapping[str, Argument], source: SourceFile) -> str:
    """The keyword of a field: in snake case if the input schema's keyword is, as mcp 2.x allows."""
    schema = arguments.get("inputSchema")
    if schema is not None and source.text.startswith("input_schema", schema.keyword.start):
        return re.sub(r"(?=[A-Z])", "_", name).lower()
    return name


# --- where a literal stands -------------------------------------------------------------------------------------------


def _with_parentheses(source: SourceFile, span: Span) -> Span:
    """``span``, extended by the grouping parentheses around it with only white space in between.

    A parenthesis after ``#`` on its line might be part of a comment: a span without it is always valid.
    """
    text = source.text
    while True:
        opening = len(text[: span.start].rstrip()) - 1
        closing = len(text) - len(text[span.end :].lstrip())
        grouping = text[opening : opening + 1] == "(" and text[closing : closing + 1] == ")"
        before = text[: max(opening, 0)].rstrip()
        if not grouping or not before.endswith(("=", ",", "(", "[", "{", ":")):
            return span
        if "#" in text[source.line_start(opening) : opening]:
            return span
        span = Span(span.file, opening, closing + 1)


def _rendered(source: SourceFile, span: Span, wanted: JsonValue) -> str:
    return _checked(wanted, _layout(source, span.start, span.end, ""), source)


def _checked(wanted: JsonValue, layout: LiteralLayout, source: SourceFile) -> str:
    """The literal for ``wanted``, proven by evaluating it."""
    try:
        text = python_literal(wanted, layout)
    except ValueError as error:
        raise SourceError(f"{source.path}: a stub cannot be written as Python: {error}", code="PD502") from error
    if not _evaluates_to(text, wanted):
        raise SourceError(f"{source.path}: a stub does not survive being written as Python", code="PD501")
    return text


def _layout(source: SourceFile, start: int, end: int, head: str) -> LiteralLayout:
    text, line = source.text, source.line_start(start)
    prefix = text[line:start]
    indent = prefix[: len(prefix) - len(prefix.lstrip(" \t\f"))]
    rest = re.compile(r"[^\r\n#]*").match(text, end)
    tail = rest.group().rstrip() if rest and not head else ","
    return LiteralLayout(
        indent=indent,
        column=display_width(prefix + head),
        tail=display_width(tail),
        unit=source.indent_unit,
        newline=source.newline,
        encoding=source.encoding,
        width=source.style.width,
        quote=source.quote,
        # Between other arguments on one line, a text in pieces reads worse than a long line.
        breakable=not any(character in prefix for character in "([{,"),
    )


def _starts_line(source: SourceFile, offset: int) -> bool:
    return not source.text[source.line_start(offset) : offset].strip(" \t\f")


def _evaluates_to(text: str, wanted: JsonValue) -> bool:
    try:
        value = ast.literal_eval(f"({text}\n)")
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return same_json(value, wanted)


def _not_editable(tool: Tool, reason: str) -> SourceError:
    return SourceError(
        f"{tool.site}: the declaration of {tool.name or 'a tool'} cannot be edited: {reason}",
        hint='write the arguments by name, or leave the tool to code with move = "none"',
        code="PD502",
    )


# --- what a reader should know ----------------------------------------------------------------------------------------


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
