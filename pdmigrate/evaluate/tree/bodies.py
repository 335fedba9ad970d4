"""Syntax trees in which the bodies of functions are parsed when somebody looks into them.

Most of a server's source is the work of its tools, which listing them never runs, and to parse it with libcst is most
of what reading a tree costs.  So a file is parsed with the bodies of its functions left out, and each body on its own
when it is run or walked over; until then it is known by its words.  Where bodies stand is what CPython's parser says; a
file that it cannot read is parsed as a whole.

It also says where statements stand, which is what is asked for most.  Where anything else stands is counted when it is
asked for: counting takes half as long as parsing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast, overload

import libcst as cst

from pdmigrate.errors import SourceError
from pdmigrate.evaluate.tree.hints import Hints, hints_of
from pdmigrate.model import Site, Span
from pdmigrate.positions import Offsets, place, printed
from pdmigrate.source import ParsedFile, SourceFile, not_reproduced, parse

SHORTEST = 160
"""Characters of a body that is worth parsing on its own."""

_WORD = re.compile(r"[0-9A-Za-z_\x80-\U0010ffff]+")
"""At least every identifier: characters outside of ASCII are taken for letters."""
_FUNCTION = "async def f():\n"
"""What a body is parsed in: everything that a function may hold may stand in an asynchronous one."""
_LINE_END = re.compile(r"[ \t]*;?[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|$)")


@dataclass(frozen=True)
class Region:
    """A stretch of text that is left out: the statements of a function after its docstring."""

    start: int
    end: int
    inner: tuple[Region, ...]


@dataclass(frozen=True)
class Piece:
    """What was parsed in one go, of which only the statements in ``stated`` were placed so far."""

    module: cst.Module
    text: str
    position: int
    """Where the text stands in its file."""
    bodies: tuple[Body, ...] = ()
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
            SourceError: libcst loses a part of what stands around it (PD102).
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
            for body in piece.bodies:
                body.leave_out()
            printed = place(piece.module, self.placed, piece.position)
        finally:
            for body in piece.bodies:
                body.put_in()
        if printed != piece.text:
            raise not_reproduced(self.source)


@dataclass(eq=False)
class Body(Sequence[cst.BaseStatement]):
    """The statements of a function, parsed at the first look at them.

    Raises:
        SourceError: libcst does not read what CPython reads (PD101), or loses a part of it (PD102).
    """

    file: DeferredFile
    region: Region
    block: cst.IndentedBlock
    around: Sequence[cst.BaseStatement]
    """What libcst made of the block: the docstring, if there is one, and the name in the place of the region."""
    seen: Callable[[Body], None] | None = None
    """Told when the statements were parsed."""
    parsed: tuple[cst.BaseStatement, ...] | None = field(default=None, init=False)

    @cached_property
    def head(self) -> tuple[cst.SimpleStatementLine, ...]:
        """The docstring, if there is one."""
        return tuple(line for line in self.around[:-1] if isinstance(line, cst.SimpleStatementLine))

    def put_in(self) -> None:
        """Have the block hold these statements."""
        object.__setattr__(self.block, "body", self)

    def leave_out(self) -> None:
        """Have the block hold what libcst made of it, to be printed."""
        object.__setattr__(self.block, "body", self.around)

    @cached_property
    def words(self) -> frozenset[str]:
        """At least the names in it."""
        return frozenset(_WORD.findall(self.file.source.text, self.region.start, self.region.end))

    @cached_property
    def hints(self) -> Hints | None:
        """What it may do to names; ``None`` where it may do anything to any."""
        return hints_of(_alone(self.file.source, self.region, ()))

    def may_bind(self, name: str) -> bool:
        return not name.isascii() or self.hints is None or name in self.hints.bound

    def may_change(self, name: str) -> bool:
        return not name.isascii() or self.hints is None or name in self.hints.changed

    @cached_property
    def docstring(self) -> str | None:
        """Of the function; wanted as often as its definition runs."""
        return _docstring(self.head)

    @property
    def text(self) -> str:
        return self.file.source.text[self.region.start : self.region.end]

    @property
    def statements(self) -> tuple[cst.BaseStatement, ...]:
        if self.parsed is None:
            self.parsed = (*self.head, *_parsed(self.file, self.region))
            if self.seen is not None:
                self.seen(self)
        return self.parsed

    def __len__(self) -> int:
        return len(self.statements)

    def __iter__(self) -> Iterator[cst.BaseStatement]:
        return iter(self.statements)

    @overload
    def __getitem__(self, index: int) -> cst.BaseStatement: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[cst.BaseStatement]: ...
    def __getitem__(self, index: int | slice) -> cst.BaseStatement | Sequence[cst.BaseStatement]:
        return self.statements[index]


def docstring(node: cst.Module | cst.FunctionDef | cst.ClassDef) -> str | None:
    """What ``node.get_docstring(clean=False)`` says, without a look at what comes after it."""
    body = node.body.body if isinstance(node, cst.FunctionDef) else None
    if isinstance(body, Body):
        return body.docstring
    return _docstring(node.body if isinstance(node, cst.Module) else node.body.body)


def _docstring(statements: Sequence[cst.CSTNode]) -> str | None:
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
    """Parse a file, the bodies of its functions later; ``tree`` is what CPython's parser made of it, if it could.

    Raises:
        SourceError: as ``source.parse`` does.
    """
    regions = tuple(_regions(source, tree.body)) if tree is not None and _is_plain(source.text) else ()
    file = _with_holes(source, tree, regions) if tree is not None and regions else None
    return file or parse(source)


def _is_plain(text: str) -> bool:
    """Whether line ends and offsets are what they seem."""
    return "\f" not in text and "\ufeff" not in text and "\r" not in text.replace("\r\n", "")


def _with_holes(source: SourceFile, tree: ast.Module, regions: tuple[Region, ...]) -> DeferredFile | None:
    """``None`` when libcst does not read, print or lay out the rest of the file as is expected."""
    text = _without(source.text, 0, len(source.text), regions)
    try:
        module = cst.parse_module(text)
        if _goes_on(source, tree.body[-1]) and not text.endswith(_end_of(module)):
            return None
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        return None
    stated = Offsets()
    _state(source, tree.body, module.body, stated)
    file = DeferredFile(source, module, stated, [])
    bodies = _deferred(file, module.body, regions)
    if bodies is None:
        return None
    file.unplaced.append(Piece(module, text, 0, bodies))
    return file


def _goes_on(source: SourceFile, last: ast.stmt) -> bool:
    """Whether more than the end of a line comes after the last statement: where libcst loses text, it does so there."""
    return bool(source.text[_offset(source, last.end_lineno, last.end_col_offset) :].removesuffix("\n").strip("\r"))


def _end_of(module: cst.Module) -> str:
    """How the last statement and what comes after it are printed."""
    return printed(module.with_changes(header=(), body=module.body[-1:]))


# --- where bodies stand -----------------------------------------------------------------------------------------------


def _regions(source: SourceFile, statements: Sequence[ast.AST]) -> Iterator[Region]:
    """The bodies of the outermost functions in ``statements``, in the order of the source."""
    for statement in statements:
        region = _region(source, statement) if isinstance(statement, _FUNCTIONS) else None
        if region is not None:
            yield region
        else:
            for name in ("body", "handlers", "orelse", "finalbody", "cases"):
                inner = getattr(statement, name, None)
                yield from _regions(source, inner) if isinstance(inner, list) else ()


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _region(source: SourceFile, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Region | None:
    """``None`` for a body that is short, or that does not have its lines for itself."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    if not body or getattr(body[0], "decorator_list", None):
        # libcst takes a block that starts with something decorated to start after the decorators.
        return None
    start, end = (
        _offset(source, body[0].lineno, body[0].col_offset),
        _offset(source, body[-1].end_lineno, body[-1].end_col_offset),
    )
    if end - start < SHORTEST:
        return None
    if source.text[source.line_start(start) : start].strip(" \t") or not _LINE_END.match(source.text, end):
        return None
    return Region(start, end, tuple(_regions(source, body)))


