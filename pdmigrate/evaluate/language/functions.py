"""Functions of the program: making them, binding their arguments, running their bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, with_aliases
from pdmigrate.evaluate.core.budget import DEPTH
from pdmigrate.evaluate.core.disturbing import poison_arguments
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame
from pdmigrate.evaluate.core.operations import CALLS, EXPRESSIONS, evaluate, run_block
from pdmigrate.evaluate.core.python_values import NotPlain, key_of
from pdmigrate.evaluate.core.values import (
    CACHE,
    NONE,
    Arguments,
    DictValue,
    Entry,
    FunctionValue,
    IteratorValue,
    Origin,
    Parameter,
    Scope,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.coroutines import Coroutine
from pdmigrate.evaluate.language.giving_up import give_up
from pdmigrate.evaluate.language.iterators import iterator
from pdmigrate.tree.code.bodies import Body, Parameters, docstring, may_hold
from pdmigrate.tree.code.later import Later
from pdmigrate.tree.code.syntax import own_nodes

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@EXPRESSIONS.of(cst.Lambda)
def lambda_function(run: Interpreter, node: cst.Lambda, frame: Frame) -> FunctionValue:
    return _function(run, node, frame, "<lambda>")


def defined_function(run: Interpreter, node: cst.FunctionDef, frame: Frame) -> FunctionValue:
    """The function that a ``def`` statement makes, before its decorators."""
    function = _function(run, node, frame, node.name.value)
    function.asynchronous = node.asynchronous is not None
    function.generator = frame.module.may_yield and may_hold(node, "yield") and _yields(run, node)
    function.names["__doc__"] = const(docstring(node), Origin("docstring", frame.place(node)))
    return function


def _function(run: Interpreter, node: cst.FunctionDef | cst.Lambda, frame: Frame, name: str) -> FunctionValue:
    scope = frame.scope
    if scope.kind == "class" and scope.parent is not None:
        scope = scope.parent
    function = FunctionValue(
        name=name,
        module=frame.module,
        node=node,
        scope=scope,
        parameters=_parameters_of(run, node.params, frame),
        origin=Origin(f"function {name}", frame.place(node)),
        private=frame.scope.private,
    )
    run.defined.functions[node] = function
    function.names["__name__"] = const(name, Origin("the name of the function", frame.place(node)))
    function.names["__qualname__"] = function.names["__name__"]
    function.names["__module__"] = const(frame.module.name)
    return function


def _parameters_of(run: Interpreter, node: cst.Parameters, frame: Frame) -> Sequence[Parameter]:
    if type(node.params) is Parameters and node.params.parsed is None:
        # Unparsed parameters have only constants as defaults: it does not matter when these are evaluated.
        return _LaterParameters(lambda: tuple(_parameters(run, node, frame)))
    return tuple(_parameters(run, node, frame))


class _LaterParameters(Later[Parameter]):
    def __init__(self, make: Callable[[], tuple[Parameter, ...]]) -> None:
        self._make = make

    @cached_property
    def items(self) -> tuple[Parameter, ...]:
        return self._make()


def _parameters(run: Interpreter, node: cst.Parameters, frame: Frame) -> Iterator[Parameter]:
    kinds = {
        "positional": node.posonly_params,
        "any": node.params,
        "args": (node.star_arg,) if isinstance(node.star_arg, cst.Param) else (),
        "keyword": node.kwonly_params,
        "kwargs": (node.star_kwarg,) if node.star_kwarg is not None else (),
    }
    for kind, params in kinds.items():
        for param in params:
            default = evaluate(run, param.default, frame) if param.default is not None else None
            yield Parameter(param.name.value, kind, default, param.annotation)


def _yields(run: Interpreter, node: cst.FunctionDef) -> bool:
    known = run.remembered.yields.get(node)
    if known is None:
        body = node.body.body
        hints = body.hints if type(body) is Body and body.parsed is None else None
        found = hints.yields if hints is not None else any(type(item) is cst.Yield for item in own_nodes(node.body))
        known = run.remembered.yields[node] = found
    return known


@CALLS.of(FunctionValue)
def call_function(run: Interpreter, function: FunctionValue, arguments: Arguments) -> Value:
    """Call a function of the program."""
    memo = function.names[CACHE].mapping if CACHE in function.names else None
    return _cached(run, function, memo, arguments) if memo is not None else _fresh(run, function, arguments)


def _fresh(run: Interpreter, function: FunctionValue, arguments: Arguments) -> Value:
    """The result of a call without a cache; the bodies of coroutines and generators run later."""
    node = function.node
    if len(run.calls.under_way) >= DEPTH:
        return reasons.unknown(reasons.BUDGET, f"calls are nested too deeply at {function.name}", arguments.place)
    endless = _recursion_over_unknown(run, function, arguments)
    if endless is not None:
        return endless
    if node is None or function.scope is None or function.module is None:
        return reasons.unknown(reasons.UNSUPPORTED, f"the function {function.name}", arguments.place)
    scope = Scope(kind="function", parent=function.scope, module=function.module, node=node, private=function.private)
    bind_arguments(run, function, arguments, scope)
    if function.asynchronous and not function.generator:
        return Coroutine(lambda: _called(run, function, scope), f"{function.name}()", origin=function.origin)
    if not function.generator:
        return _called(run, function, scope)

    def compute() -> tuple[list[Value], UnknownValue | None]:
        made = _called(run, function, scope)
        return (list(made.sequence), made.rest) if made.sequence is not None else ([], first_unknown(made))

    return iterator(compute, function.origin, node=node, own=scope)


def _cached(run: Interpreter, function: FunctionValue, memo: DictValue, arguments: Arguments) -> Value:
    """The cached result for these arguments; the body runs only in the first call with them."""
    if (unknown := memo.rest or arguments.unknown) is not None:
        return unknown
    try:
        key = (tuple(arguments.keywords), *map(key_of, arguments.values))
    except NotPlain as reason:
        return with_aliases(reason.unknown, *arguments.values)
    if key not in memo.entries:
        value = _fresh(run, function, arguments)
        run.trail.touch(memo)
        memo.entries[key] = Entry(NONE, value)
    known = memo.entries[key].value
    return with_aliases(known.doubt, known.element) if known.doubt is not None else known


def _called(run: Interpreter, function: FunctionValue, scope: Scope) -> Value:
    assert function.node is not None
    if function.node in run.calls.left_out:
        return give_up(run, function, scope)
    outer, before = run.calls.begin(function), run.budget.steps
    try:
        return _run_body(run, function, scope)
    finally:
        run.calls.end(function, before - run.budget.steps if outer else None)


def _recursion_over_unknown(run: Interpreter, function: FunctionValue, arguments: Arguments) -> UnknownValue | None:
    """The result of a recursion with an unknown argument, which no condition would end; ``None`` for other calls."""
    unknown = next((value.as_unknown for value in arguments.values if value.as_unknown is not None), None)
    if unknown is None or run.calls.nested(function.node) < MOST_UNKNOWN_RECURSION:
        return None
    poison_arguments(run, arguments, unknown)
    run.risk(unknown, "soft")
    return unknown


MOST_UNKNOWN_RECURSION = 2


def _run_body(run: Interpreter, function: FunctionValue, scope: Scope) -> Value:
    node, module = function.node, function.module
    assert module is not None
    frame = Frame(scope, module, function, guards_from=len(run.guards))
    if type(node) is cst.Lambda:
        return evaluate(run, node.body, frame)
    assert type(node) is cst.FunctionDef
    run.trail.fork()
    frame.level = len(run.trail.levels) - 1
    if function.generator:
        frame.yields = IteratorValue(origin=function.origin)
    try:
        outcome = run_block(run, node.body.body, frame)
        value = outcome.value if outcome is not None and outcome.value is not None else NONE
        return _leave(run, frame, value)
    except AbstractRaise:
        returns = [p for p in frame.pending if p.outcome.kind == "return"]
        if not returns:
            raise
        # The body returns on one branch and raises on the other: the program goes on after the return.
        run.risk(returns[-1].guard.unknown)
        run.trail.apply(returns[-1].states)
        frame.pending.remove(returns[-1])
        return _leave(run, frame, returns[-1].outcome.value or NONE)
    finally:
        run.trail.keep()


def _leave(run: Interpreter, frame: Frame, value: Value) -> Value:
    settled = run.settle(frame, frame.level, "return", value)
    return frame.yields or settled or value


# --- arguments --------------------------------------------------------------------------------------------------------


def bind_arguments(run: Interpreter, function: FunctionValue, arguments: Arguments, scope: Scope) -> None:
    """Bind parameters as a call does; raises the program's ``TypeError`` if the arguments do not fit."""
    positional, keywords, unknown = list(arguments.positional), dict(arguments.keywords), arguments.unknown
    for parameter in function.parameters:
        name, kind = parameter.name, parameter.kind
        value: Value | None
        if kind == "args":
            value, positional = unknown or TupleValue(tuple(positional)), []
        elif kind == "kwargs":
            value = extra = arguments.collected(keywords)
            extra.rest, keywords = unknown, {}
        elif kind != "keyword" and positional:
            value = positional.pop(0)
        elif kind != "positional" and name in keywords:
            value = keywords.pop(name)
        else:
            value = unknown or parameter.default
        if value is None:
            raise run.failure("TypeError", f"{function.name}() is missing the argument {name}")
        scope.names[name] = value
    if unknown is None and (positional or keywords):
        raise run.failure("TypeError", f"{function.name}() got an unexpected argument")


def unknown_arguments(function: FunctionValue, *, skip_first: bool = False) -> Arguments:
    """Unknown arguments, for a function whose caller is not evaluated."""
    keywords: dict[str, Value] = {}
    positional: list[Value] = []
    for parameter in function.parameters[int(skip_first) :]:
        reason = f"{parameter.name} is an argument of {function.name}(), set by its caller"
        value = reasons.unknown(reasons.ARGUMENTS, reason, function.made_at)
        if parameter.kind == "positional":
            positional.append(value)
        elif parameter.kind in ("any", "keyword"):
            keywords[parameter.name] = value
    return Arguments(tuple(positional), keywords)
