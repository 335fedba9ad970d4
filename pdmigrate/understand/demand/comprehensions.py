"""Comprehensions and generator expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from pdmigrate.understand.demand.containers import LATE, elements, is_astray, make_set, put_under, reached
from pdmigrate.understand.demand.expressions import expression
from pdmigrate.understand.demand.flow import condition, conditionally, deferred, either, open_ended
from pdmigrate.understand.demand.later import is_settled
from pdmigrate.understand.demand.operators import tested
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.demand.statements import assign
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import Scope


def _comprehension(run: Run, node: Any, scope: Scope, add: Callable[[Scope], None], made: Any) -> None:
    # The first iterable is evaluated in the scope around the comprehension.
    inner = Scope("comprehension", scope.module, scope, node.generators[0].iter)
    _generators(run, node.generators, inner, add, made)


def _generators(run: Run, rest: list[ast.comprehension], scope: Scope, add: Callable[[Scope], None], made: Any) -> None:
    if not rest:
        add(scope)
        return
    first = rest[0]
    outermost = isinstance(scope.node, ast.expr) and scope.node is first.iter
    around = scope.parent if outermost and scope.parent is not None else scope
    value = run.evaluate(first.iter, around)
    items, more = elements(run, value)

    def act(item: Value) -> bool:
        run.step()
        _bind(run, first.target, item, scope)
        return passed(first.ifs)

    def passed(tests: list[ast.expr]) -> bool:
        if not tests:
            _generators(run, rest[1:], scope, add, made)
            return True
        value, known = tested(run, tests[0], scope)
        if known is not None:
            return not known or passed(tests[1:])
        run.place = (scope, tests[0])
        return either(run, condition(run, value), lambda: passed(tests[1:]), lambda: True)

    if more is not None:
        run.journal.touch(made)
        state = made.save()
        open_ended(run, more, lambda: act(more))
        others = unsettled(more, made.rest or more, *made.held)
        made.restore(state)
        made.rest = made.rest or others
    for item in reached(run, value, items):
        conditionally(run, item, act)
    if more is None and isinstance(value, IteratorValue) and (value.rest is not None or is_astray(value)):
        run.journal.blur(made, value.rest or run.unsettled(LATE))


def _bind(run: Run, target: ast.expr, value: Value, scope: Scope) -> None:
    """The targets of a comprehension are its own names."""
    kind, scope.kind = scope.kind, "function"
    try:
        assign(run, target, value, scope)
    finally:
        scope.kind = kind


@expression(ast.ListComp, ast.SetComp, ast.GeneratorExp)
def _list_comprehension(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope) -> Value:
    if not isinstance(node, ast.GeneratorExp):
        made = _collected(run, node, scope)
        return made if isinstance(node, ast.ListComp) else make_set(run, made.data, made.rest)

    def act() -> Value:
        found = _collected(run, node, scope)
        return IteratorValue(found.data, found.rest)

    if node in run.whole_runs:
        return act()
    parts = [node.elt, *(part for each in node.generators for part in each.ifs)]
    later = deferred(run, act, "a generator")
    stays = node in run.part_runs or all(is_settled(run, part, scope) for part in parts)
    return later if stays else unsettled(run.unsettled("a generator with a name that is bound again"), later)


def _collected(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope) -> ListValue:
    made = ListValue()

    def add(inner: Scope) -> None:
        value = run.evaluate(node.elt, inner)
        run.journal.touch(made)
        made.data.append(value)

    _comprehension(run, node, scope, add, made)
    return made


@expression(ast.DictComp)
def _dict_comprehension(run: Run, node: ast.DictComp, scope: Scope) -> Value:
    made = DictValue()

    def add(inner: Scope) -> None:
        key, value = run.evaluate(node.key, inner), run.evaluate(node.value, inner)
        run.journal.touch(made)
        put_under(run, made, key, value)

    _comprehension(run, node, scope, add, made)
    return made
