"""Methods of texts and numbers: pure functions of plain values."""

from __future__ import annotations

import codecs
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from pdmigrate.evaluate.core import reasons
from pdmigrate.evaluate.core.budget import LARGEST_TEXT
from pdmigrate.evaluate.core.docstrings import VersionedText, on_both
from pdmigrate.evaluate.core.natives import Function, settled
from pdmigrate.evaluate.core.operations import ATTRIBUTES, METHODS, spread
from pdmigrate.evaluate.core.python_values import NotPlain, from_python, to_python
from pdmigrate.evaluate.core.values import (
    Arguments,
    BoundMethod,
    Const,
    Native,
    Origin,
    Place,
    Value,
    const,
)
from pdmigrate.evaluate.language.formatting import format_text

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


TEXT_METHODS = frozenset(name for name in dir(str) if name[0] != "_") - {"format_map", "maketrans"}
"""Methods of ``str`` that are called on known texts: they do the same in every supported Python."""


BYTES_METHODS = frozenset({"decode", "hex", "startswith", "endswith", "strip", "split"})


NUMBER_METHODS = frozenset({"bit_length", "is_integer", "conjugate", "total_seconds"})


CODECS = frozenset({"utf-8", "utf-8-sig", "ascii", "iso8859-1", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"})
"""Encodings that every Python has, and whose time is linear in the text."""


SCALAR_METHODS: dict[type, frozenset[str]] = {str: TEXT_METHODS, bytes: BYTES_METHODS}


@METHODS.of(Const)
def _of_scalar(value: Const, name: str) -> Value | None:
    if isinstance(value.value, timedelta) and name in ("days", "seconds", "microseconds"):
        return const(getattr(value.value, name), value.origin)
    if name in SCALAR_METHODS.get(type(value.value), NUMBER_METHODS) and hasattr(value.value, name):
        return BoundMethod(Native(name, scalar_method(name)), value)
    return None


def scalar_method(name: str) -> Function:
    """The implementation of the method ``name`` of scalars, by the real method on plain values."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        for value in arguments.values:
            settled(value)
        if name == "join":
            return _join(run, arguments)
        if name == "format":
            return format_text(run, arguments)
        receiver, *plain = map(to_python, arguments.positional)
        keywords = {key: to_python(value) for key, value in arguments.keywords.items()}
        if refused := refusal(run, name, receiver, [*plain, *keywords.values()]):
            return reasons.unknown(reasons.BUDGET, refused, arguments.place)
        try:
            result = getattr(receiver, name)(*plain, **keywords)
        except (LookupError, OverflowError, TypeError, ValueError) as error:
            raise run.failure(type(error).__name__, str(error)) from None
        return _made(run, result, name, arguments)

    return call


def _made(run: Interpreter, result: Any, name: str, arguments: Arguments) -> Value:
    if isinstance(result, (list, tuple)):
        run.budget.make(len(result))
    elif isinstance(result, (str, bytes)):
        run.budget.text(len(result))
    return from_python(result, Origin(f".{name}()", arguments.place, arguments.first.sources))


def refusal(run: Interpreter, name: str, text: Any, given: list[Any]) -> str | None:
    """Why a method may not be called on a text (``None`` if it may); charges the budget for reading the text."""
    if isinstance(text, (str, bytes)):
        run.budget.read(len(text))
    if name in ("encode", "decode") and not all(_is_plain_codec(codec) for codec in given[:1]):
        return f"{name}() with a codec that the evaluator does not use"
    return f"{name}() makes a very long text" if _too_long(name, text, given) else None


def _is_plain_codec(name: Any) -> bool:
    """Whether a codec's time is linear in the text, unlike that of ``idna`` and ``punycode``, which is quadratic."""
    try:
        return not isinstance(name, str) or codecs.lookup(name).name in CODECS
    except LookupError:
        return True


def _too_long(name: str, text: Any, plain: list[Any]) -> bool:
    if name in ("center", "ljust", "rjust", "zfill", "expandtabs"):
        factor = len(text) if name == "expandtabs" else 1
        return any(isinstance(width, int) and width * factor > LARGEST_TEXT for width in plain)
    if name == "replace" and len(plain) >= 2 and isinstance(plain[0], str) and isinstance(plain[1], str):
        times = text.count(plain[0]) if plain[0] else len(text) + 1
        return bool(times * len(plain[1]) > LARGEST_TEXT)
    if name == "translate" and plain and isinstance(plain[0], dict):
        return any(isinstance(v, str) and len(v) * len(text) > LARGEST_TEXT for v in plain[0].values())
    return name in ("splitlines", "split", "rsplit", "hex") and len(text) > LARGEST_TEXT // 2


def _join(run: Interpreter, arguments: Arguments) -> Value:
    if len(arguments.positional) != 2 or arguments.keywords:
        raise run.failure("TypeError", "join() takes one argument")
    elements = spread(run, arguments.positional[1], arguments.place)
    if elements.uncertain is not None:
        return elements.uncertain
    separator, *parts = map(to_python, (arguments.positional[0], *elements.items))
    if not all(isinstance(part, type(separator)) for part in parts):
        raise run.failure("TypeError", "join() of something that is not a string")
    run.budget.text(sum(map(len, parts)) + len(separator) * len(parts))
    return _made(run, separator.join(parts), "join", arguments)


def make_translation(run: Interpreter, arguments: Arguments) -> Value:
    try:
        return from_python(str.maketrans(*map(to_python, arguments.positional)))
    except (OverflowError, TypeError, ValueError) as error:
        raise run.failure(type(error).__name__, str(error)) from None


@ATTRIBUTES.of(VersionedText)
def _of_both(_run: Interpreter, value: VersionedText, name: str, _place: Place | None) -> Value:
    """A method of a text that differs between Python versions, called on both texts."""

    def call(run: Interpreter, arguments: Arguments) -> Value:
        def method(text: str, *others: Any, **keywords: Any) -> Any:
            if refused := refusal(run, name, text, [*others, *keywords.values()]):
                raise NotPlain(reasons.unknown(reasons.BUDGET, refused, arguments.place))
            return getattr(text, name)(*others, **keywords)

        return on_both(run, arguments, method)

    return BoundMethod(Native(name, call), value) if name in TEXT_METHODS else value
