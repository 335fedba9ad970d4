"""A Python file from which statements are taken out: its syntax tree, what is left of it, and the edits."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from pdmigrate.model import Edit, Fixed, Site, Span
from pdmigrate.source.source import SourceFile

CODE = "PD532"
REASON = "progressive disclosure by hand, which the generated module takes over"

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class StandsInTheWayError(Exception):
    """A part of a server keeps its disclosure by hand from being taken out; ``fixed`` names that part."""

    def __init__(self, reason: str, site: Site) -> None:
        super().__init__(reason)
        self.fixed = Fixed(reason, CODE, site)


@dataclass
class PythonFile:
    """One file of a server; ``gone`` holds the statements taken out, ``parts`` the pieces taken out of others."""

    source: SourceFile
    tree: ast.Module
    gone: list[ast.stmt] = field(default_factory=list)
    parts: list[ast.AST] = field(default_factory=list)
    imports_gone: dict[ast.stmt, list[ast.alias]] = field(default_factory=dict)
    replaced: list[Edit] = field(default_factory=list)

    @classmethod
    def read(cls, source: SourceFile) -> PythonFile:
        """Parse a file.

        Raises:
            StandsInTheWayError: the running Python cannot parse it.
        """
        try:
            return cls(source, ast.parse(source.text.removeprefix("\ufeff")))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = f"{source.path} cannot be parsed: {error}"
            raise StandsInTheWayError(reason, Site(source.path, 1)) from error

    @property
    def path(self) -> str:
        return self.source.path

    def site(self, node: ast.AST) -> Site:
        return Site(self.path, getattr(node, "lineno", 1))

    def code(self, node: ast.expr | ast.stmt) -> str:
        return self.source.text[self.start(node) : self.end(node)]

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that holds a node; the node itself if it is a statement."""
        return next(item for item in (node, *self.above(node)) if isinstance(item, ast.stmt))

    def functions_around(self, node: ast.AST) -> list[Function]:
        return [item for item in self.above(node) if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))]

    def function_at(self, line: int) -> Function | None:
        """The function whose ``def`` is on a line."""
        found = (node for node in ast.walk(self.tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))
        return next((node for node in found if node.lineno == line), None)

    # --- what is left -------------------------------------------------------------------------------------------------

    @property
    def bindings(self) -> dict[str, ast.stmt]:
        """The top-level statement that binds each name, by name; the last one if several do."""
        return {name: statement for statement in self.tree.body for name in bound_by(statement)}

    def is_gone(self, node: ast.AST) -> bool:
        chain = (node, *self.above(node))
        return any(item in self.gone or item in self.parts for item in chain)

    @property
    def touched(self) -> bool:
        return bool(self.gone or self.parts or self.replaced)

    @property
    def lost(self) -> list[ast.AST]:
        """All nodes that are taken out."""
        return [*self.gone, *self.parts]

    def mentions(self, name: str, *, gone: bool = False) -> list[ast.AST]:
        """The remaining nodes that use a name without binding it, or export it in ``__all__``.

        With ``gone``, also the nodes that are taken out.
        """
        return [
            node
            for node in ast.walk(self.tree)
            if (
                (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Store))
                or (isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names)
                or (isinstance(node, ast.Constant) and node.value == name and self._is_exported(node))
            )
            and (gone or not self.is_gone(node))
        ]

    def _is_exported(self, node: ast.AST) -> bool:
        statement = self.statement(node)
        return isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and "__all__" in bound_by(statement)

    # --- edits --------------------------------------------------------------------------------------------------------

    def edits(self) -> Iterator[Edit]:
        """All edits of the file; those that take out lines are one for each run of lines, split where text is inserted.

        Raises:
            StandsInTheWayError: a line to be taken out also holds code that stays.
        """
        lines: set[int] = set()
        for statement in self.gone:
            self._require_own_lines(statement)
            lines.update(range(self._first_line(statement), (statement.end_lineno or statement.lineno) + 1))
        cuts = {self.source.line_of(offset) for offset in self._insertions}
        run: list[int] = []
        for line in sorted(lines):
            if run and (line != run[-1] + 1 or line in cuts):
                yield self._lines(run)
                run = []
            run.append(line)
        if run:
            yield self._lines(run)
        for statement, aliases in self.imports_gone.items():
            if statement not in self.gone:
                yield from self._without(statement, aliases)
        yield from self.replaced

    def _require_own_lines(self, statement: ast.stmt) -> None:
        """Raise if code that stays is on the lines of a statement that is taken out."""
        last, holders = statement.end_lineno or statement.lineno, [*self.above(statement)]
        for other in (node for node in ast.walk(self.tree) if isinstance(node, ast.stmt) and node is not statement):
            ends = other.lineno if other in holders else other.end_lineno or other.lineno
            if other.lineno <= last and ends >= statement.lineno and not self.is_gone(other):
                reason = "what would have to go stands on a line with other code"
                raise StandsInTheWayError(reason, self.site(statement))

    @property
    def _insertions(self) -> list[int]:
        return [edit.span.start for edit in self.replaced if edit.span.start == edit.span.end]

    def _first_line(self, statement: ast.stmt) -> int:
        """The first line to take out: a statement goes with its decorators, the comments and the blank lines above it.

        Comments above an import stay: they may be about the whole file, or about the imports that follow.
        """
        decorators = statement.decorator_list if isinstance(statement, DEFINITIONS) else []
        first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            first = self.first_comment(first)
        while first > 1 and not self._rows[first - 2].strip():
            first -= 1
        return first

    def indent(self, line: int) -> str:
        """The blanks at the start of a line."""
        row = self._rows[line - 1]
        return row[: len(row) - len(row.lstrip())]

    def first_comment(self, line: int) -> int:
        """The first of the comment lines directly above a line, or the line itself."""
        while line > 1 and self._rows[line - 2].lstrip().startswith("#"):
            line -= 1
        return line

    @cached_property
    def _rows(self) -> list[str]:
        starts = [*self.source.line_starts, len(self.source.text)]
        return [self.source.text[start:end] for start, end in pairwise(starts)]

    def _lines(self, run: list[int]) -> Edit:
        first, last = run[0], run[-1]
        if self._rows[first - 1].strip():
            last = self._next(last, _depth(self._rows[first - 1]))
        starts = [*self.source.line_starts, len(self.source.text)]
        return Edit(Span(self.path, starts[first - 1], starts[min(last, len(starts) - 1)]), "", REASON)

    def _next(self, last: int, depth: int) -> int:
        """The last of the blank lines below the line ``last``, if those lines now separate nothing; else ``last``.

        At the end of a block and at the top level, they still separate other code.
        """
        below = last
        while below < len(self._rows) and not self._rows[below].strip():
            below += 1
        stays = below < len(self._rows) and _depth(self._rows[below]) >= depth > 0
        return below if stays else last

    def _without(self, statement: ast.stmt, aliases: list[ast.alias]) -> Iterator[Edit]:
        """The edits that take some names out of an import."""
        names = statement.names if isinstance(statement, (ast.Import, ast.ImportFrom)) else []
        kept = [position for position, alias in enumerate(names) if alias not in aliases]
        for position, alias in enumerate(names):
            if alias in aliases and position < kept[-1]:
                yield Edit(Span(self.path, self.start(alias), self.start(names[position + 1])), "", REASON)
        if kept[-1] + 1 < len(names):
            yield Edit(Span(self.path, self.end(names[kept[-1]]), self.end(names[-1])), "", REASON)

    def start(self, node: ast.expr | ast.stmt | ast.alias) -> int:
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: ast.expr | ast.stmt | ast.alias) -> int:
        return self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        """The offset in the text; a column of ``ast`` counts UTF-8 bytes, without a byte order mark."""
        start = self.source.line_starts[line - 1]
        start += line == 1 and self.source.text.startswith("\ufeff")
        row = self._rows[line - 1].removeprefix("\ufeff")
        return start + len(row.encode()[:column].decode())


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds in its scope."""
    if isinstance(statement, DEFINITIONS):
        yield statement.name
    elif isinstance(statement, (ast.Import, ast.ImportFrom)):
        yield from (alias_name(alias) for alias in statement.names)
    else:
        inner = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        yield from (node.id for node in inner if isinstance(node.ctx, ast.Store))
        yield from (
            node.name for node in ast.walk(statement) if isinstance(node, ast.ExceptHandler) and node.name is not None
        )


def alias_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def read_in(nodes: Iterable[ast.AST]) -> dict[str, ast.Name]:
    """The names that ``nodes`` read, each with the first node that reads it."""
    found: dict[str, ast.Name] = {}
    for node in nodes:
        for item in ast.walk(node):
            if isinstance(item, ast.Name) and not isinstance(item.ctx, ast.Store):
                found.setdefault(item.id, item)
    return found


def bound_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that are bound anywhere in ``nodes``: targets, parameters, definitions."""
    names: set[str] = set()
    for node in nodes:
        for item in ast.walk(node):
            if isinstance(item, ast.arg):
                names.add(item.arg)
            elif isinstance(item, ast.stmt):
                names.update(bound_by(item))
            elif isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
                names.add(item.id)
    return names


def ends_control_flow(block: list[ast.stmt]) -> bool:
    """Whether a block ends with ``return`` or ``raise``, so that control never passes from it to what follows."""
    return bool(block) and isinstance(block[-1], (ast.Return, ast.Raise))


def contains_text(node: ast.AST, *words: str) -> bool:
    """Whether a string literal in ``node`` contains one of ``words``."""
    texts = (item.value for item in ast.walk(node) if isinstance(item, ast.Constant))
    return any(word in text for text in texts if isinstance(text, str) for word in words)


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)
