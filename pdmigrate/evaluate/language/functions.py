"""Functions of the program: making them, binding their arguments, running their bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, leading_to
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
    ListValue,
    Maybe,
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
from pdmigrate.tree.code.syntax import syntax_children

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
    run.functions.setdefault(node, []).insert(0, function)
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
    for kind, params in (("positional", node.posonly_params), ("any", node.params)):
        for param in params:
            yield _parameter(run, param, kind, frame)
    if type(node.star_arg) is cst.Param:
        yield Parameter(node.star_arg.name.value, "args", None, node.star_arg.annotation)
    for param in node.kwonly_params:
        yield _parameter(run, param, "keyword", frame)
    if node.star_kwarg is not None:
        yield Parameter(node.star_kwarg.name.value, "kwargs", None, node.star_kwarg.annotation)


def _parameter(run: Interpreter, param: cst.Param, kind: str, frame: Frame) -> Parameter:
    default = evaluate(run, param.default, frame) if param.default is not None else None
    return Parameter(param.name.value, kind, default, param.annotation)


def _yields(run: Interpreter, node: cst.FunctionDef) -> bool:
    known = run.yields.get(node)
    if known is None:
        body = node.body.body
        hints = body.hints if type(body) is Body and body.parsed is None else None
        known = run.yields[node] = _has_yield(node.body) if hints is None else hints.yields
    return known


def _has_yield(body: cst.CSTNode) -> bool:
    """Whether a body yields, nested definitions apart."""
    stack: list[cst.CSTNode] = [body]
    while stack:
        node = stack.pop()
        kind = type(node)
        if kind is cst.Yield:
            return True
        if kind not in _DEFINITIONS or node is body:
            stack += syntax_children(node)
    return False


_DEFINITIONS = frozenset({cst.FunctionDef, cst.ClassDef, cst.Lambda})


@CALLS.of(FunctionValue)
def call_function(run: Interpreter, function: FunctionValue, arguments: Arguments) -> Value:
    """Call a function of the program."""
    memo = function.names.get(CACHE)
    if isinstance(memo, DictValue):
        return _cached(run, function, memo, arguments)
    return _fresh(run, function, arguments)


def _fresh(run: Interpreter, function: FunctionValue, arguments: Arguments) -> Value:
    """Run the body of a function."""
    node = function.node
    if len(run.calls) >= DEPTH:
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
        return (made.items, made.rest) if isinstance(made, ListValue) else ([], first_unknown(made))

    return iterator(compute, function.origin, node=node, own=scope)


def _cached(run: Interpreter, function: FunctionValue, memo: DictValue, arguments: Arguments) -> Value:
    """The cached result for these arguments; the body runs for their first call only."""
    given = (*arguments.positional, *arguments.keywords.values())
    if arguments.unknown is not None or memo.rest is not None:
        return memo.rest or arguments.unknown or NONE
    try:
        key = (tuple(arguments.keywords), *(key_of(value) for value in given))
    except NotPlain as reason:
        return leading_to(reason.unknown, *given)
    entry = memo.entries.get(key)
    if entry is not None and isinstance(entry.value, Maybe):
        return leading_to(entry.value.guard.unknown, entry.value.value)
    if entry is None:
        value = _fresh(run, function, arguments)
        run.trail.touch(memo)
        entry = memo.entries[key] = Entry(NONE, value)
    return entry.value


def _called(run: Interpreter, function: FunctionValue, scope: Scope) -> Value:
    assert function.node is not None
    if function.node in run.left_out:
        return give_up(run, function, scope)
    run.executed.add(function.node)
    outer, before = function not in run.calls, run.budget.steps
    run.calls.append(function)
    try:
        return _run_body(run, function, scope)
    finally:
        run.calls.pop()
        if outer:
            run.spent[function] = run.spent.get(function, 0) + before - run.budget.steps


def _recursion_over_unknown(run: Interpreter, function: FunctionValue, arguments: Arguments) -> UnknownValue | None:
    """The result of a function that recurses on an unknown argument, which no condition would end; else ``None``."""
    values = (*arguments.positional, *arguments.keywords.values())
    unknown = next((value for value in values if isinstance(value, UnknownValue)), None)
    if unknown is None or sum(1 for caller in run.calls if caller.node is function.node) < MOST_UNKNOWN_RECURSION:
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
    except Exception as raised:
        returns = [p for p in frame.pending if p.outcome.kind == "return"]
        if not isinstance(raised, AbstractRaise) or not returns:
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
    if frame.yields is not None:
        return frame.yields
    return settled if settled is not None else value


# --- arguments --------------------------------------------------------------------------------------------------------


def bind_arguments(run: Interpreter, function: FunctionValue, arguments: Arguments, scope: Scope) -> None:
    """Bind parameters as a call does; raises ``TypeError`` in the program when they do not fit."""
    positional = list(arguments.positional)
    keywords = dict(arguments.keywords)
    for parameter in function.parameters:
        scope.names[parameter.name] = _argument(run, function, parameter, positional, keywords, arguments)
    if arguments.unknown is None and (positional or keywords):
        raise run.failure("TypeError", f"{function.name}() got an unexpected argument")


def _argument(
    run: Interpreter,
    function: FunctionValue,
    parameter: Parameter,
    positional: list[Value],
    keywords: dict[str, Value],
    arguments: Arguments,
) -> Value:
    name, kind = parameter.name, parameter.kind
    if kind == "args":
        rest, positional[:] = tuple(positional), []
        return arguments.unknown or TupleValue(rest)
    if kind == "kwargs":
        extra = arguments.collected(keywords)
        extra.rest = arguments.unknown
        keywords.clear()
        return extra
    if kind in ("positional", "any") and positional:
        return positional.pop(0)
    if kind in ("any", "keyword") and name in keywords:
        return keywords.pop(name)
    if arguments.unknown is not None:
        return arguments.unknown
    if parameter.default is not None:
        return parameter.default
    raise run.failure("TypeError", f"{function.name}() misses the argument {name}")


def unknown_arguments(function: FunctionValue, *, skip_first: bool = False) -> Arguments:
    """Unknown arguments, for a function whose caller is not evaluated."""
    keywords: dict[str, Value] = {}
    positional: list[Value] = []
    for index, parameter in enumerate(function.parameters):
        if skip_first and index == 0:
            continue
        value = argument_unknown(function, parameter)
        if parameter.kind == "positional":
            positional.append(value)
        elif parameter.kind in ("any", "keyword"):
            keywords[parameter.name] = value
    return Arguments(tuple(positional), keywords)


def argument_unknown(function: FunctionValue, parameter: Parameter) -> UnknownValue:
    reason = f"{parameter.name} is an argument of {function.name}(), set by its caller"
    return reasons.unknown(reasons.ARGUMENTS, reason, function.origin.place if function.origin else None)
