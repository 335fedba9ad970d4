"""The fields of class bodies, with their annotations as evaluated when the body runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
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
from pdmigrate.evaluate.types.model_names import FieldDefault
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
    """The value of an annotation where it stands; an annotation that is text is read when the class is made."""
    if is_late(frame.module, node):
        return reasons.unknown(reasons.UNSUPPORTED, "the annotation is read when the class is made", frame.place(node))
    return _evaluated(run, node, frame)


def _evaluated(run: Interpreter, node: cst.BaseExpression, frame: Frame) -> Value:
    with run.collected_risks():
        try:
            value = evaluate(run, node, frame)
            if (text := value.text) is not None:
                return _written(run, text, frame)
        except AbstractRaise as raised:
            return reasons.unknown(reasons.FAILS, f"the annotation raises {raised}", frame.place(node))
    return value


def is_late(module: SourceModule, node: cst.BaseExpression) -> bool:
    """Whether an annotation is text at run time: its names then mean what they mean when the text is read."""
    return module.postponed or type(node) is cst.SimpleString or type(node) is cst.ConcatenatedString


def settle_fields(run: Interpreter, cls: ClassValue, node: cst.ClassDef, frame: Frame) -> None:
    """At the end of a class body: read annotations that are text, and add the fields that other statements bind."""
    run.trail.touch(cls.fields)
    outer = cache(partial(outer_frame, frame))
    cls.fields.items = [_settled(run, item, frame.module, outer) for item in cls.fields.items]
    last = {mangled(frame, item.name): item for item in cls.records}
    defined = {mangled(frame, name) for name in _definitions(node.body)}
    for name, value in frame.scope.names.items():
        known = last.get(name)
        before = known.default if known is not None else None
        if (
            name.startswith(("__", mangled(frame, "__x")[:-1]))
            or name in defined
            or (before is not None and same(before, value))
        ):
            continue
        if known is not None or not isinstance(value, (FunctionValue, ClassValue, ModuleValue, External, Native)):
            cls.fields.items.append(FieldRecord(name, node, None, value))
    if any(item.default is not None and name not in frame.scope.names for name, item in last.items()):
        gone = reasons.unknown(reasons.MUTATED, f"the body of {cls.name} deletes a name", frame.place(node))
        cls.opaque = cls.opaque or gone
    cls.contents = {item: item.snapshot() for record in last.values() for item in containers(run, record)}


def _settled(run: Interpreter, item: Value, module: SourceModule, outer: Callable[[], Frame]) -> Value:
    if not isinstance(item, FieldRecord) or item.annotation is None or not isinstance(item.statement, cst.AnnAssign):
        return item
    node = item.statement.annotation.annotation
    if not is_late(module, node):
        return item
    return replace(item, annotation=_evaluated(run, node, outer()))


def _definitions(node: cst.CSTNode) -> Iterator[str]:
    """The names of the functions and classes in a body, also inside its compound statements."""
    for child in syntax_children(node):
        if type(child) is cst.FunctionDef or type(child) is cst.ClassDef:
            yield child.name.value
        elif type(child) is not cst.SimpleStatementLine and not isinstance(child, cst.BaseExpression):
            yield from _definitions(child)


def containers(run: Interpreter, record: FieldRecord) -> Iterator[Mutable]:
    """The containers in a field's default, and in the arguments of the call that describes the field."""
    default = record.default
    parts = [default] if default is not None else []
    if isinstance(default, FieldDefault):
        parts = [*default.positional, *default.keywords.values()]
    elif isinstance(default, External) and default.arguments is not None:
        parts = [*default.arguments.positional, *default.arguments.keywords.values()]
    for part in parts:
        yield from (item for item in all_in(run, part) if isinstance(item, (ListValue, DictValue, SetValue)))


def changed_since(cls: ClassValue) -> UnknownValue | None:
    """Why a class may differ from its fields: a container that they hold changed after the class was made."""
    for item, before in cls.contents.items():
        now = item.snapshot()
        if now[1] is not before[1] or not _same_content(before[0], now[0]):
            return reasons.unknown(reasons.MUTATED, f"a value in the body of {cls.name} changes after it is made")
    return None


