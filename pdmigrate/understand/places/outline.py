"""The syntax of a file from the inside out: what stands around a node, where it stands, and where ``enable`` goes."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import cached_property

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.model import Anchor, Fixed, Site, Span
from pdmigrate.sdk.names import is_generated
from pdmigrate.source.source import SourceFile, read_source
from pdmigrate.understand.index.modules import Module, Tree
from pdmigrate.understand.index.units import FUNCTIONS, chain, local_names

Block = list[ast.stmt]
_BLOCKS = ("body", "orelse", "finalbody")


class Outline:
    """A module, its decoded text, and what stands around each of its nodes."""

    def __init__(self, module: Module, source: SourceFile) -> None:
        self.module, self.source = module, source

    # --- what stands around a node ------------------------------------------------------------------------------------

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The node that each node is a part of."""
        return {child: node for node in ast.walk(self.module.tree) for child in ast.iter_child_nodes(node)}

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What stands around ``node``, the innermost first."""
        inner: ast.AST | None = self.parents.get(node)
        while inner is not None:
            yield inner
            inner = self.parents.get(inner)

    def functions(self, node: ast.AST) -> list[ast.AST]:
        """The functions and classes around ``node``, the innermost first."""
        return [inner for inner in self.around(node) if isinstance(inner, SCOPES)]

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement that ``node`` is, or is a part of."""
        return next(inner for inner in (node, *self.around(node)) if isinstance(inner, ast.stmt))

    def block(self, statement: ast.stmt) -> Block:
        """The list of statements that a statement is one of."""
        parent = self.parents[statement]
        lists = (getattr(parent, name, None) for name in _BLOCKS)
        return next(found for found in lists if isinstance(found, list) and statement in found)

    def indented_block(self, node: ast.AST) -> Block:
        """The innermost indented block around ``node``: one that begins on the line of its colon does not count."""
        statement = self.statement(node)
        while True:
            block = self.block(statement)
            start = self.offset(block[0].lineno, block[0].col_offset)
            parent = self.parents[statement]
            if isinstance(parent, ast.Module) or not self.source.text[self.source.line_start(start) : start].strip():
                return block
            statement = self.statement(parent)

    # --- where a node stands ------------------------------------------------------------------------------------------

    def offset(self, line: int, column: int) -> int:
        """The offset in the text of a column in bytes of UTF-8, as CPython's parser counts them."""
        start = self.source.line_starts[line - 1]
        if column == 0:
            return start
        text = self.source.text[start : self.source.line_starts[line]]
        return start + (column if text.isascii() else len(text.encode()[:column].decode()))

    def span(self, node: ast.expr | ast.stmt | ast.keyword) -> Span:
        """The stretch of a node, without the parentheses, white space and comments around it."""
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        return Span(self.module.path, self.offset(node.lineno, node.col_offset), end)

    def code(self, node: ast.expr) -> str:
        span = self.span(node)
        return self.source.text[span.start : span.end]

    def site(self, node: ast.AST) -> Site:
        return self.module.site(node)


SCOPES = (*FUNCTIONS, ast.ClassDef)


class Outlines:
    """The outlines of the files of a tree, made when they are asked for."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._known: dict[str, Outline] = {}

    def at(self, path: str) -> Outline:
        """The outline of a file that was parsed.

        Raises:
            SourceError: the text of the file is none that may be edited.
        """
        if path not in self._known:
            module = self.tree.module(path)
            assert module is not None
            self._known[path] = Outline(module, read_source(path, disk.read(self.tree.root, path)))
        return self._known[path]


def plain(node: ast.expr) -> object:
    """The value of a literal, as JSON has it.

    Raises:
        ValueError: ``node`` is no literal, or none that JSON has.
    """
    try:
        return json.loads(json.dumps(ast.literal_eval(node)))
    except TypeError as error:
        raise ValueError(str(error)) from None


# --- where ``enable`` goes: the statement that binds a server, or the expression that makes it ------------------------


NO_PLACE = "PD307"


def anchor_of(outlines: Outlines, site: Site, node: ast.AST | None) -> Anchor | Fixed:
    """Where the server that the call ``node`` makes can be enabled."""
    if not isinstance(node, ast.Call) or not site.file:
        return Fixed("the call that makes the server is not known", NO_PLACE, site)
    try:
        outline = outlines.at(site.file)
    except SourceError as error:
        return Fixed(str(error), error.code or NO_PLACE, site)
    if node not in outline.parents:
        return Fixed("the call that makes the server does not stand in the file", NO_PLACE, site)
    return _anchor(outline, node)


def _anchor(outline: Outline, node: ast.Call) -> Anchor:
    enabling = _enabling(outline)
    wrapped = next((call for call in outline.around(node) if _calls(call, enabling)), None)
    held = wrapped if isinstance(wrapped, ast.Call) else node
    enabled = outline.span(held) if wrapped is not None else None
    statement = outline.statement(node)
    targets, value = assigned(statement)
    target = next((outline.code(each) for each in targets if chain(each)), "") if value is held else ""
    if not target:
        return Anchor(outline.span(node), "", enabled)
    return Anchor(outline.span(statement), target, enabled or _later(outline, statement, target, enabling))


def assigned(statement: ast.AST) -> tuple[list[ast.expr], ast.expr | None]:
    """The targets of an assignment, and its value; no targets for every other statement."""
    if isinstance(statement, ast.Assign):
        return statement.targets, statement.value
    if isinstance(statement, ast.AnnAssign):
        return [statement.target], statement.value
    return [], None


def _enabling(outline: Outline) -> frozenset[str]:
    """The names under which a module knows ``enable`` of a generated module."""
    return frozenset(
        alias.asname or alias.name
        for node in outline.parents
        if isinstance(node, ast.ImportFrom) and is_generated(node.module)
        for alias in node.names
        if alias.name == "enable"
    )


def _calls(node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and chain(node.func) in names


def _later(outline: Outline, statement: ast.stmt, target: str, enabling: frozenset[str]) -> Span | None:
    """The call ``enable(target)`` in the block that binds ``target``, even under a condition that someone added."""
    if not enabling:
        return None
    block = outline.indented_block(statement)
    own, around = target.partition(".")[0], list(outline.around(statement))
    calls = [node for inner in block for node in ast.walk(inner) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        given = call.args[0] if call.args else None
        if not _calls(call, enabling) or given is None or outline.code(given) != target:
            continue
        inside = (each for each in outline.around(call) if isinstance(each, FUNCTIONS) and each not in around)
        if not any(own in local_names(function) for function in inside):
            return outline.span(call)
    return None
