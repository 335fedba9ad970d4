"""Syntax trees in which the bodies of functions, and many parameter lists, are parsed on first use.

Most of a server's source is the bodies of its tools, which listing the tools never runs, and parsing them with libcst
is most of the cost of reading a tree.  So a file is parsed without them, and each part on its own when it is run or
walked over; until then only its words are known.  A file that CPython's parser cannot read is parsed as a whole.

Positions of nodes other than statements are computed on demand: that takes two fifths of the time of parsing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypeVar, cast

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.model import Site, Span
from pdmigrate.tree.code.hints import Hints, hints_of
from pdmigrate.tree.code.later import Later
from pdmigrate.tree.code.regions import (
    BodyRegion,
    ParametersRegion,
    Region,
    offset,
    place_statements,
    regions,
    without,
)
from pdmigrate.tree.positions import Offsets, place, printed
from pdmigrate.tree.source import ParsedFile, SourceFile, not_reproduced, parse, too_deep

_WORD = re.compile(r"[0-9A-Za-z_\x80-\U0010ffff]+")
"""Matches every identifier, and more: all characters outside of ASCII count as letters."""
_FUNCTION = "async def f():\n"
"""The header under which a body is parsed: in an asynchronous function, all that any body may contain is valid."""
_BEFORE, _AFTER = "def f(", "): pass\n"
"""The text around parameters when they are parsed."""

Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(frozen=True)
class Piece:
    """A text that was parsed in one go, and whose nodes have no positions yet."""

    module: cst.Module
    text: str
    position: int
    """The offset of the text in its file."""
    deferred: tuple[Deferred[Any], ...] = ()
    """The parts that were left out of the text."""


@dataclass
class DeferredFile:
    """A source file with its libcst tree, parts of which are parsed later, and the spans of the parsed nodes."""

    source: SourceFile
    module: cst.Module
    stated: Offsets
    """The offsets of statements, from CPython's parser."""
    unplaced: list[Piece]
    placed: Offsets = field(default_factory=Offsets)

    def span(self, node: cst.CSTNode) -> Span:
        """The span of a node, without the white space and comments around it.

        Raises:
            KeyError: the node does not belong to this file.
            SourceError: libcst loses text around the node (PD102), or the text is nested too deeply (PD106).
        """
        start, end = self._offsets(node)
        return Span(self.source.path, start, end)

    def site(self, node: cst.CSTNode) -> Site:
        return self.source.site(self._offsets(node)[0])

    def code(self, node: cst.CSTNode) -> str:
        start, end = self._offsets(node)
        return self.source.text[start:end]

    def _offsets(self, node: cst.CSTNode) -> tuple[int, int]:
        if node in self.stated:
            return self.stated[node]
        # The newest piece first: what was parsed last is most likely being run.
        while node not in self.placed and self.unplaced:
            self._place(self.unplaced.pop())
        return self.placed[node]

    def _place(self, piece: Piece) -> None:
        try:
            for later in piece.deferred:
                later.leave_out()
            text = place(piece.module, self.placed, piece.position)
        except RecursionError as error:
            raise too_deep(self.source) from error
        finally:
            for later in piece.deferred:
                later.put_in()
        if text != piece.text:
            raise not_reproduced(self.source)


@dataclass(eq=False)
class Deferred(Later[Node]):
    """The nodes of a region, parsed on first use.

    Raises:
        SourceError: libcst cannot parse what CPython can (PD101).
    """

    file: DeferredFile
    region: Region
    holder: cst.CSTNode
    around: Sequence[cst.CSTNode]
    """The holder's content as libcst parsed it, with a placeholder name in the place of the region."""
    seen: Callable[[Deferred[Any]], None] | None = None
    """Called once the region was parsed."""
    parsed: tuple[Node, ...] | None = field(default=None, init=False)

    IN: ClassVar[str]
    """The field of the holder that this sequence takes."""

    def put_in(self) -> None:
        """Put this sequence into the holder."""
        object.__setattr__(self.holder, self.IN, self)

    def leave_out(self) -> None:
        """Put the placeholder that libcst parsed back into the holder, to be printed."""
        object.__setattr__(self.holder, self.IN, self.around)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the region's code, among them every name in it."""
        return frozenset(_WORD.findall(self.file.source.text, self._code, self.region.end))

    @property
    def _code(self) -> int:
        return self.region.start

    def may_bind(self, name: str) -> bool:
        return name in self.words

    def may_change(self, name: str) -> bool:
        return name in self.words

    @property
    def items(self) -> tuple[Node, ...]:
        if self.parsed is None:
            self.parsed = self._parsed()
            if self.seen is not None:
                self.seen(self)
        return self.parsed

    def _parsed(self) -> tuple[Node, ...]:
        raise NotImplementedError


