"""Expressions."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from pdmigrate.model import Step
from pdmigrate.understand.demand import functions
from pdmigrate.understand.demand.containers import content, elements, item_at, make_dict, make_set
from pdmigrate.understand.demand.flow import condition, either_value
from pdmigrate.understand.demand.operators import (
    LONGEST,
    binary,
    compare,
    merge_dicts,
    operands,
    plain_of,
    tested,
    truth,
)
from pdmigrate.understand.demand.run import EXPRESSIONS, Run, entry, raised
from pdmigrate.understand.demand.scopes import look_up
from pdmigrate.understand.demand.statements import assign
from pdmigrate.understand.demand.unfollowed import ARITHMETIC, operated
from pdmigrate.understand.index.syntax import chain
from pdmigrate.understand.values.containers import DictValue, ListValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import certain, unsettled
from pdmigrate.understand.values.objects import Arguments, BoundMethod, ClassValue, FunctionValue, Scope, text_of
from pdmigrate.understand.values.outside import Called, External

expression = entry(EXPRESSIONS)


@expression(ast.Constant)
def _constant(_run: Run, node: ast.Constant, scope: Scope) -> Value:
    made = Step("literal", scope.module.site(node)) if isinstance(node.value, str) else None
    return Const(node.value, made)


@expression(ast.Attribute)
def _attribute(run: Run, node: ast.Attribute, scope: Scope) -> Value:
    value = run.evaluate(node.value, scope)
    run.place = (scope, node)
    return run.attribute(value, node.attr)


@expression(ast.Subscript)
def _subscript(run: Run, node: ast.Subscript, scope: Scope) -> Value:
    value, key = run.evaluate(node.value, scope), run.evaluate(node.slice, scope)
    run.place = (scope, node)
    return item_at(run, value, key)


@expression(ast.Slice)
def _slice(run: Run, node: ast.Slice, scope: Scope) -> Value:
    parts = [run.evaluate(part, scope) if part is not None else NONE for part in (node.lower, node.upper, node.step)]
    return Called("builtins.slice", tuple(parts), (), run.site())


@expression(ast.Call)
def _call(run: Run, node: ast.Call, scope: Scope) -> Value:
    function = run.evaluate(node.func, scope)
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return functions.plain_super(run, scope)
    last = getattr(node.func, "id", getattr(node.func, "attr", ""))
    inner = function.function if isinstance(function, BoundMethod) else function
    if (last in _WHOLLY or (last in _LAZY and node in run.whole_runs)) and not isinstance(
        inner, (FunctionValue, ClassValue)
    ):
        run.whole_runs.update(item.value if isinstance(item, ast.Starred) else item for item in node.args)
    elif isinstance(inner, External) and last in _PARTLY:
        run.part_runs.update(node.args[:1])
    arguments = arguments_of(run, node, scope)
    run.place = (scope, node)
    if isinstance(function, External) and function.name in SCOPED:
        return SCOPED[function.name](run, scope, arguments)
    return run.call(function, arguments)


_WHOLLY = frozenset(
    {
        *("list", "tuple", "set", "frozenset", "sorted", "dict", "sum", "join", "extend", "update", "max", "min"),
        *("run", "gather", "run_until_complete", "wait_for", "shield", "deque", "Counter", "fromkeys"),
    }
)
"""Functions that run what they are given at once, to its end."""
_PARTLY = frozenset({"any", "all", "next"})
"""Functions that run what they are given at once, as far as they need it."""
_LAZY = frozenset({"from_iterable", "enumerate"})
"""Functions whose results go through what they are given."""
SCOPED: dict[str, Callable[[Run, Scope, Arguments], Value]] = {}
"""Builtins that see the scope of their caller: ``locals``, ``globals``."""


def arguments_of(run: Run, node: ast.Call, scope: Scope) -> Arguments:
    """The evaluated arguments of a call."""
    given = Arguments(site=scope.module.site(node), node=node)
    for item in node.args:
        if isinstance(item, ast.Starred):
            found, more = elements(run, run.evaluate(item.value, scope))
            run.step(len(found) // 2)
            sometimes = next((part.why for part in found if isinstance(part, Maybe)), None)
            _place(given, found, more or sometimes)
        else:
            _place(given, [run.evaluate(item, scope)], None)
    for keyword in node.keywords:
        value = run.evaluate(keyword.value, scope)
        if keyword.arg is not None:
            given.keywords[keyword.arg] = value
        elif isinstance(spread := content(value), DictValue):
            _spread(run, given, spread)
        else:
            given.unknown = run.because("keywords that are not known", value)
    if given.unknown is None and given.perhaps:
        given.unknown, given.named_only = next(item.why for item in given.perhaps.values()), True
    return given


def _place(given: Arguments, found: list[Value], why: Unknown | None) -> None:
    """Add positional arguments; ``why``: neither their number nor their places are known, nor those of later ones."""
    if why is None and given.unknown is None:
        given.positional += found
    elif why is not None or given.unknown is not None:
        given.unknown = unsettled(given.unknown or why or Unknown("an argument"), given.unknown or NONE, *found)


def _spread(run: Run, given: Arguments, value: DictValue) -> None:
    given.unknown = given.unknown or value.rest
    for key, item in value.entries():
        name = text_of(key)
        if name is None:
            given.unknown = given.unknown or run.unsettled("a keyword that is not known")
        else:
            given.keywords[name] = certain(item)
            if isinstance(item, Maybe):
                given.perhaps[name] = item


@expression(ast.Tuple)
def _tuple(run: Run, node: ast.Tuple, scope: Scope) -> Value:
    items, more = _display(run, node.elts, scope)
    if more is not None or any(isinstance(item, Maybe) for item in items):
        return more or run.unsettled("a tuple whose elements depend on a condition")
    return TupleValue(tuple(items))


def _display(run: Run, nodes: list[ast.expr], scope: Scope) -> tuple[list[Value], Unknown | None]:
    items: list[Value] = []
    more: Unknown | None = None
    for node in nodes:
        if isinstance(node, ast.Starred):
            found, rest = elements(run, run.evaluate(node.value, scope))
            items += found
            more = more or rest
        else:
            items.append(run.evaluate(node, scope))
    return items, more


@expression(ast.Dict)
def _dict(run: Run, node: ast.Dict, scope: Scope) -> Value:
    made = DictValue()
    made.made = Step("literal", scope.module.site(node))
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            spread = content(run.evaluate(value, scope))
            if isinstance(spread, DictValue):
                merge_dicts(made, spread)
            else:
                why = unsettled(run.because("entries that are not known", spread), spread)
                merge_dicts(made, DictValue({}, why))
            continue
        one = make_dict([(run.evaluate(key, scope), run.evaluate(value, scope))], run)
        merge_dicts(made, one)
    return made


@expression(ast.BinOp)
def _binary(run: Run, node: ast.BinOp, scope: Scope) -> Value:
    left, right = run.evaluate(node.left, scope), run.evaluate(node.right, scope)
    run.place = (scope, node)
    return binary(run, node.op, left, right)


@expression(ast.UnaryOp)
def _unary(run: Run, node: ast.UnaryOp, scope: Scope) -> Value:
    value = run.evaluate(node.operand, scope)
    if isinstance(node.op, ast.Not):
        known = truth(run, value)
        return _bool(run, None if known is None else not known, value)
    operated(run, ARITHMETIC, value)
    plain = plain_of(value)
    if plain is None or not isinstance(plain.value, (int, float)):
        return run.because("an operator that is not followed", value)
    signs: dict[type, Callable[[Any], Any]] = {ast.USub: lambda x: -x, ast.UAdd: lambda x: +x, ast.Invert: lambda x: ~x}
    return Const(signs[type(node.op)](plain.value))


def _bool(run: Run, known: bool | None, *values: Value) -> Value:
    if known is not None:
        return TRUE if known else FALSE
    return next((value for value in values if isinstance(value, Unknown)), None) or condition(run)


def _chained(run: Run, node: ast.Compare, left: Value, number: int, scope: Scope) -> Value:
    """The comparisons of a chain from ``number`` on: one is only made if those before it hold."""
    right = run.evaluate(node.comparators[number], scope)
    run.place = (scope, node)
    known = compare(run, node.ops[number], left, right)
    last = number + 1 == len(node.ops)
    if known is False or last:
        return _bool(run, known, left, right)
    if known:
        return _chained(run, node, right, number + 1, scope)
    why = condition(run)
    return either_value(
        run, why, lambda: _chained(run, node, right, number + 1, scope), lambda: _bool(run, None, left, right)
    )


@expression(ast.IfExp)
def _conditional(run: Run, node: ast.IfExp, scope: Scope) -> Value:
    value, known = tested(run, node.test, scope)
    if known is not None:
        return run.evaluate(node.body if known else node.orelse, scope)
    run.place = (scope, node.test)
    why = condition(run, value)
    return either_value(run, why, lambda: run.evaluate(node.body, scope), lambda: run.evaluate(node.orelse, scope))


@expression(ast.NamedExpr)
def _named(run: Run, node: ast.NamedExpr, scope: Scope) -> Value:
    value = run.evaluate(node.value, scope)
    assign(run, node.target, value, scope)
    return value


@expression(ast.Await, ast.Starred)
def _inner(run: Run, node: ast.Await | ast.Starred, scope: Scope) -> Value:
    if isinstance(node, ast.Await):
        run.whole_runs.add(node.value)
        run.risk |= not isinstance(node.value, ast.Call)  # what has a name may have been awaited before
    return run.evaluate(node.value, scope)


@expression(ast.Yield, ast.YieldFrom)
def _yield(run: Run, node: ast.Yield | ast.YieldFrom, scope: Scope) -> Value:
    if isinstance(node, ast.YieldFrom):
        run.whole_runs.add(node.value)
    value = run.evaluate(node.value, scope) if node.value is not None else NONE
    target = run.yields[-1] if run.yields else None
    managing = any(chain(each).endswith("contextmanager") for each in getattr(scope.node, "decorator_list", ()))
    if managing and run.regions and run.regions[-1].kind == "raise":
        run.risk = True  # the block that is managed may raise
    if isinstance(target, ListValue):
        run.journal.touch(target)
        if isinstance(node, ast.Yield):
            target.data.append(value)
        else:
            found, more = elements(run, value)
            target.data += found
            target.rest = target.rest or more
    return run.unsettled("what is sent to a generator")


EXPRESSIONS |= {
    ast.Name: lambda run, node, scope: look_up(run, node.id, scope),
    ast.List: lambda run, node, scope: ListValue(*_display(run, node.elts, scope)),
    ast.Set: lambda run, node, scope: make_set(run, *_display(run, node.elts, scope)),
    ast.BoolOp: lambda run, node, scope: operands(run, node, scope, []),
    ast.Compare: lambda run, node, scope: _chained(run, node, run.evaluate(node.left, scope), 0, scope),
    ast.Lambda: functions.make,
}


@expression(ast.JoinedStr)
def _joined(run: Run, node: ast.JoinedStr, scope: Scope) -> Value:
    parts = [run.evaluate(part, scope) for part in node.values]
    unknown = next((part for part in parts if isinstance(part, Unknown)), None)
    made = Step("f-string", scope.module.site(node))
    texts = [str(text_of(part)) for part in parts]
    size = sum(map(len, texts))
    run.step(size // 100)
    return unknown or (Const("".join(texts), made) if size <= LONGEST else run.exhausted())


@expression(ast.FormattedValue)
def _formatted(run: Run, node: ast.FormattedValue, scope: Scope) -> Value:
    value = run.evaluate(node.value, scope)
    wanted = run.evaluate(node.format_spec, scope) if node.format_spec is not None else Const("")
    if isinstance(value, Unknown):
        return value
    spec = text_of(wanted)
    if spec is None or node.conversion == ord("a"):
        return run.unsettled("a format that is not known")
    if node.conversion == ord("r") or not isinstance(value, Const):
        shown = functions.text_form(run, value, as_repr=node.conversion == ord("r"))
    else:
        shown = value
    if not isinstance(shown, Const):
        return shown
    if re.search(r"\d{7}", spec):
        return run.exhausted()
    if spec and shown is not value and node.conversion == -1:
        return run.risky("a format that an object may refuse")
    try:
        return Const(format(str(shown.value) if node.conversion == ord("s") else shown.value, spec))
    except (ValueError, TypeError, OverflowError) as error:
        raise raised(error, run.site()) from error
