"""Merge the alternative lists of tools that one middleware may return, before the next one sees them.

A hook may return its list unchanged under one condition and with changed copies of the tools under another.  The next
hook would go through both and return twice as many: after five hooks a server of fifty tools would list thousands.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.aliasing import choice_unknown
from pdmigrate.evaluate.core.joining import flat, in_either, join_values, merged_order
from pdmigrate.evaluate.core.values import Choice, Guard, ListValue, Maybe, Value
from pdmigrate.recognise.servers.record import ToolValue, as_tool
from pdmigrate.recognise.servers.tools import tool_attribute

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

Key = tuple[str, int, int]
"""A tool's name, and the identities of the function and of the options that it was registered with."""


def one_list(run: Interpreter, value: Value, done: dict[int, ListValue | None] | None = None) -> ListValue | None:
    """A list with every tool of ``value`` once; attributes in which the alternatives differ are unknown.

    ``None`` where the alternatives are not all lists of registered tools, each with a name, in an order that agrees.
    """
    done = {} if done is None else done
    if id(value) not in done:
        run.budget.step()
        done[id(value)] = _joined(run, value, done) if value.branches else _plain(run, value)
    return done[id(value)]


def _plain(run: Interpreter, value: Value) -> ListValue | None:
    given = value.as_list
    if given is None or given.rest is not None or given.kind != "list":
        return None
    items = [_with_one_tool(run, flat(item)) for item in given.items]
    if all(one is two for one, two in zip(items, given.items, strict=True)):
        return given
    return ListValue(items, origin=given.origin)


def _with_one_tool(run: Interpreter, item: Value) -> Value:
    """``item`` with its alternatives merged, if all of them are copies of one tool; otherwise ``item`` itself."""
    inner = item.element
    if not inner.branches:
        return item
    first, second = (as_tool(_with_one_tool(run, side)) for side in inner.sides)
    if first is None or second is None or _key(first) != _key(second):
        return item
    both = _both(run, inner.branches[0][0], first, second) if first is not second else first
    return _instead_of(item, both)


def _instead_of(item: Value, tool: ToolValue) -> Value:
    """``tool`` under the conditions on which ``item`` is there."""
    return replace(item, value=tool) if isinstance(item, Maybe) else tool


def _key(tool: ToolValue) -> Key | None:
    return (tool.tool_name, id(tool.value), id(tool.options)) if tool.tool_name is not None else None


def _joined(run: Interpreter, value: Value, done: dict[int, ListValue | None]) -> ListValue | None:
    (guard, first), (_, second) = value.branches
    ones, twos = _by_key(one_list(run, first, done)), _by_key(one_list(run, second, done))
    if ones is None or twos is None:
        return None
    order = merged_order(ones, twos)
    if order is None:
        return None
    run.budget.make(len(order))
    return ListValue([_tool(run, guard, ones.get(key), twos.get(key)) for key in order], origin=value.origin)


def _by_key(tools: ListValue | None) -> dict[Key, Value] | None:
    found: dict[Key, Value] = {}
    for item in map(flat, tools.items if tools is not None else ()):
        tool = as_tool(item.element)
        key = _key(tool) if tool is not None else None
        if key is None:
            return None
        found[key] = item
    return found if tools is not None and len(found) == len(tools.items) else None


def _tool(run: Interpreter, guard: Guard, one: Value | None, two: Value | None) -> Value:
    """A tool that stands in one of two lists, or in both."""
    if one is None or two is None:
        return in_either(guard, one, two)
    first, second = (as_tool(item.element) for item in (one, two))
    assert first is not None
    assert second is not None
    if first is not second:
        both = _both(run, guard, first, second)
        one, two = _instead_of(one, both), _instead_of(two, both)
    return in_either(guard, one, two)


def _both(run: Interpreter, guard: Guard, first: ToolValue, second: ToolValue) -> ToolValue:
    """Merge two copies of one tool; attributes in which they differ are unknown."""
    names: dict[str, Value] = {}
    for name in {**first.names, **second.names}:
        one, two = (tool_attribute(run, tool, name, None) for tool in (first, second))
        joined = join_values(guard, one, two)
        names[name] = choice_unknown(joined) if isinstance(joined, Choice) and joined is not one else joined
    return replace(first, names=names, rest=first.rest or second.rest)
