"""Whether code has no effect that can be noticed from outside, so that it can be removed without being missed.

Plain code computes, reads files, logs, and keeps state in objects of its own.  It is judged by the names that it uses:
each must be a parameter or local, a harmless built-in, from a module on a short list, or plain itself.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from pdmigrate.project.adopting.code import (
    DEFINITIONS,
    IMPORTS,
    Code,
    StandsInTheWayError,
    bound_by,
    bound_in,
    is_docstring,
    read_in,
)

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
_BUILTINS = frozenset(vars(builtins)) - frozenset(
    {"exec", "eval", "compile", "__import__", "setattr", "delattr", "globals", "locals", "vars", "input"}
    | {"breakpoint", "exit", "quit"}
)
_WRITING = frozenset("wax+")


@dataclass
class Judge:
    """Decides whether code in ``files`` (by path) is plain; ``servers`` are the names of the server object."""

    files: Mapping[str, Code]
    servers: frozenset[str]
    _known: dict[tuple[str, str], bool] = field(default_factory=dict)

    def require(self, code: Code, nodes: Iterable[ast.AST], known: Iterable[str], what: str) -> None:
        """Require that ``nodes`` use nothing but plain code and the locals in ``known``.

        Raises:
            StandsInTheWayError: ``nodes`` use anything else; ``what`` says in the message what they are for.
        """
        nodes = list(nodes)
        if (loud := self._loud(code, nodes, {*known})) is not None:
            place, why = loud
            raise StandsInTheWayError(f"{what} has other effects: {why}", code.site(place))

    def _loud(self, code: Code, nodes: list[ast.AST], known: set[str]) -> tuple[ast.AST, str] | None:
        """The first node that is not plain, and why not; ``None`` if all are plain."""
        mine = bound_in(nodes) | known
        for node in (item for top in nodes for item in ast.walk(top)):
            if isinstance(node, ast.Attribute) and (
                node.attr in _LOUD or (self._is_server(node.value, mine) and node.attr != "request_context")
            ):
                return node, f"{ast.unparse(node)} is used"
            of_request = isinstance(node, ast.Attribute) and _ends(node.value, "session", "request_context")
            if isinstance(node, ast.Attribute) and of_request and node.attr != "session":
                return node, f"{ast.unparse(node)} is used"
            if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
                root = _root(node)
                if root not in mine and isinstance(code.bindings.get(root), (*DEFINITIONS, *IMPORTS)):
                    return node, f"{ast.unparse(node)} is set"
            elif isinstance(node, ast.Call) and _may_open_to_write(node):
                return node, "it may write a file"
            elif isinstance(node, (ast.Yield, ast.YieldFrom, ast.Global)):
                return node, f"{ast.unparse(node)} is used"
        for name, place in read_in(nodes).items():
            if name not in mine and name not in self.servers and not self.is_plain(code, name):
                return place, f"{name} is used"
        return None

    def _is_server(self, node: ast.AST, mine: set[str]) -> bool:
        return isinstance(node, ast.Name) and node.id in self.servers and node.id not in mine

    @property
    def judged(self) -> set[str]:
        """The paths of the files of which a name was looked at."""
        return {path for path, _ in self._known}

    def is_quiet(self, code: Code) -> bool:
        """Whether importing a file does nothing but define its names."""
        defining = (*IMPORTS, *DEFINITIONS, ast.Assign, ast.AnnAssign)
        return all(
            is_docstring(item)
            or (isinstance(item, defining) and all(self.is_plain(code, name) for name in bound_by(item)))
            for item in code.tree.body
        )

    def is_plain(self, code: Code, name: str) -> bool:
        """Whether a name at the top level of a file stands for plain code."""
        key = (code.source.path, name)
        if key not in self._known:
            self._known[key] = True  # code that refers to itself is judged by the rest of it
            self._known[key] = self._judged(code, name)
        return self._known[key]

    def _judged(self, code: Code, name: str) -> bool:
        statement = code.bindings.get(name)
        if statement is None:
            return name in _BUILTINS or name in ("__file__", "__name__")
        if isinstance(statement, IMPORTS):
            return self._imports_plain(code, statement, name)
        if not isinstance(statement, (*DEFINITIONS, ast.Assign, ast.AnnAssign)):
            return False
        return self._loud(code, [statement], set()) is None

    def _imports_plain(self, code: Code, statement: ast.Import | ast.ImportFrom, name: str) -> bool:
        if isinstance(statement, ast.ImportFrom) and (target := self.imported(code, statement)) is not None:
            original = next((alias.name for alias in statement.names if name in (alias.asname, alias.name)), name)
            return self.is_plain(target, original)
        if isinstance(statement, ast.ImportFrom):
            return statement.level == 0 and (statement.module or "").partition(".")[0] in _MODULES
        return all(alias.name.partition(".")[0] in _MODULES for alias in statement.names)

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
