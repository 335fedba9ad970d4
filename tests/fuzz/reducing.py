"""Makes a mismatching program small: statements are left out, blocks replaced by what is in them, while it lasts."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from tests.fuzz.statements import PRELUDE

ROUNDS = 1_200


class _Reducing:
    """A program that is made smaller in place."""

    def __init__(self, source: str, mismatches: Callable[[str], bool]) -> None:
        self.tree, self.mismatches, self.tries = ast.parse(source), mismatches, 0

    def run(self) -> None:
        before = ""
        while before != (before := ast.unparse(self.tree)) and self.tries < ROUNDS:
            for node in list(ast.walk(self.tree)):
                for name in ("body", "orelse", "finalbody", "handlers", "names"):
                    block = getattr(node, name, None)
                    if isinstance(block, list):
                        self.drop(block, [ast.Pass()] if name == "body" else [])
                        self.unwrap(block)

    def drop(self, block: list[Any], nothing: list[Any]) -> None:
        """Leave out stretches of a block, long ones first, from the last on."""
        size = len(block)
        while size:
            for start in range(len(block) - size, -1, -size):
                self.changed(block, start, start + size, nothing if len(block) == size else [])
            size //= 2

    def unwrap(self, block: list[Any]) -> None:
        for position in reversed(range(len(block))):
            inner = getattr(block[position], "body", None)
            kept = (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler, ast.Lambda)
            if isinstance(inner, list) and not isinstance(block[position], kept):
                self.changed(block, position, position + 1, inner)

    def changed(self, block: list[Any], start: int, end: int, instead: list[Any]) -> None:
        """Replace a stretch of a block if the program still mismatches then."""
        before = block[start:end]
        if self.tries >= ROUNDS or not before or (instead and isinstance(before[0], ast.Pass)):
            return
        block[start:end] = instead
        self.tries += 1
        if not block or not self.mismatches(ast.unparse(self.tree)):
            block[start : start + len(instead)] = before


def reduce(source: str, mismatches: Callable[[str], bool]) -> str:
    """The smallest program found that still mismatches, without what every program begins with."""
    reducing = _Reducing(source, mismatches)
    reducing.run()
    prelude = {ast.dump(node) for node in ast.parse(PRELUDE).body}
    reducing.tree.body = [node for node in reducing.tree.body if ast.dump(node) not in prelude]
    return ast.unparse(reducing.tree)
