"""Built-in functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.arity import ONE, Arity, functions
from pdmigrate.evaluate.core.natives import (
    BUILTINS,
    Function,
    call_origin,
    first_argument,
    known,
    plain_function,
    settled,
)
from pdmigrate.evaluate.core.operations import length, truth
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    SESSION,
    Arguments,
    ClassValue,
    Executing,
    External,
    Instance,
    Native,
    PathValue,
    Super,
    Value,
    const,
    is_sdk,
    now,
)
from pdmigrate.evaluate.language.properties import property_of
from pdmigrate.evaluate.language.text import representation, text_of
from pdmigrate.knowledge.builtin.builtin_iteration import ITERATION
from pdmigrate.knowledge.builtin.builtin_reflection import REFLECTION
from pdmigrate.knowledge.library.importlib import executed, import_top
from pdmigrate.knowledge.library.pathlib import open_file, path_text

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _len(run: Interpreter, arguments: Arguments) -> Value:
    size = length(run, settled(first_argument(run, arguments)), arguments.place)
    return size if isinstance(size, Value) else const(size, call_origin("len", arguments))


def _str(run: Interpreter, arguments: Arguments) -> Value:
    if len(arguments.positional) > 1 or arguments.keywords:
        return plain_function("str", str)(run, arguments)
    value = arguments.at(0, const(""))
    text = text_of(run, value)
    return path_text(value, text) if isinstance(value, PathValue) else text


def _repr(run: Interpreter, arguments: Arguments) -> Value:
    return representation(run, arguments.first)


def _bool(run: Interpreter, arguments: Arguments) -> Value:
    return const(known(truth(run, arguments.first)), call_origin("bool", arguments))


def _int(run: Interpreter, arguments: Arguments) -> Value:
    if len(arguments.first.text or "") > 1_000:
        return reasons.unknown(reasons.BUDGET, "the number is too long", arguments.place)
    return plain_function("int", int)(run, arguments)


def _bytes(run: Interpreter, arguments: Arguments) -> Value:
    run.budget.text(arguments.first.number or 0)
    return plain_function("bytes", bytes)(run, arguments)


def _round(run: Interpreter, arguments: Arguments) -> Value:
    if abs(arguments.at(1).number or 0) > 1_000:
        return reasons.unknown(reasons.BUDGET, "the number is too long", arguments.place)
    return plain_function("round", round)(run, arguments)


def _super(run: Interpreter, arguments: Arguments) -> Value:
    cls, receiver = first_argument(run, arguments).as_class, first_argument(run, arguments, 1)
    if cls is not None:
        return Super(cls, receiver)
    return reasons.unknown(reasons.UNSUPPORTED, "super() with these arguments", arguments.place)


def _object(_run: Interpreter, arguments: Arguments) -> Value:
    return Instance(cls=_OBJECT, origin=call_origin("object", arguments))


_OBJECT = ClassValue(name="object")
_OBJECT.mro = (_OBJECT,)


def _never_known(code: str, reason: str) -> Function:
    return lambda _run, arguments: reasons.unknown(code, reason, arguments.place)


_any_identity = _never_known(reasons.VOLATILE, "id() differs from run to run")


def _identity(run: Interpreter, arguments: Arguments) -> Value:
    """``id(x)``: 1 for a session, since ``by_hand.py`` makes only one; unknown for any other object."""
    return const(1) if is_sdk(first_argument(run, arguments), SESSION) else _any_identity(run, arguments)


def _as_kind(kind: str) -> Function:
    def call(run: Interpreter, arguments: Arguments) -> Value:
        given = first_argument(run, arguments)
        if (function := given.as_function) is not None:
            return replace(function, kind=kind, names=dict(function.names), serial=now())
        return reasons.unknown(reasons.UNSUPPORTED, f"a {kind} of {describe(given)}", arguments.place)

    return call


def _property(_run: Interpreter, arguments: Arguments) -> Value:
    """``property(fget, fset, fdel, doc)``"""
    getter = (arguments.given(0, "fget") or NONE).as_function
    if getter is None:
        return reasons.unknown(reasons.UNSUPPORTED, "a property without a getter that is followed", arguments.place)
    given = {name: arguments.given(index, name) or NONE for index, name in ((1, "fset"), (2, "fdel"))}
    return property_of(getter, given)


_PLAIN: tuple[Callable[..., Any], ...] = (float, abs, divmod, ord, chr, hex, oct, bin, ascii)
"""Functions of plain values: the real ones are called."""
_FUNCTIONS: dict[str, Function] = {
    **ITERATION,
    **REFLECTION,
    **functions({"len": (_len, ONE), "bool": (_bool, Arity(0, 1)), "repr": (_repr, ONE)}),
    "str": _str,
    "int": _int,
    "bytes": _bytes,
    "round": _round,
    **{plain.__name__: plain_function(plain.__name__, plain) for plain in _PLAIN},
    "open": open_file,
    "print": lambda _run, _arguments: NONE,
    "super": _super,
    "object": _object,
    "dir": _never_known(reasons.UNSUPPORTED, "dir() lists names"),
    "id": _identity,
    "hash": _never_known(reasons.VOLATILE, "hash() differs from run to run"),
    "input": _never_known(reasons.INPUT_OUTPUT, "input() reads from the terminal"),
    "__import__": import_top,
    "property": _property,
    "staticmethod": _as_kind("static"),
    "classmethod": _as_kind("class"),
}
BUILTINS.update({name: Native(name, function) for name, function in _FUNCTIONS.items()})
BUILTINS["exec"] = Executing("exec", executed("exec"))
BUILTINS["eval"] = Executing("eval", executed("eval"))
BUILTINS["NotImplemented"] = External("builtins.NotImplemented")
