"""Literals in source as the JSON that they are."""

from __future__ import annotations

import ast


def plain(node: ast.expr) -> object:
    """The value of a literal.

    Raises:
        ValueError: ``node`` is not made of constants only.
    """
    if isinstance(node, ast.Dict):
        return {_key(key): plain(value) for key, value in zip(node.keys, node.values, strict=True)}
    if isinstance(node, (ast.List, ast.Tuple)):
        return [plain(item) for item in node.elts]
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (bool, int, float, str))):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        number = plain(node.operand)
        if isinstance(number, (int, float)) and not isinstance(number, bool):
            return -number if isinstance(node.op, ast.USub) else number
    raise ValueError(type(node).__name__)


def _key(node: ast.expr | None) -> object:
    if not isinstance(node, ast.Constant):
        raise ValueError("a key that is no constant")
    return plain(node)
