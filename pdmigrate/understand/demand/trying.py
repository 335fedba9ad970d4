"""``raise`` and ``try``: which handlers an exception reaches, and what a body that may raise has done by then."""

from __future__ import annotations

import ast
from typing import Any

from pdmigrate.understand.demand.flow import (
    block,
    either,
    guarded,
    open_region,
)
from pdmigrate.understand.demand.run import STATEMENTS, RaisedError, Run
from pdmigrate.understand.demand.scopes import put
from pdmigrate.understand.values.core import (
    ClassValue,
    Maybe,
    Scope,
    Unknown,
    Value,
)
from pdmigrate.understand.values.joining import same

# --- exceptions -------------------------------------------------------------------------------------------------------


def _raise(run: Run, node: ast.Raise, scope: Scope) -> bool:
    kind = ""
    if node.exc is not None:
        value = run.evaluate(node.exc.func if isinstance(node.exc, ast.Call) else node.exc, scope)
        kind = exception_name(value)
    raise RaisedError(kind, f"it raises {kind or 'an exception'}", scope.module.site(node))


def exception_name(value: Value) -> str:
    if isinstance(value, ClassValue):
        return f"<{value.module.path}:{value.name}>"
    return getattr(value, "name", "") or getattr(value, "callee", "")


def _try(run: Run, node: ast.Try, scope: Scope) -> bool:
    outer_risk, run.risk = run.risk, False
    region = open_region(run, "raise")
    entry = run.journal.push()
    fell = guarded(run, lambda: block(run, node.body, scope))
    risky, run.risk = run.risk, outer_risk
    born = run.journal.levels[entry].start
    halfway = {item: state for item, state in run.journal.since(entry).items() if item.born < born}
    run.journal.keep()
    run.regions.remove(region) if region in run.regions else None
    why = run.unknown("it depends on whether this raises", scope, node.body[0], "PD310")
    risky = risky and bool(node.handlers)
    raised = list(region.exits)
    if not raised and not risky:
        run.journal.keep()
        fell = fell and block(run, node.orelse, scope)
        return _finally(run, node, scope, fell)
    normal = run.journal.undo()

    def go_on() -> bool:
        run.journal.apply(normal)
        return fell and block(run, node.orelse, scope)

    def handle() -> bool:
        for _, delta, _ in raised:
            run.journal.apply(delta)
        if risky or len(raised) > 1:
            for item in halfway:
                _half_done(run, item, halfway[item], why)
        labels = {label for _, _, label in raised} if not risky else {""}
        return _handlers(run, node.handlers, scope, labels.pop() if len(labels) == 1 else "", why)

    if not fell and not risky:
        if not node.handlers:
            return _finally(run, node, scope, fell=False)
        fell = handle()
    else:
        fell = either(run, why, go_on, handle) if node.handlers else go_on()
    return _finally(run, node, scope, fell)


STATEMENTS[ast.Raise] = _raise
STATEMENTS[ast.Try] = _try
STATEMENTS[getattr(ast, "TryStar", ast.Try)] = _try


def _half_done(run: Run, item: Any, after: Any, why: Unknown) -> None:
    """An object in the state before the body, or in that after it, or between them."""
    for name, new in after[0].items() if isinstance(after[0], dict) else ():
        old = item.data.get(name)
        if old is not new and not (isinstance(old, tuple) and same(old[1], new[1])):
            run.journal.touch(item)
            bare = new[1] if isinstance(new, tuple) else new
            joined: Any = Maybe(bare, why) if old is None else why
            item.data[name] = (new[0], joined) if isinstance(new, tuple) else joined
    if isinstance(after[0], list) and len(after[0]) != len(item.data):
        run.journal.blur(item, why)


def _handlers(run: Run, handlers: list[ast.ExceptHandler], scope: Scope, label: str, why: Unknown) -> bool:
    if not handlers:
        return False
    first, rest = handlers[0], handlers[1:]
    fits = _fits(run, first, scope, label)
    if fits is False:
        return _handlers(run, rest, scope, label, why)

    def act() -> bool:
        if first.name:
            put(run, first.name, run.unknown("an exception", scope, first), scope)
        return block(run, first.body, scope)

    if fits or not rest:
        return guarded(run, act)
    return either(run, why, act, lambda: _handlers(run, rest, scope, label, why))


def _fits(run: Run, handler: ast.ExceptHandler, scope: Scope, label: str) -> bool | None:
    """Whether a handler catches an exception of the class called ``label``; ``None``: that is not known."""
    if handler.type is None:
        return True
    wanted = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {exception_name(run.evaluate(item, scope)) for item in wanted}
    if names & {"builtins.Exception", "builtins.BaseException"} and label not in ("builtins.SystemExit",):
        return True
    if not label.startswith("builtins.") or not all(name.startswith("builtins.") for name in names):
        return None
    raised = getattr(__builtins__, "get", lambda name: getattr(__builtins__, name, None))(label[9:])
    classes = [getattr(__builtins__, "get", lambda n: getattr(__builtins__, n, None))(name[9:]) for name in names]
    return isinstance(raised, type) and any(isinstance(item, type) and issubclass(raised, item) for item in classes)


def _finally(run: Run, node: ast.Try, scope: Scope, fell: bool) -> bool:
    return block(run, node.finalbody, scope) and fell if node.finalbody else fell
