"""A function as an SDK's ``inspect`` sees it when it is registered as a tool."""

from __future__ import annotations

import ast
from dataclasses import replace

from pdmigrate.schemas import specs
from pdmigrate.understand.types.annotations import Specs
from pdmigrate.understand.values.core import (
    BoundMethod,
    Const,
    FunctionValue,
    Instance,
    Maybe,
    Unknown,
    Value,
    describe,
)

_LONGEST_CHAIN = 20


def function_spec(convert: Specs, value: Value) -> specs.FunctionSpec | Unknown:
    """``value`` as a function with a signature, or why it has none that is known."""
    bound = isinstance(value, BoundMethod)
    outer = value.function if isinstance(value, BoundMethod) else value
    if isinstance(outer, Instance):
        method = next((b.data["__call__"] for b in outer.cls.mro if hasattr(b, "data") and "__call__" in b.data), None)
        if method is not None and not isinstance(method, FunctionValue):
            return Unknown(f"{describe(value)} as a tool")
    if not isinstance(outer, FunctionValue):
        return value if isinstance(value, Unknown) else Unknown(f"{describe(value)} as a tool")
    if outer.rest is not None:
        return outer.rest
    inner = signature_of(outer)
    if isinstance(inner, Unknown):
        return inner
    name, doc = outer.data.get("__name__"), outer.data.get("__doc__")
    if not isinstance(name, Const) or not isinstance(name.value, str):
        return name if isinstance(name, Unknown) else Unknown("the name of a function is set by the program", "PD309")
    found = _plain(convert, inner, bound=bound)
    return replace(
        found,
        name=name.value,
        doc=_doc(doc),
        is_async=isinstance(outer.node, ast.AsyncFunctionDef),
    )


def _doc(doc: Value | None) -> str | specs.UnknownSpec | None:
    if isinstance(doc, Maybe):
        doc = doc.why
    if isinstance(doc, Unknown):
        return specs.UnknownSpec(doc.reason, doc.code, doc.site)
    if isinstance(doc, Const) and (doc.value is None or isinstance(doc.value, str)):
        return doc.value
    return specs.UnknownSpec("the docstring is set by the program", "PD309") if doc is not None else None


def signature_of(function: FunctionValue) -> FunctionValue | Unknown:
    """The function whose parameters a caller sees: wrappers with ``__wrapped__`` are followed."""
    inner = function
    for _ in range(_LONGEST_CHAIN):
        if {"__signature__", "__annotations__", "__defaults__", "__kwdefaults__"} & inner.data.keys():
            return Unknown(f"the signature of {function.name} is set by the program", "PD309")
        wrapped = inner.data.get("__wrapped__")
        if wrapped is None:
            return inner
        if isinstance(wrapped, Maybe):
            return wrapped.why
        if isinstance(wrapped, BoundMethod) and isinstance(wrapped.function, FunctionValue):
            return Unknown(f"{function.name} wraps a method")
        if not isinstance(wrapped, FunctionValue):
            return wrapped if isinstance(wrapped, Unknown) else Unknown(f"what {function.name} wraps is not known")
        inner = wrapped
    return Unknown(f"{function.name} wraps too many functions", "PD308")


def _plain(convert: Specs, function: FunctionValue, *, bound: bool) -> specs.FunctionSpec:
    given = function.node.args
    scope = function.scope
    site = function.module.site(function.node)
    parameters: list[specs.ParameterSpec] = []

    def add(argument: ast.arg, kind: str, default: Value | None) -> None:
        annotation = convert.annotation(argument.annotation, scope)
        value = convert.value(default) if default is not None else None
        parameters.append(specs.ParameterSpec(argument.arg, kind, annotation, value, site))

    places = [*given.posonlyargs, *given.args]
    without = len(places) - len(function.defaults)
    for number, argument in enumerate(places):
        kind = "POSITIONAL_ONLY" if argument in given.posonlyargs else "POSITIONAL_OR_KEYWORD"
        add(argument, kind, function.defaults[number - without] if number >= without else None)
    if given.vararg is not None:
        add(given.vararg, "VAR_POSITIONAL", None)
    for argument in given.kwonlyargs:
        add(argument, "KEYWORD_ONLY", function.keyword_defaults.get(argument.arg))
    if given.kwarg is not None:
        add(given.kwarg, "VAR_KEYWORD", None)
    returns = None if isinstance(function.node, ast.Lambda) else convert.annotation(function.node.returns, scope)
    return specs.FunctionSpec(
        function.name,
        function.module.name,
        tuple(parameters[1 if bound else 0 :]),
        returns,
        site=site,
        late=_late(function),
    )


def _late(function: FunctionValue) -> bool | None:
    """Whether the annotations are text at run time; ``None`` if only some of them are."""
    if function.module.late_annotations:
        return True
    node = function.node
    written = [argument.annotation for argument in ast.walk(node.args) if isinstance(argument, ast.arg)]
    found = {isinstance(item, ast.Constant) and isinstance(item.value, str) for item in written if item is not None}
    return None if len(found) > 1 else True in found
