"""A server's Python file from which whole statements are taken out: its syntax tree, what is left, and the edits."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TypeAlias

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


Effect: TypeAlias = tuple[Code, ast.AST, str]

_MODULES = frozenset(
    {"__future__", "abc", "anyio", "asyncio", "collections", "contextlib", "copy", "dataclasses", "datetime", "enum"}
    | {"functools", "hashlib", "itertools", "json", "logging", "mcp", "operator", "pathlib", "re", "string", "textwrap"}
    | {"threading", "time", "types", "typing", "typing_extensions", "urllib", "uuid", "weakref"}
)
"""Modules whose functions leave no trace, except for the names in ``_LOUD``."""
_LOUD = frozenset(
    {"write_text", "write_bytes", "unlink", "mkdir", "rmdir", "rename", "touch", "symlink_to", "hardlink_to", "chmod"}
    | {"create_subprocess_exec", "create_subprocess_shell", "open_connection", "start_server", "create_server"}
    | {"send_request", "send_notification", "urlopen", "urlretrieve"}
)
_BUILTINS = frozenset((*vars(builtins), "__file__", "__name__")) - frozenset(
    {"exec", "eval", "compile", "__import__", "setattr", "delattr", "globals", "locals", "vars", "input"}
    | {"breakpoint", "exit", "quit"}
)
_WRITING = frozenset("wax+")


@dataclass
class Judge:
    """Decides whether code in ``files`` (by path) is plain; ``servers`` are the names of the server object.

    ``judged`` are the paths of the modules that such code imports.
    """

    files: Mapping[str, Code]
    servers: frozenset[str]
    judged: set[str] = field(default_factory=set)

    def require(self, code: Code, nodes: Sequence[ast.AST], known: Collection[str], what: str) -> None:
        """Require that ``nodes`` use nothing but plain code and the locals in ``known``.

        Raises:
            StandsInTheWayError: ``nodes`` use anything else; ``what`` says in the message what they are for.
        """
        names = [name for name in code.reached(nodes) if name not in self.servers]
        statements = dict.fromkeys(code.bindings[name] for name in names)
        effects = (self._effect(code, top, known, names) for top in (*nodes, *statements))
        for where, node, why in filter(None, effects):
            raise StandsInTheWayError(f"{what} has other effects: {why}", where.site(node))

    def _effect(self, code: Code, top: ast.AST, known: Collection[str], names: Collection[str] = ()) -> Effect | None:
        """The first effect of a statement, and what it is; of an import, only these ``names`` count."""
        if isinstance(top, IMPORTS):
            return self._of_import(code, top, names)
        mine = bound_in([top]).union(known)
        for node in ast.walk(top):
            if (why := self._noticed(code, node, mine)) is not None:
                return code, node, why
        for name, place in read_in([top]).items():
            if name not in mine and name not in self.servers and name not in code.bindings and name not in _BUILTINS:
                return code, place, f"{name} is used"
        return None

    def _noticed(self, code: Code, node: ast.AST, mine: set[str]) -> str | None:
        if isinstance(node, ast.Attribute):
            of_request = _ends(node.value, "session", "request_context") and node.attr != "session"
            of_server = isinstance(node.value, ast.Name) and node.value.id in self.servers - mine
            if node.attr in _LOUD or of_request or (of_server and node.attr != "request_context"):
                return f"{ast.unparse(node)} is used"
        if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            root = _root(node)
            if root not in mine and isinstance(code.bindings.get(root), (*DEFINITIONS, *IMPORTS)):
                return f"{ast.unparse(node)} is set"
        if isinstance(node, ast.Call) and _may_open_to_write(node):
            return "it may write a file"
        return f"{ast.unparse(node)} is used" if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Global)) else None

    def _of_import(self, code: Code, statement: ast.Import | ast.ImportFrom, names: Collection[str]) -> Effect | None:
        if isinstance(statement, ast.ImportFrom):
            if (target := self.imported(code, statement)) is not None:
                return self._of_module(target)
            modules = ["." * statement.level + (statement.module or "")]
        else:
            modules = [alias.name for alias in statement.names if alias_name(alias) in names]
        strange = (module for module in modules if module.partition(".")[0] not in _MODULES)
        return next(((code, statement, f"{module} is used") for module in strange), None)

    def _of_module(self, code: Code) -> Effect | None:
        """The first effect of a module of the project, whichever of its names are used."""
        if code.source.path in self.judged:
            return None
        self.judged.add(code.source.path)
        for top in (item for item in code.tree.body if not is_docstring(item)):
            if not isinstance(top, (*IMPORTS, *DEFINITIONS, ast.Assign, ast.AnnAssign)):
                return code, top, f"{code.source.path} does more than define names"
            if (effect := self._effect(code, top, (), code.bindings)) is not None:
                return effect
        return None

    def imported(self, code: Code, statement: ast.ImportFrom) -> Code | None:
        """The file of this server that a statement imports from; ``None`` for any other module."""
        parts = (statement.module or "").split(".") if statement.module else []
        folder = PurePosixPath(code.source.path).parent
        above = [folder.parents[statement.level - 2]] if statement.level > 1 else [folder]
        starts = above if statement.level else [folder, *folder.parents]
        for start in starts:
            base = start.joinpath(*parts)
            for path in (f"{base}.py" if parts else "", (base / "__init__.py").as_posix()):
                if path in self.files:
                    return self.files[path]
        return None


def _ends(node: ast.AST, *names: str) -> bool:
    """Whether an expression ends with one of ``names``: ``session``, ``context.session``."""
    return (isinstance(node, ast.Name) and node.id in names) or (isinstance(node, ast.Attribute) and node.attr in names)


def _root(node: ast.expr) -> str:
    """The name at the root of an expression: ``a`` in ``a.b[c].d``; empty if there is none."""
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _may_open_to_write(node: ast.Call) -> bool:
    """Whether a call opens a file in a mode that writes, or in one that the code does not spell out."""
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if called != "open":
        return False
    if any(isinstance(item, ast.Starred) for item in node.args) or any(word.arg is None for word in node.keywords):
        return True
    # The mode comes second in ``open(path, mode)`` and first in ``path.open(mode)``.
    positional = node.args[1:2] if isinstance(node.func, ast.Name) else node.args[:2]
    given = [*positional, *(word.value for word in node.keywords if word.arg == "mode")]
    return any(not isinstance(item, ast.Constant) or _writes(item.value) for item in given)


def _writes(mode: object) -> bool:
    return isinstance(mode, str) and len(mode) <= 3 and bool(_WRITING & set(mode))
