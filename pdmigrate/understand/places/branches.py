"""Servers of which only one is ever made: the calls stand in different branches of one statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TypeVar

from pdmigrate.understand.places.outline import SCOPES, Outline

T = TypeVar("T")


def grouped(made: Iterable[T], excluding: Callable[[T, T], bool]) -> list[list[T]]:
    """What was made, in groups of which each holds alternatives: any two of them exclude each other."""
    groups: list[list[T]] = []
    for item in made:
        same = next((group for group in groups if all(excluding(item, other) for other in group)), None)
        if same is None:
            groups.append([item])
        else:
            same.append(item)
    return groups


def exclude_each_other(outline: Outline, first: ast.AST, second: ast.AST) -> bool:
    """Whether a call of the function around two nodes carries out only one of them."""
    one, other = [first, *outline.around(first)], [second, *outline.around(second)]
    common = next(node for node in one if node in other)
    if _scopes(one) != _scopes(other) or common in (first, second):
        return False
    one, other = one[: one.index(common)], other[: other.index(common)]
    ways = _way(common, one[-1]), _way(common, other[-1])
    if ways[0] == ways[1] and ways[0] in _BLOCKS:
        return _returns(outline, one) or _returns(outline, other)
    if isinstance(common, (ast.If, ast.IfExp)):
        return "test" not in ways
    if isinstance(common, (ast.Try, *_TRY_STAR)):
        return all(way in ("body", "handlers") for way in ways)
    return isinstance(common, ast.Match) and ways == ("cases", "cases")


_BLOCKS = ("body", "orelse", "finalbody")
_TRY_STAR: tuple[type, ...] = tuple(kind for kind in (getattr(ast, "TryStar", None),) if kind is not None)
_BRANCHING = (ast.If, ast.Try, ast.Match, *_TRY_STAR)


def _scopes(path: list[ast.AST]) -> list[ast.AST]:
    return [node for node in path if isinstance(node, SCOPES)]


def _way(parent: ast.AST, child: ast.AST) -> str:
    """The field of ``parent`` in which ``child`` stands."""
    for name, value in ast.iter_fields(parent):
        if value is child or (isinstance(value, list) and child in value):
            return name
    return ""


def _returns(outline: Outline, path: list[ast.AST]) -> bool:
    """Whether the path from a block down to a node leads into a branch that ends in a ``return``."""
    if not isinstance(path[-1], _BRANCHING):
        return False
    inner = next(node for node in path if isinstance(node, ast.stmt))
    return inner is not path[-1] and isinstance(outline.block(inner)[-1], ast.Return)
