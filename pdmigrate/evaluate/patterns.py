"""``match`` statements."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate import reasons
from pdmigrate.evaluate.comparison import contains, equal, identical, truth
from pdmigrate.evaluate.python_values import from_python
from pdmigrate.evaluate.scopes import bind, first_unknown
from pdmigrate.evaluate.subscripts import get_item
from pdmigrate.evaluate.values import Const, DictValue, Guard, ListValue, Native, TupleValue, UnknownValue, Value

if TYPE_CHECKING:
    from pdmigrate.evaluate.interpreter import Frame, Interpreter, Outcome


def run_match(run: Interpreter, node: cst.Match, frame: Frame) -> Outcome | None:
    """Run the first case that matches; cases that may match run under that condition."""
    return _cases(run, node, run.evaluate(node.subject, frame), 0, frame)


def _cases(run: Interpreter, node: cst.Match, subject: Value, index: int, frame: Frame) -> Outcome | None:
    from pdmigrate.evaluate.statements import run_block

    for position in range(index, len(node.cases)):
        case = node.cases[position]
        matched = _matches(run, case.pattern, subject, frame)
        if matched is True and case.guard is not None:
            matched = truth(run, run.evaluate(case.guard, frame))
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
    if unknown is not None:
        _bind_names(run, pattern, unknown, frame)
        return unknown
    if isinstance(pattern, cst.MatchValue):
        return equal(run, subject, run.evaluate(pattern.value, frame))
    if isinstance(pattern, cst.MatchSingleton):
        return identical(subject, run.evaluate(pattern.value, frame))
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
    from pdmigrate.evaluate.attributes import get_attribute
    from pdmigrate.evaluate.builtin_reflection import is_instance

    kind = run.evaluate(pattern.cls, frame)
    matched = is_instance(subject, kind)
    whole = isinstance(kind, Native) and len(pattern.patterns) == 1
    if matched is True and pattern.patterns and not whole:
        matched = reasons.unknown(reasons.UNSUPPORTED, "this pattern", frame.place(pattern))
    if isinstance(matched, UnknownValue):
        _bind_names(run, pattern, matched, frame)
    if matched is not True:
        return matched
    inner = [(element.value, subject) for element in pattern.patterns]
    inner += [(k.pattern, get_attribute(run, subject, k.key.value, frame.place(k))) for k in pattern.kwds]
    for part, value in inner:
        matched = _matches(run, part, value, frame)
        if matched is not True:
            return matched
    return True


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
    for element in pattern.elements:
        key = run.evaluate(element.key, frame)
        present = contains(run, subject, key)
        if present is not True:
            _bind_names(run, pattern, present if isinstance(present, UnknownValue) else subject, frame)
            return present
        matched = _matches(run, element.pattern, get_item(run, subject, key, frame.place(element)), frame)
        if matched is not True:
            return matched
    if pattern.rest is not None:
        unknown = reasons.unknown(reasons.UNSUPPORTED, "the rest of a mapping pattern", frame.place(pattern))
        bind(run, frame, pattern.rest.value, unknown, frame.place(pattern))
    return True


def _sequence(
    run: Interpreter, pattern: cst.MatchList | cst.MatchTuple, subject: Value, frame: Frame
) -> bool | UnknownValue:
    if isinstance(subject, Const) or not isinstance(subject, (ListValue, TupleValue)):
        return False
    unknown = reasons.unknown(reasons.UNSUPPORTED, "this sequence pattern", frame.place(pattern))
    if (isinstance(subject, ListValue) and not subject.exact) or any(
        isinstance(p, cst.MatchStar) for p in pattern.patterns
    ):
        _bind_names(run, pattern, unknown, frame)
        return unknown
    if len(subject.items) != len(pattern.patterns):
        return False
    for element, item in zip(pattern.patterns, subject.items, strict=True):
        assert isinstance(element, cst.MatchSequenceElement)
        matched = _matches(run, element.value, item, frame)
        if matched is not True:
            return matched
    return True


def _bind_names(run: Interpreter, pattern: cst.CSTNode, value: Value, frame: Frame) -> None:
    """Every name that the pattern may bind."""
    from pdmigrate.evaluate.syntax import syntax_children

    stack = [pattern]
    while stack:
        node = stack.pop()
        names = [getattr(node, "name", None), getattr(node, "rest", None)]
        if isinstance(node, (cst.MatchAs, cst.MatchStar, cst.MatchMapping)):
            for name in names:
                if isinstance(name, cst.Name):
                    bind(run, frame, name.value, value, frame.place(node))
        stack += syntax_children(node)


__all__ = ["from_python", "run_match"]
