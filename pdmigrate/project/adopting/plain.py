"""Whether code has no effect that can be noticed from outside, so that it can be removed without being missed.

Plain code computes, reads files, logs, and keeps state in objects of its own.  It is judged by what it uses: parameters
and locals, harmless built-ins, modules on a short list, names of its file that stand for plain code, and modules of the
project that do nothing but define plain code.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TypeAlias

from pdmigrate.project.adopting.code import (
    DEFINITIONS,
    IMPORTS,
    Code,
    StandsInTheWayError,
    alias_name,
    bound_in,
    is_docstring,
    read_in,
)

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
