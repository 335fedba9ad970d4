"""Syntax trees in which the bodies of functions, and many of their parameters, are parsed when somebody looks.

Most of a server's source is the work of its tools, which listing them never runs, and to parse it with libcst is most
of what reading a tree costs.  So a file is parsed without it, and each part on its own when it is run or walked over;
until then it is known by its words.  A file that CPython's parser cannot read is parsed as a whole.

Where anything but a statement stands is counted when it is asked for: counting takes two fifths of the time of parsing.
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
from pdmigrate.evaluate.core.later import Later
from pdmigrate.evaluate.tree.hints import Hints, hints_of
from pdmigrate.evaluate.tree.regions import (
    BodyRegion,
    ParametersRegion,
    Region,
    offset,
    place_statements,
    regions,
    without,
)
from pdmigrate.model import Site, Span
from pdmigrate.tree.positions import Offsets, place, printed
from pdmigrate.tree.source import ParsedFile, SourceFile, not_reproduced, parse, too_deep

_WORD = re.compile(r"[0-9A-Za-z_\x80-\U0010ffff]+")
"""At least every identifier: characters outside of ASCII are taken for letters."""
_FUNCTION = "async def f():\n"
"""What a body is parsed in: everything that a function may hold may stand in an asynchronous one."""
_BEFORE, _AFTER = "def f(", "): pass\n"
"""What parameters are parsed in."""

Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(frozen=True)
class Piece:
    """What was parsed in one go, and not placed so far."""

    module: cst.Module
    text: str
    position: int
    """Where the text stands in its file."""
    deferred: tuple[Deferred[Any], ...] = ()
    """What was left out of it."""


@dataclass
class DeferredFile:
    """A source file with its libcst tree and the spans of the nodes that were parsed."""

    source: SourceFile
    module: cst.Module
    stated: Offsets
    """Where CPython's parser says that statements stand."""
    unplaced: list[Piece]
    placed: Offsets = field(default_factory=Offsets)

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands, without the white space and comments around it.

        Raises:
            KeyError: the node is not of this file.
            SourceError: libcst loses a part of what stands around it (PD102), or it is nested too deeply (PD106).
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
        # The newest first: what was parsed last is what runs now.
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
    """What stands in a region, parsed at the first look at it.

    Raises:
        SourceError: libcst does not read what CPython reads (PD101).
    """

    file: DeferredFile
    region: Region
    holder: cst.CSTNode
    around: Sequence[cst.CSTNode]
    """What libcst made of the holder: something with the name that stands in the place of the region."""
    seen: Callable[[Deferred[Any]], None] | None = None
    """Told when it was parsed."""
    parsed: tuple[Node, ...] | None = field(default=None, init=False)

    IN: ClassVar[str]
    """The field of the holder."""

    def put_in(self) -> None:
        """Have the holder hold this."""
        object.__setattr__(self.holder, self.IN, self)

    def leave_out(self) -> None:
        """Have the holder hold what libcst made of it, to be printed."""
        object.__setattr__(self.holder, self.IN, self.around)

    @cached_property
    def words(self) -> frozenset[str]:
        """At least the names in it."""
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
        """Of the function."""
        return self.region.docstring

    @property
    def _code(self) -> int:
        return self.region.code

    @cached_property
    def hints(self) -> Hints | None:
        """What it may do to names; ``None`` where it may do anything to any."""
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
    """A body as the only thing of a module, its indentation kept."""
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
    """``text`` as a module, and the function that it is."""
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
    """What ``node.get_docstring(clean=False)`` says, without a look at what comes after it."""
    statements: Sequence[cst.CSTNode] = node.body if isinstance(node, cst.Module) else node.body.body
    if type(statements) is Body:
        return statements.docstring
    first = statements[0] if statements else None
    return mere_text(first.body[0] if type(first) is cst.SimpleStatementLine else first)


def mere_text(statement: cst.CSTNode | None) -> str | None:
    """What a statement says that is nothing but a text.

    Asked of every definition that runs, by types: libcst's own answer asks abstract base classes.
    """
    node = statement.value if type(statement) is cst.Expr else None
    if type(node) is cst.SimpleString:
        value: str | bytes | None = text_of(node)
    else:
        value = node.evaluated_value if type(node) is cst.ConcatenatedString else None
    return value if isinstance(value, str) else None


def text_of(node: cst.SimpleString) -> str | bytes:
    """What a literal evaluates to; most have neither a prefix nor a backslash, and are what stands in the quotes."""
    written = node.value
    quotes = 3 if written.startswith(_LONG) else 1
    if written[0] in "\"'" and "\\" not in written and "\r" not in written:
        return written[quotes:-quotes]
    return node.evaluated_value


_LONG = ('"""', "'''")


def may_hold(function: cst.FunctionDef, word: str) -> bool:
    """Whether a keyword or a name may stand in the body of a function."""
    body = function.body.body
    return not isinstance(body, Body) or body.parsed is not None or word in body.words


def parse_deferred(source: SourceFile, tree: ast.Module | None) -> ParsedFile | DeferredFile:
    """Parse a file, parts of its functions later; ``tree`` is what CPython's parser made of it, if it could.

    Raises:
        SourceError: as ``source.parse`` does.
    """
    later = tuple(regions(source, tree.body)) if tree is not None and _is_plain(source.text) else ()
    file = _with_holes(source, tree, later) if tree is not None and later else None
    return file or parse(source)


def _is_plain(text: str) -> bool:
    """Whether line ends and offsets are what they seem."""
    return "\f" not in text and "\ufeff" not in text and "\r" not in text.replace("\r\n", "")


def _with_holes(source: SourceFile, tree: ast.Module, later: tuple[Region, ...]) -> DeferredFile | None:
    """``None`` when libcst does not read, print or lay out the rest of the file as is expected."""
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
    """Whether more than the end of a line comes after the last statement: where libcst loses text, it does so there."""
    return bool(source.text[offset(source, last.end_lineno, last.end_col_offset) :].removesuffix("\n").strip("\r"))


def _end_of(module: cst.Module) -> str:
    """How the last statement and what comes after it are printed."""
    return printed(module.with_changes(header=(), body=module.body[-1:]))


def _deferred(
    file: DeferredFile, statements: Sequence[cst.CSTNode], later: Sequence[Region]
) -> tuple[Deferred[Any], ...] | None:
    """Put what is parsed later in the place of each region; ``None`` if not all of them were found."""
    wanted = {region.hole: region for region in later}
    found: list[Deferred[Any]] = []
    stack = list(statements)
    while stack:
        node = stack.pop()
        # By its type: ``isinstance`` is slow for nodes, and most are something else.
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
    block = function.body
    line = block.body[0] if isinstance(block, cst.IndentedBlock) and len(block.body) == 1 else None
    statement = line.body[0] if isinstance(line, cst.SimpleStatementLine) else None
    name = statement.value if isinstance(statement, cst.Expr) else None
    region = wanted.pop(name.value, None) if isinstance(name, cst.Name) else None
    if isinstance(region, BodyRegion):
        yield Body(file, region, block, block.body)
