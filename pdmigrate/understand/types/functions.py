"""A function as an SDK's ``inspect`` sees it when it is registered as a tool."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from pdmigrate.sdk.schemas import specs
from pdmigrate.understand.demand.later import as_read, is_text, module_scope
from pdmigrate.understand.demand.run import Run
from pdmigrate.understand.index.syntax import annotations_of
from pdmigrate.understand.types.annotations import Specs, Texts
from pdmigrate.understand.values.calls import BoundMethod
from pdmigrate.understand.values.containers import DictValue
from pdmigrate.understand.values.core import FAILS, MUTATED, NONE, UNSUPPORTED, Const, Maybe, Unknown, Value
from pdmigrate.understand.values.joining import certain
from pdmigrate.understand.values.objects import FunctionValue, SdkObject, describe, frozen, text_of
from pdmigrate.understand.values.outside import External

ANNOTATIONS = "__annotations__"
EMPTY = External("inspect._empty")
"""What ``inspect`` shows where a parameter has no default or no annotation."""
_LONGEST_CHAIN = 20


def function_spec(convert: Specs, value: Value) -> specs.FunctionSpec | Unknown:
    """``value`` as a function with a signature, or why it has none that is known."""
    outer = value.function if isinstance(value, BoundMethod) else value
    if not isinstance(outer, FunctionValue):
        return value if isinstance(value, Unknown) else Unknown(f"{describe(value)} as a tool")
    if outer.rest is not None:
        return outer.rest
    name, doc = outer.data.get("__name__"), outer.data.get("__doc__")
    if not isinstance(name, Const) or not isinstance(name.value, str):
        return name if isinstance(name, Unknown) else Unknown("the name of a function is set by the program", MUTATED)
    if isinstance(found := _signature(convert, value, outer), Unknown):
        return found
    return replace(found, name=name.value, doc=doc_spec(doc), is_async=isinstance(outer.node, ast.AsyncFunctionDef))


def _signature(convert: Specs, value: Value, outer: FunctionValue) -> specs.FunctionSpec | Unknown:
    bound = isinstance(value, BoundMethod)
    for item in _chain(outer):
        shown, before = convert.run.memory.get((ANNOTATIONS, item.original), (None, None))
        if shown is not None and (shown.data != before or shown.rest is not None):
            return Unknown(f"the annotations of {item.name} are changed", MUTATED)
    if (given := given_signature(outer)) is not None:
        return _as_given(convert, outer, given, bound=bound)
    if outer.data.keys() & _SET == {ANNOTATIONS}:
        if isinstance(hints := _hints(convert, outer), specs.UnknownSpec):
            return Unknown(hints.reason, hints.code, hints.site)
        plain = _plain(convert, outer, bound=bound)
        parameters = tuple(replace(item, annotation=hints.get(item.name)) for item in plain.parameters)
        return replace(plain, parameters=parameters, returns=hints.get("return"), late=False)
    if ANNOTATIONS in outer.data and isinstance(wrapped := outer.data.get("__wrapped__"), FunctionValue):
        return _annotated_wrapper(convert, outer, wrapped, bound=bound)
    found = seen_of(value)
    return found if isinstance(found, Unknown) else _plain(convert, found[0], bound=found[1])


def _annotated_wrapper(
    convert: Specs, outer: FunctionValue, wrapped: FunctionValue, *, bound: bool
) -> specs.FunctionSpec | Unknown:
    """A wrapper whose annotations, which ``typing`` shows, are set to those of the function that ``inspect`` shows."""
    if isinstance(found := seen_of(wrapped), Unknown):
        return found
    plain = _plain(convert, found[0], bound=False)
    if _hints(convert, outer) != _written(plain):
        return Unknown(f"the annotations of {outer.name} are set to others than those of what it wraps", MUTATED)
    return replace(plain, parameters=plain.parameters[bound:], late=False if plain.late is False else None)


def named_spec(value: Value, unknown: specs.UnknownSpec) -> specs.FunctionSpec:
    """A function of whose signature nothing is known, with its name (``?`` if there is none) and its docstring."""
    inner = value.function if isinstance(value, BoundMethod) else value
    data = inner.data if isinstance(inner, FunctionValue) and inner.rest is None else {}
    name = text_of(data.get("__name__")) or "?"
    doc = doc_spec(data.get("__doc__")) if name != "?" else "?"
    return specs.FunctionSpec(name, "", (specs.ParameterSpec("p", annotation=unknown),), unknown, doc)


def doc_spec(doc: Value | None) -> str | specs.UnknownSpec | None:
    if isinstance(doc, Maybe):
        doc = doc.why
    if isinstance(doc, Unknown):
        return specs.UnknownSpec(doc.reason, doc.code, doc.site)
    if isinstance(doc, Const) and (doc.value is None or isinstance(doc.value, str)):
        return doc.value
    return specs.UnknownSpec("the docstring is set by the program", MUTATED) if doc is not None else None


def inherited_doc(value: Value) -> Value:
    """What ``inspect.getdoc`` finds where there is no docstring: nothing for a function that stands in no class."""
    outer = text_of(value.data.get("__qualname__")) if isinstance(value, FunctionValue) else None
    outer = (outer or "?.").rpartition(".")[0]
    return NONE if not outer or "<locals>" in outer else Unknown("a docstring that may be inherited")


# --- what the program has set -----------------------------------------------------------------------------------------

_SET = frozenset({ANNOTATIONS, "__code__", "__defaults__", "__kwdefaults__", "__wrapped__"})
"""Attributes with which a program gives a function another signature than its source declares."""


def _chain(function: FunctionValue) -> Iterator[FunctionValue]:
    """A function, then the function that it wraps, and so on inwards."""
    inner: Value | None = function
    for _ in range(_LONGEST_CHAIN):
        if not isinstance(inner, FunctionValue):
            return
        yield inner
        inner = inner.data.get("__wrapped__")


def given_signature(function: FunctionValue) -> Value | None:
    """The signature that the program has set on a function, or on one that it wraps; ``None`` if it has set none."""
    return next((item.data["__signature__"] for item in _chain(function) if "__signature__" in item.data), None)


def seen_of(value: Value) -> tuple[FunctionValue, bool] | Unknown:
    """The function whose parameters a caller of ``value`` sees, wrappers aside, and whether the first one is bound.

    A method hands out the ``__wrapped__`` of its function, which takes the object as well: it is not followed.
    """
    bound = isinstance(value, BoundMethod)
    function = value.function if isinstance(value, BoundMethod) else value
    if not isinstance(function, FunctionValue):
        return value if isinstance(value, Unknown) else Unknown("the signature of an object")
    inner = function
    for inner in _chain(function):
        if inner.data.keys() & (_SET - {"__wrapped__"}):
            return Unknown(f"the signature of {function.name} is set by the program", MUTATED)
    if "__wrapped__" not in inner.data:
        return inner, bound
    wrapped = certain(inner.data["__wrapped__"])
    return wrapped if isinstance(wrapped, Unknown) else Unknown(f"the function that {function.name} wraps is not known")


def first_parameter(value: Value) -> str | None:
    """The name of the first parameter that a caller sees; ``None`` if there is none, or if it is not known."""
    function, bound = (value.function, 1) if isinstance(value, BoundMethod) else (value, 0)
    given = given_signature(function) if isinstance(function, FunctionValue) else None
    if isinstance(given, SdkObject) and isinstance(shown := given.data.get("parameters"), DictValue):
        names = [text_of(key) for key, _ in shown.entries()]
    else:
        seen = seen_of(value)
        names = [item.arg for item, _, _ in seen[0].parameters()] if not isinstance(seen, Unknown) else []
    return names[bound] if len(names) > bound else None


Hints = dict[str, specs.TypeSpec]


def _as_given(convert: Specs, function: FunctionValue, given: Value, *, bound: bool) -> specs.FunctionSpec | Unknown:
    """A signature that is set: the SDK reads it and, elsewhere, the annotations; a type is known where both agree."""
    hints = _hints(convert, function)
    known = hints if isinstance(hints, dict) else {}
    parameters = given.data.get("parameters") if isinstance(given, SdkObject) and given.rest is None else None
    if not isinstance(parameters, DictValue) or not parameters.exact:
        return given if isinstance(given, Unknown) else Unknown("the signature that is set is not known", MUTATED)

    def agreed(what: str, value: Value) -> specs.TypeSpec | None:
        annotation = _given_type(convert, value)
        hint = hints if isinstance(hints, specs.UnknownSpec) else known.get(what)
        if hint is None or annotation == hint or isinstance(hint, specs.UnknownSpec):
            return annotation if hint is None else hint
        return specs.UnknownSpec(f"the signature and the annotations of the function differ in {what}", MUTATED)

    made: list[specs.ParameterSpec] = []
    for _, item in parameters.entries():
        name, kind = (text_of(item.data["name"]), item.data["kind"]) if isinstance(item, SdkObject) else (None, item)
        if name is None or not isinstance(item, SdkObject) or not isinstance(kind, External):
            return Unknown("a parameter of the signature that is set is not known", MUTATED)
        value, default = agreed(name, item.data["annotation"]), item.data["default"]
        shown = None if default == EMPTY else convert.value(default)
        made.append(specs.ParameterSpec(name, kind.name.rpartition(".")[2], value, shown))
    assert isinstance(given, SdkObject)
    returned, site = given.data["return_annotation"], function.module.site(function.node)
    needed = {item.name for item in made if item.annotation is not None} | ({"return"} if returned != EMPTY else set())
    hinted, signed = isinstance(hints, dict) and needed <= hints.keys(), _given_type(convert, returned)
    parts = (function.name, function.module.name, tuple(made[bound:]), agreed("return", returned))
    return specs.FunctionSpec(*parts, site=site, late=False, hinted=hinted, signed=signed)


def _given_type(convert: Specs, value: Value) -> specs.TypeSpec | None:
    """The type of an annotation that is set, in which text is not resolved; ``None`` if there is none."""
    if value == EMPTY:
        return None
    if text_of(value) is not None:
        return specs.UnknownSpec("an annotation of a signature that is set is text", MUTATED)
    return convert.type(value)


def _hints(convert: Specs, function: FunctionValue) -> Hints | specs.UnknownSpec:
    """``__annotations__`` of a function: what the program has set, or what the source declares."""
    seen = [*_chain(function)]
    given = next((certain(item.data[ANNOTATIONS]) for item in seen if ANNOTATIONS in item.data), None)
    if given is None:
        return _written(_plain(convert, seen[-1], bound=False))
    if not isinstance(given, DictValue) or not given.exact:
        return specs.UnknownSpec("the annotations of the function are set by the program", MUTATED)
    found = {text_of(key) or "": _given_type(convert, item) for key, item in given.entries()}
    return {key: item for key, item in found.items() if item is not None}


def _written(plain: specs.FunctionSpec) -> Hints:
    """The annotations of a function as its source declares them."""
    written = {**{item.name: item.annotation for item in plain.parameters}, "return": plain.returns}
    return {name: hint for name, hint in written.items() if hint is not None}


def _plain(convert: Specs, function: FunctionValue, *, bound: bool) -> specs.FunctionSpec:
    site = function.module.site(function.node)
    made: list[specs.ParameterSpec] = []
    for item, kind, default in function.parameters():
        shown = convert.value(default) if default is not None else None
        made.append(specs.ParameterSpec(item.arg, kind, _annotation(convert, function, item.annotation), shown, site))
    returns, late = _annotation(convert, function, function.returns, returned=True), _late(function)
    parts = (function.name, function.module.name, tuple(made[bound:]), returns)
    return specs.FunctionSpec(*parts, site=site, late=late)


def _annotation(
    convert: Specs, function: FunctionValue, node: ast.expr | None, *, returned: bool = False
) -> specs.TypeSpec | None:
    """The type of an annotation as the SDK reads it.

    The official SDK leaves the names of texts inside it to pydantic, which does not know them: it then refuses a
    parameter, and lists no schema of a result.  ``fastmcp`` looks all of them up, but not in a result that is no text.
    """
    late = node is not None and is_text(function.module, node)
    outside = module_scope(function.scope)
    inside: Texts = outside
    if convert.official or (returned and not late):
        code = UNSUPPORTED if convert.official and returned else FAILS
        inside = specs.UnknownSpec("the SDK does not look up a name that is a text inside an annotation", code)
    hints = convert.read if late else function.hints
    return convert.annotation(node, outside if late else function.scope, hints, inside)


def _late(function: FunctionValue) -> bool | None:
    """Whether the annotations are text at run time, that of the result with them; ``None`` if only some of them are."""
    found = {is_text(function.module, item) for item in annotations_of(function.node)}
    return None if len(found) > 1 else True in found


def read_now(run: Run, function: Value) -> dict[ast.expr, Value]:
    """What the texts among the annotations of a function mean now, of those that may mean something else later."""
    outer, place = function.function if isinstance(function, BoundMethod) else function, run.place
    found: dict[ast.expr, Value] = {}
    for item in _chain(outer) if isinstance(outer, FunctionValue) else ():
        for node in annotations_of(item.node):
            if is_text(item.module, node) and (meant := as_read(run, node, module_scope(item.scope))) is not None:
                found[node] = frozen(meant)
    run.place = place
    return found
