"""A digest of the source that a tool depends on: it guards fields that only the running server settles."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from pdmigrate.model import Known, Tool
from pdmigrate.record.lock import Written, source_digest
from pdmigrate.tree.source import SourceFile

_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def guarded(tool: Tool, before: Written | None, now: Written, sources: Mapping[str, SourceFile]) -> Written:
    """``now`` with the digest of the tool's source as it was when the running server was last asked.

    ``tool`` has the fields that source shows and, where the running server was asked, those that the server shows.
    """
    if any(isinstance(field, Known) and field.basis == "wire" for field in tool.fields.values()):
        return replace(now, source=source_of(tool, sources))
    kept = before.source if before is not None and tool.unknown else None
    return replace(now, source=kept)


def source_of(tool: Tool, sources: Mapping[str, SourceFile]) -> str | None:
    """A digest of the declaration of ``tool`` and of everything in its module that it names, directly or indirectly.

    ``None`` where the declaration is not found.  Layout and comments do not count.  What the declaration uses from
    other modules is not followed.
    """
    source = sources.get(tool.site.file)
    if source is None:
        return None
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError):
        return None
    declared = _declaration(tree, tool.site.line)
    if declared is None:
        return None
    bound = {name: statement for statement in tree.body for name in _binds(statement)}
    wanted: dict[str, ast.AST] = {}
    waiting = [declared]
    while waiting:
        for name in _names(waiting.pop()):
            if name in bound and name not in wanted and not _holds(bound[name], declared):
                wanted[name] = bound[name]
                waiting.append(bound[name])
    parts = [ast.unparse(declared), *(ast.unparse(wanted[name]) for name in sorted(wanted))]
    digests = [source_digest(part.encode("utf-8", "surrogatepass")) for part in parts]
    return hashlib.sha256("".join(digests).encode()).hexdigest()[:16]


def _declaration(tree: ast.Module, line: int) -> ast.AST | None:
    """The function or class declared at a line, or else the outermost call or other node that starts there."""
    nodes = [node for node in ast.walk(tree) if getattr(node, "lineno", 0) == line or line in _decorators(node)]
    functions = [node for node in nodes if isinstance(node, _NAMED)]
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return next(iter(functions or calls or nodes), None)


def _decorators(node: ast.AST) -> tuple[int, ...]:
    return tuple(one.lineno for one in node.decorator_list) if isinstance(node, _NAMED) else ()


def _names(node: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(node) if isinstance(one, ast.Name))


def _holds(statement: ast.AST, node: ast.AST) -> bool:
    return any(one is node for one in ast.walk(statement))


def _binds(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, _NAMED):
        yield statement.name
    elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
