"""Built-in functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.builtin.builtin_iteration import ITERATION
from pdmigrate.evaluate.builtin.builtin_reflection import REFLECTION
from pdmigrate.evaluate.core import arity, reasons
from pdmigrate.evaluate.core.aliasing import first_unknown
from pdmigrate.evaluate.core.natives import BUILTINS, Function, call_origin, first_argument, plain_function
from pdmigrate.evaluate.core.operations import length, truth
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import (
    NONE,
    SESSION,
    Arguments,
    ClassValue,
    Executing,
    External,
    FunctionValue,
    Instance,
    Native,
    PathValue,
    Super,
    UnknownValue,
    Value,
    const,
    is_sdk,
)
from pdmigrate.evaluate.language.text import representation, text_of
from pdmigrate.evaluate.library.importlib import executed, import_top
from pdmigrate.evaluate.library.pathlib import open_file, path_text

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


def _len(run: Interpreter, arguments: Arguments) -> Value:
    value = first_argument(run, arguments)
    unknown = first_unknown(value)
    if unknown is not None:
        return unknown
    size = length(run, value, arguments.place)
    return size if isinstance(size, Value) else const(size, call_origin("len", arguments))


def _str(run: Interpreter, arguments: Arguments) -> Value:
    if len(arguments.positional) > 1 or arguments.keywords:
        return plain_function("str", str)(run, arguments)
    value = arguments.positional[0] if arguments.positional else const("")
    text = text_of(run, value)
    return path_text(value, text) if isinstance(value, PathValue) else text


def _repr(run: Interpreter, arguments: Arguments) -> Value:
    return representation(run, first_argument(run, arguments))


def _bool(run: Interpreter, arguments: Arguments) -> Value:
    known = truth(run, arguments.positional[0]) if arguments.positional else False
    return known if isinstance(known, UnknownValue) else const(known, call_origin("bool", arguments))


def _int(run: Interpreter, arguments: Arguments) -> Value:
    value = arguments.positional[0] if arguments.positional else const(0)
    if len(value.text or "") > 1_000:
        return reasons.unknown(reasons.BUDGET, "the number is too long", arguments.place)
    return plain_function("int", int)(run, arguments)


def _bytes(run: Interpreter, arguments: Arguments) -> Value:
    size = (arguments.positional[0] if arguments.positional else NONE).number
    if size is not None:
        run.budget.text(size)
    return plain_function("bytes", bytes)(run, arguments)


def _round(run: Interpreter, arguments: Arguments) -> Value:
    digits = (arguments.positional[1] if len(arguments.positional) > 1 else NONE).number
    if digits is not None and abs(digits) > 1_000:
        return reasons.unknown(reasons.BUDGET, "the number is too long", arguments.place)
    return plain_function("round", round)(run, arguments)


def _print(_run: Interpreter, _arguments: Arguments) -> Value:
    return NONE


def _super(run: Interpreter, arguments: Arguments) -> Value:
    cls, receiver = first_argument(run, arguments), first_argument(run, arguments, 1)
    if isinstance(cls, ClassValue):
        return Super(cls, receiver)
    return reasons.unknown(reasons.UNSUPPORTED, "super() with these arguments", arguments.place)


def _object(_run: Interpreter, arguments: Arguments) -> Value:
    return Instance(cls=_OBJECT, origin=call_origin("object", arguments))


_OBJECT = ClassValue(name="object")
_OBJECT.mro = (_OBJECT,)


def _dir(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.UNSUPPORTED, "dir() lists names", arguments.place)


def _volatile(name: str) -> Function:
    def call(_run: Interpreter, arguments: Arguments) -> Value:
        return reasons.unknown(reasons.VOLATILE, f"{name}() differs from run to run", arguments.place)

    return call


def _identity(run: Interpreter, arguments: Arguments) -> Value:
    """``id(x)``: 1 for a session, since ``by_hand.py`` makes only one; unknown for any other object."""
    value = first_argument(run, arguments)
    return const(1) if is_sdk(value, SESSION) else _volatile("id")(run, arguments)


def _input(_run: Interpreter, arguments: Arguments) -> Value:
    return reasons.unknown(reasons.INPUT_OUTPUT, "input() reads from the terminal", arguments.place)


def _as_kind(kind: str) -> Function:
    def call(run: Interpreter, arguments: Arguments) -> Value:
        function = first_argument(run, arguments)
        if isinstance(function, FunctionValue):
            return replace(function, kind=kind)
        return reasons.unknown(reasons.UNSUPPORTED, f"a {kind} of {describe(function)}", arguments.place)

    return call


_SCALAR: dict[str, Function] = {
    "len": _len,
    "str": _str,
    "repr": _repr,
    "bool": _bool,
    "int": _int,
    "float": plain_function("float", float),
    "bytes": _bytes,
    "abs": plain_function("abs", abs),
    "round": _round,
    "divmod": plain_function("divmod", divmod),
    "ord": plain_function("ord", ord),
    "chr": plain_function("chr", chr),
    "hex": plain_function("hex", hex),
    "oct": plain_function("oct", oct),
    "bin": plain_function("bin", bin),
    "ascii": plain_function("ascii", ascii),
    "open": open_file,
    "print": _print,
    "super": _super,
    "object": _object,
    "dir": _dir,
    "id": _identity,
    "hash": _volatile("hash"),
    "input": _input,
    "__import__": import_top,
}


BUILTINS.update(
    {
        name: Native(name, function)
        for name, function in arity.counted(
            {**_SCALAR, **ITERATION, **REFLECTION}, arity.FUNCTIONS, methods=False
        ).items()
    }
)
BUILTINS["property"] = Native("property", _as_kind("property"))
BUILTINS["staticmethod"] = Native("staticmethod", _as_kind("static"))
BUILTINS["classmethod"] = Native("classmethod", _as_kind("class"))
BUILTINS["exec"] = Executing("exec", executed("exec"))
BUILTINS["eval"] = Executing("eval", executed("eval"))
BUILTINS["NotImplemented"] = External("builtins.NotImplemented")
