"""Statements, one after the other; where a test is not known both ways are taken and joined."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pdmigrate.understand.demand import classes, functions, imports
from pdmigrate.understand.demand.attributes import delete_attribute
from pdmigrate.understand.demand.augmenting import in_place
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
from pdmigrate.understand.demand.operators import binary, tested, truth
from pdmigrate.understand.demand.run import STATEMENTS, ExhaustedError, RaisedError, Run, entry
from pdmigrate.understand.demand.scopes import outer_names, put
from pdmigrate.understand.demand.unfollowed import ITEMS, KEYS, operated
from pdmigrate.understand.index.syntax import chain, walk
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue, View
from pdmigrate.understand.values.core import MUTATED, NONE, VOLATILE, Const, Maybe, Value
from pdmigrate.understand.values.joining import same, unsettled
from pdmigrate.understand.values.journal import reachable
from pdmigrate.understand.values.objects import Arguments, Scope, key_of

MOST_ROUNDS = 2_000


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
        put(run, target.id, _changed(run, node, run.evaluate(_loading(target), scope), scope), scope)
        return True
    owner = run.evaluate(target.value, scope)
    if isinstance(target, ast.Attribute):
        run.set_attribute(owner, target.attr, _changed(run, node, run.attribute(owner, target.attr), scope))
        return True
    key = run.evaluate(target.slice, scope)
    set_item(run, owner, key, _changed(run, node, item_at(run, owner, key), scope))
    return True


def _loading(target: ast.Name) -> ast.expr:
    return ast.copy_location(ast.Name(target.id, ast.Load()), target)


def _changed(run: Run, node: ast.AugAssign, old: Value, scope: Scope) -> Value:
    """What an augmented assignment makes of a value: the same object if that changes in place."""
    more = run.evaluate(node.value, scope)
    return old if in_place(run, node.op, old, more) else binary(run, node.op, old, more)


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
        if isinstance(target, ast.Name) and target.id in outer_names(scope.node or target):
            put(run, target.id, run.unsettled(f"{target.id} is deleted"), scope)
        elif isinstance(target, ast.Name):
            run.journal.touch(scope.place(target.id))
            scope.data.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            _delete_item(run, run.evaluate(target.value, scope), run.evaluate(target.slice, scope))
        elif isinstance(target, ast.Attribute):
            delete_attribute(run, run.evaluate(target.value, scope), target.attr)
    return True


def _delete_item(run: Run, value: Value, key: Value) -> None:
    operated(run, ITEMS | KEYS, value, key)
    known = key_of(key)
    if not isinstance(value, DictValue) or known is None:
        run.disturb([value], run.risky("an element is deleted that is not known"))
        return
    if known not in value.data and value.rest is None:
        raise RaisedError("builtins.KeyError", "there is no such key", run.site())
    run.risk = run.risk or not value.exact
    run.journal.touch(value)
    value.data.pop(known, None)


@statement(ast.If)
def _if(run: Run, node: ast.If, scope: Scope) -> bool:
    value, known = tested(run, node.test, scope)
    if known is not None:
        return block(run, node.body if known else node.orelse, scope)
    run.place = (scope, node.test)
    why = condition(run, value)
    return either(run, why, lambda: _branch(run, node.body, scope), lambda: _branch(run, node.orelse, scope))


_LAST = 16
"""The part of what is left that a branch may use after which the program ends: nothing depends on it."""


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
    """Whether a statement ends the program: ``sys.exit(...)``, ``raise SystemExit``."""
    value = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, ast.Expr) else None
    name = chain(value.func if isinstance(value, ast.Call) else value) if value is not None else ""
    return name in ("SystemExit", "sys.exit", "os._exit", "exit", "quit")


# --- loops ------------------------------------------------------------------------------------------------------------


@statement(ast.For, ast.AsyncFor)
def _for(run: Run, node: ast.For | ast.AsyncFor, scope: Scope) -> bool:
    value = run.evaluate(node.iter, scope)
    items, more = elements(run, value)
    loop = open_region(run, "break")
    # What is not known may stand before, between and after what is.
    fell = True
    if more is not None and items:
        fell = open_ended(run, more, lambda: _round(run, node, more, scope))
    order = next((item.why for item in items if isinstance(item, Maybe) and item.why.code == VOLATILE), None)
    if order is not None:  # each element finds what any of the others may have left
        open_ended(run, order, lambda: _rounds(run, node, value, items, scope))
    fell = fell and _rounds(run, node, value, items, scope)
    if fell and more is not None:
        fell = open_ended(run, more, lambda: _round(run, node, more, scope))
    if fell and node.orelse:
        loop.kind = "else"  # a break in it leaves the loop around this one
        fell = block(run, node.orelse, scope)
    return close_region(run, loop, fell) is not None


def _rounds(run: Run, node: ast.For | ast.AsyncFor, value: Value, items: list[Value], scope: Scope) -> bool:
    source = value.source if isinstance(value, View) else getattr(value, "inside", None) or value
    changes, rest = getattr(source, "changes", 0), getattr(value, "rest", None)
    for number, item in enumerate(reached(run, value, items), 1):
        if not conditionally(run, item, lambda one: _round(run, node, one, scope)):
            return False
        if isinstance(value, IteratorValue):
            is_still = value.rest is rest and not is_astray(value, number)
        else:
            is_still = getattr(source, "changes", 0) == changes or _is_still(run, value, items, number)
        if not is_still:
            if _is_resized(source, items):
                raise RaisedError("builtins.RuntimeError", "a dict grows or shrinks in a loop over it", run.site())
            return _go_on(run, node, value, scope)
    return True


def _is_resized(source: Value, items: list[Value]) -> bool:
    """Whether a dict certainly has more or fewer entries than when a loop over it began: Python refuses to go on."""
    resized = isinstance(source, DictValue) and source.exact and len(source.data) != len(items)
    return resized and not any(isinstance(item, Maybe) for item in items)


def _go_on(run: Run, node: ast.For | ast.AsyncFor, value: Value, scope: Scope) -> bool:
    """The rounds of a loop over a container that the loop itself has changed."""
    why = unsettled(run.unknown("what is gone through is changed meanwhile", scope, node, MUTATED), value)
    run.risk |= isinstance(value, (DictValue, SetValue, View))  # Python refuses to go on where their size is another
    return open_ended(run, why, lambda: _round(run, node, why, scope))


def _is_still(run: Run, value: Value, items: list[Value], number: int) -> bool:
    """Whether a container still has the elements that it had when a loop over it began, behind the first ``number``."""
    if isinstance(value, (ListValue, DictValue, View)) or getattr(value, "inside", None) is not None:
        left, _ = elements(run, value)
        return len(left) == len(items) and all(map(same, left[number:], items[number:]))
    return not isinstance(value, SetValue) or len(value.data) == len(items)


def _round(run: Run, node: ast.For | ast.AsyncFor, item: Value, scope: Scope) -> bool:
    def act() -> bool:
        assign(run, node.target, item, scope)
        return block(run, node.body, scope)

    return _iteration(run, act)


def _iteration(run: Run, act: Callable[[], bool]) -> bool:
    region = open_region(run, "continue")
    fell = guarded(run, act) if any(r.kind == "raise" for r in run.regions) else act()
    return close_region(run, region, fell) is not None


_CERTAIN_ROUNDS = 3
"""The rounds after which a loop that may have been left in any of them is taken to go round any number of times."""


@statement(ast.While)
def _while(run: Run, node: ast.While, scope: Scope) -> bool:
    loop = open_region(run, "break")

    def act() -> bool:
        return _iteration(run, lambda: block(run, node.body, scope))

    for count in range(MOST_ROUNDS):
        known = truth(run, run.evaluate(node.test, scope))
        if known is None or (known and count >= _CERTAIN_ROUNDS and loop.exits):
            run.place = (scope, node.test)
            known, fell = None, open_ended(run, condition(run), act)
        else:
            loop.kind = "break" if known else "else"
            fell = act() if known else block(run, node.orelse, scope)
        if not known or not fell:
            break
    else:
        fell = open_ended(run, run.exhausted(), act)
    return close_region(run, loop, fell) is not None


@statement(ast.Pass, ast.Global, ast.Nonlocal)
def _nothing(_run: Run, _node: ast.stmt, _scope: Scope) -> bool:
    return True


@statement(ast.Break)
def _break(run: Run, _node: ast.Break, _scope: Scope) -> bool:
    return leave(run, "break")


@statement(ast.Continue)
def _continue(run: Run, _node: ast.Continue, _scope: Scope) -> bool:
    return leave(run, "continue")


@statement(ast.Return)
def _return(run: Run, node: ast.Return, scope: Scope) -> bool:
    return leave(run, "function", run.evaluate(node.value, scope) if node.value is not None else NONE)


# --- definitions ------------------------------------------------------------------------------------------------------


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


@statement(ast.Match)
def _match(run: Run, node: ast.Match, scope: Scope) -> bool:
    return _cases(run, node.cases, run.evaluate(node.subject, scope), scope)


def _cases(run: Run, cases: list[ast.match_case], subject: Value, scope: Scope) -> bool:
    if not cases:
        return True
    first, rest = cases[0], cases[1:]
    known = _matches(run, first.pattern, subject, scope)
    if known and first.guard is not None:
        known = truth(run, run.evaluate(first.guard, scope))
    if known is not None:
        return block(run, first.body, scope) if known else _cases(run, rest, subject, scope)
    why = run.unknown("it depends on which case matches", scope, first.pattern, "PD310")
    for name in [n.name for n in walk(first.pattern) if isinstance(n, (ast.MatchAs, ast.MatchStar)) and n.name]:
        put(run, name, unsettled(why, subject, *reachable([subject])), scope)
    return either(run, why, lambda: block(run, first.body, scope), lambda: _cases(run, rest, subject, scope))


def _matches(run: Run, pattern: ast.pattern, subject: Value, scope: Scope) -> bool | None:
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
        if pattern.name:
            put(run, pattern.name, subject, scope)
        return True
    if isinstance(pattern, ast.MatchValue):
        one, other = key_of(run.evaluate(pattern.value, scope)), key_of(subject)
        return None if one is None or other is None else one == other
    if isinstance(pattern, ast.MatchSingleton) and isinstance(subject, Const):
        return subject.value is pattern.value
    if isinstance(pattern, ast.MatchOr):
        found = [_matches(run, item, subject, scope) for item in pattern.patterns]
        return True if True in found else (None if None in found else False)
    for name in pattern.kwd_attrs if isinstance(pattern, ast.MatchClass) else ():
        with suppress(RaisedError):  # whether the class matches is not known, so neither is whether this is read
            run.attribute(subject, name)
    return None


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
