"""Private names of classes: ``__name`` in the body of ``Thing`` means ``_Thing__name`` (Python's data model, 6.2.1)."""

from __future__ import annotations

import ast
import re

_PRIVATE = re.compile(rb"\b__[A-Za-z]\w*(?<!__)\b")


def mangled(tree: ast.Module, raw: bytes) -> ast.Module:
    """``tree`` with the private names that Python makes of those in it; ``raw`` is its text."""
    if _PRIVATE.search(raw):
        _Mangling().visit(tree)
    return tree


def as_written(name: str, owner: str) -> str:
    """The name as it stands in the body of the class ``owner``, which is the ``__name__`` of a function."""
    prefix = f"_{owner.lstrip('_')}"
    return name.removeprefix(prefix) if name.startswith(f"{prefix}__") else name


class _Mangling(ast.NodeVisitor):
    owner = ""

    def generic_visit(self, node: ast.AST) -> None:
        for part in ("id", "attr", "arg", "name"):
            if (new := self._private(getattr(node, part, None))) is not None:
                setattr(node, part, new)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [self._private(name) or name for name in node.names]
        super().generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for each in (*node.decorator_list, *node.bases, *node.keywords):
            self.visit(each)
        outer, self.owner = self.owner, node.name.lstrip("_")
        for statement in node.body:
            self.visit(statement)
        self.owner = outer
        node.name = self._private(node.name) or node.name

    def _private(self, name: object) -> str | None:
        if not self.owner or not isinstance(name, str) or not name.startswith("__") or name.endswith("__"):
            return None
        return None if "." in name else f"_{self.owner}{name}"