def _offset(source: SourceFile, line: int | None, column: int | None) -> int:
    """CPython counts columns in bytes of UTF-8."""
    start = source.line_starts[(line or 1) - 1]
    before = source.text[start : start + (column or 0)]
    if before.isascii():
        return start + len(before)
    return start + len(before.encode()[: column or 0].decode())


def _state(source: SourceFile, statements: Sequence[ast.stmt], nodes: Sequence[cst.CSTNode], stated: Offsets) -> None:
    """Note where statements stand, those of classes included."""
    found = [item for node in nodes for item in (node.body if type(node) is cst.SimpleStatementLine else (node,))]
    if len(found) != len(statements):
        return  # somebody will ask libcst
    for statement, node in zip(statements, found, strict=True):
        if type(node) is not _STATED.get(type(statement)):
            continue
        start = _offset(source, statement.lineno, statement.col_offset)
        end = _offset(source, statement.end_lineno, statement.end_col_offset)
        if source.text[end - 1] != ";":  # of which libcst takes less into a function
            stated.put(node, start, end)
        if type(statement) is ast.ClassDef and type(node) is cst.ClassDef:
            _state(source, statement.body, node.body.body, stated)


_STATED: dict[type[ast.AST], type[cst.CSTNode]] = {
    ast.FunctionDef: cst.FunctionDef,
    ast.AsyncFunctionDef: cst.FunctionDef,
    ast.ClassDef: cst.ClassDef,
    ast.Assign: cst.Assign,
    ast.AnnAssign: cst.AnnAssign,
    ast.Expr: cst.Expr,
}
"""What both parsers take to stand at the same place."""


