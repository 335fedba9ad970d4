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
from pdmigrate.evaluate.core.natives import WRITTEN_IN_PYTHON, first_argument
from pdmigrate.evaluate.core.operations import evaluate, get_attribute
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    FALSE,
    TRUE,
    Arguments,
    BoundMethod,
    ClassValue,
    Const,
    DictValue,
    Entry,
    External,
    FunctionValue,
    ModuleValue,
    Native,
    Origin,
    Parameter,
    Place,
    Subscripted,
    UnknownValue,
    Value,
    const,
)
from pdmigrate.evaluate.language.text import representation
from pdmigrate.evaluate.library import made_signatures
from pdmigrate.evaluate.library.made_signatures import EMPTY, KINDS
from pdmigrate.evaluate.types.annotations import annotation_frame
from pdmigrate.evaluate.types.function_specs import PARAMETER_KINDS, given_signature, signature_of
from pdmigrate.tree.code.syntax import syntax_children

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter
    from pdmigrate.tree.code.modules import SourceModule

# --- signatures -------------------------------------------------------------------------------------------------------


def signature(run: Interpreter, arguments: Arguments) -> Value:
    """``inspect.signature(function)``"""
    given = first_argument(run, arguments)
    set_by_program = given_signature(given)
    function = signature_of(given) if set_by_program is None else None
    if isinstance(function, UnknownValue):
        return function
    if arguments.keywords or len(arguments.positional) > 1:
        return reasons.unknown(reasons.UNSUPPORTED, "inspect.signature() with these arguments", arguments.place)
    if function is None:
        assert set_by_program is not None
        return set_by_program
    bound = isinstance(given, BoundMethod)
    origin = Origin(f"the signature of {function.name}", arguments.place, function.sources)
    parameters = DictValue(origin=origin)
    for parameter in function.parameters[1 if bound else 0 :]:
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
        shown = repr(annotation.value) if isinstance(annotation, Const) else _type_text(annotation)
        if shown is None:
            unknown = first_unknown(annotation)
            reason = f"how the annotation of {parameter.name} is written as text"
            return unknown or reasons.unknown(reasons.UNSUPPORTED, reason)
        made += f": {shown}"
    if default is not EMPTY:
        shown_default = representation(run, default)
        if not isinstance(shown_default, Const):
            return shown_default
        made += f"{' = ' if annotation is not EMPTY else '='}{shown_default.value!s}"
    return const(made)


def _type_text(annotation: Value) -> str | None:
    """How ``str(parameter)`` shows a type; ``None`` if that may differ between versions of Python."""
    if isinstance(annotation, Native):
        return annotation.name if "." not in annotation.name else None
    if not isinstance(annotation, Subscripted):
        return None
    if annotation.generic in ("typing.Literal", "typing_extensions.Literal"):
        plain = [item.value for item in annotation.args if isinstance(item, Const)]
        return f"Literal[{', '.join(map(repr, plain))}]" if len(plain) == len(annotation.args) else None
    parts = [_type_text(item) for item in (annotation.base, *annotation.args)]
    if not isinstance(annotation.base, Native) or None in parts:
        return None
    return f"{parts[0]}[{', '.join(str(part) for part in parts[1:])}]"


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
        bound = module.outline.bound(name)
        known = module.outline.bindings[name] = sum(_binds(module, node) for node in bound)
    return known


def _binds(module: SourceModule, node: cst.Name) -> bool:
    # Compared by type: ``isinstance`` is slow for nodes, and most occurrences of a name only read it.
    parent = module.outline.parents[node]
    kind = type(parent)
    if kind in _DEFINING:
        return getattr(parent, "name", None) is node
    return getattr(parent, "target", None) is node if kind in _TARGETING else kind in _IMPORTING


_DEFINING = frozenset({cst.FunctionDef, cst.ClassDef})
_TARGETING = frozenset({cst.AssignTarget, cst.AnnAssign, cst.For, cst.CompFor, cst.NamedExpr})
_IMPORTING = frozenset({cst.ImportAlias, cst.AsName})


def get_type_hints(run: Interpreter, arguments: Arguments) -> Value:
    """``typing.get_type_hints(function)``"""
    function = signature_of(first_argument(run, arguments))
    if isinstance(function, UnknownValue):
        return function
    if arguments.keywords or len(arguments.positional) > 1:
        return reasons.unknown(reasons.UNSUPPORTED, "get_type_hints() with these arguments", arguments.place)
    result = DictValue(origin=Origin(f"the type hints of {function.name}", arguments.place, function.sources))
    nodes = {p.name: p.annotation.annotation for p in function.parameters if p.annotation is not None}
    if function.returns is not None:
        nodes["return"] = function.returns
    assert function.module is not None
    defaults = {p.name: p.default for p in function.parameters}
    for name, node in nodes.items():
        value = _bound_again(function.module, node) or _evaluated(
            run, node, annotation_frame(run, function, node), function.module
        )
        result.entries[name] = Entry(const(name), _hint(value, defaults.get(name), Place(function.module, node)))
    return result


