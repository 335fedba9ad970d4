"""Statements, one after the other; where a test is not known both ways are taken and joined."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from pdmigrate.understand.demand import classes, functions, imports
from pdmigrate.understand.demand.containers import elements, is_astray, item_at, reached, set_item, unpack
from pdmigrate.understand.demand.flow import (
    block,
    close_region,
    condition,
    conditionally,
    either,
    guarded,
    leave,
    open_ended,
    open_region,
)
from pdmigrate.understand.demand.later import hint
from pdmigrate.understand.demand.operators import SETS, binary, merge_dicts, set_operation, tested, truth
from pdmigrate.understand.demand.run import STATEMENTS, ExhaustedError, RaisedError, Run, entry
from pdmigrate.understand.demand.scopes import look_up, put
from pdmigrate.understand.demand.unfollowed import ITEMS, KEYS, lose, operated
from pdmigrate.understand.index.syntax import bound_names, chain, walk
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue, View
from pdmigrate.understand.values.core import CONDITION, MUTATED, NONE, VOLATILE, Maybe, Value
from pdmigrate.understand.values.joining import AnyOf, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import Instance, Scope, key_of

statement = entry(STATEMENTS)


@statement(ast.Expr)
def _expression(run: Run, node: ast.Expr, scope: Scope) -> bool:
    if not isinstance(node.value, ast.Constant):
        run.evaluate(node.value, scope)
    return True


@statement(ast.Assign)
def _assign(run: Run, node: ast.Assign, scope: Scope) -> bool:
    value = run.evaluate(node.value, scope)
    for target in node.targets:
        assign(run, target, value, scope)
    return True


@statement(ast.AnnAssign)
def _annotated(run: Run, node: ast.AnnAssign, scope: Scope) -> bool:
    if node.value is not None:
        assign(run, node.target, run.evaluate(node.value, scope), scope)
    if scope.kind == "class" and (found := hint(run, node.annotation, scope)) is not None:
        run.memory["hint", scope, node] = found
    return True


@statement(ast.AugAssign)
def _augmented(run: Run, node: ast.AugAssign, scope: Scope) -> bool:
    target = node.target
    if isinstance(target, ast.Name):
        run.place = (scope, target)
        put(run, target.id, _changed(run, node, look_up(run, target.id, scope), scope), scope)
    elif isinstance(target, ast.Attribute):
        owner = run.evaluate(target.value, scope)
        run.set_attribute(owner, target.attr, _changed(run, node, run.attribute(owner, target.attr), scope))
    else:
        owner, key = run.evaluate(target.value, scope), run.evaluate(target.slice, scope)
        set_item(run, owner, key, _changed(run, node, item_at(run, owner, key), scope))
    return True


def _changed(run: Run, node: ast.AugAssign, old: Value, scope: Scope) -> Value:
    """What an augmented assignment makes of a value: the same object if that changes in place."""
    more = run.evaluate(node.value, scope)
    return old if in_place(run, node.op, old, more) else binary(run, node.op, old, more)


def in_place(run: Run, sign: ast.operator, old: Value, more: Value) -> bool:
    """``old += more`` and its kin for objects that change in place; ``False`` if that is an ordinary operator."""
    why = run.unsettled("a value that is added is not known")
    if isinstance(old, ListValue) and isinstance(sign, ast.Add):
        found, rest = ([], unsettled(why, more)) if isinstance(more, Instance) else elements(run, more)
        run.journal.touch(old)
        run.step(len(found) // 4)
        old.data.extend(found)
        old.rest = old.rest or rest
    elif isinstance(old, DictValue) and isinstance(more, DictValue) and isinstance(sign, ast.BitOr):
        run.journal.touch(old)
        merge_dicts(old, more)
    elif isinstance(old, SetValue) and type(sign) in SETS and isinstance(more, SetValue) and not old.frozen:
        run.journal.touch(old)
        old.restore(set_operation(run, SETS[type(sign)], old, more).save())
    else:
        for option in old.options if isinstance(old, AnyOf) else (old,):
            if isinstance(option, _CONTAINERS) and not getattr(option, "frozen", False):
                run.journal.blur(option, why)
        return False
    return True


_CONTAINERS = (ListValue, DictValue, SetValue)


def assign(run: Run, target: ast.expr, value: Value, scope: Scope) -> None:
    """Give ``value`` to a target of an assignment."""
    if isinstance(target, ast.Name):
        put(run, target.id, value, scope)
    elif isinstance(target, ast.Attribute):
        run.set_attribute(run.evaluate(target.value, scope), target.attr, value)
    elif isinstance(target, ast.Subscript):
        set_item(run, run.evaluate(target.value, scope), run.evaluate(target.slice, scope), value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        starred = next((i for i, item in enumerate(target.elts) if isinstance(item, ast.Starred)), None)
        for item, part in zip(target.elts, unpack(run, value, len(target.elts), starred), strict=True):
            assign(run, item.value if isinstance(item, ast.Starred) else item, part, scope)


@statement(ast.Delete)
def _delete(run: Run, node: ast.Delete, scope: Scope) -> bool:
    for target in node.targets:
        if isinstance(target, ast.Subscript):
            value, key = run.evaluate(target.value, scope), run.evaluate(target.slice, scope)
            operated(run, ITEMS | KEYS, value, key)
            if isinstance(value, DictValue) and value.exact and key_of(key) in value.data:
                run.journal.touch(value)
                value.data.pop(key_of(key))
            else:
                run.disturb([value], run.risky("an element is deleted that is not known"))
        elif isinstance(target, ast.Name):
            why = run.unsettled(f"{target.id} is deleted")
            put(run, target.id, Maybe(why, why), scope)
        else:
            assign(run, target, run.risky("it is deleted"), scope)
    return True


@statement(ast.If)
def _if(run: Run, node: ast.If, scope: Scope) -> bool:
    value, known = tested(run, node.test, scope)
    if known is not None:
        return block(run, node.body if known else node.orelse, scope)
    run.place = (scope, node.test)
    why = condition(run, value)
    return either(run, why, lambda: _branch(run, node.body, scope), lambda: _branch(run, node.orelse, scope))


_LAST = 16  # the part of what is left that a branch may use after which the program ends: nothing depends on it


def _branch(run: Run, body: list[ast.stmt], scope: Scope) -> bool:
    if not body or not _ends_program(body[-1]):
        return block(run, body, scope)
    ending, run.ending = run.ending, True
    try:
        with run.allowance(_LAST):
            return block(run, body, scope)
    except ExhaustedError:
        raise RaisedError("builtins.SystemExit", "the program ends", scope.module.site(body[-1])) from None
    finally:
        run.ending = ending


def _ends_program(node: ast.stmt) -> bool:
    value = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Expr) else None
    name = chain(value.func if isinstance(value, ast.Call) else value) if value is not None else ""
    return name in ("SystemExit", "sys.exit", "os._exit", "exit", "quit")


@statement(ast.For, ast.AsyncFor)
def _for(run: Run, node: ast.For | ast.AsyncFor, scope: Scope) -> bool:
    value = run.evaluate(node.iter, scope)
    items, more = elements(run, value)
    loop = open_region(run, "break")
    # What is not known may stand before, between and after what is.
    if more is not None and items:
        open_ended(run, more, lambda: _round(run, node, more, scope))
    order = next((item.why for item in items if isinstance(item, Maybe) and item.why.code == VOLATILE), None)
    if order is not None:  # each element finds what any of the others may have left
        open_ended(run, order, lambda: _rounds(run, node, value, items, scope))
    fell = _rounds(run, node, value, items, scope)
    if fell and more is not None:
        open_ended(run, more, lambda: _round(run, node, more, scope))
    if fell and node.orelse:
        loop.kind = "else"  # a break in it leaves the loop around this one
        fell = block(run, node.orelse, scope)
    return close_region(run, loop, fell) is not None


def _rounds(run: Run, node: ast.For | ast.AsyncFor, value: Value, items: list[Value], scope: Scope) -> bool:
    source = value.source if isinstance(value, View) else getattr(value, "inside", None) or value
    changes, rest = getattr(source, "changes", 0), getattr(value, "rest", None)
    why = unsettled(run.unknown("a loop changes the values that it goes through", scope, node, MUTATED), value)
    for item in reached(run, value, items):
        if not conditionally(run, item, lambda one: _round(run, node, one, scope)):
            return False
        if isinstance(value, IteratorValue):
            changed = value.rest is not rest or is_astray(value)
        else:
            changed = getattr(source, "changes", 0) != changes
        if changed:
            resized = isinstance(source, DictValue) and source.exact and len(source.data) != len(items)
            if resized and not any(isinstance(one, Maybe) for one in items):
                raise RaisedError("builtins.RuntimeError", "a dict grows or shrinks in a loop over it", run.site())
            run.risk |= isinstance(value, (DictValue, SetValue, View))  # Python refuses where their size is another
            open_ended(run, why, lambda: _round(run, node, why, scope))
            break
    return True


def _round(run: Run, node: ast.For | ast.AsyncFor, item: Value, scope: Scope) -> bool:
    def act() -> bool:
        assign(run, node.target, item, scope)
        return block(run, node.body, scope)

    return _iteration(run, act)


def _iteration(run: Run, act: Callable[[], bool]) -> bool:
    region = open_region(run, "continue")
    fell = guarded(run, act) if any(r.kind == "raise" for r in run.regions) else act()
    return close_region(run, region, fell) is not None


@statement(ast.While)
def _while(run: Run, node: ast.While, scope: Scope) -> bool:
    loop = open_region(run, "break")
    known = truth(run, run.evaluate(node.test, scope))

    def act() -> bool:
        if fell := _iteration(run, lambda: block(run, node.body, scope)):
            run.evaluate(node.test, scope)
        return fell

    if known is not False:
        run.place = (scope, node.test)
        open_ended(run, condition(run), act)
    loop.kind = "else"  # a break in it leaves the loop around this one
    fell = not (known and isinstance(node.test, ast.Constant)) and block(run, node.orelse, scope)
    return close_region(run, loop, fell) is not None


STATEMENTS |= {
    **dict.fromkeys((ast.Pass, ast.Global, ast.Nonlocal), lambda _run, _node, _scope: True),
    ast.Break: lambda run, _node, _scope: leave(run, "break"),
    ast.Continue: lambda run, _node, _scope: leave(run, "continue"),
    ast.Match: lambda run, node, scope: _cases(run, node.cases, run.evaluate(node.subject, scope), scope),
}


@statement(ast.Return)
def _return(run: Run, node: ast.Return, scope: Scope) -> bool:
    return leave(run, "function", run.evaluate(node.value, scope) if node.value is not None else NONE)


@statement(ast.FunctionDef, ast.AsyncFunctionDef)
def _function(run: Run, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> bool:
    found = [run.evaluate(decorator, scope) for decorator in node.decorator_list]
    value: Value = functions.make(run, node, scope)
    for decorator, written in zip(reversed(found), reversed(node.decorator_list), strict=True):
        run.place = (scope, written)
        value = run.call(decorator, Arguments([value], site=scope.module.site(written), node=written))
    put(run, node.name, value, scope)
    return True


@statement(ast.ClassDef)
def _class(run: Run, node: ast.ClassDef, scope: Scope) -> bool:
    put(run, node.name, classes.make(run, node, scope), scope)
    return True


@statement(ast.Import, ast.ImportFrom)
def _import(run: Run, node: ast.Import | ast.ImportFrom, scope: Scope) -> bool:
    for name, value in imports.imported(run, node, scope):
        put(run, name, value, scope)
    return True


def _cases(run: Run, cases: list[ast.match_case], subject: Value, scope: Scope) -> bool:
    if not cases:
        return True
    first, *rest = cases
    pattern, guard = first.pattern, first.guard
    why = run.unknown("it depends on which case matches", scope, pattern, CONDITION)
    run.risk |= any(isinstance(part, (ast.MatchClass, ast.Attribute)) for part in walk(pattern))
    for name in bound_names([pattern]):
        put(run, name, unsettled(why, subject, *reachable([subject])), scope)
    if any(isinstance(part, ast.MatchClass) and part.kwd_attrs for part in walk(pattern)):
        lose(run, [subject], why)  # attributes are read, perhaps
    if guard is not None:  # which is evaluated where the pattern matches
        either(run, why, lambda: bool(run.evaluate(guard, scope)), lambda: True)
    return either(run, why, lambda: block(run, first.body, scope), lambda: _cases(run, rest, subject, scope))


@statement(ast.Assert)
def _assert(run: Run, node: ast.Assert, scope: Scope) -> bool:
    known = truth(run, run.evaluate(node.test, scope))
    if known is False:
        raise RaisedError("builtins.AssertionError", "an assertion fails", scope.module.site(node))
    run.risk |= known is None
    return True


@statement(getattr(ast, "TypeAlias", ast.stmt))
def _type_alias(run: Run, node: Any, scope: Scope) -> bool:
    """``type X = ...``, which Python 3.11 cannot parse: no published server was seen to have such a statement."""
    put(run, node.name.id, run.unknown(f"{node.name.id} is made by a type statement", scope, node), scope)
    return True
