"""Where a value came from, as steps that a person can follow."""

from __future__ import annotations

from collections.abc import Iterator

from pdmigrate.evaluate.core.values import Origin, Place, UnknownValue, Value
from pdmigrate.model import Site, Step, Unknown

LONGEST = 8
PARTS = 12
"""How many steps the parts of a value may add beyond ``LONGEST``."""


def steps_of(value: Value) -> tuple[Step, ...]:
    """The steps from the place nearest to the wire back to the literals, then the steps of parts from elsewhere."""
    steps = list(_chain(value.origin))
    known = {(step.text, step.site) for step in steps}
    for path, part in _foreign_parts(value, "", value.origin, set()):
        if len(steps) >= LONGEST + PARTS:
            break
        chain = [step for step in _chain(part.origin) if (step.text, step.site) not in known]
        known.update((step.text, step.site) for step in chain)
        steps += [Step(step.text, step.site, path) for step in chain]
    return tuple(steps)


def _foreign_parts(value: Value, path: str, around: Origin | None, walked: set[int]) -> Iterator[tuple[str, Value]]:
    """The parts of ``value``, by path, that are not written inside their container's source; each once."""
    for key, part in _parts(value):
        if id(part) in walked:
            continue
        walked.add(id(part))
        where = f"{path}.{key}" if path else key
        origin = part.origin
        if origin is not None and not _stands_in(origin, around):
            yield where, part
        yield from _foreign_parts(part, where, origin or around, walked)


def _parts(value: Value) -> Iterator[tuple[str, Value]]:
    if (table := value.as_dict) is not None:
        pairs = [(str(key), entry.value) for key, entry in table.entries.items()]
    elif (sdk := value.as_sdk) is not None:
        pairs = list(sdk.names.items())
    else:
        pairs = [(str(index), item) for index, item in enumerate(value.sequence or ())]
    yield from ((key, part.element) for key, part in pairs)


def _stands_in(origin: Origin, around: Origin | None) -> bool:
    """Whether a part has its container's origin, or is a literal written inside the container's source."""
    if around is None or origin is around:
        return origin is around
    if origin.text not in ("literal", "tuple") or origin.place is None or around.place is None:
        return False
    if origin.place.module is not around.place.module:
        return False
    try:
        inner, outer = (place.module.span(place.node) for place in (origin.place, around.place))
    except KeyError:
        # An annotation that is written as a string has a syntax tree of its own.
        return False
    return outer.start <= inner.start and inner.end <= outer.end


def _chain(start: Origin | None) -> tuple[Step, ...]:
    steps: list[Step] = []
    queue = [start] if start is not None else []
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


def as_unknown(value: UnknownValue, path: str = "") -> Unknown:
    """An unknown value as the ``Unknown`` of a field, or of the part of the field at ``path``."""
    return Unknown(value.reason, value.code, path, site_of(value.place))


def site_of(place: Place | None) -> Site | None:
    """The file and line of a place; ``None`` if they are not known."""
    if place is None:
        return None
    try:
        return place.module.site(place.node)
    except KeyError:
        # An annotation that is written as a string has a syntax tree of its own.
        return None
