"""The fields of class bodies, with their annotations as they are when the body runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.interpreter import AbstractRaise
from pdmigrate.evaluate.syntax import syntax_children
from pdmigrate.evaluate.values import ClassValue, Const, FieldRecord, Scope, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Frame, Interpreter
    from pdmigrate.evaluate.modules import SourceModule


def record_field(run: Interpreter, record: FieldRecord, frame: Frame) -> None:
    fields = frame.scope.fields
    assert fields is not None
    run.trail.touch(fields)
    fields.items.append(record)


def annotation_value(run: Interpreter, node: cst.BaseExpression, frame: Frame) -> Value:
    """What an annotation means in the body of a class that is being made.

    With ``from __future__ import annotations`` it is text that pydantic reads in the names of the module: a field does
    not hide a type of the same name.
    """
    if postponed(frame.module):
        frame = outer_frame(frame)
    with run.collected_risks():
        try:
            value = run.evaluate(node, frame)
            if isinstance(value, Const) and isinstance(value.value, str):
                return _written(run, value.value, frame)
        except AbstractRaise as raised:
            return reasons.unknown(reasons.FAILS, f"the annotation raises {raised}", frame.place(node))
    return value


def _written(run: Interpreter, text: str, frame: Frame) -> Value:
    """A type that is written as text."""
    try:
        node = cst.parse_expression(text.strip())
    except (cst.ParserSyntaxError, RecursionError):
        return reasons.unknown(reasons.INVALID, f"{text!r} is no type")
    return run.evaluate(node, outer_frame(frame))


def outer_frame(frame: Frame) -> Frame:
    """``frame`` without the names that are fields of the class body in it."""
    from dataclasses import replace

    fields = {record.name for record in _records(frame.scope)}
    scope = Scope(
        names={name: value for name, value in frame.scope.names.items() if name not in fields},
        kind="class",
        parent=frame.scope.parent,
        module=frame.module,
    )
    return replace(frame, scope=scope)


def _records(scope: Scope) -> list[FieldRecord]:
    items = scope.fields.items if scope.fields is not None else []
    return [item for item in items if isinstance(item, FieldRecord) and item.annotation is not None]


def postponed(module: SourceModule) -> bool:
    """Whether the module says ``from __future__ import annotations``."""
    return any(
        isinstance(statement, cst.ImportFrom)
        and isinstance(statement.module, cst.Name)
        and statement.module.value == "__future__"
        and not isinstance(statement.names, cst.ImportStar)
        and any(isinstance(alias.name, cst.Name) and alias.name.value == "annotations" for alias in statement.names)
        for statement in module.outline.imports
    )


def rebound(module: SourceModule, node: cst.CSTNode) -> UnknownValue | None:
    """Why a forward reference may mean one of several things: a name in it is bound more than once."""
    stack: list[cst.CSTNode] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, cst.Name) and _bindings(module, item.value) > 1:
            return reasons.unknown(reasons.CONDITION, f"{item.value} is bound more than once after it is mentioned")
        if isinstance(item, cst.SimpleString):
            text = item.evaluated_value
            try:
                stack.append(cst.parse_expression(str(text).strip()))
            except (cst.ParserSyntaxError, RecursionError):
                continue
        stack += syntax_children(item)
    return None


def _bindings(module: SourceModule, name: str) -> int:
    parents = [
        module.outline.parents[node] for node in module.outline.names.get(name, ()) if node in module.outline.parents
    ]
    kinds = (cst.AssignTarget, cst.ImportAlias, cst.AsName)
    return sum(1 for p in parents if isinstance(p, kinds) or (isinstance(p, cst.ClassDef) and p.name.value == name))


__all__ = ["ClassValue", "annotation_value", "outer_frame", "postponed", "rebound", "record_field"]
