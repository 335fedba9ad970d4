"""Makes a mismatching program small: statements are left out, blocks replaced by what is in them, while it lasts."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from tests.fuzz.statements import PRELUDE

ROUNDS = 400


def reduce(source: str, mismatches: Callable[[str], bool]) -> str:
    """The smallest program found that still mismatches, without what every program begins with."""
    tree = ast.parse(source)
    tries = 0
    progress = True
    while progress and tries < ROUNDS:
        progress = False
        for smaller in _smaller(tree):
            tries += 1
            if mismatches(ast.unparse(smaller)):
                tree, progress = smaller, True
                break
            if tries >= ROUNDS:
                break
    prelude = {ast.dump(node) for node in ast.parse(PRELUDE).body}
    tree.body = [node for node in tree.body if ast.dump(node) not in prelude]
    return ast.unparse(tree)


def _smaller(tree: ast.Module) -> Iterator[ast.Module]:
    """Copies of a program without one statement, from the last on, or with a block unwrapped."""
    places = [
        (index, name)
        for index, node in enumerate(ast.walk(tree))
        for name in ("body", "orelse", "finalbody", "handlers")
        if isinstance(getattr(node, name, None), list)
    ]
    for index, name in places:
        block = getattr(_node(tree, index), name)
        for position in reversed(range(len(block))):
            yield _changed(tree, index, name, position, [])
            inner = getattr(block[position], "body", None)
            if isinstance(inner, list) and not isinstance(
                block[position], (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)
            ):
                yield _changed(tree, index, name, position, inner)


def _node(tree: ast.Module, index: int) -> ast.AST:
    return list(ast.walk(tree))[index]


def _changed(tree: ast.Module, index: int, name: str, position: int, instead: list[ast.stmt]) -> ast.Module:
    result = copy.deepcopy(tree)
    block = getattr(_node(result, index), name)
    block[position : position + 1] = copy.deepcopy(instead)
    if not block and name == "body":
        block.append(ast.Pass())
    return result
