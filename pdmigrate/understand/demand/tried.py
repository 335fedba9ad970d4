"""What a module does whose import may not be carried out, or may fail where somebody catches that."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.model import Site
from pdmigrate.understand.demand.positions import Branch, Loaded, Place, Position
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.index.failing import may_raise
from pdmigrate.understand.index.units import Unit
from pdmigrate.understand.values.core import CONDITION, Unknown


def doubts(run: Run, loaded: Loaded, unit: Unit) -> Iterator[Branch]:
    """On what it depends whether a statement at the level of a module is carried out."""
    program = run.program
    yield from (branch for prefix, branch in program.perhaps.items() if _is_below(loaded, prefix))
    for prefix in [*program.tried]:
        found = first_failing(run, prefix, loaded.position(unit)) if _is_below(loaded, prefix) else None
        if found is not None:
            yield Unknown(f"it depends on whether {found[0]} raises", CONDITION, found[0]), None


def is_tried(run: Run, loaded: Loaded, unit: Unit) -> bool:
    """Whether somebody catches what a statement at the level of a module may raise."""
    tried = run.program.tried
    return any(_is_below(loaded, at) and may_raise(loaded.module.tree, unit.node, missing=tried[at]) for at in tried)


def first_failing(run: Run, prefix: Position, end: Position) -> tuple[Site | None, str] | None:
    """The first statement before ``end``, of the modules that are loaded at a place, that may raise, and what."""
    asked: set[Position] = set()
    while (place := next((each for each in _suspects(run, prefix) if each[0] not in asked), None)) is not None:
        at, loaded, unit = place
        if at >= end:
            break
        asked.add(at)
        run.program.perform(place)  # which may load others
        if (kind := loaded.fails.get(unit.index)) is not None:
            return loaded.module.site(unit.node), kind
    return None


def _suspects(run: Run, prefix: Position) -> list[Place]:
    """The statements of those modules that may raise by their text, in order."""
    program = run.program
    key = ("suspects", prefix, len(program.loaded))
    if key not in run.memory:
        run.memory[key] = sorted(
            (
                (loaded.position(unit), loaded, unit)
                for loaded in program.loaded.values()
                if _is_below(loaded, prefix)
                for unit in loaded.module.units
                if not unit.is_main and may_raise(loaded.module.tree, unit.node, missing=program.tried[prefix])
            ),
            key=lambda place: place[0],
        )
    known: list[Place] = run.memory[key]
    return known


def _is_below(loaded: Loaded, prefix: Position) -> bool:
    return loaded.start[: len(prefix)] == prefix
