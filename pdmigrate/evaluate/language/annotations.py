"""The fields of class bodies, with their annotations as evaluated when the body runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import all_in
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame
from pdmigrate.evaluate.core.joining import same
from pdmigrate.evaluate.core.operations import evaluate
from pdmigrate.evaluate.core.values import (
    ClassValue,
    DictValue,
    Entry,
    External,
    FieldRecord,
    FunctionValue,
    ListValue,
    ModuleValue,
    Mutable,
    Native,
    Scope,
    SetValue,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.scopes import mangled
from pdmigrate.tree.code.bindings import bound_again
from pdmigrate.tree.code.syntax import syntax_children

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule


def record_field(run: Interpreter, record: FieldRecord, frame: Frame) -> None:
    fields = frame.scope.fields
    assert fields is not None
    run.trail.touch(fields)
    fields.items.append(record)


def annotation_value(run: Interpreter, node: cst.BaseExpression, frame: Frame) -> Value:
    """The value of an annotation in a class body; unknown if it is text, which is read when the class is made."""
    if is_late(frame.module, node):
        return reasons.unknown(reasons.UNSUPPORTED, "the annotation is read when the class is made", frame.place(node))
    return evaluated(run, node, frame)


def evaluated(run: Interpreter, node: cst.BaseExpression, frame: Frame, *, read: bool = True) -> Value:
    """The value of an annotation, unknown if evaluating it raises; with ``read``, text counts as the type it names."""
    with run.collected_risks():
        try:
            value = evaluate(run, node, frame)
            return _written(run, value.text, frame) if read and value.text is not None else value
        except AbstractRaise as raised:
            return reasons.unknown(reasons.FAILS, f"the annotation raises {raised}", frame.place(node))


def is_late(module: SourceModule, node: cst.BaseExpression) -> bool:
    """Whether an annotation is text at run time, so that its names are looked up only when the text is read."""
    return module.postponed or type(node) is cst.SimpleString or type(node) is cst.ConcatenatedString


def settle_fields(run: Interpreter, cls: ClassValue, node: cst.ClassDef, frame: Frame) -> None:
    """At the end of a class body: read annotations that are text, and add fields for values without a record."""
    run.trail.touch(cls.fields)
    outer = cache(partial(outer_frame, frame))
    cls.fields.items = [_settled(run, item, frame.module, outer) for item in cls.fields.items]
    last = {mangled(frame, item.name): item for item in cls.records}
    passed = {mangled(frame, name) for name in _definitions(node.body)}
    private = ("__", mangled(frame, "__x")[:-1])
    for name, value in frame.scope.names.items():
        before = last[name].default if name in last else None
        if name in passed or name.startswith(private) or (before is not None and same(before, value)):
            continue
        if name in last or not isinstance(value, (FunctionValue, ClassValue, ModuleValue, External, Native)):
            cls.fields.items.append(FieldRecord(name, node, None, value))
    if any(item.default is not None and name not in frame.scope.names for name, item in last.items()):
        gone = reasons.unknown(reasons.MUTATED, f"the body of {cls.name} deletes a name", frame.place(node))
        cls.opaque = cls.opaque or gone
    cls.contents = {item: item.snapshot() for record in last.values() for item in _containers(run, record)}


def _settled(run: Interpreter, item: Value, module: SourceModule, outer: Callable[[], Frame]) -> Value:
    if not isinstance(item, FieldRecord) or item.annotation is None or not isinstance(item.statement, cst.AnnAssign):
        return item
    node = item.statement.annotation.annotation
    return replace(item, annotation=evaluated(run, node, outer())) if is_late(module, node) else item


def _definitions(node: cst.CSTNode) -> Iterator[str]:
    """The names of the functions and classes in a body, also inside its compound statements."""
    for child in syntax_children(node):
        if type(child) is cst.FunctionDef or type(child) is cst.ClassDef:
            yield child.name.value
        elif type(child) is not cst.SimpleStatementLine and not isinstance(child, cst.BaseExpression):
            yield from _definitions(child)


def _containers(run: Interpreter, record: FieldRecord) -> Iterator[Mutable]:
    """The containers in a field's default, and in the arguments of the call that describes the field."""
    if (default := record.default) is not None:
        for part in (default,) if default.made_with is None else default.made_with.values:
            yield from (item for item in all_in(run, part) if isinstance(item, (ListValue, DictValue, SetValue)))


def changed_since(cls: ClassValue) -> UnknownValue | None:
    """Why a class may differ from its fields: a container in them changed after it was made; ``None`` if none did."""
    for item, before in cls.contents.items():
        now = item.snapshot()
        if now[1] is not before[1] or not _same_content(before[0], now[0]):
            return reasons.unknown(reasons.MUTATED, f"a value in the body of {cls.name} changes after it is made")
    return None


def _same_content(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and _same_content([*first.values()], [*second.values()])
    values = [[item.value if isinstance(item, Entry) else item for item in saved] for saved in (first, second)]
    return len(first) == len(second) and all(map(same, *values))


def _written(run: Interpreter, text: str, frame: Frame) -> Value:
    """The type that an annotation written as text means."""
    try:
        node = cst.parse_expression(text.strip())
    except (cst.ParserSyntaxError, RecursionError):
        return reasons.unknown(reasons.INVALID, f"{text!r} is not a type")
    return evaluate(run, node, outer_frame(frame))


def outer_frame(frame: Frame) -> Frame:
    """``frame`` with its annotated fields unknown: an annotation must not mistake a field for the type of that name."""
    items = frame.scope.fields.items if frame.scope.fields is not None else []
    return replace(frame, scope=outer_scope(frame.scope.names, items, frame.scope.parent, frame.module))


def outer_scope(names: dict[str, Value], items: Iterable[Value], parent: Scope | None, module: SourceModule) -> Scope:
    """The scope of a class body with ``names``, in which the annotated fields in ``items`` are unknown."""
    fields = {item.name for item in items if isinstance(item, FieldRecord) and item.annotation is not None}
    hidden = reasons.unknown(reasons.UNSUPPORTED, "the annotation names a field of its own class")
    seen = {name: hidden if name in fields else value for name, value in names.items()}
    return Scope(names=seen, kind="class", parent=parent, module=module)


def rebound(module: SourceModule, node: cst.CSTNode) -> UnknownValue | None:
    """Why a forward reference is ambiguous: a name in it is bound more than once; ``None`` if no name is."""
    if (name := bound_again(module, node)) is None:
        return None
    return reasons.unknown(reasons.CONDITION, f"{name} is bound more than once after it is mentioned")


def annotation_frame(run: Interpreter, function: FunctionValue, node: cst.BaseExpression) -> Frame:
    """The frame in which an annotation's names are looked up: annotations that are text see only the module's names."""
    assert function.module is not None
    assert function.scope is not None
    executed = run.modules.get(function.module.path)
    late = is_late(function.module, node)
    return Frame(executed.scope if late and executed is not None else function.scope, function.module)
