"""Code that speaks the protocol by hand: what to do is found out by the name of a method."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from pdmigrate.source.outline import FUNCTIONS
from pdmigrate.source.source import tree_of

_REGISTERS = re.compile(
    r"(?:^|_)(?:register|add|on|handles?|handler|route|bind|expose|set|method|rpc|command|endpoint|when|map|hook)(?:_|$)"
)
"""Functions that are told what handles a method; others that are given a name and a function may send a request."""


def dispatched(raw: bytes, method: str) -> int:
    """The first line in which a module compares the name of a method, or registers what handles it; 0 if none does."""
    if (tree := tree_of(raw)) is None:
        return 0
    nodes = [*ast.walk(tree)]
    names = {
        target.id
        for node in nodes
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and _is(node.value, method, ())
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    known = {node.name for node in nodes if isinstance(node, (*FUNCTIONS, ast.ClassDef))}
    known |= {alias.asname or alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    found = (part for node in nodes for part in _decided_by(node, known) if _is(part, method, names))
    return min((part.lineno for part in found), default=0)


def _is(node: ast.expr | None, method: str, names: Collection[str]) -> bool:
    """Whether an expression is the name of the method, or one of the ``names`` that it is bound to in the module."""
    match node:
        case ast.Constant(value=text):
            return text == method
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr="value", value=member):
            return _is(member, method, names)
        case ast.Attribute(attr=name):
            return name in names
    return False


def _decided_by(node: ast.AST, known: Collection[str]) -> Iterator[ast.expr]:
    """The parts of a node that decide what is done, or for what something is registered."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            yield from (left, right)
        case ast.Compare(
            ops=[ast.In()], comparators=[ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts)]
        ):
            yield from parts
        case ast.MatchValue(value=value):
            yield value
        case ast.Dict(keys=keys, values=values):
            yield from (key for key, value in zip(keys, values, strict=True) if key is not None and _handles(value))
        case ast.Assign(targets=[ast.Subscript(slice=key)], value=value) if _handles(value):
            yield key
        case ast.FunctionDef(decorator_list=decorators) | ast.AsyncFunctionDef(decorator_list=decorators):
            yield from (part for each in decorators if isinstance(each, ast.Call) for part in _given(each))
        case ast.ClassDef(decorator_list=decorators):
            yield from (part for each in decorators if isinstance(each, ast.Call) for part in _given(each))
        case ast.Call(func=ast.Call() as decorator, args=[handler]) if _is_function(handler, known):
            yield from _given(decorator)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if _REGISTERS.search(name):
            given = [*_given(node)]
            yield from given if any(_is_function(part, known) for part in given) else ()
        case ast.Tuple(elts=[name, handler]) | ast.List(elts=[name, handler]) if _is_function(handler, known):
            yield name


def _given(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (keyword.value for keyword in call.keywords)


def _handles(value: ast.expr) -> bool:
    """Whether a value in a table may be what handles a method, or hold it."""
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            return any(isinstance(part, (ast.Name, ast.Attribute, ast.Lambda)) for part in parts)
    return isinstance(value, (ast.Name, ast.Attribute, ast.Lambda, ast.Call))


def _is_function(value: ast.expr, known: Collection[str]) -> bool:
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in known
    return isinstance(value, ast.Lambda)
