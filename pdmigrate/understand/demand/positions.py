"""Where the modules and statements of a program stand in the order in which Python carries them out."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from pdmigrate.understand.index.modules import Module
from pdmigrate.understand.index.naming import Node
from pdmigrate.understand.index.units import Unit
from pdmigrate.understand.values.containers import Mutable
from pdmigrate.understand.values.core import Unknown
from pdmigrate.understand.values.objects import Scope

IMPORTS = (ast.Import, ast.ImportFrom)
Branch = tuple[Unknown, bool | None]  # a test on which it depends whether code is reached, and with which outcome it is
Position = tuple[float, ...]
INFINITY = float("inf")
END: Position = (INFINITY, INFINITY)  # after everything: where the handlers of a running server are
NEVER: Position = (*END, INFINITY)
LATER, BEFORE = 1_000_000.0, -2.0
"""Parts of positions behind, and before, all statements of a module."""


@dataclass(eq=False)
class Loaded:
    """A module that the program has imported."""

    module: Module
    start: Position
    scope: Scope
    done: dict[int, set[Mutable]] = field(default_factory=dict)
    """What each statement has changed that was carried out, or is being carried out."""
    bound: dict[str, Position] = field(default_factory=dict)  # where each name was bound last
    reflects: Position = NEVER  # from where on code may set the module's names by text
    fails: dict[int, str | None] = field(default_factory=dict)
    """What statements may raise that were tried: the name of a class, perhaps an empty one; ``None``: nothing."""
    live: dict[int, list[Node]] = field(default_factory=dict)  # the names that each statement may change, by its index

    @property
    def first(self) -> Position:
        """Where the module's own statements begin: behind the packages that it is in, which are loaded before it."""
        return (*self.start, 0.0)

    def move(self, start: Position) -> None:
        """Put the module to another place, with all that is known of its names."""
        before, self.start = self.start, start

        def moved(at: Position) -> Position:
            return (*start, *at[len(before) :]) if at[: len(before)] == before else at

        self.reflects = moved(self.reflects)
        self.bound = {name: moved(at) for name, at in self.bound.items()}

    def position(self, unit: Unit) -> Position:
        return (*self.start, unit.index, INFINITY)


ANYTHING: Node = ("*", "*")  # what a statement may change that loads modules whose names are values
DISK: Node = ("*", "disk")  # what a statement may change that writes files
Place = tuple[Position, Loaded, Unit]


@dataclass
class Slice:
    """The statements that bind a name or may change its value, in order; ``reached`` of them have been carried out."""

    places: list[Place]
    reached: int = 0

    def next(self, position: Position) -> Place | None:
        """The first statement up to ``position`` that has not been carried out."""
        while self.reached < len(self.places):
            at, loaded, unit = self.places[self.reached]
            if unit.index not in loaded.done:
                return (at, loaded, unit) if at <= position else None
            self.reached += 1
        return None
