"""``inspect.Parameter(...)`` and ``inspect.Signature(...)``: signatures that a program makes itself."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.known_objects import KnownObject
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    DictValue,
    Entry,
    External,
    Origin,
    UnknownValue,
    Value,
    const,
)

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter

SIGNATURE = "inspect.Signature"
PARAMETER = "inspect.Parameter"
EMPTY = External("inspect._empty")
_ORDER = ("POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL", "KEYWORD_ONLY", "VAR_KEYWORD")
KINDS: dict[str, Value] = {name: External(f"inspect.Parameter.{name}") for name in _ORDER}
_PARTS = ("name", "kind", "default", "annotation")
_CONSTANTS = {"empty": EMPTY, **KINDS}


# --- making them ------------------------------------------------------------------------------------------------------


def parameter(parts: Mapping[str, Value], origin: Origin | None = None, text: Value | None = None) -> KnownObject:
    """A parameter with this ``name``, ``kind``, ``default`` and ``annotation``; ``text`` is its ``str()``."""
    text = text or reasons.unknown(reasons.UNSUPPORTED, "a parameter as text")
    made = KnownObject(PARAMETER, {**parts, **_CONSTANTS}, {}, payload=text, origin=origin)
    made.methods["replace"] = partial(_replace_parameter, made)
    return made


def signature_object(parameters: DictValue, returned: Value, origin: Origin | None = None) -> KnownObject:
    """A signature of these parameters, a dict by name."""
    attributes: dict[str, Value] = {"parameters": parameters, "return_annotation": returned, "empty": EMPTY}
    made = KnownObject(SIGNATURE, attributes, {}, origin=origin)
    made.methods["replace"] = partial(_replace_signature, made)
    return made


def make_parameter(run: Interpreter, arguments: Arguments) -> Value:
    """``inspect.Parameter(name, kind, *, default, annotation)``"""
    given = _given(arguments, ("name", "kind"), ("default", "annotation"))
    if isinstance(given, UnknownValue):
        return given
    if "name" not in given or "kind" not in given or len(arguments.positional) > len(("name", "kind")):
        raise run.failure("TypeError", "inspect.Parameter() takes a name and a kind")
    return _accepted(run, {"default": EMPTY, "annotation": EMPTY, **given})


def make_signature(run: Interpreter, arguments: Arguments) -> Value:
    """``inspect.Signature(parameters, *, return_annotation)``"""
    given = _given(arguments, ("parameters",), ("return_annotation",))
    if isinstance(given, UnknownValue):
        return given
    mapping = _by_name(run, given.get("parameters", NONE), arguments)
    if isinstance(mapping, UnknownValue):
        return mapping
    return signature_object(mapping, given.get("return_annotation", EMPTY), Origin("a signature", arguments.place))


def _replace_parameter(old: KnownObject, run: Interpreter, arguments: Arguments) -> Value:
    """``parameter.replace(...)``"""
    given = _given(arguments, (), _PARTS)
    if isinstance(given, UnknownValue):
        return given
    if arguments.positional:
        raise run.failure("TypeError", "replace() takes keywords only")
    return _accepted(run, {**{name: old.attributes[name] for name in _PARTS}, **given}, old.origin)


def _replace_signature(old: KnownObject, run: Interpreter, arguments: Arguments) -> Value:
    """``signature.replace(...)``"""
    given = _given(arguments, (), ("parameters", "return_annotation"))
    if isinstance(given, UnknownValue):
        return given
    if arguments.positional:
        raise run.failure("TypeError", "replace() takes keywords only")
    kept = old.attributes["parameters"]
    mapping = _by_name(run, given["parameters"], arguments) if "parameters" in given else kept
    if not isinstance(mapping, DictValue):
        return mapping
    returned = given.get("return_annotation", old.attributes["return_annotation"])
    return signature_object(mapping, returned, old.origin)


def _given(arguments: Arguments, positional: Sequence[str], keywords: Sequence[str]) -> dict[str, Value] | UnknownValue:
    """The arguments by name; an unknown value if some could not be followed, or if a keyword is not expected."""
    if arguments.unknown is not None:
        return arguments.unknown
    found = arguments.by_name(positional)
    odd = found.keys() - {*positional, *keywords}
    if odd:
        return reasons.unknown(reasons.UNSUPPORTED, f"{min(odd)}= of a signature", arguments.place)
    return found


def _accepted(run: Interpreter, parts: dict[str, Value], origin: Origin | None = None) -> Value:
    """A parameter of these parts, unknown if its name or kind is; an invalid name raises in the program."""
    made = parameter(parts, origin)
    name, unknown = parts["name"], first_unknown(parts["name"], parts["kind"])
    if unknown is not None:
        return unknown
    if (text := name.text) is None or kind_of(made) is None:
        return reasons.unknown(reasons.UNSUPPORTED, f"{describe(name)} as the name of a parameter")
    if not text.isidentifier() or keyword.iskeyword(text):
        raise run.failure("ValueError", f"{text!r} is not a valid parameter name")
    return made


def kind_of(made: KnownObject) -> str | None:
    """The kind of a parameter as ``inspect`` names it (``KEYWORD_ONLY``); ``None`` if it is not known."""
    kind = made.attributes["kind"]
    name = kind.library_name.rpartition(".")[2]
    return name if name in KINDS else None


def _by_name(run: Interpreter, value: Value, arguments: Arguments) -> DictValue | UnknownValue:
    """Parameters as a dict by name; an order that Python refuses raises in the program."""
    mapping = DictValue(origin=Origin("the parameters of a signature", arguments.place))
    if value.is_just(None):
        return mapping
    elements = spread(run, value, arguments.place)
    if elements.uncertain is not None:
        return elements.uncertain
    made = []
    for item in elements.items:
        unknown = first_unknown(item)
        if unknown is not None:
            return unknown
        if not isinstance(item, KnownObject) or item.kind != PARAMETER:
            return reasons.unknown(reasons.UNSUPPORTED, f"{describe(item)} as a parameter", arguments.place)
        made.append(item)
    if not _fits(made):
        raise run.failure("ValueError", "wrong order of parameters, or one name twice")
    for item in made:
        name = item.attributes["name"].text
        mapping.entries[name] = Entry(const(name), item)
    return mapping


def _fits(made: list[KnownObject]) -> bool:
    """Whether kinds are in order, names differ, and no default comes before a required positional parameter."""
    kinds = [_ORDER.index(str(kind_of(item))) for item in made]
    names = [item.attributes["name"].text for item in made]
    early = [item.attributes["default"] is not EMPTY for item, kind in zip(made, kinds, strict=True) if kind < 2]
    return kinds == sorted(kinds) and len(set(names)) == len(names) and early == sorted(early)


FUNCTIONS: dict[str, Callable[[Interpreter, Arguments], Value]] = {
    PARAMETER: make_parameter,
    SIGNATURE: make_signature,
}
