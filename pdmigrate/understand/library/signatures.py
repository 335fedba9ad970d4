"""Signatures, annotations and types, as ``inspect`` and ``typing`` show them to the program."""

from __future__ import annotations

import ast
from dataclasses import replace

from pdmigrate.understand.demand.attributes import FUNCTION_ATTRIBUTES
from pdmigrate.understand.demand.containers import elements
from pdmigrate.understand.demand.functions import TEXT_FORMS, text_form
from pdmigrate.understand.demand.later import is_text, module_scope
from pdmigrate.understand.demand.operators import equal, truth
from pdmigrate.understand.demand.run import ATTRIBUTES, CONSTANTS, SETTERS, RaisedError, Run
from pdmigrate.understand.library.calling import library
from pdmigrate.understand.types.functions import ANNOTATIONS, EMPTY, given_signature, seen_of
from pdmigrate.understand.values.calls import Arguments, BoundMethod, Native
from pdmigrate.understand.values.containers import DictValue
from pdmigrate.understand.values.core import FALSE, MUTATED, NONE, Const, TupleValue, Unknown, Value
from pdmigrate.understand.values.joining import certain
from pdmigrate.understand.values.objects import ClassValue, FunctionValue, SdkObject, describe, key_of, text_of
from pdmigrate.understand.values.outside import External, Subscripted, UnionType, external_name

for _name in ("inspect.Parameter.empty", "inspect.Signature.empty"):
    CONSTANTS[_name] = lambda _run: EMPTY


def _annotation(run: Run, function: FunctionValue, node: ast.expr | None, *, resolved: bool) -> Value | None:
    if node is None:
        return None
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
    late = is_text(function.module, node)
    if late and not resolved:
        return Const(ast.unparse(node) if text is None else text)
    if node in function.hints:
        return function.hints[node]
    try:
        written = ast.parse(text, mode="eval").body if text is not None else node
        return run.evaluate(written, module_scope(function.scope) if late else function.scope)
    except (RaisedError, SyntaxError):
        return run.unsettled("an annotation that is not known")


_PARTS = ("name", "kind", "default", "annotation")


class Described(SdkObject):
    """A signature or a parameter: ``data`` holds its parts; it can be copied, but not changed."""


def _piece(run: Run, value: Described, name: str) -> Value:
    if name in value.data:
        return value.data[name]
    if name == "replace":
        make = _made_parameter if value.type == PARAMETER else _made_signature
        data = value.data
        return Native(name, lambda run, given: make(run, Arguments([], {**data, **given.keywords}, given.unknown)))
    return run.attribute(External(value.type), name)


PARAMETER, SIGNATURE = "inspect.Parameter", "inspect.Signature"


@library(PARAMETER)
def _made_parameter(run: Run, arguments: Arguments) -> Value:
    given = {"default": EMPTY, "annotation": EMPTY, **arguments.named(_PARTS[:2])}
    if arguments.unknown is not None or not given.keys() >= {"name", "kind"}:
        return run.risky("a parameter without a name and a kind", arguments.unknown)
    return Described(PARAMETER, {name: given[name] for name in _PARTS})


@library(SIGNATURE)
def _made_signature(run: Run, arguments: Arguments) -> Value:
    given = arguments.named(("parameters",))
    parameters = given.get("parameters", NONE)
    items, more = ([], None) if parameters == NONE else elements(run, parameters)
    if isinstance(parameters, DictValue):
        items = parameters.held
    made: dict[str, Value] = {}
    for item in items:
        name = text_of(item.data["name"]) if isinstance(item, Described) else None
        if name is None or name in made:
            more = more or run.because("a parameter that is not known", item)
        else:
            made[name] = item
    found = DictValue.of(made, more or arguments.unknown)
    return Described(SIGNATURE, {"parameters": found, "return_annotation": given.get("return_annotation", EMPTY)})


