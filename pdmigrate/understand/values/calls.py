"""Calls: what they are given, and what can be called besides functions and classes of the program."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from pdmigrate.model import Site
from pdmigrate.understand.values.core import NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.outside import Called


class UnfitError(Exception):
    """A call lacks an argument that the function needs: Python refuses it, unless more arguments are unpacked there."""


@dataclass(slots=True)
class Arguments:
    """The arguments of one call.  ``unknown`` says why there may be more of them."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    unknown: Unknown | None = None
    site: Site | None = None
    node: ast.AST | None = None
    perhaps: dict[str, Maybe] = field(default_factory=dict)
    """The keywords that are given on some paths only; among ``keywords`` they are unknown values."""
    named_only: bool = False  # there are no more arguments than these

    @property
    def others(self) -> Unknown | None:
        """Why there may be more arguments than those in ``keywords``."""
        return None if self.named_only else self.unknown

    def get(self, position: int, name: str) -> Value | None:
        """The argument at ``position`` or called ``name``; ``None`` if it is not given."""
        if 0 <= position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(name)

    def at(self, position: int) -> Value:
        """The argument at ``position``, which the function needs.

        Raises UnfitError if there is none, as far as is known.
        """
        if position < len(self.positional):
            return self.positional[position]
        raise UnfitError

    def named(self, names: tuple[str, ...]) -> dict[str, Value]:
        """All arguments by name, the positional ones called ``names`` in order."""
        return {**dict(zip(names, self.positional, strict=False)), **self.keywords}

    @property
    def all(self) -> list[Value]:
        return [*self.positional, *self.keywords.values()]

    @property
    def first(self) -> Value:
        """The first argument, whatever its name, or ``None`` of the program."""
        return next(iter(self.all), NONE)

    def behind(self, *values: Value) -> Arguments:
        """The arguments of a call that is given ``values`` before these."""
        return replace(self, positional=[*values, *self.positional])

    def kept(self, callee: str, site: Site | None) -> Called:
        """The call of a library with these arguments, as it is written."""
        return Called(callee, tuple(self.positional), tuple(self.keywords.items()), site)


@dataclass(frozen=True, slots=True, eq=False)
class Native(Value):
    """A function that this package carries out: ``implementation(evaluator, arguments)``."""

    name: str
    implementation: Callable[[Any, Arguments], Value]


@dataclass(frozen=True, slots=True)
class BoundMethod(Value):
    """A function with its first argument."""

    function: Value
    receiver: Value


@dataclass(frozen=True, slots=True)
class Partial(Value):
    """``functools.partial(function, ...)``"""

    function: Value
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]
