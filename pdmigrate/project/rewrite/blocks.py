"""The surroundings of a span in a file: its statement and blocks, the imports of the file, the names in use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from pdmigrate.model import Span
from pdmigrate.source.source import ParsedFile

if TYPE_CHECKING:
    import libcst as cst

    Path: TypeAlias = tuple[cst.CSTNode, ...]


@dataclass(frozen=True)
class Imported:
    """An import statement: ``path`` leads from the module down to the line or one-line suite that holds it."""

    node: cst.Import | cst.ImportFrom
    path: Path

    @property
    def line(self) -> cst.CSTNode:
        return self.path[-1]

    @cached_property
    def functions(self) -> Path:
        return functions(self.path)

    @cached_property
    def module(self) -> str:
        """The module that names are imported from, as written: ``..pkg.mod``; empty for a plain ``import``."""
        import libcst as cst
        from libcst.helpers import get_full_name_for_node

        if not isinstance(self.node, cst.ImportFrom):
            return ""
        name = get_full_name_for_node(self.node.module) if self.node.module is not None else None
        return "." * len(self.node.relative) + (name or "")

    @cached_property
    def names(self) -> dict[str, str]:
        """The names that the import binds, each with its name in the imported module; empty for ``*``."""
        import libcst as cst

        if isinstance(self.node.names, cst.ImportStar):
            return {}
        return {
            alias.evaluated_alias or alias.evaluated_name.partition(".")[0]: alias.evaluated_name
            for alias in self.node.names
        }

    @property
    def binds_everything(self) -> bool:
        import libcst as cst

        return isinstance(self.node.names, cst.ImportStar)

    @property
    def package(self) -> str:
        """The top-level package that the statement imports; empty for a relative import."""
        dotted = self.module or next(iter(self.names.values()), "")
        return dotted.partition(".")[0]


@dataclass(frozen=True)
class NodePath:
    """A span of a file, with the nodes from the module down to the smallest one that contains the span."""

    parsed: ParsedFile
    span: Span
    path: Path

    @cached_property
    def holder(self) -> cst.CSTNode:
        """The innermost line, one-line suite or compound statement that contains the span."""
        import libcst as cst

        kinds = (cst.SimpleStatementLine, cst.SimpleStatementSuite, cst.BaseCompoundStatement)
        return next((node for node in reversed(self.path) if isinstance(node, kinds)), self.parsed.module)

    @cached_property
    def small(self) -> cst.CSTNode:
        """The simple statement that contains the span; the ``holder`` if the span covers several, or none."""
        import libcst as cst

        return next((node for node in reversed(self.path) if isinstance(node, cst.BaseSmallStatement)), self.holder)

    @property
    def block(self) -> cst.CSTNode:
        """The module or block that contains the ``holder``."""
        index = self.path.index(self.holder)
        return self.path[max(index - 1, 0)]

    @property
    def functions(self) -> Path:
        return functions(self.path)

    @property
    def text(self) -> str:
        return self.parsed.source.text[self.span.start : self.span.end]

    @property
    def indent(self) -> str:
        """The indentation of the span's first line."""
        source = self.parsed.source
        line = source.text[source.line_start(self.span.start) : self.span.start]
        return line[: len(line) - len(line.lstrip(" \t"))]


def node_path(parsed: ParsedFile, span: Span) -> NodePath:
    path: list[cst.CSTNode] = [parsed.module]
    while inner := [child for child in path[-1].children if _holds(parsed, child, span)]:
        path.append(inner[0])
    return NodePath(parsed, span, tuple(path))


def _holds(parsed: ParsedFile, node: cst.CSTNode, span: Span) -> bool:
    own = parsed.span(node)
    return own.start <= span.start and span.end <= own.end


def functions(path: Path) -> Path:
    """The functions among ``path``, outermost first."""
    import libcst as cst

    return tuple(node for node in path if isinstance(node, cst.FunctionDef))


def imports(parsed: ParsedFile) -> Iterator[Imported]:
    """Every import statement of the file, in order, those inside functions and classes included."""
    import libcst as cst

    containers = (
        cst.BaseCompoundStatement,
        cst.BaseSuite,
        cst.SimpleStatementLine,
        cst.Else,
        cst.Finally,
        cst.ExceptHandler,
        cst.ExceptStarHandler,
        cst.MatchCase,
    )

    def below(path: Path) -> Iterator[Imported]:
        for child in path[-1].children:
            if isinstance(child, (cst.Import, cst.ImportFrom)):
                yield Imported(child, path)
            elif isinstance(child, containers):
                yield from below((*path, child))

    yield from below((parsed.module,))


def called_names(node: cst.CSTNode) -> set[str]:
    """The names at the root of every call in a node: ``mcp`` for ``mcp.server.Server()``."""
    import libcst as cst

    found: set[str] = set()
    for child in (node, *descendants(node)):
        if isinstance(child, cst.Call):
            root: cst.CSTNode = child.func
            while isinstance(root, (cst.Attribute, cst.Subscript)):
                root = root.value
            if isinstance(root, cst.Name):
                found.add(root.value)
    return found


def descendants(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """All nodes below ``node``, in the order of the text."""
    for child in node.children:
        yield child
        yield from descendants(child)


def name_in_use(parsed: ParsedFile, name: str, ignored: frozenset[cst.CSTNode]) -> bool:
    """Whether ``name`` occurs in the file as a variable, outside ``ignored`` nodes.

    Attributes and keywords of calls do not count.  Scopes are ignored: the answer may be ``True`` needlessly, but is
    never wrongly ``False``.
    """
    if not re.search(rf"\b{re.escape(name)}\b", parsed.source.text):
        return False
    return _uses(parsed.module, name, ignored)


def _uses(node: cst.CSTNode, name: str, ignored: frozenset[cst.CSTNode]) -> bool:
    import libcst as cst

    if node in ignored:
        return False
    if isinstance(node, cst.Name):
        return node.value == name
    skipped = node.attr if isinstance(node, cst.Attribute) else node.keyword if isinstance(node, cst.Arg) else None
    return any(_uses(child, name, ignored) for child in node.children if child is not skipped)
