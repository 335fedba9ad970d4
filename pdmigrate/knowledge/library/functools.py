"""``functools``: partial functions, wrappers and caches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pdmigrate.evaluate.core.natives import first_argument, native, unfit
from pdmigrate.evaluate.core.python_values import describe
from pdmigrate.evaluate.core.values import CACHE, NONE, Arguments, DictValue, Native, Partial, Value, doubt_among

if TYPE_CHECKING:
    from pdmigrate.evaluate.core.interpreter import Interpreter


@native("functools.partial")
def _partial(run: Interpreter, arguments: Arguments) -> Value:
    doubt = arguments.order or doubt_among(arguments.perhaps.values())
    return doubt or Partial(first_argument(run, arguments), arguments.positional[1:], dict(arguments.keywords))


_COPIED = ("__name__", "__doc__", "__qualname__", "__module__")


@native("functools.wraps")
def _wraps(run: Interpreter, arguments: Arguments) -> Value:
    wrapped = first_argument(run, arguments)
    copied = wrapped.as_function.names if wrapped.as_function is not None else {}

    def decorate(run: Interpreter, inner: Arguments) -> Value:
        given = first_argument(run, inner)
        if (function := given.as_function) is not None:
            function.names |= {name: copied[name] for name in _COPIED if name in copied} | {"__wrapped__": wrapped}
        return given

    return Native("functools.wraps()", decorate)


@native("functools.cache", "functools.lru_cache")
def _cache(_run: Interpreter, arguments: Arguments) -> Value:
    """``cache(function)``, or ``lru_cache(size)``, which returns a decorator."""
    first = arguments.given(0, "maxsize") or NONE
    if (function := first.as_function) is not None:
        return replace(function, names={**function.names, CACHE: DictValue()})
    if not (first.is_just(None) or first.is_just(True) or first.number == 128):
        what = f"a cache of {describe(first)}" if first.as_class is not None else "a cache that holds some results only"
        raise unfit(first, what, arguments.place)
    return Native("functools.cache", _cache)
