"""Signatures and annotations of functions, as ``inspect`` and ``typing`` show them to the program."""

from __future__ import annotations

import ast
from typing import Any

from pdmigrate.understand.demand.attributes import FUNCTION_ATTRIBUTES
from pdmigrate.understand.demand.run import CONSTANTS, RaisedError, Run
from pdmigrate.understand.library.calling import first, library
from pdmigrate.understand.types.functions import signature_of
from pdmigrate.understand.values.core import (
    Arguments,
    BoundMethod,
    Const,
    DictValue,
    External,
    FunctionValue,
    SdkObject,
    Unknown,
    Value,
)

EMPTY = External("inspect._empty")
for _name in ("inspect.Parameter.empty", "inspect.Signature.empty"):
    CONSTANTS[_name] = lambda _run: EMPTY


def _function(value: Value) -> tuple[FunctionValue, bool] | Unknown:
    """The function whose signature a caller of ``value`` sees, and whether its first parameter is bound."""
    bound = isinstance(value, BoundMethod)
    inner = value.function if isinstance(value, BoundMethod) else value
    if not isinstance(inner, FunctionValue):
        return value if isinstance(value, Unknown) else Unknown("the signature of an object")
    seen = signature_of(inner)
    return seen if isinstance(seen, Unknown) else (seen, bound)


def _annotation(run: Run, function: FunctionValue, node: ast.expr | None, *, resolved: bool) -> Value | None:
    if node is None:
        return None
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    if text is None and function.module.late_annotations and not resolved:
        return Const(ast.unparse(node))
    if text is not None and not resolved:
        return Const(text)
    try:
        written = ast.parse(text, mode="eval").body if text is not None else node
        return run.evaluate(written, function.scope)
    except (RaisedError, SyntaxError):
        return run.unsettled("an annotation that is not known")


@library("inspect.signature")
def _signature(run: Run, arguments: Arguments) -> Value:
    found = _function(first(arguments))
    if isinstance(found, Unknown):
        run.risk = True
        return found
    function, bound = found
    given = function.node.args
    entries: dict[Any, Any] = {}
    places = [*given.posonlyargs, *given.args]
    without = len(places) - len(function.defaults)
    defaults = {item.arg: function.defaults[i - without] for i, item in enumerate(places) if i >= without}
    defaults.update(function.keyword_defaults)
    kinds = [(item, "POSITIONAL_OR_KEYWORD") for item in places][1 if bound else 0 :]
    kinds += [(given.vararg, "VAR_POSITIONAL")] if given.vararg is not None else []
    kinds += [(item, "KEYWORD_ONLY") for item in given.kwonlyargs]
    kinds += [(given.kwarg, "VAR_KEYWORD")] if given.kwarg is not None else []
    for item, kind in kinds:
        annotation = _annotation(run, function, item.annotation, resolved=False)
        data: dict[str, Value] = {
            "name": Const(item.arg),
            "kind": External(f"inspect.Parameter.{kind}"),
            "default": defaults.get(item.arg, EMPTY),
            "annotation": annotation if annotation is not None else EMPTY,
        }
        entries[(True, item.arg)] = (Const(item.arg), SdkObject("inspect.Parameter", data))
    written = None if isinstance(function.node, ast.Lambda) else function.node.returns
    returns = _annotation(run, function, written, resolved=False)
    signature: dict[str, Value] = {"parameters": DictValue(entries), "return_annotation": returns or EMPTY}
    return SdkObject("inspect.Signature", signature)


def _hints(run: Run, value: Value, *, resolved: bool) -> Value:
    found = _function(value)
    if isinstance(found, Unknown):
        run.risk = True
        return found
    function = found[0]
    entries: dict[Any, Any] = {}
    given = function.node.args
    for item in (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg):
        annotation = _annotation(run, function, item.annotation, resolved=resolved) if item is not None else None
        if item is not None and annotation is not None:
            entries[(True, item.arg)] = (Const(item.arg), annotation)
    written = None if isinstance(function.node, ast.Lambda) else function.node.returns
    returns = _annotation(run, function, written, resolved=resolved)
    if returns is not None:
        entries[(True, "return")] = (Const("return"), returns)
    return DictValue(entries)


@library("typing.get_type_hints", "typing_extensions.get_type_hints")
def _type_hints(run: Run, arguments: Arguments) -> Value:
    return _hints(run, first(arguments), resolved=True)


@library("inspect.get_annotations")
def _annotations(run: Run, arguments: Arguments) -> Value:
    return _hints(run, first(arguments), resolved=False)


FUNCTION_ATTRIBUTES["__annotations__"] = lambda run, value: _hints(run, value, resolved=False)
