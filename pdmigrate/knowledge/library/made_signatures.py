"""``inspect.Parameter(...)`` and ``inspect.Signature(...)``: signatures that a program makes itself."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.known_objects import KnownObject, known_object
from pdmigrate.evaluate.core.natives import native, settled, unfit
from pdmigrate.evaluate.core.operations import spread
from pdmigrate.evaluate.core.python_values import NotPlain, describe
from pdmigrate.evaluate.core.values import (
    NONE,
    Arguments,
    DictValue,
    Entry,
    External,
    Origin,
    Value,
    ViewValue,
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
    """A signature of these parameters, a dict by name, which the program sees through a read-only proxy."""
    shown = ViewValue(parameters, "mapping", origin=parameters.origin)
    attributes: dict[str, Value] = {"parameters": shown, "return_annotation": returned, "empty": EMPTY}
    made = KnownObject(SIGNATURE, attributes, {}, origin=origin)
    made.methods["replace"] = partial(_replace_signature, made)
    return made


@native(PARAMETER)
def _make_parameter(run: Interpreter, arguments: Arguments) -> Value:
    """``inspect.Parameter(name, kind, *, default, annotation)``"""
    given = _given(run, arguments, _PARTS, 2)
    if "name" not in given or "kind" not in given:
        raise run.failure("TypeError", "inspect.Parameter() takes a name and a kind")
    return _accepted(run, {"default": EMPTY, "annotation": EMPTY, **given})


@native(SIGNATURE)
def _make_signature(run: Interpreter, arguments: Arguments) -> Value:
    """``inspect.Signature(parameters, *, return_annotation)``"""
    given = _given(run, arguments, ("parameters", "return_annotation"), 1)
    mapping = _by_name(run, given.get("parameters", NONE), arguments)
    return signature_object(mapping, given.get("return_annotation", EMPTY), Origin("a signature", arguments.place))


def _replace_parameter(old: KnownObject, run: Interpreter, arguments: Arguments) -> Value:
    """``parameter.replace(...)``"""
    given = _given(run, arguments, _PARTS, 0)
    return _accepted(run, {**{name: old.attributes[name] for name in _PARTS}, **given}, old.origin)


def _replace_signature(old: KnownObject, run: Interpreter, arguments: Arguments) -> Value:
    """``signature.replace(...)``"""
    given = _given(run, arguments, ("parameters", "return_annotation"), 0)
    mapping = _by_name(run, given["parameters"], arguments) if "parameters" in given else parameters_of(old)
    return signature_object(mapping, given.get("return_annotation", old.attributes["return_annotation"]), old.origin)


def _given(run: Interpreter, arguments: Arguments, names: Sequence[str], positional: int) -> dict[str, Value]:
    """The arguments by name, the first ``positional`` of which may be positional.

    Raises:
        NotPlain: a keyword is not expected.
    """
    found = arguments.by_name(names[:positional])
    odd = found.keys() - set(names)
    if odd:
        raise NotPlain(reasons.unknown(reasons.UNSUPPORTED, f"{min(odd)}= of a signature", arguments.place))
    if len(arguments.positional) > positional:
        raise run.failure("TypeError", "too many positional arguments")
    return found


def _accepted(run: Interpreter, parts: dict[str, Value], origin: Origin | None = None) -> Value:
    """A parameter of these parts, unknown if its name or kind is; an invalid name raises in the program."""
    made = parameter(parts, origin)
    name, kind = settled(parts["name"]), settled(parts["kind"])
    if (text := name.text) is None or kind_of(made) is None:
        raise unfit(kind, f"{describe(name)} as the name of a parameter")
    if not text.isidentifier() or keyword.iskeyword(text):
        raise run.failure("ValueError", f"{text!r} is not a valid parameter name")
    return made


def parameters_of(made: KnownObject) -> DictValue:
    """The parameters of a signature by name.

    Raises:
        NotPlain: they are not known: code that was not followed may have set them.
    """
    shown = settled(made.attributes["parameters"])
    if (mapping := shown.mapping) is None or not mapping.exact:
        raise unfit(shown, "the parameters of a signature")
    return mapping


def kind_of(made: KnownObject) -> str | None:
    """The kind of a parameter as ``inspect`` names it (``KEYWORD_ONLY``); ``None`` if it is not known."""
    kind = made.attributes["kind"]
    name = kind.library_name.rpartition(".")[2]
    return name if name in KINDS else None


def _by_name(run: Interpreter, value: Value, arguments: Arguments) -> DictValue:
    """Parameters as a dict by name; an order that Python refuses raises in the program."""
    mapping = DictValue(origin=Origin("the parameters of a signature", arguments.place))
    if value.is_just(None):
        return mapping
    elements = spread(run, value, arguments.place)
    if elements.uncertain is not None:
        raise NotPlain(elements.uncertain)
    made = []
    for item in elements.items:
        if (found := known_object(item, PARAMETER)) is None:
            raise unfit(item, f"{describe(item)} as a parameter", arguments.place)
        if kind_of(found) is None or found.attributes["name"].text is None:
            raise unfit(found.attributes["kind"], "a parameter that may have been changed", arguments.place)
        made.append(found)
    if not _fits(made):
        raise run.failure("ValueError", "wrong order of parameters, or one name twice")
    for found in made:
        name = found.attributes["name"].text
        mapping.entries[name] = Entry(const(name), found)
    return mapping


def _fits(made: list[KnownObject]) -> bool:
    """Whether kinds are in order, names differ, and no default comes before a required positional parameter."""
    kinds = [_ORDER.index(str(kind_of(item))) for item in made]
    names = [item.attributes["name"].text for item in made]
    early = [item.attributes["default"] is not EMPTY for item, kind in zip(made, kinds, strict=True) if kind < 2]
    return kinds == sorted(kinds) and len(set(names)) == len(names) and early == sorted(early)
