"""What a file imports where, and the names that it uses."""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from pdmigrate.source.outline import FUNCTIONS, Block, Outline


@dataclass(frozen=True)
class Imported:
    """An import statement, and what leads from the module down to it (``Outline.way``)."""

    node: ast.Import | ast.ImportFrom
    way: tuple[ast.AST | Block, ...]

    @cached_property
    def functions(self) -> tuple[ast.AST, ...]:
        """The functions around the statement, outermost first."""
        return tuple(node for node in self.way if isinstance(node, FUNCTIONS))

    @property
    def is_certain(self) -> bool:
        """Whether the import is carried out however the file is run: it is a statement of the module."""
        return len(self.way) == 3

    @property
    def module(self) -> str:
        """The module that names are imported from, as written: ``..pkg.mod``; empty for a plain ``import``."""
        return "." * self.node.level + (self.node.module or "") if isinstance(self.node, ast.ImportFrom) else ""

    @cached_property
    def names(self) -> dict[str, str]:
        """The names that the import binds, each with its name in the imported module; empty for ``*``."""
        aliases = self.node.names if not self.binds_everything else ()
        return {alias.asname or alias.name.partition(".")[0]: alias.name for alias in aliases}

    @property
    def binds_everything(self) -> bool:
        return self.node.names[0].name == "*"

    @property
    def package(self) -> str:
        """The top-level package that the statement imports; empty for a relative import."""
        dotted = self.module or next(iter(self.names.values()), "")
        return dotted.partition(".")[0]


def imports(outline: Outline) -> list[Imported]:
    """Every import statement of the file, in order, those inside functions and classes included."""
    found = [node for node in outline.parents if isinstance(node, (ast.Import, ast.ImportFrom))]
    return [Imported(node, outline.way(node)) for node in sorted(found, key=lambda n: (n.lineno, n.col_offset))]


def seen_from(outline: Outline, place: ast.AST, imported: Imported) -> bool:
    """Whether an import stands above ``place``, in no function or in one around it."""
    statement = outline.statement(place)
    above = (imported.node.lineno, imported.node.col_offset) < (statement.lineno, statement.col_offset)
    return above and {*imported.functions} <= {*outline.around(statement)}


def called_names(node: ast.AST) -> set[str]:
    """The names at the root of every call in a node: ``mcp`` for ``mcp.server.Server()``."""
    found: set[str] = set()
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            root = call.func
            while isinstance(root, (ast.Attribute, ast.Subscript)):
                root = root.value
            found |= {root.id} if isinstance(root, ast.Name) else set()
    return found


def names_in_use(outline: Outline, ignored: Collection[ast.AST] = ()) -> set[str]:
    """The variables of a file, whatever their scope, outside ``ignored`` statements; not attributes and keywords."""
    found: set[str] = set()
    for node, parent in outline.parents.items():
        if isinstance(node, (ast.Attribute, ast.keyword, ast.Constant)) or not {node, parent}.isdisjoint(ignored):
            continue
        for _, value in ast.iter_fields(node):
            names = value if isinstance(value, list) else [value]
            found |= {name.partition(".")[0] for name in names if isinstance(name, str)}
    return found
