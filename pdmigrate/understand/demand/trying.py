"""``raise`` and ``try``: which handlers an exception reaches, and what a body that may raise has done by then."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from pdmigrate.understand.demand import functions
from pdmigrate.understand.demand.flow import block, drop_region, either, guarded, leave, open_region, rebound
from pdmigrate.understand.demand.run import STATEMENTS, RaisedError, Region, Run, entry
from pdmigrate.understand.demand.scopes import put
from pdmigrate.understand.demand.statements import assign
from pdmigrate.understand.demand.unfollowed import lose
from pdmigrate.understand.values.calls import Arguments
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue, SetValue
from pdmigrate.understand.values.core import CONDITION, NONE, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import join_states
from pdmigrate.understand.values.objects import ClassValue, Instance, Named, Scope
from pdmigrate.understand.values.outside import Called, External

statement = entry(STATEMENTS)


@statement(ast.Raise)
def _raise(run: Run, node: ast.Raise, scope: Scope) -> bool:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    found = run.evaluate(raised, scope) if raised is not None else NONE
    kind = exception_name(found)
    risk = run.risk
    if isinstance(found, ClassValue) and not isinstance(node.exc, ast.Call):
        run.call(found, Arguments(site=run.site()))
    elif isinstance(node.exc, ast.Call):
        for made in (node.exc,) if isinstance(found, ClassValue) else node.exc.args:
            run.evaluate(made, scope)
    run.risk = risk  # whatever else may be raised, this is
    raise RaisedError(kind, "", scope.module.site(node))


def exception_name(value: Value) -> str:
    if isinstance(value, ClassValue):
        beyond = bool(_BEYOND & {*value.outside})
        return f"<{value.module.path}:{value.name}{_NO_EXCEPTION if beyond else '>'}"
    return getattr(value, "name", "") or getattr(value, "callee", "")


@statement(ast.Try, getattr(ast, "TryStar", ast.Try))
def _try(run: Run, node: ast.Try, scope: Scope) -> bool:
    def body() -> bool:
        return block(run, node.body, scope)

    def caught() -> bool:
        if not node.handlers:
            return body()
        return _caught(run, body, node.handlers, node.orelse, node.body[0], scope)

    return protected(run, caught, lambda: block(run, node.finalbody, scope)) if node.finalbody else caught()


def _caught(
    run: Run,
    act: Callable[[], bool],
    handlers: list[ast.ExceptHandler],
    orelse: list[ast.stmt],
    written: ast.AST,
    scope: Scope,
) -> bool:
    """Carry out a block whose exceptions reach ``handlers``, and ``orelse`` where it raises none."""
    outer_risk, run.risk = run.risk, False
    outer_failing, run.failing = run.failing, set()
    region = open_region(run, "raise")
    region.missing = all(each.type and _classes(run, each.type, scope) <= _MISSING for each in handlers)
    entry = run.journal.push()
    fell = guarded(run, act)
    risky, run.risk = run.risk, outer_risk
    run.risk |= risky and not any(_fits(run, handler, scope, "") for handler in handlers)
    caught = {kind: [_fits(run, each, scope, kind) for each in handlers] for kind in run.failing}
    loading = {kind for kind, fits in caught.items() if any(each is not False for each in fits)}
    run.failing = outer_failing | {kind for kind, fits in caught.items() if not any(fits)}
    born = run.journal.levels[entry].start
    halfway = {item: state for item, state in run.journal.since(entry).items() if item.born < born}
    run.journal.keep()
    drop_region(run, region)
    raised = list(region.exits)
    if not raised and not risky and not loading:
        run.journal.keep()
        return fell and block(run, orelse, scope)
    place = scope.module.site(written)
    # A person can look it up: the block may be in another file than the server.
    why = Unknown(f"it depends on whether the block at {place} raises", CONDITION, place)
    normal = run.journal.undo()

    def go_on() -> bool:
        run.journal.apply(normal)
        return fell and block(run, orelse, scope)

    def handle() -> bool:
        if len(raised) == 1 and not risky and not loading:
            run.journal.apply(raised[0][1])
        else:
            for states in (halfway, *(delta for _, delta, _ in raised)):
                for item, state in states.items():
                    _half_done(run, item, state, why, region)
        labels = {*loading, *(label for _, _, label in raised)} if not risky else {""}
        return _handlers(run, handlers, scope, labels.pop() if len(labels) == 1 else "", why)

    return either(run, why, go_on, handle) if fell or risky or loading else handle()


def protected(run: Run, act: Callable[[], bool], last: Callable[[], bool]) -> bool:
    """Carry out a block, and ``last`` on every path out of it, which goes on unless ``last`` leaves itself."""
    outer = [(region, len(region.exits)) for region in run.regions]
    region = open_region(run, "raise")
    run.journal.push()
    fell = guarded(run, act)
    normal = run.journal.undo()
    drop_region(run, region)
    leaving = [(target, left) for target, mark in outer for left in target.exits[mark:]]
    for target, mark in outer:
        del target.exits[mark:]
    for target, (value, delta, label) in leaving:
        with run.journal.on(delta):
            if guarded(run, last):
                target.exits.append((value, run.journal.since(target.level), label))
    for _, delta, label in region.exits:
        with run.journal.on(delta):
            if guarded(run, last):
                leave(run, "raise", label=label)
    if fell:
        run.journal.apply(normal)
        fell = guarded(run, last)
    run.journal.keep()
    return fell


@statement(ast.With, ast.AsyncWith)
def _with(run: Run, node: ast.With | ast.AsyncWith, scope: Scope) -> bool:
    return _managed(run, node.items, node, scope)


def _managed(run: Run, items: list[ast.withitem], node: ast.With | ast.AsyncWith, scope: Scope) -> bool:
    if not items:
        return block(run, node.body, scope)
    item = items[0]
    manager = run.evaluate(item.context_expr, scope)
    entered = functions.entered(run, manager)

    def inside() -> bool:
        if item.optional_vars is not None:
            assign(run, item.optional_vars, entered, scope)
        return _managed(run, items[1:], node, scope)

    if not _may_swallow(manager) or _is_file(run, item.context_expr, scope):
        return inside()

    def last() -> bool:
        risk = run.risk
        if isinstance(manager, Instance):
            lose(run, [manager], run.unknown("code that a context manager runs at its end", scope, node))
        elif isinstance(manager, IteratorValue):  # what stands behind its ``yield`` is carried out now
            run.evaluate(item.context_expr, scope)
        run.risk = risk
        return True

    anything = ast.ExceptHandler(ast.copy_location(ast.Constant(None), node), None, [])  # it may swallow an exception
    return _caught(run, lambda: protected(run, inside, last), [anything], [], node, scope)


_SWALLOWING = ("suppress", "raises", "ExitStack")


def _may_swallow(manager: Value) -> bool:
    if isinstance(manager, Called):
        return manager.callee.endswith(_SWALLOWING)
    return isinstance(manager, (Unknown, IteratorValue, Instance))


def _is_file(run: Run, manager: ast.expr, scope: Scope) -> bool:
    """Whether a manager is what ``open`` returns: whichever file that is, its end swallows no exception."""
    called = manager.func if isinstance(manager, ast.Call) else None
    return isinstance(called, ast.Name) and run.evaluate(called, scope) == External("builtins.open")


def _half_done(run: Run, item: Any, after: Any, why: Unknown, region: Region) -> None:
    """An object in the state before the body, or in that after it, or between them."""
    run.step()
    if isinstance(item, Named) and not isinstance(item, Instance):
        rebound(run, item, after, why, region.bound.get(item, ()))
    else:
        states, grows = join_states(item.save(), after, why), _only_grows(item.data, after[0])
        run.journal.touch(item)
        item.restore(states)
        if not grows and isinstance(item, (ListValue, DictValue, SetValue, Instance, IteratorValue)):
            run.journal.blur(item, why)


def _only_grows(before: Any, after: Any) -> bool:
    """Whether a body has added something to a container, and left alone what was there."""
    if isinstance(before, list):
        return len(after) > len(before) and all(one is other for one, other in zip(before, after, strict=False))
    return len(after) > len(before) and all(after.get(key) is entry for key, entry in before.items())


def _handlers(run: Run, handlers: list[ast.ExceptHandler], scope: Scope, label: str, why: Unknown) -> bool:
    if not handlers:
        return leave(run, "raise", label=label)
    first, rest = handlers[0], handlers[1:]
    fits = _fits(run, first, scope, label)
    if fits is False:
        return _handlers(run, rest, scope, label, why)

    def act() -> bool:
        gone = run.unknown("an exception", scope, first)
        if first.name:
            put(run, first.name, gone, scope)
        fell = block(run, first.body, scope)
        if first.name:  # Python deletes the name
            put(run, first.name, Maybe(gone, gone), scope)
        return fell

    if fits:
        return guarded(run, act)
    return either(run, why, act, lambda: _handlers(run, rest, scope, label, why))


_BEYOND = {
    *("builtins.BaseException", "builtins.SystemExit", "builtins.KeyboardInterrupt", "builtins.GeneratorExit"),
    *("asyncio.CancelledError", "asyncio.exceptions.CancelledError", "concurrent.futures.CancelledError"),
}


_NO_EXCEPTION = ">!"
"""How the name of a class of the program ends that ``except Exception`` does not catch."""


def _fits(run: Run, handler: ast.ExceptHandler, scope: Scope, label: str) -> bool | None:
    """Whether a handler catches an exception of the class called ``label``; ``None``: that is not known."""
    if handler.type is None:
        return True
    names = _classes(run, handler.type, scope)
    beyond = label in _BEYOND or label.endswith(_NO_EXCEPTION)
    if "builtins.BaseException" in names or ("builtins.Exception" in names and not beyond):
        return True
    missing = label in _MISSING and "builtins.ImportError" in names
    return True if label and (label in names or missing) else None


def _classes(run: Run, written: ast.expr, scope: Scope) -> set[str]:
    wanted = written.elts if isinstance(written, ast.Tuple) else [written]
    return {exception_name(run.evaluate(item, scope)) for item in wanted}


_MISSING = {"builtins.ImportError", "builtins.ModuleNotFoundError"}
