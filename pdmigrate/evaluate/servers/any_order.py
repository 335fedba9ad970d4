"""Tools registered in an unknown order: one tool for each element of a set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core.blurring import absorbs
from pdmigrate.evaluate.core.state import Delta
from pdmigrate.evaluate.core.values import ListValue, Mutable, UnknownValue, Value
from pdmigrate.evaluate.servers.registered import RECORD, ToolValue, Unordered

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def register(run: Interpreter, turns: Sequence[Delta], reason: UnknownValue) -> bool:
    """Continue after all of ``turns`` (loop iterations) happened once, in any order; return whether that is possible.

    Each delta is what one turn changes where any other turn may have happened before it, any number of times: it
    must change nothing that is still known in that state.  What is known after all turns are the tools that they add to
    the records of servers, if every tool has a name of its own.
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
    for target, tools in added.items():
        if tools and isinstance(target, ListValue):
            run.trail.touch(target)
            target.items += [Unordered(reason), *tools]
    return True


def _added(target: Mutable, before: Any, turns: Sequence[Delta]) -> list[Value]:
    """The tools that ``turns`` add to a server's record; empty if ``target`` is none, or if their order matters."""
    if not isinstance(target, ListValue) or target.kind != RECORD:
        return []
    added = [item for turn in turns if target in turn for item in turn[target][0][len(before[0]) :]]
    names = [_name(item) for item in (*before[0], *added) if not isinstance(item, Unordered)]
    if None in names or len(set(names)) < len(names):
        return []
    return added


def _name(item: Value) -> str | None:
    """The name of a registered tool, perhaps registered under a condition; ``None`` if it is unknown or no tool."""
    tool = item.element
    return tool.tool_name if isinstance(tool, ToolValue) else None