@dataclass(eq=False)
class Body(Deferred[cst.BaseStatement]):
    """The statements of a function."""

    region: BodyRegion
    IN = "body"

    @property
    def docstring(self) -> str | None:
        """The docstring of the function."""
        return self.region.docstring

    @property
    def _code(self) -> int:
        return self.region.code

    @cached_property
    def hints(self) -> Hints | None:
        """What the body may do to names; ``None`` if it may do anything to any name."""
        return hints_of(_alone(self.file.source, self.region, ()))

    def may_bind(self, name: str) -> bool:
        return not name.isascii() or self.hints is None or name in self.hints.bound

    def may_change(self, name: str) -> bool:
        return not name.isascii() or self.hints is None or name in self.hints.changed

    def _parsed(self) -> tuple[cst.BaseStatement, ...]:
        source, region, inside = self.file.source, self.region, self.region.inner
        while True:
            text = _alone(source, region, inside)
            module, function = _parsed_alone(source, region, text)
            statements = cast("Sequence[cst.BaseStatement]", function.body.body)
            deferred = _deferred(self.file, statements, inside)
            if deferred is not None:
                position = source.line_start(region.start) - len(_FUNCTION)
                self.file.unplaced.append(Piece(module, text, position, deferred))
                return tuple(statements)
            inside = ()


def _alone(source: SourceFile, region: BodyRegion, holes: tuple[Region, ...]) -> str:
    """The text of a module of one function with this body, ``holes`` left out and the indentation kept."""
    indentation = source.text[source.line_start(region.start) : region.start]
    return f"{_FUNCTION}{indentation}{without(source.text, region.start, region.end, holes)}\n"


@dataclass(eq=False)
class Parameters(Deferred[cst.Param]):
    """The parameters of a plain function."""

    region: ParametersRegion
    IN = "params"

    def _parsed(self) -> tuple[cst.Param, ...]:
        source, region = self.file.source, self.region
        text = f"{_BEFORE}{source.text[region.start : region.end]}{_AFTER}"
        module, function = _parsed_alone(source, region, text)
        self.file.unplaced.append(Piece(module, text, region.start - len(_BEFORE)))
        return tuple(function.params.params)


def _parsed_alone(source: SourceFile, region: Region, text: str) -> tuple[cst.Module, cst.FunctionDef]:
    """The module parsed from ``text``, which is the definition of a function, and that function."""
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        line = source.line_of(region.start) + max(error.raw_line - 2, 0)
        message = f"{source.path} is not valid Python: {error.message}"
        raise SourceError(message, hint="fix the syntax, or exclude the file", code="PD101", line=line) from error
    function = module.body[0]
    if not isinstance(function, cst.FunctionDef):
        raise not_reproduced(source)
    return module, function


def docstring(node: cst.Module | cst.FunctionDef | cst.ClassDef) -> str | None:
    """``node.get_docstring(clean=False)``, without parsing the statements after the docstring."""
    statements: Sequence[cst.CSTNode] = node.body if isinstance(node, cst.Module) else node.body.body
    if type(statements) is Body:
        return statements.docstring
    first = statements[0] if statements else None
    return mere_text(first.body[0] if type(first) is cst.SimpleStatementLine else first)


def mere_text(statement: cst.CSTNode | None) -> str | None:
    """The text of a statement that is nothing but a string literal; ``None`` for any other statement.

    Types are compared, since this is called for every definition that runs: libcst's own method checks instances of
    abstract base classes, which is slow.
    """
    node = statement.value if type(statement) is cst.Expr else None
    if type(node) is cst.SimpleString:
        value: str | bytes | None = text_of(node)
    else:
        value = node.evaluated_value if type(node) is cst.ConcatenatedString else None
    return value if isinstance(value, str) else None


