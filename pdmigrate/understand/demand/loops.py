"""Code that runs any number of times, or at a time that is not known: what it changes is not known afterwards."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, repeat
from typing import Any

from pdmigrate.understand.demand.flow import conditionally, guarded
from pdmigrate.understand.demand.run import RaisedError, Run
from pdmigrate.understand.values.core import NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, conditional_as, join_states, unsettled
from pdmigrate.understand.values.objects import Instance, Named


def open_ended(run: Run, why: Unknown, act: Callable[[], bool]) -> bool:
    """A body that may be carried out any number of times: what it changes is not known afterwards.

    It is carried out until nothing more gets unknown, so that the paths that leave it are those of any round.
    """
    for wholly in chain((True,) if run.loops else (False,), repeat(True)):
        marks = [(region, len(region.exits)) for region in run.regions]
        level = run.journal.push()
        start = run.journal.levels[level].start
        run.loops += 1
        try:
            guarded(run, act)
        finally:
            run.loops -= 1
        changed = run.journal.since(level)
        run.journal.undo()
        grown = [_widened(run, item, state, why, wholly=wholly) for item, state in changed.items()]
        if not any(more and item.born < start for item, more in zip(changed, grown, strict=True)):
            return True
        for region, mark in marks:
            del region.exits[mark:]
    return True


def _widened(run: Run, item: Any, after: Any, why: Unknown, *, wholly: bool) -> bool:
    """Let an object be in any state that rounds of a loop may lead it to; whether that is less than was known."""
    run.journal.touch(item)
    if isinstance(item, Named) and not isinstance(item, Instance):
        data, *others = item.save()
        lost = [name for name in after[0].keys() | data.keys() if data.get(name) is not after[0].get(name)]
        known = [name for name in lost if not isinstance(bare_value(data.get(name, NONE)), Unknown)]
        for name in lost:
            old, new = data.get(name), after[0].get(name)
            value = unsettled(why, *(value for value in (old, new) if value is not None))
            data[name] = Maybe(value, why) if old is None or isinstance(old, Maybe) else value
        item.restore((data, *others))
        return bool(known)
    before, rest = _certain(item), item.rest
    item.restore(join_states(item.save(), after, why))
    item.rest = item.rest or why
    if wholly and not hasattr(item, "handlers"):
        run.journal.blur(item, why)
    return rest is None or before != _certain(item)


def _certain(item: Any) -> list[int]:
    """What of a container is certain, by identity."""
    values = item.data.values() if isinstance(item.data, dict) else item.data
    plain = (entry[1] if isinstance(entry, tuple) else entry for entry in values)
    return [id(value) for value in plain if not isinstance(value, (Maybe, Unknown))]


def visit(run: Run, items: list[Value], more: Unknown | None, act: Callable[[Value], Value]) -> list[Value]:
    """What ``act`` makes of each element, some of which may be there only on some paths.

    ``more`` says why there may be others; what it makes of these is not among the results.
    """
    made: list[Value] = []

    def one(item: Value) -> bool:
        made.append(act(item))
        return True

    for item in items:
        before = len(made)
        conditionally(run, item, one)
        made[before:] = [conditional_as(item, value) for value in made[before:]]
    known = made.copy()
    if more is not None:
        open_ended(run, more, lambda: one(more))
    return known


def deferred(run: Run, act: Callable[[], Value], what: str) -> Value:
    """The result of code that runs later, perhaps in part, or never: what it changes is not known from here on."""
    why = run.unsettled(f"{what} runs when it is asked for")
    levels, regions = len(run.journal.levels), len(run.regions)
    level = run.journal.push()
    start = run.journal.levels[level].start
    try:
        value = act()
    except RaisedError:
        run.risk = True
        value = why
    finally:
        del run.regions[regions:]
        while len(run.journal.levels) > level + 1:
            run.journal.keep()
        for item, state in run.journal.since(level).items():
            if item.born < start:
                item.restore(run.journal.before(item, level))
                _widened(run, item, state, why, wholly=True)
        while len(run.journal.levels) > levels:
            run.journal.keep()
    return value
