"""Syntax trees in which the bodies of functions are parsed when somebody looks into them.

Most of a server's source is the work of its tools, which listing them never runs, and to parse it with libcst is most
of what reading a tree costs.  So a file is parsed with the bodies of its functions left out, and each body on its own
when it is run or walked over; until then it is known by its words.  Where bodies stand is what CPython's parser says; a
file that it cannot read is parsed as a whole.
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
from pdmigrate.positions import Offsets, place
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


@dataclass
class DeferredFile:
    """A source file with its libcst tree and the spans of the nodes that were parsed."""

    source: SourceFile
    module: cst.Module
    offsets: Offsets

    def span(self, node: cst.CSTNode) -> Span:
        """Where a node stands, without the white space and comments around it.

        Raises:
            KeyError: the node is not of this file.
        """
        start, end = self.offsets[node]
        return Span(self.source.path, start, end)

    def site(self, node: cst.CSTNode) -> Site:
        return self.source.site(self.offsets[node][0])

    def code(self, node: cst.CSTNode) -> str:
        start, end = self.offsets[node]
        return self.source.text[start:end]


@dataclass(eq=False)
class Body(Sequence[cst.BaseStatement]):
    """The statements of a function, parsed at the first look at them.

    Raises:
        SourceError: libcst does not read what CPython reads (PD101), or loses a part of it (PD102).
    """

    file: DeferredFile
    region: Region
    head: tuple[cst.SimpleStatementLine, ...]
    """The docstring, if there is one."""
    block: cst.IndentedBlock
    seen: Callable[[Body], None] | None = None
    """Told when the statements were parsed."""
    parsed: tuple[cst.BaseStatement, ...] | None = field(default=None, init=False)

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
        return cst.Module(body=self.head).get_docstring(clean=False)

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
    return node.get_docstring(clean=False) if _starts_with_text(node) else None


def _starts_with_text(node: cst.Module | cst.FunctionDef | cst.ClassDef) -> bool:
    """Asked of every definition that runs, by types: libcst's own answer asks abstract base classes."""
    first: cst.CSTNode = node
    while type(first) in _HOLDING:
        inner = getattr(first, "body", ())
        if isinstance(inner, cst.CSTNode):
            first = inner
        elif inner:
            first = inner[0]
        else:
            return False
    return type(first) is cst.Expr and type(first.value) in _TEXTS


_HOLDING = frozenset(
    {cst.Module, cst.FunctionDef, cst.ClassDef, cst.IndentedBlock, cst.SimpleStatementSuite, cst.SimpleStatementLine}
)
_TEXTS = frozenset({cst.SimpleString, cst.ConcatenatedString})


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
    file = _with_holes(source, regions) if regions else None
    return file or parse(source)


def _is_plain(text: str) -> bool:
    """Whether line ends and offsets are what they seem."""
    return "\f" not in text and "\ufeff" not in text and "\r" not in text.replace("\r\n", "")


def _with_holes(source: SourceFile, regions: tuple[Region, ...]) -> DeferredFile | None:
    """``None`` when libcst does not read, print or lay out the rest of the file as is expected."""
    text = _without(source.text, 0, len(source.text), regions)
    offsets = Offsets()
    try:
        module = cst.parse_module(text)
        printed = place(module, offsets)
    except (cst.ParserSyntaxError, RecursionError, ValueError):
        return None
    file = DeferredFile(source, module, offsets)
    return file if printed == text and _defer(file, module.body, regions) else None


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


# --- holes, and what is in them ---------------------------------------------------------------------------------------


def _without(text: str, start: int, end: int, regions: tuple[Region, ...]) -> str:
    """The text between two offsets, with a name as long as it was in the place of each region."""
    pieces: list[str] = []
    position = start
    for region in regions:
        pieces += (text[position : region.start], "_" * (region.end - region.start))
        position = region.end
    return "".join((*pieces, text[position:end]))


def _defer(file: DeferredFile, statements: Sequence[cst.CSTNode], regions: tuple[Region, ...]) -> bool:
    """Put a ``Body`` in the place of each region; whether all of them were found."""
    wanted = {region.start: region for region in regions}
    stack = list(statements)
    while stack:
        node = stack.pop()
        # By its type: ``isinstance`` is slow for nodes, and most are something else.
        body = _body(file, node, wanted) if type(node) is cst.FunctionDef else None
        if body is not None:
            object.__setattr__(body.block, "body", body)
            continue
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            inner = getattr(node, name, None)
            stack += inner if isinstance(inner, (list, tuple)) else [] if inner is None else [inner]
    return not wanted


def _body(file: DeferredFile, function: cst.FunctionDef, wanted: dict[int, Region]) -> Body | None:
    block = function.body
    last = block.body[-1] if isinstance(block, cst.IndentedBlock) and block.body else None
    if not isinstance(block, cst.IndentedBlock) or not isinstance(last, cst.SimpleStatementLine):
        return None
    region = wanted.pop(file.offsets[last.body[0]][0], None)
    if region is None:
        return None
    head = tuple(line for line in block.body[:-1] if isinstance(line, cst.SimpleStatementLine))
    return Body(file, region, head, block)


def _parsed(file: DeferredFile, region: Region) -> Sequence[cst.BaseStatement]:
    """The statements of a region.

    Raises:
        SourceError: libcst does not read what CPython reads (PD101), or loses a part of it (PD102).
    """
    inside = region.inner
    while True:
        text = _alone(file.source, region, inside)
        function = _function(file, text, region, _position(file.source, region))
        statements = cast("Sequence[cst.BaseStatement]", function.body.body)
        if _defer(file, statements, inside):
            return statements
        inside = ()


def _alone(source: SourceFile, region: Region, holes: tuple[Region, ...]) -> str:
    """A body as the only thing of a module, its indentation kept."""
    indentation = source.text[source.line_start(region.start) : region.start]
    return f"{_FUNCTION}{indentation}{_without(source.text, region.start, region.end, holes)}\n"


def _position(source: SourceFile, region: Region) -> int:
    """Where such a module would start in the file."""
    return source.line_start(region.start) - len(_FUNCTION)


def _function(file: DeferredFile, text: str, region: Region, position: int) -> cst.FunctionDef:
    """The function that ``text`` is, which stands at ``position`` of the file as it were."""
    source = file.source
    try:
        module = cst.parse_module(text)
        printed = place(module, file.offsets, position)
    except cst.ParserSyntaxError as error:
        line = source.line_of(region.start) + max(error.raw_line - 2, 0)
        message = f"{source.path} is not valid Python: {error.message}"
        raise SourceError(message, hint="fix the syntax, or exclude the file", code="PD101", line=line) from error
    function = module.body[0]
    if printed != text or not isinstance(function, cst.FunctionDef):
        raise not_reproduced(source)
    return function
