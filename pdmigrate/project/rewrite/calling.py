"""The call of ``enable``: a statement of its own if the server has a name, otherwise around the server's expression."""

from __future__ import annotations

import ast

from pdmigrate.errors import SourceError
from pdmigrate.model import Edit, Span
from pdmigrate.project.rewrite.blocks import NodePath, name_in_use
from pdmigrate.project.rewrite.insertion import Insertion, line_after, line_before
from pdmigrate.project.rewrite.literals import display_width

_REASON = "enable progressive disclosure"
_NAMES = ("server", "mcp", "app")
"""Names to choose from for a server that is returned without being bound to a name."""


def call_edits(place: NodePath, target: str, function: str, arguments: tuple[str, ...]) -> tuple[Edit, ...]:
    """The edits that call ``function`` with the server at ``place`` and ``arguments``.

    ``target`` is the name of the server there.  If it is empty, the call goes around the expression that makes the
    server; or, if that expression is returned and the call does not fit on the line, the server gets a name.

    Raises:
        SourceError: there is no place for a statement (PD503).
    """
    if target:
        offset, text = _statement(place, _call(place, function, (target, *arguments)))
        return (Edit(Span(place.parsed.path, offset, offset), text, _REASON),)
    source, server, line = place.parsed.source, place.text, _line(place)
    wrapped = f"{function}({', '.join((server, *arguments))})"
    if "\n" not in server and display_width(line.replace(server, wrapped, 1)) <= source.style.width:
        return _around(place, f"{function}(", f"{''.join(f', {argument}' for argument in arguments)})")
    return _named(place, function, arguments) or _broken(place, function, arguments)


def _line(place: NodePath) -> str:
    """The text from the start of the line where a span begins to the end of the line where it ends."""
    source, span = place.parsed.source, place.span
    end = source.text.find("\n", span.end)
    return source.text[source.line_start(span.start) : end if end >= 0 else len(source.text)].rstrip("\r")


def _call(place: NodePath, function: str, arguments: tuple[str, ...]) -> str:
    """A call as a statement, broken into lines as formatters do, with ``\\n`` between them."""
    source = place.parsed.source
    flat, unit, indent = ", ".join(arguments), source.indent_unit, place.indent
    if display_width(f"{indent}{function}({flat})") <= source.style.width:
        return f"{function}({flat})"
    if display_width(f"{indent}{unit}{flat}") <= source.style.width:
        return f"{function}(\n{unit}{flat}\n)"
    return "\n".join((f"{function}(", *(f"{unit}{argument}," for argument in arguments), ")"))


# --- a server with a name ---------------------------------------------------------------------------------------------


def _statement(place: NodePath, call: str) -> Insertion:
    """The offset and text that insert the call as a statement of its own."""
    import libcst as cst

    holder, parsed = place.holder, place.parsed
    leaves = isinstance(place.small, (cst.Return, cst.Raise))
    if isinstance(holder, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) and not leaves:
        followed = place.small is not holder and place.small is not holder.body[-1]
        if followed or isinstance(holder, cst.SimpleStatementSuite):
            return parsed.span(place.small).end, f"; {call}"
        return line_after(parsed, holder, call)
    if isinstance(holder, cst.With) and isinstance(holder.body, cst.IndentedBlock):
        return line_before(parsed, holder.body.body[0], call, above_comments=True)
    raise SourceError(
        f"{parsed.source.site(place.span.start)}: there is no place for a call after the server is made",
        hint="bind the server to a name in a statement of its own",
        code="PD503",
    )


# --- a server without a name ------------------------------------------------------------------------------------------


def _named(place: NodePath, function: str, arguments: tuple[str, ...]) -> tuple[Edit, ...]:
    """The edits that turn ``return Server(...)`` into three statements, so that a call over several lines keeps its
    layout; none unless the server is all that a statement on a line of its own returns, and a name is free.
    """
    import libcst as cst

    parsed, small = place.parsed, place.small
    name = next((name for name in _NAMES if not name_in_use(parsed, name, frozenset())), None)
    alone = isinstance(place.holder, cst.SimpleStatementLine) and len(place.holder.body) == 1
    if name is None or not alone or not isinstance(small, cst.Return) or small.value is None or small.value.lpar:
        return ()
    if parsed.span(small.value) != place.span:
        return ()
    call = _call(place, function, (name, *arguments))
    offset, text = line_after(parsed, place.holder, f"{call}\nreturn {name}")
    start = parsed.span(small).start
    return (
        Edit(Span(parsed.path, start, place.span.start), f"{name} = ", _REASON),
        Edit(Span(parsed.path, offset, offset), text, _REASON),
    )


def _broken(place: NodePath, function: str, arguments: tuple[str, ...]) -> tuple[Edit, ...]:
    """The call around an expression, broken over lines: all arguments on one line if they fit, else one per line."""
    source = place.parsed.source
    unit, newline = source.indent_unit, source.newline
    inner = place.indent + unit
    flat = ", ".join((place.text, *arguments))
    if "\n" not in flat and display_width(inner + flat) <= source.style.width:
        end = f"{newline}{place.indent})"
        return _around(place, f"{function}({newline}{inner}", f", {', '.join(arguments)}{end}" if arguments else end)
    indented = _indented(place.text, unit)
    if indented is None:
        return _around(place, f"{function}(", f"{''.join(f', {argument}' for argument in arguments)})")
    lines = (f"{function}(", *(f"{inner}{argument}," for argument in (indented, *arguments)), f"{place.indent})")
    return (Edit(place.span, newline.join(lines), _REASON),)


def _around(place: NodePath, before: str, after: str) -> tuple[Edit, ...]:
    path, span = place.parsed.path, place.span
    return (
        Edit(Span(path, span.start, span.start), before, _REASON),
        Edit(Span(path, span.end, span.end), after, _REASON),
    )


def _indented(expression: str, unit: str) -> str | None:
    """An expression with all lines but the first indented by ``unit``; ``None`` if that would change a string in it."""
    if any(mark in expression for mark in ('"""', "'''", "\\\n", "\\\r")):
        return None
    first, *rest = expression.split("\n")
    moved = "\n".join((first, *(unit + line if line.strip() else line for line in rest)))
    try:
        same = ast.dump(ast.parse(f"({moved}\n)")) == ast.dump(ast.parse(f"({expression}\n)"))
    except (SyntaxError, ValueError, RecursionError):
        return None
    return moved if same else None