# --- holes, and what is in them ---------------------------------------------------------------------------------------


def _without(text: str, start: int, end: int, regions: tuple[Region, ...]) -> str:
    """The text between two offsets, with a name as long as it was in the place of each region."""
    pieces: list[str] = []
    position = start
    for region in regions:
        pieces += (text[position : region.start], _hole(region))
        position = region.end
    return "".join((*pieces, text[position:end]))


def _hole(region: Region) -> str:
    """The name that stands in the place of a region; one for each of them."""
    return f"_{region.start}".ljust(region.end - region.start, "_")


def _deferred(
    file: DeferredFile, statements: Sequence[cst.CSTNode], regions: tuple[Region, ...]
) -> tuple[Body, ...] | None:
    """Put a ``Body`` in the place of each region; ``None`` if not all of them were found."""
    wanted = {_hole(region): region for region in regions}
    found: list[Body] = []
    stack = list(statements)
    while stack:
        node = stack.pop()
        # By its type: ``isinstance`` is slow for nodes, and most are something else.
        body = _body(file, node, wanted) if type(node) is cst.FunctionDef else None
        if body is not None:
            body.put_in()
            found.append(body)
            continue
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, name, None)
            stack += inner if isinstance(inner, (list, tuple)) else [] if inner is None else [inner]
    return tuple(found) if not wanted else None


def _body(file: DeferredFile, function: cst.FunctionDef, wanted: dict[str, Region]) -> Body | None:
    block = function.body
    last = block.body[-1] if isinstance(block, cst.IndentedBlock) and block.body else None
    if not isinstance(block, cst.IndentedBlock) or not isinstance(last, cst.SimpleStatementLine):
        return None
    statement = last.body[0]
    name = statement.value if isinstance(statement, cst.Expr) else None
    region = wanted.pop(name.value, None) if isinstance(name, cst.Name) else None
    return Body(file, region, block, block.body) if region is not None else None


def _parsed(file: DeferredFile, region: Region) -> Sequence[cst.BaseStatement]:
    """The statements of a region.

    Raises:
        SourceError: libcst does not read what CPython reads (PD101), or loses a part of it (PD102).
    """
    inside = region.inner
    while True:
        text = _alone(file.source, region, inside)
        module, statements = _function(file.source, text, region)
        bodies = _deferred(file, statements, inside)
        if bodies is not None:
            file.unplaced.append(Piece(module, text, _position(file.source, region), bodies))
            return statements
        inside = ()


def _alone(source: SourceFile, region: Region, holes: tuple[Region, ...]) -> str:
    """A body as the only thing of a module, its indentation kept."""
    indentation = source.text[source.line_start(region.start) : region.start]
    return f"{_FUNCTION}{indentation}{_without(source.text, region.start, region.end, holes)}\n"


def _position(source: SourceFile, region: Region) -> int:
    """Where such a module would start in the file."""
    return source.line_start(region.start) - len(_FUNCTION)


def _function(source: SourceFile, text: str, region: Region) -> tuple[cst.Module, Sequence[cst.BaseStatement]]:
    """``text`` as a module, and the statements of the function that it is."""
    try:
        module = cst.parse_module(text)
    except cst.ParserSyntaxError as error:
        line = source.line_of(region.start) + max(error.raw_line - 2, 0)
        message = f"{source.path} is not valid Python: {error.message}"
        raise SourceError(message, hint="fix the syntax, or exclude the file", code="PD101", line=line) from error
    function = module.body[0]
    if not isinstance(function, cst.FunctionDef):
        raise not_reproduced(source)
    return module, cast("Sequence[cst.BaseStatement]", function.body.body)
