"""The outlines of a tree's files, and where ``enable`` goes."""

from __future__ import annotations

import ast
import json

from pdmigrate import disk
from pdmigrate.errors import SourceError
from pdmigrate.model import Anchor, Fixed, Site, Span
from pdmigrate.sdk.names import is_generated
from pdmigrate.source.outline import Outline
from pdmigrate.source.source import read_source
from pdmigrate.understand.index.modules import Tree
from pdmigrate.understand.index.syntax import FUNCTIONS, chain, local_names, walk


class Outlines:
    """The outlines of the files of a tree, made when they are asked for."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._known: dict[str, Outline] = {}

    def at(self, path: str) -> Outline:
        """The outline of a file that was parsed.

        Raises SourceError if the text of the file is none that may be edited.
        """
        if path not in self._known:
            module = self.tree.module(path)
            assert module is not None
            self._known[path] = Outline(read_source(path, disk.read(self.tree.root, path)), module.tree)
        return self._known[path]


def plain(node: ast.expr) -> object:
    """The value of a literal, as JSON has it.  Raises ValueError if ``node`` is no literal, or none that JSON has."""
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
    calls = [node for inner in block for node in walk(inner) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        given = call.args[0] if call.args else None
        if not _calls(call, enabling) or given is None or outline.code(given) != target:
            continue
        inside = (each for each in outline.around(call) if isinstance(each, FUNCTIONS) and each not in around)
        if not any(own in local_names(function) for function in inside):
            return outline.span(call)
    return None
