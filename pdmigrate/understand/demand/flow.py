"""Paths through code: alternatives that are carried out one after the other and joined, and early exits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import NoneType

from pdmigrate.understand.demand.run import DISTURBED, RaisedError, Run
from pdmigrate.understand.values.codes import CONDITION
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, Mutable, SetValue
from pdmigrate.understand.values.core import NONE, Maybe, Test, Unknown, Value
from pdmigrate.understand.values.joining import join_values
from pdmigrate.understand.values.journal import Path
from pdmigrate.understand.values.objects import Instance, Named, Scope

Branch = tuple[Unknown, bool | None]
"""A test on which it depends whether code is reached, and with which outcome it is."""


@dataclass(eq=False)
class Region:
    """A stretch of code that paths leave early: a function (``return``), a loop (``break``), an iteration
    (``continue``) or a ``try`` (``raise``)."""

    kind: str
    level: int
    exits: list[tuple[Value, Path, str]] = field(default_factory=list)
    bound: dict[Named, set[str]] = field(default_factory=dict)
    """The names that were bound in a ``try``."""
    around: Branch | None = None
    """The branch in which the stretch is."""
    left: Branch | None = None
    """The branch in which a path leaves early."""


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
    while len(run.journal.levels) > region.level + 1:
        run.journal.keep()
    paths = [delta for _, delta, _ in region.exits]
    values = [value for value, _, _ in region.exits]
    why, holds = region.left or (condition(run), None)
    if fell:
        paths.append(run.journal.since(region.level))
        values.append(NONE)
    if paths and not (fell and len(paths) == 1):
        run.journal.merge(region.level, paths, why, holds)
    run.journal.keep()
    if not values:
        return None
    result = values[0]
    for other in values[1:]:
        result = join_values(result, other, why)
    return result


def condition(run: Run, value: Value | None = None) -> Unknown:
    """Why a branch is not known that depends on the expression at this place, with that ``value``."""
    node = run.place[1] if run.place is not None else None
    if not isinstance(node, ast.expr):
        return run.unsettled("it depends on a condition", CONDITION)
    text, cause = _shown(node), ""
    if isinstance(value, Unknown):
        cause = value.test.cause if value.test is not None else value.reason.removeprefix("it depends on ")
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    opposite = _shown(node.operand) if isinstance(node, ast.UnaryOp) and negated else f"not {text}"
    if not negated and isinstance(node, (ast.BoolOp, ast.Compare, ast.IfExp)):
        opposite = f"not ({text})"
    why = run.unsettled(f"it depends on whether {text}", CONDITION)
    return replace(why, test=Test(text, opposite, cause))


@lru_cache(maxsize=10_000)
def _shown(node: ast.expr) -> str:
    text = ast.unparse(node)
    return text if len(text) < 80 else f"{text[:77]}..."


def either(
    run: Run, why: Unknown, first: Callable[[], bool], second: Callable[[], bool], *, holds: bool | None = True
) -> bool:
    """Carry out two alternatives and join what they change; ``True`` if one of them reaches its end.

    The first is the way to go if the test of ``why`` ``holds``.
    """
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
    elif one:
        run.journal.apply(changed)
    elif other:
        run.journal.apply(changed_too)
    return one or other


def either_value(run: Run, why: Unknown, first: Callable[[], Value], second: Callable[[], Value]) -> Value:
    """The value of one of two expressions."""
    found: list[Value] = []

    def keep(make: Callable[[], Value]) -> Callable[[], bool]:
        def act() -> bool:
            found.append(make())
            return True

        return act

    if not either(run, why, keep(first), keep(second)):
        raise RaisedError(message="both alternatives raise")
    return join_values(found[0], found[1], why) if len(found) == 2 else found[0]


def guarded(run: Run, act: Callable[[], bool]) -> bool:
    """Carry out a part; a path that raises goes on in the handlers around it, if there are any."""
    levels, regions = len(run.journal.levels), len(run.regions)
    try:
        return act()
    except RaisedError as raised:
        leave(run, "raise", label=raised.kind)
        del run.regions[regions:]
        while len(run.journal.levels) > levels:
            run.journal.keep()
        return False


def block(run: Run, statements: Sequence[ast.stmt], scope: Scope) -> bool:
    """Carry out statements in order; ``True`` if the end may be reached."""
    for statement in statements:
        try:
            if not run.execute(statement, scope):
                return False
        except RaisedError as raised:
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


# --- values that get out of sight -------------------------------------------------------------------------------------


def _blur(run: Run, _values: list[Value], found: list[Mutable], why: Unknown) -> None:
    """Code that is not followed may change what it can reach: containers and objects."""
    for item in found:
        own = isinstance(item, Instance) and isinstance(item.inside, (NoneType, DictValue, ListValue))
        plain_object = own and isinstance(item, Instance) and item.cls.kind != "enum"
        if plain_object or isinstance(item, (ListValue, DictValue, SetValue, IteratorValue)):
            run.journal.blur(item, why)


DISTURBED.append(_blur)
