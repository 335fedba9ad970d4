"""``match`` statements; patterns that look into containers or objects are not followed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown, with_aliases
from pdmigrate.evaluate.core.operations import STATEMENTS, evaluate, run_block, truth
from pdmigrate.evaluate.core.outside import made_outside
from pdmigrate.evaluate.core.values import Guard, UnknownValue, Value
from pdmigrate.evaluate.language.comparison import equal, identical
from pdmigrate.evaluate.language.scopes import bind
from pdmigrate.tree.code.syntax import syntax_children

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.frames import Frame, Leaving
    from pdmigrate.evaluate.core.interpreter import Interpreter


@STATEMENTS.of(cst.Match)
def run_match(run: Interpreter, node: cst.Match, frame: Frame) -> Leaving | None:
    """Run the first case that matches; a case that may match runs under the condition that it does."""
    return _cases(run, node, evaluate(run, node.subject, frame), 0, frame)


def _cases(run: Interpreter, node: cst.Match, subject: Value, index: int, frame: Frame) -> Leaving | None:
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
    match pattern:
        case cst.MatchAs():
            return _capture(run, pattern, subject, frame)
        case cst.MatchOr():
            return _any(run, pattern, subject, frame)
        case cst.MatchValue() | cst.MatchSingleton():
            if (unknown := first_unknown(subject)) is not None:
                return unknown
            value = evaluate(run, pattern.value, frame)
            return identical(subject, value) if type(pattern) is cst.MatchSingleton else equal(run, subject, value)
    unknown = first_unknown(subject)
    if unknown is None and subject.library_name:
        unknown = made_outside(subject)
    if unknown is None:
        unknown = with_aliases(reasons.unknown(reasons.UNSUPPORTED, "this pattern", frame.place(pattern)), subject)
    _bind_names(run, pattern, unknown, frame)
    return unknown


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


def _bind_names(run: Interpreter, pattern: cst.CSTNode, value: Value, frame: Frame) -> None:
    """Bind every name in the pattern to ``value``."""
    stack = [pattern]
    while stack:
        node = stack.pop()
        match node:
            case cst.MatchAs(name=cst.Name(value=name)) | cst.MatchStar(name=cst.Name(value=name)):
                bind(run, frame, name, value, frame.place(node))
            case cst.MatchMapping(rest=cst.Name(value=name)):
                bind(run, frame, name, value, frame.place(node))
        stack += syntax_children(node)