@library("inspect.signature")
def _signature(run: Run, arguments: Arguments) -> Value:
    value = arguments.first
    inner = value.function if isinstance(value, BoundMethod) else value
    set_by = given_signature(inner) if isinstance(inner, FunctionValue) else None
    if set_by is not None and inner is value:
        return certain(set_by)
    found, evaluated = seen_of(value), _is_evaluated(run, arguments)
    if isinstance(found, Unknown) or evaluated is None:
        return run.risky("a signature with these options", found)
    function, bound = found
    made: dict[str, Value] = {}
    for item, kind, default in [*function.parameters()][1 if bound else 0 :]:
        annotation = _annotation(run, function, item.annotation, resolved=evaluated) or EMPTY
        parts = (Const(item.arg), External(f"{PARAMETER}.{kind}"), default or EMPTY, annotation)
        made[item.arg] = Described(PARAMETER, dict(zip(_PARTS, parts, strict=True)))
    returns = _annotation(run, function, function.returns, resolved=evaluated) or EMPTY
    return Described(SIGNATURE, {"parameters": DictValue.of(made), "return_annotation": returns})


def _is_evaluated(run: Run, arguments: Arguments) -> bool | None:
    """Whether ``eval_str`` asks for the types that texts name; ``None`` if that, or another option, is not known."""
    given = arguments.named(("obj",))
    asked = given.pop("eval_str", FALSE)
    return truth(run, asked) if len(given) == 1 and arguments.unknown is None else None


def _text(run: Run, value: Described) -> Value:
    """``str(parameter)``: ``limit: int = 5``"""
    name, kind, default, annotation = (value.data.get(part, EMPTY) for part in _PARTS)
    shown = repr(annotation.value) if isinstance(annotation, Const) else _type_text(annotation)
    written = NONE if default == EMPTY else text_form(run, default, as_repr=True)
    if value.type != PARAMETER or (shown is None and annotation != EMPTY) or not isinstance(written, Const):
        return run.risky("a signature as text", annotation, written)
    made = {"VAR_POSITIONAL": "*", "VAR_KEYWORD": "**"}.get(external_name(kind).rpartition(".")[2], "")
    made += f"{text_of(name)}" if annotation == EMPTY else f"{text_of(name)}: {shown}"
    if default != EMPTY:
        made += f"{' = ' if annotation != EMPTY else '='}{written.value}"
    return Const(made)


def _type_text(annotation: Value) -> str | None:
    """How ``inspect`` shows a type; ``None`` if that may differ between versions of Python."""
    if not isinstance(annotation, Subscripted):
        name = external_name(annotation)
        return name[9:] if name.startswith("builtins.") else None
    plain = [repr(item.value) for item in annotation.args if isinstance(item, Const)]
    whole = _is_literal(annotation) and len(plain) == len(annotation.args)
    return f"Literal[{', '.join(plain)}]" if whole else None


def _hints(run: Run, value: Value, *, resolved: bool = False) -> Value:
    if isinstance(found := seen_of(value), Unknown):
        return run.risky("", found)
    function = found[0]
    nodes = {**{item.arg: item.annotation for item, _, _ in function.parameters()}, "return": function.returns}
    shown = {name: _annotation(run, function, node, resolved=resolved) for name, node in nodes.items()}
    return DictValue.of({name: hint for name, hint in shown.items() if hint is not None})


def _own_annotations(run: Run, value: FunctionValue) -> Value:
    """``function.__annotations__``: one object each time, which the program may change."""
    known = run.memory.get((ANNOTATIONS, value.original))
    made = known[0] if known is not None else _hints(run, value)
    if isinstance(made, DictValue) and known is None:
        run.memory[ANNOTATIONS, value.original] = (made, dict(made.data))
    return made


def _refuse(run: Run, value: Described, name: str, _new: Value) -> None:
    raise RaisedError("builtins.AttributeError", f"{name} of {value.type} cannot be set", run.site())


@library("typing.get_type_hints", "typing_extensions.get_type_hints")
def _type_hints(run: Run, arguments: Arguments) -> Value:
    """Without ``include_extras`` the metadata of ``Annotated`` are left out, at any depth."""
    hints = _hints(run, arguments.first, resolved=True)
    extras = truth(run, arguments.get(3, "include_extras") or FALSE)
    if extras is True or not isinstance(hints, DictValue):
        return hints
    kinds = {text_of(key) or "": NONE_TYPE if item == NONE else item for key, item in hints.entries()}
    bare = DictValue.of({name: _without_extras(item) for name, item in kinds.items()})
    return bare if extras is False or equal(bare, hints) else run.unsettled("whether metadata of types are included")


