"""The syntax of a file from the inside out: what surrounds a node, and where the node is in the text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from pdmigrate.model import Site, Span
from pdmigrate.source.source import SourceFile, prove, syntax

Block: TypeAlias = list[ast.stmt]

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
TRY = (ast.Try, getattr(ast, "TryStar", ast.Try))
BLOCKS = ("body", "orelse", "finalbody")

_SPACE = " \t\f"
_ON_ONE_LINE = re.compile(r"(?:[^#\\\r\n]|\\\r?\n)*")
"""What is between two statements on one line; a backslash may continue the line."""


class Outline:
    """The decoded text of a file, its syntax tree, and what surrounds each node of the tree."""

    def __init__(self, source: SourceFile, tree: ast.Module) -> None:
        self.source, self.tree = source, tree

    @property
    def path(self) -> str:
        return self.source.path

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that each node is a part of."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What stands around ``node``, the innermost first."""
        inner: ast.AST | None = self.parents.get(node)
        while inner is not None:
            yield inner
            inner = self.parents.get(inner)

    def way(self, node: ast.AST) -> tuple[ast.AST | Block, ...]:
        """What leads from the module down to ``node``: nodes, and the blocks of statements between them."""
        way: list[ast.AST | Block] = [node]
        for inner, outer in pairwise((node, *self.around(node))):
            way += [self.block(inner), outer] if isinstance(inner, ast.stmt) else [outer]
        return tuple(reversed(way))

    def scopes(self, node: ast.AST) -> list[ast.AST]:
        """The functions and classes around ``node``, the innermost first."""
        return [inner for inner in self.around(node) if isinstance(inner, SCOPES)]

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that ``node`` is, or is a part of."""
        return next(inner for inner in (node, *self.around(node)) if isinstance(inner, ast.stmt))

    def block(self, statement: ast.stmt) -> Block:
        """The list of statements that a statement is one of."""
        parent = self.parents[statement]
        lists = (getattr(parent, name, None) for name in BLOCKS)
        return next(found for found in lists if isinstance(found, list) and statement in found)

    def line(self, statement: ast.stmt) -> Block:
        """The statements of a block that stand on the line of ``statement``, itself included."""
        return next(line for line in self.lines(self.block(statement)) if statement in line)

    def lines(self, block: Block) -> list[Block]:
        """The statements of a block by the lines that they stand on: with ``;`` there are several on one."""
        found = [block[:1]]
        for before, statement in pairwise(block):
            between = self.source.text[self.span(before).end : self.span(statement).start]
            if _ON_ONE_LINE.fullmatch(between):
                found[-1].append(statement)
            else:
                found.append([statement])
        return found

    def is_inline(self, block: Block) -> bool:
        """Whether a block begins on the line of its colon, which a backslash may continue."""
        before = self.source.text[: self.span(block[0]).start].rstrip(_SPACE)
        while before.endswith(("\\\n", "\\\r\n")):
            before = before.rstrip("\r\n")[:-1].rstrip(_SPACE)
        return before.endswith(":")

    def indented_block(self, node: ast.AST) -> Block:
        """The innermost indented block around ``node``."""
        statement = self.statement(node)
        while self.is_inline(block := self.block(statement)):
            statement = self.statement(self.parents[statement])
        return block

    def offset(self, line: int, column: int) -> int:
        """The offset in the text of a column in bytes of UTF-8, as CPython's parser counts them."""
        start = self.source.line_starts[line - 1]
        if column == 0:
            return start
        text = self.source.text[start : self.source.line_starts[line]]
        return start + (column if text.isascii() else len(text.encode()[:column].decode()))

    def column(self, line: int, offset: int) -> int:
        """The column in bytes of UTF-8 of an offset in a line: the reverse of ``offset``."""
        return len(self.source.text[self.source.line_starts[line - 1] : offset].encode())

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """The stretch of a node, without the parentheses, white space and comments around it."""
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Span(self.path, self.offset(node.lineno, node.col_offset), end)

    def code(self, node: ast.expr) -> str:
        return self.source.code(self.span(node))

    def site(self, node: ast.AST) -> Site:
        return Site(self.path, getattr(node, "lineno", 1))


def parse(source: SourceFile) -> Outline:
    """The outline of a file that is to be edited; raises SourceError as ``syntax`` and ``prove`` do."""
    outline = Outline(source, syntax(source))  # before libcst, whose native stack overflows in deep nesting
    prove(source, outline.tree)
    return outline
