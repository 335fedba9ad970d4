"""Statements: one function per kind of syntax node; each returns a ``Leaving`` if it leaves its block."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import with_aliases
from pdmigrate.evaluate.core.disturbing import poison
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame, Leaving
from pdmigrate.evaluate.core.joining import join_values
from pdmigrate.evaluate.core.kinds import Kinds
from pdmigrate.evaluate.core.operations import (
    STATEMENTS,
    TARGETS,
    Spread,
    assign,
    evaluate,
    get_attribute,
    noted,
    run_block,
    spread,
    truth,
)
from pdmigrate.evaluate.core.python_values import NotPlain
from pdmigrate.evaluate.core.values import NONE, FieldRecord, Guard, ListValue, Scope, UnknownValue, Value
from pdmigrate.evaluate.language.annotations import annotation_value, record_field
from pdmigrate.evaluate.language.attribute_setting import delete_attribute, set_attribute
from pdmigrate.evaluate.language.augmenting import AUGMENTED, augmented, holds_by_place
from pdmigrate.evaluate.language.calls import is_small_choice
from pdmigrate.evaluate.language.classes import define_class
from pdmigrate.evaluate.language.dead_ends import run_side
from pdmigrate.evaluate.language.decorators import decorate
from pdmigrate.evaluate.language.expressions import slice_bounds, subscript_key
from pdmigrate.evaluate.language.functions import defined_function
from pdmigrate.evaluate.language.metaclasses import replaced
from pdmigrate.evaluate.language.operator_methods import maybe_by_class
from pdmigrate.evaluate.language.scopes import bind, mangled, unbind
from pdmigrate.evaluate.language.subscripts import delete_item, get_item, set_item
from pdmigrate.evaluate.language.type_parameters import alias_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@STATEMENTS.of(cst.CSTNode)
def _other(run: Interpreter, node: cst.CSTNode, frame: Frame) -> None:
    """A statement newer than this evaluator: it may bind any name, and register anything."""
    unknown = reasons.unknown(reasons.UNSUPPORTED, f"a statement of a newer Python ({type(node).__name__})")
    run.trail.touch(frame.scope)
    for name in list(frame.scope.names):
        frame.scope.names[name] = with_aliases(unknown, frame.scope.names[name])
    frame.scope.rest = frame.scope.rest or unknown
    run.doubt = run.doubt or unknown


STATEMENTS.of(cst.SimpleStatementLine)(lambda run, node, frame: run_block(run, node.body, frame))


@STATEMENTS.of(cst.Expr)
def _expression(run: Interpreter, node: cst.Expr, frame: Frame) -> None:
    evaluate(run, node.value, frame)


@STATEMENTS.of(cst.Assign)
def _assign(run: Interpreter, node: cst.Assign, frame: Frame) -> None:
    value = evaluate(run, node.value, frame)
    for target in node.targets:
        assign(run, target.target, value, frame)
        if frame.scope.fields is not None and isinstance(target.target, cst.Name):
            record_field(run, FieldRecord(target.target.value, node, None, value), frame)


@STATEMENTS.of(cst.AnnAssign)
def _annotated_assign(run: Interpreter, node: cst.AnnAssign, frame: Frame) -> None:
    value = evaluate(run, node.value, frame) if node.value is not None else None
    if value is not None:
        assign(run, node.target, value, frame)
    if frame.scope.fields is not None and isinstance(node.target, cst.Name):
        annotation = annotation_value(run, node.annotation.annotation, frame)
        record_field(run, FieldRecord(node.target.value, node, annotation, value), frame)


@TARGETS.of(cst.Name)
def _assign_name(run: Interpreter, target: cst.Name, value: Value, frame: Frame) -> None:
    bind(run, frame, target.value, value, frame.place(target))


@TARGETS.of(cst.Attribute)
def _assign_attribute(run: Interpreter, target: cst.Attribute, value: Value, frame: Frame) -> None:
    name = mangled(frame, target.attr.value)
    set_attribute(run, evaluate(run, target.value, frame), name, value, frame.place(target))


@TARGETS.of(cst.Tuple, cst.List)
def _assign_each(run: Interpreter, target: cst.Tuple | cst.List, value: Value, frame: Frame) -> None:
    _unpack(run, target.elements, value, frame)


TARGETS.of(cst.CSTNode)(lambda _run, _target, _value, _frame: None)


@TARGETS.of(cst.Subscript)
def _assign_item(run: Interpreter, target: cst.Subscript, value: Value, frame: Frame) -> None:
    container = evaluate(run, target.value, frame)
    if len(target.slice) == 1 and type(target.slice[0].slice) is cst.Slice:
        _assign_slice(run, container, target.slice[0].slice, value, frame)
        return
    set_item(run, container, subscript_key(run, target, frame), value, frame.place(target))


def _assign_slice(run: Interpreter, container: Value, node: cst.Slice, value: Value | None, frame: Frame) -> None:
    """``container[a:b] = value``; ``del container[a:b]`` without a value."""
    place = frame.place(node)
    unknown: UnknownValue | None = None
    try:
        bounds = slice_bounds(run, node, frame)
    except NotPlain as reason:
        bounds, unknown = slice(None), reason.unknown
    more, known = spread(run, value or ListValue(), place), container.as_list
    unknown = unknown or more.uncertain
    if known is None or not known.exact or unknown is not None:
        unknown = unknown or reasons.unknown(reasons.UNSUPPORTED, "assigning to a slice", place)
        poison(run, container, with_aliases(unknown, *more.items))
        maybe_by_class(run, ("__setitem__", "__delitem__"), unknown, container)
        return
    run.trail.touch(known)
    try:
        if value is None:
            del known.items[bounds]
        else:
            known.items[bounds] = more.items
    except ValueError as error:
        raise run.failure("ValueError", str(error)) from None
    run.budget.make(len(more.items))


def _unpack(run: Interpreter, elements: Sequence[cst.BaseElement], value: Value, frame: Frame) -> None:
    stars = [index for index, element in enumerate(elements) if type(element) is cst.StarredElement]
    by_place = _by_place(value, len(elements)) if is_small_choice(value) and not stars else None
    place = frame.place(elements[0]) if elements else None
    found = Spread(by_place) if by_place is not None else spread(run, value, place)
    unknown = found.uncertain
    if unknown is None and (
        len(found.items) < len(elements) - len(stars) or (not stars and len(found.items) > len(elements))
    ):
        raise run.failure("ValueError", "the number of values to unpack")
    if unknown is not None:
        unknown = with_aliases(unknown, *found.items)
    for index, element in enumerate(elements):
        assign(run, element.value, _unpacked(found.items, index, len(elements), stars, unknown), frame)


def _by_place(value: Value, count: int) -> list[Value] | None:
    """The elements of a tuple of ``count``, or what they are in each of several such tuples; ``None`` for others."""
    if value.branches:
        (guard, first), (_, second) = value.branches
        ones, twos = _by_place(first, count), _by_place(second, count)
        if ones is None or twos is None:
            return None
        return [join_values(guard, one, two) for one, two in zip(ones, twos, strict=True)]
    known = value.as_tuple
    return [*known.items] if known is not None and len(known.items) == count and known.exact else None


def _unpacked(items: list[Value], index: int, targets: int, stars: list[int], unknown: UnknownValue | None) -> Value:
    if unknown is not None:
        return unknown
    if not stars or index < stars[0]:
        return items[index]
    after = targets - stars[0] - 1
    if index == stars[0]:
        return ListValue(items[index : len(items) - after])
    return items[len(items) - (targets - index)]


@STATEMENTS.of(cst.AugAssign)
def _augmented(run: Interpreter, node: cst.AugAssign, frame: Frame) -> None:
    current, store = _opened(run, node.target, frame)
    value = evaluate(run, node.value, frame)
    store(noted(run, node, augmented(run, AUGMENTED[type(node.operator)], current, value, frame.place(node))))


def _opened(run: Interpreter, target: cst.BaseExpression, frame: Frame) -> tuple[Value, Callable[[Value], None]]:
    """The value of a target, and a function that sets it; the expressions inside the target are evaluated once."""
    place = frame.place(target)
    match target:
        case cst.Attribute(value=owner, attr=cst.Name(value=attribute)):
            holder, name = evaluate(run, owner, frame), mangled(frame, attribute)
            current = noted(run, target, get_attribute(run, holder, name, place))
            return current, lambda value: set_attribute(run, holder, name, value, place)
        case cst.Subscript(value=owner, slice=slices) if not any(type(item.slice) is cst.Slice for item in slices):
            container = evaluate(run, owner, frame)
            key = subscript_key(run, target, frame)
            current = noted(run, target, get_item(run, container, key, place))

            def store(value: Value) -> None:
                if value is not current or not holds_by_place(container):
                    set_item(run, container, key, value, place)

            return current, store
    current = evaluate(run, target, frame)
    return current, lambda value: _rebind(run, target, current, value, frame)


def _rebind(run: Interpreter, target: cst.BaseExpression, current: Value, value: Value, frame: Frame) -> None:
    """Bind a name to what it was augmented to; nothing happens if that is the object to which it is bound already."""
    bound_here = isinstance(target, cst.Name) and frame.scope.names.get(mangled(frame, target.value)) is current
    if value is not current or not bound_here:
        assign(run, target, value, frame)


@STATEMENTS.of(cst.Del)
def _delete(run: Interpreter, node: cst.Del, frame: Frame) -> None:
    DELETED[type(node.target)](run, node.target, frame)


DELETED: Kinds[Callable[[Interpreter, Any, Frame], None]] = Kinds()
"""``del target``, by the kind of the target."""
DELETED.of(cst.CSTNode)(lambda _run, _target, _frame: None)


@DELETED.of(cst.Name)
def _delete_name(run: Interpreter, target: cst.Name, frame: Frame) -> None:
    name = mangled(frame, target.value)
    scope = frame.scope.redirected.get(name, frame.scope)
    found = scope.names.get(name)
    if found is None and scope.rest is None:
        raise run.failure("UnboundLocalError" if scope.kind == "function" else "NameError", name)
    if found is None or not found.is_bound:
        run.risk(reasons.unknown(reasons.CONDITION, f"whether {name} is bound", frame.place(target)))
    unbind(run, frame, target.value)


@DELETED.of(cst.Tuple, cst.List)
def _delete_each(run: Interpreter, target: cst.Tuple | cst.List, frame: Frame) -> None:
    for element in target.elements:
        DELETED[type(element.value)](run, element.value, frame)


@DELETED.of(cst.Subscript)
def _delete_item(run: Interpreter, target: cst.Subscript, frame: Frame) -> None:
    container = evaluate(run, target.value, frame)
    if len(target.slice) == 1 and type(target.slice[0].slice) is cst.Slice:
        _assign_slice(run, container, target.slice[0].slice, None, frame)
    else:
        delete_item(run, container, subscript_key(run, target, frame), frame.place(target))


@DELETED.of(cst.Attribute)
def _delete_attribute(run: Interpreter, target: cst.Attribute, frame: Frame) -> None:
    owner = evaluate(run, target.value, frame)
    delete_attribute(run, owner, mangled(frame, target.attr.value), frame.place(target))


# --- control ----------------------------------------------------------------------------------------------------------


@STATEMENTS.of(cst.If)
def _if(run: Interpreter, node: cst.If, frame: Frame) -> Leaving | None:
    # elif chains are walked without recursion: real servers have hundreds.
    current: cst.If | cst.Else | None = node
    while type(current) is cst.If:
        known = truth(run, evaluate(run, current.test, frame))
        if known is True:
            return run_block(run, current.body.body, frame)
        if known is not False:
            return _unknown_if(run, current, known, frame)
        current = current.orelse
    return run_block(run, current.body.body, frame) if current is not None else None


def _unknown_if(run: Interpreter, node: cst.If, known: UnknownValue, frame: Frame) -> Leaving | None:
    guard = Guard(frame.module.code(node.test), known)

    def otherwise() -> Leaving | None:
        if type(node.orelse) is cst.If:
            return _if(run, node.orelse, frame)
        return side(node.orelse.body) if node.orelse is not None else None

    def side(block: cst.BaseSuite) -> Leaving | None:
        return run_side(run, block, frame, lambda: run_block(run, block.body, frame))

    return run.branch(guard, frame, lambda: side(node.body), otherwise)


@STATEMENTS.of(cst.Return)
def _return(run: Interpreter, node: cst.Return, frame: Frame) -> Leaving:
    return Leaving("return", evaluate(run, node.value, frame) if node.value is not None else NONE)


@STATEMENTS.of(cst.Raise)
def _raise(run: Interpreter, node: cst.Raise, frame: Frame) -> None:
    value = evaluate(run, node.exc, frame) if node.exc is not None else None
    raise AbstractRaise(exception_name(value), value=value)


def exception_name(value: Value | None) -> str:
    value = value or NONE
    cls = value.as_class if value.as_instance is None else value.as_instance.cls
    name = cls.name if cls is not None else value.library_name.removeprefix("builtins.").removesuffix("()")
    return name or "an exception"


@STATEMENTS.of(cst.Assert)
def _assert(run: Interpreter, node: cst.Assert, frame: Frame) -> None:
    known = truth(run, evaluate(run, node.test, frame))
    if known is False:
        raise AbstractRaise("AssertionError")
    if known is not True:
        run.risk(known)


@STATEMENTS.of(cst.Global)
def _global(_run: Interpreter, node: cst.Global, frame: Frame) -> None:
    scope: Scope = frame.scope
    while scope.parent is not None and scope.kind != "module":
        scope = scope.parent
    for item in node.names:
        frame.scope.redirected[item.name.value] = scope


@STATEMENTS.of(cst.Nonlocal)
def _nonlocal(_run: Interpreter, node: cst.Nonlocal, frame: Frame) -> None:
    for item in node.names:
        scope = frame.scope.parent
        while scope is not None and item.name.value not in scope.names:
            scope = scope.parent
        if scope is not None:
            frame.scope.redirected[item.name.value] = scope


@STATEMENTS.of(cst.FunctionDef)
def _function(run: Interpreter, node: cst.FunctionDef, frame: Frame) -> None:
    value = decorate(run, defined_function(run, node, frame), node.decorators, frame)
    bind(run, frame, node.name.value, value, frame.place(node))


@STATEMENTS.of(cst.ClassDef)
def _class(run: Interpreter, node: cst.ClassDef, frame: Frame) -> None:
    cls = define_class(run, node, frame)
    value = decorate(run, replaced(cls) or cls, node.decorators, frame)
    # A forgotten base may have a metaclass, which may replace the class by anything.
    unknown = (base.as_unknown for base in cls.bases)
    lost = (base for base in unknown if base is not None and base.code == reasons.BUDGET)
    bind(run, frame, node.name.value, next(lost, value), frame.place(node))


STATEMENTS.of(cst.Pass)(lambda _run, _node, _frame: None)
STATEMENTS.of(cst.Break)(lambda _run, _node, _frame: Leaving("break"))
STATEMENTS.of(cst.Continue)(lambda _run, _node, _frame: Leaving("continue"))


@STATEMENTS.of(cst.TypeAlias)
def _type_alias(run: Interpreter, node: cst.TypeAlias, frame: Frame) -> None:
    bind(run, frame, node.name.value, alias_of(node, frame), frame.place(node))
