"""Expressions, comprehensions and generator expressions among them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from pdmigrate.model import Step
from pdmigrate.understand.demand import functions
from pdmigrate.understand.demand.containers import (
    LATE,
    elements,
    is_astray,
    item_at,
    make_set,
    overlay,
    put_under,
    reached,
)
from pdmigrate.understand.demand.flow import condition, conditionally, deferred, either, either_value, open_ended
from pdmigrate.understand.demand.later import is_settled
from pdmigrate.understand.demand.operators import (
    LONGEST,
    binary,
    compare,
    is_wide,
    merge_dicts,
    operands,
    tested,
    truth,
)
from pdmigrate.understand.demand.run import EXPRESSIONS, Run, entry, raised
from pdmigrate.understand.demand.scopes import look_up
from pdmigrate.understand.demand.statements import assign
from pdmigrate.understand.demand.unfollowed import ARITHMETIC, operated
from pdmigrate.understand.index.syntax import chain
from pdmigrate.understand.values.calls import Arguments, BoundMethod
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue
from pdmigrate.understand.values.core import FALSE, NONE, TRUE, Const, Maybe, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import certain, unsettled
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, Scope, text_of
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
    if last in _WHOLLY and not isinstance(inner, (FunctionValue, ClassValue)):
        run.whole_runs.update(item.value if isinstance(item, ast.Starred) else item for item in node.args)
    elif isinstance(inner, External) and last in _PARTLY:
        run.part_runs.update(node.args[:1])
    arguments = arguments_of(run, node, scope)
    run.place = (scope, node)
    if isinstance(function, External) and function.name in SCOPED:
        return SCOPED[function.name](run, scope, arguments)
    return run.call(function, arguments)


_WHOLLY = {
    *("list", "tuple", "set", "frozenset", "sorted", "dict", "sum", "join", "extend", "update", "max", "min"),
    *("run", "gather", "run_until_complete", "wait_for", "shield", "deque", "Counter", "fromkeys"),
}
"""Functions that run what they are given at once, to its end."""
_PARTLY = frozenset({"any", "all", "next"})  # functions that run what they are given at once, as far as they need it
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
            run.risk |= keyword.arg in given.keywords  # Python refuses what is given twice
            given.keywords[keyword.arg] = value
        elif isinstance(value, DictValue):
            given.unknown = given.unknown or value.rest
            for key, part in value.entries():
                if (name := text_of(key)) is None:
                    given.unknown = given.unknown or run.unsettled("a keyword that is not known")
                    continue
                run.risk |= name in given.keywords
                given.keywords[name] = certain(part)
                if isinstance(part, Maybe):
                    given.perhaps[name] = part
        else:
            given.unknown = run.risky("keywords that are not known", value)
    if given.unknown is None and given.perhaps:
        given.unknown, given.named_only = next(item.why for item in given.perhaps.values()), True
    return given


def _place(given: Arguments, found: list[Value], why: Unknown | None) -> None:
    """Add positional arguments; ``why``: neither their number nor their places are known, nor those of later ones."""
    if (unknown := given.unknown or why) is None:
        given.positional += found
    else:
        given.unknown = unsettled(unknown, given.unknown or NONE, *found)


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
        if key is not None:
            put_under(run, made, run.evaluate(key, scope), run.evaluate(value, scope))
        elif isinstance(spread := run.evaluate(value, scope), DictValue):
            merge_dicts(made, spread)
        else:
            overlay(made, unsettled(run.risky("entries that are not known", spread), spread))
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
    if not isinstance(value, Const) or not isinstance(value.value, (int, float)) or isinstance(node.op, ast.Invert):
        return run.risky("an operator that is not followed", value)
    return Const(-value.value if isinstance(node.op, ast.USub) else +value.value)


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
    open_end = _bool(run, None, left, right)
    return either_value(run, condition(run), lambda: _chained(run, node, right, number + 1, scope), lambda: open_end)


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


@expression(ast.Await)
def _await(run: Run, node: ast.Await, scope: Scope) -> Value:
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
        found, more = elements(run, value) if isinstance(node, ast.YieldFrom) else ([value], None)
        run.journal.touch(target)
        target.data += found
        target.rest = target.rest or more
    return run.unsettled("a value that is sent to a generator")


EXPRESSIONS |= {
    ast.Name: lambda run, node, scope: look_up(run, node.id, scope),
    ast.Starred: lambda run, node, scope: run.evaluate(node.value, scope),
    ast.List: lambda run, node, scope: ListValue(*_display(run, node.elts, scope)),
    ast.Set: lambda run, node, scope: make_set(run, *_display(run, node.elts, scope)),
    ast.BoolOp: lambda run, node, scope: operands(run, node, scope, []),
    ast.Compare: lambda run, node, scope: _chained(run, node, run.evaluate(node.left, scope), 0, scope),
    ast.Lambda: functions.make,
}


@expression(ast.JoinedStr)
def _joined(run: Run, node: ast.JoinedStr, scope: Scope) -> Value:
    parts = [run.evaluate(part, scope) for part in node.values]
    if unknown := next((part for part in parts if isinstance(part, Unknown)), None):
        return unknown
    texts = [str(text_of(part)) for part in parts]
    run.step((size := sum(map(len, texts))) // 100)
    return Const("".join(texts), Step("f-string", scope.module.site(node))) if size <= LONGEST else run.exhausted()


@expression(ast.FormattedValue)
def _formatted(run: Run, node: ast.FormattedValue, scope: Scope) -> Value:
    value = run.evaluate(node.value, scope)
    wanted = run.evaluate(node.format_spec, scope) if node.format_spec is not None else Const("")
    spec, written = text_of(wanted), "" if node.conversion == -1 else chr(node.conversion)
    if isinstance(value, Unknown):
        run.risk |= wanted != Const("")
        return value
    if spec is None or written == "a" or is_wide(spec):
        return run.risky("a format that is not followed")
    if not isinstance(value, Const) or written:
        shown = functions.text_form(run, value, as_repr=written == "r")
        value = run.risky("a format that an object may refuse") if spec and not written else shown
    try:
        return Const(format(value.value, spec)) if isinstance(value, Const) else value
    except (ValueError, TypeError, OverflowError) as error:
        raise raised(error, run.site()) from error


# --- comprehensions ---------------------------------------------------------------------------------------------------


def _comprehension(run: Run, node: Any, scope: Scope, add: Callable[[Scope], None], made: Any) -> None:
    inner = Scope("comprehension", scope.module, scope)
    # The first iterable is evaluated in the scope around the comprehension.
    _generators(run, node.generators, run.evaluate(node.generators[0].iter, scope), inner, add, made)


def _generators(
    run: Run, rest: list[ast.comprehension], value: Value, scope: Scope, add: Callable[[Scope], None], made: Any
) -> None:
    first, others = rest[0], rest[1:]
    items, more = elements(run, value)

    def act(item: Value) -> bool:
        run.step()
        scope.kind = "function"  # the targets of a comprehension are its own names
        assign(run, first.target, item, scope)
        scope.kind = "comprehension"
        return passed(first.ifs)

    def passed(tests: list[ast.expr]) -> bool:
        if not tests:
            if others:
                _generators(run, others, run.evaluate(others[0].iter, scope), scope, add, made)
            else:
                add(scope)
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
        added = unsettled(more, made.rest or more, *made.held)
        made.restore(state)
        made.rest = made.rest or added
    for item in reached(run, value, items):
        conditionally(run, item, act)
    if more is None and isinstance(value, IteratorValue) and (value.rest is not None or is_astray(value)):
        run.journal.blur(made, value.rest or run.unsettled(LATE))


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
