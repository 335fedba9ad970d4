"""Where a value came from, as steps that a person can follow."""

from __future__ import annotations

from pdmigrate.evaluate.values import Origin, Place, Value
from pdmigrate.model import Site, Step

LONGEST = 8


def steps_of(value: Value) -> tuple[Step, ...]:
    """The steps from the place nearest to the wire back to the literals."""
    steps: list[Step] = []
    queue = [value.origin] if value.origin is not None else []
    seen: set[tuple[str, Site | None]] = set()
    walked: set[int] = set()
    while queue and len(steps) < LONGEST:
        origin: Origin = queue.pop(0)
        if id(origin) in walked:
            continue
        walked.add(id(origin))
        site = site_of(origin.place)
        if (origin.text, site) not in seen:
            seen.add((origin.text, site))
            steps.append(Step(origin.text, site))
        queue += origin.sources
    return tuple(steps)


def site_of(place: Place | None) -> Site | None:
    """File and line of a place."""
    if place is None:
        return None
    try:
        return place.module.site(place.node)
    except KeyError:
        # A type that is written as text has a syntax tree of its own.
        return None
