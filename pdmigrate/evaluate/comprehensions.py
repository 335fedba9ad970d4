"""Comprehensions: loops that build a container."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate import literals
from pdmigrate.evaluate.iteration import Spread, make_set, spread
from pdmigrate.evaluate.values import (
    DictValue,
    Entry,
    Guard,
    ListValue,
    Maybe,
    Origin,
    Scope,
    SetValue,
    UnknownValue,
    Value,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Frame, Interpreter


def frame_in(frame: Frame, scope: Scope) -> Frame:
    """``frame`` with another innermost scope."""
    return replace(frame, scope=scope)


def as_list(run: Interpreter, node: cst.ListComp | cst.GeneratorExp, frame: Frame, kind: str) -> ListValue:
    result = ListValue(kind=kind, origin=Origin("comprehension", frame.place(node)))

    def add(inner: Frame, guards: tuple[Guard, ...]) -> None:
        value = run.evaluate(node.elt, inner)
        run.budget.make(1)
        result.items.append(_guarded(value, guards))

    result.rest = _loop(run, node.for_in, frame, add)
    return result


def as_set(run: Interpreter, node: cst.SetComp, frame: Frame) -> Value:
    items: list[Value] = []

    def add(inner: Frame, guards: tuple[Guard, ...]) -> None:
        items.append(_guarded(run.evaluate(node.elt, inner), guards))

    rest = _loop(run, node.for_in, frame, add)
    result = make_set(run, Spread(items, rest), Origin("comprehension", frame.place(node)))
    assert isinstance(result, SetValue)
    return result


def as_dict(run: Interpreter, node: cst.DictComp, frame: Frame) -> Value:
    result = DictValue(origin=Origin("comprehension", frame.place(node)))

    def add(inner: Frame, guards: tuple[Guard, ...]) -> None:
        key = run.evaluate(node.key, inner)
        value = run.evaluate(node.value, inner)
        run.budget.make(1)
        if not guards:
            literals.put(run, result, key, value)
            return
        single = DictValue()
        literals.put(run, single, key, value)
        for name, entry in single.entries.items():
            single.entries[name] = Entry(entry.key, _guarded(entry.value, guards))
        literals.update(run, result, single)

    rest = _loop(run, node.for_in, frame, add)
    result.rest = result.rest or rest
    return result


def _guarded(value: Value, guards: tuple[Guard, ...]) -> Value:
    for guard in reversed(guards):
        value = Maybe(value, guard)
    return value


def _loop(
    run: Interpreter, node: cst.CompFor, frame: Frame, add: Callable[[Frame, tuple[Guard, ...]], None]
) -> UnknownValue | None:
    """Run ``add`` for every element that passes the conditions; why there may be more of them."""
    scope = Scope(kind="comprehension", parent=frame.scope, module=frame.module)
    scope.redirected = frame.scope.redirected if frame.scope.kind != "module" else {}
    run.loops += 1
    try:
        return _clause(run, node, frame_in(frame, scope), frame, (), add)
    finally:
        run.loops -= 1


def _clause(
    run: Interpreter,
    node: cst.CompFor,
    frame: Frame,
    source_frame: Frame,
    guards: tuple[Guard, ...],
    add: Callable[[Frame, tuple[Guard, ...]], None],
) -> UnknownValue | None:
    from pdmigrate.evaluate.statements import assign

    elements = spread(run, run.evaluate(node.iter, source_frame), frame.place(node))
    rest = elements.rest
    for item in elements.items:
        run.budget.step()
        here = guards
        while isinstance(item, Maybe):
            here, item = (*here, item.guard), item.value
        assign(run, node.target, item, frame)
        passed = _conditions(run, node, frame)
        if passed is None:
            continue
        here = (*here, *passed)
        if node.inner_for_in is not None:
            rest = _clause(run, node.inner_for_in, frame, frame, here, add) or rest
        else:
            add(frame, here)
    return rest


def _conditions(run: Interpreter, node: cst.CompFor, frame: Frame) -> tuple[Guard, ...] | None:
    """The conditions that are not known, or ``None`` when one is false."""
    from pdmigrate.evaluate.comparison import truth

    guards: list[Guard] = []
    for condition in node.ifs:
        known = truth(run, run.evaluate(condition.test, frame))
        if known is False:
            return None
        if isinstance(known, UnknownValue):
            guards.append(Guard(frame.module.code(condition.test), known))
    return tuple(guards)
