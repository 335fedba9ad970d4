"""Comprehensions and generator expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from pdmigrate.understand.demand.containers import elements, make_set, overlay, put_entry
from pdmigrate.understand.demand.expressions import expression
from pdmigrate.understand.demand.flow import condition, conditionally, either
from pdmigrate.understand.demand.operators import truth
from pdmigrate.understand.demand.run import EXPRESSIONS, Run
from pdmigrate.understand.demand.statements import assign
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue
from pdmigrate.understand.values.core import Value
from pdmigrate.understand.values.joining import unsettled
from pdmigrate.understand.values.objects import Scope, key_of

# --- comprehensions ---------------------------------------------------------------------------------------------------


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
    items, more = elements(run, run.evaluate(first.iter, around))
    if more is not None:
        run.journal.touch(made)
        made.rest = made.rest or more
    for item in items:
        conditionally(run, item, lambda one: _element(run, first, one, rest, scope, add, made))


def _element(
    run: Run, first: ast.comprehension, item: Value, rest: list[ast.comprehension], scope: Scope, add: Any, made: Any
) -> bool:
    run.step()
    _bind(run, first.target, item, scope)
    return _filtered(run, first.ifs, rest, scope, add, made)


def _bind(run: Run, target: ast.expr, value: Value, scope: Scope) -> None:
    """The targets of a comprehension are its own names."""
    kind, scope.kind = scope.kind, "function"
    try:
        assign(run, target, value, scope)
    finally:
        scope.kind = kind


def _filtered(
    run: Run, tests: list[ast.expr], rest: list[ast.comprehension], scope: Scope, add: Any, made: Any
) -> bool:
    if not tests:
        _generators(run, rest[1:], scope, add, made)
        return True
    known = truth(run, run.evaluate(tests[0], scope))
    if known is False:
        return True
    if known:
        return _filtered(run, tests[1:], rest, scope, add, made)
    run.place = (scope, tests[0])
    why = condition(run)
    return either(run, why, lambda: _filtered(run, tests[1:], rest, scope, add, made), lambda: True)


def _list_comprehension(run: Run, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, scope: Scope) -> Value:
    made = ListValue()

    def add(inner: Scope) -> None:
        value = run.evaluate(node.elt, inner)
        run.journal.touch(made)
        made.data.append(value)

    _comprehension(run, node, scope, add, made)
    if isinstance(node, ast.SetComp):
        return make_set(run, made.data, made.rest)
    if isinstance(node, ast.GeneratorExp):
        return IteratorValue(made.data, made.rest)
    return made


for _kind in (ast.ListComp, ast.SetComp, ast.GeneratorExp):
    EXPRESSIONS[_kind] = _list_comprehension


@expression(ast.DictComp)
def _dict_comprehension(run: Run, node: ast.DictComp, scope: Scope) -> Value:
    made = DictValue()

    def add(inner: Scope) -> None:
        key = run.evaluate(node.key, inner)
        value = run.evaluate(node.value, inner)
        run.journal.touch(made)
        known = key_of(key)
        if known is None:
            overlay(made, unsettled(run.because("a key that is not known", key), value))
        else:
            put_entry(made, known, key, value)

    _comprehension(run, node, scope, add, made)
    return made
