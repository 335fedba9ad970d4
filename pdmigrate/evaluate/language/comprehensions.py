"""Comprehensions: loops that build a container."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.operations import EXPRESSIONS, Spread, assign, evaluate, spread, truth
from pdmigrate.evaluate.core.values import DictValue, Entry, Guard, ListValue, Maybe, Origin, Scope, UnknownValue, Value
from pdmigrate.evaluate.language import literals
from pdmigrate.evaluate.language.iteration import make_set
from pdmigrate.evaluate.language.iterators import iterator, others, uncertain_effects

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter


def frame_in(frame: Frame, scope: Scope) -> Frame:
    """``frame`` with another innermost scope."""
    return replace(frame, scope=scope)


@EXPRESSIONS.of(cst.ListComp)
def as_list(run: Interpreter, node: cst.ListComp, frame: Frame) -> ListValue:
    return _elements(run, node, frame, None)


@EXPRESSIONS.of(cst.GeneratorExp)
def as_generator(run: Interpreter, node: cst.GeneratorExp, frame: Frame) -> ListValue:
    """A generator expression: its first iterable is evaluated at once, all else when an element is wanted."""
    source = evaluate(run, node.for_in.iter, frame)

    def compute() -> tuple[list[Value], UnknownValue | None]:
        made = _elements(run, node, frame, source)
        return made.items, made.rest

    return iterator(compute, Origin("comprehension", frame.place(node)), node=node)


def _elements(
    run: Interpreter, node: cst.ListComp | cst.GeneratorExp | cst.SetComp, frame: Frame, source: Value | None
) -> ListValue:
    result = ListValue(origin=Origin("comprehension", frame.place(node)))

    def add(inner: Frame, guards: tuple[Guard, ...]) -> None:
        value = evaluate(run, node.elt, inner)
        run.budget.make(1)
        result.items.append(_guarded(value, guards))

    result.rest, _ = _loop(run, node.for_in, frame, add, node.elt, source=source)
    return result


@EXPRESSIONS.of(cst.SetComp)
def as_set(run: Interpreter, node: cst.SetComp, frame: Frame) -> Value:
    made = _elements(run, node, frame, None)
    return make_set(run, Spread(made.items, made.rest), made.origin)


@EXPRESSIONS.of(cst.DictComp)
def as_dict(run: Interpreter, node: cst.DictComp, frame: Frame) -> Value:
    result = DictValue(origin=Origin("comprehension", frame.place(node)))

    def add(inner: Frame, guards: tuple[Guard, ...]) -> None:
        key = evaluate(run, node.key, inner)
        value = evaluate(run, node.value, inner)
        run.budget.make(1)
        if not guards:
            literals.put(run, result, key, value)
            return
        single = DictValue()
        literals.put(run, single, key, value)
        for name, entry in single.entries.items():
            single.entries[name] = Entry(entry.key, _guarded(entry.value, guards))
        literals.update(run, result, single)

    rest, lost = _loop(run, node.for_in, frame, add, node.key, node.value)
    result.rest = with_aliases(result.rest, *lost) if result.rest is not None else rest
    return result


def _guarded(value: Value, guards: tuple[Guard, ...]) -> Value:
    for guard in reversed(guards):
        value = Maybe(value, guard)
    return value


def _loop(
    run: Interpreter,
    node: cst.CompFor,
    frame: Frame,
    add: Callable[[Frame, tuple[Guard, ...]], None],
    *parts: cst.BaseExpression,
    source: Value | None = None,
) -> tuple[UnknownValue | None, list[Value]]:
    """Run ``add`` for every element that passes the conditions.

    Return why there may be more elements (``None`` if there are none), with the values that these may have as aliases,
    and those values.
    """
    scope = Scope(kind="comprehension", parent=frame.scope, module=frame.module, private=frame.scope.private)
    scope.redirected = frame.scope.redirected if frame.scope.kind != "module" else {}
    clauses = _Clauses(run, add, parts, [], source)
    run.nesting.loops += 1
    try:
        rest = clauses.take(node, frame_in(frame, scope), frame, ())
        return with_aliases(rest, *clauses.lost) if rest is not None else None, clauses.lost
    finally:
        run.nesting.loops -= 1


def _plain_parts(parts: tuple[cst.BaseExpression, ...]) -> bool:
    """Whether every part of an element is a name or a literal, so that computing the element runs no other code."""
    return all(isinstance(part, (cst.Name, cst.SimpleString, cst.Integer)) for part in parts)


@dataclass(frozen=True)
class _Clauses:
    """The ``for`` clauses of one comprehension; ``parts`` are the expressions that make an element."""

    run: Interpreter
    add: Callable[[Frame, tuple[Guard, ...]], None]
    parts: tuple[cst.BaseExpression, ...]
    lost: list[Value]
    """The values of elements that may or may not exist."""
    source: Value | None
    """The iterable of the first clause, if it is evaluated already."""

    def take(
        self, node: cst.CompFor, frame: Frame, source_frame: Frame, guards: tuple[Guard, ...]
    ) -> UnknownValue | None:

        run = self.run
        outermost = self.source if source_frame is not frame else None
        source = outermost if outermost is not None else evaluate(run, node.iter, source_frame)
        elements = spread(run, source, frame.place(node))
        if not _plain_parts(self.parts):
            uncertain_effects(run, source)
        rest = elements.rest
        alone = _plain_parts(self.parts) and not node.ifs and node.inner_for_in is None
        for item in elements.items:
            if elements.rest is not None and not alone:
                # Unknown elements may come before this one, and computing them may change its value.
                known = len(self.lost)
                self._any_number(node, others(elements.rest), frame)
                del self.lost[known:]
            run.budget.step()
            here = guards
            while isinstance(item, Maybe):
                here, item = (*here, item.guard), item.value
            rest = self._under(here[len(guards) :], partial(self._next, node, item, frame, here)) or rest
        if elements.rest is not None:
            self._any_number(node, elements.rest, frame)
        return rest

    def _next(self, node: cst.CompFor, item: Value, frame: Frame, guards: tuple[Guard, ...]) -> UnknownValue | None:
        assign(self.run, node.target, item, frame)
        return self._element(node, frame, guards, node.ifs)

    def _element(
        self, node: cst.CompFor, frame: Frame, guards: tuple[Guard, ...], conditions: Sequence[cst.CompIf]
    ) -> UnknownValue | None:
        """Add the elements for the target's current value if ``conditions`` hold; return why there may be more."""
        for number, condition in enumerate(conditions):
            known = truth(self.run, evaluate(self.run, condition.test, frame))
            if known is False:
                return None
            if known is not True:
                guard, left = Guard(frame.module.code(condition.test), known), conditions[number + 1 :]
                return self._under((guard,), partial(self._element, node, frame, (*guards, guard), left))
        if node.inner_for_in is not None:
            return self.take(node.inner_for_in, frame, frame, guards)
        self.add(frame, guards)
        return None

    def _under(self, new: Sequence[Guard], compute: Callable[[], UnknownValue | None]) -> UnknownValue | None:
        """Run ``compute``; if there are ``new`` guards, it is unknown whether its effects and exceptions happen."""
        return self.run.under(new[-1], compute) if new else compute()

    def _any_number(self, node: cst.CompFor, unknown: UnknownValue, frame: Frame) -> None:
        """Forget all that computing unknown elements, any number of them, may change."""

        def turn() -> None:
            assign(self.run, node.target, unknown, frame)
            self._once(node, frame)

        self.run.any_number(Guard("the comprehension reaches this element", unknown), turn)

    def _once(self, node: cst.CompFor, frame: Frame) -> None:
        inner: cst.CompFor | None = node
        while inner is not None:
            if inner is not node:
                elements = spread(self.run, evaluate(self.run, inner.iter, frame), frame.place(inner))
                some = reasons.unknown(reasons.CONDITION, "an element of it", frame.place(inner))
                assign(self.run, inner.target, with_aliases(elements.rest or some, *elements.items), frame)
            if not _may_pass(self.run, inner, frame):
                return
            inner = inner.inner_for_in
        self.lost.extend(evaluate(self.run, part, frame) for part in self.parts)


def _may_pass(run: Interpreter, node: cst.CompFor, frame: Frame) -> bool:
    """Whether no condition of the clause is certainly false."""
    return all(truth(run, evaluate(run, condition.test, frame)) is not False for condition in node.ifs)
