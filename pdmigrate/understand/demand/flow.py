"""Paths through code: alternatives that are carried out one after the other and joined, and early exits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any

from pdmigrate.understand.demand.run import DISTURBED, ExhaustedError, RaisedError, Region, Run
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, Mutable, SetValue
from pdmigrate.understand.values.core import CONDITION, NONE, Maybe, Test, Unknown, Value
from pdmigrate.understand.values.joining import bare_value, conditional_as, join_states, join_values, unsettled
from pdmigrate.understand.values.objects import Instance, ModuleName, Named, Scope
from pdmigrate.understand.values.outside import external_name


def open_region(run: Run, kind: str) -> Region:
    region = Region(kind, run.journal.push(), around=run.branch)
    run.regions.append(region)
    return region


def leave(run: Run, kind: str, value: Value = NONE, label: str = "") -> bool:
    """A path leaves the innermost region of ``kind`` here; ``False``: nothing follows on this path."""
    for region in reversed(run.regions):
        if region.kind == kind:
            region.exits.append((value, run.journal.since(region.level), label))
            region.left = region.left or (run.branch if run.branch is not region.around else None)
            return False
        if region.kind == "function" and kind != "raise":
            return False
    if kind == "raise" and label:
        run.escapes.append(label)
    return False


def drop_region(run: Run, region: Region) -> None:
    """Leave a region, and those that are still open in it."""
    while run.regions and run.regions.pop() is not region:
        pass


def close_region(run: Run, region: Region, fell: bool) -> Value | None:
    """Join all paths out of a region, the one that reached its end included if it ``fell`` through.

    The value is the joined one of the exits, with ``None`` for the end; ``None`` if no path gets out.
    """
    drop_region(run, region)
    run.journal.keep(region.level + 1)
    paths = [delta for _, delta, _ in region.exits]
    values = [value for value, _, _ in region.exits]
    why, holds = region.left or (condition(run), None)
    if fell:
        paths.append(run.journal.since(region.level))
        values.append(NONE)
    if paths and not (fell and len(paths) == 1):
        run.journal.merge(region.level, paths, why, holds)
    run.journal.keep()
    return reduce(lambda one, other: join_values(one, other, why), values) if values else None


def condition(run: Run, value: Value | None = None) -> Unknown:
    """Why a branch is not known that depends on the expression at this place, with that ``value``."""
    node = run.place[1] if run.place is not None else None
    if not isinstance(node, ast.expr):
        return run.unsettled("it depends on a condition", CONDITION)
    text, cause = _shown(node), ""
    if isinstance(value, Unknown):
        cause = value.test.cause if value.test is not None else value.reason.removeprefix("it depends on ")
    opposite = f"not ({text})" if isinstance(node, (ast.BoolOp, ast.Compare, ast.IfExp)) else f"not {text}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        opposite = _shown(node.operand)
    why = run.unsettled(f"it depends on whether {text}", CONDITION)
    return replace(why, test=Test(text, opposite, cause))


@lru_cache(maxsize=10_000)
def _shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) < 80 else f"{text[:77]}..."


def either(
    run: Run, why: Unknown, first: Callable[[], bool], second: Callable[[], bool], *, holds: bool | None = True
) -> bool:
    """Carry out and join two alternatives, the first if the test of ``why`` ``holds``; whether one ends."""
    around, run.branch = run.branch, (why, holds)
    try:
        run.journal.push()
        one = guarded(run, first)
        changed = run.journal.undo()
        run.journal.push()
        run.branch = (why, None if holds is None else not holds)
        other = guarded(run, second)
        changed_too = run.journal.undo()
    finally:
        run.branch = around
    if one and other:
        run.journal.join(changed, changed_too, why, holds)
    elif one or other:
        run.journal.apply(changed if one else changed_too)
    return one or other


def either_value(run: Run, why: Unknown, first: Callable[[], Value], second: Callable[[], Value]) -> Value:
    """The value of one of two expressions."""
    found: list[Value] = []

    def keep(make: Callable[[], Value]) -> bool:
        found.append(make())
        return True

    if not either(run, why, lambda: keep(first), lambda: keep(second)):
        raise RaisedError(message="both alternatives raise")
    return reduce(lambda one, other: join_values(one, other, why), found)


def each_of(run: Run, why: Unknown, options: Sequence[Value], act: Callable[[Value], Value]) -> Value:
    """What ``act`` makes of one of several values."""
    first, *others = options
    if not others:
        return act(first)
    return either_value(run, why, lambda: act(first), lambda: each_of(run, why, others, act))


def guarded(run: Run, act: Callable[[], bool]) -> bool:
    """Carry out a part; a path that raises goes on in the handlers around it, if there are any."""
    levels, regions = len(run.journal.levels), len(run.regions)
    try:
        return act()
    except RaisedError as raised:
        if not raised.noted:
            leave(run, "raise", label=raised.kind)
        del run.regions[regions:]
        run.journal.keep(levels)
        return False


def block(run: Run, statements: Sequence[ast.stmt], scope: Scope) -> bool:
    """Carry out statements in order; ``True`` if the end may be reached."""
    for statement in statements:
        try:
            if not run.execute(statement, scope):
                return False
        except RaisedError as raised:
            if not raised.noted:
                leave(run, "raise", label=raised.kind)
            if not any(region.kind == "raise" for region in run.regions):
                raise
            return False
    return True


def conditionally(run: Run, item: Value, act: Callable[[Value], bool]) -> bool:
    """Carry out ``act`` with an element of a container, which may be there only on some paths."""
    if isinstance(item, Maybe):
        return either(run, item.why, lambda: act(item.value), lambda: True, holds=item.holds)
    return act(item)


def open_ended(run: Run, why: Unknown, act: Callable[[], bool]) -> None:
    """A body that may be carried out any number of times: what it changes is not known afterwards.

    It is carried out until nothing more gets unknown, so that the paths that leave it are those of any round.  Raises
    ExhaustedError if there is no end of that: a round may put what it makes into what the next one makes.
    """
    wholly = run.loops > 0
    for _ in range(_MOST_ROUNDS):
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
            return
        for region, mark in marks:
            del region.exits[mark:]
        wholly = True
    raise ExhaustedError


_MOST_ROUNDS = 30


def _widened(run: Run, item: Any, after: Any, why: Unknown, *, wholly: bool) -> bool:
    """Let an object be in any state that rounds of a loop may lead it to; whether that is less than was known."""
    if isinstance(item, Named) and not isinstance(item, Instance):
        data = item.save()[0]
        # What is set may be set back later.
        lost = rebound(run, item, after, why, data.keys() if wholly and isinstance(item, ModuleName) else ())
        return not all(isinstance(bare_value(data.get(name, NONE)), Unknown) for name in lost)
    run.journal.touch(item)
    before, rest = _certain(item), item.rest
    item.restore(join_states(item.save(), after, why))
    item.rest = item.rest or why
    if wholly and not hasattr(item, "handlers"):
        run.journal.blur(item, why)
    return rest is None or before != _certain(item)


def rebound(run: Run, item: Any, after: Any, why: Unknown, more: Iterable[str] = ()) -> set[str]:
    """Let the names of an object mean what they do, or what they do ``after``; which ones differ, or are ``more``."""
    run.journal.touch(item)
    data, *others = item.save()
    found = {*more, *(name for name in after[0].keys() | data.keys() if data.get(name) is not after[0].get(name))}
    for name in found:
        old, new = data.get(name), after[0].get(name)
        value = unsettled(why, *(value for value in (old, new) if value is not None))
        data[name] = Maybe(value, why) if old is None or isinstance(old, Maybe) else value
    item.restore((data, *others))
    return found


def _certain(item: Any) -> list[int]:
    """What of a container is certain, by identity."""
    values = item.data.values() if isinstance(item.data, dict) else item.data
    plain = (entry[1] if isinstance(entry, tuple) else entry for entry in values)
    return [id(value) for value in plain if not isinstance(value, (Maybe, Unknown))]


def visit(run: Run, items: list[Value], more: Unknown | None, act: Callable[[Value], Value]) -> list[Value]:
    """What ``act`` makes of each element, under its condition, but not of the others for which ``more`` is."""
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


def _exits(run: Run) -> int:
    return sum(len(region.exits) for region in run.regions)


def deferred(run: Run, act: Callable[[], Value], what: str) -> Value:
    """The result of code that runs later, perhaps in part, or never: what it changes is not known from here on."""
    why = run.unsettled(f"{what} runs when it is asked for")
    level, regions, noted = run.journal.push(), len(run.regions), _exits(run)
    try:
        value = act()
    except RaisedError:
        run.risk = True
        value = why
    finally:
        run.risk |= _exits(run) > noted  # a path that raises does so when that code runs
        del run.regions[regions:]
        run.journal.keep(level + 1)
        for item, state in run.journal.undo().items():
            _widened(run, item, state, why, wholly=True)
    return value


def _blur(run: Run, values: list[Value], found: list[Mutable], why: Unknown) -> None:
    """Code that is not followed may change what it can reach: containers and objects."""
    sets = any(external_name(each).endswith(("setattr", "delattr", "setattr__", "delattr__")) for each in values)
    for item in found:
        own = sets or isinstance(item, (ListValue, DictValue, SetValue, IteratorValue))
        if isinstance(item, Instance) and item.cls.kind != "enum":
            own = item.inside is None
        if own:
            run.journal.blur(item, why)


DISTURBED.append(_blur)
