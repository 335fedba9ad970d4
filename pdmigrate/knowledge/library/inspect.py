"""``inspect`` and ``typing.get_type_hints`` on functions of the program: signatures, docstrings, kinds of functions."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING

import libcst as cst

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.docstrings import VersionedText, on_both
from pdmigrate.evaluate.core.frames import AbstractRaise, Frame
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.natives import (
    NAMES,
    WRITTEN_IN_PYTHON,
    first_argument,
    native,
    real_builtin,
    settled,
)
from pdmigrate.evaluate.core.operations import evaluate, get_attribute
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    CACHE,
    Arguments,
    DictValue,
    Entry,
    External,
    FunctionValue,
    ModuleValue,
    Origin,
    Parameter,
    Place,
    Subscripted,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.annotations import annotation_frame
from pdmigrate.evaluate.language.text import representation
from pdmigrate.knowledge.library import made_signatures
from pdmigrate.knowledge.library.made_signatures import EMPTY, KINDS
from pdmigrate.knowledge.types.function_specs import PARAMETER_KINDS, given_signature, signature_of
from pdmigrate.tree.code.bindings import binds
from pdmigrate.tree.code.syntax import syntax_children

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule

# --- signatures -------------------------------------------------------------------------------------------------------


@native("inspect.signature")
def _signature(run: Interpreter, arguments: Arguments) -> Value:
    given = first_argument(run, arguments)
    seen = given_signature(given) or signature_of(given)
    if arguments.keywords or len(arguments.positional) > 1:
        return reasons.unknown(reasons.UNSUPPORTED, "inspect.signature() with these arguments", arguments.place)
    if (function := seen.as_function) is None:
        return seen
    origin = Origin(f"the signature of {function.name}", arguments.place, function.sources)
    parameters = DictValue(origin=origin)
    for parameter in function.parameters[0 if given.underlying is given else 1 :]:
        parameters.entries[parameter.name] = Entry(const(parameter.name), _parameter(run, function, parameter, origin))
    returned = annotation_of(run, function, function.returns) if function.returns is not None else EMPTY
    return made_signatures.signature_object(parameters, returned, origin)


def _parameter(run: Interpreter, function: FunctionValue, parameter: Parameter, origin: Origin) -> KnownObject:
    annotation: Value = EMPTY
    if parameter.annotation is not None:
        annotation = annotation_of(run, function, parameter.annotation.annotation)
    default = parameter.default if parameter.default is not None else EMPTY
    parts = {
        "name": const(parameter.name, origin),
        "kind": KINDS[PARAMETER_KINDS[parameter.kind]],
        "default": default,
        "annotation": annotation,
    }
    return made_signatures.parameter(parts, origin, _text(run, parameter, annotation, default))


def _text(run: Interpreter, parameter: Parameter, annotation: Value, default: Value) -> Value:
    """``str(parameter)``: ``limit: int = 5``"""
    made = {"args": "*", "kwargs": "**"}.get(parameter.kind, "") + parameter.name
    if annotation is not EMPTY:
        shown = repr(annotation.scalar.value) if annotation.scalar is not None else _type_text(annotation)
        if shown is None:
            reason = f"how the annotation of {parameter.name} is written as text"
            return first_unknown(annotation) or reasons.unknown(reasons.UNSUPPORTED, reason)
        made += f": {shown}"
    if default is not EMPTY:
        shown_default = representation(run, default)
        if shown_default.scalar is None:
            return shown_default
        made += f"{' = ' if annotation is not EMPTY else '='}{shown_default.scalar.value!s}"
    return const(made)


def _type_text(annotation: Value) -> str | None:
    """How ``str(parameter)`` shows a type; ``None`` if that may differ between versions of Python."""
    if not isinstance(annotation, Subscripted):
        return annotation.outer_name if annotation.outer_name and "." not in annotation.outer_name else None
    if annotation.generic in ("typing.Literal", "typing_extensions.Literal"):
        plain = [item.scalar.value for item in annotation.args if item.scalar is not None]
        return f"Literal[{', '.join(map(repr, plain))}]" if len(plain) == len(annotation.args) else None
    base, *parts = (_type_text(item) for item in (annotation.base, *annotation.args))
    return None if base is None or None in parts else f"{base}[{', '.join(map(str, parts))}]"


# --- annotations ------------------------------------------------------------------------------------------------------


def annotation_of(run: Interpreter, function: FunctionValue, node: cst.BaseExpression) -> Value:
    """The value of an annotation in ``__annotations__``: its text if annotations are postponed."""
    module, scope = function.module, function.scope
    assert module is not None
    assert scope is not None
    if module.postponed:
        text = ast.unparse(ast.parse(module.code(node).strip(), mode="eval"))
        return const(text, Origin("annotation", Place(module, node)))
    doubt = _bound_again(module, node)
    return doubt if doubt is not None else _evaluated(run, node, Frame(scope, module), module)


def _evaluated(run: Interpreter, node: cst.BaseExpression, frame: Frame, module: SourceModule) -> Value:
    with run.collected_risks():
        try:
            return evaluate(run, node, frame)
        except AbstractRaise as raised:
            return reasons.unknown(reasons.FAILS, f"the annotation raises {raised}", Place(module, node))


def _bound_again(module: SourceModule, node: cst.BaseExpression) -> UnknownValue | None:
    """Why an annotation may mean something else now than when the function was defined: it uses a name bound twice."""
    stack: list[cst.CSTNode] = [node]
    while stack:
        item = stack.pop()
        if type(item) is cst.Name and _bindings(module, item.value) > 1:
            reason = f"{item.value} is bound several times, and an annotation uses it"
            return reasons.unknown(reasons.UNSUPPORTED, reason, Place(module, node))
        stack += syntax_children(item)
    return None


def _bindings(module: SourceModule, name: str) -> int:
    """How often a name is bound anywhere in a module; cached, since annotations share a few names."""
    known = module.outline.bindings.get(name)
    if known is None:
        known = module.outline.bindings[name] = sum(binds(module, node) for node in module.outline.bound(name))
    return known


@native("typing.get_type_hints", "typing_extensions.get_type_hints")
def _get_type_hints(run: Interpreter, arguments: Arguments) -> Value:
    function = signature_of(first_argument(run, arguments))
    if arguments.keywords or len(arguments.positional) > 1:
        return reasons.unknown(reasons.UNSUPPORTED, "get_type_hints() with these arguments", arguments.place)
    result = DictValue(origin=Origin(f"the type hints of {function.name}", arguments.place, function.sources))
    assert function.module is not None
    defaults = {parameter.name: parameter.default for parameter in function.parameters}
    for name, node in function.annotations.items():
        value = _bound_again(function.module, node) or _evaluated(
            run, node, annotation_frame(run, function, node), function.module
        )
        result.entries[name] = Entry(const(name), _hint(value, defaults.get(name), Place(function.module, node)))
    return result


def _hint(value: Value, default: Value | None, place: Place) -> Value:
    if value.is_just(None):
        return External("builtins.NoneType")
    if value.scalar is not None or value.generic.endswith(".Annotated"):
        return reasons.unknown(reasons.UNSUPPORTED, "the meaning of this annotation", place)
    if isinstance(value, UnknownValue) or default is None or not default.is_just(None):
        return value
    # Before Python 3.11 a default of None makes the hint optional.
    if any(inside.is_just(None) for inside in value.types_inside[1:]):
        return value
    return reasons.unknown(reasons.PLATFORM, "the hint of a default None depends on the interpreter", place)


# --- docstrings and kinds ---------------------------------------------------------------------------------------------


@native("inspect.getdoc")
def _getdoc(run: Interpreter, arguments: Arguments) -> Value:
    """``inspect.getdoc(function)``: the docstring without its indentation, the same in every Python."""
    given = settled(first_argument(run, arguments))
    inner = given.underlying
    function = inner.as_function
    if function is None and inner.as_class is None and not isinstance(inner, ModuleValue):
        return reasons.unknown(reasons.UNSUPPORTED, f"the docstring of {describe(given)}", arguments.place)
    doc = get_attribute(run, inner, "__doc__", arguments.place)
    if isinstance(doc, VersionedText):
        return on_both(run, arguments._replace(positional=(doc,)), inspect.cleandoc)
    if (text := doc.text) is not None:
        run.budget.read(WRITTEN_IN_PYTHON * len(text))
        return const(inspect.cleandoc(text), Origin("inspect.getdoc()", arguments.place, doc.sources))
    inherits = inner.as_class is not None or (function is not None and function.owner is not None)
    if doc.scalar is not None and inherits:
        return reasons.unknown(reasons.UNSUPPORTED, f"{describe(inner)} may inherit its docstring", arguments.place)
    return doc


def _question(*names: str) -> Callable[[Callable[[Value], bool | None]], None]:
    """A decorator for a function that answers a question about a value; it returns ``None`` for an unknown answer."""

    def declared(answer: Callable[[Value], bool | None]) -> None:
        @native(*names)
        def ask(run: Interpreter, arguments: Arguments) -> Value:
            value = settled(first_argument(run, arguments))
            known = answer(value)
            if known is None:
                name = names[0].rpartition(".")[2]
                return reasons.unknown(reasons.UNSUPPORTED, f"{name}() of {describe(value)}", arguments.place)
            return const(known)

    return declared


@_question("inspect.iscoroutinefunction", "asyncio.iscoroutinefunction")
def _is_coroutine_function(value: Value) -> bool | None:
    inner = value.underlying
    if (function := inner.as_function) is not None:
        return function.asynchronous and not function.generator
    plain = inner.scalar is not None or inner.as_class is not None or inner.mapping is not None
    return False if plain or real_builtin(inner) is not None else None


def _is_function(value: Value) -> bool | None:
    if (function := value.as_function) is not None:
        return None if CACHE in function.names else function.kind != "property"
    return None if value.outer_name and real_builtin(value) is None else False


def _is_method(value: Value) -> bool | None:
    if value.underlying is not value:
        return value.underlying.as_function is not None or None
    return None if value.outer_name and real_builtin(value) is None else False


def _is_routine(value: Value) -> bool | None:
    if value.as_function is not None or value.underlying is not value:
        return _is_method(value) or _is_function(value) or (None if value.is_callable else False)
    if (real := real_builtin(value)) is not None:
        return inspect.isroutine(real)
    return None if value.is_callable is not False and value.as_class is None else False


@_question("inspect.isclass")
def _is_class(value: Value) -> bool | None:
    if (real := real_builtin(value)) is not None:
        return inspect.isclass(real)
    # Before Python 3.11, ``list[int]`` counts as a class.
    return None if value.outer_name or isinstance(value, Subscripted) else value.as_class is not None


_question("inspect.isfunction")(_is_function)
_question("inspect.ismethod")(_is_method)
_question("inspect.isroutine")(_is_routine)

NAMES.update(dict.fromkeys(("inspect._empty", "inspect.Parameter.empty", "inspect.Signature.empty"), EMPTY))
NAMES.update({f"inspect.Parameter.{name}": value for name, value in KINDS.items()})