def _same_content(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(
            same(*(item.value if isinstance(item, Entry) else item for item in (value, second[key])))
            for key, value in first.items()
        )
    return len(first) == len(second) and all(map(same, first, second))


def _written(run: Interpreter, text: str, frame: Frame) -> Value:
    """The type that an annotation written as text means."""
    try:
        node = cst.parse_expression(text.strip())
    except (cst.ParserSyntaxError, RecursionError):
        return reasons.unknown(reasons.INVALID, f"{text!r} is no type")
    return evaluate(run, node, outer_frame(frame))


def outer_frame(frame: Frame) -> Frame:
    """``frame`` with the names of its fields unknown: an annotation never means a field that hides a type's name."""
    scope = Scope(
        names=hiding(frame.scope.names, {record.name for record in _records(frame.scope)}),
        kind="class",
        parent=frame.scope.parent,
        module=frame.module,
    )
    return replace(frame, scope=scope)


def hiding(names: dict[str, Value], fields: set[str]) -> dict[str, Value]:
    """``names``, with the values of ``fields`` made unknown."""
    clash = "the annotation names a field of its own class"
    return {
        name: reasons.unknown(reasons.UNSUPPORTED, clash) if name in fields else value for name, value in names.items()
    }


def _records(scope: Scope) -> list[FieldRecord]:
    items = scope.fields.items if scope.fields is not None else []
    return [item for item in items if isinstance(item, FieldRecord) and item.annotation is not None]


def rebound(module: SourceModule, node: cst.CSTNode) -> UnknownValue | None:
    """Why a forward reference is ambiguous: a name in it is bound more than once; ``None`` if no name is."""
    stack: list[cst.CSTNode] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, cst.Name) and _bindings(module, item.value, node) > 1:
            return reasons.unknown(reasons.CONDITION, f"{item.value} is bound more than once after it is mentioned")
        if isinstance(item, cst.SimpleString):
            text = item.evaluated_value
            try:
                stack.append(cst.parse_expression(str(text).strip()))
            except (cst.ParserSyntaxError, RecursionError):
                continue
        stack += syntax_children(item)
    return None


def _bindings(module: SourceModule, name: str, mention: cst.CSTNode) -> int:
    """The number of bindings of a name that ``mention`` may see; a binding in a loop counts twice."""
    outline = module.outline
    visible = set(_scopes_above(module, mention))
    count, elsewhere = 0, False
    for node in outline.bound(name):
        elsewhere = elsewhere or type(outline.parents.get(node)) is cst.NameItem
        times = binds(module, node)
        owner = next(_scopes_above(module, node), None) if times else None
        if owner is None or owner in visible or _is_name_of(node, owner, module, visible):
            count += times
    return 2 if elsewhere else count


def _scopes_above(module: SourceModule, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    return (item for item in module.outline.above(node) if type(item) in _SCOPES)


def _is_name_of(node: cst.CSTNode, owner: cst.CSTNode, module: SourceModule, visible: Collection[cst.CSTNode]) -> bool:
    """Whether ``node`` is the name of the class or function ``owner``, and bound in a visible scope around it."""
    if not isinstance(owner, (cst.ClassDef, cst.FunctionDef)) or owner.name is not node:
        return False
    outer = next(_scopes_above(module, owner), None)
    return outer is None or outer in visible


def binds(module: SourceModule, node: cst.CSTNode) -> int:
    """How often ``node`` binds its name; compares types, since most names in a file are asked about."""
    parents = module.outline.parents
    target: cst.CSTNode = node
    above = parents.get(node)
    while type(above) in _HOLDING:
        assert above is not None
        target, above = above, parents.get(above)
    if type(above) is cst.For or type(above) is cst.CompFor:
        return 2 if above.target is target else 0
    if type(above) is cst.ClassDef or type(above) is cst.FunctionDef or type(above) is cst.TypeAlias:
        binds = above.name is node
    elif type(above) is cst.AnnAssign:
        binds = above.target is node and above.value is not None
    elif type(above) is cst.AugAssign or type(above) is cst.NamedExpr:
        binds = above.target is node
    else:
        binds = type(above) in _BINDING
    if not binds:
        return 0
    return 2 if any(type(item) in _LOOPS for item in module.outline.above(node)) else 1


_SCOPES = frozenset({cst.ClassDef, cst.FunctionDef, cst.Lambda})
_LOOPS = frozenset({cst.For, cst.While})
_HOLDING = frozenset({cst.Element, cst.StarredElement, cst.Tuple, cst.List})
_BINDING = frozenset(
    {cst.AssignTarget, cst.ImportAlias, cst.AsName, cst.Del, cst.MatchAs, cst.MatchStar, cst.MatchMapping}
)


def annotation_frame(run: Interpreter, function: FunctionValue, node: cst.BaseExpression) -> Frame:
    """The frame in which an annotation's names are looked up: annotations that are text see only the module's names."""
    assert function.module is not None
    assert function.scope is not None
    executed = run.modules.get(function.module.path)
    late = is_late(function.module, node)
    return Frame(executed.scope if late and executed is not None else function.scope, function.module)
