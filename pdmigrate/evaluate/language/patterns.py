"""``match`` statements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.builtin.builtin_reflection import is_instance
from pdmigrate.evaluate.builtin.dict_methods import pop_key
from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.operations import STATEMENTS, evaluate, get_attribute, run_block, truth
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.values import (
    Arguments,
    ClassValue,
    DictValue,
    External,
    Guard,
    ListValue,
    Native,
    TupleValue,
    UnknownValue,
    Value,
)
from pdmigrate.evaluate.language.comparison import contains, equal, identical
from pdmigrate.evaluate.language.scopes import bind
from pdmigrate.evaluate.language.subscripts import get_item
from pdmigrate.evaluate.tree.syntax import syntax_children
from pdmigrate.evaluate.types.models import fields_of

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame, Outcome
    from pdmigrate.evaluate.core.interpreter import Interpreter


@STATEMENTS.of(cst.Match)
def run_match(run: Interpreter, node: cst.Match, frame: Frame) -> Outcome | None:
    """Run the first case that matches; cases that may match run under that condition."""
    return _cases(run, node, evaluate(run, node.subject, frame), 0, frame)


def _cases(run: Interpreter, node: cst.Match, subject: Value, index: int, frame: Frame) -> Outcome | None:
    for position in range(index, len(node.cases)):
        case = node.cases[position]
        matched = _matches(run, case.pattern, subject, frame)
        if matched is True and case.guard is not None:
            matched = truth(run, evaluate(run, case.guard, frame))
        if matched is False:
            continue
        if matched is True:
            return run_block(run, case.body.body, frame)
        guard = Guard(f"{frame.module.code(node.subject)} is {frame.module.code(case.pattern)}", matched)
        rest = position + 1
        return run.branch(
            guard,
            frame,
            partial(run_block, run, case.body.body, frame),
            partial(_cases, run, node, subject, rest, frame),
        )
    return None


def _matches(run: Interpreter, pattern: cst.MatchPattern, subject: Value, frame: Frame) -> bool | UnknownValue:
    run.budget.step()
    if isinstance(pattern, cst.MatchAs):
        return _capture(run, pattern, subject, frame)
    if isinstance(pattern, cst.MatchOr):
        return _any(run, pattern, subject, frame)
    unknown = first_unknown(subject)
    plain = isinstance(pattern, (cst.MatchValue, cst.MatchSingleton))
    if unknown is None and isinstance(subject, External) and not plain:
        unknown = made_outside(subject)
    if unknown is not None:
        _bind_names(run, pattern, unknown, frame)
        return unknown
    if isinstance(pattern, cst.MatchValue):
        return equal(run, subject, evaluate(run, pattern.value, frame))
    if isinstance(pattern, cst.MatchSingleton):
        return identical(subject, evaluate(run, pattern.value, frame))
    if isinstance(pattern, cst.MatchMapping):
        return _mapping(run, pattern, subject, frame)
    if isinstance(pattern, (cst.MatchList, cst.MatchTuple)):
        return _sequence(run, pattern, subject, frame)
    if isinstance(pattern, cst.MatchClass):
        return _class(run, pattern, subject, frame)
    unknown = reasons.unknown(reasons.UNSUPPORTED, "this pattern", frame.place(pattern))
    _bind_names(run, pattern, unknown, frame)
    return unknown


def _class(run: Interpreter, pattern: cst.MatchClass, subject: Value, frame: Frame) -> bool | UnknownValue:
    """``str()``, ``str(x)``, ``Point(x=0)``"""
    kind = evaluate(run, pattern.cls, frame)
    matched = is_instance(subject, kind)
    names = _positional(kind, len(pattern.patterns))
    if matched is True and names is None:
        matched = reasons.unknown(reasons.UNSUPPORTED, "this pattern", frame.place(pattern))
    if isinstance(matched, UnknownValue):
        _bind_names(run, pattern, matched, frame)
    if matched is not True or names is None:
        return matched
    wanted = [(element.value, name) for element, name in zip(pattern.patterns, names, strict=True)]
    wanted += [(k.pattern, k.key.value) for k in pattern.kwds]
    for part, name in wanted:
        value = get_attribute(run, subject, name, frame.place(part)) if name else subject
        matched = _matches(run, part, value, frame)
        if matched is not True:
            return matched
    return True


def _positional(kind: Value, count: int) -> list[str] | None:
    """The attributes that positional patterns of a class stand for; an empty name is the object itself."""
    if not count:
        return []
    if isinstance(kind, Native):
        return [""] if count == 1 else None
    if isinstance(kind, ClassValue) and kind.kind in ("dataclass", "namedtuple") and "__match_args__" not in kind.names:
        names = list(fields_of(kind))
        return names[:count] if count <= len(names) else None
    return None


def _capture(run: Interpreter, pattern: cst.MatchAs, subject: Value, frame: Frame) -> bool | UnknownValue:
    matched: bool | UnknownValue = True
    if pattern.pattern is not None:
        matched = _matches(run, pattern.pattern, subject, frame)
    if pattern.name is not None and matched is not False:
        bind(run, frame, pattern.name.value, subject, frame.place(pattern))
    return matched


def _any(run: Interpreter, pattern: cst.MatchOr, subject: Value, frame: Frame) -> bool | UnknownValue:
    doubt: bool | UnknownValue = False
    for element in pattern.patterns:
        matched = _matches(run, element.pattern, subject, frame)
        if matched is True:
            return matched if doubt is False else doubt
        doubt = doubt or matched
    return doubt


def _mapping(run: Interpreter, pattern: cst.MatchMapping, subject: Value, frame: Frame) -> bool | UnknownValue:
    if not isinstance(subject, DictValue):
        return False
    taken: list[Value] = []
    for element in pattern.elements:
        key = evaluate(run, element.key, frame)
        present = contains(run, subject, key)
        if present is not True:
            _bind_names(run, pattern, present if isinstance(present, UnknownValue) else subject, frame)
            return present
        matched = _matches(run, element.pattern, get_item(run, subject, key, frame.place(element)), frame)
        if matched is not True:
            return matched
        taken.append(key)
    if pattern.rest is not None:
        others = DictValue(dict(subject.entries), subject.rest, order=subject.order)
        for key in taken:
            pop_key(run, Arguments((others, key), {}, None, frame.place(pattern)))
        bind(run, frame, pattern.rest.value, others, frame.place(pattern))
    return True


def _sequence(
    run: Interpreter, pattern: cst.MatchList | cst.MatchTuple, subject: Value, frame: Frame
) -> bool | UnknownValue:
    if not isinstance(subject, (ListValue, TupleValue)) or (
        isinstance(subject, ListValue) and subject.kind == "iterator"
    ):
        return False
    if isinstance(subject, ListValue) and not subject.exact:
        unknown = reasons.unknown(reasons.CONDITION, "how many elements there are", frame.place(pattern))
        _bind_names(run, pattern, subject.rest or unknown, frame)
        return subject.rest or unknown
    parts, items = list(pattern.patterns), list(subject.items)
    star = next((index for index, part in enumerate(parts) if isinstance(part, cst.MatchStar)), None)
    if star is not None:
        others = len(parts) - 1
        if len(items) < others:
            return False
        last = len(items) - (others - star)
        _bind_star(run, parts.pop(star), items[star:last], frame)
        del items[star:last]
    if len(items) != len(parts):
        return False
    for element, item in zip(parts, items, strict=True):
        assert isinstance(element, cst.MatchSequenceElement)
        matched = _matches(run, element.value, item, frame)
        if matched is not True:
            return matched
    return True


def _bind_star(run: Interpreter, pattern: cst.CSTNode, items: list[Value], frame: Frame) -> None:
    """``*rest``: a list of what is left, also where a later part does not match."""
    if isinstance(pattern, cst.MatchStar) and pattern.name is not None:
        bind(run, frame, pattern.name.value, ListValue(items), frame.place(pattern))


def _bind_names(run: Interpreter, pattern: cst.CSTNode, value: Value, frame: Frame) -> None:
    """Every name that the pattern may bind."""
    stack = [pattern]
    while stack:
        node = stack.pop()
        names = [getattr(node, "name", None), getattr(node, "rest", None)]
        if isinstance(node, (cst.MatchAs, cst.MatchStar, cst.MatchMapping)):
            for name in names:
                if isinstance(name, cst.Name):
                    bind(run, frame, name.value, value, frame.place(node))
        stack += syntax_children(node)
