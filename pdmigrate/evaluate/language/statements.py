"""Statements: one function per kind of syntax node; each says how the block goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import changeable, disturb, leading_to, scope_in
from pdmigrate.evaluate.core.interpreter import AbstractRaise, Frame, Outcome
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Choice,
    ClassValue,
    Const,
    DictValue,
    External,
    FieldRecord,
    Guard,
    Instance,
    ListValue,
    Maybe,
    Namespace,
    Scope,
    SetValue,
    TupleValue,
    UnknownValue,
    Value,
    ViewValue,
)
from pdmigrate.evaluate.language import loops, operators, trying
from pdmigrate.evaluate.language.attribute_setting import set_attribute
from pdmigrate.evaluate.language.comparison import truth
from pdmigrate.evaluate.language.dead_ends import run_side
from pdmigrate.evaluate.language.decorators import decorate
from pdmigrate.evaluate.language.functions import defined_function
from pdmigrate.evaluate.language.imports import run_import
from pdmigrate.evaluate.language.iteration import spread
from pdmigrate.evaluate.language.literals import put
from pdmigrate.evaluate.language.scopes import bind, mangled, set_in, unbind
from pdmigrate.evaluate.types.annotations import annotation_value, record_field
from pdmigrate.evaluate.types.library_types import alias_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def run_block(run: Interpreter, body: Sequence[cst.CSTNode], frame: Frame) -> Outcome | None:
    """Run statements in order; the outcome when one of them leaves the block."""
    for statement in body:
        outcome = run_statement(run, statement, frame)
        if outcome is not None:
            return outcome
    return None


def run_statement(run: Interpreter, node: cst.CSTNode, frame: Frame) -> Outcome | None:
    run.budget.step()
    if type(node) is cst.SimpleStatementLine:
        return run_block(run, node.body, frame)
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise NotImplementedError(type(node).__name__)
    result: Outcome | None = handler(run, node, frame)
    return result


def _expression(run: Interpreter, node: cst.Expr, frame: Frame) -> None:
    run.evaluate(node.value, frame)


def _assign(run: Interpreter, node: cst.Assign, frame: Frame) -> None:
    value = run.evaluate(node.value, frame)
    for target in node.targets:
        assign(run, target.target, value, frame)
        if frame.scope.fields is not None and isinstance(target.target, cst.Name):
            record_field(run, FieldRecord(target.target.value, node, None, value), frame)


def _annotated_assign(run: Interpreter, node: cst.AnnAssign, frame: Frame) -> None:
    value = run.evaluate(node.value, frame) if node.value is not None else None
    if value is not None:
        assign(run, node.target, value, frame)
    if frame.scope.fields is not None and isinstance(node.target, cst.Name):
        annotation = annotation_value(run, node.annotation.annotation, frame)
        record_field(run, FieldRecord(node.target.value, node, annotation, value), frame)


def assign(run: Interpreter, target: cst.BaseExpression, value: Value, frame: Frame) -> None:
    """``target = value``"""
    if type(target) is cst.Name:
        bind(run, frame, target.value, value, frame.place(target))
    elif type(target) is cst.Attribute:
        name = mangled(frame, target.attr.value)
        set_attribute(run, run.evaluate(target.value, frame), name, value, frame.place(target))
    elif type(target) is cst.Subscript:
        _assign_item(run, target, value, frame)
    elif isinstance(target, (cst.Tuple, cst.List)):
        _unpack(run, target.elements, value, frame)


def _assign_item(run: Interpreter, target: cst.Subscript, value: Value, frame: Frame) -> None:
    container = run.evaluate(target.value, frame)
    if len(target.slice) == 1 and type(target.slice[0].slice) is cst.Slice:
        _assign_slice(run, container, target.slice[0].slice, value, frame)
        return
    from pdmigrate.evaluate.language.expressions import subscript_key

    set_item(run, container, subscript_key(run, target, frame), value, frame, target)


def _assign_slice(run: Interpreter, container: Value, node: cst.Slice, value: Value, frame: Frame) -> None:
    """``container[a:b] = value``; deleting a slice assigns nothing to it."""
    from pdmigrate.evaluate.language.expressions import slice_bounds

    place = frame.place(node)
    bounds = slice_bounds(run, node, frame)
    more = spread(run, value, place)
    unknown = bounds if isinstance(bounds, UnknownValue) else more.uncertain
    if isinstance(container, ListValue) and container.exact and unknown is None and isinstance(bounds, slice):
        run.trail.touch(container)
        try:
            container.items[bounds] = more.items
        except ValueError as error:
            raise run.failure("ValueError", str(error)) from None
        run.budget.make(len(more.items))
        return
    unknown = unknown or reasons.unknown(reasons.UNSUPPORTED, "assigning to a slice", place)
    _forget(run, container, leading_to(unknown, *more.items))


def set_item(run: Interpreter, container: Value, key: Value, value: Value, frame: Frame, node: cst.CSTNode) -> None:
    """``container[key] = value``"""
    place = frame.place(node)
    if isinstance(container, DictValue):
        put(run, container, key, value)
    elif isinstance(container, ListValue):
        run.trail.touch(container)
        index = key.value if isinstance(key, Const) else None
        if container.exact and isinstance(index, int):
            if not -len(container.items) <= index < len(container.items):
                raise run.failure("IndexError", "list assignment index out of range")
            container.items[index] = value
        else:
            unknown = reasons.unknown(reasons.MUTATED, "an element is set at a place not known", place)
            _forget(run, container, leading_to(unknown, value))
    elif isinstance(container, UnknownValue):
        scope = scope_in(container)
        if scope is not None and scope.kind == "module" and isinstance(key, Const) and isinstance(key.value, str):
            set_in(run, scope, key.value, value)
            return
        disturb(run, container)
        aliases = leading_to(container, value).aliases
        if aliases is not container.aliases:
            container.aliases, run.disturbed = aliases, None
    elif isinstance(container, Instance):
        _set_item_method(run, container, key, value, frame, node)
    elif isinstance(container, (Const, TupleValue, ViewValue, SetValue)):
        raise run.failure("TypeError", f"{describe(container)} does not support item assignment")
    elif isinstance(container, Choice):
        unknown = reasons.unknown(reasons.CONDITION, "an element is set in one of two objects", place)
        _forget(run, container, leading_to(unknown, value))


def _set_item_method(
    run: Interpreter, container: Instance, key: Value, value: Value, frame: Frame, node: cst.CSTNode
) -> None:
    from pdmigrate.evaluate.language.attributes import find_method
    from pdmigrate.evaluate.language.calls import call

    method = find_method(run, container, "__setitem__")
    if method is not None:
        call(run, method, (key, value), place=frame.place(node))
    else:
        run.trail.touch(container)
        container.rest = reasons.unknown(reasons.UNSUPPORTED, "setting an element", frame.place(node))


def _forget(run: Interpreter, value: Value, unknown: UnknownValue) -> None:
    from pdmigrate.evaluate.language.calls import poison

    poison(run, value, unknown)


def _unpack(run: Interpreter, elements: Sequence[cst.BaseElement], value: Value, frame: Frame) -> None:
    found = spread(run, value, frame.place(elements[0]) if elements else None)
    unknown = found.uncertain
    stars = [index for index, element in enumerate(elements) if type(element) is cst.StarredElement]
    if unknown is None and (
        len(found.items) < len(elements) - len(stars) or (not stars and len(found.items) > len(elements))
    ):
        raise run.failure("ValueError", "the number of values to unpack")
    if unknown is not None:
        unknown = leading_to(unknown, *found.items)
    for index, element in enumerate(elements):
        assign(run, element.value, _unpacked(found.items, index, len(elements), stars, unknown), frame)


def _unpacked(items: list[Value], index: int, targets: int, stars: list[int], unknown: UnknownValue | None) -> Value:
    if unknown is not None:
        return unknown
    if not stars or index < stars[0]:
        return items[index]
    after = targets - stars[0] - 1
    if index == stars[0]:
        return ListValue(items[index : len(items) - after])
    return items[len(items) - (targets - index)]


def _augmented(run: Interpreter, node: cst.AugAssign, frame: Frame) -> None:
    target = node.target
    current = run.evaluate(target, frame)
    value = run.evaluate(node.value, frame)
    kind = operators.AUGMENTED.get(type(node.operator))
    if _in_place(run, kind, current, value, frame, node):
        return
    place = frame.place(node)
    if kind is None:
        assign(run, target, reasons.unknown(reasons.UNSUPPORTED, "this operator", place), frame)
        return
    assign(run, target, operators.binary(run, kind, current, value, place), frame)


def _in_place(
    run: Interpreter, kind: type | None, current: Value, value: Value, frame: Frame, node: cst.CSTNode
) -> bool:
    """``+=`` of a list and ``|=`` of a dict or a set change the object itself."""
    from pdmigrate.evaluate.builtin.list_methods import extend_list
    from pdmigrate.evaluate.builtin.set_methods import update_set
    from pdmigrate.evaluate.language.literals import update

    if kind is cst.Add and isinstance(current, ListValue):
        extend_list(run, current, value, frame.place(node))
    elif kind is cst.BitOr and isinstance(current, DictValue):
        update(run, current, value)
    elif kind is cst.BitOr and isinstance(current, SetValue):
        update_set(run, current, value)
    elif isinstance(current, UnknownValue) and current.aliases:
        disturb(run, current)
        return False
    elif isinstance(current, Choice) and not changeable(current):
        return False
    elif isinstance(current, (SetValue, Choice)) and kind is not None:
        _forget(run, current, reasons.unknown(reasons.UNSUPPORTED, "changing this object in place", frame.place(node)))
    else:
        return False
    return True


def _delete(run: Interpreter, node: cst.Del, frame: Frame) -> None:
    targets = (
        [e.value for e in node.target.elements] if isinstance(node.target, (cst.Tuple, cst.List)) else [node.target]
    )
    for target in targets:
        _delete_one(run, target, frame)


def _delete_one(run: Interpreter, target: cst.BaseExpression, frame: Frame) -> None:
    if isinstance(target, cst.Name):
        unbind(run, frame, target.value)
    elif isinstance(target, cst.Subscript):
        from pdmigrate.evaluate.builtin.methods import delete_item
        from pdmigrate.evaluate.language.expressions import subscript_key

        container = run.evaluate(target.value, frame)
        if len(target.slice) == 1 and isinstance(target.slice[0].slice, cst.Slice):
            _assign_slice(run, container, target.slice[0].slice, ListValue(), frame)
        else:
            delete_item(run, container, subscript_key(run, target, frame), frame.place(target))
    elif isinstance(target, cst.Attribute):
        owner = run.evaluate(target.value, frame)
        if isinstance(owner, Namespace):
            run.trail.touch(owner)
            owner.names.pop(mangled(frame, target.attr.value), None)


# --- control ----------------------------------------------------------------------------------------------------------


def _if(run: Interpreter, node: cst.If, frame: Frame) -> Outcome | None:
    # elif chains are walked without recursion: real servers have hundreds.
    current: cst.If | cst.Else | None = node
    while type(current) is cst.If:
        known = truth(run, run.evaluate(current.test, frame))
        if isinstance(known, UnknownValue):
            return _unknown_if(run, current, known, frame)
        if known:
            return run_block(run, current.body.body, frame)
        current = current.orelse
    return run_block(run, current.body.body, frame) if current is not None else None


def _unknown_if(run: Interpreter, node: cst.If, known: UnknownValue, frame: Frame) -> Outcome | None:
    guard = Guard(frame.module.code(node.test), known)

    def otherwise() -> Outcome | None:
        if type(node.orelse) is cst.If:
            return _if(run, node.orelse, frame)
        return side(node.orelse.body) if node.orelse is not None else None

    def side(block: cst.BaseSuite) -> Outcome | None:
        return run_side(run, block, frame, lambda: run_block(run, block.body, frame))

    return run.branch(guard, frame, lambda: side(node.body), otherwise)


def _return(run: Interpreter, node: cst.Return, frame: Frame) -> Outcome:
    return Outcome("return", run.evaluate(node.value, frame) if node.value is not None else NONE)


def _raise(run: Interpreter, node: cst.Raise, frame: Frame) -> None:
    value = run.evaluate(node.exc, frame) if node.exc is not None else None
    raise AbstractRaise(exception_name(value), value=value)


def exception_name(value: Value | None) -> str:
    if isinstance(value, Instance):
        return value.cls.name
    if isinstance(value, ClassValue):
        return value.name
    if isinstance(value, External):
        return value.name.removeprefix("builtins.").removesuffix("()")
    return "an exception"


def _assert(run: Interpreter, node: cst.Assert, frame: Frame) -> None:
    known = truth(run, run.evaluate(node.test, frame))
    if known is False:
        raise AbstractRaise("AssertionError")
    if isinstance(known, UnknownValue):
        run.risk(known)


def _global(_run: Interpreter, node: cst.Global, frame: Frame) -> None:
    scope: Scope = frame.scope
    while scope.parent is not None and scope.kind != "module":
        scope = scope.parent
    for item in node.names:
        frame.scope.redirected[item.name.value] = scope


def _nonlocal(_run: Interpreter, node: cst.Nonlocal, frame: Frame) -> None:
    for item in node.names:
        scope = frame.scope.parent
        while scope is not None and item.name.value not in scope.names:
            scope = scope.parent
        if scope is not None:
            frame.scope.redirected[item.name.value] = scope


def _function(run: Interpreter, node: cst.FunctionDef, frame: Frame) -> None:
    value = decorate(run, defined_function(run, node, frame), node.decorators, frame)
    bind(run, frame, node.name.value, value, frame.place(node))


def _class(run: Interpreter, node: cst.ClassDef, frame: Frame) -> None:
    from pdmigrate.evaluate.language.classes import define_class
    from pdmigrate.evaluate.language.decorators import decorate

    cls = define_class(run, node, frame)
    value = decorate(run, cls, node.decorators, frame)
    # What stands where a base was forgotten may have a metaclass: nothing of a class made by it is what it seems.
    lost = (base for base in cls.bases if isinstance(base, UnknownValue) and base.code == reasons.BUDGET)
    bind(run, frame, node.name.value, next(lost, value), frame.place(node))


def _import(run: Interpreter, node: cst.Import | cst.ImportFrom, frame: Frame) -> None:
    run_import(run, node, frame)


def _match(run: Interpreter, node: cst.Match, frame: Frame) -> Outcome | None:
    from pdmigrate.evaluate.language.patterns import run_match

    return run_match(run, node, frame)


def _with(run: Interpreter, node: cst.With, frame: Frame) -> Outcome | None:
    return trying.run_with(run, node, frame)


def _skip(_run: Interpreter, _node: cst.CSTNode, _frame: Frame) -> None:
    return None


def _break(_run: Interpreter, _node: cst.CSTNode, _frame: Frame) -> Outcome:
    return Outcome("break")


def _continue(_run: Interpreter, _node: cst.CSTNode, _frame: Frame) -> Outcome:
    return Outcome("continue")


def _type_alias(run: Interpreter, node: cst.TypeAlias, frame: Frame) -> None:
    bind(run, frame, node.name.value, alias_of(node, frame), frame.place(node))


_HANDLERS: dict[type, Callable[[Any, Any, Any], Outcome | None]] = {
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _annotated_assign,
    cst.AugAssign: _augmented,
    cst.Del: _delete,
    cst.If: _if,
    cst.For: loops.run_for,
    cst.While: loops.run_while,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Assert: _assert,
    cst.Global: _global,
    cst.Nonlocal: _nonlocal,
    cst.FunctionDef: _function,
    cst.ClassDef: _class,
    cst.Import: _import,
    cst.ImportFrom: _import,
    cst.Try: trying.run_try,
    cst.TryStar: trying.run_try,
    cst.With: _with,
    cst.Match: _match,
    cst.Pass: _skip,
    cst.Break: _break,
    cst.Continue: _continue,
    cst.TypeAlias: _type_alias,
}

__all__ = ["Maybe", "assign", "run_block", "run_statement", "set_item"]