def _hint(value: Value, default: Value | None, place: Place) -> Value:
    if value.is_just(None):
        return External("builtins.NoneType")
    if isinstance(value, Const) or _is_annotated(value):
        return reasons.unknown(reasons.UNSUPPORTED, "the meaning of this annotation", place)
    if default is not None and default.is_just(None) and not isinstance(value, UnknownValue):
        # Before Python 3.11 a default of None makes the hint optional.
        optional = isinstance(value, Subscripted) and any(a.is_just(None) for a in value.args)
        if not optional:
            return reasons.unknown(reasons.PLATFORM, "the hint of a default None depends on the interpreter", place)
    return value


def _is_annotated(value: Value) -> bool:
    return value.generic.endswith(".Annotated")


# --- docstrings and kinds ---------------------------------------------------------------------------------------------


def getdoc(run: Interpreter, arguments: Arguments) -> Value:
    """``inspect.getdoc(function)``: the docstring without its indentation, the same in every Python."""
    given = first_argument(run, arguments)
    unknown = first_unknown(given)
    if unknown is not None:
        return unknown
    inner = given.unbound
    if not isinstance(inner, (FunctionValue, ClassValue, ModuleValue)):
        return reasons.unknown(reasons.UNSUPPORTED, f"the docstring of {describe(given)}", arguments.place)
    doc = get_attribute(run, inner, "__doc__", arguments.place)
    if isinstance(doc, VersionedText):
        return on_both(run, arguments._replace(positional=(doc,)), inspect.cleandoc)
    if (text := doc.text) is not None:
        run.budget.read(WRITTEN_IN_PYTHON * len(text))
        return const(inspect.cleandoc(text), Origin("inspect.getdoc()", arguments.place, doc.sources))
    inherits = isinstance(inner, ClassValue) or (isinstance(inner, FunctionValue) and inner.owner is not None)
    if isinstance(doc, Const) and inherits:
        return reasons.unknown(reasons.UNSUPPORTED, f"{describe(inner)} may inherit its docstring", arguments.place)
    return doc


def _question(answer: Callable[[Value], bool | None], name: str) -> Callable[[Interpreter, Arguments], Value]:
    def ask(run: Interpreter, arguments: Arguments) -> Value:
        value = first_argument(run, arguments)
        unknown = first_unknown(value)
        if unknown is not None:
            return unknown
        known = answer(value)
        if known is None:
            return reasons.unknown(reasons.UNSUPPORTED, f"{name}() of {describe(value)}", arguments.place)
        return TRUE if known else FALSE

    return ask


def _is_coroutine_function(value: Value) -> bool | None:
    inner = value.unbound
    if isinstance(inner, FunctionValue):
        return inner.asynchronous and not inner.generator
    return False if isinstance(inner, (Const, ClassValue, DictValue)) else None


def _is_function(value: Value) -> bool | None:
    if isinstance(value, FunctionValue):
        return value.kind != "property"
    return None if isinstance(value, External) else False


def _is_routine(value: Value) -> bool | None:
    return True if _is_function(value) or _is_method(value) else _is_function(value)


def _is_class(value: Value) -> bool | None:
    if isinstance(value, External):
        return None
    return isinstance(value, ClassValue) or value.outer_name in ("str", "int", "dict", "list")


def _is_method(value: Value) -> bool | None:
    if isinstance(value, BoundMethod):
        return isinstance(value.function, FunctionValue)
    return None if isinstance(value, External) else False


FUNCTIONS: dict[str, Callable[[Interpreter, Arguments], Value]] = {
    "inspect.signature": signature,
    **made_signatures.FUNCTIONS,
    "inspect.getdoc": getdoc,
    "inspect.iscoroutinefunction": _question(_is_coroutine_function, "iscoroutinefunction"),
    "asyncio.iscoroutinefunction": _question(_is_coroutine_function, "iscoroutinefunction"),
    "inspect.isfunction": _question(_is_function, "isfunction"),
    "inspect.isroutine": _question(_is_routine, "isroutine"),
    "inspect.isclass": _question(_is_class, "isclass"),
    "inspect.ismethod": _question(_is_method, "ismethod"),
    "typing.get_type_hints": get_type_hints,
    "typing_extensions.get_type_hints": get_type_hints,
}
NAMES: dict[str, Value] = {
    **dict.fromkeys(("inspect._empty", "inspect.Parameter.empty", "inspect.Signature.empty"), EMPTY),
    **{f"inspect.Parameter.{name}": value for name, value in KINDS.items()},
}
