"""A server's Python file from which whole statements are taken out: its syntax tree, what is left, and the edits."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from pdmigrate.model import Edit, Fixed, Site, Span
from pdmigrate.source.source import SourceFile

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
_CODE = "PD532"
_REASON = "progressive disclosure by hand, which the generated module takes over"


class StandsInTheWayError(Exception):
    """A part of a server keeps its disclosure by hand from being taken out; ``fixed`` names that part."""

    def __init__(self, reason: str, site: Site) -> None:
        super().__init__(reason)
        self.fixed = Fixed(reason, _CODE, site)


@dataclass
class Code:
    """A file; ``gone`` are the statements taken out, ``unused`` the names taken out of imports that stay."""

    source: SourceFile
    tree: ast.Module
    gone: list[ast.stmt] = field(default_factory=list)
    unused: set[str] = field(default_factory=set)

    @classmethod
    def read(cls, source: SourceFile) -> Code:
        """Parse a file.

        Raises:
            StandsInTheWayError: the running Python cannot parse it.
        """
        try:
            return cls(source, ast.parse(source.text.removeprefix("\ufeff")))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = f"{source.path} cannot be parsed: {error}"
            raise StandsInTheWayError(reason, Site(source.path, 1)) from error

    def site(self, node: ast.AST) -> Site:
        return Site(self.source.path, getattr(node, "lineno", 1))

    @cached_property
    def bindings(self) -> dict[str, ast.stmt]:
        """The top-level statement that binds each name, by name; the last one if several do."""
        return {name: statement for statement in self.tree.body for name in bound_by(statement)}

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside out."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def is_gone(self, node: ast.AST) -> bool:
        return any(item in self.gone for item in (node, *self.above(node)))

    def users(self, name: str) -> list[ast.AST]:
        """The remaining nodes that use a name without binding it, or that hold it as a text, as ``__all__`` does."""
        return [
            node
            for node in ast.walk(self.tree)
            if (
                (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Store))
                or (isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names)
                or (isinstance(node, ast.Constant) and node.value == name)
            )
            and not self.is_gone(node)
        ]

    def reached(self, nodes: Iterable[ast.AST]) -> list[str]:
        """The names of the top level that ``nodes`` use, directly or through others, in the order of the file."""
        found: set[str] = set()
        wanted = [*read_in(nodes)]
        while wanted:
            name = wanted.pop()
            if name in self.bindings and name not in found:
                found.add(name)
                wanted += read_in([self.bindings[name]])
        return [name for name in self.bindings if name in found]

    def edits(self) -> Iterator[Edit]:
        """The edits that take out whole lines, and those that write an import with fewer names.

        Raises:
            StandsInTheWayError: a line to be taken out also holds code that stays.
        """
        starts = [*self.source.line_starts, len(self.source.text)]
        rows = [self.source.text[start:end].strip() for start, end in pairwise(starts)]
        lines: set[int] = set()
        for statement in self.gone:
            first, last = _first_line(statement, rows), statement.end_lineno or statement.lineno
            others = (node for node in ast.walk(self.tree) if isinstance(node, ast.stmt) and not self.is_gone(node))
            for other in {*others} - {*self.above(statement)}:
                if other.lineno <= last and (other.end_lineno or other.lineno) >= statement.lineno:
                    reason = "what would have to go stands on a line with other code"
                    raise StandsInTheWayError(reason, self.site(statement))
            lines.update(range(first, last + 1))
        for line in sorted(lines):
            if line - 1 not in lines:
                end = next(number for number in range(line, len(starts)) if number + 1 not in lines)
                yield Edit(Span(self.source.path, starts[line - 1], starts[end]), "", _REASON)
        for statement in self.tree.body:
            if isinstance(statement, IMPORTS) and statement not in self.gone and {*bound_by(statement)} & self.unused:
                first, last = statement.lineno, statement.end_lineno or statement.lineno
                span = Span(self.source.path, starts[first - 1], starts[last])
                if not any("#" in row or ";" in row for row in rows[first - 1 : last]):
                    yield Edit(span, self._without(statement), _REASON)

    def _without(self, statement: ast.Import | ast.ImportFrom) -> str:
        """An import without the unused names, as ruff and black lay it out."""
        kept = [alias for alias in statement.names if alias_name(alias) not in self.unused]
        lines = [ast.unparse(ast.Import(kept))]
        if isinstance(statement, ast.ImportFrom):
            lines = [ast.unparse(ast.ImportFrom(statement.module, kept, statement.level))]
            if len(lines[0]) > self.source.style.width:
                head = lines[0].partition(" import ")[0]
                unit = self.source.indent_unit
                lines = [f"{head} import (", *(f"{unit}{ast.unparse(alias)}," for alias in kept), ")"]
        return "".join(f"{line}{self.source.newline}" for line in lines)


def _first_line(statement: ast.stmt, rows: list[str]) -> int:
    """The first line to take out: a statement goes with its decorators, and the comments and blank lines above it.

    Comments above an import stay: they may be about the whole file, or about the imports that follow.
    """
    decorators = statement.decorator_list if isinstance(statement, DEFINITIONS) else []
    first = min([statement.lineno, *(decorator.lineno for decorator in decorators)])
    while not isinstance(statement, IMPORTS) and first > 1 and rows[first - 2].startswith("#"):
        first -= 1
    while first > 1 and not rows[first - 2]:
        first -= 1
    return first


def bound_by(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement binds in its scope."""
    if isinstance(statement, DEFINITIONS):
        yield statement.name
    elif isinstance(statement, IMPORTS):
        yield from (alias_name(alias) for alias in statement.names)
    else:
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id
            elif isinstance(node, ast.ExceptHandler) and node.name is not None:
                yield node.name


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
    inside = [item for node in nodes for item in ast.walk(node)]
    names = {item.arg for item in inside if isinstance(item, ast.arg)}
    names.update(item.id for item in inside if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store))
    return names.union(*(bound_by(item) for item in inside if isinstance(item, ast.stmt)))


def contains_text(node: ast.AST, word: str) -> bool:
    """Whether a string literal in ``node`` contains ``word``."""
    texts = (item.value for item in ast.walk(node) if isinstance(item, ast.Constant))
    return any(isinstance(text, str) and word in text for text in texts)


def is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(getattr(statement.value, "value", None), str)
