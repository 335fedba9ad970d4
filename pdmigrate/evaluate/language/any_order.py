"""Loops over sets, which add to a record in an unknown order: one element for each element of the set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core.blurring import absorbs
from pdmigrate.evaluate.core.state import Delta
from pdmigrate.evaluate.core.values import Mutable, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@dataclass(slots=True, eq=False)
class Unordered(Value):
    """A marker in a record: the order of the elements after the marker is not the order of registration."""

    reason: UnknownValue


RECORDS: dict[str, Callable[[Value], str | None]] = {}
"""For each kind of list that is a record: gives the name of an element, ``None`` if that is unknown or absent.

No code of the program sees such a list, and the order of elements with different names does not matter.
"""


def register(run: Interpreter, turns: Sequence[Delta], reason: UnknownValue) -> bool:
    """Continue after all of ``turns`` (loop iterations) happened once, in any order; return whether that is possible.

    Each delta holds the changes of one turn, made in a state in which every other turn may already have happened, any
    number of times.  No turn may change anything that is still known in that state.  All that is known afterwards is
    what the turns add to records, if every element has a name of its own.
    """
    before: dict[Mutable, Any] = {}
    for turn in turns:
        for target, after in turn.items():
            if target.serial <= turn.born:
                known = before.setdefault(target, target.snapshot())
                if not absorbs(target, known, after):
                    return False
    added = {target: _added(target, saved, turns) for target, saved in before.items()}
    for turn in turns:
        run.trail.havoc(turn, reason)
    for target, elements in added.items():
        if elements and (record := target.as_list) is not None:
            run.trail.touch(record)
            record.items += [Unordered(reason), *elements]
    return True


def _added(target: Mutable, before: Any, turns: Sequence[Delta]) -> list[Value]:
    """The elements that ``turns`` add to ``target``; empty if it is no record, or if the order of elements matters."""
    if (record := target.as_list) is None or record.kind not in RECORDS:
        return []
    added = [item for turn in turns if target in turn for item in turn[target][0][len(before[0]) :]]
    named = RECORDS[record.kind]
    names = [named(item.element) for item in (*before[0], *added) if not isinstance(item, Unordered)]
    return [] if None in names or len(set(names)) < len(names) else added
