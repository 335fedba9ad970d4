"""The regions of a file that may be parsed later: the bodies of functions, and the parameters of plain functions.

CPython's parser locates them, and also the statements, whose positions are asked for most.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from pdmigrate.tree.positions import Offsets
from pdmigrate.tree.source import SourceFile

SHORTEST = 100
"""The fewest characters of a body that is worth parsing on its own."""
SHORTEST_PARAMETERS = 30

_LINE_END = re.compile(r"[ \t]*(?:;[ \t]*)?(?:#[^\r\n]*)?(?=[\r\n]|$)")
_WRITTEN_PLAINLY = re.compile(r"[:=][ \t]*\Z")


@dataclass(frozen=True)
class Region:
    """A stretch of text that is left out when the file is parsed."""

    start: int
    end: int

    @property
    def hole(self) -> str:
        """The placeholder in the place of the region: a name of the same length, unique to the region.

        It fits, since the shortest region (``SHORTEST_PARAMETERS``) is longer than the digits of the largest offset.
        """
        return f"_{self.start}".ljust(self.end - self.start, "_")


@dataclass(frozen=True)
class BodyRegion(Region):
    """The statements of a function."""

    docstring: str | None
    code: int
    """Where the statements after the docstring start."""
    inner: tuple[Region, ...]


@dataclass(frozen=True)
class ParametersRegion(Region):
    """The parameters of a function without decorators: no ``*`` or ``/`` among them, and constants for defaults."""


def without(text: str, start: int, end: int, regions: Sequence[Region]) -> str:
    """The text between two offsets, with each region replaced by its placeholder of the same length."""
    pieces: list[str] = []
    position = start
    for region in regions:
        pieces += (text[position : region.start], region.hole)
        position = region.end
    return "".join((*pieces, text[position:end]))


def offset(source: SourceFile, line: int | None, column: int | None) -> int:
    """The offset of a line and column of CPython, which counts columns in bytes of UTF-8."""
    start = source.line_starts[(line or 1) - 1]
    before = source.text[start : start + (column or 0)]
    if before.isascii():
        return start + len(before)
    return start + len(before.encode()[: column or 0].decode())


def regions(source: SourceFile, statements: Sequence[ast.AST]) -> Iterator[Region]:
    """The regions that may be left out of ``statements``, in source order; those inside a body are its ``inner``."""
    for statement in statements:
        if isinstance(statement, _FUNCTIONS):
            parameters = _parameters(source, statement)
            if parameters is not None:
                yield parameters
            body = _body(source, statement)
            if body is not None:
                yield body
                continue
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(statement, name, None)
            yield from regions(source, inner) if isinstance(inner, list) else ()


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _body(source: SourceFile, function: ast.FunctionDef | ast.AsyncFunctionDef) -> BodyRegion | None:
    """The region of a function's body; ``None`` if the body is short, or shares a line with other code."""
    first, last = function.body[0], function.body[-1]
    if getattr(first, "decorator_list", None):
        # For libcst, a block whose first statement is decorated starts after the decorators.
        return None
    start = offset(source, first.lineno, first.col_offset)
    end = offset(source, last.end_lineno, last.end_col_offset)
    if end - start < SHORTEST:
        return None
    if source.text[source.line_start(start) : start].strip(" \t") or not _LINE_END.match(source.text, end):
        return None
    if source.text[end - 1] == ";":
        return None  # libcst and CPython disagree on whether a last ``;`` belongs to a statement with a block
    docstring = ast.get_docstring(function, clean=False)
    code = start if docstring is None else offset(source, first.end_lineno, first.end_col_offset)
    return BodyRegion(start, end, docstring, code, tuple(regions(source, function.body)))


def _parameters(source: SourceFile, function: ast.FunctionDef | ast.AsyncFunctionDef) -> ParametersRegion | None:
    """The region of a function's parameters; ``None`` if they are short, or must be evaluated with the definition."""
    given = function.args
    if function.decorator_list or not given.args:
        return None
    if given.posonlyargs or given.vararg or given.kwonlyargs or given.kwarg or not all(map(_is_plain, given.defaults)):
        return None
    first, last = given.args[0], given.defaults[-1] if given.defaults else given.args[-1].annotation or given.args[-1]
    start = offset(source, first.lineno, first.col_offset)
    end = offset(source, last.end_lineno, last.end_col_offset)
    if end - start < SHORTEST_PARAMETERS:
        return None
    if last is not given.args[-1]:
        before = source.text[start : offset(source, last.lineno, last.col_offset)]
        if not _WRITTEN_PLAINLY.search(before):
            return None  # in parentheses, which CPython's tree does not show
    return ParametersRegion(start, end)


def _is_plain(default: ast.expr) -> bool:
    """Whether a default is a constant: it may be evaluated at any time, without side effects."""
    match default:
        case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
    return False


# --- where statements stand -------------------------------------------------------------------------------------------


def place_statements(
    source: SourceFile, statements: Sequence[ast.stmt], nodes: Sequence[cst.CSTNode], stated: Offsets
) -> None:
    """Put the offsets of statements into ``stated``, those of statements in classes included."""
    found = [item for node in nodes for item in (node.body if type(node) is cst.SimpleStatementLine else (node,))]
    if len(found) != len(statements):
        return  # libcst is asked for their positions instead
    for statement, node in zip(statements, found, strict=True):
        if type(node) is not _STATED.get(type(statement)):
            continue
        start = offset(source, statement.lineno, statement.col_offset)
        end = offset(source, statement.end_lineno, statement.end_col_offset)
        if source.text[end - 1] != ";":  # on which libcst and CPython disagree, as in ``_body``
            stated.put(node, start, end)
        if type(statement) is ast.ClassDef and type(node) is cst.ClassDef:
            place_statements(source, statement.body, node.body.body, stated)


_STATED: dict[type[ast.AST], type[cst.CSTNode]] = {
    ast.FunctionDef: cst.FunctionDef,
    ast.AsyncFunctionDef: cst.FunctionDef,
    ast.ClassDef: cst.ClassDef,
    ast.Assign: cst.Assign,
    ast.AnnAssign: cst.AnnAssign,
    ast.Expr: cst.Expr,
}
"""Statements that have the same position for both parsers, by their types in CPython and libcst."""
