"""Functions of the program: making them, calling them, and what comes back."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pdmigrate.understand.demand.flow import block, close_region, deferred, each_of, open_region
from pdmigrate.understand.demand.later import hint, is_text
from pdmigrate.understand.demand.run import CALLS, DEEPEST, ExhaustedError, RaisedError, Run, raised
from pdmigrate.understand.demand.scopes import imported_as, qualified
from pdmigrate.understand.demand.unfollowed import CODE, TEXT, called, lose, operated
from pdmigrate.understand.index.syntax import annotations_of, inside, parameters_of
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native, Partial
from pdmigrate.understand.values.containers import DictValue, IteratorValue, ListValue
from pdmigrate.understand.values.core import ARGUMENTS, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import AnyOf, maybe, unsettled
from pdmigrate.understand.values.objects import (
    ClassValue,
    FunctionValue,
    Instance,
    ModuleName,
    Scope,
    Super,
    is_small,
    key_of,
)
from pdmigrate.understand.values.outside import Called


def make(run: Run, node: Any, scope: Scope) -> FunctionValue:
    """The function that a ``def`` or a ``lambda`` makes."""
    made = FunctionValue(node, scope, getattr(node, "name", "<lambda>"))
    made.defaults = [run.evaluate(item, scope) for item in node.args.defaults]
    for argument, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        if default is not None:
            made.keyword_defaults[argument.arg] = run.evaluate(default, scope)
    found = {item: hint(run, item, scope) for item in annotations_of(node) if not is_text(scope.module, item)}
    made.hints = {item: value for item, value in found.items() if value is not None}
    made.data = {
        "__name__": Const(made.name),
        "__qualname__": qualified(run, scope, made.name),
        "__module__": Const(imported_as(run, scope.module)),
        "__doc__": Const(None if isinstance(node, ast.Lambda) else ast.get_docstring(node, clean=False)),
    }
    return made


@lru_cache(maxsize=50_000)
def is_generator(node: ast.AST) -> bool:
    """Whether a function has a ``yield`` of its own."""
    parts = inside(node.body) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ()
    return any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in parts)


def call_function(run: Run, function: FunctionValue, arguments: Arguments) -> Value:
    """The result of a call of a function of the program; of one that keeps its results, it may be an older one."""
    if ("keeps results", function.original) not in run.memory:
        return _called(run, function, arguments)
    later = deferred(run, lambda: _called(run, function, arguments), f"{function.name}()")
    return unsettled(run.risky(f"{function.name}() keeps its results"), later)


def _called(run: Run, function: FunctionValue, arguments: Arguments) -> Value:
    # A call that knows nothing of its data would not end inside itself.
    again = function if any(isinstance(item, Unknown) for item in arguments.all) else None
    if run.depth >= DEEPEST or (again is not None and again in run.calls):
        return _lost(run, function, arguments)
    scope = _bound(run, function, arguments)
    level, place = run.journal.push(), run.place
    run.calls.append(again)
    try:
        with run.allowance():
            result = _result(run, function, scope, arguments.node)
    except ExhaustedError:
        if run.left < 0:
            raise
        return _lost(run, function, arguments, level)
    finally:
        run.calls.pop()
        run.place = place
        run.journal.keep(level)
    return result


def _lost(run: Run, function: FunctionValue, arguments: Arguments, level: int | None = None) -> Unknown:
    """What a call returns that is not carried out: all that it could change, or has since ``level``, is not known."""
    why = run.exhausted()
    if level is not None:
        run.journal.keep(level + 1)
        for changed in run.journal.since(level):
            if not isinstance(changed, (Scope, ModuleName)):
                run.journal.blur(changed, why)
        run.regions[:] = [region for region in run.regions if region.level < level]
    run.disturb(arguments.all, why)
    lose(run, [function, *(item for item in arguments.all if isinstance(item, CODE))], why)
    run.risk = True
    return unsettled(why, *_passed_on(arguments))


def _passed_on(arguments: Arguments) -> list[Value]:
    """What a call that is not followed may return, or hold in what it returns: the containers and functions it got."""
    return [item for item in arguments.all if not isinstance(item, (Instance, ClassValue))]


def _result(run: Run, function: FunctionValue, scope: Scope, call: ast.AST | None) -> Value:
    """What a call returns, whose body may run later: that of a generator, or of a coroutine that nobody awaits here."""
    is_awaited = call is None or not isinstance(function.node, ast.AsyncFunctionDef)
    if call in run.whole_runs or (is_awaited and not is_generator(function.node)):
        return _body(run, function, scope)
    made = deferred(run, lambda: _body(run, function, scope), f"{function.name}()")
    return made if is_generator(function.node) else unsettled(run.unsettled(f"{function.name}() is not awaited"), made)


def _body(run: Run, function: FunctionValue, scope: Scope) -> Value:
    node = function.node
    run.executed.add(node)
    if isinstance(node, ast.Lambda):
        return run.evaluate(node.body, scope)
    generated = ListValue()
    run.yields.append(generated)
    region, awaiting = open_region(run, "function"), run.awaiting
    run.awaiting |= isinstance(node, ast.AsyncFunctionDef)
    try:
        fell = block(run, node.body, scope)
    except RaisedError:
        if not region.exits:
            close_region(run, region, fell=False)
            raise
        fell = False
    finally:
        run.awaiting = awaiting
        run.yields.pop()
    result = close_region(run, region, fell)
    if is_generator(node):
        return IteratorValue(generated.data, generated.rest)
    if result is None:
        noted = any(each.kind == "raise" for each in run.regions)
        raise RaisedError(message=f"{function.name}() always raises", site=run.site(), noted=noted)
    return result


def _bound(run: Run, function: FunctionValue, arguments: Arguments) -> Scope:
    scope = Scope("function", function.module, function.scope, function.node)
    scope.owner = function.owner
    given, unknown = function.node.args, arguments.others
    places = [*given.posonlyargs, *given.args]
    for parameter, value in zip(places, arguments.positional, strict=False):
        scope.data[parameter.arg] = value
    extra = arguments.positional[len(places) :]
    names = {parameter.arg for parameter in (*given.args, *given.kwonlyargs)}
    others: dict[str, Value] = {}
    for name, value in arguments.keywords.items():
        if name in names and name not in scope.data:
            scope.data[name] = value
        elif given.kwarg is not None and name not in names:
            others[name] = arguments.perhaps.get(name) or (value if unknown is None else maybe(value, unknown))
        elif unknown is None and name not in arguments.perhaps:
            raise RaisedError("builtins.TypeError", f"{function.name}() got {name}", run.site())
        else:
            run.risk = True
    if extra and given.vararg is None:
        raise RaisedError("builtins.TypeError", f"{function.name}() takes fewer arguments", run.site())
    if given.vararg is not None:
        scope.data[given.vararg.arg] = unknown or TupleValue(tuple(extra))
    if given.kwarg is not None:
        scope.data[given.kwarg.arg] = DictValue.of(others, unknown)
    for parameter, _, default in function.parameters():
        if parameter.arg not in scope.data:
            if (missing := unknown or default) is None:
                raise RaisedError("builtins.TypeError", f"{function.name}() needs {parameter.arg}", run.site())
            scope.data[parameter.arg] = missing
    return scope


def unknown_arguments(function: Value) -> Arguments:
    """Arguments that whoever calls ``function`` from outside may pass: nothing is known of them."""
    inner = function.function if isinstance(function, BoundMethod) else function
    skip = 1 if isinstance(function, BoundMethod) else 0
    if isinstance(inner, ClassValue):
        inner, skip = inner.find("__init__") or inner, 1
    parameters = [*inner.parameters()][skip:] if isinstance(inner, FunctionValue) else []
    needed = (each.arg for each, kind, default in parameters if default is None and not kind.startswith("VAR"))
    name = next(needed, None)
    return Arguments(unknown=Unknown(f"{name} is given by the caller", ARGUMENTS) if name is not None else None)


def _call_partial(run: Run, value: Partial, arguments: Arguments) -> Value:
    keywords = {**dict(value.keywords), **arguments.keywords}
    return run.call(value.function, replace(arguments.behind(*value.positional), keywords=keywords))


def _call_instance(run: Run, value: Instance, arguments: Arguments) -> Value:
    if value.cls.refused is None and value.cls.find("__call__") is not None:
        return run.call(run.attribute(value, "__call__"), arguments)
    why = run.risky(f"a call of an object of {value.cls.name}")
    run.disturb([value], why)
    run.hand_over(arguments.all, why)
    return why


def _call_unknown(run: Run, value: Unknown, arguments: Arguments) -> Value:
    if isinstance(value, AnyOf) and value.sure:
        return each_of(run, value, value.options, lambda option: run.call(option, arguments))
    run.risk = True
    called(run, value)
    run.disturb([value], value)
    run.hand_over(arguments.all, value)
    return unsettled(value, *_passed_on(arguments))


CALLS |= {FunctionValue: call_function, Partial: _call_partial, Instance: _call_instance}
CALLS |= dict.fromkeys((Unknown, AnyOf), _call_unknown)
CALLS[BoundMethod] = lambda run, method, arguments: run.call(method.function, arguments.behind(method.receiver))
CALLS[Native] = lambda run, function, arguments: function.implementation(run, arguments)


def plain_super(run: Run, scope: Scope) -> Value:
    """``super()`` without arguments; in a function or comprehension of a method, Python mostly refuses it."""
    parameters = parameters_of(scope.node) if scope.node is not None else []
    receiver = scope.data.get(parameters[0].arg) if parameters else None
    if scope.owner is None or receiver is None:
        return run.risky("super() outside a method")
    return Super(scope.owner, receiver)


def entered(run: Run, manager: Value) -> Value:
    """What ``with manager as name`` gives to ``name``: what a manager of the program does is not followed."""
    if type(manager) in MANAGERS or (isinstance(manager, Called) and manager.callee.startswith(_POOLS)):
        return manager
    why = run.risky("the value that a context manager gives", manager)
    if isinstance(manager, Instance) and manager.cls.find("__enter__", "__aenter__") is not None:
        lose(run, [manager], why)
    given = [*manager.args, *dict(manager.kwargs).values()] if isinstance(manager, Called) else [manager]
    return unsettled(why, *given)


_POOLS = "concurrent.futures."
MANAGERS: set[type] = set()  # the classes of values that give themselves, and swallow nothing, as context managers


TEXT_FORMS: dict[type, Callable[[Run, Any], Value]] = {}
"""How objects of libraries are shown as text, by the class of the value."""


def text_form(run: Run, value: Value, *, as_repr: bool = False) -> Value:
    """``str(value)`` or ``repr(value)``"""
    operated(run, TEXT, value)
    if isinstance(value, Unknown):
        return value
    if isinstance(value, Const):
        try:
            return Const(repr(value.value) if as_repr else str(value.value))
        except ValueError as error:  # Python writes no number of more than some thousand digits
            raise raised(error, run.site()) from error
    if (known := TEXT_FORMS.get(type(value))) is not None:
        return known(run, value)
    if (plain := plain_form(value)) is not None:
        text = repr(plain[0])
        run.step(len(text) // 100)
        return Const(text)
    return run.risky("the text form of an object")


def plain_form(value: Value) -> tuple[Any] | None:
    """The Python object that a value made of scalars, lists, tuples and dicts is, in a tuple; ``None`` otherwise."""
    return _plain_form(value) if is_small(value) else None


def _plain_form(value: Value) -> tuple[Any] | None:
    parts: Sequence[Value]
    make: Callable[[Iterable[Any]], Any]
    if isinstance(value, Const):
        return (value.value,)
    if isinstance(value, TupleValue) and not value.fields:
        parts, make = value.items, tuple
    elif isinstance(value, ListValue) and value.exact:
        parts, make = value.data, list
    elif isinstance(value, DictValue) and value.exact and not value.ordered:
        parts, make = [TupleValue(pair) for pair in value.entries()], dict
    else:
        return None
    found = [_plain_form(part) for part in parts]
    return None if None in found else (make(item[0] for item in found if item is not None),)


def from_plain(value: Any) -> Value:
    """A value for a Python object made of scalars, lists, tuples and dicts."""
    if isinstance(value, dict):
        keys = [from_plain(key) for key in value]
        return DictValue({key_of(key): (key, from_plain(item)) for key, item in zip(keys, value.values(), strict=True)})
    if isinstance(value, list):
        return ListValue([from_plain(item) for item in value])
    if isinstance(value, tuple):
        return TupleValue(tuple(from_plain(item) for item in value))
    return Const(value)
