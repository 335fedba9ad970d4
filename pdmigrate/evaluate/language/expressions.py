"""Expressions: one function per kind of syntax node."""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, forget_names, namespace_of, taken_from, with_aliases
from pdmigrate.evaluate.core.disturbing import disturb, poison_arguments
from pdmigrate.evaluate.core.docstrings import documented
from pdmigrate.evaluate.core.frames import AbstractRaise
from pdmigrate.evaluate.core.members import call_own
from pdmigrate.evaluate.core.natives import settled
from pdmigrate.evaluate.core.operations import EXPRESSIONS, Spread, call_with, evaluate, get_attribute, spread, truth
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import (
    FALSE,
    NONE,
    TRUE,
    Arguments,
    DictValue,
    Guard,
    Maybe,
    Origin,
    Super,
    TupleValue,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language import comprehensions, operators
from pdmigrate.evaluate.language.comparison import compare, truth_value
from pdmigrate.evaluate.language.coroutines import awaited
from pdmigrate.evaluate.language.imports import any_import
from pdmigrate.evaluate.language.operator_methods import maybe_by_class
from pdmigrate.evaluate.language.scopes import bind, look_up, mangled, own_value
from pdmigrate.evaluate.language.subscripts import get_item, get_slice

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame
    from pdmigrate.evaluate.core.interpreter import Interpreter


@EXPRESSIONS.of(cst.CSTNode)
def _other(_run: Interpreter, node: cst.CSTNode, frame: Frame) -> Value:
    return reasons.unknown(reasons.UNSUPPORTED, f"the construct {type(node).__name__}", frame.place(node))


@EXPRESSIONS.of(cst.Name)
def _name(run: Interpreter, node: cst.Name, frame: Frame) -> Value:
    if node.value in _KEYWORDS:
        return _KEYWORDS[node.value]
    if node.value == "__annotations__" and frame.scope.kind == "class":
        unknown = reasons.unknown(reasons.UNSUPPORTED, "the class changes its annotations itself", frame.place(node))
        run.trail.touch(frame.scope)
        frame.scope.rest = frame.scope.rest or unknown
        return unknown
    if node.value == "__debug__":
        return reasons.unknown(reasons.PLATFORM, "__debug__ depends on how Python is started", frame.place(node))
    own = own_value(frame, node.value)
    if own is not None:
        return own
    value = look_up(run, frame, node.value, node)
    return documented(run, value) if node.value == "__doc__" else value


_KEYWORDS: dict[str, Value] = {"None": NONE, "True": TRUE, "False": FALSE}


@EXPRESSIONS.of(cst.Attribute)
def _attribute(run: Interpreter, node: cst.Attribute, frame: Frame) -> Value:
    return get_attribute(run, evaluate(run, node.value, frame), mangled(frame, node.attr.value), frame.place(node))


@EXPRESSIONS.of(cst.Call)
def _call(run: Interpreter, node: cst.Call, frame: Frame) -> Value:
    if type(node.func) is cst.Name and node.func.value in ("super", "locals", "globals", "vars", "eval", "exec"):
        special = _frame_call(run, node.func.value, node, frame)
        if special is not None:
            return special
    function, arguments = evaluate(run, node.func, frame), arguments_of(run, node, frame)
    if arguments.doubt is None:
        return call_with(run, function, arguments)
    try:
        return call_with(run, function, arguments)
    except AbstractRaise as raised:
        if raised.type != "TypeError":
            raise
        return arguments.doubt  # without the arguments that may be absent, the call may succeed
    finally:
        run.risk(arguments.doubt, "soft")


def _frame_call(run: Interpreter, name: str, node: cst.Call, frame: Frame) -> Value | None:
    """The result of a call that depends on its frame, such as ``super()`` or ``locals()``; ``None`` for other calls."""
    if name == "super" and not node.args:
        return zero_argument_super(frame) or reasons.unknown(reasons.UNSUPPORTED, "super() here", frame.place(node))
    if name in ("eval", "exec") or (name in ("locals", "globals", "vars") and not node.args):
        unknown = reasons.unknown(reasons.UNSUPPORTED, f"{name}() cannot be followed", frame.place(node))
        run.risk(unknown)
        if name in ("eval", "exec"):
            return _executed(run, name, arguments_of(run, node, frame), frame, unknown)
        if frame.scope.kind == "class":
            run.trail.touch(frame.scope)
            frame.scope.rest = unknown
        scope = frame.scope
        while name == "globals" and scope.parent is not None:
            scope = scope.parent
        return namespace_of(scope, unknown)
    return None


def _executed(run: Interpreter, name: str, arguments: Arguments, frame: Frame, unknown: UnknownValue) -> UnknownValue:
    """The unknown result of ``exec`` or ``eval``; ``exec`` may bind any name in this scope, or in another argument."""
    if len(arguments.positional) > 1 or arguments.keywords:
        poison_arguments(run, arguments, unknown)
        for value in arguments.values:
            if isinstance(value, UnknownValue):
                disturb(run, value)
    elif name == "exec":
        forget_names(run, frame.scope, unknown)
    any_import(run, unknown, arguments)
    return unknown


def arguments_of(run: Interpreter, node: cst.Call, frame: Frame) -> Arguments:
    """The evaluated arguments of a call, with ``*`` and ``**`` expanded."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    unknown: UnknownValue | None = None
    doubt: UnknownValue | None = None
    order: UnknownValue | None = None
    perhaps: dict[str, Maybe] = {}
    place = frame.place(node)
    # From the first argument that may be absent on, it is unknown which parameter gets which value.
    lost: UnknownValue | None = None
    for argument in node.args:
        value = evaluate(run, argument.value, frame)
        if argument.star == "*":
            more = spread(run, value, place)
            doubt = doubt or Spread(more.items).uncertain
            placed = _placed(more) if lost is None else []
            positional += placed
            lost = lost or more.uncertain
            if lost is not None:
                lost = with_aliases(lost, *more.items[len(placed) :])
            run.budget.make(len(positional))
        elif argument.star == "**":
            unknown = unknown or first_unknown(value)
            if (given := value.mapping) is not None:
                order = order or given.order
                doubt = doubt or Spread([entry.value for entry in given.entries.values()]).uncertain
                more_unknown = _spread_keywords(given, keywords, perhaps)
                unknown = unknown or (taken_from(given, more_unknown) if more_unknown is not None else None)
            elif unknown is None:
                unknown = reasons.unknown(reasons.UNSUPPORTED, "** of something that is not a dict", place)
        elif argument.keyword is not None:
            keywords[argument.keyword.value] = value
        elif lost is not None:
            lost = with_aliases(lost, value)
        else:
            positional.append(value)
    return Arguments(tuple(positional), keywords, unknown or lost, place, doubt, order, perhaps)


def _placed(elements: Spread) -> list[Value]:
    """The elements whose positions are known: those before the first that may be absent."""
    return [] if elements.rest is not None else list(takewhile(lambda item: type(item) is not Maybe, elements.items))


def _spread_keywords(value: DictValue, keywords: dict[str, Value], perhaps: dict[str, Maybe]) -> UnknownValue | None:
    unknown = value.rest
    for entry in value.entries.values():
        if (name := entry.key.text) is None:
            unknown = unknown or reasons.unknown(reasons.UNSUPPORTED, "** of a dict whose keys are not plain text")
        elif isinstance(entry.value, Maybe):
            keywords[name] = with_aliases(entry.value.doubt, entry.value.value)
            perhaps[name] = entry.value
        elif value.rest is not None:
            # An unknown entry may have replaced this one.
            keywords[name] = with_aliases(first_unknown(entry.value) or value.rest, entry.value)
        else:
            keywords[name] = entry.value
    return unknown


@EXPRESSIONS.of(cst.BinaryOperation)
def _binary(run: Interpreter, node: cst.BinaryOperation, frame: Frame) -> Value:
    # A long chain of additions is a deep tree that leans to the left: walk down it without recursion.
    chain = [node]
    left: cst.BaseExpression = node.left
    while type(left) is cst.BinaryOperation:
        chain.append(left)
        left = left.left
    value = evaluate(run, left, frame)
    for link in reversed(chain):
        right = evaluate(run, link.right, frame)
        value = operators.binary(run, type(link.operator), value, right, frame.place(link))
    return value


@EXPRESSIONS.of(cst.BooleanOperation)
def _boolean(run: Interpreter, node: cst.BooleanOperation, frame: Frame) -> Value:
    left = evaluate(run, node.left, frame)
    known = truth(run, left)
    stop = type(node.operator) is cst.Or
    if known is True or known is False:
        return left if known is stop else evaluate(run, node.right, frame)
    guard = Guard(frame.module.code(node.left), known)
    right = conditional_value(run, guard.inverse() if stop else guard, frame, node.right)
    return with_aliases(known, left, right)


def conditional_value(run: Interpreter, guard: Guard, frame: Frame, node: cst.BaseExpression) -> Value:
    """The value of ``node``, which runs only if ``guard`` holds; the unknown value of ``guard`` if ``node`` raises."""
    return run.under(guard, lambda: evaluate(run, node, frame)) or guard.unknown


@EXPRESSIONS.of(cst.UnaryOperation)
def _unary(run: Interpreter, node: cst.UnaryOperation, frame: Frame) -> Value:
    value = evaluate(run, node.expression, frame)
    if type(node.operator) is cst.Not:
        return truth_value(truth(run, value), negate=True)
    name, function = _UNARY[type(node.operator)]
    unknown = first_unknown(value)
    if unknown is not None:
        maybe_by_class(run, (name,), unknown, value)
        return unknown
    if (own := call_own(run, value, name, place=frame.place(node))) is not None:
        return own
    if value.scalar is None or not isinstance(value.scalar.value, (int, float)):
        return reasons.unknown(reasons.UNSUPPORTED, "this operator", frame.place(node))
    try:
        result = function(value.scalar.value)
    except TypeError:
        raise run.failure("TypeError", "bad operand for ~") from None
    return const(result, Origin("computed", frame.place(node), value.sources))


_UNARY: dict[type, tuple[str, Callable[[Any], Any]]] = {
    cst.Minus: ("__neg__", operator.neg),
    cst.Plus: ("__pos__", operator.pos),
    cst.BitInvert: ("__invert__", operator.invert),
}


@EXPRESSIONS.of(cst.Comparison)
def _comparison(run: Interpreter, node: cst.Comparison, frame: Frame) -> Value:
    left = evaluate(run, node.left, frame)
    result: Value = TRUE
    for number, target in enumerate(node.comparisons, 1):
        right = evaluate(run, target.comparator, frame)
        result = compare(run, target.operator, left, right, frame.place(node))
        known = truth(run, result)
        if known is not True:
            if known is not False and number < len(node.comparisons):
                guard = Guard(frame.module.code(node.left), known)
                for other in node.comparisons[number:]:
                    conditional_value(run, guard, frame, other.comparator)
            return result
        left = right
    return result


@EXPRESSIONS.of(cst.IfExp)
def _if_expression(run: Interpreter, node: cst.IfExp, frame: Frame) -> Value:
    known = truth(run, evaluate(run, node.test, frame))
    if known is True or known is False:
        return evaluate(run, node.body if known else node.orelse, frame)
    guard = Guard(frame.module.code(node.test), known)
    return run.either(guard, lambda: evaluate(run, node.body, frame), lambda: evaluate(run, node.orelse, frame))


@EXPRESSIONS.of(cst.Subscript)
def _subscript(run: Interpreter, node: cst.Subscript, frame: Frame) -> Value:
    container = evaluate(run, node.value, frame)
    place = frame.place(node)
    if len(node.slice) == 1 and type(node.slice[0].slice) is cst.Slice:
        try:
            return get_slice(run, container, slice_bounds(run, node.slice[0].slice, frame), place)
        except NotPlain as reason:
            return taken_from(container, reason.unknown)
    return get_item(run, container, subscript_key(run, node, frame), place)


def subscript_key(run: Interpreter, node: cst.Subscript, frame: Frame) -> Value:
    """The value between the brackets."""
    keys: list[Value] = []
    for element in node.slice:
        if type(element.slice) is not cst.Index:
            return reasons.unknown(reasons.UNSUPPORTED, "a slice of several dimensions", frame.place(node))
        keys.append(evaluate(run, element.slice.value, frame))
    single = len(keys) == 1 and type(node.slice[-1].comma) is not cst.Comma
    return keys[0] if single else TupleValue(tuple(keys))


def slice_bounds(run: Interpreter, node: cst.Slice, frame: Frame) -> slice:
    """The bounds of a slice.

    Raises:
        NotPlain: a bound is not known.
    """
    bounds: list[int | None] = []
    for part in (node.lower, node.upper, node.step):
        value = settled(evaluate(run, part, frame)) if part is not None else NONE
        if value.number is None and not value.is_just(None):
            raise run.failure("TypeError", "slice indices must be integers")
        bounds.append(value.number)
    if bounds[2] == 0:
        raise run.failure("ValueError", "slice step cannot be zero")
    return slice(*bounds)


@EXPRESSIONS.of(cst.NamedExpr)
def _named(run: Interpreter, node: cst.NamedExpr, frame: Frame) -> Value:
    value = evaluate(run, node.value, frame)
    if isinstance(node.target, cst.Name):
        scope = frame.scope
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        target = frame if scope is frame.scope else comprehensions.frame_in(frame, scope)
        bind(run, target, node.target.value, value, frame.place(node))
    return value


EXPRESSIONS.of(cst.Await)(lambda run, node, frame: awaited(run, evaluate(run, node.expression, frame)))


@EXPRESSIONS.of(cst.Yield)
def _yield(run: Interpreter, node: cst.Yield, frame: Frame) -> Value:
    if frame.yields is None:
        return reasons.unknown(reasons.UNSUPPORTED, "yield here", frame.place(node))
    run.trail.touch(frame.yields)
    run.budget.make(1)
    if isinstance(node.value, cst.From):
        more = spread(run, evaluate(run, node.value.item, frame), frame.place(node))
        frame.yields.items += more.items
        frame.yields.rest = frame.yields.rest or more.rest
        return reasons.unknown(reasons.UNSUPPORTED, "what yield from gives", frame.place(node))
    frame.yields.items.append(evaluate(run, node.value, frame) if node.value is not None else NONE)
    return NONE


def zero_argument_super(frame: Frame) -> Super | None:
    """``super()`` in a method; ``None`` elsewhere."""
    function = frame.function
    if function is None or function.owner is None or not function.parameters:
        return None
    receiver = frame.scope.names.get(function.parameters[0].name)
    return Super(function.owner, receiver) if receiver is not None else None