def _without_extras(hint: Value) -> Value:
    if isinstance(hint, UnionType):
        return replace(hint, options=tuple(map(_without_extras, hint.options)))
    if not isinstance(hint, Subscripted):
        return hint
    args = tuple(map(_without_extras, hint.args))
    return args[0] if external_name(hint.base).endswith(".Annotated") else replace(hint, args=args)


ATTRIBUTES[Described] = _piece
SETTERS[Described] = _refuse
TEXT_FORMS[Described] = _text


def _own_defaults(run: Run, value: FunctionValue) -> Value:
    """``function.__kwdefaults__``: a dict that the program may change, which shows in the signature."""
    run.set_attribute(value, "__kwdefaults__", why := run.unsettled("the defaults of a function are used", MUTATED))
    return why


FUNCTION_ATTRIBUTES[ANNOTATIONS] = _own_annotations
FUNCTION_ATTRIBUTES["__kwdefaults__"] = _own_defaults


def _is_literal(kind: Value) -> bool:
    return external_name(kind) in ("typing.Literal", "typing_extensions.Literal")


# --- the parts of a type with arguments -------------------------------------------------------------------------------


NONE_TYPE = External("builtins.NoneType")
_ORIGINS = {
    **{form: f"builtins.{form.lower()}" for form in ("List", "Dict", "Set", "FrozenSet", "Tuple", "Type")},
    **{form: f"builtins.{form}" for form in ("list", "dict", "set", "frozenset", "tuple", "type")},
    **{form: f"collections.abc.{form}" for form in ("Sequence", "Mapping", "Iterable", "Iterator", "Collection")},
    "Union": "typing.Union",
    "Optional": "typing.Union",
    "Literal": "typing.Literal",
}
_WITHOUT = frozenset(
    {"list", "dict", "set", "tuple", "str", "int", "float", "bool", "bytes", "object", "Any", "NoneType"}
)
"""Types that have no origin as they stand."""


def _form(value: Value) -> str:
    """The name of what a type is made of, without ``typing`` or ``builtins``; empty if it is none of theirs."""
    module, _, name = external_name(value).rpartition(".")
    return name if module in ("typing", "typing_extensions", "builtins", "collections.abc") else ""


@library("typing.get_origin", "typing_extensions.get_origin")
def _origin(run: Run, arguments: Arguments) -> Value:
    kind = arguments.first
    if isinstance(kind, UnionType):
        return External("types.UnionType")  # one object with typing.Union from Python 3.14 on
    if isinstance(kind, Subscripted) and _form(kind) in _ORIGINS:
        return External(_ORIGINS[_form(kind)])
    plain = isinstance(kind, (ClassValue, Const)) or (isinstance(kind, External) and _form(kind) in _WITHOUT)
    return NONE if plain else run.risky(f"the origin of the type {describe(kind)}", kind)


@library("typing.get_args", "typing_extensions.get_args")
def _args(run: Run, arguments: Arguments) -> Value:
    kind, origin = arguments.first, _origin(run, arguments)
    if isinstance(origin, Unknown):
        return origin
    found = kind.options if isinstance(kind, UnionType) else kind.args if isinstance(kind, Subscripted) else ()
    known = True
    if _is_literal(kind):
        keys = [key_of(item) for item in found]
        known = None not in keys and len(set(keys)) == len(keys)
    else:
        found = tuple(NONE_TYPE if item == NONE else item for item in (*found, *([NONE] * (_form(kind) == "Optional"))))
    if isinstance(kind, UnionType) or _form(kind) in ("Union", "Optional"):  # Python may flatten it, or drop one
        plain = [item for item in found if isinstance(item, (External, ClassValue))]
        others = [_form(item) for item in found if isinstance(item, Subscripted)]
        whole = len(plain) + len(others) == len(found) and len(others) < 2 and not {"Union", "Optional"} & {*others}
        known = whole and len(set(plain)) == len(plain) > 0
    return TupleValue(found) if known else run.risky(f"the parts of the type {describe(kind)}", kind)