def text_of(node: cst.SimpleString) -> str | bytes:
    """The value of a string literal; for most, which have no prefix and no backslash, the text between the quotes."""
    written = node.value
    quotes = 3 if written.startswith(_LONG) else 1
    if written[0] in "\"'" and "\\" not in written and "\r" not in written:
        return written[quotes:-quotes]
    return node.evaluated_value


_LONG = ('"""', "'''")


def may_hold(function: cst.FunctionDef, word: str) -> bool:
    """Whether a keyword or a name may occur in the body of a function."""
    body = function.body.body
    return not isinstance(body, Body) or body.parsed is not None or word in body.words


def parse_deferred(source: SourceFile, tree: ast.Module | None) -> ParsedFile | DeferredFile:
    """Parse a file, with parts of its functions deferred; ``tree`` is CPython's syntax tree of it, if there is one.

    Raises:
        SourceError: as for ``source.parse``.
    """
    later = tuple(regions(source, tree.body)) if tree is not None and _is_plain(source.text) else ()
    file = _with_holes(source, tree, later) if tree is not None and later else None
    return file or parse(source)


def _is_plain(text: str) -> bool:
    """Whether a text has no form feed, byte order mark or lone CR, which would shift line numbers or offsets."""
    return "\f" not in text and "\ufeff" not in text and "\r" not in text.replace("\r\n", "")


def _with_holes(source: SourceFile, tree: ast.Module, later: tuple[Region, ...]) -> DeferredFile | None:
    """The file parsed without the regions in ``later``; ``None`` if libcst does not parse or print it as expected."""
    text = without(source.text, 0, len(source.text), later)
    try:
        module = cst.parse_module(text)
        if _goes_on(source, tree.body[-1]) and not text.endswith(_end_of(module)):
            return None
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        return None
    stated = Offsets()
    place_statements(source, tree.body, module.body, stated)
    file = DeferredFile(source, module, stated, [])
    deferred = _deferred(file, module.body, later)
    if deferred is None:
        return None
    file.unplaced.append(Piece(module, text, 0, deferred))
    return file


def _goes_on(source: SourceFile, last: ast.stmt) -> bool:
    """Whether more than the end of a line follows the last statement: only there does libcst lose text."""
    return bool(source.text[offset(source, last.end_lineno, last.end_col_offset) :].removesuffix("\n").strip("\r"))


def _end_of(module: cst.Module) -> str:
    """The last statement and the text after it, as libcst prints them."""
    return printed(module.with_changes(header=(), body=module.body[-1:]))


def _deferred(
    file: DeferredFile, statements: Sequence[cst.CSTNode], later: Sequence[Region]
) -> tuple[Deferred[Any], ...] | None:
    """Put a ``Deferred`` in the place of each region's placeholder; ``None`` if not all placeholders were found."""
    wanted = {region.hole: region for region in later}
    found: list[Deferred[Any]] = []
    stack = list(statements)
    while stack:
        node = stack.pop()
        # Compared by type: ``isinstance`` is slow for nodes, and most nodes are no functions.
        if type(node) is cst.FunctionDef:
            here: list[Deferred[Any]] = [*_parameters(file, node, wanted), *_body(file, node, wanted)]
            found += here
            if any(isinstance(item, Body) for item in here):
                continue
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, name, None)
            stack += inner if isinstance(inner, (list, tuple)) else [] if inner is None else [inner]
    for item in found:
        item.put_in()
    return tuple(found) if len(found) == len(later) else None


def _parameters(file: DeferredFile, function: cst.FunctionDef, wanted: dict[str, Region]) -> Iterator[Parameters]:
    holder = function.params
    region = wanted.pop(holder.params[0].name.value, None) if len(holder.params) == 1 else None
    if isinstance(region, ParametersRegion):
        yield Parameters(file, region, holder, holder.params)


def _body(file: DeferredFile, function: cst.FunctionDef, wanted: dict[str, Region]) -> Iterator[Body]:
    match function.body:
        case (
            cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[cst.Expr(value=cst.Name(value=hole)), *_])]) as block
        ):
            region = wanted.pop(hole, None)
            if isinstance(region, BodyRegion):
                yield Body(file, region, block, block.body)
